import type { CheckResult } from "../verdict/result.js";
import { inertShort } from "./inert.js";
import { countOf } from "./wording.js";

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
  /** Clears the live line; nothing is shown after it. */
  end(): void;
}

/** Milliseconds between two signs of life: on a terminal the line is rewritten, elsewhere a line is added. */
const REWRITE_MS = 100;
const HEARTBEAT_MS = 10_000;

/** No progress at all. */
export const silentProgress: Progress = { phase() {}, result() {}, end() {} };

/** On a terminal one line that is rewritten; elsewhere (CI) plain lines. In both, each failure has a line of its own. */
export function showProgress(screen: Screen): Progress {
  return screen.isTTY ? liveProgress(screen) : plainProgress(screen);
}

function liveProgress(screen: Screen): Progress {
  const tally = new Tally();
  let phase = "";
  const clear = () => screen.write("\r\x1b[K");
  const rewrite = () => {
    const line = [phase, tally.line()].filter((part) => part !== "").join(": ");
    screen.write(`\r\x1b[K${line.slice(0, (screen.columns ?? 80) - 1)}`);
  };
  const timer = setInterval(rewrite, REWRITE_MS);
  timer.unref();
  return {
    phase(text) {
      phase = text;
      rewrite();
    },
    result(result) {
      tally.add(result);
      const told = graveLine(result);
      if (told === undefined) return;
      clear();
      screen.write(`${told}\n`);
      rewrite();
    },
    end() {
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
      tally.add(result);
      const told = graveLine(result);
      if (told !== undefined) screen.write(`${told}\n`);
    },
    end: () => clearInterval(timer),
  };
}

/** What a run has come to so far. */
class Tally {
  readonly #counts = { checks: 0, failed: 0, errors: 0 };

  add({ verdict }: CheckResult): void {
    this.#counts.checks++;
    if (verdict === "fail") this.#counts.failed++;
    if (verdict === "error") this.#counts.errors++;
  }

  line(): string {
    const { checks, failed, errors } = this.#counts;
    if (checks === 0) return "";
    return [
      `${countOf(checks, "check")} made`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(errors > 0 ? [countOf(errors, "error")] : []),
    ].join(", ");
  }
}

function graveLine({ verdict, name, findings, message }: CheckResult): string | undefined {
  if (verdict !== "fail" && verdict !== "error") return undefined;
  return `${verdict.toUpperCase()} ${inertShort(name, 100)}: ${inertShort(findings[0]?.message ?? message ?? "", 160)}`;
}
