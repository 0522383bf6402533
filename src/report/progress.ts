import cliProgress from "cli-progress";
import type { CheckResult } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { inertShort } from "./inert.js";

/** Where progress is shown: the part of a process's error stream that is needed here. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Something that a run waits for, and the longest time that it may take. */
export interface PendingWait {
  /** `watching a stream`. */
  readonly what: string;
  /** The check that waits, if it is a check. */
  readonly check?: string;
  /** Milliseconds from now. */
  readonly ms: number;
}

/** Shows the progress of a run. */
export interface Progress {
  /** Sets what the run is doing now: `discovering subjects`. */
  phase(text: string): void;
  /** Adds to the number of checks to be made. */
  expect(checks: number): void;
  /** Sets how much is done of a phase that makes no checks: 12 of 340 faults, with the unit `fault`. */
  counted(done: number, of: number, unit: string): void;
  /** Sets how many milliseconds the run goes on from now, however many checks that makes. */
  lasts(ms: number): void;
  /**
   * Starts a wait.
   *
   * @returns a function to call when the wait is over
   */
  wait(wait: PendingWait): () => void;
  /** Counts a result. Failures and errors are shown at once. */
  result(result: CheckResult): void;
  /** Prints a line that stays. */
  note(text: string): void;
  /** Clears the live line. Nothing is shown after that. May be called more than once. */
  end(): void;
}

/** Redraws per second of the live line, and milliseconds between lines where there is no terminal. */
const redraws = 10;
const heartbeatMs = 5_000;

/** Maximum failures and errors that get a line of their own during the run. The rest are only counted. */
const maxTold = 20;

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

/** How progress is shown. */
export interface ProgressStyle {
  /** False if failures are reported elsewhere too, for example as annotations in the log of a CI system. */
  readonly tellFailures?: boolean;
}

/**
 * On a terminal, shows one line that is redrawn. Elsewhere (CI), prints a plain line every few seconds. In both cases, each
 * of the first failures gets a line of its own.
 */
export function showProgress(screen: Screen, { tellFailures = true }: ProgressStyle = {}): Progress {
  return screen.isTTY ? liveProgress(screen, tellFailures) : plainProgress(screen, tellFailures);
}

function liveProgress(screen: Screen, tellFailures: boolean): Progress {
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
      const told = tally.add(result);
      draw();
      if (told === undefined || !tellFailures) return;
      bars.log(`${told}\n`);
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

function plainProgress(screen: Screen, tellFailures: boolean): Progress {
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
    result(result) {
      const told = tally.add(result);
      if (told !== undefined && tellFailures) screen.write(`${told}\n`);
    },
    note: (text) => void screen.write(`${text}\n`),
    end: () => clearInterval(timer),
  };
}

/** A line of {@link ndjsonProgress}, as an object. */
export type ProgressEvent =
  | { readonly event: "phase"; readonly phase: string }
  | ({ readonly event: "check" } & Pick<CheckResult, "rule" | "name" | "endpoint" | "verdict">)
  | ({ readonly event: "progress" } & RunStanding)
  | { readonly event: "file"; readonly what: string; readonly path: string }
  | { readonly event: "note"; readonly text: string }
  | { readonly event: "error"; readonly exitCode: number; readonly messages: readonly string[] }
  | { readonly event: "end"; readonly exitCode: number };

/** An event as a line of JSON; of several targets, with the name of the one that it is about. */
export function ndjsonLine(event: ProgressEvent, target?: string): string {
  return `${JSON.stringify(target === undefined ? event : { ...event, target })}\n`;
}

/**
 * Progress for tools: one JSON object per line, for each phase and check, and every second for the state of the run.
 *
 * @param target the name of the target, if there are several
 */
export function ndjsonProgress(screen: Screen, target?: string): Progress {
  const tally = new ProgressTally();
  const tell = (event: ProgressEvent) => void screen.write(ndjsonLine(event, target));
  const standing = () => tell({ event: "progress", ...tally.standing() });
  const timer = setInterval(standing, 1_000);
  timer.unref();
  return {
    phase(text) {
      tally.phase = text;
      tell({ event: "phase", phase: text });
    },
    expect(checks) {
      tally.expect(checks);
      standing();
    },
    counted: (done, of, unit) => tally.counted(done, of, unit),
    lasts: (ms) => tally.lasts(ms),
    wait: (wait) => tally.wait(wait),
    result(result) {
      tally.add(result);
      const { rule, name, endpoint, verdict } = result;
      tell({ event: "check", rule, name, endpoint, verdict });
    },
    note: (text) => tell({ event: "note", text }),
    end: () => clearInterval(timer),
  };
}

/** The state of a run. */
export interface RunStanding {
  /** Checks made so far. */
  readonly done: number;
  /** Checks to make in total; 0 while that is unknown. */
  readonly expected: number;
  readonly failed: number;
  readonly errors: number;
  /** Estimated seconds left; absent while there is nothing to estimate it from. */
  readonly secondsLeft?: number;
  /** The wait that has longest to go. */
  readonly waitingFor?: { readonly what: string; readonly check?: string; readonly secondsLeft: number };
}

