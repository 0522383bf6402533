import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { hider, redactTexts } from "../evidence/redact.js";
import { checkOutputFolder, type OutputFolder, openOutputFolder, workFolder } from "../files/output-folder.js";
import { isWriteFailure } from "../files/write.js";
import { historyFile } from "../report/allure-history.js";
import { usualRequireConclusive } from "../report/conclusion.js";
import { harness, specification } from "../report/identity.js";
import { type Progress, silentProgress } from "../report/progress.js";
import { assembleResults, type Results } from "../report/results.js";
import { runFiles, runFolder, writeHar, writeReports, writeResults } from "../report/write.js";
import type { Selection } from "../run/session.js";
import { type CheckInfo, listChecks } from "../run/suites.js";
import { sentOf } from "../run/traffic.js";
import { isOwnRuleId } from "../spec/own-rules.js";
import { catalogueUnder, type Readings, readingLines, rulingsUnder } from "../spec/readings.js";
import { inShard } from "../spec/shard.js";
import { resolveTargets, withBaseUrl } from "../target/config.js";
import type { Settings } from "../target/target.js";
import { type Attempt, attempt } from "./attempt.js";
import { commandLineOf } from "./command-line.js";
import { UsageError } from "./failure.js";
import { type Gate, openGate } from "./gate.js";
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
  /** How long streams are watched at least, in milliseconds, where that is longer than usual. */
  readonly streamWatchMs?: number;
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
  if (flags.shard && flags.for !== undefined)
    throw new UsageError("--for and --shard exclude each other: a part of a run is made once");
  const reserved = targets.find(({ name = "" }) => [...runFolder.names, workFolder].includes(name));
  if (reserved)
    throw new UsageError(`a target cannot be called ${reserved.name}: its folder would be taken for a part of a run`);
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

/** Milliseconds that the evidence of an interrupted run may take to write: a second Ctrl-C ends it sooner. */
const EVIDENCE_MS = 10_000;

/**
 * Makes a run: starts the embedded server when no target is named, tests, and writes the files of the run.
 *
 * @param signal ends the run early; its results so far are written
 * @throws WriteRefused when the folder of the run may not be used; WriteFailure when it cannot be written;
 *   ConfigurationError when the baseline cannot be read
 */
export async function makeRun(order: Order, watcher: Watcher, signal: AbortSignal): Promise<Results> {
  const gate = openGate(order.flags, order.checks, watcher);
  const folder = await openOutputFolder(order.settings.out, { ...runFolder, inPlace: true });
  try {
    for (const note of [...folder.notes, ...staleFiles(folder.path)]) watcher.trouble(note);
    return await makeRunIn(folder, order, gate, watcher, signal);
  } finally {
    await folder.close();
  }
}

