import { dirname, join } from "node:path";
import { hider, redactTexts } from "../evidence/redact.js";
import { historyFile } from "../report/allure-history.js";
import { harness, specification } from "../report/identity.js";
import { type Progress, silentProgress } from "../report/progress.js";
import { assembleResults, type Results } from "../report/results.js";
import { prepareFolder, runFiles, writeHar, writeReports, writeResults } from "../report/write.js";
import type { Selection } from "../run/session.js";
import { type CheckInfo, listChecks } from "../run/suites.js";
import { isOwnRuleId } from "../spec/own-rules.js";
import { catalogueUnder, type Readings, readingLines, rulingsUnder } from "../spec/readings.js";
import { inShard } from "../spec/shard.js";
import { resolveTargets, withBaseUrl } from "../target/config.js";
import type { Settings } from "../target/target.js";
import { type Attempt, attempt, GRACE_MS } from "./attempt.js";
import { commandLineOf } from "./command-line.js";
import { UsageError } from "./failure.js";
import { openGate } from "./gate.js";
import { unlessInterrupted } from "./interruption.js";
import type { RunFlags } from "./run.js";
import { readingsOf, selectionOf } from "./selection.js";

/** What was asked for: everything that is fixed before the first request. */
export interface Order {
  /** Which of several targets it is about. */
  readonly name?: string;
  readonly flags: RunFlags;
  /** As the user gave them: without base URL when the embedded server is tested. */
  readonly settings: Settings;
  /** What names another server, which `--reference` goes before. */
  readonly overridden?: string;
  readonly checks: readonly CheckInfo[];
  readonly selection: Selection;
  readonly readings: Readings;
}

/**
 * What the command line asks for: one order for each target, in the order of the configuration file.
 *
 * @throws UsageError or ConfigurationError
 */
export async function ordersOf(flags: RunFlags): Promise<Order[]> {
  const targets = resolveTargets({ flags }, flags.target);
  if (targets.length > 1 && flags.writeBaseline !== undefined)
    throw new UsageError("--write-baseline writes the deviations of one target: choose it with --target");
  if (flags.shard && targets.some(({ settings }) => settings.drawnSeed))
    throw new UsageError("--shard needs --seed: all parts of a run have the same one");
  const checks = await listChecks();
  return targets.map(({ name, settings, overridden }) => ({
    ...(name === undefined ? {} : { name }),
    ...(overridden === undefined ? {} : { overridden }),
    flags,
    settings,
    checks,
    selection: selectionOf({ ...flags, suites: settings.suites }, checks),
    readings: readingsOf(flags),
  }));
}

/** Who wants to know how a run goes on. */
export interface Watcher {
  readonly progress: Progress;
  /** The verdicts stand and are written. `failure` is what kept the run from being made, if anything did. */
  concluded(results: Results, failure?: unknown): void;
  /** A file of the run is there: `report`, `results`. */
  wrote(what: string, path: string): void;
  /** Something went wrong that is not worth losing a verdict over. */
  trouble(text: string): void;
}

/** Nobody wants to know. */
export const silentWatcher: Watcher = { progress: silentProgress, concluded() {}, wrote() {}, trouble() {} };

/** How often the results so far are written, for the case that the process is killed. */
const RESULTS_SO_FAR_MS = 500;

/**
 * Makes a run: starts the embedded server when no target is named, tests, and writes the files of the run.
 *
 * @param signal ends the run early; its results so far are written
 * @throws UsageError when the folder of the run cannot be used; ConfigurationError when the baseline cannot be read
 */
export async function makeRun(order: Order, watcher: Watcher, signal: AbortSignal): Promise<Results> {
  const { flags, settings, checks } = order;
  const { progress } = watcher;
  const gate = openGate(flags, checks, watcher);
  await prepare(settings.out);

  const startedAt = new Date();
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
      readings: order.readings,
      waitSeconds: flags.wait ?? 0,
      progress,
      signal,
      onResults: atMostEvery(RESULTS_SO_FAR_MS, (soFar) =>
        writeResults(settings.out, resultsOf(order, baseUrl, soFar, startedAt)),
      ),
    });
    progress.end();
    const results = await gate(resultsOf(order, baseUrl, outcome, startedAt));
    await writeReports(settings.out, results);
    watcher.concluded(results, outcome.failure);
    await writeTheRest(results, outcome, order, watcher, signal);
    return results;
  } finally {
    progress.end();
    // Workers that are still busy must not keep an interrupted process alive; its files are written.
    if (!signal.aborted) await server?.close();
  }
}

