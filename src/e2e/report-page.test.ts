import { stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Ended, listenOnLoopback, perp } from "./binary.fixture.js";
import { browserPath, startBrowser } from "./browser.fixture.js";
import { passBack, passOn, shutDown, startModified } from "./servers.fixture.js";

/** What a hostile target answers in place of an enum's value: markup that would run, an escape sequence, a reversed text. */
const HOSTILE =
  '<img src="http://127.0.0.1:9/x" onerror="document.title=\'owned\'"><script>owned()</script>\u001b[31m\u202e';

/** Rules of many sections, and one for each verdict that a target can bring about. */
const RULES = [
  "wire.owner-lowercase",
  "wire.int64-as-string",
  "position.associated-orders-agree",
  "position.margin-type-isolated",
  "order-book.sort-direction",
  "get-all-positions.limit-default",
  "order-book.limit-default",
  "order-book.bucket-spacing",
  "order-book.bucket-alignment",
  "get-historical-prices.range",
];

/** Before a broken server: it puts hostile text into a listing of positions, and has not implemented one operation. */
function hostileProxyTo(port: number): Server {
  return createServer((request, response) => {
    if (request.url?.endsWith("/GetHistoricalPrices")) {
      response.writeHead(501, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ code: "unimplemented", message: "not functional yet" }));
      return;
    }
    passOn(request, response, port, async (answer) => {
      if (!request.url?.endsWith("/GetAllPositions")) return passBack(answer, response);
      const text = Buffer.concat(await answer.toArray()).toString("utf8");
      const body = text.replaceAll('"MARGIN_TYPE_ISOLATED"', () => JSON.stringify(HOSTILE));
      const { "content-length": _, ...rest } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, rest).end(body);
    });
  });
}

