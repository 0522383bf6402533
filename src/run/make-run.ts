import { join } from "node:path";
import { withBaseUrl } from "../config/config.js";
import { redactor, redactTexts } from "../evidence/redact.js";
import type { OutputFolder } from "../files/output-folder.js";
import { isWriteFailure } from "../files/write.js";
import { allureReport } from "../report/allure-report.js";
import { assembleResults, verdictFacts } from "../report/assemble-results.js";
import { usualRequireConclusive } from "../report/conclusion.js";
import { harness, specification } from "../report/identity.js";
import type { Progress } from "../report/progress.js";
import type { Results } from "../report/results.js";
import { runFiles, writeHar, writeReports, writeResults } from "../report/write.js";
import { sentOf } from "../session/traffic.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { inShard } from "../specification/shard.js";
import type { BaselineComparison } from "./baseline.js";
import { commandLineOf } from "./command-line.js";
import { discoverAndCheck, type RunOutcome } from "./discover-and-check.js";
import { raceWithInterruption } from "./interruption.js";
import type { RunListener } from "./listener.js";
import type { RunPlan } from "./plan.js";
import { inRunFolder } from "./run-folder.js";

/** Minimum interval between writes of interim results, in milliseconds. They are written in case the process is killed. */
const resultsSoFarMs = 500;

/** How long writing the evidence of an interrupted run may take, in milliseconds. A second Ctrl-C ends it sooner. */
const evidenceMs = 10_000;

/**
 * Makes a run: starts the embedded server if no target is named, runs the checks, and writes the files of the run.
 *
 * @param signal ends the run early; the results so far are written
 * @throws WriteRefused when the folder of the run may not be used; WriteFailure when it cannot be written;
 *   ConfigurationError when the baseline cannot be read
 */
export function makeRun(plan: RunPlan, listener: RunListener, signal: AbortSignal): Promise<Results> {
  return inRunFolder(plan, listener, (folder, complete) => makeRunIn(folder, plan, complete, listener, signal));
}

/** Makes a run in a folder that is already open. */
export async function makeRunIn(
  folder: OutputFolder,
  plan: RunPlan,
  complete: BaselineComparison,
  listener: RunListener,
  signal: AbortSignal,
): Promise<Results> {
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
      onResults: atMostEvery(resultsSoFarMs, (soFar) => {
        try {
          writeResults(folder.work, resultsOf(plan, baseUrl, soFar, startedAt));
        } catch (error) {
          unwritable.abort(error);
        }
      }),
    });
    unwritable.signal.throwIfAborted();
    const judged = resultsOf(plan, baseUrl, outcome, startedAt);
    const measured = flags.power ? await withPower(folder.work, judged, progress, signal) : judged;
    progress.end();
    const results = await complete(measured);
    await writeReports(folder.work, results);
    listener.concluded(results, outcome.failure);
    const { page, lost } = await writeTheRest(folder, results, outcome, plan, listener, signal);
    await folder.commit(results.incomplete);
    if (lost !== undefined) throw lost;
    if (page !== undefined) listener.wrote("report", join(settings.out, page));
    listener.wrote("results", join(settings.out, runFiles.results));
    return results;
  } finally {
    signal.removeEventListener("abort", sayInterrupted);
    progress.end();
    // After an interruption, do not wait for busy workers: they must not keep the process alive, and its files are written.
    if (!ended.aborted) await server?.close();
  }
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
    requireConclusive: flags.requireConclusive ?? usualRequireConclusive,
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
function atMostEvery<T>(milliseconds: number, action: (value: T) => void): (value: T) => void {
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
async function writeTheRest(
  folder: OutputFolder,
  results: Results,
  outcome: RunOutcome,
  { flags }: RunPlan,
  listener: RunListener,
  signal: AbortSignal,
): Promise<{ readonly page?: string | undefined; readonly lost?: unknown }> {
  let lost: unknown;
  const attemptTo = async <T>(what: string, action: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      if (isWriteFailure(error)) lost ??= error;
      else listener.note(`could not ${what}: ${textOf(error)}`);
      return undefined;
    }
  };
  if (!outcome.session) return {};
  const evidence = attemptTo("write the evidence", () => writeHar(folder.work, results));
  await raceWithInterruption(evidence, signal, evidenceMs);
  if (signal.aborted) return { lost };
  const page = await attemptTo("make the Allure report", () =>
    allureReport(results, outcome.ran, folder, flags.report),
  );
  return { page, lost };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
