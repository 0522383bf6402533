import type { Blocker } from "./result.js";

/**
 * How a check ends early. These are signals to the machinery, not faults: each stands for a verdict, so that a suite
 * needs neither try nor catch.
 */

/** The precondition never occurred, or the measurement cannot be trusted. The message says what would settle it. */
export class Inconclusive extends Error {
  override readonly name = "Inconclusive";
}

/**
 * An operation that does not work keeps the check from judging anything. That it does not work is told once, by the rule on its
 * path; whatever depends on it is blocked.
 */
export class Blocked extends Error {
  override readonly name = "Blocked";

  /** @param missing what the operation would have shown, where the check is about another one */
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

/** The target could not be reached, or did not answer in time: nothing is known about the rule. */
export class TransportTrouble extends Error {
  override readonly name = "TransportTrouble";
}

/** A violation was recorded, and the rest of the check depends on what is missing. */
export class Halt extends Error {
  override readonly name = "Halt";
}
