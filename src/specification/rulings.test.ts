import { describe, expect, it } from "vitest";
import { type Ruling, rulingIds, rulings } from "./rulings.js";

describe("the rulings", () => {
  it.each(["W", "S", "E", "P", "R", "B", "C", "T", "H"])("of chapter %s are numbered from 1 without gaps", (letter) => {
    const own = rulingIds.filter((id) => id.startsWith(letter));
    expect(own.length).toBeGreaterThan(0);
    expect([...own].sort()).toEqual(own.map((_, index) => `${letter}${index + 1}`).sort());
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
