import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { annotations } from "./github.js";
import { anyText, checkResult, findingOf, hostileText, resultsOf, resultsWith } from "./run.fixture.js";

/** Reads workflow commands as GitHub does. */
function read(lines: readonly string[]) {
  const plain = (text = "") =>
    text.replace(/%(25|0D|0A|3A|2C)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return lines.map((line) => {
    const [, kind, title, text] = /^::(\w+) title=([^:,]*)::(.*)$/.exec(line) ?? [];
    return { kind, title: plain(title), text: plain(text) };
  });
}

describe("annotations of a run", () => {
  test("are errors for what failed or broke, a warning for what is advisory, and the conclusion as a notice", () => {
    const told = read(annotations(resultsOf({ problems: ["a suite crashed"] })));
    expect(told.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
      "error sample.fail on GetAllPositions",
      "error the harness had a problem",
      "error sample.error in error on GetAllPositions",
      "warning sample.warn (advisory) on GetAllPositions",
      "notice perp-conformance",
    ]);
    expect(told[0]?.text).toContain("expected: 2.5 (= nominalSize)\nseen: 2.4\nwhere: positions[17].effectiveSize");
    expect(told[0]?.text).toContain("--rule sample.fail");
    expect(told.at(-1)?.text).toMatch(/^NOT CONFORMANT, exit 1: 1 mandatory rule failed: \S+; /);
  });

  test("name the target where there are several", () => {
    expect(read(annotations(resultsOf(), "staging")).every(({ title }) => title.startsWith("staging: "))).toBe(true);
  });

  test("of a strict run take warnings for errors", () => {
    const kinds = read(annotations(resultsWith(["warn", "pass"], { strict: true }))).map(({ kind }) => kind);
    expect(kinds).toEqual(["error", "notice"]);
  });

  test("are no more than GitHub shows, and say how many are left out", () => {
    const told = read(annotations(resultsWith(Array.from({ length: 25 }, () => "fail" as const))));
    const errors = told.filter(({ kind }) => kind === "error");
    expect(errors).toHaveLength(10);
    expect(errors.at(-1)?.title).toBe("and 16 others");
  });

  test("leave known deviations out, and tell of a baseline that does not hold", () => {
    const day = { reason: "known", expires: "2099-01-01" };
    const baseline = {
      file: "b.json",
      green: false,
      entries: [
        { rule: "sample.fail", ...day, state: "known" as const, message: "sample.fail is a known deviation" },
        { rule: "sample.pass", ...day, state: "passes" as const, message: "sample.pass passes now: remove its entry" },
      ],
      unlisted: [],
    };
    const told = read(annotations({ ...resultsOf(), baseline }));
    expect(told.map(({ title, text }) => `${title}: ${text}`)).toContain(
      "the baseline does not hold: sample.pass passes now: remove its entry",
    );
    expect(told.some(({ title }) => title.startsWith("sample.fail on"))).toBe(false);
  });

  test("are one command a line, whatever the target says", () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.constant(hostileText), fc.constant("%0A::stop-commands::x\n::error::y")),
        (text) => {
          const place = { exchange: "x/1", path: text, expected: text, seen: text };
          const results = resultsOf({
            problems: [text],
            results: [
              checkResult("sample.fail", "fail", { violations: [findingOf({ message: text, places: [place] })] }),
            ],
          });
          for (const line of annotations(results, "one")) {
            expect(line).toMatch(/^::(error|warning|notice) title=[^:,\r\n]*::[^\r\n]*$/);
            expect(line).not.toMatch(/%(?!25|0A|3A|2C)/);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
