import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Verdict } from "../engine/result.js";
import { verifySeal } from "../evidence/seal.js";
import { FileRefused } from "../files/refused.js";
import type { Results, RuleEntry } from "../report/results.js";
import { runFiles } from "../report/write.js";
import { isRuleId } from "../specification/catalogue/index.js";
import { readSession } from "./session-file.js";

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
    if (results.evidence === undefined)
      return [`the results in ${dir} name no sealed evidence: the run ended before it was complete`];
    await verifySeal(evidence, results.evidence.digest);
    const otherSession = await differencesOfSession(evidence, results);
    if (otherSession.length > 0 || judge === undefined) return otherSession;
    return changedVerdicts(results, await judge(evidence, results));
  } catch (error) {
    if (error instanceof FileRefused) return [error.message];
    throw error;
  }
}

/** What the results say of the run that its record says otherwise, a line each. */
async function differencesOfSession(evidence: string, results: Results): Promise<string[]> {
  const { session, catalogueDigest } = await readSession(evidence);
  const pairs: Readonly<Record<string, readonly [said: unknown, recorded: unknown]>> = {
    "base URL": [results.target.baseUrl, session.target.baseUrl],
    profile: [results.profile, session.profile],
    seed: [results.seed, session.seed],
    selection: [results.selection, session.selection],
    readings: [results.readings ?? {}, session.readings],
    "catalogue digest": [results.specification.catalogueDigest, catalogueDigest],
  };
  return Object.entries(pairs)
    .filter(([, [said, recorded]]) => !isDeepStrictEqual(said, recorded))
    .map(([what, [said, recorded]]) => {
      return `the results name the ${what} ${JSON.stringify(said)}, the evidence ${JSON.stringify(recorded)}`;
    });
}

/**
 * The rules that have another verdict in results than by the evidence, and the checks of the others that have, a line each. Rules
 * of the user's own are not judged again.
 */
export function changedVerdicts(said: Results, again: Results): string[] {
  const now = new Map(again.rules.map((rule) => [rule.id, rule]));
  return said.rules.flatMap((rule) => {
    const judged = now.get(rule.id);
    if (!isRuleId(rule.id)) return [];
    if (judged?.verdict !== rule.verdict) return [difference(rule.id, rule.verdict, judged?.verdict)];
    const [before, after] = [verdictsOf(rule), verdictsOf(judged)];
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => difference(`the check "${name}"`, before.get(name), after.get(name)));
  });
}

function verdictsOf({ checks }: RuleEntry): Map<string, Verdict> {
  return new Map(checks.map(({ name, verdict }) => [name, verdict]));
}

function difference(what: string, said = "absent", judged = "absent"): string {
  return `${what} is ${said} in the results, and ${judged} by the evidence`;
}
