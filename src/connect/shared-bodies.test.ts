import { expect, test } from "vitest";
import { sharedBody } from "./shared-bodies.js";

test("equal bodies of an operation are read once", () => {
  const text = '{"orders":[],"totalOrderCount":"0"}';
  const parsed = sharedBody("GetAllOrders", text).parsed;
  expect(parsed).toEqual({ value: { orders: [], totalOrderCount: "0" } });
  expect(sharedBody("GetAllOrders", text.slice()).parsed).toBe(parsed);
  expect(sharedBody("GetOrders", text).parsed).not.toBe(parsed);
});

test("a body that is no JSON is remembered with the reason", () => {
  expect(sharedBody("GetOrders", "<html>").parsed).toEqual({ error: expect.any(String) });
});

test("only the latest bodies are remembered", () => {
  const large = (name: string) => JSON.stringify({ name, blanks: " ".repeat(3 * 1024 * 1024) });
  const [first, second, third] = ["first", "second", "third"].map(large) as [string, string, string];
  const before = [first, second].map((text) => sharedBody("GetOrderBook", text));
  expect(sharedBody("GetOrderBook", first)).toBe(before[0]);
  sharedBody("GetOrderBook", third);
  expect(sharedBody("GetOrderBook", first)).toBe(before[0]);
  expect(sharedBody("GetOrderBook", second)).not.toBe(before[1]);
});
