import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cadenceDoubt, gapsNeeded, medianGap, nearestInterval, oneMessagePer } from "./cadence.js";
import { grid, watched } from "./watched-stream.fixture.js";
import { type Arrival, toleranceOf, type Watched } from "./watched-stream.js";

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

  test("fails a stream that leaves messages out in a steady rhythm, not one that loses as many at random", () => {
    const without = (isLeftOut: (index: number) => boolean) =>
      watched(
        grid(100, 50).filter((_, index) => !isLeftOut(index)),
        { windowMs: 5_000 },
      );
    expect(
      verdict(
        without((index) => index % 4 === 3),
        100,
      ),
    ).toBe("fail");
    expect(
      verdict(
        without((index) => index % 3 === 2),
        100,
      ),
    ).toBe("fail");
    // More than half of the gaps are double ones, none of them exactly.
    const jitter = random(1);
    const moved = grid(100, 50).map((at) => at + 12 * jitter());
    expect(verdict(watched(moved.filter((_, index) => index % 3 !== 1).slice(0, 32)), 100)).toBe("fail");
    const lost = new Set([3, 5, 9, 10, 14, 17, 20, 26, 31, 33, 38, 43]);
    expect(
      verdict(
        without((index) => lost.has(index)),
        100,
      ),
    ).not.toBe("fail");
    // A busy target: all gaps are too long.
    const next = random(1);
    expect(verdict(watched(grid(280, 30, () => 150 * next())), 100)).not.toBe("fail");
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

test("the median gap is that of all gaps", () => {
  expect(medianGap(watched([0, 100, 200, 1_000]))).toBe(100);
  expect(medianGap(watched([5]))).toBeUndefined();
});
