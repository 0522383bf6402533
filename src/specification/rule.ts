import type { Endpoint } from "./endpoints.js";
import type { RulingId } from "./rulings.js";
import type { Section } from "./sections.js";

export type { Section } from "./sections.js";

/**
 * What a violation of a rule means.
 *
 * - `mandatory`: the text states it and it is observable from outside; a violation makes the target non-conformant.
 * - `advisory`: it follows from a field's definition or from convention; a violation is a warning.
 * - `observation`: the text leaves it open; what the server does is recorded, never judged.
 * - `unobservable`: the text states it, but it cannot be observed from outside; `reason` says why.
 */
export type Level = "mandatory" | "advisory" | "observation" | "unobservable";

/** One statement of the specification: the unit of a verdict. */
export interface RuleText {
  /** Section of the specification with the statement. */
  readonly section: Section;
  /** The statement, in the project's own words: one sentence. */
  readonly statement: string;
  readonly level: Level;
  /** The operations on which the rule can be observed (or, if unobservable, that it is about). */
  readonly endpoints: readonly Endpoint[];
  /** One line: what goes wrong for a client when the rule is broken. */
  readonly impact: string;
  /** The rulings that say how the statement is read, where the text is silent or ambiguous. */
  readonly rulings?: readonly RulingId[];
  /**
   * The subject of the rule, if the text allows it to be absent, such as `the additional fields of a position`. When it was
   * looked for on all operations of the rule and is absent, the rule does not apply (rulings on verdicts).
   */
  readonly mayBeAbsent?: string;
  /** Unobservable rules only: why it cannot be observed from outside. */
  readonly reason?: string;
}

/** Quotes of the specification by section, each a short part of one sentence or table row, without markup. */
export type Quotes = Readonly<Partial<Record<Section, readonly string[]>>>;

/** A rule with quotes of the specification, as all rules of the catalogue have. */
export interface QuotingRule extends RuleText {
  /**
   * The words that the rule covers, those of its own section first. Table cells are separated by ` | `. Each quote occurs
   * exactly once in its section, at word boundaries.
   */
  readonly quotes: Quotes;
}

/** A rule with its permanent id. */
export interface Rule extends RuleText {
  readonly id: string;
}
