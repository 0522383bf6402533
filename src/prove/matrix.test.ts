import { describe, expect, test } from "vitest";
import type { Verdict } from "../engine/result.js";
import { detectionMatrix, type ProofRequirements, type Trial } from "./matrix.js";

const rules = [
  { id: "a.one", level: "mandatory" },
  { id: "a.two", level: "mandatory" },
] as const;

function matrixOf(trials: readonly Trial[], demands: Partial<ProofRequirements> = {}) {
  return detectionMatrix(trials, { rules, checks: [], detections: {}, complete: true, ...demands });
}

function trial(modification: Trial["modification"], verdicts: Record<string, Verdict>, trouble?: string): Trial {
  const entries = Object.entries(verdicts).map(([rule, verdict]) => [rule, { verdict, message: "seen" }] as const);
  const failing = Object.keys(verdicts).filter((rule) => verdicts[rule] === "fail");
  return { modification, verdicts: new Map(entries), failingChecks: failing.map(checkOf), ...(trouble && { trouble }) };
}
const checkOf = (rule: string) => `${rule} on GetOrders`;
const mutant = (name: string, breaks: string, verdicts: Record<string, Verdict>, alsoFails: string[] = []) =>
  trial({ name, kind: "mutant", summary: "", breaks, alsoFails }, verdicts);
const variant = (name: string, verdicts: Record<string, Verdict>) =>
  trial({ name, kind: "variant", summary: "" }, verdicts);

const one = mutant("m1", "a.one", { "a.one": "fail", "a.two": "pass" });
const two = mutant("m2", "a.two", { "a.one": "pass", "a.two": "fail" });

describe("the detection matrix", () => {
  test("holds when each rule kills its mutant alone, and no rule fails on a variant", () => {
    const matrix = matrixOf([one, two, variant("v", { "a.one": "pass", "a.two": "inconclusive" })], { complete: true });
    expect(matrix.problems).toEqual([]);
    expect(matrix.rules.map(({ killedAlone }) => killedAlone)).toEqual([true, true]);
    expect(matrix.variants[0]).toMatchObject({ judged: 2, inconclusive: 1, falsePositives: [] });
  });

  test.each(["pass", "inconclusive", "unimplemented", "error"] as const)(
    "counts a mutant whose rule is %s as survived, even if another rule killed it",
    (verdict) => {
      const survived = mutant("m1", "a.one", { "a.one": verdict, "a.two": "fail" });
      const { rules: detections, problems } = matrixOf([survived, two], { complete: true });
      expect(detections[0]).toMatchObject({ killed: [], survived: ["m1"] });
      expect(detections[1]).toMatchObject({ killed: ["m2"], others: ["m1"] });
      expect(problems.join("\n")).toMatch(/m1 survived: the rule that it breaks, a\.one, is/);
      expect(problems).toContain("no mutant of the rule a.one is killed by it");
    },
  );

  test("does not hold for a rule without a mutant, unless only a part was tried", () => {
    expect(matrixOf([one], { complete: true }).problems).toEqual(["no mutant of the rule a.two is killed by it"]);
    expect(matrixOf([one], { complete: false }).problems).toEqual([]);
  });

  test("does not hold when a mutant makes an unrelated rule fail, warn or err; alsoFails are allowed", () => {
    for (const verdict of ["fail", "warn", "error"] as const) {
      const stray = { "a.one": "fail", "a.two": verdict } as const;
      expect(matrixOf([mutant("m1", "a.one", stray), two], { complete: true }).problems).toHaveLength(1);
      expect(matrixOf([mutant("m1", "a.one", stray, ["a.two"]), two], { complete: true }).problems).toEqual([]);
    }
  });

  test("does not count a mutant that its alsoFails killed too as one that the rule catches alone", () => {
    const together = mutant("m1", "a.one", { "a.one": "fail", "a.two": "fail" }, ["a.two"]);
    expect(matrixOf([together, two], { complete: true }).rules[0]).toMatchObject({
      killed: ["m1"],
      killedAlone: false,
    });
  });

  test("lets a variant be warned about by the advisory rules that it names, and by no other", () => {
    const warned = (warns: readonly string[], verdict: Verdict) =>
      matrixOf([one, two, trial({ name: "v", kind: "variant", summary: "", warns }, { "a.two": verdict })]).problems;
    expect(warned(["a.two"], "warn")).toEqual([]);
    expect(warned(["a.one"], "warn")).toHaveLength(1);
    expect(warned(["a.two"], "fail")).toHaveLength(1);
  });

  test("does not hold when a rule fails on a variant", () => {
    const { problems } = matrixOf([one, two, variant("v", { "a.two": "warn" })], { complete: true });
    expect(problems).toEqual(["false positive on the variant v: a.two is warn: seen"]);
  });

  test("does not hold when a trial could not be made", () => {
    const broken = trial({ name: "v", kind: "variant", summary: "" }, {}, "no server");
    expect(matrixOf([one, two, broken], { complete: true }).problems).toEqual(["v: the trial broke: no server"]);
  });

  test("does not hold for a check that no mutant makes fail, unless only a part was tried", () => {
    const checks = [checkOf("a.one"), checkOf("a.two"), "a.two on GetPortfolio", "a.two on GetPortfolio: twice"];
    const { neverRed, problems } = matrixOf([one, two], { checks });
    expect(neverRed).toEqual(["a.two: twice"]);
    expect(problems).toEqual(["no mutant makes this check fail on any operation: a.two: twice"]);
    expect(matrixOf([one, two], { checks, complete: false }).problems).toEqual([]);
  });

  test("does not hold when a trial that is judged again comes to a different verdict", () => {
    const { problems } = matrixOf([{ ...one, differing: ["a.two on GetOrders: pass, then fail"] }, two]);
    expect(problems).toEqual(["m1, judged again from what was exchanged: a.two on GetOrders: pass, then fail"]);
  });

  test("does not hold when a check no longer finds a mutant that it is known to find", () => {
    const detections = { m1: [checkOf("a.one"), "a.one on GetPortfolio"], m3: ["a.one on GetPortfolio"] };
    const lost = ["a check no longer finds the mutant m1: a.one on GetPortfolio"];
    expect(matrixOf([one, two], { detections }).problems).toEqual(lost);
    expect(matrixOf([one], { detections, complete: false }).problems).toEqual(lost);
  });
});
