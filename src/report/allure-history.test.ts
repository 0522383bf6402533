import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { type EarlierRun, earlierRuns, failingSince } from "./allure-history.js";

function runOf(day: number, status: string, check = "a"): EarlierRun {
  return { name: `build ${day}`, startedAt: `2026-01-0${day}T00:00:00.000Z`, statuses: new Map([[check, status]]) };
}

describe("since when a rule fails", () => {
  test("is told by the runs without a break before this one", () => {
    const runs = [runOf(4, "failed"), runOf(3, "failed"), runOf(2, "passed"), runOf(1, "failed")];
    expect(failingSince(["a"], runs)).toEqual({ run: runs[1], runs: 3 });
  });

  test("is this run when the one before was healthy, and not known when no run has its checks", () => {
    expect(failingSince(["a"], [runOf(2, "passed"), runOf(1, "failed")])).toEqual({ runs: 1 });
    expect(failingSince(["a"], [runOf(1, "failed", "b")])).toBeUndefined();
  });

  test("leaves runs aside that did not run its checks", () => {
    const runs = [runOf(3, "failed"), runOf(2, "failed", "b"), runOf(1, "failed")];
    expect(failingSince(["a"], runs)).toEqual({ run: runs[2], runs: 3 });
  });
});

test("the history is read with the latest run first, and what is no run is left out", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "history.jsonl");
  const line = (name: string, timestamp: number) =>
    JSON.stringify({ name, timestamp, testResults: { x: { name: "a", status: "failed" } } });
  await writeFile(path, `${line("one", 1)}\n{"half a li\n${line("two", 2)}\n`);
  const runs = await earlierRuns(path);
  expect(runs.map(({ name, statuses }) => [name, statuses.get("a")])).toEqual([
    ["two", "failed"],
    ["one", "failed"],
  ]);
  expect(await earlierRuns(join(folder, "nowhere"))).toEqual([]);
});
