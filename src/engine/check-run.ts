import type { AssertionLog } from "./assertion-log.js";
import type { CheckContext } from "./context.js";
import type { Counterexample } from "./result.js";

/** What the machinery puts a check on: its context, and what the kinds of checks need beside it. */
export interface CheckRun {
  /** The context that writes into `log`. */
  readonly context: CheckContext;
  readonly log: AssertionLog;
  /** The same context, writing into another log: a trial whose result may be thrown away. */
  readonly on: (log: AssertionLog) => CheckContext;
  /** How many requests the check may still send. */
  readonly requestsLeft: () => number;
  /** Set by a property that did not hold. */
  counterexample?: Counterexample;
}
