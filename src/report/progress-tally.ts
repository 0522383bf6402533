/** What a run has done so far, and how long it will take. */
import type { CheckResult } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { sanitizeShort } from "./sanitize.js";

/** Something that a run waits for, and the longest time that it may take. */
export interface PendingWait {
  /** `watching a stream`. */
  readonly what: string;
  /** The check that waits, if it is a check. */
  readonly check?: string;
  /** Milliseconds from now. */
  readonly ms: number;
}

/** The state of a run. */
export interface ProgressState {
  /** Checks that ran so far. */
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

/**
 * The time left is estimated from the pace after the first share of the checks, which are the longest ones, and once so many
 * more are done and so many milliseconds have passed.
 */
const pace = { fromShare: 0.05, share: 0.15, ms: 1_500 } as const;

/** If no check was done for so many milliseconds during a wait, the run is waiting: its pace says nothing of the time left. */
const standstillMs = 2_000;

/** Maximum failed or broken rules that get a line of their own during the run. The rest are only counted. */
const maxLines = 20;

/** Waits of fewer seconds are not shown. */
const shortWaitS = 2;

/** The counts of a run so far. */
export class ProgressTally {
  phase = "";
  #unit = "check";
  #done = 0;
  #failed = 0;
  #errors = 0;
  readonly #reported = new Set<string>();
  #expected = 0;
  #paceFrom: { readonly done: number; readonly at: number } | undefined;
  #lastDoneAt = 0;
  #endsAt: number | undefined;
  readonly #waits = new Set<Omit<PendingWait, "ms"> & { readonly until: number }>();

  get done(): number {
    return this.#done;
  }

  get expected(): number {
    return this.#expected;
  }

  /** Adds checks to run. If all earlier ones are done, this starts the count of a new round. */
  expect(checks: number): void {
    if (this.#expected > 0 && this.#done >= this.#expected) {
      this.#expected = 0;
      this.#done = 0;
      this.#paceFrom = undefined;
    }
    this.#expected += checks;
  }

  counted(done: number, of: number, unit: string): void {
    if (unit !== this.#unit) this.#paceFrom = undefined;
    this.#unit = unit;
    this.#done = done;
    this.#expected = of;
    this.#startPace();
  }

  lasts(ms: number): void {
    this.#endsAt = Date.now() + ms;
  }

  wait({ ms, ...wait }: PendingWait): () => void {
    const entry = { ...wait, until: Date.now() + ms };
    this.#waits.add(entry);
    return () => void this.#waits.delete(entry);
  }

  /** Counts a result. Returns the line that reports it if it is the first failure or error of its rule. */
  add({ verdict, rule, name, violations, message = "" }: CheckResult): string | undefined {
    this.#done++;
    this.#lastDoneAt = Date.now();
    this.#startPace();
    if (verdict === "fail") this.#failed++;
    else if (verdict === "error") this.#errors++;
    else return undefined;
    if (this.#reported.has(rule) || this.#reported.size > maxLines) return undefined;
    this.#reported.add(rule);
    if (this.#reported.size > maxLines) return "... the others are listed at the end";
    return `${verdict.toUpperCase()} ${sanitizeShort(name, 100)}: ${sanitizeShort(violations[0]?.message ?? message, 160)}`;
  }

  state(): ProgressState {
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
      ...(leftMs !== undefined && { secondsLeft: seconds(leftMs) }),
      ...(waiting && {
        waitingFor: {
          what: waiting.what,
          ...(waiting.check !== undefined && { check: waiting.check }),
          secondsLeft: seconds(waitMs),
        },
      }),
    };
  }

  #startPace(): void {
    if (this.#done >= pace.fromShare * this.#expected) this.#paceFrom ??= { done: this.#done, at: Date.now() };
  }

  /** Milliseconds left, at the pace of the checks so far but no less than the longest wait; exact if the end is set. */
  #leftMs(now: number, waitMs: number): number | undefined {
    if (this.#endsAt !== undefined) return Math.max(0, this.#endsAt - now);
    if (this.#expected === 0) return undefined;
    if (this.#paceFrom === undefined) return undefined;
    if (waitMs > 0 && now - this.#lastDoneAt > standstillMs) return waitMs;
    const done = this.#done - this.#paceFrom.done;
    const elapsed = now - this.#paceFrom.at;
    if (done <= pace.share * this.#expected || elapsed < pace.ms) return undefined;
    return Math.max(waitMs, (elapsed / done) * Math.max(0, this.#expected - this.#done));
  }

  line(): string {
    const { done, expected, failed, errors, secondsLeft, waitingFor } = this.state();
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
