import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Annotation } from "../annotate/annotation.js";
import { runFiles } from "../report/write.js";
import { allQuotes } from "../specification/quotes.js";
import { knownStatements } from "../specification/statements.js";
import { scratchFolder } from "./binary.fixture.js";
import { browserPath, startBrowser } from "./browser.fixture.js";
import { mainHere } from "./command.fixture.js";
import { recordRun } from "./run-folder.fixture.js";

const BROKEN = "get-all-positions.limit-default";
const WHOLE = "get-all-positions.limit-cap";

/** A document that has of each statement the words which rules quote: all else is not ours to have. */
const document = [...new Set(knownStatements().statements.map(({ section }) => section))]
  .map((section) => {
    const [, chapter, name] = /^(§\d+)(?: (.+))?$/.exec(section) ?? [];
    const heading = name ? `### ${name}` : `${chapter ? "##" : "###"} ${section.slice(1)}`;
    const stating = knownStatements().statements.filter(
      (statement) => statement.section === section && !statement.structure,
    );
    return [heading, ...stating.map(({ quotes }) => quotes.map((text) => `\`${text}\``).join("; "))].join("\n\n");
  })
  .join("\n\n");

let run: string;
let spec: string;
beforeAll(async () => {
  const folder = await scratchFolder();
  run = join(folder, "a run");
  spec = join(folder, "document.md");
  await recordRun(run, [BROKEN, WHOLE], "get-all-positions-default-49");
  await writeFile(spec, document);
}, 60_000);

const annotate = (...args: readonly string[]) => mainHere(["annotate", ...args]);

async function annotationOf(...args: readonly string[]): Promise<Annotation> {
  const { stdout } = await annotate(...args, "--json");
  return JSON.parse(stdout) as Annotation;
}

describe("annotate", () => {
  test("marks what rules quote with what the run says, with the exchanges behind it", async () => {
    const { code, stdout, stderr } = await mainHere(["annotate", run, "--spec", spec]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`page ${join(run, "annotated.html")}\n`);
    expect(stdout).toMatch(/^\d+ statements: \d+ failed, /m);

    const page = await readFile(join(run, "annotated.html"), "utf8");
    const panel = page
      .split("<section")
      .find(
        (part) =>
          part.includes("<blockquote>limit | integer | Page size") ||
          part.includes("<blockquote>Default 50 when omitted; "),
      );
    expect(panel).toContain(BROKEN);
    expect(panel).toMatch(/expected 50.*got 49/);
    expect(panel).toMatch(/GetAllPositions \{.*HTTP 200, \d+ ms: /s);
    expect(page).toContain(`href="${runFiles.results}"`);
  });

  test("gives everything as JSON, and finds every quote", async () => {
    const { counts, statements, run: about } = await annotationOf(run, "--spec", spec);
    expect(counts).toMatchObject({ quotes: allQuotes.length, quotesLost: 0 });
    expect(about.conclusion).toBe("NOT CONFORMANT");
    const failed = statements.filter(({ status }) => status === "fail");
    expect(new Set(failed.flatMap(({ rules }) => rules.filter(({ status }) => status === "fail")))).toEqual(
      new Set(failed.map(() => ({ id: BROKEN, status: "fail" }))),
    );
    const whole = statements.filter(({ rules }) => rules.some(({ id }) => id === WHOLE));
    expect(whole.map(({ status }) => status)).toContain("pass");
  });

  test("names what is gone, and ends with 1 where that is asked for", async () => {
    const shorter = join(await scratchFolder(), "shorter.md");
    await writeFile(shorter, document.replace("`Values above 1000 are capped to 1000, not rejected`", ""));
    const { code, stdout } = await annotate(run, "--spec", shorter, "--fail-on", "difference");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^the document differs from what the rules quote: \d+ changed, 0 new, \d+ gone, 0 moved$/m);
    const { differences } = await annotationOf(run, "--spec", shorter);
    expect(differences.filter(({ kind, rules }) => kind === "gone" && rules.length > 0)).toMatchObject([
      {
        section: "§4.1",
        lost: ["Values above 1000 are capped to 1000, not rejected"],
        rules: [WHOLE],
      },
    ]);
    expect((await annotate(run, "--spec", shorter)).code).toBe(0);
  });

  test("writes where it is told, over its own pages and nothing else", async () => {
    const folder = await scratchFolder();
    const page = join(folder, "page.html");
    expect(await annotate(run, "--spec", spec, "--out", page)).toMatchObject({ code: 0 });
    expect(await annotate(run, "--spec", spec, "--out", page)).toMatchObject({ code: 0 });
    await writeFile(page, "mine");
    expect(await annotate(run, "--spec", spec, "--out", page)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("exists, and is not a page of this command"),
    });
    expect(await annotate(run, "--spec", spec, "--out", spec)).toMatchObject({ code: 2 });
    expect(await readFile(page, "utf8")).toBe("mine");
  });

  test.each([
    ["no run", (at: string) => [at, "--spec", spec], 2, /there is no run in/],
    ["no folder", (at: string) => [join(at, "x"), "--spec", spec], 2, /there is no run in/],
    ["no specification", () => [run], 2, /required option '--spec <file>'/],
    [
      "a specification that is not there",
      (at: string) => [run, "--spec", join(at, "x.md")],
      2,
      /--spec: .*no such file/,
    ],
    ["another document", () => [run, "--spec", join(run, "summary.md")], 2, /is it the specification/],
    ["a folder", () => [run, "--spec", run], 2, /--spec: .*not a regular file/],
  ])("says of %s what is wrong", async (_, args, code, message) => {
    const ended = await mainHere(["annotate", ...args(await scratchFolder())]);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(message);
  });

  test("refuses a record that was altered, and makes do without one", async () => {
    const copy = join(await scratchFolder(), "run");
    await cp(run, copy, { recursive: true });
    await writeFile(join(copy, runFiles.evidence, "session.json"), "{}");
    expect((await annotate(copy, "--spec", spec)).code).toBe(3);
    await rm(join(copy, runFiles.evidence), { recursive: true });
    expect((await annotate(copy, "--spec", spec)).code).toBe(0);
    expect(await readFile(join(copy, "annotated.html"), "utf8")).not.toContain(`href="./${runFiles.evidence}"`);
  });
});

describe.runIf(browserPath)("the annotated page in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
    await annotate(run, "--spec", spec);
  });
  afterAll(() => browser.close());

  test.each([
    ["a desk", 1440, 900],
    ["a phone", 390, 844],
  ])("on %s opens a panel where a statement is chosen, and loads nothing", async (_, width, height) => {
    const page = await browser.newPage({ viewport: { width, height } });
    const asked: string[] = [];
    const said: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => said.push(message.text()));
    const address = pathToFileURL(join(run, "annotated.html")).href;
    await page.goto(address);
    expect(await page.evaluate(() => window.document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

    const statement = page.locator("main a.s.fail").first();
    await statement.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    await statement.click();
    const panel = page.locator(".panel:target");
    expect(await panel.isVisible()).toBe(true);
    expect(await panel.locator(".rule[open]").first().isVisible()).toBe(true);
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
    await panel.locator("a[title=close]").click();
    expect(await page.locator(".panel:target").count()).toBe(0);

    await page.locator("label.fail").click();
    const opacity = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).opacity);
    expect(Number(await opacity("main a.s.not-exercised"))).toBeLessThan(1);
    expect(Number(await opacity("main a.s.fail"))).toBe(1);
    expect(asked).toEqual([address]);
    expect(said).toEqual([]);
    await page.close();
  });
});
