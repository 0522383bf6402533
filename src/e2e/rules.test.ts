import { describe, expect, test } from "vitest";
import { explain } from "../cli/explain.js";
import { listRules, rulesTable } from "../cli/rules.js";
import type { CheckInfo } from "../session/suites.js";
import { catalogue, ruleById } from "../specification/catalogue/index.js";
import { quotesOf } from "../specification/quotes.js";

const check: CheckInfo = {
  rule: "get-all-positions.limit-default",
  name: "get-all-positions.limit-default on GetAllPositions",
  endpoint: "GetAllPositions",
  suite: "§4.1 GetAllPositions",
  kind: "example",
  profile: "quick",
};
const late: CheckInfo = { ...check, name: `${check.name}: later`, profile: "full" };

describe("the list of rules", () => {
  test("has every rule, also those without a check", () => {
    expect(listRules([]).map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
  });

  test("names the checks of a rule", () => {
    const listed = listRules([check, late]).find(({ id }) => id === check.rule);
    expect(listed?.checks.map(({ name }) => name)).toEqual([check.name, late.name]);
  });

  test("quotes the readings that a rule rests on", () => {
    const ruled = catalogue.find(({ rulings }) => rulings !== undefined);
    const listed = listRules([]).find(({ id }) => id === ruled?.id);
    expect(listed?.quotes.length).toBeGreaterThan(0);
    expect(listed?.quotes).toEqual(ruled && quotesOf(ruled));
    expect(listed?.reading.map(({ ruling }) => ruling)).toEqual(ruled?.rulings);
    expect(listed?.reading[0]?.text).toMatch(/\.$/);
  });

  test("is a table with a line for each rule", () => {
    const lines = rulesTable(listRules([check]))
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(catalogue.length + 1);
    expect(lines.find((line) => line.startsWith(`${check.rule} `))).toMatch(/ mandatory +1 +§4\.1 +\S.*\.$/);
  });
});

describe("the explanation of a rule", () => {
  test("says what it states, how it is checked, and which servers break it", () => {
    const mutant = { name: "default-limit-49", summary: "Pages have 49 rows.", breaks: check.rule };
    const text = explain(
      ruleById("get-all-positions.limit-default"),
      [check],
      [mutant, { ...mutant, breaks: "other" }],
    );
    expect(text).toContain(ruleById("get-all-positions.limit-default").statement);
    expect(text).toContain("level      mandatory: a violation makes the target non-conformant");
    expect(text).toContain(`  - ${check.name} (example, quick profile)`);
    expect(text.match(/default-limit-49: Pages have 49 rows\./g)).toHaveLength(1);
    expect(text).toContain("npx perp-conformance run --base-url URL --rule get-all-positions.limit-default");
  });

  test("gives readings with their alternatives", () => {
    const rule = catalogue.find(({ rulings }) => rulings?.includes("B4"));
    const text = rule && explain(rule, [], []);
    expect(text).toMatch(/^Reading B4, on /m);
    expect(text).toMatch(/^ {2}- [a-z-]+: /m);
    expect(text).toMatch(/--reading B4=[a-z-]+$/m);
  });

  test("gives the words of the specification, the first ten where there are many", () => {
    expect(explain(ruleById("get-all-orders.limit-cap"), [], [])).toMatch(
      /^ {2}§4\.3 {2}"above 1000 capped to 1000"$/m,
    );
    const many = ruleById("wire.number-type");
    const text = explain(many, [], []);
    expect(text.match(/^ {2}§.* {2}".*"$/gm)).toHaveLength(10);
    expect(text).toContain(`  and ${quotesOf(many).length - 10} more: see rules --json`);
  });

  test("offers no choice of a reading that has none", () => {
    const rule = catalogue.find(({ rulings }) => rulings?.length === 1 && rulings.includes("W1"));
    expect(rule && explain(rule, [], [])).not.toContain("--reading");
  });

  test("says of a rule that nobody can see why not, and offers no run", () => {
    const rule = catalogue.find(({ level }) => level === "unobservable");
    const text = rule && explain(rule, [], []);
    expect(text).toContain(`unobservable: ${rule?.reason}`);
    expect(text).not.toContain("npx perp-conformance run");
  });
});
