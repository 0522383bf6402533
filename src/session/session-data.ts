import type { Target } from "../connect/target.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import type { Shard } from "../specification/shard.js";
import type { Subjects } from "../subjects/subjects.js";
import type { Traffic } from "./traffic.js";

/** The rules and suites that the user asked for; empty lists mean all. */
export interface Selection {
  readonly rules: readonly string[];
  readonly suites: readonly string[];
  /** The shard of them to run here; all of them when absent. */
  readonly shard?: Shard;
}

/** The data that defines a run. Plain data, passed to worker threads. */
export interface Session {
  readonly target: Target;
  readonly subjects: Subjects;
  readonly profile: Profile;
  readonly seed: number;
  readonly readings: Readings;
  readonly selection: Selection;
  /** Operations that the user declared as intentionally not implemented. */
  readonly notImplemented: readonly Endpoint[];
  /** Files with user suites. */
  readonly ownSuites?: readonly string[];
  /** Minimum time to watch streams, in milliseconds, if longer than usual. */
  readonly streamWatchMs?: number;
  /** Extra requests, in words, to explore besides the generated ones: those that show known deviations. */
  readonly alsoAsk?: readonly string[];
  /** Folder for the evidence; if absent, none is kept. */
  readonly recordDir?: string;
  /** Start of the session by the wall clock, RFC 3339. */
  readonly startedAt: string;
  /** Traffic of discovery. */
  readonly discovery: Traffic;
}
