import { join, relative } from "node:path";
import { conclusionLine, toTerminal } from "../report/console.js";
import { exitCode } from "../report/exit-code.js";
import { harness, specification } from "../report/identity.js";
import { showProgress, silentProgress } from "../report/progress.js";
import { assembleResults, type Results } from "../report/results.js";
import { prepareFolder, runFiles, writeHar, writeReports, writeResults } from "../report/write.js";
import type { Selection } from "../run/session.js";
import { type CheckInfo, listChecks } from "../run/suites.js";
import { catalogue } from "../spec/catalogue/index.js";
import { rulings } from "../spec/rulings.js";
import { resolveSettings, withBaseUrl } from "../target/config.js";
import type { Settings } from "../target/target.js";
import { type Attempt, attempt, GRACE_MS } from "./attempt.js";
import { commandLineOf } from "./command-line.js";
import { failureOf, UsageError } from "./failure.js";
import { onInterruption, unlessInterrupted } from "./interruption.js";
import type { RunFlags } from "./run.js";
import { selectionOf } from "./selection.js";

/** What was asked for: everything that is fixed before the first request. */
interface Order {
  readonly flags: RunFlags;
  /** As the user gave them: without base URL when the embedded server is tested. */
  readonly settings: Settings;
  readonly checks: readonly CheckInfo[];
  readonly selection: Selection;
}

/** How often the results so far are written, for the case that the process is killed. */
const RESULTS_SO_FAR_MS = 500;

/**
 * Makes a run as the command line asks: starts the embedded server when no target is named, tests, writes the files of the
 * run, and says what it came to.
 *
 * @returns the exit code
 * @throws UsageError or ConfigurationError, before anything was sent
 */
export async function conduct(flags: RunFlags): Promise<number> {
  const settings = resolveSettings({ flags });
  const checks = await listChecks();
  const order: Order = { flags, settings, checks, selection: selectionOf(flags, checks) };
  await prepare(settings.out);

  const startedAt = new Date();
  const progress = flags.quiet ? silentProgress : showProgress(process.stderr);
  const interruption = onInterruption();
  const { signal } = interruption;
  let server: { readonly url: string; close(): Promise<void> } | undefined;
  try {
    if (settings.target.baseUrl === undefined) {
      progress.phase("starting the embedded reference server");
      const { startReferenceServerInWorker } = await import("../reference/worker.js");
      server = await startReferenceServerInWorker({});
    }
    const baseUrl = settings.target.baseUrl ?? server?.url ?? "";
    const outcome = await attempt({
      settings: withBaseUrl(settings, baseUrl),
      selection: order.selection,
      waitSeconds: flags.wait ?? 0,
      progress,
      signal,
      onResults: atMostEvery(RESULTS_SO_FAR_MS, (soFar) =>
        writeResults(settings.out, resultsOf(order, baseUrl, soFar, startedAt)),
      ),
    });
    progress.end();
    const results = resultsOf(order, baseUrl, outcome, startedAt);
    await writeReports(settings.out, results);
    say(results, outcome, flags);
    await writeTheRest(results, outcome, order, signal);
    return exitCode(results, flags);
  } finally {
    progress.end();
    // Workers that are still busy must not keep an interrupted process alive; its files are written.
    if (!signal.aborted) await server?.close();
    interruption.dispose();
  }
}

async function prepare(out: string): Promise<void> {
  try {
    await prepareFolder(out);
  } catch (error) {
    throw new UsageError(`the folder of the run cannot be used: ${textOf(error)}`);
  }
}

function resultsOf(order: Order, baseUrl: string, { run, session, evidence }: Attempt, startedAt: Date): Results {
  const { flags, settings, checks, selection } = order;
  const finishedAt = new Date();
  return assembleResults({
    catalogue,
    rulings,
    checks,
    results: run.results,
    problems: run.problems,
    interrupted: run.interrupted,
    harness,
    specification: specification(),
    target: { baseUrl, ...(settings.implementation ? { implementation: { ...settings.implementation } } : {}) },
    profile: settings.profile,
    seed: settings.seed,
    strict: flags.strict === true,
    selection,
    command: commandLineOf(flags, settings),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    requests: run.requests,
    ...(evidence ? { evidence: { digest: evidence } } : {}),
    ...(session ? { subjects: session.subjects } : {}),
  });
}

/** Does something with the latest value, at once and then at most so often. */
function atMostEvery<T>(milliseconds: number, action: (value: T) => void): (value: T) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (value) => {
    if (performance.now() - last < milliseconds) return;
    last = performance.now();
    action(value);
  };
}

/** Says what the run came to. One that could not be made has nothing to show but the reason. */
function say(results: Results, { failure }: Attempt, { quiet }: RunFlags): void {
  const style = { color: process.stdout.hasColors?.() ?? false };
  if (failure !== undefined) process.stderr.write(`${failureOf(failure).lines.join("\n")}\n`);
  else process.stdout.write(`${quiet ? conclusionLine(results, style) : toTerminal(results, style)}\n`);
}

/** The files that take longer: evidence and, unless the run was interrupted, what Allure makes. Says where they are. */
async function writeTheRest(results: Results, outcome: Attempt, { flags, settings }: Order, signal: AbortSignal) {
  const { out } = settings;
  const tell = (what: string, path: string) => {
    if (!flags.quiet) process.stdout.write(`${what.padEnd(8)} ${shown(path)}\n`);
  };
  if (outcome.session) {
    const evidence = attemptTo("write the evidence", () => writeHar(out, results));
    if (signal.aborted) await unlessInterrupted(evidence, signal, GRACE_MS);
    else await evidence;
  }
  if (outcome.session && !signal.aborted) {
    const page = await attemptTo("make the Allure report", () => allureReport(results, outcome, out, flags.report));
    if (page) tell("report", page);
  }
  tell("results", join(out, runFiles.results));
}

/** Completes Allure's raw results and makes the HTML report, if it is wanted. */
async function allureReport(results: Results, { made }: Attempt, out: string, wanted: boolean) {
  const resultsDir = join(out, runFiles.allureResults);
  const { writeExtraAllureResults } = await import("../report/allure-results.js");
  writeExtraAllureResults(resultsDir, results, made);
  if (!wanted) return undefined;
  const { generateReport } = await import("../report/allure.js");
  return await generateReport(results, resultsDir, join(out, runFiles.allureReport));
}

/** Does what is not worth losing a verdict over: a failure is said, and that is all. */
async function attemptTo<T>(what: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    process.stderr.write(`could not ${what}: ${textOf(error)}\n`);
    return undefined;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A path as it is shortest to type. */
function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}
