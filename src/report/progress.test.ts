import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Progress, type Screen, showProgress } from "./progress.js";
import { ndjsonProgress, type ProgressEvent } from "./progress-ndjson.js";
import { checkResult, findingOf } from "./run.fixture.js";

const passed = checkResult("sample.pass", "pass");
const failed = checkResult("sample.fail", "fail", {
  violations: [findingOf({ message: "expected 50, got \u001b[2J49" })],
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a progress writes while something happens. */
function shown(screen: Omit<Screen, "write">, happens: (progress: Progress) => void, make = showProgress) {
  const written: string[] = [];
  const progress = make({ ...screen, write: (text) => written.push(text) });
  happens(progress);
  progress.end();
  const length = written.length;
  vi.advanceTimersByTime(60_000);
  progress.end();
  expect(written).toHaveLength(length);
  return written;
}

function twoResults(progress: Progress) {
  progress.phase("checking");
  progress.result(passed);
  progress.result(failed);
}

describe("where there is no terminal, progress", () => {
  test("is plain lines, without the failures, which the report lists", () => {
    expect(shown({}, twoResults)).toEqual(["checking\n"]);
  });

  test.each([{}, { isTTY: true, columns: 60 }])("has notes that stay: %o", (screen) => {
    const written = shown(screen, (progress) => {
      progress.phase("checking");
      progress.note("interrupted");
    });
    expect(stripVTControlCharacters(written.join(""))).toMatch(/interrupted$/m);
  });

  test("is a line every few seconds: how many of all, what is left, and what it waits for", () => {
    const written = shown({}, (progress) => {
      progress.phase("checking");
      progress.expect(40);
      const seen = progress.wait({ what: "watching a stream", check: "sample.pass on GetAllPositions", ms: 46_000 });
      for (let count = 0; count < 10; count++) progress.result(passed);
      vi.advanceTimersByTime(5_000);
      seen();
      vi.advanceTimersByTime(5_000);
      progress.result(failed);
      vi.advanceTimersByTime(5_000);
    });
    expect(written).toEqual([
      "checking\n",
      "checking: 10 of 40 checks, about 41 s left, watching a stream, 41 s to go\n",
      "checking: 10 of 40 checks, about 38 s left\n",
      "checking: 11 of 40 checks, 1 failed, about 49 s left\n",
    ]);
  });

  test("estimates what is left without the first checks, which take longest", () => {
    const written = shown({}, (progress) => {
      progress.expect(40);
      vi.advanceTimersByTime(5_000);
      for (let second = 0; second < 10; second++) {
        progress.result(passed);
        vi.advanceTimersByTime(1_000);
      }
    });
    expect(written).toEqual(["0 of 40 checks\n", "5 of 40 checks\n", "10 of 40 checks, about 34 s left\n"]);
  });

  test("does not take a standstill during a wait for a slow pace", () => {
    const written = shown({}, (progress) => {
      progress.expect(66);
      progress.wait({ what: "watching a stream", ms: 12_000 });
      for (let count = 0; count < 4; count++) progress.result(passed);
      vi.advanceTimersByTime(5_000);
    });
    expect(written).toEqual(["4 of 66 checks, about 7 s left, watching a stream, 7 s to go\n"]);
  });

  test("counts down to the end of a run that goes on for a time, and restarts the count with each round", () => {
    const written = shown({}, (progress) => {
      progress.lasts(600_000);
      for (let round = 1; round <= 2; round++) {
        progress.expect(2);
        progress.result(passed);
        progress.result(passed);
        vi.advanceTimersByTime(5_000);
      }
    });
    expect(written).toEqual(["2 of 2 checks, about 10 min left\n", "2 of 2 checks, about 10 min left\n"]);
  });
});

describe("on a terminal, progress", () => {
  test("is one line that is redrawn, never wider than it, and cleared at the end", () => {
    const written = shown({ isTTY: true, columns: 30 }, (progress) => {
      progress.phase("checking");
      progress.expect(4);
      progress.result(passed);
      vi.advanceTimersByTime(1_000);
      progress.result(passed);
      vi.advanceTimersByTime(1_000);
    });
    const lines = written.map((text) => stripVTControlCharacters(text)).filter((text) => text.trim() !== "");
    expect(lines.some((line) => line.includes("checking"))).toBe(true);
    for (const line of lines) expect(line.length).toBeLessThan(30);
    expect(written.join("")).not.toContain("\n");
    expect(written.at(-1)).toBe("\u001b[0J");
  });

  test("says how far it is, also where the terminal does not know its width, and tells failures in lines of their own", () => {
    const text = shown({ isTTY: true, columns: 0 }, (progress) => {
      progress.phase("checking");
      progress.expect(4);
      progress.result(passed);
      progress.result(failed);
      vi.advanceTimersByTime(1_000);
    }).join("");
    expect(text).toContain("checking: 2 of 4 checks, 1 failed");
    expect(text).toMatch(/FAIL sample\.fail on GetAllPositions: expected 50, got \\x1b\[2J49\n/);
  });

  test("tells the first failure of each of the first rules", () => {
    const many = shown({ isTTY: true, columns: 80 }, (progress) => {
      for (let count = 0; count < 50; count++)
        progress.result({ ...failed, rule: `sample.fail-${count % 25}`, name: `check ${count}` });
    });
    const lines = many.filter((line) => /^(FAIL|\.\.\.) /.test(line));
    expect(lines).toHaveLength(21);
    expect(lines[19]).toContain("FAIL check 19: ");
    expect(lines[20]).toBe("... the others are listed at the end\n");
  });
});

describe("for tools, progress", () => {
  test("is a JSON object a line", () => {
    const events = shown(
      {},
      (progress) => {
        progress.phase("checking");
        progress.expect(2);
        progress.wait({ what: "watching a stream", check: failed.name, ms: 5_000 });
        progress.result(failed);
        vi.advanceTimersByTime(1_000);
      },
      (screen) => ndjsonProgress(screen),
    ).map((line) => JSON.parse(line) as ProgressEvent);
    const { rule, name, endpoint, verdict } = failed;
    expect(events).toEqual([
      { event: "phase", phase: "checking" },
      { event: "progress", done: 0, expected: 2, failed: 0, errors: 0 },
      { event: "check", rule, name, endpoint, verdict },
      {
        ...{ event: "progress", done: 1, expected: 2, failed: 1, errors: 0 },
        waitingFor: { what: "watching a stream", check: name, secondsLeft: 4 },
      },
    ]);
  });

  test("says which of several targets it is about", () => {
    const [line = ""] = shown(
      {},
      (progress) => progress.phase("checking"),
      (screen) => ndjsonProgress(screen, "staging"),
    );
    expect(JSON.parse(line)).toEqual({ event: "phase", phase: "checking", target: "staging" });
  });
});
