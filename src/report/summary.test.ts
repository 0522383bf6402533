import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { changesSince } from "./changes.js";
import {
  blockedBy,
  checkResult,
  findingOf,
  hostileText,
  resultsFinding,
  resultsOf,
  resultsWith,
} from "./run.fixture.js";
import { resultsToMarkdown } from "./summary.js";

const markdown = new MarkdownIt({ html: true });

describe("the summary of a run", () => {
  test("leads with the conclusion and what it rests on", () => {
    const page = resultsToMarkdown(resultsWith(["pass"]));
    expect(page).toMatch(/^# CONFORMANT\n/);
    expect(page).toContain("| Target | `http://127.0.0.1:8080` |");
    expect(page).toContain("| Profile | quick |");
    expect(page).toContain("| Seed | 7 |");
    expect(page).toContain("| Conclusive | 1 of 1 judged rule |");
  });

  test("tells how many combinations of fields were tried", () => {
    const results = resultsWith(["pass"]);
    const interactions = [
      { name: "GetOrders", strength: 2, covered: 40, of: 42 },
      { name: "GetOrderBook", strength: 2, covered: 60, of: 60 },
    ] as const;
    const page = resultsToMarkdown({ ...results, summary: { ...results.summary, interactions } });
    expect(page).toContain("| Combinations | 100 of 102 pairs of field classes in 2 operations |");
    expect(resultsToMarkdown(results)).not.toContain("Combinations");
  });

  test("does not accuse a target when the harness broke, nor clear it when nothing was concluded", () => {
    expect(resultsToMarkdown(resultsWith(["pass", "error"]))).toMatch(/^# UNDECIDED\n\n- `1 rule ended in an error`/);
    expect(resultsToMarkdown(resultsWith(["inconclusive"]))).toMatch(
      /^# UNDECIDED\n\n- `no rule came to a conclusion`/,
    );
    expect(resultsToMarkdown(resultsWith(["pass"], { interrupted: true }))).toMatch(
      /^# UNDECIDED\n\n- `the run was interrupted`/,
    );
  });

  test("says how far a conclusion reaches when some rules were not settled", () => {
    expect(resultsToMarkdown(resultsWith(["pass", "inconclusive"]))).toMatch(
      /^# CONFORMANT \(1 of 2 rules were conclusive\)/,
    );
  });

  test("lists what does not apply, and counts it neither as settled nor as lacking", () => {
    const results = [checkResult("sample.rule-1", "notApplicable", { message: "looked in 3 places" })];
    const page = resultsToMarkdown(
      resultsWith(["pass", "notApplicable"], { results: [checkResult("sample.rule-0", "pass"), ...results] }),
    );
    expect(page).toMatch(/^# CONFORMANT\n/);
    expect(page).toMatch(
      /^<details><summary>Not applicable: .*\(1\)<\/summary>\n\n- `looked in 3 places`: sample\.rule-1$/m,
    );
    expect(page).toContain("| Conclusive | 1 of 1 judged rule |");
  });

  test("says what a selection limits the conclusion to", () => {
    const selection = { rules: ["sample.rule-0"], suites: [] };
    expect(resultsToMarkdown(resultsWith(["pass"], { selection }))).toMatch(/^# CONFORMANT \(selected rules only\)/);
  });

  test("gives requirement, reading, expected, seen, where and the command for a failed rule", () => {
    const page = resultsToMarkdown(resultsOf());
    for (const line of [
      "### sample.fail",
      "§4.1: What sample.fail states. What goes wrong without sample.fail.",
      "Read by R1: Relative tolerance 1e-6.",
      "  - expected: `2.5 (= nominalSize)`",
      "  - seen: `2.4`",
      "  - where: `positions[17].effectiveSize of the answer, and 1 other place`",
      "  - exchange: `x/1`",
      '  - request: `GetAllPositions {"limit":1000}`',
      `  - send again: \`${findingOf().curl}\``,
      "- run again: `perp-conformance run --base-url http://127.0.0.1:8080 --seed 7 --rule sample.fail`",
    ]) {
      expect(page.split("\n")).toContain(line);
    }
  });

  test("shows a command as it is to be pasted, whole and with its pipes", () => {
    const curl = `printf '${"x".repeat(3000)}' | curl -sS --data-binary @- http://127.0.0.1:8080/`;
    expect(resultsToMarkdown(resultsFinding(findingOf({ curl })))).toContain(`  - send again: \`${curl}\``);
  });

  test("names what blocks rules, a line for each cause", () => {
    const [first, second] = [blockedBy("GetOrderBook"), blockedBy("GetOrders")];
    const results = [first, second, first].map((blocked, index) =>
      checkResult(`sample.rule-${index}`, "blocked", blocked),
    );
    const page = resultsToMarkdown(resultsWith(["blocked", "blocked", "blocked"], { results }));
    expect(page).toContain(
      "## Blocked\n\n- 2 rules blocked: `GetOrderBook answers HTTP 404`: sample.rule-0, sample.rule-2\n- 1 rule blocked: `GetOrders ",
    );
  });

  test("puts rules together that may fail for one cause, and says so", () => {
    const elsewhere = findingOf({ places: [{ exchange: "x/2", path: "pagination", expected: "50", seen: "49" }] });
    const results = [
      checkResult("sample.rule-0", "fail"),
      checkResult("sample.rule-1", "fail", { violations: [elsewhere] }),
      checkResult("sample.rule-2", "fail"),
    ];
    const page = resultsToMarkdown(resultsWith(["fail", "fail", "fail"], { results }));
    expect(page.match(/^### .*$/gm)).toEqual(["### sample.rule-0", "### sample.rule-1"]);
    expect(page).toContain(`
1 other rule may fail for the same cause, at \`positions[*].effectiveSize of GetAllPositions\`:

- sample.rule-2 on GetAllPositions: \`positions[17].effectiveSize: expected 2.5 (= nominalSize), got 2.4\`
`);
  });

  test("lists what would settle the inconclusive, what was observed, and why rules did not run", () => {
    const page = resultsToMarkdown(resultsOf());
    expect(page).toContain("- `no closed position was seen; one would settle it`: sample.inconclusive");
    expect(page).toContain("- sample.observed, GetAllPositions: order of ties: `by id`");
    expect(page).toContain("(`explain` says why): sample.unobservable");
    expect(page).toContain("- only in the full profile: sample.full-only");
  });

  test("tells what failed in ten lines at most, and all about it in a fold", () => {
    const verdicts = Array.from({ length: 30 }, () => "fail" as const);
    const results = verdicts.map((verdict, index) => {
      const place = { exchange: "x/1", path: `field${index}`, expected: "1", seen: "2" };
      return checkResult(`sample.rule-${index}`, verdict, { violations: [findingOf({ places: [place] })] });
    });
    const page = resultsToMarkdown(resultsWith(verdicts, { results }));
    const [inShort = "", ...folds] = page.slice(page.indexOf("## Failed rules")).split("<details>");
    const lines = inShort.trim().split("\n").slice(2);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe("- **sample.rule-0** on GetAllPositions: expected `1`, seen `2`");
    expect(lines[9]).toBe("- and 21 other rules");
    expect(folds[0]).toMatch(/^<summary>All about the failed rules<\/summary>\n\n### sample\.rule-0\n/);
    expect(folds[0]?.match(/^### /gm)).toHaveLength(30);
    expect(page.indexOf("## Failed rules")).toBeLessThan(page.indexOf("| Target |"));
  });

  test("says what is new since the run before", () => {
    const now = resultsWith(["fail", "pass", "inconclusive", "pass"]);
    const earlier = resultsWith(["pass", "fail", "pass", "pass"], { labels: { build: "1" } });
    const before = changesSince(earlier, now);
    expect(resultsToMarkdown({ ...now, ...(before && { before }) })).toContain(
      [
        "## Since the run of 2026-01-02 03:04 UTC (`build=1`)\n",
        ...["- newly failing: sample.rule-0", "- passing again: sample.rule-1", "- no longer settled: sample.rule-2"],
      ].join("\n"),
    );
    const same = changesSince(now, now);
    expect(resultsToMarkdown({ ...now, ...(same && { before: same }) })).toContain(
      "Nothing is new since the run of 2026-01-02 03:04 UTC.",
    );
  });

  test("compares with no run that says nothing about the same thing", () => {
    const now = resultsWith(["fail"]);
    const target = { baseUrl: "http://127.0.0.1:8080", embedded: true as const };
    for (const change of [{ interrupted: true }, { problems: ["a suite crashed"] }, { target }])
      expect(changesSince(resultsWith(["pass"], change), now)).toBeUndefined();
    const selection = { rules: ["sample.rule-1"], suites: [] };
    expect(changesSince(resultsWith(["pass", "pass"], { selection }), now)?.failing).toEqual([]);
  });

  test("renders no markup that came from a target", () => {
    const texts = fc.array(fc.constantFrom("`", "``", "|", "<b>", "\n", "*", "\\", "[x](y)", "# ", "&lt;", "~~~"));
    fc.assert(
      fc.property(texts, (parts) => {
        const text = `${hostileText}${parts.join("")}`;
        const page = resultsToMarkdown(
          resultsWith(["fail", "inconclusive", "observed"], {
            problems: [text],
            results: [
              checkResult("sample.rule-0", "fail", {
                violations: [
                  findingOf({
                    request: text,
                    curl: text,
                    places: [{ exchange: text, path: text, expected: text, seen: text }],
                  }),
                ],
              }),
              checkResult("sample.rule-1", "inconclusive", { message: text }),
              checkResult("sample.rule-2", "observed", { observations: [{ what: "seen", seen: text }] }),
            ],
          }),
        );
        const outsideCode = markdown.render(page).replace(/<code>[^<]*<\/code>/g, "");
        expect(outsideCode).not.toMatch(/alert|script|<b>|<a |<em>/);
      }),
    );
  });
});
