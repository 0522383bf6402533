import { expect, test } from "vitest";
import { longestCheckMs } from "./longest-check.js";

const usual = { timeoutMs: 10_000, concurrency: 8 };

test("a check is given the time that its turn may take at the user's settings", () => {
  expect(longestCheckMs(usual)).toBe(150_000 + 1_200 * 1_250);
  expect(longestCheckMs({ ...usual, concurrency: 1 })).toBe(150_000 + 1_200 * 10_000);
  expect(longestCheckMs({ ...usual, timeoutMs: 600_000 })).toBe(150_000 + 1_200 * 75_000);
  expect(longestCheckMs({ ...usual, rate: 1_000 })).toBe(longestCheckMs(usual));
  expect(longestCheckMs({ ...usual, rate: 0.5 })).toBe(150_000 + 1_200 * 2_000);
});