describe.skipIf(browserPath === undefined)("the report in a browser", () => {
  let ended: Ended;
  let target: string;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    const server = await startModified("order-book-asks-not-bucketed", {});
    const proxy = hostileProxyTo(server.port);
    target = await listenOnLoopback(proxy);
    [ended, browser] = await Promise.all([
      perp(["run", "--seed", "7", "--base-url", target, ...RULES.flatMap((rule) => ["--rule", rule])]),
      startBrowser(),
    ]);
    shutDown(proxy);
    await server.close();
    page = await browser.newPage({ viewport: { width: 1300, height: 1100 } });
    page.on("request", (request) => requested.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
  }, 120_000);
  afterAll(() => browser?.close());

  /** What Allure shows. */
  const allure = () => page.locator("#app");

  /** Opens the report again, at our own first page. */
  async function openReport(fragment = ""): Promise<void> {
    const { href } = pathToFileURL(join(ended.out, "allure-report/index.html"));
    await page.goto("about:blank");
    await page.goto(`${href}${fragment}`);
  }

  /** Opens Allure's first page again. */
  async function firstPage(): Promise<void> {
    await openReport("#/");
    await page.getByTestId("report-variables").waitFor();
    await allure().getByText("§4.6 GetOrderBook").first().waitFor();
  }

  /** Opens a check, what it has seen and the first exchange of it, until a part of that is there. */
  async function openExchangeOf(check: string, part: "Request" | "Response"): Promise<void> {
    await firstPage();
    const step = allure().getByText("What was seen");
    const exchange = allure()
      .getByText(/^Exchange /)
      .first();
    await unfold(allure().getByText(check).first(), step);
    await unfold(
      step,
      allure()
        .getByText(/expected .* seen /s)
        .first(),
    );
    await unfold(exchange, allure().getByText(part, { exact: true }));
  }

  /** Clicks on a title until what belongs to it shows: what is still loading may move it away from under a click. */
  async function unfold(title: Locator, shown: Locator): Promise<void> {
    await vi.waitFor(
      async () => {
        if (!(await shown.isVisible())) await title.dispatchEvent("click", {}, { timeout: 3000 });
        await shown.waitFor({ timeout: 3000 });
      },
      { timeout: 30_000, interval: 100 },
    );
  }

  /** What the first page says, by name. */
  async function facts(): Promise<Record<string, string>> {
    const items = await page.getByTestId("report-variables").getByTestId("metadata-item").all();
    const entries = items.map(async (item) => [
      await item.getByTestId("metadata-item-key").innerText(),
      await item.getByTestId("metadata-item-value").innerText(),
    ]);
    return Object.fromEntries(await Promise.all(entries));
  }

  test("begins with the conclusion and what failed, and leads from there to a check and back", async () => {
    await openReport();
    const text = await page.locator("body").innerText();
    expect(text).toMatch(/^http:\S+\s+NOT CONFORMANT\s+2 mandatory rules failed/m);
    expect(text.indexOf("Failed rules (2)")).toBeGreaterThan(0);
    expect(text.indexOf("Failed rules (2)")).toBeLessThan(text.indexOf("Warnings"));
    await page
      .getByRole("link", { name: /^order-book\.bucket-spacing on / })
      .first()
      .click();
    await page.getByTestId("test-result-info-title").waitFor();
    expect(await page.getByTestId("test-result-info-title").innerText()).toContain("order-book.bucket-spacing");
    expect(await page.locator("#front").isVisible()).toBe(false);
    await page.getByText("First page").click();
    await page.locator("#front h1").waitFor();
    expect(await allure().isVisible()).toBe(false);
  });

  test("shows nothing green on its first page's banner, and no tab that can have nothing in it", async () => {
    await openReport();
    const colours = await page
      .locator("#front header circle")
      .evaluateAll((circles) => circles.map((circle) => getComputedStyle(circle).stroke));
    expect(colours).toContain("rgb(180, 35, 24)");
    expect(colours).not.toContain("rgb(25, 112, 58)");
    await firstPage();
    const tabs = await page
      .locator('[data-testid^="nav-tab-"]:visible')
      .evaluateAll((all) => all.map((tab) => tab.getAttribute("data-testid")));
    expect(tabs).toEqual(["nav-tab-results", "nav-tab-categories"]);
  });

  test.each(["", "#/"])("fits a phone at %j, and is no larger than it must be", async (fragment) => {
    const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, isMobile: true });
    const { href } = pathToFileURL(join(ended.out, "allure-report/index.html"));
    await phone.goto(`${href}${fragment}`);
    await phone.waitForTimeout(500);
    expect(await phone.evaluate(() => [innerWidth, document.documentElement.scrollWidth])).toEqual([390, 390]);
    await phone.close();
    expect((await stat(join(ended.out, "allure-report/index.html"))).size).toBeLessThan(4_000_000);
  });

  test("says in Allure as well whether the target conforms, and what that rests on", async () => {
    const { summary } = await ended.results();
    expect(summary.verdicts).toMatchObject({ fail: 2, warn: 1, unimplemented: 1, observed: 1 });
    await firstPage();
    expect(await page.title()).toContain("NOT CONFORMANT");
    expect(await facts()).toEqual({
      Conclusion: expect.stringMatching(
        /^NOT CONFORMANT \(2 mandatory rules failed: \S+, \S+; .*; selected rules only\)$/,
      ),
      Target: target,
      Profile: "quick",
      Seed: "7",
      Rules: `${summary.verdicts.pass} rules passed, 2 failed, 1 with warnings, 1 unimplemented, 1 observed, ${summary.verdicts.notRun} not run`,
      Conclusive: `${summary.conclusiveness.conclusive} of ${summary.conclusiveness.judged} judged rules`,
      "Detection power of the harness": expect.stringMatching(
        /^\d+ of \d+ mutants killed; .* on \d+ conformant servers$/,
      ),
      Specification: expect.stringMatching(/^perpetuals read API .* tested by perp-conformance /),
    });
    // Nothing of it is cut off, and Allure's scrolling to the first failure has had its time.
    await page.waitForTimeout(300);
    const [cut, top] = await page.getByTestId("report-variables").evaluate((element) => {
      const values = [...element.querySelectorAll('[data-testid="metadata-item-value"] *')];
      return [
        values.filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1).length,
        element.getBoundingClientRect().top,
      ];
    });
    expect(cut).toBe(0);
    expect(top).toBeGreaterThan(0);
  });

  test("has the sections that failed first, then in the specification's order, and in each the failed rules first", async () => {
    await firstPage();
    const text = await page.locator("body").innerText();
    const headings = text.split("\n").filter((line) => /^§\d/.test(line));
    expect(headings).toEqual([
      "§2 Position",
      "§4.6 GetOrderBook",
      "§1 What the service does",
      "§1 Wire conventions",
      "§2 OrderBook and level",
      "§4.1 GetAllPositions",
      "§4.7 GetHistoricalPrices",
    ]);
    // What failed is unfolded.
    const rules = text.split("\n").filter((line) => /^order-book\.[a-z-]+$/.test(line));
    expect(rules).toEqual(["order-book.bucket-spacing", "order-book.bucket-alignment", "order-book.limit-default"]);
  });

  test("has a category for each verdict, what failed first", async () => {
    await firstPage();
    await page.getByTestId("nav-tab-categories").click();
    await allure().getByText("Failed: mandatory rules that are violated").first().waitFor();
    const names = (await page.locator("body").innerText()).split("\n");
    expect(
      names.filter((line) =>
        /^(Failed|Errors|Warnings|Inconclusive|Unimplemented|Observed|Not run|Passed)\b.{6}/.test(line),
      ),
    ).toEqual([
      "Failed: mandatory rules that are violated",
      "Warnings: advisory rules that are violated",
      "Unimplemented operations",
      "Observed: left open by the specification, never judged",
    ]);
  });

  test("shows of a failed check what is stated, expected and seen, the exchange, and a line for a shell", async () => {
    await openExchangeOf("order-book.bucket-spacing on GetOrderBook", "Request");
    const line = allure()
      .getByText(/^curl -/)
      .first();
    await unfold(allure().getByText("Send again (shell)"), line);
    const text = await page.locator("body").innerText();
    const description = await page.frameLocator("iframe").first().locator("body").innerText();
    expect(description).toContain("§4.6, mandatory. The prices of a bucketed side differ by whole multiples");
    expect(description).toContain("Reading B8.");
    expect(description).toContain("When broken:");
    expect(text).toMatch(/expected {2}a whole multiple of \d+/);
    expect(text).toMatch(/seen {6}\d+/);
    expect(text).toContain(
      `curl -sS -i --http1.1 -X POST ${target}/orderbook_service.v1.OrderBookService/GetOrderBook`,
    );
    expect(text).toMatch(/POST\s+http:\S+GetOrderBook/);
    expect(text).not.toContain("vitest");
  });

  test("lets nothing that the target sends act", async () => {
    await openExchangeOf("position.margin-type-isolated on GetAllPositions", "Response");
    const text = await page.locator("body").innerText();
    // Not `toContain`: on a failure it would print the whole page.
    expect(text.includes("<script>owned()</script>")).toBe(true);
    expect(/[\u001b\u202e]/.test(text)).toBe(false);
    expect(await page.locator('img[src^="http"]').count()).toBe(0);
    expect(await page.title()).not.toContain("owned");
  });

  test("asks nobody for anything, and has nothing to complain of", () => {
    expect(requested.length).toBeGreaterThan(0);
    expect(requested.filter((url) => !/^(file|data|blob|about):/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
