import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { LifecycleListener } from "allure-js-commons/sdk/reporter";
import type { CliOptions, Vitest } from "vitest/node";
import { RequestBudget } from "../connect/request-budget.js";
import { StreamSlots } from "../connect/stream-slots.js";
import type { CheckResult } from "../engine/result.js";
import type { Lane } from "../engine/suite.js";
import type { Progress } from "../report/progress.js";
import { mergeEveryAnswer } from "../session/merge-every-answer.js";
import { discoveryBudget, selects } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import { listChecks, loadSuitesByFile } from "../session/suites.js";
import { addTraffic, type Traffic } from "../session/traffic.js";
import { setV8Flags } from "../session/v8-flags.js";
import { showWaits } from "../session/waits.js";
import { isStream } from "../specification/endpoints.js";
import { ResultCollector } from "./result-collector.js";
import { sharesOf } from "./shares.js";
import { workloadOf } from "./workload.js";

/** The outcome of the suites. */
export interface SuiteRun {
  readonly results: readonly CheckResult[];
  /** Problems outside of checks: a suite that could not be loaded, an unhandled error. */
  readonly problems: readonly string[];
  readonly interrupted: boolean;
  readonly requests: Traffic;
  /** Set if some of the evidence could not be written; `problems` says why. */
  readonly evidenceLost?: boolean;
}

/** Options of `runSuites`. */
export interface SuiteRunOptions {
  /** Called with each result as it arrives. */
  readonly onResult: (result: CheckResult) => void;
  /** Shows how many checks there are and what they wait for. */
  readonly progress: Pick<Progress, "expect" | "wait">;
  /** Ends the run early; the results so far are kept. */
  readonly signal: AbortSignal;
  /** Folder for Allure's raw results. */
  readonly allureResultsDir: string;
}

/**
 * How many checks run at once in each worker: enough that no stream check waits for another one, since most of them only
 * wait for messages.
 */
const checksAtOnce = 120;

/** The folder with the compiled `src` and `suites`. */
const compiled = fileURLToPath(new URL("../../", import.meta.url));

/** Matches our own files. User suites may be in a folder with the same name. */
const ownCode = new RegExp(`^${compiled.replace(/[^\w/]/g, "\\$&")}(src|suites)/`);

/** What all runs have in common. */
const vitestConfig = {
  root: compiled,
  config: false,
  // User suites import this very package, wherever it is installed.
  alias: [{ find: /^perp-conformance$/, replacement: `${compiled}src/index.js` }],
  setupFiles: [`${compiled}src/run/vitest-setup.js`],
  watch: false,
  cache: false,
  pool: "threads",
  isolate: false,
  maxConcurrency: checksAtOnce,
  // Node runs the compiled code directly: half a second faster than through Vite.
  server: { deps: { external: [ownCode] } },
} satisfies CliOptions;

/** Loads vitest and what depends on it. It takes a good part of a second, so it is best done while waiting for a target. */
export function loadRunner() {
  return Promise.all([import("vitest/node"), import("./sequencer.js"), import("./allure-reporter.js")]);
}

/** Runs all checks of a session with vitest, in worker threads. */
export async function runSuites(
  session: Session,
  { onResult, progress, signal, allureResultsDir }: SuiteRunOptions,
): Promise<SuiteRun> {
  const [{ createVitest }, { TimingFirst }, { AllureReporter }] = await loadRunner();
  const own = session.ownSuites ?? [];
  const collector = new ResultCollector(own, { onResult, onOwnChecks: (count) => progress.expect(count) });
  const { results, problems } = collector;
  const suites = await selectedSuites(session);
  const files = [...lanesOf(suites).map((lane) => `src/run/lanes/${lane}.js`), ...own.map(escapedGlob)];
  if (files.length === 0) return { results, problems, interrupted: false, requests: session.discovery };
  const workers = {
    timing: Math.min(1, suites.timing.length),
    bulk: Math.min(1, suites.bulk.length) + Math.min(1, own.length),
  };
  const workload = workloadOf(await listChecks(), session);
  const waitsChannel = `perp-conformance-waits-${randomUUID()}`;
  const endWaits = showWaits(waitsChannel, progress);
  progress.expect(workload.suites.reduce((sum, { checks }) => sum + checks, 0));
  const requestBudget = RequestBudget.of(workload.total - discoveryBudget).memory;
  // Vitest sets the exit code of the process when a check fails.
  const exitCode = process.exitCode;
  setV8Flags();
  const vitest = await createVitest("test", {
    ...vitestConfig,
    include: files,
    maxWorkers: workers.timing + workers.bulk,
    sequence: { sequencer: TimingFirst },
    provide: {
      session,
      shares: sharesOf(workers),
      suites,
      allure: true,
      requestBudget,
      streamSlots: StreamSlots.memory(),
      waits: waitsChannel,
    },
    reporters: [
      collector,
      new AllureReporter({ resultsDir: allureResultsDir, environmentInfo: {}, listeners: [reasonsForSkips(results)] }),
    ],
  });
  try {
    await startUnlessAborted(vitest, collector, signal);
  } finally {
    endWaits();
    await vitest.close();
    process.exitCode = exitCode;
  }
  return {
    results: [...results, ...mergeEveryAnswer(collector.everyAnswer, session.subjects.orderStatuses)],
    problems: [...problems, ...collector.evidenceLost],
    interrupted: collector.interrupted,
    requests: addTraffic([session.discovery, ...collector.traffic]),
    ...(collector.evidenceLost.size > 0 && { evidenceLost: true }),
  };
}

/** Runs the tests until they end or `signal` cancels them. */
async function startUnlessAborted(vitest: Vitest, collector: ResultCollector, signal: AbortSignal): Promise<void> {
  const cancel = () => {
    collector.interrupted = true;
    void vitest.cancelCurrentRun("keyboard-input");
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) collector.interrupted = true;
    else await vitest.start();
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** The files of the suites with at least one selected check, by lane. */
async function selectedSuites(session: Session): Promise<Record<Lane, string[]>> {
  const suites: Record<Lane, string[]> = { bulk: [], timing: [] };
  for (const [file, { title, lane, checks }] of Object.entries(await loadSuitesByFile())) {
    const asked = checks.some((check) => selects(session, check, title));
    // Start the stream checks first: the others then run while they wait for messages.
    const waits = checks.some(({ endpoint }) => isStream(endpoint));
    if (asked) suites[lane][waits ? "unshift" : "push"](file);
  }
  return suites;
}

/** The lanes with selected suites. Each has its own worker, whose checks share connections and reads. */
function lanesOf(suites: Readonly<Record<Lane, readonly string[]>>): Lane[] {
  return (["timing", "bulk"] as const).filter((lane) => suites[lane].length > 0);
}

/** Escapes a path as a glob pattern that matches only that path. */
function escapedGlob(path: string): string {
  return path.replace(/[()[\]{}!*?@+|\\]/g, "\\$&");
}

/** Restores the note of a skipped test, which Allure's adapter drops: it says why a check was not conclusive. */
function reasonsForSkips(results: readonly CheckResult[]): LifecycleListener {
  return {
    beforeTestResultStop(test) {
      const message = results.find(({ name }) => name === test.name)?.message;
      if (test.status === "skipped" && message !== undefined) test.statusDetails = { ...test.statusDetails, message };
    },
  };
}
