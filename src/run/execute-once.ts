import { join } from "node:path";
import { withBaseUrl } from "../config/config.js";
import { redactor, redactTexts } from "../evidence/redact.js";
import type { OutputFolder } from "../files/output-folder.js";
import { isWriteFailure } from "../files/write.js";
import { allureReport } from "../report/allure-report.js";
import { assembleResults, verdictFacts } from "../report/assemble-results.js";
import { defaultRequireConclusive } from "../report/conclusion.js";
import { harness, specification } from "../report/identity.js";
import type { Progress } from "../report/progress.js";
import type { Results } from "../report/results.js";
import { runFiles, writeHar, writeReports, writeResults } from "../report/write.js";
import { sentOf } from "../session/traffic.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { inShard } from "../specification/shard.js";
import { commandLineOf } from "./command-line.js";
import { discoverAndCheck, type RunOutcome } from "./discover-and-check.js";
import { raceWithInterruption } from "./interruption.js";
import type { RunListener } from "./listener.js";
import type { RunPlan } from "./plan.js";
import { type Comparison, inRunFolder } from "./run-folder.js";

/** Minimum interval between writes of interim results, in milliseconds. They are written in case the process is killed. */
const interimResultsMs = 500;

/** How long writing the evidence of an interrupted run may take, in milliseconds. A second Ctrl-C ends it sooner. */
const evidenceMs = 10_000;

/**
 * Executes a run once: starts the embedded server if no target is named, runs the checks, and writes the files of the run.
 *
 * @param signal ends the run early; the results so far are written
 * @throws WriteRefused when the folder of the run may not be used; WriteFailure when it cannot be written;
 *   ConfigurationError when the baseline cannot be read
 */
export function executeOnce(plan: RunPlan, listener: RunListener, signal: AbortSignal): Promise<Results> {
  return inRunFolder(plan, listener, (folder, compare) => executeInFolder({ plan, folder, compare, listener, signal }));
}

/** What a run in an open folder needs. */
export interface RunInFolder {
  readonly plan: RunPlan;
  readonly folder: OutputFolder;
  readonly compare: Comparison;
  readonly listener: RunListener;
  /** Ends the run early. */
  readonly signal: AbortSignal;
}

/** Executes a run in a folder that is already open. */
export async function executeInFolder(run: RunInFolder): Promise<Results> {
  const { plan, folder, listener, signal } = run;
  const { flags, settings } = plan;
  const { progress } = listener;
  const startedAt = new Date();
  // If results cannot be written, there is no point in going on.
  const unwritable = new AbortController();
  const ended = AbortSignal.any([signal, unwritable.signal]);
  const sayInterrupted = () => progress.note("interrupted: writing the results so far; Ctrl-C again ends it at once");
  signal.addEventListener("abort", sayInterrupted, { once: true });
  let server: { readonly url: string; close(): Promise<void> } | undefined;
  try {
    if (settings.target.baseUrl === undefined) {
      progress.phase("starting the embedded reference server");
      const { startReferenceServerInWorker } = await import("../reference/worker.js");
      server = await startReferenceServerInWorker({ identified: true });
    }
    const baseUrl = settings.target.baseUrl ?? server?.url ?? "";
    const outcome = await discoverAndCheck({
      settings: withBaseUrl({ ...settings, out: folder.work }, baseUrl),
      selection: plan.selection,
      readings: plan.readings,
      waitSeconds: flags.wait ?? 0,
      alsoAsk: plan.baseline?.flatMap(({ request }) => request ?? []) ?? [],
      streamWatchMs: plan.streamWatchMs,
      progress,
      signal: ended,
      onResults: throttled(interimResultsMs, (soFar) => {
        try {
          writeResults(folder.work, resultsOf(plan, baseUrl, soFar, startedAt));
        } catch (error) {
          unwritable.abort(error);
        }
      }),
    });
    unwritable.signal.throwIfAborted();
    return await concludeAndWrite(run, outcome, resultsOf(plan, baseUrl, outcome, startedAt));
  } finally {
    signal.removeEventListener("abort", sayInterrupted);
    progress.end();
    // After an interruption, do not wait for busy workers: they must not keep the process alive, and its files are written.
    if (!ended.aborted) await server?.close();
  }
}

/** Completes the results of a run whose checks have ended, and writes its files. */
async function concludeAndWrite(run: RunInFolder, outcome: RunOutcome, judged: Results): Promise<Results> {
  const { plan, folder, compare, listener, signal } = run;
  const measured = plan.flags.power ? await withPower(folder.work, judged, listener.progress, signal) : judged;
  listener.progress.end();
  const results = await compare(measured);
  await writeReports(folder.work, results);
  listener.concluded(results, outcome.failure);
  const { page, failure } = await writeSlowFiles(run, results, outcome);
  await folder.commit(results.incomplete);
  if (failure !== undefined) throw failure;
  reportFiles(listener, plan.settings.out, page);
  return results;
}

