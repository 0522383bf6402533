import cliProgress from "cli-progress";
import type { CheckResult } from "../engine/result.js";
import { type PendingWait, ProgressTally } from "./progress-tally.js";

/** Where progress is shown: the part of a process's error stream that is needed here. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows the progress of a run. */
export interface Progress {
  /** Sets what the run is doing now: `discovering subjects`. */
  phase(text: string): void;
  /** Adds to the number of checks to run. */
  expect(checks: number): void;
  /** Sets how much is done of a phase that runs no checks: 12 of 340 faults, with the unit `fault`. */
  counted(done: number, of: number, unit: string): void;
  /** Sets how many milliseconds the run goes on from now, however many checks that makes. */
  lasts(ms: number): void;
  /**
   * Starts a wait.
   *
   * @returns a function to call when the wait is over
   */
  wait(wait: PendingWait): () => void;
  /** Counts a result. */
  result(result: CheckResult): void;
  /** Prints a line that stays. */
  note(text: string): void;
  /** Clears the live line. Nothing is shown after that. May be called more than once. */
  end(): void;
}

/** Redraws per second of the live line, and milliseconds between lines where there is no terminal. */
const redraws = 10;
const heartbeatMs = 5_000;

/** Shows no progress. */
export const silentProgress: Progress = {
  phase() {},
  expect() {},
  counted() {},
  lasts() {},
  wait: () => () => {},
  result() {},
  note() {},
  end() {},
};

/**
 * On a terminal, shows one line that is redrawn, and a line for each of the first rules that fail. Elsewhere (CI, a file),
 * prints a plain line every few seconds: the report lists the failures, and a log needs them once.
 */
export function showProgress(screen: Screen): Progress {
  const canRedraw = screen.isTTY && process.env.TERM !== "dumb";
  return canRedraw ? liveProgress(screen) : plainProgress(screen);
}

function liveProgress(screen: Screen): Progress {
  const tally = new ProgressTally();
  // Some terminals do not know their width and report 0.
  const width = () => (screen.columns || 80) - 1;
  const bars = new cliProgress.MultiBar({
    stream: screen as NodeJS.WritableStream,
    format: (options, { progress, total }) => {
      const bar = total > 0 ? `${cliProgress.Format.BarFormat(progress, options)} ` : "";
      return `${bar}${tally.line()}`.slice(0, width());
    },
    barsize: 16,
    fps: redraws,
    clearOnComplete: true,
    // The run handles interruptions itself.
    gracefulExit: false,
    // Leaves nothing of a longer line when a shorter one follows.
    forceRedraw: true,
  });
  let bar: cliProgress.SingleBar | undefined;
  let ended = false;
  const draw = () => {
    if (ended) return;
    bar ??= bars.create(0, 0);
    bar.setTotal(tally.expected);
    bar.update(Math.min(tally.done, tally.expected));
  };
  return {
    phase(text) {
      tally.phase = text;
      draw();
      bars.update();
    },
    expect(checks) {
      tally.expect(checks);
      draw();
    },
    counted(done, of, unit) {
      tally.counted(done, of, unit);
      draw();
    },
    lasts: (ms) => tally.lasts(ms),
    wait: (wait) => tally.wait(wait),
    result(result) {
      const line = tally.add(result);
      draw();
      if (line === undefined) return;
      bars.log(`${line}\n`);
      bars.update();
    },
    note(text) {
      if (ended) return;
      draw();
      bars.log(`${text}\n`);
      bars.update();
    },
    end() {
      if (ended) return;
      ended = true;
      if (bar) bars.stop();
    },
  };
}

function plainProgress(screen: Screen): Progress {
  const tally = new ProgressTally();
  const timer = setInterval(() => {
    const line = tally.line();
    if (line !== "") screen.write(`${line}\n`);
  }, heartbeatMs);
  timer.unref();
  return {
    phase(text) {
      tally.phase = text;
      screen.write(`${text}\n`);
    },
    expect: (checks) => tally.expect(checks),
    counted: (done, of, unit) => tally.counted(done, of, unit),
    lasts: (ms) => tally.lasts(ms),
    wait: (wait) => tally.wait(wait),
    result: (result) => void tally.add(result),
    note: (text) => void screen.write(`${text}\n`),
    end: () => clearInterval(timer),
  };
}
