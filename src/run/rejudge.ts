import { join } from "node:path";
import { RecordRefused } from "../evidence/folder.js";
import { assembleResults, verdictFacts } from "../report/assemble-results.js";
import { UsageError } from "../report/failure.js";
import { harness, specification } from "../report/identity.js";
import { readResults } from "../report/read-results.js";
import type { Results, RoundEntry } from "../report/results.js";
import { roundFolder, runFiles, shardFolder } from "../report/write.js";
import { recheck, verdictChanges } from "../session/recheck.js";
import { rejudge } from "../session/rejudge.js";
import { listChecks } from "../session/suites.js";
import { sentOf, type Traffic } from "../session/traffic.js";
import { type Readings, readingLines } from "../specification/readings.js";
import { mergeShards } from "./merge.js";

/**
 * Judges the evidence of a run with this version of the harness.
 *
 * @param evidence folder of the evidence
 * @param before the original results of the run
 * @param readings the readings to judge by; by default those of the run
 */
export async function rejudgeEvidence(evidence: string, before: Results, readings?: Readings): Promise<Results> {
  const startedAt = new Date().toISOString();
  const checks = before.rules.flatMap((rule) => rule.checks);
  const { session, results, requests } = await rejudge(evidence, checks, readings);
  const finishedAt = new Date().toISOString();
  return assembleResults({
    ...verdictFacts(session.readings, await listChecks()),
    results,
    successes: requests.successes,
    broken: session.subjects.broken,
    notImplemented: session.notImplemented,
    problems: [],
    interrupted: false,
    harness,
    specification: specification(),
    target: targetOf(before, requests),
    profile: session.profile,
    seed: session.seed,
    strict: before.strict,
    requireConclusive: before.requireConclusive,
    selection: session.selection,
    ...(before.labels && { labels: before.labels }),
    command: commandWithReadings(session.readings, before),
    startedAt,
    finishedAt,
    requests: sentOf(requests),
    ...(before.evidence && { evidence: before.evidence }),
    subjects: session.subjects,
  });
}

/** The target, marked as embedded only if the recorded answers show that the embedded server gave them. */
function targetOf({ target: { embedded: _, ...target } }: Results, requests: Traffic): Results["target"] {
  return { ...target, ...(requests.embedded && { embedded: true }) };
}

/** The command that repeats a run, with these readings instead. */
function commandWithReadings(readings: Readings, { command }: Results): string {
  return [command.replaceAll(/ --reading \S+/g, ""), ...readingLines(readings)].join(" --reading ");
}

/** Like `rejudgeEvidence`, for the folder of a run. If it was merged from shards, each shard is judged again. */
export async function rejudgeRun(dir: string, before: Results, readings?: Readings): Promise<Results> {
  if (!before.shards) return rejudgeEvidence(join(dir, runFiles.evidence), before, readings);
  const shards: Results[] = [];
  for (const { index } of before.shards) {
    const folder = join(dir, shardFolder(index));
    shards.push(await rejudgeEvidence(join(folder, runFiles.evidence), await readResults(folder), readings));
  }
  return mergeShards(shards, verdictFacts(shards[0]?.readings ?? {}, await listChecks()));
}

/**
 * Checks that the evidence of a run is complete, unaltered, and the one that the results name. For a run merged from shards,
 * checks each shard.
 *
 * @throws RecordRefused when it is not; UsageError for a run in rounds, each of which has its own
 */
export async function verifyRun(dir: string, results: Results): Promise<void> {
  if (results.rounds) throw new UsageError(roundsMessage(dir, results.rounds));
  if (!results.shards) return throwFirst(await recheck(dir, results));
  for (const { index, evidence } of results.shards) {
    const folder = join(dir, shardFolder(index));
    const shard = await readResults(folder);
    if (shard.evidence?.digest !== evidence?.digest)
      throw new RecordRefused(`the evidence that the results in ${folder} name is not the one that was merged`);
    throwFirst(await recheck(folder, shard));
  }
}

/** The message that a run in rounds must be judged round by round, and which rounds were kept. */
export function roundsMessage(dir: string, rounds: readonly RoundEntry[]): string {
  const kept = rounds.filter((round) => round.kept).map(({ index }) => join(dir, roundFolder(index)));
  if (kept.length === 0)
    return `the run in ${dir} was made in rounds, and none of them showed anything: no evidence was kept`;
  return `the run in ${dir} was made in rounds: name one of those that were kept, ${kept.join(" or ")}`;
}

/** Whether exactly this version of the harness produced the results, so that it gives the same ones again. */
export function isOfThisHarness({ harness: usedHarness, specification: { catalogueDigest } }: Results): boolean {
  return usedHarness.version === harness.version && catalogueDigest === specification().catalogueDigest;
}

/**
 * The results of a run with the rule entries judged again from its evidence. Results of another version of the harness are
 * returned unchanged.
 *
 * @throws RecordRefused when the evidence gives a different verdict
 */
export async function rejudgedResults(dir: string, results: Results): Promise<Results> {
  if (!isOfThisHarness(results)) return results;
  const again = await rejudgeEvidence(join(dir, runFiles.evidence), results);
  throwFirst(verdictChanges(results, again));
  return { ...results, rules: again.rules };
}

function throwFirst([contradiction]: readonly string[]): void {
  if (contradiction !== undefined) throw new RecordRefused(contradiction);
}
