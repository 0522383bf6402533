import { describe, expect, it } from "vitest";
import { type Ruling, rulingIds, rulings } from "./rulings.js";

/** How many rulings each chapter has; they are numbered from 1 without gaps. */
const chapters = { W: 11, S: 9, E: 6, P: 8, R: 19, B: 14, C: 4, T: 7, H: 5 };

describe("the rulings", () => {
  it("are complete and numbered without gaps", () => {
    const expected = Object.entries(chapters).flatMap(([letter, count]) =>
      Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
    );
    expect([...rulingIds].sort()).toEqual(expected.sort());
  });

  it.each(Object.entries<Ruling>(rulings))("%s names its place and its reading", (_, ruling) => {
    expect(ruling.place).not.toMatch(/\.$/);
    expect(ruling.reading).toMatch(/^[A-Z0-9`"].*\.$/);
    if (ruling.alternatives) {
      const ids = ruling.alternatives.map((alternative) => alternative.id);
      expect(new Set(ids).size).toBeGreaterThan(1);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });
});
