import { relative } from "node:path";
import { toQuietTerminal, toTerminal } from "../report/console.js";
import { exitCode } from "../report/exit-code.js";
import { showProgress, silentProgress } from "../report/progress.js";
import { listChecks } from "../run/suites.js";
import { resolveSettings } from "../target/config.js";
import { failureOf } from "./failure.js";
import { onInterruption } from "./interruption.js";
import { makeRun, type Watcher } from "./make-run.js";
import type { RunFlags } from "./run.js";
import { readingsOf, selectionOf } from "./selection.js";

/**
 * Makes a run as the command line asks, and says what it came to.
 *
 * @returns the exit code
 * @throws UsageError or ConfigurationError, before anything was sent
 */
export async function conduct(flags: RunFlags): Promise<number> {
  const settings = resolveSettings({ flags });
  const checks = await listChecks();
  const order = { flags, settings, checks, selection: selectionOf(flags, checks), readings: readingsOf(flags) };
  const interruption = onInterruption();
  try {
    return exitCode(await makeRun(order, speaker(flags), interruption.signal), flags);
  } finally {
    interruption.dispose();
  }
}

/** Tells the user. A run that could not be made has nothing to show but the reason. */
function speaker({ quiet }: RunFlags): Watcher {
  const style = { color: process.stdout.hasColors?.() ?? false };
  return {
    progress: quiet ? silentProgress : showProgress(process.stderr),
    concluded(results, failure) {
      if (failure !== undefined) process.stderr.write(`${failureOf(failure).lines.join("\n")}\n`);
      else process.stdout.write(`${quiet ? toQuietTerminal(results, style) : toTerminal(results, style)}\n`);
    },
    wrote(what, path) {
      if (!quiet) process.stdout.write(`${what.padEnd(8)} ${shown(path)}\n`);
    },
    trouble: (text) => void process.stderr.write(`${text}\n`),
  };
}

/** A path as it is shortest to type. */
function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}
