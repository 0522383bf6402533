import { occurrencesOf, type Quote, quoteOf } from "../specification/quotes.js";
import type { KnownStatement } from "../specification/statements.js";
import type { SpecificationDocument, Unit } from "./document.js";
import type { Range } from "./sentences.js";

/** Quoted words, where they stand in the text of a unit. */
export interface LocatedQuote extends Range {
  readonly quote: Quote;
}

/** A unit of the user's document, held against the specification that the catalogue quotes. */
export interface AlignedUnit {
  readonly unit: Unit;
  /** It says word for word what was quoted, says it otherwise, or is about nothing that was quoted. */
  readonly state: "same" | "changed" | "new";
  /** Where it stood before: another section, or another place of this one. */
  readonly movedFrom?: string;
  /** The quotes that stand in it, in their order. */
  readonly quotes: readonly LocatedQuote[];
  /** Quotes of what stood in its place that are in the document no more. */
  readonly lost: readonly Quote[];
}

/** A statement that a document lacks. */
export interface GoneStatement {
  readonly section: string;
  readonly quotes: readonly Quote[];
  /** The unit after which it stood; absent when it was the first of its section, or the section is gone. */
  readonly after?: Unit;
}

/** A document, held against the specification that the catalogue quotes. */
export interface Alignment {
  readonly units: readonly AlignedUnit[];
  /** Statements that the document lacks. */
  readonly gone: readonly GoneStatement[];
  /** Sections under another number or name than the quoted specification has them. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/** A share of the quoted words, the rarer ones counting more, from which on a sentence is taken to be a changed one. */
const ALIKE = 0.6;

/** The same for a sentence that stands between the same two unchanged ones. */
const ALIKE_IN_PLACE = 0.25;

/** Added to likeness where a sentence stands between the same two unchanged ones. */
const IN_PLACE = 0.5;

/** A statement of the quoted specification while documents are aligned. */
interface Former {
  readonly known: KnownStatement;
  /** Place among the statements of its section. */
  readonly order: number;
  /** The unit that has its text, or that took its place. */
  unit?: Draft;
  readonly quotes: readonly Quote[];
}

/** A unit while documents are aligned. */
interface Draft {
  readonly unit: Unit;
  /** Place among the units of its section. */
  readonly order: number;
  state: AlignedUnit["state"];
  movedFrom?: string;
  readonly quotes: LocatedQuote[];
  readonly lost: Quote[];
}

/**
 * Finds the statements of the quoted specification in a document: first what is the same word for word, then what changed, by the
 * quoted words that are left of it and by what stands around it.
 *
 * @param known the statements that the catalogue quotes
 * @param quoteIn who quotes some words of a section
 */
export function align(
  document: SpecificationDocument,
  known: readonly KnownStatement[],
  quoteIn: (section: string, text: string) => Quote | undefined = quoteOf,
): Alignment {
  const formers = ordered(known, ({ section }) => section).map(({ item, order }): Former => {
    const quotes = item.quotes.flatMap((text) => quoteIn(item.section, text) ?? []);
    return { known: item, order, quotes };
  });
  const drafts = ordered(document.units, ({ place }) => place).map(
    ({ item, order }): Draft => ({ unit: item, order, state: "new", quotes: [], lost: [] }),
  );
  const origin = origins(document.units, known);

  pairSame(formers, drafts, (former, { unit }) => former.known.section === origin(unit.place));
  pairSame(formers, drafts, () => true);
  markReordered(formers, drafts, origin);
  pairChanged(formers, drafts, origin);
  locateQuotes(formers, drafts, origin);

  const renamed = [...new Set(document.units.map(({ place }) => place))]
    .filter((place) => origin(place) !== place)
    .map((place) => ({ from: origin(place), to: place }));
  return {
    units: drafts.map(({ order: _, quotes, ...rest }) => ({
      ...rest,
      quotes: quotes.sort((a, b) => a.from - b.from || b.to - a.to),
    })),
    gone: goneOf(formers),
    renamed,
  };
}

function goneOf(formers: readonly Former[]): GoneStatement[] {
  const last = new Map<string, Unit>();
  return formers.flatMap(({ unit, quotes, known: { section } }) => {
    const after = last.get(section);
    if (unit === undefined) return [{ section, quotes, ...(after && { after }) }];
    if (unit.movedFrom === undefined) last.set(section, unit.unit);
    return [];
  });
}

function ordered<T>(items: readonly T[], groupOf: (item: T) => string): { item: T; order: number }[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const group = groupOf(item);
    const order = counts.get(group) ?? 0;
    counts.set(group, order + 1);
    return { item, order };
  });
}

