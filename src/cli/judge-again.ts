import { harness, specification } from "../report/identity.js";
import { assembleResults, type Results } from "../report/results.js";
import { rejudge } from "../run/rejudge.js";
import { listChecks } from "../run/suites.js";
import { catalogue } from "../spec/catalogue/index.js";
import { rulings } from "../spec/rulings.js";

/**
 * The results that this version of the harness gives on the evidence of a run.
 *
 * @param evidence folder of the evidence
 * @param before the results that the run came to
 */
export async function judgeAgain(evidence: string, before: Results): Promise<Results> {
  const startedAt = new Date();
  const checks = before.rules.flatMap((rule) => rule.checks);
  const { session, results, requests } = await rejudge(evidence, checks);
  const finishedAt = new Date();
  return assembleResults({
    catalogue,
    rulings,
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
    command: before.command,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    requests,
    ...(before.evidence ? { evidence: before.evidence } : {}),
    subjects: session.subjects,
  });
}
