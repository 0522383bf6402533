import { isDeepStrictEqual } from "node:util";
import { type RuleId, ruleById } from "./catalogue/index.js";
import type { Level, Rule, RuleText } from "./rule.js";

/** The id of a user-defined rule, such as `x-acme.orders-within-a-day`. No rule of the catalogue starts with `x-`. */
export type OwnRuleId = `x-${string}.${string}`;

/** The id of a catalogue rule or a user-defined rule. */
export type AnyRuleId = RuleId | OwnRuleId;

/** The text of a user-defined rule. Its section of the specification is where reports list it. */
export interface OwnRuleText extends Omit<RuleText, "rulings" | "reason" | "level" | "mayBeAbsent"> {
  readonly level: Exclude<Level, "unobservable">;
}

/** Key on the global object, so that suites loaded through another module graph share the same rules. */
const key = Symbol.for("perp-conformance.own-rules");

const ownRules: Map<string, Rule> = ((globalThis as Record<symbol, unknown>)[key] as Map<string, Rule>) ?? new Map();
(globalThis as Record<symbol, unknown>)[key] = ownRules;

/**
 * Declares a rule outside the catalogue. Its findings appear in the results, marked as `own`, and affect the exit code, but
 * not whether the target conforms to the specification.
 *
 * @returns the id, for the checks of the rule
 * @throws RangeError when the id has the wrong form, or is already declared for a different rule
 */
export function rule<const Id extends OwnRuleId>(id: Id, text: OwnRuleText): Id {
  if (!isOwnRuleId(id)) throw new RangeError(`"${id}" is not an id of an own rule: it must be like x-acme.some-words`);
  const declared: Rule = { id, ...text };
  const before = ownRules.get(id);
  if (before && !isDeepStrictEqual(before, declared)) throw new RangeError(`there are two rules "${id}"`);
  ownRules.set(id, declared);
  return id;
}

/** Whether a string has the form of a user-defined rule's id. */
export function isOwnRuleId(id: string): id is OwnRuleId {
  return /^x-[a-z0-9-]+\.[a-z0-9-]+$/.test(id);
}

/** The catalogue or user-defined rule with the given id; throws a `RangeError` when there is none. */
export function anyRuleById(id: AnyRuleId): Rule {
  if (!isOwnRuleId(id)) return ruleById(id);
  const own = ownRules.get(id);
  if (!own) throw new RangeError(`the rule "${id}" is not declared: declare it with rule("${id}", { ... })`);
  return own;
}
