import { hash } from "node:crypto";
import { harness } from "../report/identity.js";
import type { Identity, Results, RuleEntry } from "../report/results.js";
import { conclusionInWords } from "../report/wording.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { type Quote, quoteOf } from "../specification/quotes.js";
import type { KnownStatement } from "../specification/statements.js";
import { type AlignedUnit, align, type RemovedStatement } from "./align.js";
import { readDocument, type SpecificationDocument } from "./document.js";
import { mostSevere, type Status, statuses, statusOf } from "./status.js";

/** Quoted words of a statement, and what the run says about them. */
export interface AnnotatedQuote {
  /** Start and end in the statement's text, in UTF-16 units; the end is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly status: Status;
  readonly rules: readonly RuleId[];
  /** Why no rule covers the words. */
  readonly exclusion?: string;
}

/** A sentence or table row of the document, and what the run says about it. */
export interface AnnotatedStatement {
  /** Its anchor on the page. */
  readonly id: string;
  readonly kind: "statement" | "structure";
  readonly section: string;
  /** Line in the file, from 1. */
  readonly line: number;
  readonly text: string;
  /** The most severe status of its rules. */
  readonly status: Status;
  /** How it compares with what the catalogue quotes. */
  readonly state: AlignedUnit["state"];
  readonly movedFrom?: string;
  readonly quotes: readonly AnnotatedQuote[];
  /** The rules that quote it, the most severe status first. */
  readonly rules: readonly { readonly id: RuleId; readonly status: Status }[];
  /** Quoted words that are no longer here, with the rules that quote them. */
  readonly lost: readonly { readonly text: string; readonly rules: readonly RuleId[] }[];
}

/** A difference between the document and what the catalogue quotes. */
export interface SpecificationDifference {
  readonly kind: "changed" | "new" | "gone" | "moved";
  readonly section: string;
  /** Line in the file. For a statement that is gone, the line it followed; absent if it was the first of its section. */
  readonly line?: number;
  /** Absent if the statement is gone. */
  readonly text?: string;
  /** Anchor on the page. For a statement that is gone, the anchor of the one it followed. */
  readonly statement?: string;
  readonly movedFrom?: string;
  /** Quoted words that the document no longer has there. */
  readonly lost: readonly string[];
  /** The rules affected: first those whose words are lost, then those that quote what is left of the statement. */
  readonly rules: readonly RuleId[];
}

/** A specification annotated with the results of a run. The content of `annotate --json`. */
export interface Annotation {
  readonly format: "perp-conformance/annotation";
  readonly formatVersion: 1;
  readonly harness: Identity;
  readonly specification: Results["specification"];
  readonly document: { readonly name: string; readonly bytes: number; readonly digest: string };
  readonly run: Pick<Results, "profile" | "seed" | "startedAt" | "target"> & { readonly conclusion: string };
  readonly counts: {
    /** Sentences and rows that state something. */
    readonly statements: number;
    /** Those that a rule or an exclusion quotes. */
    readonly covered: number;
    readonly byStatus: Readonly<Record<Status, number>>;
    readonly differences: Readonly<Record<SpecificationDifference["kind"], number>>;
    /** Quotes in the catalogue, and those that the document does not have. */
    readonly quotes: number;
    readonly quotesLost: number;
  };
  /** Headings, table heads and labels are included only if a rule quotes them or they differ. */
  readonly statements: readonly AnnotatedStatement[];
  readonly differences: readonly SpecificationDifference[];
  /** Sections that have another number or name in the document. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/** A document and its annotation. `units` has one statement for each unit of the document, in the same order. */
export interface AnnotatedDocument {
  readonly document: SpecificationDocument;
  readonly units: readonly AnnotatedStatement[];
  readonly annotation: Annotation;
}

/**
 * Compares a specification with the catalogue, and adds the results of a run to each of its statements.
 *
 * @param source the document, in Markdown
 * @param name name of the file
 * @param known the statements that the catalogue quotes
 * @param quoteIn finds the quote with this text in a section
 */
export function annotateSpecification(
  source: Uint8Array,
  name: string,
  results: Results,
  known: readonly KnownStatement[],
  quoteIn = quoteOf,
): AnnotatedDocument {
  const document = readDocument(new TextDecoder().decode(source));
  const { units: aligned, gone, renamed } = align(document, known, quoteIn);
  const verdicts = new Map(results.rules.map((rule) => [rule.id, rule]));
  const units = aligned.map((unit, index) => annotated(unit, anchorOf(index), verdicts));

  const differences = differencesIn(document, units, gone);
  const annotation: Annotation = {
    format: "perp-conformance/annotation",
    formatVersion: 1,
    harness,
    specification: results.specification,
    document: { name, bytes: source.length, digest: hash("sha256", source) },
    run: {
      conclusion: conclusionInWords(results),
      target: results.target,
      profile: results.profile,
      seed: results.seed,
      startedAt: results.startedAt,
    },
    counts: countsOf(units, differences, known),
    statements: units.filter(isMarked),
    differences,
    renamed,
  };
  return { document, units, annotation };
}

/** Whether a unit is marked and has a panel. Headings and the like are marked only if a rule quotes them or they differ. */
export function isMarked({ kind, quotes, state, movedFrom }: AnnotatedStatement): boolean {
  return kind === "statement" || quotes.length > 0 || state !== "same" || movedFrom !== undefined;
}

/** How many of these units state something, by their status. */
export function countByStatus(units: readonly AnnotatedStatement[]): Record<Status, number> {
  return countBy(
    statuses,
    units.filter(({ kind }) => kind === "statement"),
    ({ status }) => status,
  );
}

/** The differences between the document and what the catalogue quotes, by line; quotes that are gone without a place last. */
function differencesIn(
  document: SpecificationDocument,
  units: readonly AnnotatedStatement[],
  gone: readonly RemovedStatement[],
): readonly SpecificationDifference[] {
  const differences = [
    ...units.flatMap(differenceOf),
    ...gone.map(
      ({ section, quotes, after }): SpecificationDifference => ({
        kind: "gone",
        section,
        ...(after && { line: after.line, statement: anchorOf(document.units.indexOf(after)) }),
        lost: quotes.map(({ text }) => text),
        rules: rulesOf(quotes),
      }),
    ),
  ];
  return differences.sort((a, b) => (a.line ?? Number.POSITIVE_INFINITY) - (b.line ?? Number.POSITIVE_INFINITY));
}

function countsOf(
  units: readonly AnnotatedStatement[],
  differences: readonly SpecificationDifference[],
  known: readonly KnownStatement[],
): Annotation["counts"] {
  const statements = units.filter(({ kind }) => kind === "statement");
  return {
    statements: statements.length,
    covered: statements.filter(({ status }) => status !== "unchecked").length,
    byStatus: countByStatus(units),
    differences: countBy(["changed", "new", "gone", "moved"], differences, ({ kind }) => kind),
    quotes: known.reduce((sum, { quotes }) => sum + quotes.length, 0),
    quotesLost: differences.reduce((sum, { lost }) => sum + lost.length, 0),
  };
}

function countBy<Key extends string, Item>(
  keys: readonly Key[],
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, items.filter((item) => keyOf(item) === key).length])) as Record<
    Key,
    number
  >;
}

