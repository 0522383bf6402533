import type { Target } from "../connect/target.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import type { Shard } from "../specification/shard.js";
import type { Subjects } from "../subjects/subjects.js";
import type { Traffic } from "./traffic.js";

/** Which rules and suites the user asked for; empty lists mean all. */
export interface Selection {
  readonly rules: readonly string[];
  readonly suites: readonly string[];
  /** The part of them that is made here; all when absent. */
  readonly shard?: Shard;
}

/** What a run is about. Plain data: it travels to worker threads. */
export interface Session {
  readonly target: Target;
  readonly subjects: Subjects;
  readonly profile: Profile;
  readonly seed: number;
  readonly readings: Readings;
  readonly selection: Selection;
  /** Operations that the user declared as left out on purpose. */
  readonly notImplemented: readonly Endpoint[];
  /** Files with suites of the user's own. */
  readonly ownSuites?: readonly string[];
  /** How long streams are watched at least, in milliseconds, where that is longer than usual. */
  readonly streamWatchMs?: number;
  /** Requests, in words, that are explored besides those that are drawn: by them known deviations show. */
  readonly alsoAsk?: readonly string[];
  /** Folder for the evidence; none is kept when it is absent. */
  readonly recordDir?: string;
  /** Wall clock, RFC 3339. */
  readonly startedAt: string;
  /** What the discovery of the subjects has sent and received. */
  readonly discovery: Traffic;
}
