import { type Progress, silentProgress } from "../report/progress.js";
import type { Results } from "../report/results.js";

/** Callbacks that follow a run. */
export interface RunListener {
  readonly progress: Progress;
  /** The verdicts are final and written. `failure` is the error that prevented the run, if any. */
  concluded(results: Results, failure?: unknown): void;
  /** A file of the run was written: `report`, `results`. */
  wrote(what: string, path: string): void;
  /** Something to tell the user that does not affect the verdicts. */
  note(text: string): void;
}

/** A listener that ignores everything. */
export const silentListener: RunListener = { progress: silentProgress, concluded() {}, wrote() {}, note() {} };
