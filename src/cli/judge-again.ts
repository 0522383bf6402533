import { harness, specification } from "../report/identity.js";
import { assembleResults, type Results } from "../report/results.js";
import { rejudge } from "../run/rejudge.js";
import { listChecks } from "../run/suites.js";
import { catalogueUnder, type Readings, readingLines, rulingsUnder } from "../spec/readings.js";

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
    command: before.command,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    requests,
    ...(before.evidence ? { evidence: before.evidence } : {}),
    subjects: session.subjects,
  });
}
