import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cadenceDoubt, gapsNeeded, medianGap, nearestInterval, oneMessagePer } from "./cadence.js";
import { bufferingDoubt, partDoubt, silenceDoubt } from "./companion-stream.js";
import {
  firstMessageDoubt,
  firstMessageWithin,
  secondMessageDoubt,
  secondMessageWindow,
  secondMessageWithin,
} from "./first-messages.js";
import { notEnded, staysOpen } from "./stream-end.js";
import { type Arrival, describeEnd, toleranceOf, type Watched } from "./watched-stream.js";

/** A stream that was left after its last message, unless told otherwise. */
function watched(messages: readonly (number | Arrival)[], changes: Partial<Watched> = {}): Watched {
  const arrivals = messages.map((message) => (typeof message === "number" ? { at: message, lagMs: 0 } : message));
  return { messages: arrivals, ended: "by-us", windowMs: arrivals.at(-1)?.at ?? 0, loopLagMs: 0, ...changes };
}

/** A grid of messages: the first at `start`, then one per interval, each moved by what `delay` gives. */
function grid(intervalMs: number, count: number, delay: (index: number) => number = () => 0): number[] {
  let before = 0;
  return Array.from({ length: count }, (_, index) => {
    before = Math.max(before, 5 + index * intervalMs + delay(index));
    return before;
  });
}

/** The verdict that a measurement leads to. */
function verdict(stream: Watched, ...accepted: number[]): "pass" | "fail" | "doubt" | "nothing" {
  if (cadenceDoubt(...accepted)(stream)) return "doubt";
  const { examined, violations } = oneMessagePer(...accepted)(stream);
  if (violations.length > 0) return "fail";
  return examined > 0 ? "pass" : "nothing";
}

