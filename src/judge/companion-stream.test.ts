import { describe, expect, test } from "vitest";
import { bufferingDoubt, partDoubt, silenceDoubt } from "./companion-stream.js";
import { watched } from "./watched-stream.fixture.js";
import type { Watched } from "./watched-stream.js";

describe("the first message of a stream that was opened with another one (T7)", () => {
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
});
