/** A recorded run in memory: what `power` plants faults into. */
import { join } from "node:path";
import type { Exchange } from "../connect/exchange.js";
import type { CheckDefinition } from "../engine/suite.js";
import { openRecord } from "../evidence/read-record.js";
import { runFiles } from "../report/write.js";
import { selects } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import { readSession } from "../session/session-file.js";
import { loadSuites } from "../session/suites.js";
import { includes, largestBody } from "../specification/profile.js";

/** What one worker of the run exchanged, in order. */
export interface WorkerRecord {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
}

/** A run that is judged again with faults in it. */
export interface RecordedRun {
  readonly session: Session;
  readonly workers: readonly WorkerRecord[];
  /** The checks that the run made, in the order of the suites. */
  readonly checks: readonly MadeCheck[];
}

/** A check, and the suite that it is in: one worker makes all checks of a suite. */
export interface MadeCheck extends CheckDefinition {
  readonly suite: string;
}

/** The name of the worker that found the subjects: what it was answered is no evidence of rules. */
export const discoveryWorker = "discovery";

/**
 * Reads the evidence of a run, with all of its bodies.
 *
 * @param dir folder of the run
 * @throws RecordRefused when it has anything that no run records
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

/** A run from what its workers exchanged. */
export async function recordedRun(session: Session, workers: readonly WorkerRecord[]): Promise<RecordedRun> {
  const suites = await loadSuites();
  const checks = suites.flatMap(({ title, checks }) =>
    checks
      .filter((check) => selects(session.selection, check.rule, title) && includes(session.profile, check.profile))
      .map((check) => ({ ...check, suite: title })),
  );
  const { recordDir: _, ...unrecorded } = session;
  return { session: unrecorded, workers, checks };
}

/** The name of the check that an exchange was made for: what stands before the last `#` of its id. */
export function checkOf({ id }: Pick<Exchange, "id">): string {
  return id.slice(0, id.lastIndexOf("#"));
}
