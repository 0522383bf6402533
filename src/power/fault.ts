/** Faults as data: what a server would get wrong, planted into each recorded answer that it would have given otherwise. */
import type { Exchange } from "../connect/exchange.js";
import type { JsonObject } from "../connect/json.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { AnswerView } from "./answer-view.js";
import type { Platform } from "./platform.js";

/** What is wrong about an answer. */
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

/** A fault in general; {@link Scope} narrows it down. */
export interface FaultTemplate {
  /** `order-size-as-text`. */
  readonly name: string;
  readonly rule: RuleId;
  readonly kind: FaultKind;
  /** What the server does, in a sentence without a full stop. */
  readonly words: string;
  readonly operations: readonly Endpoint[];
  /** It is in rows: a scope may choose among them. */
  readonly inRows?: true;
  /** Where else than everywhere it is planted, each time as a fault of its own. */
  readonly scopes?: readonly ScopeName[];
  /** Everywhere it could not be told from a platform that has such data. */
  readonly onlyInScopes?: true;
  /** What data it takes beside what its rule is judged on: `prices that move while the run goes on`. */
  readonly needs?: string;
  /**
   * The exchange as the server would have made it; undefined where it would have made the same. A pure function, so that the
   * fault is the same wherever the answer is read.
   */
  readonly plant: (view: AnswerView, scope: Scope, platform: Platform) => Exchange | undefined;
}

/** Where a fault shows. */
export interface Scope {
  readonly name: string;
  /** `only in market 44`; empty for everywhere. */
  readonly words: string;
  readonly operations?: readonly Endpoint[];
  /** In the answers to which requests. */
  readonly answers: (view: AnswerView) => boolean;
  /** The same of faults in rows, where that differs: the answers whose rows are looked through. */
  readonly rowsOf?: (view: AnswerView) => boolean;
  /** In which rows. */
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

/** A fault that is planted: a template in a scope. */
export interface Fault {
  readonly name: string;
  readonly rule: RuleId;
  readonly kind: FaultKind;
  readonly words: string;
  readonly operations: readonly Endpoint[];
  /** What data it takes, where that is more than what its rule is judged on. */
  readonly needs?: string;
  /** Where it shows, in words; empty for everywhere. */
  readonly scope: string;
  readonly plant: (view: AnswerView) => Exchange | undefined;
}

/** The fault that a template is in a scope. */
export function faultIn(template: FaultTemplate, scope: Scope, platform: Platform): Fault {
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
