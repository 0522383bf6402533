import { describe, expect, test } from "vitest";
import { notEnded, staysOpen } from "./stream-end.js";
import { grid, watched } from "./watched-stream.fixture.js";
import { endInWords } from "./watched-stream.js";

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
      { path: "", expected: "to go on until the client disconnects", seen, row: "the end" },
    ]);
    expect(endInWords(stream)).toBe(seen);
    expect(notEnded(stream).violations).toEqual(staysOpen(stream).violations);
  });

  test("has not ended so far, however short it was watched", () => {
    expect(notEnded(watched(grid(100, 2)))).toEqual({ examined: 1, violations: [] });
    expect(notEnded(watched([], { ended: "end-frame" })).examined).toBe(0);
  });
});
