import { expect, test } from "vitest";
import { contextOn } from "./context.fixture.js";
import { unexplored } from "./explored.js";

test("what was not asked for is blocked by the operation that would have told what to ask for", () => {
  const broken = { operation: "GetMarketConfigs", kind: "absent", answered: "HTTP 404" } as const;
  const context = contextOn({ broken: [broken] }, () => ({}));
  const reason = "needs an answer of GetOrderBook of the kind";
  expect(unexplored(context, "GetOrderBook", "of the kind")).toEqual({ reason, blockedBy: broken });
  expect(
    unexplored(
      contextOn({ broken: [] }, () => ({})),
      "GetOrderBook",
      "of the kind",
    ),
  ).toEqual({ reason });
  expect(unexplored(context, "GetAllPositions", "of the kind")).not.toHaveProperty("blockedBy");
});
