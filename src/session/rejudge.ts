import { execute } from "../engine/execute.js";
import type { CheckResult } from "../engine/result.js";
import { RecordRefused } from "../evidence/folder.js";
import { openRecord } from "../evidence/read-record.js";
import { largestBody } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import { judgeDiscovery } from "./judge-discovery.js";
import { mergeEveryAnswer } from "./merge-every-answer.js";
import { type OpenEnvironment, openEnvironment } from "./open-environment.js";
import { type RecordedExchange, recorded, replayTransport } from "./replay-transport.js";
import { selects } from "./session.js";
import type { Session } from "./session-data.js";
import { readSession } from "./session-file.js";
import { loadSuites } from "./suites.js";
import { addTraffic, type Traffic } from "./traffic.js";
import { setV8Flags } from "./v8-flags.js";

/** The outcome of judging a record again. */
export interface Rejudgement {
  readonly session: Session;
  readonly results: CheckResult[];
  readonly requests: Traffic;
}

/** A check in the results of a run: its name, and the exchanges that it read. */
export type CheckExchanges = Pick<CheckResult, "name" | "exchanges">;

/** One worker of the recorded run: the ids of its exchanges, and an environment that answers from them. */
interface RecordedWorker {
  readonly exchanges: ReadonlySet<string>;
  readonly environment: OpenEnvironment;
}

/**
 * Runs the checks of a run again on its record instead of the network: same code, same seed, same answers.
 *
 * @param recordDir folder of the evidence
 * @param before checks in the results of the run; they show which worker's shared reads each check used
 * @param readings the readings to judge by; by default those of the run
 * @throws RecordRefused when the record contains anything that no run records
 */
export async function rejudge(
  recordDir: string,
  before: readonly CheckExchanges[],
  readings?: Readings,
): Promise<Rejudgement> {
  setV8Flags();
  const { session: original } = await readSession(recordDir);
  const session = readings ? { ...original, readings } : original;
  const workers = openWorkers(recordDir, session);
  const results: CheckResult[] = [];
  const read = new Map(before.map(({ name, exchanges }) => [name, exchanges]));
  let isDiscoveryJudged = false;
  for (const suite of await loadSuites()) {
    for (const check of suite.checks) {
      if (!selects(session, check, suite.title)) continue;
      const { environment } = workerOf(read.get(check.name) ?? [], workers);
      if (suite.lane === "bulk" && !isDiscoveryJudged) {
        judgeDiscovery({ ...session, recordDir }, environment);
        isDiscoveryJudged = true;
      }
      results.push((await execute(check, environment)).result);
    }
  }
  const environments = workers.map(({ environment }) => environment);
  return {
    session,
    results: [
      ...results,
      ...mergeEveryAnswer(
        environments.flatMap((open) => open.drainEveryAnswer()),
        session.subjects.orderStatuses,
      ),
    ],
    requests: addTraffic([session.discovery, ...environments.map((open) => open.drainTraffic())]),
  };
}

/** Opens the workers of a record. It is indexed now; each exchange is read from disk when a check asks for it. */
function openWorkers(recordDir: string, session: Session): RecordedWorker[] {
  const record = openRecord(recordDir, largestBody[session.profile]);
  return record.workers.map((name) => {
    const exchanges: RecordedExchange[] = [];
    for (const { exchange, ...place } of record.linesOf(name))
      exchanges.push(recorded(exchange, () => record.read(name, place)));
    return {
      exchanges: new Set(exchanges.map(({ name: { id } }) => id)),
      environment: openEnvironment(session, name, { transport: replayTransport(exchanges), still: true }),
    };
  });
}

/** The worker that ran a check: the one with the exchanges that the check read. */
function workerOf(exchanges: readonly string[], workers: readonly RecordedWorker[]): RecordedWorker {
  const worker = workers.find((candidate) => exchanges.some((id) => candidate.exchanges.has(id))) ?? workers.at(-1);
  if (!worker) throw new RecordRefused("the record is empty");
  return worker;
}
