import type { CheckResult } from "../engine/result.js";
import type { Progress, Screen } from "./progress.js";
import { type ProgressState, ProgressTally } from "./progress-tally.js";

/** Milliseconds between the lines that say the state of the run. */
const stateMs = 1_000;

/** A line of {@link ndjsonProgress}, as an object. */
export type ProgressEvent =
  | { readonly event: "phase"; readonly phase: string }
  | ({ readonly event: "check" } & Pick<CheckResult, "rule" | "name" | "endpoint" | "verdict">)
  | ({ readonly event: "progress" } & ProgressState)
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
  const tellState = () => tell({ event: "progress", ...tally.state() });
  const timer = setInterval(tellState, stateMs);
  timer.unref();
  return {
    phase(text) {
      tally.phase = text;
      tell({ event: "phase", phase: text });
    },
    expect(checks) {
      tally.expect(checks);
      tellState();
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
