import { describe, expect, it } from "vitest";
import { catalogue, isRuleId } from "./catalogue/index.js";
import { isCarried, ledger } from "./ledger.js";
import { rulingIds } from "./rulings.js";
import { sectionNames } from "./sections.js";

const carried = ledger.filter(isCarried);

describe("the ledger", () => {
  it("follows the specification's order through every section", () => {
    const order = ledger.map((entry) => sectionNames.indexOf(entry.section));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect([...new Set(ledger.map((entry) => entry.section))]).toEqual(sectionNames);
  });

  it("names each statement once, in a few words", () => {
    const names = ledger.map((entry) => `${entry.section}: ${entry.quote}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const { quote } of ledger) expect(quote.split(/\s+/).length, quote).toBeLessThanOrEqual(12);
  });

  it("names existing rules only, each once per statement", () => {
    for (const { quote, rules } of carried) {
      expect(
        rules.filter((id) => !isRuleId(id)),
        quote,
      ).toEqual([]);
      expect(rules.length, quote).toBeGreaterThan(0);
      expect(new Set(rules).size, quote).toBe(rules.length);
    }
  });

  it("gives a reason for every statement that no rule carries", () => {
    for (const entry of ledger) if (!isCarried(entry)) expect(entry.excluded).toMatch(/^[A-Z].{20,}\.$/);
  });

  it("carries every rule in the section where it stands", () => {
    const missing = catalogue.filter(
      (rule) => !carried.some((entry) => entry.section === rule.section && entry.rules.includes(rule.id)),
    );
    expect(missing.map((rule) => rule.id)).toEqual([]);
  });

  it("leaves no ruling unused", () => {
    const cited = new Set([
      ...catalogue.flatMap((rule) => rule.rulings ?? []),
      ...ledger.flatMap((entry) => (isCarried(entry) ? [] : (entry.rulings ?? []))),
    ]);
    expect(rulingIds.filter((id) => !cited.has(id))).toEqual([]);
  });
});
