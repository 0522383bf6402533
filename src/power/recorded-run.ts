/** A recorded run in memory, for `power` to plant faults into. */
import { join } from "node:path";
import type { Exchange } from "../connect/exchange.js";
import type { CheckDefinition } from "../engine/suite.js";
import { openRecord } from "../evidence/read-record.js";
import { runFiles } from "../report/write.js";
import { selects } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import { readSession } from "../session/session-file.js";
import { loadSuites } from "../session/suites.js";
import { largestBody } from "../specification/profile.js";

/** The exchanges of one worker of the run, in order. */
export interface WorkerRecord {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** A recorded run that is judged again with faults in it. */
export interface RecordedRun {
  readonly session: Session;
  readonly workers: readonly WorkerRecord[];
  /** The checks that ran, in suite order. */
  readonly checks: readonly RecordedCheck[];
}

/** A check and its suite. One worker runs all checks of a suite. */
export interface RecordedCheck extends CheckDefinition {
  readonly suite: string;
}

/**
 * Reads the evidence of a run with all bodies.
 *
 * @param dir folder of the run
 * @throws RecordRefused when it contains anything that a run does not record
 */
export async function readRun(dir: string): Promise<RecordedRun> {
  const evidence = join(dir, runFiles.evidence);
  const { session } = await readSession(evidence);
  const record = openRecord(evidence, largestBody[session.profile]);
  return recordedRun(
    session,
    record.workers.map((name) => ({ name, exchanges: [...record.exchangesOf(name)] })),
  );
}

/** Builds a run from its workers' exchanges. */
export async function recordedRun(session: Session, workers: readonly WorkerRecord[]): Promise<RecordedRun> {
  const suites = await loadSuites();
  const checks = suites.flatMap(({ title, checks }) =>
    checks.filter((check) => selects(session, check, title)).map((check) => ({ ...check, suite: title })),
  );
  const { recordDir: _, ...unrecorded } = session;
  return { session: unrecorded, workers, checks };
}
