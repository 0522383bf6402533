import type { SuiteRun, SuiteRunOptions } from "../run/run-suites.js";
import { judgeDiscovery } from "../session/judge-discovery.js";
import { openEnvironment } from "../session/open-environment.js";
import { runDirect } from "../session/run-direct.js";
import type { Session } from "../session/session-data.js";
import { addTraffic } from "../session/traffic.js";

/** Runs the checks in this thread, in the place of `runSuites`: the same results and evidence, without Allure's files. */
export async function runSuites(session: Session, { onResult, progress, signal }: SuiteRunOptions): Promise<SuiteRun> {
  const environment = openEnvironment(session, "worker-1", { still: true });
  judgeDiscovery(session, environment);
  const { results, traffic } = await runDirect(session, environment, { concurrency: 50, signal });
  await environment.close();
  const made = results.filter(({ name }) => !name.includes(" on every answer of "));
  progress.expect(made.length);
  for (const result of made) onResult(result);
  return {
    results,
    problems: [],
    interrupted: signal.aborted,
    requests: addTraffic([session.discovery, traffic]),
  };
}

/** There is no runner to load. */
export async function loadRunner(): Promise<void> {}
