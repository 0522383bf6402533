import { expect, test } from "vitest";
import { positionJson } from "./rows.fixture.js";
import { judgeWireRule } from "./wire-rule.js";

const RULE = "position.margin-type-isolated";
const isolated = positionJson({ marginType: "MARGIN_TYPE_ISOLATED" });
const cross = positionJson({ marginType: "MARGIN_TYPE_CROSS" });

test("gives what the schemas find of one rule", () => {
  expect(judgeWireRule(RULE, "GetAllPositions", { positions: [isolated] })).toMatchObject({ violations: [] });
  const broken = { positions: [isolated, cross] };
  expect(judgeWireRule(RULE, "GetAllPositions", broken).violations).toMatchObject([
    { path: "positions[1].marginType", expected: "MARGIN_TYPE_ISOLATED", seen: '"MARGIN_TYPE_CROSS"' },
  ]);
  expect(judgeWireRule("wire.side-values", "GetAllPositions", broken).violations).toEqual([]);
});

test("says in which message of a stream it was", () => {
  const messages = [{ body: { positions: [isolated] } }, { body: { positions: [cross] } }];
  const { violations } = judgeWireRule(RULE, "GetOpenPositionsStreaming", { messages });
  expect(violations.map(({ path }) => path)).toEqual(["messages[1].positions[0].marginType"]);
});

test("says that nothing was seen where the rule found nothing to judge", () => {
  expect(judgeWireRule(RULE, "GetAllPositions", {}).examined).toBe(0);
  expect(judgeWireRule(RULE, "GetOpenPositionsStreaming", { messages: [] })).toMatchObject({
    examined: 0,
    missing: expect.stringContaining("a field"),
  });
});