/** The share of the checks, and the milliseconds, after which the pace so far is used to estimate the time left. */
const telling = { share: 0.05, ms: 1_500 } as const;

/** If no check was done for so many milliseconds during a wait, the run is waiting: its pace says nothing of the time left. */
const standstillMs = 2_000;

/** Waits of fewer seconds are not shown. */
const shortWaitS = 2;

/** The counts of a run so far. */
class ProgressTally {
  phase = "";
  #unit = "check";
  #done = 0;
  #failed = 0;
  #errors = 0;
  #expected = 0;
  #expectedAt = 0;
  #lastDoneAt = 0;
  #endsAt: number | undefined;
  readonly #waits = new Set<Omit<PendingWait, "ms"> & { readonly until: number }>();

  get done(): number {
    return this.#done;
  }

  get expected(): number {
    return this.#expected;
  }

  /** Adds checks to be made. If all earlier ones are done, this starts the count of a new round. */
  expect(checks: number): void {
    if (this.#expected > 0 && this.#done >= this.#expected) {
      this.#expected = 0;
      this.#done = 0;
    }
    if (this.#expected === 0) this.#expectedAt = Date.now();
    this.#expected += checks;
  }

  counted(done: number, of: number, unit: string): void {
    if (unit !== this.#unit) this.#expectedAt = Date.now();
    this.#unit = unit;
    this.#done = done;
    this.#expected = of;
  }

  lasts(ms: number): void {
    this.#endsAt = Date.now() + ms;
  }

  wait({ ms, ...wait }: PendingWait): () => void {
    const entry = { ...wait, until: Date.now() + ms };
    this.#waits.add(entry);
    return () => void this.#waits.delete(entry);
  }

  /** Counts a result. Returns the line that reports it, if it is to be shown now. */
  add({ verdict, name, violations, message = "" }: CheckResult): string | undefined {
    this.#done++;
    this.#lastDoneAt = Date.now();
    if (verdict === "fail") this.#failed++;
    else if (verdict === "error") this.#errors++;
    else return undefined;
    const told = this.#failed + this.#errors;
    if (told > maxTold) return told === maxTold + 1 ? "... the others are listed at the end" : undefined;
    return `${verdict.toUpperCase()} ${inertShort(name, 100)}: ${inertShort(violations[0]?.message ?? message, 160)}`;
  }

  standing(): RunStanding {
    const now = Date.now();
    const [longest] = [...this.#waits].sort((a, b) => b.until - a.until);
    const waitMs = longest === undefined ? 0 : Math.max(0, longest.until - now);
    const leftMs = this.#leftMs(now, waitMs);
    const waiting = longest && seconds(waitMs) >= shortWaitS ? longest : undefined;
    return {
      done: this.#done,
      expected: this.#expected,
      failed: this.#failed,
      errors: this.#errors,
      ...(leftMs === undefined ? {} : { secondsLeft: seconds(leftMs) }),
      ...(waiting && {
        waitingFor: {
          what: waiting.what,
          ...(waiting.check === undefined ? {} : { check: waiting.check }),
          secondsLeft: seconds(waitMs),
        },
      }),
    };
  }

  /** Milliseconds left, at the pace of the checks so far but no less than the longest wait; exact if the end is set. */
  #leftMs(now: number, waitMs: number): number | undefined {
    if (this.#endsAt !== undefined) return Math.max(0, this.#endsAt - now);
    if (this.#expected === 0) return undefined;
    if (waitMs > 0 && now - this.#lastDoneAt > standstillMs) return waitMs;
    const elapsed = now - this.#expectedAt;
    if (this.#done < telling.share * this.#expected || elapsed < telling.ms) return waitMs > 0 ? waitMs : undefined;
    return Math.max(waitMs, (elapsed / this.#done) * Math.max(0, this.#expected - this.#done));
  }

  line(): string {
    const { done, expected, failed, errors, secondsLeft, waitingFor } = this.standing();
    const counted = expected > 0 ? `${done} of ${countOf(Math.max(done, expected), this.#unit)}` : "";
    const parts = [
      counted || (done > 0 ? `${countOf(done, this.#unit)} made` : ""),
      failed > 0 ? `${failed} failed` : "",
      errors > 0 ? countOf(errors, "error") : "",
      secondsLeft === undefined ? "" : `about ${timeInWords(secondsLeft)} left`,
      waitingFor ? `${waitingFor.what}, ${timeInWords(waitingFor.secondsLeft)} to go` : "",
    ].filter((part) => part !== "");
    return [this.phase, parts.join(", ")].filter((part) => part !== "").join(": ");
  }
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

/** `41 s`, `3 min`. */
function timeInWords(total: number): string {
  return total < 120 ? `${total} s` : `${Math.round(total / 60)} min`;
}
