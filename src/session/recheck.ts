import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Verdict } from "../engine/result.js";
import { verifySeal } from "../evidence/seal.js";
import { FileRefused } from "../files/refused.js";
import type { Results, RuleEntry } from "../report/results.js";
import { runFiles } from "../report/write.js";
import { isRuleId } from "../specification/catalogue/index.js";
import { readSession } from "./session-file.js";

/** Judges a folder of evidence again and returns the results, as `rejudge` does. */
export type Judge = (evidence: string, before: Results) => Promise<Results>;

/**
 * Checks the results of a run against its evidence. Returns one line per contradiction (an altered record, another session,
 * another verdict); empty if the evidence supports the results.
 *
 * @param dir folder of the run
 * @param judge judges the evidence again; if absent, verdicts are not compared
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

/** Differences between what the results and the recorded session say about the run, one line each. */
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
 * Compares verdicts from results with those that the evidence gives now: one line for each rule that differs, and for each
 * differing check of the other rules. User-defined rules are skipped, since they are not judged again.
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