/** The section of the quoted specification that a section of the document is: that with which it shares most. */
function origins(units: readonly Unit[], known: readonly KnownStatement[]): (place: string) => string {
  const sectionsBy = new Map<string, Set<string>>();
  for (const { digest, section } of known) sectionsBy.set(digest, (sectionsBy.get(digest) ?? new Set()).add(section));
  const shares = new Map<string, Map<string, number>>();
  for (const { place, digest } of units) {
    const share = shares.get(place) ?? new Map<string, number>();
    shares.set(place, share);
    for (const section of sectionsBy.get(digest) ?? []) share.set(section, (share.get(section) ?? 0) + 1);
  }
  return (place) => {
    const share = shares.get(place) ?? new Map<string, number>();
    let [best, most] = [place, share.get(place) ?? 0];
    for (const [section, count] of share) if (count > most) [best, most] = [section, count];
    return best;
  };
}

function pairSame(
  formers: readonly Former[],
  drafts: readonly Draft[],
  may: (former: Former, draft: Draft) => boolean,
) {
  const free = new Map<string, Former[]>();
  for (const former of formers) {
    if (former.unit === undefined) free.set(former.known.digest, [...(free.get(former.known.digest) ?? []), former]);
  }
  for (const draft of drafts) {
    if (draft.state === "same") continue;
    const candidates = free.get(draft.unit.digest) ?? [];
    const at = candidates.findIndex((former) => may(former, draft));
    const [former] = at < 0 ? [] : candidates.splice(at, 1);
    if (former === undefined) continue;
    former.unit = draft;
    draft.state = "same";
  }
}

/** Marks what is the same, and stands elsewhere: in another section, or before what it stood behind. */
function markReordered(formers: readonly Former[], drafts: readonly Draft[], origin: (place: string) => string) {
  const byPlace = new Map<string, { former: Former; draft: Draft }[]>();
  for (const former of formers) {
    const draft = former.unit;
    if (draft === undefined) continue;
    const { section } = former.known;
    if (section !== origin(draft.unit.place)) draft.movedFrom = section;
    else byPlace.set(section, [...(byPlace.get(section) ?? []), { former, draft }]);
  }
  for (const [section, pairs] of byPlace) {
    const kept = longestRising(pairs.map(({ draft }) => drafts.indexOf(draft)));
    for (const [index, { draft }] of pairs.entries()) if (!kept.has(index)) draft.movedFrom = section;
  }
}

/** The indices of the longest rising subsequence of some numbers. */
function longestRising(numbers: readonly number[]): Set<number> {
  const lengths: number[] = [];
  const before: number[] = [];
  let end = -1;
  for (const [index, number] of numbers.entries()) {
    lengths[index] = 1;
    before[index] = -1;
    for (let other = 0; other < index; other++) {
      const longer = (lengths[other] ?? 0) + 1;
      if ((numbers[other] ?? 0) < number && longer > (lengths[index] ?? 0)) {
        lengths[index] = longer;
        before[index] = other;
      }
    }
    if (end < 0 || (lengths[index] ?? 0) > (lengths[end] ?? 0)) end = index;
  }
  const kept = new Set<number>();
  for (let at = end; at >= 0; at = before[at] ?? -1) kept.add(at);
  return kept;
}

