import { exitCodes } from "../report/exit-code.js";

/** Handles Ctrl-C and SIGTERM during a run. */
export interface Interruption {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Restores the previous handlers. */
  dispose(): void;
}

/**
 * A second signal within this many milliseconds counts as the first one: `npx` forwards the Ctrl-C that the terminal has
 * already sent to both.
 */
const echoMs = 200;

const signals = ["SIGINT", "SIGTERM"] as const;

/** Makes Ctrl-C and SIGTERM end the process through `process.exit`, so that exit handlers still remove temporary files. */
export function exitWhenInterrupted(): void {
  for (const signal of signals) process.on(signal, () => process.exit(exitCodes.interrupted));
}

/**
 * The first SIGINT or SIGTERM aborts the signal, so that the run ends in order; the second ends the process at once. Until
 * `dispose`, no other handlers are called: vitest's would end the process before anything is written.
 */
export function onInterruption(): Interruption {
  const controller = new AbortController();
  const before = signals.map((signal) => ({
    signal,
    listeners: process.listeners(signal) as NodeJS.SignalsListener[],
  }));
  let first = Number.POSITIVE_INFINITY;
  const interrupt = () => {
    if (performance.now() > first + echoMs) process.exit(exitCodes.interrupted);
    first = Math.min(first, performance.now());
    controller.abort();
  };
  const refuse = (event: string | symbol, listener: (...args: unknown[]) => void) => {
    if (event === "SIGINT" || event === "SIGTERM") queueMicrotask(() => process.off(event, listener));
  };
  // Add before removing: a signal without a handler, even for a moment, would kill the process.
  for (const { signal, listeners } of before) {
    process.on(signal, interrupt);
    for (const listener of listeners) process.off(signal, listener);
  }
  process.on("newListener", refuse);
  return {
    signal: controller.signal,
    dispose() {
      process.off("newListener", refuse);
      for (const { signal, listeners } of before) {
        for (const listener of listeners) process.on(signal, listener);
        process.off(signal, interrupt);
      }
    },
  };
}

/** Resolves with the result of `work`, or with undefined if it is not done `graceMs` after the signal is aborted. */
export async function raceWithInterruption<T>(
  work: Promise<T>,
  signal: AbortSignal,
  graceMs: number,
): Promise<T | undefined> {
  // Abandoned work may still fail later; ignore that.
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  let giveGrace = () => {};
  const interrupted = new Promise<undefined>((resolve) => {
    giveGrace = () => {
      timer = setTimeout(() => resolve(undefined), graceMs);
    };
  });
  if (signal.aborted) giveGrace();
  else signal.addEventListener("abort", giveGrace, { once: true });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener("abort", giveGrace);
    clearTimeout(timer);
  }
}
