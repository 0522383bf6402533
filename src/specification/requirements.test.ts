import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue } from "./catalogue/index.js";
import { packageRoot } from "./package-root.js";
import { catalogueVersion, frozenRequirements, requirementsDigest, requirementsOf } from "./requirements.js";

const folder = join(packageRoot, "schemas/requirements");

describe("the frozen requirements", () => {
  /**
   * Fails when a rule changes. Before a release, `npm run accept` takes the set again. After
   * it, the set of that release stays as it is: raise `catalogueVersion`, so that the changed catalogue has a set of its own.
   */
  test("of this version are those of the catalogue as it is", async () => {
    const set = requirementsOf(catalogueVersion);
    await expect(`${JSON.stringify(set, undefined, 2)}\n`).toMatchFileSnapshot(
      join(folder, `${catalogueVersion}.json`),
    );
  });

  test.each(readdirSync(folder))("%s says what it is, and has the digest that it names", (file) => {
    const set = frozenRequirements(file.replace(/\.json$/, ""));
    expect(set).toMatchObject({ format: "perp-conformance/requirements", version: file.replace(/\.json$/, "") });
    expect(set && requirementsDigest(set)).toBe(set?.digest);
    expect(set?.mandatory).toEqual([...new Set(set?.mandatory)].sort());
    expect(set?.mandatory.length).toBeGreaterThan(100);
  });

  test("do not exist for other versions, whatever they are called", () => {
    expect(frozenRequirements("99.0.0")).toBeUndefined();
    expect(frozenRequirements("../results.schema")).toBeUndefined();
  });
});

test("only mandatory rules are required, and a rule more is another set", () => {
  const levels = new Map(catalogue.map(({ id, level }) => [id as string, level]));
  const { mandatory, digest } = requirementsOf("1.0.0");
  expect(mandatory.every((id) => levels.get(id) === "mandatory")).toBe(true);
  const [first] = catalogue;
  const more = [
    ...catalogue,
    { ...(first as (typeof catalogue)[number]), id: "new.rule", level: "mandatory" as const },
  ];
  expect(requirementsOf("1.0.0", more).digest).not.toBe(digest);
});