/** Finds what changed: the likest pairs first. */
function pairChanged(formers: readonly Former[], drafts: readonly Draft[], origin: (place: string) => string) {
  const weights = wordWeights(formers);
  const gaps = gapsOf(formers, drafts, origin);
  const pairs = formers
    .filter(({ unit }) => unit === undefined)
    .flatMap((former) =>
      drafts
        .filter(({ state, unit }) => state === "new" && origin(unit.place) === former.known.section)
        .filter(({ unit }) => (unit.kind === "structure") === (former.known.structure === true))
        .map((draft) => {
          const inPlace = gaps.same(former, draft);
          const likeness = likenessOf(former, draft.unit, weights);
          const accepted =
            likeness >= (inPlace ? ALIKE_IN_PLACE : ALIKE) || (inPlace && former.known.structure === true);
          return { former, draft, accepted, score: likeness + (inPlace ? IN_PLACE : 0) };
        }),
    )
    .filter(({ accepted }) => accepted)
    .sort((a, b) => b.score - a.score);
  for (const { former, draft } of pairs) {
    if (former.unit !== undefined || draft.state === "changed") continue;
    former.unit = draft;
    draft.state = "changed";
  }
}

/** How much of a statement's quoted words a unit has, from 0 to 1: words that few statements of the section have count more. */
function likenessOf(
  { known: { section }, quotes }: Former,
  { text }: Unit,
  weights: ReadonlyMap<string, number>,
): number {
  const words = new Set(quotes.flatMap((quote) => wordsOf(quote.text)));
  const has = new Set(wordsOf(text));
  let [all, kept] = [0, 0];
  for (const word of words) {
    const weight = weights.get(`${section} ${word}`) ?? 1;
    all += weight;
    if (has.has(word)) kept += weight;
  }
  return all === 0 ? 0 : kept / all;
}

/** What each word counts: the fewer statements of its section have it, the more. */
function wordWeights(formers: readonly Former[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { known, quotes } of formers) {
    for (const word of new Set(quotes.flatMap(({ text }) => wordsOf(text)))) {
      const key = `${known.section} ${word}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return new Map([...counts].map(([word, count]) => [word, 1 / count]));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** Tells whether a statement stood between the same two unchanged ones between which a unit stands. */
function gapsOf(formers: readonly Former[], drafts: readonly Draft[], origin: (place: string) => string) {
  const formerGaps = new Map<Former, string>();
  const draftGaps = new Map<Draft, string>();
  const stays = new Map<Draft, Former>();
  for (const former of formers) {
    const draft = former.unit;
    if (draft && draft.movedFrom === undefined) stays.set(draft, former);
  }
  const last = new Map<string, number>();
  for (const former of formers) {
    const { section } = former.known;
    if (former.unit && stays.has(former.unit)) last.set(section, former.order);
    formerGaps.set(former, `${section} ${last.get(section) ?? -1}`);
  }
  last.clear();
  for (const draft of drafts) {
    const section = origin(draft.unit.place);
    const former = stays.get(draft);
    if (former) last.set(section, former.order);
    draftGaps.set(draft, `${section} ${last.get(section) ?? -1}`);
  }
  return { same: (former: Former, draft: Draft) => formerGaps.get(former) === draftGaps.get(draft) };
}

/** Fewer words may stand in another sentence by chance. */
const TELLING_WORDS = 3;

/** Finds the quotes of each statement: in the unit that it has become, or in others that are not the same as before. */
function locateQuotes(formers: readonly Former[], drafts: readonly Draft[], origin: (place: string) => string) {
  for (const former of formers) {
    const elsewhere =
      former.unit?.state === "same"
        ? []
        : drafts.filter(({ state, unit }) => state !== "same" && origin(unit.place) === former.known.section);
    const missing: Quote[] = [];
    for (const quote of former.quotes) {
      const telling = wordsOf(quote.text).length >= TELLING_WORDS;
      const candidates = [...(former.unit ? [former.unit] : []), ...(telling ? elsewhere : [])];
      const draft = candidates.find(({ unit }) => placeIn(unit, quote) !== undefined);
      if (draft === undefined) {
        missing.push(quote);
        continue;
      }
      const from = placeIn(draft.unit, quote) ?? 0;
      draft.quotes.push({ quote, from, to: from + quote.text.length });
      if (draft.state === "new") draft.state = "changed";
      former.unit ??= draft;
    }
    former.unit?.lost.push(...missing);
  }
}

/** Where a quote stands in a unit. One that begins a sentence may stand within it as well, and the other way round. */
function placeIn({ text }: Unit, quote: Quote): number | undefined {
  const [first = ""] = quote.text;
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  const [at] = [quote.text, other + quote.text.slice(1)].flatMap((words) => occurrencesOf(words, text));
  return at;
}
