import { describe, expect, it } from "vitest";
import { catalogue, isRuleId } from "./catalogue/index.js";
import { exclusions } from "./exclusions.js";
import { allQuotes, occurrencesOf, quoteOf, quotesOf } from "./quotes.js";
import { rulingIds } from "./rulings.js";
import { sectionNames } from "./sections.js";
import { knownStatements, specificationVersion } from "./statements.js";

const { statements, version } = knownStatements();

/** Rules that carry the types of section 2, field by field: their own section says nothing of them. */
const typesOfFields = [
  "wire.integer-type",
  "wire.boolean-type",
  "wire.string-type",
  "wire.side-values",
  "wire.enum-values-written",
];

describe("the statements of the specification", () => {
  it("are each quoted by a rule or an exclusion", () => {
    const stating = statements.filter(({ structure }) => !structure);
    expect(version).toBe(specificationVersion);
    expect(stating.length).toBeGreaterThan(200);
    expect(stating.filter(({ section, quotes }) => !quotes.some((text) => quoteOf(section, text)))).toEqual([]);
  });

  it("have all words that are quoted, each once", () => {
    const known = statements.flatMap(({ section, quotes }) => quotes.map((text) => `${section}: ${text}`));
    expect(known.sort()).toEqual(allQuotes.map(({ section, text }) => `${section}: ${text}`).sort());
    expect(new Set(known).size).toBe(known.length);
  });

  it("cover every section of the catalogue, in its order", () => {
    const named = statements.filter(({ quotes }) => quotes.length > 0).map(({ section }) => section);
    expect([...new Set(named)]).toEqual(sectionNames);
  });
});

describe("a quote", () => {
  it.each(allQuotes.map((quote) => [`${quote.section}: ${quote.text}`, quote] as const))(
    "%s is short and plain",
    (_, quote) => {
      expect(quote.text.split(/[\s|]+/).length).toBeLessThanOrEqual(12);
      expect(quote.text).not.toMatch(/`|^\s|\s$|\s\s/);
      expect(quote.rules.every(isRuleId)).toBe(true);
      expect(new Set(quote.rules).size).toBe(quote.rules.length);
      expect(quote.rules.length + (quote.exclusion ? 1 : 0)).toBeGreaterThan(0);
    },
  );

  it("stands in the section of its rule, among others", () => {
    const elsewhere = catalogue.filter((rule) => !quotesOf(rule).some(({ section }) => section === rule.section));
    expect(elsewhere.map(({ id }) => id)).toEqual(typesOfFields);
    expect(catalogue.filter((rule) => quotesOf(rule).length === 0)).toEqual([]);
  });

  it("is found between ends of words only", () => {
    expect(occurrencesOf("limit 5", "limit 50, limit 5; climit 5")).toEqual([10]);
    expect(occurrencesOf("{base_url}/", "POST {base_url}/x")).toEqual([5]);
    expect(occurrencesOf("none", "")).toEqual([]);
  });
});

describe("an exclusion", () => {
  it.each(exclusions.map((exclusion) => [exclusion.quotes[0], exclusion] as const))(
    "of %s says why",
    (_, { reason }) => {
      expect(reason).toMatch(/^[A-Z].{20,}\.$/);
    },
  );
});

it("no ruling is left unused", () => {
  const cited = new Set([
    ...catalogue.flatMap((rule) => rule.rulings ?? []),
    ...exclusions.flatMap((exclusion) => exclusion.rulings ?? []),
  ]);
  expect(rulingIds.filter((id) => !cited.has(id))).toEqual([]);
});
