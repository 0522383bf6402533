import type { Exchange } from "../connect/exchange.js";
import { readWorker, recordedWorkers } from "../evidence/record.js";
import { RecordRefused } from "../evidence/seal.js";
import { includes } from "../spec/profile.js";
import type { Readings } from "../spec/readings.js";
import { execute } from "../verdict/execute.js";
import type { CheckResult } from "../verdict/result.js";
import { mergeEveryAnswer } from "./merge-every-answer.js";
import { type OpenEnvironment, openEnvironment } from "./open-environment.js";
import { replayWire } from "./replay-wire.js";
import { type Session, selects } from "./session.js";
import { readSession } from "./session-file.js";
import { loadSuites } from "./suites.js";
import { addTraffic, type Traffic } from "./traffic.js";

/** What came of judging a record again. */
export interface Rejudgement {
  readonly session: Session;
  /** The rules under which the record was judged first. */
  readonly catalogueDigest: string;
  readonly results: CheckResult[];
  readonly requests: Traffic;
}

/** What the results of a run tell of a check: its name, and the exchanges that it has read. */
export type Read = Pick<CheckResult, "name" | "exchanges">;

/** One worker of the recorded run: what it exchanged, and an environment that answers from that. */
interface Worker {
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly environment: OpenEnvironment;
}

/**
 * Makes the checks of a run again, on its record instead of the network: the same code, the same seed, the same answers.
 *
 * @param recordDir folder of the evidence
 * @param before the results of the run: they tell which worker's shared readings a check has read
 * @param readings the readings to judge by; those of the run when absent
 */
export async function rejudge(recordDir: string, before: readonly Read[], readings?: Readings): Promise<Rejudgement> {
  const { session: recorded, catalogueDigest } = await readSession(recordDir);
  const session = readings ? { ...recorded, readings } : recorded;
  const workers = await openWorkers(recordDir, session);
  const results: CheckResult[] = [];
  const read = new Map(before.map(({ name, exchanges }) => [name, exchanges]));
  for (const suite of await loadSuites()) {
    for (const check of suite.checks) {
      if (!selects(session.selection, check.rule, suite.title) || !includes(session.profile, check.profile)) continue;
      const { environment } = workerOf(read.get(check.name) ?? [], workers);
      results.push((await execute(check, environment)).result);
    }
  }
  const environments = workers.map(({ environment }) => environment);
  return {
    session,
    catalogueDigest,
    results: [...results, ...mergeEveryAnswer(environments.flatMap((open) => open.drainEveryAnswer()))],
    requests: addTraffic([session.discovery, ...environments.map((open) => open.drainTraffic())]),
  };
}

async function openWorkers(recordDir: string, session: Session): Promise<Worker[]> {
  const workers: Worker[] = [];
  for (const name of await recordedWorkers(recordDir)) {
    const exchanges = new Map<string, Exchange>();
    for await (const exchange of readWorker(recordDir, name)) exchanges.set(exchange.id, exchange);
    workers.push({ exchanges, environment: openEnvironment(session, name, replayWire(exchanges)) });
  }
  return workers;
}

/** The worker that made a check: the one that has the exchanges which the check has read. */
function workerOf(exchanges: readonly string[], workers: readonly Worker[]): Worker {
  const worker = workers.find((candidate) => exchanges.some((id) => candidate.exchanges.has(id))) ?? workers.at(-1);
  if (!worker) throw new RecordRefused("the record is empty");
  return worker;
}
