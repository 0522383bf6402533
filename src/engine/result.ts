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

/** An operation that does not work, so that something else could not be judged. */
export interface Blocker {
  readonly operation: Endpoint;
  /** What it answers, in a few words: `the error not_found: "no such path" (HTTP 404)`. */
  readonly answered: string;
}

/** One of the places at which a violation was made. */
export interface Place {
  /** The exchange that shows it. */
  readonly exchange: string;
  /** Place in the body, such as `orders[3].owner`. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
}

/** An array of an answer of which a check has judged a sample. */
export interface SampledAnswer {
  readonly exchange: string;
  readonly endpoint: Endpoint;
  /** Bytes of the whole answer. */
  readonly bytes: number;
  /** Place of the array: `orders`. */
  readonly path: string;
  /** How many rows it has. */
  readonly rows: number;
  /** How many of them were read. */
  readonly read: number;
}

/** Violations of one cause: one wrong field in 1,000 rows is one group. */
export interface ViolationGroup {
  /** One readable sentence with what was expected and what was seen. */
  readonly message: string;
  /** The operation whose answers show it. */
  readonly operation: Endpoint;
  /** How many places the cause shows at. */
  readonly count: number;
  /** The first few places. */
  readonly places: readonly Place[];
  /** The first place as a JSON pointer (RFC 6901) into the body; empty for the answer as a whole. */
  readonly pointer: string;
  /** The body around the first place, short. */
  readonly excerpt: string;
  /** The request whose answer shows the first place: the operation and the body, whole unless it is very long. */
  readonly request: string;
  /** The answer that the one with the first place was compared with, where that was one, and a line that asks for it again. */
  readonly comparedWith?: { readonly exchange: string; readonly request: string; readonly curl?: string };
  /** A line that sends the request again from a POSIX shell. */
  readonly curl: string;
}

/** The smallest request on which a property failed. */
export interface Counterexample {
  /** The generated values, as JSON text. */
  readonly values: string;
  /** How many steps the shrinking took. */
  readonly shrinks: number;
  readonly seed: number;
}

/** What one check found. Plain data: it travels between threads and into files. */
export interface CheckResult {
  readonly rule: string;
  /** The rule itself, where it is one of the user's own. */
  readonly own?: Rule;
  /** Unique name: the rule's id, the endpoint, and what tells it from other checks of both. */
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly verdict: Verdict;
  /** Assertions made on real data. */
  readonly assertions: number;
  /** Why it is inconclusive, blocked, not applicable, in error or unimplemented; what was observed; a note on a pass. */
  readonly message?: string;
  /** On a blocked check: what blocks it. */
  readonly blockedBy?: Blocker;
  readonly violations: readonly ViolationGroup[];
  /** Of a field that may be left out in one of its values: which values occurred. What was found counts once all are known (W2). */
  readonly seenValues?: readonly string[];
  readonly counterexample?: Counterexample;
  /** What an observation recorded, in order. */
  readonly observations?: readonly { readonly what: string; readonly seen: string }[];
  /** How many combinations of fields of its operation were tried, by the check that tells. */
  readonly interactions?: Interactions;
  /** Of a run in rounds: the one that shows what was found, and its seed. */
  readonly round?: { readonly index: number; readonly seed: number };
  /** The answers of which only a sample was judged, the first few. */
  readonly sampled?: readonly SampledAnswer[];
  /** Subjects that the check was made on, each with the exchange that showed it. */
  readonly subjects: readonly string[];
  /** The exchanges that the check made or read, in order. */
  readonly exchanges: readonly string[];
  /** Requests that the check sent. */
  readonly requests: number;
  readonly durationMs: number;
}
