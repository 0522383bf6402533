import { getOrInsert } from "../specification/get-or-insert.js";
import { groupBy } from "../specification/group-by.js";
import { occurrencesOf, type Quote } from "../specification/quotes.js";
import type { KnownStatement } from "../specification/statements.js";
import type { SpecificationDocument, Unit } from "./document.js";
import type { TextRange } from "./sentences.js";

/** A quote and its position in the text of a unit. */
export interface LocatedQuote extends TextRange {
  readonly quote: Quote;
}

/** A unit of the user's document, compared with the specification that the catalogue quotes. */
export interface AlignedUnit {
  readonly unit: Unit;
  /** Whether it matches what was quoted word for word, says it differently, or matches nothing that was quoted. */
  readonly state: "same" | "changed" | "new";
  /** The section it was in, if it moved: from another section, or within this one. */
  readonly movedFrom?: string;
  /** The quotes found in it, in order. */
  readonly quotes: readonly LocatedQuote[];
  /** Quotes of the statement in its place that the document no longer has. */
  readonly lost: readonly Quote[];
}

/** A statement that the document no longer has. */
export interface RemovedStatement {
  readonly section: string;
  readonly quotes: readonly Quote[];
  /** The unit that it followed; absent if it was the first of its section, or if the section is gone. */
  readonly after?: Unit;
}

