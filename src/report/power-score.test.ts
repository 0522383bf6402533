import { expect, test } from "vitest";
import { killedPercent, killedShare, powerLine } from "./power-score.js";

test.each([
  ["is rounded down, so that 100 % means all", { killed: 2999, survived: 1, notExercised: 0 }, "99.9 %"],
  ["is 100 % if nothing survived", { killed: 3, survived: 0, notExercised: 2 }, "100.0 %"],
  ["is nothing to boast of if no fault was exercised", { killed: 0, survived: 0, notExercised: 57 }, "none shown"],
])("the share of killed faults %s", (_, score, share) => {
  expect(killedShare(score)).toBe(share);
});

test("a score without an exercised fault has no percentage", () => {
  const score = { killed: 0, survived: 0, notExercised: 57 };
  expect(killedPercent(score)).toBeUndefined();
  expect(powerLine(score)).toBe("no planted fault changes an answer of this run");
});
