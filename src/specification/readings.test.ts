import { describe, expect, test } from "vitest";
import { catalogue } from "./catalogue/index.js";
import {
  alternativesOf,
  catalogueUnder,
  levelUnder,
  openRulingIds,
  parseReadings,
  type Readings,
  readingLines,
  rulingsUnder,
} from "./readings.js";
import { rulings } from "./rulings.js";

describe("choices", () => {
  test("are read in any case, the last one for a ruling counts, and the rulings' order is kept", () => {
    const readings = parseReadings(["b4=best-first", "B1=effective-limit", " B4 = best-last "]);
    expect(readingLines(readings)).toEqual(["B1=effective-limit", "B4=best-last"]);
  });

  test("can be added to others, and taken back", () => {
    const before: Readings = { B4: "best-first", P7: "omitted" };
    expect(parseReadings(["P7=standard", "B5=level-count"], before)).toEqual({ B4: "best-first", B5: "level-count" });
  });

  test.each([
    ["B4=upwards", /^B4 has no reading "upwards"; B4 can be best-first, best-last or standard$/],
    ["B4", /^B4 lacks its alternative; B4 can be best-first, best-last or standard$/],
    ["B9=any", /ruling B9 leaves no choice that changes a verdict\. Rulings with a choice: .*B4/],
    ["W1=emit-defaults", /ruling W1 leaves no choice that changes a verdict/],
    ["X4=best-first", /there is no ruling "X4"/],
    ["B44=best-first", /there is no ruling "B44" \(did you mean B4\?\)/],
  ])("that do not exist, such as %s, are refused with those that do", (line, message) => {
    expect(() => parseReadings([line])).toThrow(message);
  });
});

describe("under a chosen reading", () => {
  /** Every alternative of every ruling that leaves a choice. */
  const all = openRulingIds.flatMap((id) => alternativesOf(id).map((chosen) => [id, chosen.id] as const));

  test.each(all)("%s=%s, only rules that rest on the ruling weigh otherwise", (id, chosen) => {
    const readings: Readings = { [id]: chosen };
    const changed = catalogue.filter((rule) => levelUnder(readings, rule.id) !== rule.level);
    for (const rule of changed) expect(rule.rulings, rule.id).toContain(id);
    expect(catalogueUnder(readings).map((rule) => rule.level)).toEqual(
      catalogue.map((rule) => levelUnder(readings, rule.id)),
    );
  });

  test("its text stands in the place of the ruling's, and no other ruling changes", () => {
    const { B4, ...others } = rulingsUnder({ B4: "best-last" });
    expect(B4.reading).toBe("The best price is the last level of each side. (Chosen: best-last.)");
    const { B4: _, ...unchanged } = rulings;
    expect(others).toEqual(unchanged);
  });
});
