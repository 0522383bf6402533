import { occurrencesOf, type Quote } from "../specification/quotes.js";
import type { KnownStatement, StatementIndex } from "../specification/statements.js";
import type { SpecificationDocument } from "./document.js";

/** The statements of a document, and where the document does not fit the quotes. */
export interface StatementIndexResult {
  readonly index: StatementIndex;
  /** Statements that nothing quotes, and quotes that do not occur exactly once in their section; one line each. */
  readonly problems: readonly string[];
}

/** Lists the statements of a document, each with the words that are quoted from it. */
export function buildStatementIndex(
  { units }: SpecificationDocument,
  quotes: readonly Quote[],
  version: string,
): StatementIndexResult {
  const problems: string[] = [];
  const quoted = new Map<number, string[]>();
  for (const { section, text } of quotes) {
    const places = units.flatMap((unit, index) =>
      unit.section === section ? occurrencesOf(text, unit.text).map(() => index) : [],
    );
    const [place] = places;
    if (place === undefined || places.length > 1)
      problems.push(`${section}: "${text}" stands ${places.length} times, where it should stand once`);
    else quoted.set(place, [...(quoted.get(place) ?? []), text]);
  }
  const statements = units.map(({ kind, section, digest, text, line }, index): KnownStatement => {
    const quotesHere = (quoted.get(index) ?? []).sort(
      (a, b) => text.indexOf(a) - text.indexOf(b) || a.length - b.length,
    );
    if (kind === "statement" && quotesHere.length === 0)
      problems.push(`${section}, line ${line}: no rule and no exclusion quotes "${text}"`);
    return { section, digest, quotes: quotesHere, ...(kind === "structure" && { structure: true }) };
  });
  return { index: { format: "perp-conformance/statements", formatVersion: 1, version, statements }, problems };
}