/** A document, compared with the specification that the catalogue quotes. */
export interface Alignment {
  readonly units: readonly AlignedUnit[];
  /** Statements that the document no longer has. */
  readonly gone: readonly RemovedStatement[];
  /** Sections whose number or name differs from the quoted specification. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/** Minimum share of the quoted words, weighted by rarity, for a sentence to count as a changed one. */
const minLikeness = 0.6;

/** The same for a sentence between the same two unchanged neighbours. */
const minLikenessInPlace = 0.25;

/** Added to the likeness of a sentence between the same two unchanged neighbours. */
const inPlaceBonus = 0.5;

/** A statement of the quoted specification, during alignment. */
interface OldStatement {
  readonly known: KnownStatement;
  /** The unit that has its text, or took its place. */
  unit?: UnitMatch;
  readonly quotes: readonly Quote[];
}

/** A unit of the document, during alignment. */
interface UnitMatch {
  readonly unit: Unit;
  state: AlignedUnit["state"];
  movedFrom?: string;
  readonly quotes: LocatedQuote[];
  readonly lost: Quote[];
}

/**
 * Finds the statements of the quoted specification in a document. First it matches those that are the same word for word,
 * then those that changed, by the quoted words they still have and by their neighbours.
 *
 * @param known the statements that the catalogue quotes
 * @param quoteIn finds the quote with this text in a section
 */
export function align(
  document: SpecificationDocument,
  known: readonly KnownStatement[],
  quoteIn: (section: string, text: string) => Quote | undefined,
): Alignment {
  const statements = known.map((each): OldStatement => {
    return { known: each, quotes: each.quotes.flatMap((text) => quoteIn(each.section, text) ?? []) };
  });
  const matches = document.units.map((unit): UnitMatch => ({ unit, state: "new", quotes: [], lost: [] }));
  const formerSection = formerSections(document.units, known);

  matchUnchanged(statements, matches, (statement, { unit }) => statement.known.section === formerSection(unit.section));
  matchUnchanged(statements, matches, () => true);
  markMoved(statements, matches, formerSection);
  pairChanged(statements, matches, formerSection);
  locateQuotes(statements, matches, formerSection);

  const renamed = [...new Set(document.units.map(({ section }) => section))]
    .filter((section) => formerSection(section) !== section)
    .map((section) => ({ from: formerSection(section), to: section }));
  return {
    units: matches.map((match) => ({ ...match, quotes: match.quotes.sort((a, b) => a.from - b.from || b.to - a.to) })),
    gone: goneOf(statements),
    renamed,
  };
}

function goneOf(statements: readonly OldStatement[]): RemovedStatement[] {
  const last = new Map<string, Unit>();
  return statements.flatMap(({ unit, quotes, known: { section } }) => {
    const after = last.get(section);
    if (unit === undefined) return [{ section, quotes, ...(after && { after }) }];
    if (unit.movedFrom === undefined) last.set(section, unit.unit);
    return [];
  });
}

/** Maps a section of the document to the section of the quoted specification that it shares most statements with. */
function formerSections(units: readonly Unit[], known: readonly KnownStatement[]): (section: string) => string {
  const sectionsBy = new Map<string, Set<string>>();
  for (const { digest, section } of known) getOrInsert(sectionsBy, digest, () => new Set()).add(section);
  const shares = new Map<string, Map<string, number>>();
  for (const { section, digest } of units) {
    const share = getOrInsert(shares, section, () => new Map());
    for (const former of sectionsBy.get(digest) ?? []) share.set(former, (share.get(former) ?? 0) + 1);
  }
  return (section) => {
    const share = shares.get(section) ?? new Map<string, number>();
    let [best, most] = [section, share.get(section) ?? 0];
    for (const [former, count] of share) if (count > most) [best, most] = [former, count];
    return best;
  };
}

function matchUnchanged(
  statements: readonly OldStatement[],
  matches: readonly UnitMatch[],
  isAllowed: (statement: OldStatement, match: UnitMatch) => boolean,
) {
  const free = groupBy(
    statements.filter(({ unit }) => unit === undefined),
    ({ known }) => known.digest,
  );
  for (const match of matches) {
    if (match.state === "same") continue;
    const candidates = free.get(match.unit.digest) ?? [];
    const at = candidates.findIndex((statement) => isAllowed(statement, match));
    const [statement] = at < 0 ? [] : candidates.splice(at, 1);
    if (statement === undefined) continue;
    statement.unit = match;
    match.state = "same";
  }
}

/** Marks unchanged units that moved: to another section, or to another position within theirs. */
function markMoved(
  statements: readonly OldStatement[],
  matches: readonly UnitMatch[],
  formerSection: (section: string) => string,
) {
  const bySection = new Map<string, UnitMatch[]>();
  for (const statement of statements) {
    const match = statement.unit;
    if (match === undefined) continue;
    const { section } = statement.known;
    if (section !== formerSection(match.unit.section)) match.movedFrom = section;
    else bySection.set(section, [...(bySection.get(section) ?? []), match]);
  }
  for (const [section, there] of bySection) {
    const kept = longestRising(there.map((match) => matches.indexOf(match)));
    for (const [index, match] of there.entries()) if (!kept.has(index)) match.movedFrom = section;
  }
}

/** The indices of the longest increasing subsequence. */
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

/** Pairs statements with the units they changed to, the most similar pairs first. */
function pairChanged(
  statements: readonly OldStatement[],
  matches: readonly UnitMatch[],
  formerSection: (section: string) => string,
) {
  const weights = wordWeights(statements);
  const isInPlace = inPlaceTest(statements, matches, formerSection);
  const pairs = statements
    .filter(({ unit }) => unit === undefined)
    .flatMap((statement) =>
      matches
        .filter(({ state, unit }) => state === "new" && formerSection(unit.section) === statement.known.section)
        .filter(({ unit }) => (unit.kind === "structure") === (statement.known.structure === true))
        .map((match) => {
          const inPlace = isInPlace(statement, match);
          const likeness = likenessOf(statement, match.unit, weights);
          const accepted =
            likeness >= (inPlace ? minLikenessInPlace : minLikeness) || (inPlace && statement.known.structure === true);
          return { statement, match, accepted, score: likeness + (inPlace ? inPlaceBonus : 0) };
        }),
    )
    .filter(({ accepted }) => accepted)
    .sort((a, b) => b.score - a.score);
  for (const { statement, match } of pairs) {
    if (statement.unit !== undefined || match.state === "changed") continue;
    statement.unit = match;
    match.state = "changed";
  }
}

/** The share of a statement's quoted words that a unit has, from 0 to 1. Words that are rare in the section count more. */
function likenessOf(
  { known: { section }, quotes }: OldStatement,
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

/** The weight of each word: the fewer statements of its section have it, the higher. */
function wordWeights(statements: readonly OldStatement[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { known, quotes } of statements) {
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

/** Creates a test of whether a statement and a unit of its section lie between the same two unchanged neighbours. */
function inPlaceTest(
  statements: readonly OldStatement[],
  matches: readonly UnitMatch[],
  formerSection: (section: string) => string,
): (statement: OldStatement, match: UnitMatch) => boolean {
  const stays = new Map<UnitMatch, OldStatement>();
  for (const statement of statements) {
    const match = statement.unit;
    if (match && match.movedFrom === undefined) stays.set(match, statement);
  }
  const neighbours = new Map<OldStatement | UnitMatch, OldStatement | undefined>();
  const last = new Map<string, OldStatement>();
  for (const statement of statements) {
    const { section } = statement.known;
    if (statement.unit && stays.has(statement.unit)) last.set(section, statement);
    neighbours.set(statement, last.get(section));
  }
  last.clear();
  for (const match of matches) {
    const section = formerSection(match.unit.section);
    const statement = stays.get(match);
    if (statement) last.set(section, statement);
    neighbours.set(match, last.get(section));
  }
  return (statement, match) => neighbours.get(statement) === neighbours.get(match);
}

/** Minimum words of a quote that is looked for in other sentences. Fewer words could be there by chance. */
const distinctiveWords = 3;

/** Locates the quotes of each statement: in the unit that it became, or in other units that are not the same as before. */
function locateQuotes(
  statements: readonly OldStatement[],
  matches: readonly UnitMatch[],
  formerSection: (section: string) => string,
) {
  for (const statement of statements) {
    const elsewhere =
      statement.unit?.state === "same"
        ? []
        : matches.filter(
            ({ state, unit }) => state !== "same" && formerSection(unit.section) === statement.known.section,
          );
    const missing: Quote[] = [];
    for (const quote of statement.quotes) {
      const isDistinctive = wordsOf(quote.text).length >= distinctiveWords;
      const candidates = [...(statement.unit ? [statement.unit] : []), ...(isDistinctive ? elsewhere : [])];
      const match = candidates.find(({ unit }) => placeIn(unit, quote) !== undefined);
      if (match === undefined) {
        missing.push(quote);
        continue;
      }
      const from = placeIn(match.unit, quote) ?? 0;
      match.quotes.push({ quote, from, to: from + quote.text.length });
      if (match.state === "new") match.state = "changed";
      statement.unit ??= match;
    }
    statement.unit?.lost.push(...missing);
  }
}

/** The position of a quote in a unit. The case of its first letter is ignored: it may begin a sentence in one text only. */
function placeIn({ text }: Unit, quote: Quote): number | undefined {
  const [first = ""] = quote.text;
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  const [at] = [quote.text, other + quote.text.slice(1)].flatMap((words) => occurrencesOf(words, text));
  return at;
}
