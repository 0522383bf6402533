import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { LifecycleListener } from "allure-js-commons/sdk/reporter";
import { includes } from "../spec/profile.js";
import type { CheckResult } from "../verdict/result.js";
import { mergeEveryAnswer } from "./merge-every-answer.js";
import { type Session, selects } from "./session.js";
import { loadSuitesByFile } from "./suites.js";
import { addTraffic, type Traffic } from "./traffic.js";

/** What came of the suites. */
export interface SuiteRun {
  readonly results: CheckResult[];
  /** What went wrong outside of checks: a suite that could not be loaded, an unhandled error. */
  readonly problems: string[];
  readonly interrupted: boolean;
  readonly requests: Traffic;
}

/** What `runSuites` is told. */
export interface SuiteRunOptions {
  /** Called with each result as it comes. */
  readonly onResult?: (result: CheckResult) => void;
  /** Ends the run early; the results so far are kept. */
  readonly signal?: AbortSignal;
  /** Where Allure's raw results go; none are written when it is absent. */
  readonly allureResultsDir?: string;
  /** What Allure shows as the environment of the run. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** How many checks are under way at once in each worker. */
const CHECKS_AT_ONCE = 50;

/** The folder that holds the compiled `src` and `suites`. */
const compiled = fileURLToPath(new URL("../../", import.meta.url));

/** Files of ours. Those of the user's own suites may be in a folder of the same name. */
const ownCode = new RegExp(`^${compiled.replace(/[^\w/]/g, "\\$&")}(src|suites)/`);

/** Makes all checks of a session with vitest, in worker threads. */
export async function runSuites(session: Session, options: SuiteRunOptions = {}): Promise<SuiteRun> {
  const { createVitest } = await import("vitest/node");
  const { TimingFirst } = await import("./sequencer.js");
  const results: CheckResult[] = [];
  const everyAnswer: CheckResult[] = [];
  const traffic: Traffic[] = [];
  const problems: string[] = [];
  let interrupted = false;

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
    onTestModuleEnd(module) {
      const meta = module.meta();
      everyAnswer.push(...(meta.everyAnswer ?? []));
      if (meta.traffic) traffic.push(meta.traffic);
      const errors = module.errors();
      if (errors.length > 0) problems.push(`${module.relativeModuleId}: ${messagesOf(errors)}`);
    },
    onTestRunEnd(_, unhandled, reason) {
      if (unhandled.length > 0) problems.push(messagesOf(unhandled));
      interrupted ||= reason === "interrupted";
    },
  };

  const files = await selectedFiles(session);
  const own = session.ownSuites ?? [];
  if (files.length + own.length === 0) return { results, problems, interrupted, requests: session.discovery };
  const { allureResultsDir } = options;
  const workers = Math.max(2, Math.min(4, availableParallelism()));
  const exitCode = process.exitCode;
  const vitest = await createVitest("test", {
    root: compiled,
    config: false,
    include: [...files, ...own.map(literally)],
    // Suites of the user's own import this very package, wherever it is installed.
    alias: [{ find: /^perp-conformance$/, replacement: `${compiled}src/index.js` }],
    setupFiles: [`${compiled}src/run/vitest-setup.js`],
    watch: false,
    cache: false,
    pool: "threads",
    isolate: false,
    maxWorkers: workers,
    maxConcurrency: CHECKS_AT_ONCE,
    sequence: { sequencer: TimingFirst },
    // The compiled code is what node runs as it is: half a second less than through vite.
    server: { deps: { external: [ownCode] } },
    provide: { session: shareOf(session, workers), allure: allureResultsDir !== undefined },
    reporters: [
      collector,
      ...(allureResultsDir === undefined
        ? []
        : [
            [
              "allure-vitest/reporter",
              {
                resultsDir: allureResultsDir,
                environmentInfo: options.environment,
                listeners: [reasonsForSkips(results)],
              },
            ] as [string, Record<string, unknown>],
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
    await vitest.close();
    process.exitCode = exitCode;
  }
  return {
    results: [...results, ...mergeEveryAnswer(everyAnswer)],
    problems,
    interrupted,
    requests: addTraffic([session.discovery, ...traffic]),
  };
}

/** The compiled files of the suites that hold a check which the session asks for. */
async function selectedFiles({ selection, profile }: Session): Promise<string[]> {
  const suites = Object.entries(await loadSuitesByFile());
  const asked = suites.filter(([, { title, checks }]) =>
    checks.some((check) => selects(selection, check.rule, title) && includes(profile, check.profile)),
  );
  return asked.map(([file]) => `suites/${file}.check.js`);
}

/** A path as a pattern that matches nothing else. */
function literally(path: string): string {
  return path.replace(/[()[\]{}!*?@+|\\]/g, "\\$&");
}

/** The session as one of several workers sees it: what the target is asked for at once and in a second is shared out. */
function shareOf(session: Session, workers: number): Session {
  const { concurrency, rate } = session.target;
  const share = {
    concurrency: Math.max(1, Math.floor(concurrency / workers)),
    ...(rate === undefined ? {} : { rate: rate / workers }),
  };
  return { ...session, target: { ...session.target, ...share } };
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

function messagesOf(errors: readonly unknown[]): string {
  return errors
    .map((error) => (error instanceof Object && "message" in error ? String(error.message) : String(error)))
    .join("; ");
}
