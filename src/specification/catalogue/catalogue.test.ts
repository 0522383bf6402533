import { readdirSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import { endpointNames, endpoints } from "../endpoints.js";
import { rulings } from "../rulings.js";
import { sectionNames } from "../sections.js";
import {
  type CatalogueRule,
  catalogue,
  catalogueDigest,
  isRuleId,
  type RuleId,
  type RuleIdAt,
  ruleById,
  rulesOf,
} from "./index.js";

describe("the catalogue", () => {
  it("keeps its ids: they may be added to, never renamed or reused", async () => {
    const ids = catalogue.map((rule) => rule.id).sort();
    await expect(`${ids.join("\n")}\n`).toMatchFileSnapshot("./catalogue.ids.txt");
  });

  it("loses no rule to one of the same name in another file", async () => {
    const here = new URL(".", import.meta.url);
    const files = readdirSync(here).filter((file) => /\.ts$/.test(file) && !/^index\.|\.test\./.test(file));
    const modules = await Promise.all(files.map((file) => import(new URL(file, here).href) as Promise<object>));
    const declared = modules.flatMap((module) => Object.values(module)).flatMap((rules) => Object.keys(rules));
    expect([...declared].sort()).toEqual(catalogue.map((rule) => rule.id).sort());
  });

  it("stands in the specification's order and covers every section", () => {
    const order = catalogue.map((rule) => sectionNames.indexOf(rule.section));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect([...new Set(catalogue.map((rule) => rule.section))]).toEqual(sectionNames);
  });

  it.each(catalogue.map((rule) => [rule.id, rule] as const))("%s is well formed", (id, rule) => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect(rule.statement, "one sentence").toMatch(/^[A-Z`6][^\n]*[^.]\.$/);
    expect(rule.statement, "one sentence").not.toMatch(/[.!?;] [A-Z]/);
    expect(rule.impact, "one line").toMatch(/^[A-Z`][^\n]*\.$/);
    expect(new Set(rule.endpoints).size, "no endpoint twice").toBe(rule.endpoints.length);
    expect(rule.endpoints.length > 0 || rule.level === "unobservable").toBe(true);
    expect(endpointNames).toEqual(expect.arrayContaining([...rule.endpoints]));
    expect(rule.reason !== undefined, "a reason exactly where nothing can be seen").toBe(rule.level === "unobservable");
    for (const ruling of rule.rulings ?? []) expect(rulings).toHaveProperty(ruling);
  });

  it("says nothing twice for the same operation", () => {
    const said = catalogue.flatMap((rule) =>
      rule.endpoints.map((endpoint) => `${rule.section} ${endpoint}: ${rule.statement}`),
    );
    expect(said.filter((line, index) => said.indexOf(line) !== index)).toEqual([]);
  });

  it("keeps an operation's own rules in its section", () => {
    for (const endpoint of endpointNames) {
      for (const rule of rulesOf(endpoints[endpoint].section)) expect(rule.endpoints, rule.id).toContain(endpoint);
    }
  });

  it("has a rule that can fail for every operation", () => {
    const judged = catalogue.filter((rule) => rule.level === "mandatory").flatMap((rule) => rule.endpoints);
    expect([...new Set(judged)].sort()).toEqual([...endpointNames].sort());
  });
});

describe("looking rules up", () => {
  it("finds a rule by its id", () => {
    expect(ruleById("get-all-positions.limit-default")).toMatchObject({ section: "§4.1", level: "mandatory" });
    expect(isRuleId("get-all-positions.limit-default")).toBe(true);
    expect(isRuleId("toString")).toBe(false);
  });

  it("throws when an id is unknown", () => {
    expect(() => ruleById("wire.int64-as-strin" as RuleId)).toThrow(/there is no rule "wire\.int64-as-strin"/);
  });

  it("finds the rules of a section", () => {
    expect(rulesOf("§2 OrderRef").map((rule) => rule.id)).toEqual(["order-ref.id-form", "order-ref.names-an-order"]);
  });

  it("knows levels at compile time", () => {
    expectTypeOf<"order-book.not-crossed">().toExtend<RuleIdAt<"advisory">>();
    expectTypeOf<"order-book.sort-direction">().not.toExtend<RuleIdAt<"mandatory" | "advisory">>();
  });
});

describe("the digest", () => {
  const rule = ruleById("order-book.sort-direction");
  const digest = catalogueDigest();

  it("is a SHA-256 in hexadecimal that does not depend on the order of rules", () => {
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(catalogueDigest([...catalogue].reverse())).toBe(digest);
  });

  it.each<[string, CatalogueRule]>([
    ["section", { ...rule, section: "§4.6" }],
    ["statement", { ...rule, statement: "Anything goes." }],
    ["level", { ...rule, level: "mandatory" }],
    ["ruling", { ...rule, rulings: [] }],
  ])("changes with a rule's %s", (_, changed) => {
    expect(catalogueDigest(catalogue.map((other) => (other === rule ? changed : other)))).not.toBe(digest);
  });

  it("does not change with the wording of an impact", () => {
    const reworded = catalogue.map((other) => ({ ...other, impact: "Something else." }));
    expect(catalogueDigest(reworded)).toBe(digest);
  });
});
