import { join } from "node:path";
import { verifySeal } from "../evidence/seal.js";
import { harness, specification } from "../report/identity.js";
import { assembleResults, type Results } from "../report/results.js";
import { readResults, runFiles, shardFolder } from "../report/write.js";
import { rejudge } from "../run/rejudge.js";
import { listChecks } from "../run/suites.js";
import { catalogueUnder, type Readings, readingLines, rulingsUnder } from "../spec/readings.js";
import { mergeShards } from "./merge-shards.js";

/**
 * The results that this version of the harness gives on the evidence of a run.
 *
 * @param evidence folder of the evidence
 * @param before the results that the run came to
 * @param readings the readings to judge by; those of the run when absent
 */
export async function judgeAgain(evidence: string, before: Results, readings?: Readings): Promise<Results> {
  const startedAt = new Date();
  const checks = before.rules.flatMap((rule) => rule.checks);
  const { session, results, requests } = await rejudge(evidence, checks, readings);
  const finishedAt = new Date();
  return assembleResults({
    catalogue: catalogueUnder(session.readings),
    rulings: rulingsUnder(session.readings),
    checks: await listChecks(),
    results,
    problems: [],
    interrupted: false,
    harness,
    specification: specification(),
    target: before.target,
    profile: session.profile,
    seed: session.seed,
    strict: before.strict,
    selection: session.selection,
    ...(readingLines(session.readings).length > 0 ? { readings: session.readings } : {}),
    command: commandUnder(session.readings, before),
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    requests,
    ...(before.evidence ? { evidence: before.evidence } : {}),
    subjects: session.subjects,
  });
}

/** The command that repeats a run, under other readings. */
function commandUnder(readings: Readings, { command }: Results): string {
  return [command.replaceAll(/ --reading \S+/g, ""), ...readingLines(readings)].join(" --reading ");
}

/** The same for the folder of a run. Of one that was merged from shards, each shard is judged again. */
export async function judgeRunAgain(dir: string, before: Results, readings?: Readings): Promise<Results> {
  if (!before.shards) return judgeAgain(join(dir, runFiles.evidence), before, readings);
  const shards: Results[] = [];
  for (const { index } of before.shards) {
    const folder = join(dir, shardFolder(index));
    shards.push(await judgeAgain(join(folder, runFiles.evidence), await readResults(folder), readings));
  }
  const under = shards[0]?.readings ?? {};
  const known = { catalogue: catalogueUnder(under), rulings: rulingsUnder(under), checks: await listChecks() };
  return mergeShards(shards, known);
}

/**
 * Checks that the evidence of a run is complete and unaltered, that of each of its shards if it was merged from some.
 *
 * @throws RecordRefused when it is not
 */
export async function verifyRun(dir: string, { evidence, shards }: Results): Promise<void> {
  const records = shards?.map((shard) => ({ ...shard, folder: join(dir, shardFolder(shard.index)) }));
  for (const record of records ?? [{ folder: dir, evidence }])
    await verifySeal(join(record.folder, runFiles.evidence), record.evidence?.digest);
}
