import type { CheckContext } from "./context.js";
import type { Ledger } from "./ledger.js";
import type { Counterexample } from "./result.js";

/** What the machinery puts a check on: its context, and what the kinds of checks need beside it. */
export interface CheckRun {
  /** The context that writes into `ledger`. */
  readonly context: CheckContext;
  readonly ledger: Ledger;
  /** The same context, writing into another ledger: a trial whose result may be thrown away. */
  readonly on: (ledger: Ledger) => CheckContext;
  /** How many requests the check may still send. */
  readonly requestsLeft: () => number;
  /** Set by a property that did not hold. */
  counterexample?: Counterexample;
}
