import { type Progress, silentProgress } from "../report/progress.js";
import type { Results } from "../report/results.js";

/** Who wants to know how a run goes on. */
export interface RunListener {
  readonly progress: Progress;
  /** The verdicts stand and are written. `failure` is what kept the run from being made, if anything did. */
  concluded(results: Results, failure?: unknown): void;
  /** A file of the run is there: `report`, `results`. */
  wrote(what: string, path: string): void;
  /** Something went wrong that is not worth losing a verdict over. */
  trouble(text: string): void;
}

/** Nobody wants to know. */
export const silentListener: RunListener = { progress: silentProgress, concluded() {}, wrote() {}, trouble() {} };