/**
 * Before the runs of several targets: removes what a run of a single one has left in the folder that theirs are in.
 *
 * @throws UsageError when the folder cannot be used
 */
export async function prepareTargets(orders: readonly Order[]): Promise<void> {
  for (const folder of new Set(
    orders.flatMap(({ name, settings: { out } }) => (name === undefined ? [] : [dirname(out)])),
  ))
    await prepare(folder);
}

async function prepare(out: string): Promise<void> {
  try {
    await prepareFolder(out);
  } catch (error) {
    throw new UsageError(`the folder of the run cannot be used: ${textOf(error)}`);
  }
}

function resultsOf(order: Order, baseUrl: string, { run, session, evidence }: Attempt, startedAt: Date): Results {
  const { flags, settings, checks, selection, readings } = order;
  const hide = hider(settings.target.secrets);
  const finishedAt = new Date();
  return assembleResults({
    catalogue: catalogueUnder(readings),
    rulings: rulingsUnder(readings),
    checks,
    results: run.results,
    problems: [...run.problems.map(hide), ...unmade(order, run)],
    interrupted: run.interrupted,
    harness,
    specification: specification(),
    target: {
      baseUrl,
      ...(settings.target.baseUrl === undefined ? { embedded: true as const } : {}),
      ...(settings.implementation ? { implementation: { ...settings.implementation } } : {}),
      ...(settings.target.tls.insecure ? { insecure: true as const } : {}),
    },
    profile: settings.profile,
    seed: settings.seed,
    strict: flags.strict === true,
    selection,
    ...(readingLines(readings).length > 0 ? { readings } : {}),
    command: commandLineOf(order),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    requests: run.requests,
    ...(evidence ? { evidence: { digest: evidence } } : {}),
    ...(session ? { subjects: redactTexts(session.subjects, hide) } : {}),
  });
}

/** Rules of the user's own that were asked for, and that no suite turned out to have. */
function unmade({ selection: { rules, shard } }: Order, { results, problems, interrupted }: Attempt["run"]): string[] {
  if (interrupted || problems.length > 0) return [];
  const missing = rules.filter((id) => isOwnRuleId(id) && !results.some(({ rule }) => rule === id));
  return missing.filter((id) => inShard(id, shard)).map((id) => `no suite has a check of ${id}`);
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

/** The files that take longer: evidence and, unless the run was interrupted, what Allure makes. */
async function writeTheRest(
  results: Results,
  outcome: Attempt,
  { flags, settings: { out } }: Order,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<void> {
  const attemptTo = async <T>(what: string, action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      watcher.trouble(`could not ${what}: ${textOf(error)}`);
      return undefined;
    }
  };
  if (outcome.session) {
    const evidence = attemptTo("write the evidence", () => writeHar(out, results));
    if (signal.aborted) await unlessInterrupted(evidence, signal, GRACE_MS);
    else await evidence;
  }
  if (outcome.session && !signal.aborted) {
    const page = await attemptTo("make the Allure report", () =>
      allureReport(results, outcome.made, out, flags.report),
    );
    if (page) watcher.wrote("report", page);
  }
  watcher.wrote("results", join(out, runFiles.results));
}

/**
 * Completes Allure's raw results and makes the HTML report, if it is wanted.
 *
 * @param made names of the checks that have raw results already
 */
export async function allureReport(
  results: Results,
  made: ReadonlySet<string>,
  out: string,
  wanted: boolean,
): Promise<string | undefined> {
  const resultsDir = join(out, runFiles.allureResults);
  const { writeExtraAllureResults } = await import("../report/allure-results.js");
  writeExtraAllureResults(resultsDir, results, made);
  if (!wanted) return undefined;
  const { generateReport } = await import("../report/allure.js");
  return await generateReport(results, resultsDir, join(out, runFiles.allureReport), join(out, historyFile));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
