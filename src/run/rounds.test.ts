import { describe, expect, test } from "vitest";
import type { CheckResult, Verdict } from "../engine/result.js";
import { checkResult, factsOf, resultsOf, ruleOf } from "../report/run.fixture.js";
import { commandFor } from "../report/wording.js";
import { Rounds } from "./rounds.js";

const rules = ["sample.one", "sample.two"].map((id) => ruleOf(id));
const command = "npx perp-conformance run --base-url http://x --seed 7 --for 60s";
const { catalogue, rulings, checks, startedAt, finishedAt } = factsOf({ catalogue: rules });
const common = { catalogue, rulings, checks, seed: 7, command, startedAt, finishedAt };

/** A round in which the two rules have these verdicts. */
function round(seed: number, [one, two]: readonly [Verdict, Verdict], change: Partial<CheckResult> = {}) {
  const results = [checkResult("sample.one", one, change), checkResult("sample.two", two)];
  return { ...resultsOf({ catalogue, results, seed }), evidence: { digest: `of seed ${seed}` } };
}

const verdictsOf = (rounds: Rounds) => rounds.results(common).rules.map(({ verdict }) => verdict);

describe("the rounds of a run", () => {
  test("count together: traffic, assertions, and the rounds themselves", () => {
    const rounds = new Rounds();
    for (const seed of [7, 8]) rounds.add(round(seed, ["pass", "pass"]));
    const { rounds: entries, requests, rules: entriesOfRules, summary, seed } = rounds.results(common);
    expect(entries?.map(({ index, seed: of, conclusion }) => [index, of, conclusion])).toEqual([
      [1, 7, "conformant"],
      [2, 8, "conformant"],
    ]);
    expect(seed).toBe(7);
    expect(requests.count).toBe(60);
    expect(summary.conclusion).toBe("conformant");
    expect(entriesOfRules[0]?.checks[0]).toMatchObject({ assertions: 6, requests: 2, exchanges: [] });
  });

  test("give each check its most severe verdict; what was settled once is settled", () => {
    const rounds = new Rounds();
    rounds.add(round(7, ["inconclusive", "pass"]));
    rounds.add(round(8, ["pass", "inconclusive"]));
    expect(verdictsOf(rounds)).toEqual(["pass", "pass"]);
    rounds.add(round(9, ["fail", "error"]));
    rounds.add(round(10, ["pass", "pass"]));
    expect(verdictsOf(rounds)).toEqual(["fail", "error"]);
  });

  test("a failure names the first round that shows it, and the seed that repeats it", () => {
    const rounds = new Rounds();
    rounds.add(round(7, ["pass", "pass"]));
    rounds.add(round(8, ["fail", "pass"]));
    rounds.add(round(9, ["fail", "pass"]));
    const results = rounds.results(common);
    const [rule] = results.rules;
    const [check] = rule?.checks ?? [];
    expect(check?.message).toBe("found in 2 of 3 rounds, first in round 2: --seed 8 repeats it");
    expect(check?.round).toEqual({ index: 2, seed: 8 });
    expect(check?.violations?.[0]?.exchange).toBe("rounds/2: x/1");
    expect(rule && commandFor(results, rule)).toBe(
      "npx perp-conformance run --base-url http://x --seed 8 --rule sample.one",
    );
  });

  test("a failure on a stream is repeated with streams that are watched for as long", () => {
    const rounds = new Rounds();
    rounds.add(round(7, ["fail", "pass"], { endpoint: "GetOpenPositionsStreaming" }));
    const results = rounds.results(common);
    const [rule] = results.rules;
    expect(rule?.checks[0]?.message).toBe("found in 1 of 1 round, first in round 1: --seed 7 --for 30s repeats it");
    expect(rule && commandFor(results, rule)).toContain(" --seed 7 --for 30s --rule sample.one");
  });

  test("are kept where they show what no earlier one shows, with their evidence", () => {
    const rounds = new Rounds();
    const kept = [
      rounds.add(round(7, ["pass", "pass"])),
      rounds.add(round(8, ["fail", "pass"])),
      rounds.add(round(9, ["fail", "pass"])),
      rounds.add(round(10, ["pass", "fail"])),
    ];
    expect(kept).toEqual([false, true, false, true]);
    expect(rounds.results(common).rounds?.map(({ kept: is, evidence }) => [is, evidence?.digest])).toEqual([
      [undefined, undefined],
      [true, "of seed 8"],
      [undefined, undefined],
      [true, "of seed 10"],
    ]);
  });

  test("one that broke off lets no run be complete", () => {
    const rounds = new Rounds();
    rounds.add(round(7, ["pass", "pass"]));
    rounds.add({ ...round(8, ["pass", "pass"]), incomplete: true, problems: ["nobody answers"] });
    expect(rounds.results(common)).toMatchObject({ incomplete: true, problems: ["round 2: nobody answers"] });
  });
});
