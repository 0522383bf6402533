/** Faults as data. Each describes what a server gets wrong, and is planted into every recorded answer it affects. */
import type { Exchange } from "../connect/exchange.js";
import type { JsonObject } from "../connect/json.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { AnswerView } from "./answer-view.js";
import type { ObservedPlatform } from "./platform.js";

/** The kind of defect in an answer. */
export type FaultKind =
  | "wrong value"
  | "wrong form"
  | "wrong echo"
  | "wrong count"
  | "row missing"
  | "row doubled"
  | "rows out of order"
  | "foreign row"
  | "stale value"
  | "filter forgotten"
  | "field missing"
  | "refused"
  | "not refused"
  | "stream";

/** A fault without a scope; a {@link Scope} narrows it down. */
export interface FaultTemplate {
  /** Such as `order-size-as-text`. */
  readonly name: string;
  readonly rule: RuleId;
  readonly kind: FaultKind;
  /** What the server does, as a sentence without a full stop. */
  readonly words: string;
  readonly operations: readonly Endpoint[];
  /** The fault is in rows, so a scope may select rows. */
  readonly inRows?: true;
  /** Scopes in which it is planted as separate faults, besides everywhere. */
  readonly scopes?: readonly ScopeName[];
  /** Not planted everywhere, because it would be indistinguishable from a platform with such data. */
  readonly onlyInScopes?: true;
  /** Data needed beyond what its rule is judged on, such as `prices that move while the run goes on`. */
  readonly needs?: string;
  /**
   * The exchange as the faulty server would have made it; undefined when it is unaffected. Must be pure, so that the fault
   * is the same wherever the answer is read.
   */
  readonly plant: (view: AnswerView, scope: Scope, platform: ObservedPlatform) => Exchange | undefined;
}

/** Where a fault shows up. */
export interface Scope {
  readonly name: string;
  /** Such as `only in market 44`; empty for everywhere. */
  readonly words: string;
  readonly operations?: readonly Endpoint[];
  /** Selects answers by their request. */
  readonly answers: (view: AnswerView) => boolean;
  /** Selects answers for faults in rows, if different from `answers`. */
  readonly rowsOf?: (view: AnswerView) => boolean;
  /** Selects rows. */
  readonly rows?: (row: JsonObject) => boolean;
}

/** The ways to narrow a fault down. */
export type ScopeName =
  | "one market"
  | "one wallet"
  | "later pages"
  | "one side"
  | "reduce-only orders"
  | "two fields"
  | "two other fields"
  | "each operation"
  | "another way to write";

/** A fault to plant: a template in a scope. */
export interface Fault {
  readonly name: string;
  readonly rule: RuleId;
  readonly kind: FaultKind;
  readonly words: string;
  readonly operations: readonly Endpoint[];
  /** Data needed beyond what its rule is judged on. */
  readonly needs?: string;
  /** Where it shows up, in words; empty for everywhere. */
  readonly scope: string;
  readonly plant: (view: AnswerView) => Exchange | undefined;
}

/** Combines a template and a scope. */
export function faultIn(template: FaultTemplate, scope: Scope, platform: ObservedPlatform): Fault {
  const { name, rule, kind, words, needs, plant } = template;
  const operations = template.operations.filter((each) => scope.operations?.includes(each) ?? true);
  const everywhere = scope.name === "";
  const answers = (template.inRows && scope.rowsOf) || scope.answers;
  return {
    name: everywhere ? name : `${name}, ${scope.name}`,
    rule,
    kind,
    words: everywhere ? words : `${words}, ${scope.words}`,
    operations,
    ...(needs !== undefined && { needs }),
    scope: scope.words,
    plant: (view) => (operations.includes(view.endpoint) && answers(view) ? plant(view, scope, platform) : undefined),
  };
}
