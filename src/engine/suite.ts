import type { Endpoint } from "../specification/endpoints.js";
import type { AnyRuleId } from "../specification/own-rules.js";
import type { Profile } from "../specification/profile.js";
import type { CheckRun } from "./check-run.js";

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

/** The checks of one section of the specification. */
export interface SuiteDefinition {
  /** Number and name of the section. */
  readonly title: string;
  /** `timing` suites watch streams, so they are kept away from heavy work; all others are `bulk`. */
  readonly lane: "bulk" | "timing";
  readonly checks: readonly CheckDefinition[];
}
