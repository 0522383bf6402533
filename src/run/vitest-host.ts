import { threadId } from "node:worker_threads";
import { afterAll, describe, inject, type TestContext, test } from "vitest";
import { RequestBudget } from "../connect/request-budget.js";
import { StreamSlots } from "../connect/stream-slots.js";
import { execute } from "../engine/execute.js";
import type { CheckResult } from "../engine/result.js";
import type { CheckDefinition, SuiteDefinition } from "../engine/suite.js";
import { judgeDiscovery } from "../session/judge-discovery.js";
import { type OpenEnvironment, openEnvironment } from "../session/open-environment.js";
import { selects } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import { addTraffic, type Traffic } from "../session/traffic.js";
import { annotateTest } from "./allure-annotations.js";
import { longestCheckMs } from "./longest-check.js";
import { type Shares, withShare } from "./shares.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The session that the suites belong to. */
    session: Session;
    /** The share of the target's limits that each worker of a lane gets; absent when plain vitest runs the suites. */
    shares: Shares;
    /** Whether an Allure reporter is attached. */
    allure: boolean;
    /** Shared memory of the run's request budget; absent when plain vitest runs the suites. */
    requestBudget: SharedArrayBuffer;
    /** Shared memory of the run's stream slots; absent when plain vitest runs the suites. */
    streamSlots: SharedArrayBuffer;
    /** Name of the channel on which workers announce what they wait for; absent when plain vitest runs the suites. */
    waits: string;
  }
}

declare module "@vitest/runner" {
  interface TaskMeta {
    /** On a test: what the check found. */
    conformance?: CheckResult;
    /** On a file: results of the rules on every answer that its checks received. */
    everyAnswer?: CheckResult[];
    /** On a file: its traffic. */
    traffic?: Traffic;
    /** On a file: why some of the evidence could not be written. */
    evidenceLost?: string;
  }
}

/** A violation in the form that vitest and Allure show: a failed assertion with expected and actual values. */
class ConformanceViolation extends Error {
  override readonly name = "AssertionError";
  constructor(
    message: string,
    readonly expected: string,
    readonly actual: string,
  ) {
    super(message);
  }
}

/** The environment that all suites of this worker share. */
let environment: OpenEnvironment | undefined;

/** Registers each check of a suite as a vitest test, all concurrent, also with those of other suites in the same file. */
export function registerWithVitest(suite: SuiteDefinition): void {
  const shares: Shares | undefined = inject("shares");
  const session = withShare(inject("session"), shares?.[suite.lane] ?? 1);
  const selected = suite.checks.filter((check) => selects(session, check, suite.title));
  if (selected.length === 0) {
    // Vitest fails a file that registers no test.
    test.skip(`${suite.title}: not selected`);
    return;
  }
  const requestBudget: SharedArrayBuffer | undefined = inject("requestBudget");
  const streamSlots: SharedArrayBuffer | undefined = inject("streamSlots");
  environment ??= openEnvironment(session, `worker-${threadId}`, {
    requestBudget: requestBudget && new RequestBudget(requestBudget),
    streamSlots: streamSlots && new StreamSlots(streamSlots),
    waits: inject("waits") as string | undefined,
  });
  const open = environment;
  const timeout = longestCheckMs(session.target);
  describe.concurrent(suite.title, () => {
    for (const check of selected) {
      test(check.name, { timeout }, (context) => runCheck(suite, check, open, context));
    }
  });
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures off this pattern; there are none
  afterAll(async ({}, { file: { meta } }) => {
    meta.everyAnswer = [...(meta.everyAnswer ?? []), ...open.drainEveryAnswer()];
    meta.traffic = addTraffic([...(meta.traffic ? [meta.traffic] : []), open.drainTraffic()]);
    await open.flush().catch((error: Error) => {
      meta.evidenceLost = error.message;
    });
    // The same timeout as for checks: gigabytes of evidence take a while to write.
  }, timeout);
}

/** Judges what discovery saw, for the run that the suites of this worker belong to. */
export function judgeDiscoveryHere(): void {
  if (environment !== undefined) judgeDiscovery(inject("session"), environment);
}

async function runCheck(
  suite: SuiteDefinition,
  check: CheckDefinition,
  environment: OpenEnvironment,
  { task, skip, signal }: TestContext,
): Promise<void> {
  const { result, exchanges } = environment.redacted(await execute(check, environment, signal));
  // Vitest has already reported this test; reporting more now would be attributed to another one.
  if (hasTimedOut(signal)) return;
  task.meta.conformance = result;
  if (inject("allure")) await annotateTest({ suite, check, result, exchanges, readings: environment.readings });
  const message = result.message ?? "";
  switch (result.verdict) {
    case "fail": {
      const place = result.violations[0]?.places[0];
      const text = result.violations.map((violation) => violation.message).join("\n");
      throw new ConformanceViolation(text, place?.expected ?? "", place?.seen ?? "");
    }
    case "error":
      throw new Error(message);
    case "inconclusive":
    case "blocked":
    case "notApplicable":
    case "unimplemented":
      skip(`${result.verdict}: ${message}`);
  }
}

function hasTimedOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && /timed out/i.test(reason.message);
}
