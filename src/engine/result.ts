import type { Interactions } from "../exploration/covering-array.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Rule } from "../specification/rule.js";

/** The verdicts of a rule, a check or a run. */
export type Verdict =
  | "pass"
  | "fail"
  | "warn"
  | "inconclusive"
  | "blocked"
  | "notApplicable"
  | "unimplemented"
  | "observed"
  | "notRun"
  | "error";

/** Whether a verdict says that a rule is violated, be it mandatory or advisory. */
export function isViolated(verdict: Verdict | undefined): boolean {
  return verdict === "fail" || verdict === "warn";
}

/** A broken operation that kept something else from being judged. */
export interface Blocker {
  readonly operation: Endpoint;
  /** What it answers, in a few words: `the error not_found: "no such path" (HTTP 404)`. */
  readonly answered: string;
}

/** A place where a violation was found. */
export interface ViolationPlace {
  /** The exchange that shows it. */
  readonly exchange: string;
  /** Place in the body, such as `orders[3].owner`. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
}

/** An array in an answer that was judged by a sample. */
export interface SampledAnswer {
  readonly exchange: string;
  readonly endpoint: Endpoint;
  /** Bytes of the whole answer. */
  readonly bytes: number;
  /** Path of the array: `orders`. */
  readonly path: string;
  /** Total number of rows. */
  readonly rows: number;
  /** Number of rows read. */
  readonly read: number;
}

/** Violations with the same cause: one wrong field in 1,000 rows is one group. */
export interface ViolationGroup {
  /** One sentence that says what was expected and what was seen. */
  readonly message: string;
  /** The operation whose answers show it. */
  readonly operation: Endpoint;
  /** Number of places that show the cause. */
  readonly count: number;
  /** The first few places. */
  readonly places: readonly ViolationPlace[];
  /** The first place as a JSON pointer (RFC 6901) into the body; empty for the answer as a whole. */
  readonly pointer: string;
  /** A short excerpt of the body around the first place. */
  readonly excerpt: string;
  /** Which rows of that body show the cause, in words: `12 of 60 positions, exactly those with "side":"SIDE_SHORT"`. */
  readonly rows?: string;
  /** The request whose answer shows the first place: operation and body, shortened only if very long. */
  readonly request: string;
  /** A few other requests whose answers show the violation, if there are any. */
  readonly otherRequests?: readonly string[];
  /**
   * The answer that the first one was compared with, if any, and a shell command that requests it again. If there were two,
   * `exchange` is the first, and the texts name both. `path` is the place in it that shows what was expected.
   */
  readonly comparedWith?: {
    readonly exchange: string;
    readonly request: string;
    readonly path?: string;
    readonly curl?: string;
  };
  /** A POSIX shell command that sends the request again. */
  readonly curl: string;
}

/** The smallest request on which a property failed. */
export interface Counterexample {
  /** The generated values, as JSON text. */
  readonly values: string;
  /** Number of shrinking steps. */
  readonly shrinks: number;
  readonly seed: number;
}

/** What one check found. Plain data, passed between threads and written to files. */
export interface CheckResult {
  readonly rule: string;
  /** The rule itself, if it is user-defined. */
  readonly own?: Rule;
  /** Unique name: the rule's id, the endpoint, and a suffix if there are several checks for both. */
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly verdict: Verdict;
  /** Assertions made on real data. */
  readonly assertions: number;
  /** Why it is inconclusive, blocked, not applicable, in error or unimplemented; what was observed; or a note on a pass. */
  readonly message?: string;
  /** On a blocked check: what blocks it. */
  readonly blockedBy?: Blocker;
  readonly violations: readonly ViolationGroup[];
  /**
   * For an enum field whose default may be omitted: the values seen. Whether its violations count is decided once the
   * values of the whole run are known (W2).
   */
  readonly seenValues?: readonly string[];
  /**
   * For a result that counts only while the data stand still: whether they have moved so far. Settled once the whole run is
   * known (P3).
   */
  readonly moved?: boolean;
  readonly counterexample?: Counterexample;
  /** What an observation recorded, in order. */
  readonly observations?: readonly { readonly what: string; readonly seen: string }[];
  /** How many combinations of fields were tried, on the check that reports this for its operation. */
  readonly interactions?: Interactions;
  /** For a run in rounds: the round that shows the finding, and its seed. */
  readonly round?: { readonly index: number; readonly seed: number };
  /** The first few answers that were judged by a sample. */
  readonly sampled?: readonly SampledAnswer[];
  /** The subjects that the check used, each with the exchange that showed it. */
  readonly subjects: readonly string[];
  /** The exchanges that the check made or read, in order. */
  readonly exchanges: readonly string[];
  /** Requests that the check sent. */
  readonly requests: number;
  readonly durationMs: number;
}
