import type { Endpoint } from "../specification/endpoints.js";
import type { AnyRuleId } from "../specification/own-rules.js";
import type { Profile } from "../specification/profile.js";
import type { AssertionLog } from "./assertion-log.js";
import type { CheckContext } from "./context.js";
import type { Counterexample } from "./result.js";

/** What the engine runs a check with: its context, and what some kinds of checks need besides. */
export interface CheckRun {
  /** The context that writes into `log`. */
  readonly context: CheckContext;
  readonly log: AssertionLog;
  /** The same context writing into another log, for a trial whose result may be discarded. */
  readonly contextOn: (log: AssertionLog) => CheckContext;
  /** The counterexample, set by a property that failed. */
  counterexample?: Counterexample;
}

/** The executable side of a rule: what is requested from the target, and what is asserted on the answers. */
export interface CheckDefinition {
  readonly rule: AnyRuleId;
  readonly endpoint: Endpoint;
  /** Unique among all checks. */
  readonly name: string;
  readonly kind: "example" | "property" | "invariant" | "relation" | "observation";
  /** The smallest profile that runs the check. */
  readonly profile: Profile;
  readonly run: (checkRun: CheckRun) => Promise<void>;
}

/** Where checks run: those of `timing` suites watch streams, so they are kept away from heavy work; all others are `bulk`. */
export type Lane = "bulk" | "timing";

/** The checks of one section of the specification. */
export interface SuiteDefinition {
  /** Number and name of the section. */
  readonly title: string;
  readonly lane: Lane;
  readonly checks: readonly CheckDefinition[];
}
