import { type CatalogueRule, catalogue, type RuleId } from "./catalogue/index.js";
import { type Exclusion, exclusions } from "./exclusions.js";
import { getOrInsert } from "./get-or-insert.js";
import { type Section, sectionNames } from "./sections.js";

/** Words of the specification, and the rules or exclusion that quote them. */
export interface Quote {
  readonly section: Section;
  readonly text: string;
  /** The rules that quote the words, in the catalogue's order. */
  readonly rules: readonly RuleId[];
  /** The exclusion that quotes the words, if any. Some words are quoted by rules as well as by an exclusion. */
  readonly exclusion?: Exclusion;
}

/** All quotes of rules and exclusions, without duplicates, in section order. */
export const allQuotes: readonly Quote[] = collected();

const byPlace = new Map(allQuotes.map((quote) => [keyOf(quote), quote]));

/** The quote with exactly these words of a section; undefined when nothing quotes them. */
export function quoteOf(section: string, text: string): Quote | undefined {
  return byPlace.get(keyOf({ section, text }));
}

/** The words that a rule quotes, those of its own section first. */
export function quotesOf({ quotes }: Pick<CatalogueRule, "quotes">): { section: Section; text: string }[] {
  return (Object.entries(quotes) as [Section, readonly string[]][]).flatMap(([section, texts]) =>
    texts.map((text) => ({ section, text })),
  );
}

/** The start index of each occurrence of words in a text, matching at word boundaries only. */
export function occurrencesOf(words: string, text: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const cutsBefore = isWord(text[at - 1]) && isWord(words[0]);
    const cutsAfter = isWord(text[at + words.length]) && isWord(words.at(-1));
    if (!cutsBefore && !cutsAfter) found.push(at);
  }
  return found;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

function keyOf({ section, text }: { readonly section: string; readonly text: string }): string {
  return `${section}\n${text}`;
}

function collected(): Quote[] {
  const quotes = new Map<string, { section: Section; text: string; rules: RuleId[]; exclusion?: Exclusion }>();
  const at = (section: Section, text: string) =>
    getOrInsert(quotes, keyOf({ section, text }), () => ({ section, text, rules: [] }));
  for (const rule of catalogue) for (const { section, text } of quotesOf(rule)) at(section, text).rules.push(rule.id);
  for (const exclusion of exclusions)
    for (const text of exclusion.quotes) at(exclusion.section, text).exclusion = exclusion;
  return [...quotes.values()].sort((a, b) => sectionNames.indexOf(a.section) - sectionNames.indexOf(b.section));
}
