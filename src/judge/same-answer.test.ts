import { expect, test } from "vitest";
import { sameAnswer } from "./same-answer.js";

test("an id that only one of two answers has is a difference; one that neither has tells nothing", () => {
  const same = sameAnswer("GetMarketIdByName", "as for the plain symbol");
  expect(same({ marketId: "7" }, { marketId: "7" })).toEqual({ examined: 1, violations: [] });
  const [violation] = same({ marketId: "8" }, { marketId: "7" }).violations;
  expect(violation).toMatchObject({ expected: "8 (as for the plain symbol)", seen: "7", answer: 1 });
  expect(same({ marketId: "0" }, { marketId: "7" }).violations).toHaveLength(1);
  expect(same({ marketId: "7" }, {}).violations).toHaveLength(1);
  expect(same({}, { marketId: "0" }).examined).toBe(0);
});