/** The anchor of a unit on the page. */
function anchorOf(index: number): string {
  return `s${index + 1}`;
}

/** The statuses of rules in a run. An observation that was not made is ignored if another rule has something to say. */
function statusesOf(rules: readonly string[], verdicts: ReadonlyMap<string, RuleEntry>): readonly Status[] {
  const entries = rules.map((rule) => verdicts.get(rule));
  const decisive = entries.filter((entry) => entry?.level !== "observation" || entry.verdict === "observed");
  return (decisive.length > 0 ? decisive : entries).map(statusOf);
}

function annotated(
  { unit, state, movedFrom, quotes, lost }: AlignedUnit,
  id: string,
  verdicts: ReadonlyMap<string, RuleEntry>,
): AnnotatedStatement {
  const shown = quotes.map(({ from, to, quote: { rules, exclusion } }): AnnotatedQuote => {
    const status = rules.length > 0 ? mostSevere(statusesOf(rules, verdicts)) : "excluded";
    return { from, to, status, rules, ...(exclusion && { exclusion: exclusion.reason }) };
  });
  const rules = [...new Set(shown.flatMap((quote) => quote.rules))]
    .map((rule) => ({ id: rule, status: statusOf(verdicts.get(rule)) }))
    .sort((a, b) => statuses.indexOf(a.status) - statuses.indexOf(b.status));
  return {
    id,
    kind: unit.kind,
    section: unit.section,
    line: unit.line,
    text: unit.text,
    status: mostSevere(shown.map(({ status }) => status)),
    state,
    ...(movedFrom !== undefined && { movedFrom }),
    quotes: shown,
    rules,
    lost: lost.map(({ text, rules: touched }) => ({ text, rules: touched })),
  };
}

function differenceOf({
  id,
  section,
  line,
  text,
  state,
  movedFrom,
  lost,
  rules,
}: AnnotatedStatement): SpecificationDifference[] {
  if (state === "same" && movedFrom === undefined) return [];
  const touched = [...new Set([...lost.flatMap((quote) => quote.rules), ...rules.map((rule) => rule.id)])];
  return [
    {
      kind: state === "same" ? "moved" : state,
      section,
      line,
      text,
      statement: id,
      ...(movedFrom !== undefined && { movedFrom }),
      lost: lost.map((quote) => quote.text),
      rules: touched,
    },
  ];
}

function rulesOf(quotes: readonly Quote[]): RuleId[] {
  return [...new Set(quotes.flatMap(({ rules }) => rules))];
}
