import type { CheckResult } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { inertShort } from "./inert.js";

/** Where progress is shown: the error stream of a process, as far as it matters here. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Shows how a run goes on while it goes on. */
export interface Progress {
  /** Says what the run does now: `discovering subjects`. */
  phase(text: string): void;
  /** Counts a result. Grave ones are told at once. */
  result(result: CheckResult): void;
  /** Clears the live line; nothing is shown after it. May be called again. */
  end(): void;
}

/** Milliseconds between two signs of life: on a terminal the line is rewritten, elsewhere a line is added. */
const REWRITE_MS = 100;
const HEARTBEAT_MS = 10_000;

/** Failures and errors that get a line of their own while the run goes on; the rest is only counted. */
const MAX_TOLD = 20;

/** No progress at all. */
export const silentProgress: Progress = { phase() {}, result() {}, end() {} };

/** On a terminal one line that is rewritten; elsewhere (CI) plain lines. In both, each of the first failures has a line of its own. */
export function showProgress(screen: Screen): Progress {
  return screen.isTTY ? liveProgress(screen) : plainProgress(screen);
}

function liveProgress(screen: Screen): Progress {
  const tally = new Tally();
  let phase = "";
  let ended = false;
  const clear = () => screen.write("\r\x1b[K");
  const rewrite = () => {
    const line = [phase, tally.line()].filter((part) => part !== "").join(": ");
    // Some terminals do not know their width, and say 0.
    screen.write(`\r\x1b[K${line.slice(0, (screen.columns || 80) - 1)}`);
  };
  const timer = setInterval(rewrite, REWRITE_MS);
  timer.unref();
  return {
    phase(text) {
      phase = text;
      rewrite();
    },
    result(result) {
      const told = tally.add(result);
      if (told === undefined) return;
      clear();
      screen.write(`${told}\n`);
      rewrite();
    },
    end() {
      if (ended) return;
      ended = true;
      clearInterval(timer);
      clear();
    },
  };
}

function plainProgress(screen: Screen): Progress {
  const tally = new Tally();
  const timer = setInterval(() => {
    if (tally.line() !== "") screen.write(`${tally.line()}\n`);
  }, HEARTBEAT_MS);
  timer.unref();
  return {
    phase: (text) => void screen.write(`${text}\n`),
    result(result) {
      const told = tally.add(result);
      if (told !== undefined) screen.write(`${told}\n`);
    },
    end: () => clearInterval(timer),
  };
}

/** What a run has come to so far. */
class Tally {
  #checks = 0;
  #failed = 0;
  #errors = 0;

  /** Counts a result; returns the line that tells of it, if it is to be told now. */
  add({ verdict, name, violations, message = "" }: CheckResult): string | undefined {
    this.#checks++;
    if (verdict === "fail") this.#failed++;
    else if (verdict === "error") this.#errors++;
    else return undefined;
    const told = this.#failed + this.#errors;
    if (told > MAX_TOLD) return told === MAX_TOLD + 1 ? "... the others are listed at the end" : undefined;
    return `${verdict.toUpperCase()} ${inertShort(name, 100)}: ${inertShort(violations[0]?.message ?? message, 160)}`;
  }

  line(): string {
    if (this.#checks === 0) return "";
    return [
      `${countOf(this.#checks, "check")} made`,
      ...(this.#failed > 0 ? [`${this.#failed} failed`] : []),
      ...(this.#errors > 0 ? [countOf(this.#errors, "error")] : []),
    ].join(", ");
  }
}
