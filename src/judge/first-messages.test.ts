import { describe, expect, test } from "vitest";
import {
  firstMessageDoubt,
  firstMessageWithin,
  secondMessageDoubt,
  secondMessageWindow,
  secondMessageWithin,
} from "./first-messages.js";
import { watched } from "./watched-stream.fixture.js";

describe("the first message (T1)", () => {
  test.each([
    [10_000, 0, 1_000],
    [60_000, 0, 6_000],
    [100, 0, 1_000],
    [10_000, 230, 1_230],
  ])("at %d ms on a path of %d ms is due within %d ms", (intervalMs, roundTripMs, limitMs) => {
    const judge = firstMessageWithin(intervalMs, roundTripMs);
    expect(judge(watched([limitMs]))).toEqual({ examined: 1, violations: [] });
    expect(judge(watched([limitMs + 1])).violations).toHaveLength(1);
    expect(judge(watched([], { windowMs: limitMs + 1 })).violations).toHaveLength(1);
    expect(judge(watched([], { windowMs: limitMs }))).toMatchObject({ examined: 0, violations: [] });
  });

  test("is not judged on a stream that ended before it was due", () => {
    expect(firstMessageWithin(10_000, 0)(watched([], { windowMs: 3_000, ended: "closed" })).examined).toBe(0);
  });

  test("is doubted when it was late and our own loop lagged for a third of the time allowed", () => {
    const doubt = firstMessageDoubt(10_000);
    expect(doubt(watched([1_200], { loopLagMs: 333 }))).toBeUndefined();
    expect(doubt(watched([1_200], { loopLagMs: 334 }))).toContain("334 ms");
    expect(doubt(watched([], { loopLagMs: 334 }))).toContain("334 ms");
    expect(doubt(watched([1_000], { loopLagMs: 900 }))).toBeUndefined();
  });

  test("is doubted when it was late and a small call that was sent at the same time took a second, too", () => {
    const late = watched([3_000]);
    expect(firstMessageDoubt(10_000, [4, 5, 6])(late)).toBeUndefined();
    expect(firstMessageDoubt(10_000, [4, 900, 1_001])(late)).toContain("left small calls waiting");
    expect(firstMessageDoubt(10_000, [4, 900, 1_001])(watched([], { windowMs: 7_500 }))).toBeDefined();
    // On a path of 2.5 s it was not late.
    expect(firstMessageDoubt(10_000, [2_400, 2_500, 2_600])(late)).toBeUndefined();
  });

  test("is doubted when it was late by less than small calls differ among each other", () => {
    expect(firstMessageDoubt(10_000, [150, 243, 260])(watched([1_245]))).toContain("left small calls waiting");
    expect(firstMessageDoubt(10_000, [150, 243, 260])(watched([1_464]))).toBeUndefined();
    expect(firstMessageDoubt(10_000, [243, 243, 243])(watched([1_245]))).toBeUndefined();
  });

  test("is doubted when it began to arrive in time and was large", () => {
    const doubt = firstMessageDoubt(10_000);
    expect(doubt(watched([{ at: 1_500, firstByteAt: 1_000, lagMs: 0 }]))).toContain("took 500 ms");
    expect(doubt(watched([{ at: 1_500, firstByteAt: 1_001, lagMs: 0 }]))).toBeUndefined();
  });

  test("tells what was expected and what was seen", () => {
    expect(firstMessageWithin(10_000, 230)(watched([3_004.4])).violations).toEqual([
      {
        path: "messages[0]",
        expected: "within 1230 ms of the request, 230 ms of it for the path",
        seen: "after 3004 ms",
      },
    ]);
    expect(firstMessageWithin(10_000, 0)(watched([], { windowMs: 4_500 })).violations[0]?.seen).toBe("none in 4500 ms");
  });
});

describe("the second message of a stream at a long interval (T2, T3)", () => {
  const aboveRange = secondMessageWindow(60_001);

  test.each([
    [3_000, 2_699, 1],
    [3_000, 2_701, 0],
    [3_000, 4_999, 0],
    [3_000, 5_001, 1],
    [50_000, 100, 1],
  ])("at %d ms after %d ms: %d violations", (intervalMs, gap, violations) => {
    const judge = secondMessageWithin(secondMessageWindow(intervalMs));
    expect(judge(watched([20, 20 + gap])).violations).toHaveLength(violations);
  });

  test.each([
    [57_999, 1],
    [58_000, 0],
    [60_000, 0],
    [63_000, 0],
    [63_001, 1],
    [4, 1],
  ])("after %d ms: %d violations", (gap, violations) => {
    expect(secondMessageWithin(aboveRange)(watched([20, 20 + gap])).violations).toHaveLength(violations);
  });

  test("must have come by 63 s; a shorter window says that it was not early", () => {
    expect(secondMessageWithin(aboveRange)(watched([20], { windowMs: 63_500 })).violations[0]?.seen).toBe(
      "none in 63.5 s",
    );
    expect(secondMessageWithin(aboveRange)(watched([20], { windowMs: 5_000 }))).toEqual({
      examined: 1,
      violations: [],
    });
  });

  test("is not judged on a stream that the server ended, or that brought nothing", () => {
    expect(secondMessageWithin(aboveRange)(watched([20], { windowMs: 5_000, ended: "closed" })).examined).toBe(0);
    expect(secondMessageWithin(aboveRange)(watched([], { windowMs: 70_000 })).examined).toBe(0);
  });

  test("is doubted when it seems early only since the first one was held up", () => {
    expect(secondMessageDoubt(aboveRange)(watched([5_000, 60_020]))).toContain("the first message came 5000 ms after");
    expect(secondMessageDoubt(aboveRange)(watched([5_000, 57_000]))).toBeUndefined();
    expect(secondMessageDoubt(aboveRange)(watched([20, 60_020]))).toBeUndefined();
  });

  test("is doubted when our own loop lagged as one of the two was read, or while the second one was missing", () => {
    const second = (first: number, last: number) => [
      { at: 20, lagMs: first },
      { at: 60_020, lagMs: last },
    ];
    expect(secondMessageDoubt(aboveRange)(watched(second(800, 3), { loopLagMs: 4_000 }))).toBeUndefined();
    expect(secondMessageDoubt(aboveRange)(watched(second(3, 900), { loopLagMs: 4_000 }))).toContain("900 ms");
    const only = [{ at: 20, lagMs: 3 }];
    expect(secondMessageDoubt(aboveRange)(watched(only, { loopLagMs: 900, windowMs: 64_500 }))).toContain("900 ms");
    expect(secondMessageDoubt(aboveRange)(watched(only, { loopLagMs: 900, windowMs: 5_000 }))).toBeUndefined();
  });
});
