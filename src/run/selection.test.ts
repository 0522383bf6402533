import { describe, expect, test } from "vitest";
import { selectionOf } from "./selection.js";

const checks = [
  { rule: "get-all-positions.limit-default", suite: "§4.1 GetAllPositions" },
  { rule: "get-all-orders.limit-default", suite: "§4.3 GetAllOrders" },
];
const select = (rule: string[], suite: string[]) => selectionOf({ rule, suite }, checks);

describe("a selection", () => {
  test("of nothing is everything", () => {
    expect(select([], [])).toEqual({ rules: [], suites: [] });
  });

  test.each(["§4.3 GetAllOrders", "§4.3", "4.3", "GetAllOrders", " getallorders "])("knows a suite as %j", (name) => {
    expect(select([], [name]).suites).toEqual(["§4.3 GetAllOrders"]);
  });

  test("names the nearest rules when there is none of that id", () => {
    expect(() => select(["get-all-position.limit-default"], [])).toThrow(
      /^there is no rule "get-all-position.limit-default" \(did you mean "get-all-positions.limit-default"\?\); /,
    );
  });

  test("names the nearest suite when there is none of that name", () => {
    expect(() => select([], ["§4.1 GetAllPosition"])).toThrow(
      'there is no suite "§4.1 GetAllPosition" (did you mean "§4.1 GetAllPositions"?)',
    );
    expect(() => select([], ["GetAllOders"])).toThrow('there is no suite "GetAllOders" (did you mean "GetAllOrders"?)');
    expect(() => select([], ["candles"])).toThrow(/known: §4.1 GetAllPositions, §4.3 GetAllOrders/);
  });

  test("without any check is refused", () => {
    expect(() => select(["get-all-orders.limit-default"], ["4.1"])).toThrow("no check belongs to what");
  });
});
