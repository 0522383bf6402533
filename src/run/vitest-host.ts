import { threadId } from "node:worker_threads";
import { afterAll, describe, inject, type TestContext, test } from "vitest";
import { RequestBudget } from "../connect/request-budget.js";
import { StreamSlots } from "../connect/stream-slots.js";
import { execute } from "../engine/execute.js";
import type { CheckResult } from "../engine/result.js";
import type { CheckDefinition, SuiteDefinition } from "../engine/suite.js";
import { type OpenEnvironment, openEnvironment } from "../session/open-environment.js";
import { selects } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import { addTraffic, type Traffic } from "../session/traffic.js";
import { includes } from "../specification/profile.js";
import { annotate } from "./allure-annotations.js";
import { longestCheckMs } from "./longest-check.js";
import { type Shares, withShare } from "./shares.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The run that the suites belong to. */
    session: Session;
    /** What each worker may send of what the target is sent; a run by plain vitest has none. */
    shares: Shares;
    /** Whether an Allure reporter listens. */
    allure: boolean;
    /** Memory of the run's request budget; a run by plain vitest has none. */
    requestBudget: SharedArrayBuffer;
    /** Memory of the run's slots for streams; a run by plain vitest has none. */
    streamSlots: SharedArrayBuffer;
    /** The channel on which workers tell what they wait for; a run by plain vitest has none. */
    waits: string;
  }
}

declare module "@vitest/runner" {
  interface TaskMeta {
    /** On a test: what the check found. */
    conformance?: CheckResult;
    /** On a file: what the wire rules found on every answer that its checks asked for. */
    everyAnswer?: CheckResult[];
    /** On a file: what was sent and received. */
    traffic?: Traffic;
    /** On a file: why not all of the evidence could be written. */
    evidenceLost?: string;
  }
}

/** A violation as vitest and Allure show it: a failed assertion with expected and actual values. */
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

/** One environment for all suites that this worker runs. */
let environment: OpenEnvironment | undefined;

/**
 * Registers the checks of a suite as vitest tests: one test for each check, all of them concurrent, also with those of other
 * suites in the same file.
 */
export function registerWithVitest(suite: SuiteDefinition): void {
  const shares: Shares | undefined = inject("shares");
  const session = withShare(inject("session"), shares?.[suite.lane] ?? 1);
  const selected = suite.checks.filter(
    (check) => selects(session.selection, check.rule, suite.title) && includes(session.profile, check.profile),
  );
  if (selected.length === 0) {
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
      test(check.name, { timeout }, (context) => makeCheck(suite, check, open, context));
    }
  });
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures off this pattern; there are none
  afterAll(async ({}, { file: { meta } }) => {
    meta.everyAnswer = [...(meta.everyAnswer ?? []), ...open.drainEveryAnswer()];
    meta.traffic = addTraffic([...(meta.traffic ? [meta.traffic] : []), open.drainTraffic()]);
    await open.flush().catch((error: Error) => {
      meta.evidenceLost = error.message;
    });
    // Gigabytes of evidence take a while to write.
  }, timeout);
}

async function makeCheck(
  suite: SuiteDefinition,
  check: CheckDefinition,
  environment: OpenEnvironment,
  { task, skip, signal }: TestContext,
): Promise<void> {
  const { result, exchanges } = environment.redacted(await execute(check, environment, signal));
  // Vitest has told its end already: what is said of it now would be taken for another's.
  if (hasTimedOut(signal)) return;
  task.meta.conformance = result;
  if (inject("allure")) await annotate(suite, check, result, exchanges, environment.readings);
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
