import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Verdict } from "../engine/result.js";
import { verifySeal } from "../evidence/seal.js";
import { FileRefused } from "../files/refused.js";
import type { Results, RuleEntry } from "../report/results.js";
import { runFiles } from "../report/write.js";
import { isRuleId } from "../specification/catalogue/index.js";
import type { Readings } from "../specification/readings.js";
import { readSession } from "./session-file.js";

/** Judges a folder of evidence again, as `rejudge` does; by other readings if they are given. */
export type Judge = (evidence: string, before: Results, readings?: Readings) => Promise<Results>;

/**
 * Checks the results of a run against its evidence. Returns one line per contradiction (an altered record, another session,
 * a different verdict); empty if the evidence supports the results.
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
    return verdictChanges(results, await judge(evidence, results));
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
 * Compares results with those that the evidence gives now: one line for each rule that has a different verdict or level, for
 * each differing check of the other rules, and for another conclusion. User-defined rules are skipped, since they are not
 * judged again.
 */
export function verdictChanges(said: Results, again: Results): string[] {
  const [before, after] = [rulesOf(said), rulesOf(again)];
  const ids = [...new Set([...before.keys(), ...after.keys()])].filter(isRuleId);
  const changed = ids.flatMap((id) => differencesOfRule(id, before.get(id), after.get(id)));
  const isWhole = said.problems.length === 0 && !said.incomplete && !said.rules.some(({ own }) => own);
  const [told, given] = [said.summary.conclusion, again.summary.conclusion];
  return isWhole && changed.length === 0 && told !== given ? [difference("the conclusion", told, given)] : changed;
}

function rulesOf({ rules }: Results): Map<string, RuleEntry> {
  return new Map(rules.map((rule) => [rule.id, rule]));
}

function differencesOfRule(id: string, ruleBefore: RuleEntry | undefined, ruleAfter: RuleEntry | undefined): string[] {
  if (ruleBefore?.verdict !== ruleAfter?.verdict || !ruleBefore || !ruleAfter)
    return [difference(id, ruleBefore?.verdict, ruleAfter?.verdict)];
  if (ruleBefore.level !== ruleAfter.level)
    return [difference(`the level of ${id}`, ruleBefore.level, ruleAfter.level)];
  const [before, after] = [verdictsOf(ruleBefore), verdictsOf(ruleAfter)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => difference(`the check "${name}"`, before.get(name), after.get(name)));
}

function verdictsOf({ checks }: RuleEntry): Map<string, Verdict> {
  return new Map(checks.map(({ name, verdict }) => [name, verdict]));
}

function difference(what: string, said = "absent", judged = "absent"): string {
  return `${what} is ${said} in the results, and ${judged} by the evidence`;
}
