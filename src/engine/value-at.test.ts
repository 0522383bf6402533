import { expect, test } from "vitest";
import { excerptAround, pointerOf, valueAt } from "./value-at.js";

const body = {
  positions: [
    { owner: "0xA", size: 1 },
    { owner: "0xb", size: 2, "a/b": { c: 3 } },
  ],
  total: 2,
};

test("a path leads to a value, or to nothing", () => {
  expect(valueAt(body, "positions[1].owner")).toBe("0xb");
  expect(valueAt(body, "positions[7].owner")).toBeUndefined();
  expect(valueAt(body, "total.more")).toBeUndefined();
  expect(valueAt({ nothing: null }, "nothing.more")).toBeUndefined();
});

test("a path is a JSON pointer, with its special characters escaped", () => {
  expect(pointerOf("positions[1].owner")).toBe("/positions/1/owner");
  expect(pointerOf("positions[1].a/b")).toBe("/positions/1/a~1b");
  expect(pointerOf("")).toBe("");
});

test("an excerpt shows the object that holds the place, the member in question first, and is short", () => {
  expect(excerptAround(body, "positions[0].size")).toBe('{"size":1,"owner":"0xA"}');
  expect(excerptAround(body, "positions[0].missing")).toBe('{"owner":"0xA","size":1}');
  expect(excerptAround({ a: 1, b: 2, c: 3, d: 4 }, "d", "3 (= c)")).toBe('{"d":4,"c":3,"a":1,"b":2}');
  expect(excerptAround(body, "positions[1]")).toContain("0xb");
  expect(excerptAround(body, "nothing.here")).toBe("");
  expect(excerptAround({ text: "x".repeat(5000) }, "text").length).toBeLessThanOrEqual(240);
});
