import type { Blocker } from "./result.js";

/**
 * The ways a check can end early. These are signals to the engine, not faults: each stands for a verdict, so that
 * suites need no try/catch.
 */

/** The precondition never occurred, or the measurement cannot be trusted. The message says what would settle it. */
export class Inconclusive extends Error {
  override readonly name = "Inconclusive";
}

/**
 * A broken operation keeps the check from judging anything. The rule on the operation's path reports the failure once;
 * all checks that depend on the operation are blocked.
 */
export class Blocked extends Error {
  override readonly name = "Blocked";

  /** @param missing what the operation would have shown, when the check is about another operation */
  constructor(
    readonly blocker: Blocker,
    missing?: string,
  ) {
    super(`${blocker.operation} answers ${blocker.answered}${missing === undefined ? "" : `; ${missing}`}`);
  }
}

/** The endpoint answered the Connect code `unimplemented`, which the text allows (§7). */
export class Unimplemented extends Error {
  override readonly name = "Unimplemented";

  constructor(readonly blocker: Blocker) {
    super(`${blocker.operation} answered ${blocker.answered}`);
  }
}

/** The target could not be reached or did not answer in time, so nothing is known about the rule. */
export class TransportTrouble extends Error {
  override readonly name = "TransportTrouble";
}

/** A violation was recorded, and the rest of the check depends on data that is therefore missing. */
export class Halt extends Error {
  override readonly name = "Halt";
}
