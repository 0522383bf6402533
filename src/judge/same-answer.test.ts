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

test("two streams show the same in their first message, and in the last that was seen", () => {
  const same = sameAnswer("GetOpenPositionsStreaming", "as for the plain address");
  const stream = (...messages: readonly (readonly string[])[]) => ({
    messages: messages.map((ids) => ({
      body: { positions: ids.map((positionId) => ({ positionId, marketId: "1" })) },
    })),
  });
  const judged = (...messages: readonly (readonly string[])[]) =>
    same(stream(["1", "2"], ["1", "2"]), stream(...messages)).violations.map(({ path }) => path);
  expect(judged(["2", "1"], ["1"], ["1", "2"])).toEqual([]);
  expect(judged(["1", "2"], ["1", "2"], ["1"])).toEqual(["messages[2].positions"]);
  expect(judged(["1"], ["1", "2"])).toEqual(["messages[0].positions"]);
  // One that has not brought a message yet tells nothing (T1).
  expect(same(stream(["1"]), stream())).toMatchObject({ examined: 0, violations: [] });
});

test("two answers without rows tell nothing", () => {
  const page = (...ids: readonly string[]) => ({
    orders: ids.map((orderId) => ({ orderId, timestamp: "2026-01-01T00:00:00Z" })),
  });
  for (const endpoint of ["GetAllOrders", "GetOrders"] as const) {
    const same = sameAnswer(endpoint, "as for the plain address");
    expect(same(page(), page())).toMatchObject({ examined: 0, violations: [] });
    expect(same(page("1"), page()).violations).toHaveLength(1);
    expect(same(page(), page("1")).violations).toHaveLength(1);
    expect(same(page("1"), page("1")).examined).toBeGreaterThan(0);
  }
});
