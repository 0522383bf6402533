import type { Endpoint } from "./endpoints.js";
import type { RulingId } from "./rulings.js";
import type { Section } from "./sections.js";

export type { Section } from "./sections.js";

/**
 * What a violation of a rule means.
 *
 * - `mandatory`: the text states it and it can be seen from outside; a violation makes the target non-conformant.
 * - `advisory`: it follows from a field's definition or the field's convention; a violation is a warning.
 * - `observation`: the text leaves it open; what the server did is recorded, never judged.
 * - `unobservable`: the text states it, but no black-box reader can see it; `reason` says why.
 */
export type Level = "mandatory" | "advisory" | "observation" | "unobservable";

/** One documented statement of the specification: the unit that a verdict is given on. */
export interface RuleText {
  /** Section of the specification that carries the statement. */
  readonly section: Section;
  /** The statement, in the project's own words: one sentence. */
  readonly statement: string;
  readonly level: Level;
  /** The operations on which the rule can be seen (or, if unobservable, that it is about). */
  readonly endpoints: readonly Endpoint[];
  /** One line: what a client sees go wrong when the rule is broken. */
  readonly impact: string;
  /** The rulings under which the statement is read, where the text is silent or ambiguous. */
  readonly rulings?: readonly RulingId[];
  /**
   * What the rule speaks of that may be absent by the text, such as `the additional fields of a position`. Where it was looked
   * for on all operations of the rule, and is absent, the rule does not apply (rulings on verdicts).
   */
  readonly mayBeAbsent?: string;
  /** Unobservable rules only: why no black-box reader can see it. */
  readonly reason?: string;
}

/** Words of the specification by the section in which they stand, each a short part of one sentence or row, without its markup. */
export type Quotes = Readonly<Partial<Record<Section, readonly string[]>>>;

/** A rule that stands on words of the specification, as all rules of the catalogue do. */
export interface QuotingRule extends RuleText {
  /**
   * The words that the rule carries, those of its own section first. The cells of a row are separated by ` | `. Each stands once in
   * its section, between ends of words.
   */
  readonly quotes: Quotes;
}

/** A rule with its permanent id. */
export interface Rule extends RuleText {
  readonly id: string;
}
