/** A trial: what is asked of it, and what it reports. */
import type { CheckResult } from "../engine/result.js";
import type { Lane } from "../engine/suite.js";
import type { Strength } from "../exploration/covering-array.js";
import type { Modification } from "../reference/modification.js";
import type { Session } from "../session/session-data.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";

/** Input of a trial: plain data that is sent to a worker thread. */
export interface TrialJob {
  /** The modification; the unmodified reference server when absent. */
  readonly modification?: { readonly kind: Modification["kind"]; readonly name: string };
  /** Which suites: those that measure arrival times, or all others. */
  readonly lane: Lane;
  readonly profile: Profile;
  readonly seed: number;
  /** Approximate number of orders on the server; the default when absent. */
  readonly orders?: number;
  /** Number of request fields explored together; the profile's when absent. */
  readonly strength?: Strength;
  /** Names of the checks to run; all that the modification may affect when absent. */
  readonly only?: readonly string[];
  /** Whether to judge the exchanges again, without the server. */
  readonly rejudge?: boolean;
  /** Preparation from an earlier trial of the same modification; computed when absent. */
  readonly preparation?: TrialPreparation;
}

/** What is computed for a modification before its checks run. */
export interface TrialPreparation {
  readonly session: Session;
  /** Checks it may affect, in any lane; absent when all are. */
  readonly affected?: readonly string[];
  /**
   * Whether its streams are those of the reference server. The timing suites then run with the streams of the reference run,
   * together with all others.
   */
  readonly hasSameStreams?: boolean;
}

/** The operations that each check uses on the reference server, by the check's name. */
export type Usage = Readonly<Record<string, readonly Endpoint[]>>;

/** Output of a trial: the results of its checks, without evidence. */
export interface TrialReport {
  readonly job: TrialJob;
  readonly results: readonly Pick<CheckResult, "rule" | "name" | "verdict" | "message" | "violations">[];
  readonly usage: Usage;
  readonly preparation?: TrialPreparation;
  readonly requests: number;
  readonly durationMs: number;
  /** Checks whose verdict changed when their exchanges were judged again, with both verdicts. */
  readonly differing?: readonly string[];
  /** Set when the trial could not be run. */
  readonly trouble?: string;
}
