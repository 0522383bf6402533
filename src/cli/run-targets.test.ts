import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { resultsWith } from "../report/run.fixture.js";
import type { executeRun } from "../run/execute-run.js";
import { runAndPrint } from "./run-targets.js";

const execute = vi.hoisted(() => vi.fn<typeof executeRun>());
vi.mock("../run/execute-run.js", () => ({ executeRun: execute }));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** What a run of these targets prints, with this configuration. */
async function printed(targets: readonly string[], settings: object): Promise<string> {
  const config = join(folder, "perp-conformance.json");
  const out = join(folder, "out");
  await writeFile(
    config,
    JSON.stringify({ ...settings, targets: targets.map((name) => ({ name, baseUrl: "http://a" })) }),
  );
  let text = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  // Without `--no-report` the command line has `report: true`.
  await runAndPrint({ target: [], report: true, config, out });
  write.mockRestore();
  return text;
}

test.each([true, false])("the page that compares targets is part of the HTML report: %s", async (report) => {
  execute.mockResolvedValueOnce(resultsWith(["pass"])).mockResolvedValueOnce(resultsWith(["fail"]));
  expect(await printed(["one", "two"], { report })).toContain("Newly failing (1)");
  expect(existsSync(join(folder, "out", "comparison.html"))).toBe(report);
});

test("an interrupted run misses no report that was switched off", async () => {
  execute.mockImplementationOnce(async () => {
    process.emit("SIGINT");
    return resultsWith(["pass"]);
  });
  expect(await printed(["one"], { report: false })).toMatch(/\nexit 130: interrupted after all checks\n/);
});
