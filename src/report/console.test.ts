import { describe, expect, test } from "vitest";
import type { Verdict } from "../engine/result.js";
import type { RunFacts } from "./assemble-results.js";
import { conclusionLine, resultsToTerminal } from "./console.js";
import {
  blockedBy,
  checkResult,
  findingOf,
  hostileText,
  resultsFinding,
  resultsOf,
  resultsWith,
} from "./run.fixture.js";

const plain = { color: false };

describe("the end of a run on a terminal", () => {
  test("is a few lines for each failed rule, and what was not settled", () => {
    expect(resultsToTerminal(resultsOf(), plain)).toMatchInlineSnapshot(`
      "FAIL sample.fail on GetAllPositions
        requirement §4.1: What sample.fail states.
        request     GetAllPositions {"limit":1000}
        expected    2.5 (= nominalSize)
        seen        2.4
        where       positions[17].effectiveSize of the answer, and 1 other place
        excerpt     {"effectiveSize":2.4,"nominalSize":2.5}
        send again  curl -sS http://127.0.0.1:8080/position_service.v1.PositionService/GetAllPositions -d '{"limit":1000}'
        run again   perp-conformance run --base-url http://127.0.0.1:8080 --seed 7 --rule sample.fail

      Warnings (advisory) (1 rule)
        WARN sample.warn on GetAllPositions: positions[17].effectiveSize: expected 2.5 (= nominalSize), got 2.4; may have the same cause as sample.fail

      In error (1 rule)
        sample.error: the check itself threw TypeError

      Inconclusive (1 rule)
        sample.inconclusive: no closed position was seen; one would settle it

      Unimplemented (1 rule)
        sample.unimplemented: GetAllPositions answered unimplemented"
    `);
  });

  test("counts the checks of each operation where nothing failed", () => {
    expect(resultsToTerminal(resultsWith(["pass", "pass"]), plain)).toBe(
      "Checks           pass\nGetAllPositions     2",
    );
  });

  test("names the other operations on which a rule failed", () => {
    const onAnother = { name: "sample.rule-0 on GetOrders", endpoint: "GetOrders" } as const;
    const results = [checkResult("sample.rule-0", "fail"), checkResult("sample.rule-0", "fail", onAnother)];
    expect(resultsToTerminal(resultsWith(["fail"], { results }), plain)).toContain(
      "FAIL sample.rule-0 on GetAllPositions, also on GetOrders\n",
    );
  });

  test("wraps prose at the width of the terminal, below where it begins, and no command", () => {
    const lines = resultsToTerminal(resultsOf(), { ...plain, columns: 60 }).split("\n");
    const long = lines.filter((line) => line.length > 60);
    expect(long).toHaveLength(2);
    for (const line of long) expect(line).toMatch(/^ {2}(send|run) again /);
    expect(lines.join("\n")).toContain(
      "  where       positions[17].effectiveSize of the answer, and\n              1 other place\n",
    );
    expect(lines.map((line) => line.trim()).join(" ")).toBe(
      resultsToTerminal(resultsOf(), plain)
        .split("\n")
        .map((line) => line.trim())
        .join(" "),
    );
  });

  test("colours only where colours are wanted", () => {
    expect(resultsToTerminal(resultsOf(), { color: true })).toContain("\u001b[31m");
    expect(resultsToTerminal(resultsOf(), plain)).not.toContain("\u001b");
  });

  test("shows warnings as violations when the run is strict", () => {
    expect(resultsToTerminal(resultsWith(["pass", "warn"], { strict: true }), plain)).toMatch(
      /^WARN sample.rule-1 on/m,
    );
  });

  test("keeps a violation short and sanitized, whatever the target sent", () => {
    const long = hostileText.repeat(1000);
    const place = { exchange: long, path: long, expected: long, seen: long };
    const violation = findingOf({ message: long, places: [place] });
    const text = resultsToTerminal(resultsFinding(violation), plain);
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    const block = text.slice(text.indexOf("FAIL"));
    expect(Buffer.byteLength(block)).toBeLessThan(1500);
  });

  test("shows a command whole, or says where it is", () => {
    const shown = (curl: string) => resultsToTerminal(resultsFinding(findingOf({ curl })), plain);
    const long = `curl -sS --data-raw '${"x".repeat(3000)}'`;
    expect(shown(long)).toContain(`  send again  ${long}\n`);
    expect(shown(long.repeat(10))).toContain("  send again  a command of 30220 characters: see results.json\n");
  });

  test("shows the commands of both answers that were compared", () => {
    const shown = (other: string) => {
      const comparedWith = { exchange: "another", request: "GetOrders {}", path: "orders[3]", curl: other };
      return resultsToTerminal(resultsFinding(findingOf({ curl: "curl one", comparedWith })), plain);
    };
    expect(shown("curl two")).toContain("  send again  curl one\n  and compare curl two\n");
    expect(shown("curl one")).not.toContain("and compare");
    expect(shown("curl one")).toContain("compared to GetOrders {}, at orders[3]\n");
  });

  test("shows other requests of the operation that violate the rule", () => {
    const requests = ["GetOrders {}", 'GetOrders {"limit":1}', 'GetOrders {"limit":2}', 'GetOrders {"limit":3}'];
    const [first = findingOf({}), ...others] = requests.map((request) =>
      findingOf({ request, operation: "GetOrders" }),
    );
    const otherRequests = ['GetOrders {"limit":4}'];
    const elsewhere = findingOf({ request: "GetPortfolio {}", operation: "GetPortfolio" });
    const text = resultsToTerminal(resultsFinding({ ...first, otherRequests }, ...others, elsewhere), plain);
    expect(text.match(/^ {2}also .*$/gm)).toEqual([
      '  also        GetOrders {"limit":4}',
      '  also        GetOrders {"limit":1}',
    ]);
  });

  test("begins with the shortest request of the first operation that violates the rule", () => {
    const long = findingOf({ request: "GetOrders {1}", operation: "GetOrders" });
    const short = findingOf({ request: "GetOrders {}", operation: "GetOrders" });
    const text = resultsToTerminal(resultsFinding(long, short), plain);
    expect(text).toContain("\n  request     GetOrders {}\n");
    expect(text).toContain("\n  also        GetOrders {1}");
  });

  test("says once why several checks of settled rules were inconclusive, whatever the numbers", () => {
    const results = [
      checkResult("sample.rule-0", "pass"),
      ...[3, 4].map((count) => checkResult("sample.rule-0", "inconclusive", { message: `needs ${count} rows` })),
    ];
    expect(resultsToTerminal(resultsWith(["pass"], { results }), plain)).toMatch(
      /though other checks settled the rule \(2 checks\)\n {2}\S.* and 1 other check: needs 3 rows$/m,
    );
  });

  test("names what blocks rules, a line for each cause", () => {
    const verdicts = ["pass", ...Array.from({ length: 14 }, () => "blocked" as const), "blocked"] as const;
    const results = verdicts.map((verdict, index) => {
      const blocked = blockedBy(index === 15 ? "GetOrders" : "GetOrderBook");
      return checkResult(`sample.rule-${index}`, verdict, verdict === "blocked" ? blocked : {});
    });
    const text = resultsToTerminal(resultsWith(verdicts, { results }), plain);
    expect(text).toContain(
      "14 rules blocked: GetOrderBook answers HTTP 404\n1 rule blocked: GetOrders answers HTTP 404",
    );
    expect(text.match(/GetOrderBook/g)).toHaveLength(1);
  });

  test("tells rules that may fail for one cause together, the first of them at length", () => {
    const results = [0, 1, 2].map((index) => checkResult(`sample.rule-${index}`, "fail"));
    const text = resultsToTerminal(resultsWith(["fail", "fail", "fail"], { results }), plain);
    expect(text.match(/send again/g)).toHaveLength(1);
    expect(text).toContain(`
  2 other rules may fail for the same cause, at positions[*].effectiveSize of GetAllPositions:
    FAIL sample.rule-1 on GetAllPositions: positions[17].effectiveSize: expected 2.5 (= nominalSize), got 2.4
    FAIL sample.rule-2 on`);
  });

  test("tells a dozen failures at length, and each of the others in a line", () => {
    const verdicts = Array.from({ length: 20 }, () => "fail" as const);
    const results = verdicts.map((verdict, index) => {
      const place = { exchange: "x/1", path: `field${index}`, expected: "1", seen: "2" };
      return checkResult(`sample.rule-${index}`, verdict, { violations: [findingOf({ places: [place] })] });
    });
    const text = resultsToTerminal(resultsWith(verdicts, { results }), plain);
    expect(text.match(/^FAIL /gm)).toHaveLength(20);
    expect(text.match(/^ {2}send again/gm)).toHaveLength(12);
    expect(text).toMatch(/\n\nFAIL sample\.rule-12 on GetAllPositions: .*\nFAIL sample\.rule-13 on/);
  });

  test("lists a dozen reasons why rules were not settled, and counts the rest", () => {
    const verdicts = Array.from({ length: 40 }, () => "inconclusive" as const);
    const results = verdicts.map((verdict, index) =>
      checkResult(`sample.rule-${index}`, verdict, { message: `needs ${Math.max(0, index - 24)} wallets` }),
    );
    const text = resultsToTerminal(resultsWith(verdicts, { results }), plain);
    expect(text).toContain(
      "Inconclusive (40 rules)\n  25 rules (sample.rule-0, sample.rule-1, ...): needs 0 wallets\n  sample.rule-25: needs 1 wallets\n",
    );
    expect(text).toContain("  and 4 more in summary.md");
  });

  test("says why a check is inconclusive also where another check of its rule passed", () => {
    const open = checkResult("sample.rule-0", "inconclusive", {
      name: "sample.rule-0: twice",
      message: "needs two wallets",
    });
    const text = resultsToTerminal(
      resultsWith(["pass"], { results: [checkResult("sample.rule-0", "pass"), open] }),
      plain,
    );
    expect(text).toContain(
      "Inconclusive, though other checks settled the rule (1 check)\n  sample.rule-0: twice: needs two wallets",
    );
  });

  test("shows a warning in detail where nothing failed", () => {
    const text = resultsToTerminal(resultsWith(["pass", "warn"]), plain);
    expect(text).toContain(
      "WARN sample.rule-1 on GetAllPositions\n  requirement §4.1: What sample.rule-1 states. (advisory: ",
    );
    expect(text).toContain("\n  run again   ");
  });

  test.each<[Verdict[], Partial<RunFacts>, string]>([
    [["pass", "warn"], {}, "CONFORMANT, with 1 warning: sample.rule-1; 1 rule passed, 1 with warnings; "],
    [["notRun"], {}, "NOT TESTED, exit 3: the checks of sample.rule-0 gave no result; 1 rule not run; "],
    [["pass", "inconclusive"], {}, "CONFORMANT (1 of 2 rules were conclusive): 1 rule passed, 1 inconclusive; "],
    [["pass", "fail"], {}, "NOT CONFORMANT, exit 1: 1 mandatory rule failed: sample.rule-1; 1 rule passed, 1 failed; "],
    [
      ["pass", "error"],
      {},
      "UNDECIDED, exit 3: 1 rule ended in an error; it says: no reason given; 1 rule passed, 1 in error; ",
    ],
    [
      ["pass", "inconclusive"],
      { requireConclusive: 60 },
      "UNDECIDED, exit 4: 1 of 2 rules conclusive (50 %), 60 % required; 1 rule passed, 1 inconclusive; ",
    ],
  ])("of %j is in its last line, with the exit code and why", (verdicts, change, line) => {
    const facts = "quick profile, seed 7, 30 requests, 6.0 s";
    expect(conclusionLine(resultsWith(verdicts, change), plain)).toBe(`${line}${facts}`);
  });

  test.each<[Partial<RunFacts>, string]>([
    [{ successes: {} }, "GetAllPositions was not seen to work"],
    [
      {
        successes: {},
        broken: [{ operation: "GetAllPositions", kind: "unimplemented", answered: "unimplemented: no" }],
      },
      "GetAllPositions answers unimplemented; if that is on purpose, declare it: --not-implemented GetAllPositions",
    ],
  ])("of a run with %j names the operation", (change, why) => {
    expect(conclusionLine(resultsWith(["pass"], change), plain)).toContain(
      `UNDECIDED, exit 4: ${why}; 1 rule passed; `,
    );
  });

  test("names what is declared, and whether it works after all", () => {
    const declared: Partial<RunFacts> = { notImplemented: ["GetAllPositions"] };
    expect(conclusionLine(resultsWith(["pass"], { ...declared, successes: {} }), plain)).toContain(
      "CONFORMANT (without GetAllPositions, declared as not implemented): ",
    );
    expect(conclusionLine(resultsWith(["pass"], declared), plain)).toContain(
      "CONFORMANT (GetAllPositions is declared as not implemented, and works): ",
    );
  });

  test("says how many connections broke off, since those requests were sent again", () => {
    const requests = { count: 30, streams: 2, brokenOff: 3, bytesReceived: 1 };
    expect(conclusionLine(resultsWith(["pass"], { requests }), plain)).toContain(
      ", 30 requests (3 connections broke off), ",
    );
  });

  test("of the embedded server says so", () => {
    const target = { baseUrl: "http://127.0.0.1:8080", embedded: true as const };
    const line = conclusionLine(resultsWith(["pass"], { target }), plain);
    expect(line).toContain("CONFORMANT (the harness's own reference server was tested): ");
  });
});