/** The same in a folder that is open. */
export async function makeRunIn(
  folder: OutputFolder,
  order: Order,
  gate: Gate,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<Results> {
  const { flags, settings } = order;
  const { progress } = watcher;
  const startedAt = new Date();
  // Where results cannot be written, there is nothing to go on for.
  const unwritable = new AbortController();
  const ended = AbortSignal.any([signal, unwritable.signal]);
  let server: { readonly url: string; close(): Promise<void> } | undefined;
  try {
    if (settings.target.baseUrl === undefined) {
      progress.phase("starting the embedded reference server");
      const { startReferenceServerInWorker } = await import("../reference/worker.js");
      server = await startReferenceServerInWorker({ identified: true });
    }
    const baseUrl = settings.target.baseUrl ?? server?.url ?? "";
    const outcome = await attempt({
      settings: withBaseUrl({ ...settings, out: folder.work }, baseUrl),
      selection: order.selection,
      readings: order.readings,
      waitSeconds: flags.wait ?? 0,
      ...(order.streamWatchMs !== undefined && { streamWatchMs: order.streamWatchMs }),
      progress,
      signal: ended,
      onResults: atMostEvery(RESULTS_SO_FAR_MS, (soFar) => {
        try {
          writeResults(folder.work, resultsOf(order, baseUrl, soFar, startedAt));
        } catch (error) {
          unwritable.abort(error);
        }
      }),
    });
    progress.end();
    unwritable.signal.throwIfAborted();
    const results = await gate(resultsOf(order, baseUrl, outcome, startedAt));
    await writeReports(folder.work, results);
    watcher.concluded(results, outcome.failure);
    const { page, lost } = await writeTheRest(folder, results, outcome, order, watcher, signal);
    await folder.commit(results.incomplete);
    if (lost !== undefined) throw lost;
    if (page !== undefined) watcher.wrote("report", join(settings.out, relative(folder.work, page)));
    watcher.wrote("results", join(settings.out, runFiles.results));
    return results;
  } finally {
    progress.end();
    // Workers that are still busy must not keep an interrupted process alive; its files are written.
    if (!ended.aborted) await server?.close();
  }
}

/**
 * Makes runs of several targets while nobody else writes into the folder that theirs are in. What a run of a single target has
 * left in it is removed then.
 *
 * @throws WriteRefused when a folder may not be used, before anything was sent
 */
export async function inCommonFolder<T>(orders: readonly Order[], makeRuns: () => Promise<T>): Promise<T> {
  for (const { settings } of orders) await checkOutputFolder(settings.out, runFolder);
  const [parent] = orders.flatMap(({ name, settings }) => (name === undefined ? [] : [dirname(settings.out)]));
  if (parent === undefined) return makeRuns();
  const folder = await openOutputFolder(parent, { ...runFolder, inPlace: true });
  try {
    const made = await makeRuns();
    await folder.commit();
    return made;
  } finally {
    await folder.close();
  }
}

/** What users have made of an earlier run in the folder: it stays, and would be taken for something about this one. */
function staleFiles(dir: string): string[] {
  return existsSync(join(dir, "statement.json"))
    ? [`statement.json in ${dir} is about an earlier run: \`verify\` refuses it beside the results of this one`]
    : [];
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
    successes: run.requests.successes,
    broken: session?.subjects.broken ?? [],
    notImplemented: settings.notImplemented,
    problems: [...run.problems.map(hide), ...unmade(order, run)],
    interrupted: run.interrupted,
    harness,
    specification: specification(),
    target: {
      baseUrl,
      ...(settings.target.baseUrl === undefined || run.requests.embedded ? { embedded: true as const } : {}),
      ...(settings.implementation ? { implementation: { ...settings.implementation } } : {}),
      ...(settings.target.tls.insecure ? { insecure: true as const } : {}),
    },
    profile: settings.profile,
    seed: settings.seed,
    strict: flags.strict === true,
    requireConclusive: flags.requireConclusive ?? usualRequireConclusive,
    selection,
    ...(readingLines(readings).length > 0 ? { readings } : {}),
    command: commandLineOf(order),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    requests: sentOf(run.requests),
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

/**
 * Writes the files that take longer: evidence and, unless the run was interrupted, what Allure makes.
 *
 * @returns the page of the report, if there is one, and the first error of a file that could not be written
 */
async function writeTheRest(
  { path, work }: OutputFolder,
  results: Results,
  outcome: Attempt,
  { flags }: Order,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<{ readonly page?: string | undefined; readonly lost?: unknown }> {
  let lost: unknown;
  const attemptTo = async <T>(what: string, action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      if (isWriteFailure(error)) lost ??= error;
      else watcher.trouble(`could not ${what}: ${textOf(error)}`);
      return undefined;
    }
  };
  if (!outcome.session) return {};
  const evidence = attemptTo("write the evidence", () => writeHar(work, results));
  if (signal.aborted) await unlessInterrupted(evidence, signal, EVIDENCE_MS);
  else await evidence;
  if (signal.aborted) return { lost };
  const page = await attemptTo("make the Allure report", () =>
    allureReport(results, outcome.made, work, flags.report, path),
  );
  return { page, lost };
}

/**
 * Completes Allure's raw results and makes the HTML report, if it is wanted.
 *
 * @param made names of the checks that have raw results already
 * @param out folder of the raw results and of the report
 * @param home folder that has the history of earlier runs
 */
export async function allureReport(
  results: Results,
  made: ReadonlySet<string>,
  out: string,
  wanted: boolean,
  home: string,
): Promise<string | undefined> {
  const resultsDir = join(out, runFiles.allureResults);
  const { writeExtraAllureResults } = await import("../report/allure-results.js");
  writeExtraAllureResults(resultsDir, results, made);
  if (!wanted) return undefined;
  const { generateReport } = await import("../report/allure.js");
  return await generateReport(results, resultsDir, join(out, runFiles.allureReport), join(home, historyFile));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