/** Tells the listener where the results are, and the page of the report if there is one. */
export function reportFiles(listener: RunListener, out: string, page: string | undefined): void {
  if (page !== undefined) listener.wrote("report", join(out, page));
  listener.wrote("results", join(out, runFiles.results));
}

/**
 * Adds the power of the run, measured on its target's own data. Results without complete evidence stay unchanged, and so do
 * all if the measurement is interrupted.
 */
async function withPower(dir: string, results: Results, progress: Progress, signal: AbortSignal): Promise<Results> {
  if (!results.evidence || results.incomplete || signal.aborted) return results;
  const { measurePower } = await import("../power/measure.js");
  progress.counted(0, 0, "fault");
  progress.phase("measuring the power of the run");
  try {
    const { score } = await measurePower(dir, results, {
      choice: { seed: results.seed, all: false },
      onProgress: (done, of) => progress.counted(done, of, "fault"),
      signal,
    });
    return { ...results, power: score };
  } catch (error) {
    if (!signal.aborted) throw error;
    return results;
  }
}

function resultsOf(plan: RunPlan, baseUrl: string, { run, session, evidence }: RunOutcome, startedAt: Date): Results {
  const { flags, settings, checks, selection, readings } = plan;
  const hide = redactor(settings.target.secrets);
  return assembleResults({
    ...verdictFacts(readings, [...checks, ...(plan.ownChecks ?? [])]),
    results: run.results,
    successes: run.requests.successes,
    broken: session?.subjects.broken ?? [],
    notImplemented: settings.notImplemented,
    problems: [...run.problems.map(hide), ...ownRulesWithoutCheck(plan, run)],
    interrupted: run.interrupted,
    harness,
    specification: specification(),
    target: {
      baseUrl,
      ...((settings.target.baseUrl === undefined || run.requests.embedded) && { embedded: true as const }),
      ...(settings.implementation && { implementation: { ...settings.implementation } }),
      ...(settings.target.tls.insecure && { insecure: true as const }),
    },
    profile: settings.profile,
    seed: settings.seed,
    ...(settings.labels && { labels: settings.labels }),
    strict: flags.strict === true,
    requireConclusive: flags.requireConclusive ?? defaultRequireConclusive,
    selection,
    command: commandLineOf(plan),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    requests: sentOf(run.requests),
    ...(evidence && { evidence: { digest: evidence } }),
    ...(session && { subjects: redactTexts(session.subjects, hide) }),
  });
}

/** Problems for selected user rules that no suite turned out to have. */
function ownRulesWithoutCheck(
  { selection: { rules, shard } }: RunPlan,
  { results, problems, interrupted }: RunOutcome["run"],
): string[] {
  if (interrupted || problems.length > 0) return [];
  const missing = rules.filter((id) => isOwnRuleId(id) && !results.some(({ rule }) => rule === id));
  return missing.filter((id) => inShard(id, shard)).map((id) => `no suite has a check of ${id}`);
}

/**
 * Throttles an action: runs it at once, then at most once per interval, and in no more than a twentieth of the time; calls in
 * between are dropped.
 */
function throttled<T>(milliseconds: number, action: (value: T) => void): (value: T) => void {
  let next = Number.NEGATIVE_INFINITY;
  return (value) => {
    const started = performance.now();
    if (started < next) return;
    action(value);
    next = started + Math.max(milliseconds, 20 * (performance.now() - started));
  };
}

/**
 * Writes the files that take longer: the evidence and, unless the run was interrupted, the Allure report.
 *
 * @returns the page of the report within the folder, if there is one, and the first error of a file that could not be written
 */
async function writeSlowFiles(
  { plan, folder, listener, signal }: RunInFolder,
  results: Results,
  outcome: RunOutcome,
): Promise<{ readonly page?: string | undefined; readonly failure?: unknown }> {
  if (!outcome.session) return {};
  let failure: unknown;
  const attempt = async <T>(what: string, action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      if (isWriteFailure(error)) failure ??= error;
      else listener.note(`could not ${what}: ${textOf(error)}`);
      return undefined;
    }
  };
  const evidence = attempt("write the evidence", () => writeHar(folder.work, results));
  await raceWithInterruption(evidence, signal, evidenceMs);
  if (signal.aborted) return { failure };
  const page = await attempt("make the Allure report", () =>
    allureReport(results, outcome.ran, folder, plan.flags.report),
  );
  return { page, failure };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
