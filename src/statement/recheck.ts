import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { RecordRefused, verifySeal } from "../evidence/seal.js";
import type { Results } from "../report/results.js";
import { runFiles } from "../report/write.js";
import { readSession } from "../run/session-file.js";
import { isRuleId } from "../spec/catalogue/index.js";

/** Gives the results of a folder of evidence again, as `rejudge` does. */
export type Judge = (evidence: string, before: Results) => Promise<Results>;

/**
 * What of the results of a run does not follow from its evidence, a line each: an altered record, another session, another
 * verdict. Empty when the evidence bears them out.
 *
 * @param dir folder of the run
 * @param judge judges the evidence again; its verdicts are not compared when it is absent
 */
export async function recheck(dir: string, results: Results, judge?: Judge): Promise<string[]> {
  const evidence = join(dir, runFiles.evidence);
  try {
    await verifySeal(evidence, results.evidence?.digest);
  } catch (error) {
    if (error instanceof RecordRefused) return [error.message];
    throw error;
  }
  const otherSession = await differencesOfSession(evidence, results);
  if (otherSession.length > 0 || judge === undefined) return otherSession;
  return changedVerdicts(results, await judge(evidence, results));
}

/** What the results say of the run that its record says otherwise. */
async function differencesOfSession(evidence: string, results: Results): Promise<string[]> {
  const { session, catalogueDigest } = await readSession(evidence);
  const pairs: Readonly<Record<string, readonly [said: unknown, recorded: unknown]>> = {
    "base URL": [results.target.baseUrl, session.target.baseUrl],
    profile: [results.profile, session.profile],
    seed: [results.seed, session.seed],
    selection: [results.selection, session.selection],
    "catalogue digest": [results.specification.catalogueDigest, catalogueDigest],
  };
  return Object.entries(pairs)
    .filter(([, [said, recorded]]) => !isDeepStrictEqual(said, recorded))
    .map(([what, [said, recorded]]) => {
      return `the results name the ${what} ${JSON.stringify(said)}, the evidence ${JSON.stringify(recorded)}`;
    });
}

function changedVerdicts(said: Results, again: Results): string[] {
  const now = new Map(again.rules.map(({ id, verdict }) => [id, verdict]));
  return said.rules
    .filter(({ id, verdict }) => isRuleId(id) && now.get(id) !== verdict)
    .map(({ id, verdict }) => `${id} is ${verdict} in the results, and ${now.get(id)} by the evidence`);
}
