import type { Target } from "../connect/target.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Labels } from "./labels.js";

/** Who made the server under test: for the statement of a run. */
export interface Implementation {
  readonly name?: string;
  readonly version?: string;
  readonly vendor?: string;
  readonly contact?: string;
  readonly url?: string;
}

/** The settings of a run after precedence: command line, environment, configuration file, defaults. */
export interface Settings {
  /** Without a base URL when none was given. */
  readonly target: Omit<Target, "baseUrl"> & Partial<Pick<Target, "baseUrl">>;
  readonly profile: Profile;
  /** The seed of everything that is generated: another one for each run, unless one was given. */
  readonly seed: number;
  /** True when no seed was given. */
  readonly drawnSeed?: true;
  /** Folder for the files of the run. */
  readonly out: string;
  /** Files with suites of the user's own, absolute. */
  readonly suites: readonly string[];
  readonly implementation?: Implementation;
  /** Operations that are left out on purpose: a run is not undecided because they do not work. */
  readonly notImplemented: readonly Endpoint[];
  /** What tells the run from others. */
  readonly labels?: Labels;
  /** What is looked at, and what the run is gated by. */
  readonly gate?: Gate;
}

/** What of the specification a run looks at, how it reads the text, and what it is gated by; as the user named it. */
export interface Gate {
  readonly suite: readonly string[];
  readonly rule: readonly string[];
  /** Such as `B4=best-first`. */
  readonly readings: readonly string[];
  readonly strict?: boolean | undefined;
  /** Percent. */
  readonly requireConclusive?: number | undefined;
  /** The file with the known deviations. */
  readonly baseline?: string | undefined;
  /** Seconds to wait for the server to answer at all. */
  readonly wait?: number | undefined;
  /** How long the run goes on, in milliseconds. */
  readonly forMs?: number | undefined;
  /** Whether the HTML report is written. */
  readonly report: boolean;
}

/** Settings that name what is tested. */
export interface TargetSettings extends Settings {
  readonly target: Target;
}
