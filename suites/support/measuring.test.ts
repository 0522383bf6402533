import { describe, expect, test, vi } from "vitest";
import type { StreamFrame } from "../../src/connect/exchange.js";
import type { StreamAnswer } from "../../src/engine/answer.js";
import { errorAnswer, failure } from "../../src/engine/answers.fixture.js";
import { captured } from "../../src/engine/captured.fixture.js";
import { Inconclusive } from "../../src/engine/signals.js";
import type { Profile } from "../../src/specification/profile.js";
import { gapsOf, measurementsAtMost, measureStream, secondMessageIn } from "./measuring.js";

vi.mock("node:timers/promises", () => ({ setTimeout: async () => {} }));

const refused = {
  ...errorAnswer("resource_exhausted"),
  outcome: errorAnswer("resource_exhausted").outcome,
} as StreamAnswer;
const reset = failure("reset") as unknown as StreamAnswer;
const broken = captured({ problem: { kind: "failure", failure: "reset", message: "gone" } });

/** Gives one answer after the other, and counts the reads. */
function answering(...answers: StreamAnswer[]) {
  let count = 0;
  return {
    read: async () => answers[Math.min(count++, answers.length - 1)] ?? captured(),
    get count() {
      return count;
    },
  };
}

describe("a measurement", () => {
  test("that can be trusted is made once", async () => {
    const only = captured();
    const source = answering(only);
    expect(await measureStream(source.read, () => undefined)).toBe(only);
    expect(source.count).toBe(1);
  });

  test("is made again while there is a doubt, and is inconclusive in the end (T7)", async () => {
    const good = captured({ loopLagMs: 1 });
    const source = answering(captured({ loopLagMs: 50 }), captured({ loopLagMs: 40 }), good);
    const doubt = ({ loopLagMs }: { loopLagMs: number }) => (loopLagMs > 10 ? `lag of ${loopLagMs} ms` : undefined);
    expect(await measureStream(source.read, doubt)).toBe(good);

    const never = answering(captured({ loopLagMs: 50 }));
    await expect(measureStream(never.read, doubt)).rejects.toThrow(Inconclusive);
    await expect(measureStream(never.read, doubt)).rejects.toThrow(
      "lag of 50 ms in each of 3 measurements; a quieter machine or path would settle it",
    );
    expect(never.count).toBe(2 * measurementsAtMost);
  });

  test.each([
    ["with an answer", reset],
    ["within a stream", broken],
  ])("is made once more when the connection broke %s; then it counts", async (_, lost) => {
    const whole = captured();
    expect(await measureStream(answering(lost, whole).read)).toBe(whole);
    const source = answering(lost);
    expect(await measureStream(source.read, () => "never trusted")).toBe(lost);
    expect(source.count).toBe(2);
  });

  test("is not made again because of an error, but for one stream too many", async () => {
    const error = errorAnswer("internal") as unknown as StreamAnswer;
    expect(await measureStream(answering(error).read, () => "doubt")).toBe(error);
    const later = captured();
    expect(await measureStream(answering(refused, later).read)).toBe(later);
  });
});

describe("how long a cadence is watched", () => {
  const frames = (gaps: number, intervalMs: number, lagMs = 0): StreamFrame[] =>
    Array.from({ length: gaps + 1 }, (_, index) => ({ at: 5 + index * intervalMs, lagMs, flags: 0, data: "{}" }));
  const enough = (
    intervalMs: number,
    seen: StreamFrame[],
    elapsedMs = seen.at(-1)?.at ?? 0,
    profile: Profile = "full",
  ) => {
    const until = gapsOf(intervalMs, profile);
    return typeof until === "function" && until(seen, elapsedMs);
  };

  test.each([
    [100, 20],
    [250, 14],
    [450, 8],
    [2_000, 8],
    [2_001, 8],
    [20_000, 3],
  ])("at %d ms: for %d gaps", (intervalMs, gaps) => {
    expect(enough(intervalMs, frames(gaps - 1, intervalMs))).toBe(false);
    expect(enough(intervalMs, frames(gaps, intervalMs))).toBe(true);
  });

  test("for three gaps at most at long intervals in the quick profile, also when they are half as long again", () => {
    const slow = frames(2, 3_000);
    expect(enough(2_001, slow, 8_900, "quick")).toBe(false);
    expect(enough(2_001, frames(3, 3_000), 9_005, "quick")).toBe(true);
    expect(enough(2_001, frames(3, 2_001), undefined, "quick")).toBe(true);
  });

  test("for a second message: from the first one on, however late that is", () => {
    const until = secondMessageIn(64_500);
    const enough = (seen: StreamFrame[], elapsedMs: number) => typeof until === "function" && until(seen, elapsedMs);
    const late = frames(0, 0).map((frame) => ({ ...frame, at: 2_000 }));
    expect(enough(late, 64_600)).toBe(false);
    expect(enough(late, 66_500)).toBe(true);
    expect(enough(frames(1, 60_000), 60_010)).toBe(true);
    expect(enough([], 64_500)).toBe(true);
  });

  test("for longer when some cannot be trusted, but not forever", () => {
    const blurred = frames(24, 100).map((frame, index) => (index < 5 ? { ...frame, lagMs: 30 } : frame));
    expect(enough(100, blurred)).toBe(false);
    expect(enough(100, [...blurred, { at: 2_505, lagMs: 0, flags: 0, data: "{}" }])).toBe(true);
    expect(enough(100, blurred, 3_406)).toBe(true);
    // Twice as long when fewer are left than a median needs.
    expect(enough(100, frames(200, 100, 30), 3_406)).toBe(false);
    expect(enough(100, frames(200, 100, 30), 6_806)).toBe(true);
  });

  test("for a while only when the target sends too few, or nothing", () => {
    expect(enough(100, frames(3, 100, 30), 3_405)).toBe(false);
    expect(enough(100, frames(3, 100, 30), 3_406)).toBe(true);
    expect(enough(100, [], 3_401)).toBe(true);
  });
});
