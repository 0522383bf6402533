import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { setFlagsFromString } from "node:v8";
import type { LifecycleListener } from "allure-js-commons/sdk/reporter";
import { RequestBudget } from "../connect/request-budget.js";
import { StreamSlots } from "../connect/stream-slots.js";
import type { CheckResult } from "../engine/result.js";
import type { SuiteDefinition } from "../engine/suite.js";
import type { Progress } from "../report/progress.js";
import { mergeEveryAnswer } from "../session/merge-every-answer.js";
import { selects } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import { listChecks, loadSuitesByFile } from "../session/suites.js";
import { addTraffic, type Traffic } from "../session/traffic.js";
import { showWaits } from "../session/waits.js";
import { endpoints } from "../specification/endpoints.js";
import { includes } from "../specification/profile.js";
import { announce } from "./announcement.js";
import { sharesOf } from "./shares.js";

/** What came of the suites. */
export interface SuiteRun {
  readonly results: CheckResult[];
  /** What went wrong outside of checks: a suite that could not be loaded, an unhandled error. */
  readonly problems: string[];
  readonly interrupted: boolean;
  readonly requests: Traffic;
  /** Whether some of the evidence could not be written; the problems say why. */
  readonly evidenceLost?: boolean;
}

/** What `runSuites` is told. */
export interface SuiteRunOptions {
  /** Called with each result as it comes. */
  readonly onResult?: (result: CheckResult) => void;
  /** Is told how many checks there are to make, and what they wait for. */
  readonly progress?: Pick<Progress, "expect" | "wait">;
  /** Ends the run early; the results so far are kept. */
  readonly signal?: AbortSignal;
  /** Where Allure's raw results go; none are written when it is absent. */
  readonly allureResultsDir?: string;
  /** What Allure shows as the environment of the run. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How many checks are under way at once in each worker: no check of the stream waits for another one, since most wait for messages. */
const CHECKS_AT_ONCE = 120;

/**
 * How the engine is to spend memory: by its defaults, which go by the size of the machine, answers of a megabyte pile up
 * until a run takes half as much again, and is no faster.
 */
const THRIFT = ["--max-semi-space-size=4", "--heap-growing-percent=50"];

/** The folder that holds the compiled `src` and `suites`. */
const compiled = fileURLToPath(new URL("../../", import.meta.url));

/** Files of ours. Those of the user's own suites may be in a folder of the same name. */
const ownCode = new RegExp(`^${compiled.replace(/[^\w/]/g, "\\$&")}(src|suites)/`);

/** Vitest and what hangs on it: a good part of a second to load, best while a target is being waited for. */
export function loadRunner() {
  return Promise.all([import("vitest/node"), import("./sequencer.js"), import("./allure-reporter.js")]);
}

/** Makes all checks of a session with vitest, in worker threads. */
export async function runSuites(session: Session, options: SuiteRunOptions = {}): Promise<SuiteRun> {
  const [{ createVitest }, { TimingFirst }, { AllureReporter }] = await loadRunner();
  const results: CheckResult[] = [];
  const everyAnswer: CheckResult[] = [];
  const traffic: Traffic[] = [];
  const problems: string[] = [];
  let interrupted = false;
  const evidenceLost = new Set<string>();

  const own = session.ownSuites ?? [];
  const collector: import("vitest/node").Reporter = {
    onTestCaseResult(test) {
      const result = test.meta().conformance;
      if (result) {
        results.push(result);
        options.onResult?.(result);
      } else if (test.result().state === "failed") {
        problems.push(`${test.fullName}: ${messagesOf(test.result().errors ?? [])}`);
      }
    },
    onTestSuiteResult(suite) {
      const errors = suite.errors();
      if (errors.length > 0) problems.push(`${suite.fullName}: ${messagesOf(errors)}`);
    },
    onTestModuleCollected(module) {
      // Those of our own suites are known before.
      if (own.includes(module.moduleId)) options.progress?.expect([...module.children.allTests()].length);
    },
    onTestModuleEnd(module) {
      const meta = module.meta();
      everyAnswer.push(...(meta.everyAnswer ?? []));
      if (meta.traffic) traffic.push(meta.traffic);
      if (meta.evidenceLost) evidenceLost.add(meta.evidenceLost);
      const errors = module.errors();
      if (errors.length > 0) problems.push(`${module.relativeModuleId}: ${messagesOf(errors)}`);
    },
    onTestRunEnd(_, unhandled, reason) {
      if (unhandled.length > 0) problems.push(messagesOf(unhandled));
      interrupted ||= reason === "interrupted";
    },
  };

  const suites = await selectedSuites(session);
  const files = [...lanesOf(suites).map((lane) => `src/run/lanes/${lane}.js`), ...own.map(literally)];
  if (files.length === 0) return { results, problems, interrupted, requests: session.discovery };
  const workers = {
    timing: Math.min(1, suites.timing.length),
    bulk: Math.min(1, suites.bulk.length) + Math.min(1, own.length),
  };
  const { allureResultsDir } = options;
  const { total, discovery, suites: announced } = announce(await listChecks(), session);
  const waits = `perp-conformance-waits-${randomUUID()}`;
  const endWaits = options.progress ? showWaits(waits, options.progress) : () => {};
  options.progress?.expect(announced.reduce((sum, { checks }) => sum + checks, 0));
  const requestBudget = RequestBudget.of(total - discovery).memory;
  const exitCode = process.exitCode;
  for (const flag of THRIFT) setFlagsFromString(flag);
  const vitest = await createVitest("test", {
    root: compiled,
    config: false,
    include: files,
    // Suites of the user's own import this very package, wherever it is installed.
    alias: [{ find: /^perp-conformance$/, replacement: `${compiled}src/index.js` }],
    setupFiles: [`${compiled}src/run/vitest-setup.js`],
    watch: false,
    cache: false,
    pool: "threads",
    isolate: false,
    maxWorkers: workers.timing + workers.bulk,
    maxConcurrency: CHECKS_AT_ONCE,
    sequence: { sequencer: TimingFirst },
    // The compiled code is what node runs as it is: half a second less than through vite.
    server: { deps: { external: [ownCode] } },
    provide: {
      session,
      shares: sharesOf(workers),
      suites,
      allure: allureResultsDir !== undefined,
      requestBudget,
      streamSlots: StreamSlots.memory(),
      waits,
    },
    reporters: [
      collector,
      ...(allureResultsDir === undefined
        ? []
        : [
            new AllureReporter({
              resultsDir: allureResultsDir,
              environmentInfo: options.environment ?? {},
              listeners: [reasonsForSkips(results)],
            }),
          ]),
    ],
  });
  const cancel = () => {
    interrupted = true;
    void vitest.cancelCurrentRun("keyboard-input");
  };
  options.signal?.addEventListener("abort", cancel, { once: true });
  try {
    if (options.signal?.aborted) interrupted = true;
    else await vitest.start();
  } finally {
    options.signal?.removeEventListener("abort", cancel);
    endWaits();
    await vitest.close();
    process.exitCode = exitCode;
  }
  return {
    results: [...results, ...mergeEveryAnswer(everyAnswer, session.subjects.orderStatuses)],
    problems: [...problems, ...evidenceLost],
    interrupted,
    requests: addTraffic([session.discovery, ...traffic]),
    ...(evidenceLost.size > 0 && { evidenceLost: true }),
  };
}

type Lane = SuiteDefinition["lane"];

/** The files of the suites that hold a check which the session asks for, by lane. */
async function selectedSuites({ selection, profile }: Session): Promise<Record<Lane, string[]>> {
  const suites: Record<Lane, string[]> = { bulk: [], timing: [] };
  for (const [file, { title, lane, checks }] of Object.entries(await loadSuitesByFile())) {
    const asked = checks.some((check) => selects(selection, check.rule, title) && includes(profile, check.profile));
    // Checks of streams wait for messages: the others fill their waits when these start first.
    const waits = checks.some(({ endpoint }) => endpoints[endpoint].kind === "stream");
    if (asked) suites[lane][waits ? "unshift" : "push"](file);
  }
  return suites;
}

/** The lanes that have something to do: each has a worker of its own, whose checks share connections and readings. */
function lanesOf(suites: Readonly<Record<Lane, readonly string[]>>): Lane[] {
  return (["timing", "bulk"] as const).filter((lane) => suites[lane].length > 0);
}

/** A path as a pattern that matches nothing else. */
function literally(path: string): string {
  return path.replace(/[()[\]{}!*?@+|\\]/g, "\\$&");
}

/** Allure's adapter drops the note of a skipped test: why a check came to no conclusion. This puts it back. */
function reasonsForSkips(results: readonly CheckResult[]): LifecycleListener {
  return {
    beforeTestResultStop(test) {
      const message = results.find(({ name }) => name === test.name)?.message;
      if (test.status === "skipped" && message !== undefined) test.statusDetails = { ...test.statusDetails, message };
    },
  };
}

/** Errors in plain words: a module that cannot be read is told of in colours. */
function messagesOf(errors: readonly unknown[]): string {
  const texts = errors.map((error) =>
    error instanceof Object && "message" in error ? String(error.message) : String(error),
  );
  return stripVTControlCharacters(texts.join("; "));
}
