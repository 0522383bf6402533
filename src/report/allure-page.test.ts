import { describe, expect, test } from "vitest";
import { frontPage } from "./allure-front.js";
import { filesOf } from "./allure-page.fixture.js";
import { rewritePage } from "./allure-page.js";
import { blockedBy, checkResult, hostileText, resultsOf, resultsWith } from "./run.fixture.js";

/** Where a part of a text begins; a part that is missing is nowhere. */
function placeOf(text: string, part: string): number {
  const place = text.indexOf(part);
  return place === -1 ? Number.NaN : place;
}

describe("the first page of the report", () => {
  const linkOf = (check: string) => `#${check.length}`;

  test("says the conclusion, then what failed, then what was not settled", () => {
    const page = frontPage(resultsOf(), linkOf);
    const places = [
      "NOT CONFORMANT</h1>",
      "Failed rules (1)",
      "Rules in error",
      "Inconclusive, and",
      "Unimplemented",
    ].map((part) => placeOf(page, part));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(page).toContain("no closed position was seen; one would settle it");
  });

  test.each([
    ["good", resultsWith(["pass"])],
    ["bad", resultsWith(["pass", "pass", "pass", "fail"])],
    ["open", resultsWith(["pass", "error"])],
  ] as const)("has a banner and a ring in the colour %s of its conclusion alone", (tone, results) => {
    const [banner = ""] = frontPage(results, linkOf).split("</header>");
    expect([...banner.matchAll(/var\(--(good|bad|open)\)/g)].map(([, name]) => name)).toEqual([tone]);
    expect(banner).toContain(`class="banner ${tone} front-banner"`);
  });

  test("counts only verdicts that occur", () => {
    const headsOf = (results: Parameters<typeof frontPage>[0]) =>
      [...frontPage(results, linkOf).matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, head]) => head);
    expect(new Set(headsOf(resultsWith(["pass"])))).toEqual(new Set(["Operation", "Section", "passed"]));
    expect(new Set(headsOf(resultsWith(["pass", "fail"])))).toEqual(
      new Set(["Operation", "Section", "failed", "passed"]),
    );
  });

  test("says of a failure what was expected and seen, and links the check; of a block its cause", () => {
    const failed = frontPage(resultsWith(["fail"]), linkOf);
    expect(failed).toContain("2.5 (= nominalSize)");
    expect(failed).toContain('<code class="bad">2.4</code>');
    expect(failed).toMatch(/<a href="#\d+"><code>sample\./);
    const results = [checkResult("sample.rule-0", "blocked", blockedBy("GetOrderBook"))];
    expect(frontPage(resultsWith(["blocked"], { results }), linkOf)).toContain("GetOrderBook answers HTTP 404");
  });

  test("shows what a target says as it is, and loads nothing", () => {
    const target = { baseUrl: "http://127.0.0.1:8080", implementation: { name: hostileText, version: hostileText } };
    const page = frontPage(resultsWith(["pass"], { target }), linkOf);
    expect(page).not.toMatch(/<(script|img|iframe|object)\b/i);
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

describe("Allure's page", () => {
  const d = (path: string, value: unknown) => `d("${path}","${Buffer.from(JSON.stringify(value)).toString("base64")}")`;
  const tree = {
    root: { leaves: ["1", "2"] },
    groupsById: {},
    leavesById: { 1: { id: "1", nodeId: "1", name: "late" }, 2: { id: "2", nodeId: "2", name: "early" } },
  };
  const page = `<html><head></head><body>
<script  src="data:text/javascript;base64,${Buffer.from("run()").toString("base64")}"></script>
<script async src="https://www.googletagmanager.com/gtag/js?id=G"></script><script>gtag('js');</script>
<script async>window.allureReportData = {};</script>
<script defer>Promise.allSettled([${d("widgets/tree.json", tree)},${d("widgets/default/tree.json", tree)},${d("widgets/nav.json", ["1", "2"])}])</script>
</body></html>`;

  test("keeps its program and its data, in order, and loses what tells others that it is read", () => {
    const own = rewritePage(page, resultsWith(["pass"]), ["early", "late"]);
    const files = filesOf(own);
    expect(JSON.parse(files["widgets/nav.json"] ?? "")).toEqual(["2", "1"]);
    expect(JSON.parse(files["widgets/default/tree.json"] ?? "")).toMatchObject({ root: { leaves: ["2", "1"] } });
    expect(own).not.toMatch(/googletagmanager|gtag/);
    expect(own).toContain('<meta name="viewport"');
  });

  test("is refused when it is not as this version of Allure writes it", () => {
    expect(() => rewritePage("<html></html>", resultsWith(["pass"]), [])).toThrow("not as expected");
  });
});
