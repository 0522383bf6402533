import { isDeepStrictEqual } from "node:util";
import { type RuleId, ruleById } from "./catalogue/index.js";
import type { Level, Rule, RuleText } from "./rule.js";

/** The id of a rule of the user's own, such as `x-acme.orders-within-a-day`: the catalogue has none that begins with `x-`. */
export type OwnRuleId = `x-${string}.${string}`;

/** The id of a rule of the catalogue or of the user's own. */
export type AnyRuleId = RuleId | OwnRuleId;

/** What a rule of the user's own says. It stands in a section of the specification, under which reports list it. */
export interface OwnRuleText extends Omit<RuleText, "rulings" | "reason" | "level" | "mayBeAbsent"> {
  readonly level: Exclude<Level, "unobservable">;
}

/** Kept on the global object, so that a suite which is loaded through another module graph declares its rules here as well. */
const KEY = Symbol.for("perp-conformance.own-rules");

const ownRules: Map<string, Rule> = ((globalThis as Record<symbol, unknown>)[KEY] as Map<string, Rule>) ?? new Map();
(globalThis as Record<symbol, unknown>)[KEY] = ownRules;

/**
 * Declares a rule outside the catalogue. What its checks find stands in the results of a run, marked as `own`, and in its
 * exit code; whether the target conforms to the specification does not depend on it.
 *
 * @returns the id, for the checks of the rule
 * @throws RangeError for an id of another form, or for one that stands for another rule already
 */
export function rule<const Id extends OwnRuleId>(id: Id, text: OwnRuleText): Id {
  if (!isOwnRuleId(id)) throw new RangeError(`"${id}" is no id of an own rule: it must be like x-acme.some-words`);
  const declared: Rule = { id, ...text };
  const before = ownRules.get(id);
  if (before && !isDeepStrictEqual(before, declared)) throw new RangeError(`there are two rules "${id}"`);
  ownRules.set(id, declared);
  return id;
}

/** Whether a string has the form of an own rule's id. */
export function isOwnRuleId(id: string): id is OwnRuleId {
  return /^x-[a-z0-9-]+\.[a-z0-9-]+$/.test(id);
}

/** The rule with the given id, of the catalogue or of the user's own; a `RangeError` when there is none. */
export function anyRuleById(id: AnyRuleId): Rule {
  if (!isOwnRuleId(id)) return ruleById(id);
  const own = ownRules.get(id);
  if (!own) throw new RangeError(`the rule "${id}" is not declared: declare it with rule("${id}", { ... })`);
  return own;
}
