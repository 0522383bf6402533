import type { AssertionLog } from "./assertion-log.js";
import type { CheckContext } from "./context.js";
import type { Counterexample } from "./result.js";

/** What the engine runs a check with: its context, and what some kinds of checks need besides. */
export interface CheckRun {
  /** The context that writes into `log`. */
  readonly context: CheckContext;
  readonly log: AssertionLog;
  /** The same context writing into another log, for a trial whose result may be discarded. */
  readonly on: (log: AssertionLog) => CheckContext;
  /** The counterexample, set by a property that failed. */
  counterexample?: Counterexample;
}