/** A repeatable source of numbers from 0 to 1. */
function random(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("what is asked of a cadence", () => {
  test.each([
    [100, 15, 8],
    [150, 15, 8],
    [250, 25, 8],
    [2000, 200, 8],
    [2001, 200.1, 3],
    [60_000, 6000, 3],
  ])("at %d ms: within %d ms, on %d gaps", (intervalMs, tolerance, gaps) => {
    expect(toleranceOf(intervalMs)).toBeCloseTo(tolerance);
    expect(gapsNeeded(intervalMs)).toBe(gaps);
  });
});

describe("one message per interval (T2)", () => {
  const intervals = fc.integer({ min: 100, max: 60_000 });

  test("holds on an exact grid, whatever the interval and the start", () => {
    fc.assert(
      fc.property(intervals, fc.integer({ min: 8, max: 30 }), (intervalMs, gaps) => {
        expect(verdict(watched(grid(intervalMs, gaps + 1)), intervalMs)).toBe("pass");
      }),
    );
  });

  test("holds just inside the tolerance and fails just outside, when the gaps are clean", () => {
    fc.assert(
      fc.property(intervals, fc.constantFrom(-1, 1), fc.integer({ min: 8, max: 30 }), (intervalMs, sign, gaps) => {
        const off = toleranceOf(intervalMs);
        const at = (actual: number) => verdict(watched(grid(actual, gaps + 1)), intervalMs);
        expect(at(intervalMs + sign * (off - 1))).toBe("pass");
        expect(at(intervalMs + sign * (off + 2))).toBe("fail");
      }),
    );
  });

  test("does not mind a constant delay of the path", () => {
    expect(verdict(watched(grid(250, 21, () => 400)), 250)).toBe("pass");
  });

  test("does not mind one late message, nor one long silence at the end of the window", () => {
    expect(verdict(watched(grid(100, 21, (index) => (index === 10 ? 90 : 0))), 100)).toBe("pass");
    // A stall of the path: what was sent meanwhile comes all at once.
    const stalled = grid(100, 30).map((at) => (at > 1200 && at < 2200 ? 2200 : at));
    expect(verdict(watched(stalled), 100)).toBe("pass");
    expect(verdict(watched(grid(250, 12), { windowMs: 4_500 }), 250)).toBe("pass");
  });

  test.each([20, 40, 80, 150])("never fails a right cadence on a path with %d ms of jitter", (jitter) => {
    const outcomes = Array.from({ length: 300 }, (_, seed) => {
      const next = random(seed);
      return verdict(watched(grid(100, 21, () => jitter * next())), 100);
    });
    expect(outcomes.filter((outcome) => outcome === "fail")).toEqual([]);
    const passes = outcomes.filter((outcome) => outcome === "pass").length;
    if (jitter <= 80) expect(passes).toBeGreaterThan(270);
  });

  test.each([
    [20, 100],
    [40, 100],
    [80, 50],
  ])("never passes three times too few messages on a path with %d ms of jitter", (jitter, certain) => {
    const verdicts = Array.from({ length: 100 }, (_, seed) => {
      const next = random(seed);
      return verdict(watched(grid(300, 21, () => jitter * next())), 100);
    });
    expect(verdicts).not.toContain("pass");
    expect(verdicts.filter((each) => each === "fail").length).toBeGreaterThanOrEqual(certain);
  });

  test("doubts a burst of what may have been held up, and not one that comes before its time", () => {
    const burst = (from: number) => watched(Array.from({ length: 9 }, (_, index) => from + 2 * index));
    expect(verdict(burst(850), 100)).toBe("doubt");
    expect(cadenceDoubt(100)(burst(850))).toBe(
      "9 messages came close together 850 ms after the request: the server or the path may have held them up",
    );
    expect(verdict(burst(300), 100)).toBe("fail");
  });

  test("doubts messages that were held back and came in bursts, as many as there should be", () => {
    // Held back for half a second, three times, by a machine that had other things to do.
    const bursts = [0, 500, 530, 560, 590, 620, 1_000, 1_030, 1_060, 1_090, 1_120, 1_500, 1_530, 1_560, 1_590, 1_620];
    expect(cadenceDoubt(100)(watched(bursts))).toMatch(/^messages were held back for 500 ms/);
    // Twice as many as there should be are too many, however they come.
    const tooMany = bursts.flatMap((at) => [at, at + 12]);
    expect(verdict(watched(tooMany), 100)).toBe("fail");
  });

  test("doubts gaps that are too uneven to tell", () => {
    const pairs = grid(100, 24).map((at, index) => (index % 2 === 0 ? at : at - 98));
    expect(verdict(watched(pairs), 100)).toBe("doubt");
    expect(cadenceDoubt(100)(watched(pairs))).toMatch(/^the gaps between messages are too uneven \(median /);
  });

  test.each([
    ["a pace of 300 ms", grid(300, 17)],
    ["a pace of 100 ms", grid(100, 50)],
    ["a storm", grid(1, 21)],
    ["a storm in one piece", grid(0, 21)],
    ["gaps that grow by 2 % each", grid(250, 21, (index) => index * index * 2.5)],
    ["each message twice", grid(250, 20).flatMap((at) => [at, at])],
  ])("fails %s at 250 ms", (_, messages) => {
    expect(verdict(watched(messages), 250)).toBe("fail");
  });

  test.each([
    ["one message and then silence", grid(250, 1), 5_000],
    ["ten messages and then silence", grid(250, 10), 8_000],
    ["a pause of a second after every five messages", grid(250, 25, (index) => 1_000 * Math.floor(index / 5)), 10_000],
  ])("fails %s, though the median may be right", (_, messages, windowMs) => {
    expect(verdict(watched(messages, { windowMs }), 250)).toBe("fail");
  });

  test.each([137, 251, 331, 450])("fails pauses of twenty intervals at %d ms, also on a busy machine", (intervalMs) => {
    const at = (index: number) => intervalMs * (index + 20 * Math.floor(index / 5));
    const windowMs = 1.2 * Math.max(8, Math.min(20, Math.floor(3_600 / intervalMs))) * intervalMs + 1_000;
    const messages = Array.from({ length: 40 }, (_, index) => at(index)).filter((time) => time <= windowMs);
    expect(verdict(watched(messages, { windowMs, loopLagMs: 57 }), intervalMs)).toBe("fail");
  });

  test("says nothing of a stream without messages, and of one that the server ended early", () => {
    expect(verdict(watched([], { windowMs: 5_000 }), 250)).toBe("nothing");
    expect(verdict(watched(grid(250, 4), { ended: "end-frame", windowMs: 760 }), 250)).toBe("nothing");
    expect(verdict(watched(grid(250, 10), { ended: "closed", windowMs: 2_900 }), 250)).toBe("pass");
    expect(oneMessagePer(250)(watched(grid(250, 2), { ended: "closed", windowMs: 260 })).missing).toBe(
      "8 gaps between messages: a connection that closed without an end-of-stream frame after 260 ms and 2 messages",
    );
  });

  test("takes any of several intervals (T3)", () => {
    expect(verdict(watched(grid(250, 21)), 250, 100)).toBe("pass");
    expect(verdict(watched(grid(100, 21)), 250, 100)).toBe("pass");
    expect(verdict(watched(grid(170, 21)), 250, 100)).toBe("fail");
    expect(nearestInterval(watched(grid(101, 9)), [250, 100])).toBe(100);
    expect(nearestInterval(watched(grid(247, 9)), [250, 100])).toBe(250);
  });

  test("tells what was expected and what was seen", () => {
    expect(oneMessagePer(250)(watched(grid(300, 21))).violations).toEqual([
      {
        path: "messages",
        expected: "one every 250 ms (give or take 25 ms)",
        seen: "one every 300 ms (median of 20 gaps, 300 to 300 ms)",
      },
    ]);
    expect(oneMessagePer(250, 100)(watched(grid(250, 1), { windowMs: 5_005 })).violations).toEqual([
      {
        path: "messages",
        expected: "one every 250 ms (give or take 25 ms), or every 100 ms (give or take 15 ms)",
        seen: "1 within 5000 ms, where 21 are due; the longest wait was 5000 ms",
      },
    ]);
  });
});

describe("trust in the clock (T7)", () => {
  const lagging = (lagMs: number, which: (index: number) => boolean): Arrival[] =>
    grid(100, 21).map((at, index) => (which(index) ? { at: at + lagMs, lagMs } : { at, lagMs: 0 }));

  test("leaves out gaps that our own lag blurred", () => {
    const stream = watched(
      lagging(40, (index) => index % 5 === 0),
      { loopLagMs: 40 },
    );
    expect(verdict(stream, 100)).toBe("pass");
    expect(oneMessagePer(100)(stream).examined).toBe(12);
  });

  test("doubts the measurement when too few gaps are left", () => {
    const stream = watched(
      lagging(6, (index) => index % 2 === 0),
      { loopLagMs: 6 },
    );
    expect(cadenceDoubt(100)(stream)).toBe("this machine's own event loop lagged by up to 6 ms");
    expect(
      verdict(
        watched(
          lagging(5, (index) => index % 2 === 0),
          { loopLagMs: 5 },
        ),
        100,
      ),
    ).toBe("pass");
  });

  test("takes the lag of the whole window for messages that tell none", () => {
    const messages = grid(100, 21).map((at) => ({ at }));
    expect(verdict(watched(messages, { loopLagMs: 5 }), 100)).toBe("pass");
    expect(verdict(watched(messages, { loopLagMs: 5.1 }), 100)).toBe("doubt");
  });

  test("does not count as missing what came while we were not looking", () => {
    const messages = grid(100, 12);
    expect(verdict(watched(messages, { windowMs: 4_000 }), 100)).toBe("fail");
    expect(verdict(watched(messages, { windowMs: 4_000, loopLagMs: 1_500 }), 100)).toBe("pass");
  });

  test.each([4, 12])("doubts %d messages instead of 61 when our own lag is large enough to explain it", (count) => {
    const at = (loopLagMs: number) => verdict(watched(grid(100, count), { windowMs: 6_000, loopLagMs }), 100);
    expect(at(15)).toBe("fail");
    expect(at(80)).toBe("fail");
    expect(at(400)).toBe("doubt");
  });

  test("does not doubt what no lag explains: a flood, and a far too slow pace of which no gap can be trusted", () => {
    const lagged = (messages: number[]): Arrival[] => messages.map((at) => ({ at, lagMs: 40 }));
    expect(verdict(watched(lagged(grid(1, 21)), { loopLagMs: 40 }), 100)).toBe("fail");
    expect(verdict(watched(lagged(grid(500, 12)), { loopLagMs: 40 }), 250)).toBe("fail");
    expect(verdict(watched(lagged(grid(300, 20)), { loopLagMs: 40 }), 250)).toBe("doubt");
  });
});

describe("a target that is busy with others", () => {
  // As they came while a load generator kept the target's only thread busy.
  const busy = [
    705, 830, 1150, 1306, 1423, 1536, 1644, 1766, 1911, 2058, 2172, 2283, 2410, 2515, 2611, 2744, 2947, 3277, 3458,
    3680, 3791, 3912, 4018,
  ];
  const busier = [3376, 3548, 3939, 4172, 4294, 4427, 4560, 4684, 4800, 5001, 5142, 5280, 5482, 5778, 5938, 6103, 6212];

  test("does not keep its pace, and is doubted", () => {
    expect(verdict(watched(busy, { windowMs: 4_158 }), 100)).toBe("doubt");
    expect(verdict(watched(busier, { windowMs: 6_300 }), 100)).toBe("doubt");
  });

  test.each([130, 150, 200])(
    "is told from one that keeps a pace of %d ms, or an ever slower one, for 100 ms",
    (pace) => {
      const jitter = random(pace);
      expect(verdict(watched(grid(pace, 21, () => 6 * jitter())), 100)).toBe("fail");
      const slower = Array.from({ length: 21 }, (_, index) => 100 * index * 1.02 ** index);
      expect(verdict(watched(slower), 100)).toBe("fail");
    },
  );
});

describe("the first message (T1)", () => {
  test.each([
    [10_000, 0, 1_000],
    [60_000, 0, 6_000],
    [100, 0, 1_000],
    [10_000, 230, 1_230],
  ])("at %d ms on a path of %d ms is due within %d ms", (intervalMs, roundTripMs, requestBudget) => {
    const judge = firstMessageWithin(intervalMs, roundTripMs);
    expect(judge(watched([requestBudget]))).toEqual({ examined: 1, violations: [] });
    expect(judge(watched([requestBudget + 1])).violations).toHaveLength(1);
    expect(judge(watched([], { windowMs: requestBudget + 1 })).violations).toHaveLength(1);
    expect(judge(watched([], { windowMs: requestBudget }))).toMatchObject({ examined: 0, violations: [] });
  });

  test("is not judged on a stream that ended before it was due", () => {
    expect(firstMessageWithin(10_000, 0)(watched([], { windowMs: 3_000, ended: "closed" })).examined).toBe(0);
  });

  test("is doubted when it was late and our own loop lagged for a third of the requestBudget", () => {
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

  test("that never came is doubted when that of another stream, asked for meanwhile, came late or never", () => {
    const silent = watched([], { windowMs: 5_000 });
    const sameTime = (other: Watched | undefined) => silenceDoubt(other)(silent);
    expect(sameTime(watched([2_500]))).toBeUndefined();
    expect(sameTime(watched([2_501]))).toContain("silent as well");
    expect(sameTime(silent)).toContain("silent as well");
    expect(sameTime(undefined)).toContain("silent as well");
    expect(silenceDoubt(undefined)(watched([4]))).toBeUndefined();
    expect(silenceDoubt(undefined)(watched([], { ended: "closed" }))).toBeUndefined();
  });

  test("messages of another stream that came in bursts say that something holds them back", () => {
    const silent = watched([], { windowMs: 5_000 });
    const doubtOf = (...times: number[]) => bufferingDoubt(watched(times), 100)(silent);
    expect(doubtOf(900, 901, 901, 902)).toMatch("held back for 900 ms");
    expect(doubtOf(4, 5, 5, 900, 901, 902)).toMatch("held back for 895 ms");
    expect(doubtOf(100, 300, 301, 500, 501)).toMatch("held back for 200 ms");
    expect(doubtOf(4, 104, 204, 304)).toBeUndefined();
    expect(doubtOf(4, 104, 290, 304, 404)).toBeUndefined();
    expect(doubtOf(4, 5, 5, 6)).toBeUndefined();
    expect(doubtOf(5_000, 5_100, 5_200)).toBeUndefined();
    expect(doubtOf(5_000)).toBeUndefined();
    expect(bufferingDoubt(undefined, 100)(silent)).toBeUndefined();
  });

  test("is doubted if a part of a message came, and another stream's messages came whole", () => {
    const part = watched([], { endsWithinMessage: true });
    expect(partDoubt(watched([5, 105]))(part)).toMatch("only a part of a message arrived");
    expect(partDoubt(watched([]))(part)).toBeUndefined();
    expect(partDoubt(undefined)(part)).toBeUndefined();
    expect(partDoubt(watched([5, 105]))(watched([]))).toBeUndefined();
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

describe("a stream that goes on (T5)", () => {
  test("has at least five seconds and twenty messages", () => {
    expect(staysOpen(watched(grid(250, 21), { windowMs: 5_001 }))).toEqual({ examined: 1, violations: [] });
    expect(staysOpen(watched(grid(250, 19), { windowMs: 5_001 })).examined).toBe(0);
    expect(staysOpen(watched(grid(100, 30), { windowMs: 3_000 })).missing).toBe(
      "5 s and 20 messages of one stream: 30 messages within 3000 ms",
    );
  });

  test.each([
    [{ ended: "end-frame" }, "an end of the stream after 2310 ms and 10 messages"],
    [
      { ended: "end-frame", endError: { code: "internal" } },
      "an end of the stream with the error internal after 2310 ms and 10 messages",
    ],
    [{ ended: "closed" }, "a connection that closed without an end-of-stream frame after 2310 ms and 10 messages"],
  ] as const)("does not end so: %o", (changes, seen) => {
    const stream = watched(grid(250, 10), { windowMs: 2_310, ...changes });
    expect(staysOpen(stream).violations).toEqual([
      { path: "", expected: "to go on until the client disconnects", seen },
    ]);
    expect(describeEnd(stream)).toBe(seen);
    expect(notEnded(stream).violations).toEqual(staysOpen(stream).violations);
  });

  test("has not ended so far, however short it was watched", () => {
    expect(notEnded(watched(grid(100, 2)))).toEqual({ examined: 1, violations: [] });
    expect(notEnded(watched([], { ended: "end-frame" })).examined).toBe(0);
  });
});

test("the median gap is that of all gaps", () => {
  expect(medianGap(watched([0, 100, 200, 1_000]))).toBe(100);
  expect(medianGap(watched([5]))).toBeUndefined();
});
