import { describe, expect, test } from "vitest";
import type { Verdict } from "../verdict/result.js";
import { detectionMatrix, type Trial } from "./matrix.js";

const rules = [
  { id: "a.one", level: "mandatory" },
  { id: "a.two", level: "mandatory" },
] as const;

function trial(departure: Trial["departure"], verdicts: Record<string, Verdict>, trouble?: string): Trial {
  const entries = Object.entries(verdicts).map(([rule, verdict]) => [rule, { verdict, message: "seen" }] as const);
  return { departure, verdicts: new Map(entries), ...(trouble ? { trouble } : {}) };
}
const mutant = (name: string, breaks: string, verdicts: Record<string, Verdict>, companions: string[] = []) =>
  trial({ name, kind: "mutant", summary: "", breaks, companions }, verdicts);
const variant = (name: string, verdicts: Record<string, Verdict>) =>
  trial({ name, kind: "variant", summary: "" }, verdicts);

const one = mutant("m1", "a.one", { "a.one": "fail", "a.two": "pass" });
const two = mutant("m2", "a.two", { "a.one": "pass", "a.two": "fail" });

describe("the detection matrix", () => {
  test("holds when each rule catches its mutant alone, and no variant raises an alarm", () => {
    const matrix = detectionMatrix(rules, [one, two, variant("v", { "a.one": "pass", "a.two": "inconclusive" })], true);
    expect(matrix.problems).toEqual([]);
    expect(matrix.rules.map(({ caughtAlone }) => caughtAlone)).toEqual([true, true]);
    expect(matrix.variants[0]).toMatchObject({ judged: 2, inconclusive: 1, alarms: [] });
  });

  test.each(["pass", "inconclusive", "unimplemented", "error"] as const)(
    "counts a mutant whose rule is %s as missed, even if another rule caught it",
    (verdict) => {
      const missed = mutant("m1", "a.one", { "a.one": verdict, "a.two": "fail" });
      const { rules: detections, problems } = detectionMatrix(rules, [missed, two], true);
      expect(detections[0]).toMatchObject({ caught: [], missed: ["m1"] });
      expect(detections[1]).toMatchObject({ caught: ["m2"], others: ["m1"] });
      expect(problems.join("\n")).toMatch(/m1 breaks a\.one, which is/);
      expect(problems).toContain("no mutant of the rule a.one is caught by it");
    },
  );

  test("does not hold for a rule without a mutant, unless only a part was tried", () => {
    expect(detectionMatrix(rules, [one], true).problems).toEqual(["no mutant of the rule a.two is caught by it"]);
    expect(detectionMatrix(rules, [one], false).problems).toEqual([]);
  });

  test("does not hold when a mutant makes an unrelated rule fail, warn or err; companions are allowed", () => {
    for (const verdict of ["fail", "warn", "error"] as const) {
      const stray = { "a.one": "fail", "a.two": verdict } as const;
      expect(detectionMatrix(rules, [mutant("m1", "a.one", stray), two], true).problems).toHaveLength(1);
      expect(detectionMatrix(rules, [mutant("m1", "a.one", stray, ["a.two"]), two], true).problems).toEqual([]);
    }
  });

  test("does not count a mutant that its companions caught too as one that the rule catches alone", () => {
    const together = mutant("m1", "a.one", { "a.one": "fail", "a.two": "fail" }, ["a.two"]);
    expect(detectionMatrix(rules, [together, two], true).rules[0]).toMatchObject({
      caught: ["m1"],
      caughtAlone: false,
    });
  });

  test("does not hold when a variant raises an alarm", () => {
    const { problems } = detectionMatrix(rules, [one, two, variant("v", { "a.two": "warn" })], true);
    expect(problems).toEqual(["false alarm on the variant v: a.two is warn: seen"]);
  });

  test("does not hold when a trial could not be made", () => {
    const broken = trial({ name: "v", kind: "variant", summary: "" }, {}, "no server");
    expect(detectionMatrix(rules, [one, two, broken], true).problems).toEqual(["v: the trial broke: no server"]);
  });
});
