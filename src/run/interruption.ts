import { exitCodes } from "../report/exit-code.js";

/** Ctrl-C and SIGTERM while a run is under way. */
export interface Interruption {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** Puts back the handlers that were there before. */
  dispose(): void;
}

/** Milliseconds within which a second signal is the first one again: `npx` passes on the Ctrl-C that the terminal sent to both. */
const ECHO_MS = 200;

const signals = ["SIGINT", "SIGTERM"] as const;

/** Lets Ctrl-C and SIGTERM end the process as `process.exit` does: what is to be removed then is, such as temporary files. */
export function exitWhenInterrupted(): void {
  for (const signal of signals) process.on(signal, () => process.exit(exitCodes.interrupted));
}

/**
 * The first SIGINT or SIGTERM aborts the signal, so that the run ends in order; the second ends the process at once. Until
 * `dispose`, no other handler is called: vitest's end the process before anything is written.
 */
export function onInterruption(): Interruption {
  const controller = new AbortController();
  const before = signals.map((signal) => ({
    signal,
    listeners: process.listeners(signal) as NodeJS.SignalsListener[],
  }));
  let first = Number.POSITIVE_INFINITY;
  const interrupt = () => {
    if (performance.now() > first + ECHO_MS) process.exit(exitCodes.interrupted);
    first = Math.min(first, performance.now());
    controller.abort();
  };
  const refuse = (event: string | symbol, listener: (...args: unknown[]) => void) => {
    if (event === "SIGINT" || event === "SIGTERM") queueMicrotask(() => process.off(event, listener));
  };
  // At no moment is a signal without a handler: it would end the process as if it had been killed.
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

/** Resolves with what `work` gives, or, when the signal is aborted first, with undefined after at most `graceMs`. */
export async function unlessInterrupted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  graceMs: number,
): Promise<T | undefined> {
  // Work that is given up may still fail later; nobody asks then.
  work.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const interrupted = new Promise<undefined>((resolve) => {
    const give = () => {
      timer = setTimeout(() => resolve(undefined), graceMs);
    };
    if (signal.aborted) give();
    else signal.addEventListener("abort", give, { once: true });
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    clearTimeout(timer);
  }
}
