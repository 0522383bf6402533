import type { Target } from "../connect/target.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Labels } from "./labels.js";
import type { Flags } from "./sources.js";

/** Who made the server under test, for the conformance statement. */
export interface Implementation {
  readonly name?: string;
  readonly version?: string;
  readonly vendor?: string;
  readonly contact?: string;
  readonly url?: string;
}

/** The settings of a run after precedence: command line, environment, configuration file, defaults. */
export interface Settings {
  /** Has no base URL when none was given. */
  readonly target: Omit<Target, "baseUrl"> & Partial<Pick<Target, "baseUrl">>;
  readonly profile: Profile;
  /** Seed of everything that is generated; random for each run unless given. */
  readonly seed: number;
  /** True when no seed was given. */
  readonly drawnSeed?: true;
  /** Folder for the files of the run. */
  readonly out: string;
  /** Absolute paths of the user's own suite files. */
  readonly suites: readonly string[];
  readonly implementation?: Implementation;
  /** Operations left out on purpose: they do not make a run undecided. */
  readonly notImplemented: readonly Endpoint[];
  /** Labels that identify the run. */
  readonly labels?: Labels;
  readonly run: RunSettings;
}

/**
 * Which rules a run covers, how it reads the specification, how long it goes on, and what decides whether it passes; all as
 * the user gave it.
 */
export interface RunSettings extends Pick<Flags, "strict" | "requireConclusive" | "baseline" | "wait"> {
  readonly suite: readonly string[];
  readonly rule: readonly string[];
  /** Chosen readings of rulings, such as `B4=best-first`. */
  readonly readings: readonly string[];
  /** How long to keep running with new seeds, in milliseconds. */
  readonly forMs?: number | undefined;
  /** Whether the HTML report is written. */
  readonly report: boolean;
}

/** Settings with a base URL. */
export interface TargetSettings extends Settings {
  readonly target: Target;
}
