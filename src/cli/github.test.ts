import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import { fullRun } from "../statement/certifiable.fixture.js";
import { reportToGithub } from "./github.js";

const mebibyte = 1024 * 1024;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("GITHUB_ACTIONS", "true");
  vi.stubEnv("GITHUB_STEP_SUMMARY", join(folder, "summary.md"));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const summary = () => readFile(join(folder, "summary.md"), "utf8");

test("the summaries of several targets follow each other", async () => {
  for (const name of ["staging", "production"]) reportToGithub(fullRun({}), { name });
  const page = await summary();
  expect(page.match(/^# (staging|production)$/gm)).toEqual(["# staging", "# production"]);
  expect(page).not.toContain("The rest is in the file");
});

test("a summary for which too little is left of what GitHub takes for a step is cut at the end of a line", async () => {
  reportToGithub(fullRun({}));
  const whole = await summary();
  const before = "x".repeat(mebibyte - Math.round(whole.length / 2));
  await writeFile(join(folder, "summary.md"), before);
  reportToGithub(fullRun({}));
  const page = (await summary()).slice(before.length);
  expect(before.length + page.length).toBeLessThanOrEqual(mebibyte);
  expect(page).toMatch(/\n\nThe rest is in the file `summary\.md` of the run\.\n$/);
  const lines = page.split("\n").slice(0, -4);
  expect(lines.length).toBeGreaterThan(1);
  expect(whole.split("\n").slice(0, lines.length)).toEqual(lines);
});

test("nothing is added where nothing more fits", async () => {
  await writeFile(join(folder, "summary.md"), "x".repeat(mebibyte));
  reportToGithub(fullRun({}));
  expect((await summary()).length).toBe(mebibyte);
});
