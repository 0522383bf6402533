import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Comparison } from "../compare/comparison.js";
import { mainHere } from "../e2e/command.fixture.js";
import { temporaryFolder } from "../files/temporary-folder.fixture.js";
import type { Results } from "../report/results.js";
import { checkResult, findingOf, hostileText, resultsOf, resultsWith, ruleOf } from "../report/run.fixture.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const compare = (...args: readonly string[]) => mainHere(["compare", ...args]);

async function runIn(name: string, results: Results): Promise<string> {
  const dir = join(folder, name);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "results.json"), JSON.stringify(results));
  return dir;
}

test("folders and results files are compared, and a regression ends with 1 where that is asked for", async () => {
  const before = await runIn("before", resultsWith(["pass", "pass"]));
  const after = await runIn("after", resultsWith(["pass", "fail"]));
  const plain = await compare(before, after);
  expect([plain.code, plain.stderr]).toEqual([0, ""]);
  expect(plain.stdout).toMatch(/^2 runs; 1 of 2 rules differ; .*\n/);
  expect(plain.stdout).toMatch(
    /Newly failing \(1\)\n +before +after\n +sample\.rule-1 +passed +failed\n +after: positions\[17\]/,
  );
  expect(plain.stdout).toContain("1 regression against before: sample.rule-1");
  expect((await compare(before, join(after, "results.json"), "--fail-on", "regression")).code).toBe(1);
  expect((await compare(after, before, "--fail-on", "regression")).code).toBe(0);
  expect((await compare(after, before, "--fail-on", "difference", "--quiet")).code).toBe(1);
  expect((await compare(after, after, "--fail-on", "difference")).code).toBe(0);
});

test("runs are called by as much of their paths as tells them apart", async () => {
  const [one, other] = [await runIn("monday/latest", resultsOf()), await runIn("tuesday/latest", resultsOf())];
  const { stdout } = await compare(one, other, "--json");
  expect((JSON.parse(stdout) as Comparison).runs.map(({ name }) => name)).toEqual(["monday/latest", "tuesday/latest"]);
});

test("--json prints one document and nothing else", async () => {
  const [one, other] = [await runIn("one", resultsOf()), await runIn("other", resultsOf({ seed: 9 }))];
  const { stdout, stderr } = await compare(one, other, "--json", "--html", join(folder, "json.html"));
  const document = JSON.parse(stdout) as Comparison;
  expect([document.format, document.runs.map(({ name }) => name), stderr]).toEqual([
    "perp-conformance/comparison",
    ["one", "other"],
    "",
  ]);
});

test("page and Markdown hold what targets send as text, and link to what there is of a run", async () => {
  const hostile = (verdict: "pass" | "fail") =>
    resultsOf({
      catalogue: [ruleOf("sample.rule"), ruleOf("sample.open", "observation")],
      checks: [],
      results: [
        checkResult(
          "sample.rule",
          verdict,
          verdict === "fail" ? { violations: [findingOf({ message: hostileText })] } : {},
        ),
        checkResult("sample.open", "observed", {
          observations: [{ what: hostileText, seen: `${verdict} ${hostileText}` }],
        }),
      ],
    });
  const one = await runIn("with space", hostile("pass"));
  const other = await runIn("b<i>", hostile("fail"));
  const [page, markdown] = [join(folder, "page.html"), join(folder, "page.md")];
  const { code, stdout } = await compare(one, other, "--html", page, "--markdown", markdown);
  expect(code).toBe(0);
  const html = await readFile(page, "utf8");
  const pages = [html, await readFile(markdown, "utf8"), stdout];
  for (const text of pages) expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(html).not.toMatch(/<script|<i>/);
  expect(html).toContain('href="with%20space/results.json"');
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test("a page replaces an earlier one, and no file of anybody else", async () => {
  const [one, other] = [await runIn("one", resultsOf()), await runIn("other", resultsOf())];
  const [page, markdown] = [join(folder, "page.html"), join(folder, "page.md")];
  for (const _ of ["first", "again"])
    expect((await compare(one, other, "--html", page, "--markdown", markdown)).code).toBe(0);
  await writeFile(page, "mine");
  await symlink(page, join(folder, "link"));
  for (const args of [
    ["--html", page],
    ["--markdown", page],
    ["--html", join(folder, "link")],
    ["--html", markdown],
    ["--html", join(one, "results.json")],
  ]) {
    const { code, stderr } = await compare(one, other, ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining("not a page of this command")]);
  }
  expect(await readFile(page, "utf8")).toBe("mine");
});

test("what is no run is refused in one line", async () => {
  const run = await runIn("run", resultsOf());
  const [empty, alien, broken] = [join(folder, "empty"), join(folder, "alien"), join(folder, "broken")];
  for (const dir of [empty, alien, broken]) await mkdir(dir);
  await writeFile(join(alien, "results.json"), '{"format":"other/results","formatVersion":1}');
  await writeFile(join(broken, "results.json"), '{"format":');
  for (const args of [[run], [run, empty], [run, join(folder, "nowhere")], [alien, run], [run, broken]]) {
    const { code, stdout, stderr } = await compare(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  }
});
