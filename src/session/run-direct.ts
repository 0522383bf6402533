import type { Exchange } from "../connect/exchange.js";
import { execute } from "../engine/execute.js";
import type { CheckResult } from "../engine/result.js";
import type { CheckDefinition, Lane } from "../engine/suite.js";
import type { Endpoint } from "../specification/endpoints.js";
import { mergeEveryAnswer } from "./merge-every-answer.js";
import type { OpenEnvironment } from "./open-environment.js";
import { selects } from "./session.js";
import type { Session } from "./session-data.js";
import { loadSuites } from "./suites.js";
import type { Traffic } from "./traffic.js";

/** Options of `runDirect`. */
export interface DirectOptions {
  /** How many checks run at once. */
  readonly concurrency: number;
  /** Only the suites of this lane; all when absent. */
  readonly lane?: Lane;
  /** Which checks, by name and kind; all when absent. */
  readonly only?: (name: string, kind: CheckDefinition["kind"]) => boolean;
  readonly signal?: AbortSignal;
  /** Called with the exchanges of a check when it is done. */
  readonly onExchanged?: (name: string, exchanges: readonly Exchange[]) => void;
}

/** The outcome of the checks. */
export interface DirectRun {
  readonly results: CheckResult[];
  /** The operations that each check used, by the check's name. */
  readonly asked: ReadonlyMap<string, readonly Endpoint[]>;
  readonly traffic: Traffic;
}

/** Runs the session's checks in this thread without vitest: the same checks and verdicts, with less overhead. */
export async function runDirect(
  session: Session,
  environment: OpenEnvironment,
  { concurrency, lane, only = () => true, signal, onExchanged }: DirectOptions,
): Promise<DirectRun> {
  const suites = await loadSuites();
  const checks = suites
    .filter((suite) => lane === undefined || suite.lane === lane)
    .flatMap((suite) => suite.checks.filter((check) => selects(session, check, suite.title)))
    .filter((check) => only(check.name, check.kind));
  const asked = new Map<string, Endpoint[]>();
  const results: CheckResult[] = [];
  const queue = checks.values();
  const work = async (waiting: Iterable<CheckDefinition>) => {
    for (const check of waiting) {
      const { result, exchanges } = await execute(check, environment, signal);
      results.push(result);
      onExchanged?.(check.name, exchanges);
      asked.set(check.name, [...new Set(exchanges.map(({ request }) => request.endpoint))]);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, () => work(queue)));
  const every = mergeEveryAnswer(environment.drainEveryAnswer(), session.subjects.orderStatuses);
  return { results: [...results, ...every], asked, traffic: environment.drainTraffic() };
}
