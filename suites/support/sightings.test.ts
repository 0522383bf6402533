import { expect, test } from "vitest";
import { evenlySpread } from "./sightings.js";

test("rows that are spread evenly include the first and the last, and are as many as asked for", () => {
  for (const size of [30, 300]) {
    for (let count = 1; count < 2_000; count += 7) {
      const rows = Array.from({ length: count }, (_, index) => index);
      const chosen = evenlySpread(rows, size);
      expect([chosen[0], chosen.at(-1), chosen.length]).toEqual([0, count - 1, Math.min(count, size)]);
    }
  }
});
