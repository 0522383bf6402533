import { expect, test } from "vitest";
import { mutants, variants } from "../reference/modifications.js";
import { listChecks } from "../session/suites.js";
import { catalogue, isRuleId } from "../specification/catalogue/index.js";

const checks = await listChecks();
const checked = new Set(checks.map(({ rule }) => rule));
const broken = new Set<string>(mutants.map(({ breaks }) => breaks));
const judged = catalogue.filter(({ level }) => level === "mandatory" || level === "advisory");

test("every rule that can be seen has a check", () => {
  const visible = catalogue.filter(({ level }) => level !== "unobservable");
  expect(visible.filter(({ id }) => !checked.has(id)).map(({ id }) => id)).toEqual([]);
});

test("no check is made for a rule that cannot be seen", () => {
  const hidden = catalogue.filter(({ level }) => level === "unobservable");
  expect(hidden.filter(({ id }) => checked.has(id)).map(({ id }) => id)).toEqual([]);
});

test("a check is made on an operation that its rule applies to, as an observation exactly when the rule is one", () => {
  const byId = new Map<string, (typeof catalogue)[number]>(catalogue.map((rule) => [rule.id, rule]));
  for (const { rule, endpoint, kind, name } of checks) {
    const { endpoints, level } = byId.get(rule) ?? { endpoints: [], level: undefined };
    expect(endpoints, name).toContain(endpoint);
    expect(kind === "observation", name).toBe(level === "observation");
  }
});

test("the names of checks are unique", () => {
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
});

test("every mandatory and advisory rule has a mutant that breaks it", () => {
  expect(judged.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([]);
});

test("a mutant breaks a rule of the catalogue that is judged, and its alsoFails are rules too", () => {
  const ids = new Set<string>(judged.map(({ id }) => id));
  for (const { name, breaks, alsoFails = [] } of mutants) {
    expect(ids.has(breaks), `${name} breaks ${breaks}`).toBe(true);
    for (const companion of alsoFails) expect(isRuleId(companion), `${name}: ${companion}`).toBe(true);
  }
});

test("modifications have names of their own, and say what they do", () => {
  const all = [...mutants, ...variants];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const { name, summary } of all) {
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(summary, name).toMatch(/^[\w`].*\.$/);
  }
});

test("there are enough modifications for a proof worth its name", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(200);
  expect(variants.length).toBeGreaterThanOrEqual(35);
});
