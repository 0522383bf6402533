import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TargetSettings } from "../config/settings.js";
import type { CheckResult } from "../engine/result.js";
import { packRecord } from "../evidence/pack.js";
import { sealRecord } from "../evidence/seal.js";
import { commandFailureOf } from "../report/failure.js";
import type { Progress } from "../report/progress.js";
import { runFiles } from "../report/write.js";
import { openSession } from "../session/session.js";
import type { Selection, Session } from "../session/session-data.js";
import { addTraffic, type Traffic } from "../session/traffic.js";
import type { Readings } from "../specification/readings.js";
import { raceWithInterruption } from "./interruption.js";
import { loadRunner, runSuites, type SuiteRun } from "./run-suites.js";

/** How long an interrupted run may take to end by itself, in milliseconds; after that the results so far are used. */
const graceMs = 400;

/** Time between attempts to reach a target with --wait, in milliseconds. */
const retryMs = 250;

const noTraffic: Traffic = { count: 0, streams: 0, bytesReceived: 0, successes: {} };

/** What to run, and who to report to. */
export interface RunTask {
  readonly settings: TargetSettings;
  readonly selection: Selection;
  readonly readings: Readings;
  /** How long to wait for the target to come up, in seconds. */
  readonly waitSeconds: number;
  /** Minimum time to watch streams, in milliseconds, if longer than usual. */
  readonly streamWatchMs?: number;
  /** Requests, in words, that show known deviations. */
  readonly alsoAsk: readonly string[];
  readonly progress: Progress;
  /** Ends the run early. */
  readonly signal: AbortSignal;
  /** Called with all results so far whenever one arrives: they are what a killed run leaves behind. */
  readonly onResults: (soFar: RunOutcome) => void;
}

/** The outcome of a run. */
export interface RunOutcome {
  readonly run: SuiteRun;
  /** Absent if the target was not reached, or the run was interrupted before that. */
  readonly session?: Session;
  /** The error that prevented the run, if any. */
  readonly failure?: unknown;
  /** Names of the checks that ran as a test. */
  readonly ran: ReadonlySet<string>;
  /** Digest of the evidence, once it is complete. */
  readonly evidence?: string;
}

/** Discovers subjects and runs the checks. A target that cannot be tested at all is an outcome, not an exception. */
export async function discoverAndCheck(task: RunTask): Promise<RunOutcome> {
  const { progress, signal } = task;
  progress.phase("discovering subjects");
  let session: Session | undefined;
  let requests = noTraffic;
  const opening = openSessionWithRetries(task, (traffic) => {
    requests = addTraffic([requests, traffic]);
  });
  try {
    session = await raceWithInterruption(opening, signal, 0);
  } catch (failure) {
    return { run: { ...noRun, requests, problems: commandFailureOf(failure).lines }, failure, ran: new Set() };
  }
  if (session === undefined) return { run: { ...noRun, requests, interrupted: true }, ran: new Set() };
  progress.phase("checking");
  return runChecks(session, task);
}

async function runChecks(session: Session, { settings, progress, signal, onResults }: RunTask): Promise<RunOutcome> {
  const results: CheckResult[] = [];
  const soFar = (): RunOutcome => ({
    session,
    ran: new Set(results.map(({ name }) => name)),
    run: {
      results,
      problems: [],
      interrupted: true,
      requests: addTraffic([session.discovery, approximateTraffic(results)]),
    },
  });
  onResults(soFar());
  const cutOff = new Set<string>();
  const running = runSuites(session, {
    onResult(result) {
      // An error caused by the interruption says nothing about the target or the harness.
      if (signal.aborted && result.verdict === "error") return void cutOff.add(result.name);
      results.push(result);
      progress.result(result);
      onResults(soFar());
    },
    signal,
    progress,
    allureResultsDir: join(settings.out, runFiles.allureResults),
  });
  const finished = (await raceWithInterruption(running, signal, graceMs)) ?? soFar().run;
  const run = { ...finished, results: finished.results.filter(({ name }) => !cutOff.has(name)) };
  // An incomplete record is not sealed, so that no one can draw conclusions from it.
  if (run.interrupted || run.evidenceLost || session.recordDir === undefined) return { ...soFar(), run };
  await packRecord(session.recordDir);
  return { ...soFar(), run, evidence: await sealRecord(session.recordDir) };
}

/** Opens a session. With a wait time, retries while nothing answers at the target's address. */
async function openSessionWithRetries(
  { settings, selection, readings, waitSeconds, streamWatchMs, alsoAsk, progress, signal }: RunTask,
  onTraffic: (traffic: Traffic) => void,
): Promise<Session> {
  const { target, profile, seed, out, suites, notImplemented } = settings;
  const deadline = performance.now() + waitSeconds * 1000;
  const options = {
    target,
    profile,
    seed,
    selection,
    readings,
    notImplemented,
    alsoAsk,
    ...(suites.length > 0 && { ownSuites: suites }),
    streamWatchMs,
    recordDir: join(out, runFiles.evidence),
  };
  let endWait: (() => void) | undefined;
  try {
    for (;;) {
      try {
        // Load the test runner while discovery waits. A failure to load it is reported when it is needed.
        return await openSession(options, { onTraffic, onRecognized: () => void loadRunner().catch(() => {}) });
      } catch (error) {
        if (!mayStillStart(error) || signal.aborted || performance.now() + retryMs > deadline)
          throw withHint(error, target.baseUrl, waitSeconds > 0);
        endWait ??= progress.wait({ what: "waiting for the server to answer", ms: deadline - performance.now() });
        await sleep(retryMs);
      }
    }
  } finally {
    endWait?.();
  }
}

/** Adds to an error of a target that was not reached, or not entered, what may help. */
function withHint(error: unknown, baseUrl: string, waited: boolean): unknown {
  const hint = error instanceof Error && hintFor(error, baseUrl, waited);
  if (hint) error.message += `; ${hint}`;
  return error;
}

function hintFor({ name, message }: Error, baseUrl: string, waited: boolean): string | undefined {
  if (name === "AccessDenied") return "credentials come from CONFORMANCE_TOKEN (see --token-env) or --header";
  if (name !== "TargetUnreachable") return undefined;
  if (!waited && /ECONNREFUSED|ENOENT/.test(message)) return "--wait 30 waits for a server that is still starting";
  if (/ERR_SSL_(WRONG_VERSION|PACKET_LENGTH)/.test(message))
    return "if the port does not speak TLS, the base URL begins with http://";
  if (/UND_ERR_SOCKET|ECONNRESET/.test(message) && baseUrl.startsWith("http:"))
    return "if the port speaks TLS, the base URL begins with https://";
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(message)) return "--ca FILE names the certificate authority to trust";
  return undefined;
}

/** Whether the target may still come up, judging by the error: nothing answers, or only a gateway does. */
function mayStillStart(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "TargetUnreachable" || ("mayBeStarting" in error && error.mayBeStarting === true);
}

/** Approximate traffic when workers could no longer report it: the requests counted in their results. */
function approximateTraffic(results: readonly CheckResult[]): Traffic {
  return { ...noTraffic, count: results.reduce((sum, result) => sum + result.requests, 0) };
}

/** A run that did not take place. */
const noRun: SuiteRun = { results: [], problems: [], interrupted: false, requests: noTraffic };
