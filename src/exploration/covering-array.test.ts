import { describe, expect, test } from "vitest";
import { coveringArray, interactionsOf } from "./covering-array.js";

const fields = { limit: ["omitted", "zero", "few"], offset: ["omitted", "within"], open: ["yes", "no"] };

describe("a covering array", () => {
  test("holds every pair, or every triple", () => {
    expect(interactionsOf(fields, 2, coveringArray(fields, 2, 1))).toEqual({ strength: 2, covered: 16, of: 16 });
    expect(interactionsOf(fields, 3, coveringArray(fields, 3, 1))).toEqual({ strength: 3, covered: 12, of: 12 });
  });

  test("of pairs is smaller than all combinations", () => {
    const many = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, ["1", "2", "3"]]));
    expect(coveringArray(many, 2, 1).length).toBeLessThan(30);
  });

  test("leaves no field out where another class of it would do as well", () => {
    const wide = {
      market: ["1", "2", "3", "4", "5", "6", "7", "8"],
      interval: ["1S", "1", "60", "1D", "1W", "1M"],
      limit: ["omitted", "one", "few", "many"],
    };
    for (const seed of [1, 2, 3]) {
      const rows = coveringArray(wide, 2, seed);
      expect(interactionsOf(wide, 2, rows)).toMatchObject({ covered: 104, of: 104 });
      expect(rows.filter(({ limit }) => limit === "omitted").length).toBeLessThanOrEqual(rows.length / 4);
    }
  });

  test("is the same for the same seed", () => {
    expect(coveringArray(fields, 2, 7)).toEqual(coveringArray(fields, 2, 7));
  });

  test("of one field, and of strength 1, has each class once", () => {
    expect(new Set(coveringArray({ owner: ["a", "b"] }, 2, 1).map(({ owner }) => owner))).toEqual(new Set(["a", "b"]));
    const rows = coveringArray(fields, 1, 1);
    expect(rows).toHaveLength(Math.max(...Object.values(fields).map((classes) => classes.length)));
    for (const [name, classes] of Object.entries(fields))
      expect(new Set(rows.map((row) => row[name]))).toEqual(new Set(classes));
  });
});

test("what rows leave out is not counted", () => {
  const [row = {}] = coveringArray(fields, 2, 1);
  expect(interactionsOf(fields, 2, [row])).toEqual({ strength: 2, covered: 3, of: 16 });
});
