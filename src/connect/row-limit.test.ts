import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fits, withRowLimit } from "./row-limit.js";
import { samplingLimits } from "./row-sampler.js";

/** The elements of all arrays in a value. */
function elements(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, each) => sum + elements(each), 0);
  return inner + (Array.isArray(value) ? value.length : 0);
}

const list = (element: string, count: number) => `[${Array.from({ length: count }, () => element).join()}]`;

describe("a body", () => {
  test("fits as long as its arrays have no more elements than allowed, give or take one for each of them", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat(30), (text, most) => {
        const arrays = text.split("[").length - 1;
        const count = elements(JSON.parse(text));
        if (fits(Buffer.from(text), most) && text.length > 2 * most) expect(count).toBeLessThanOrEqual(most + arrays);
      }),
    );
  });

  test("takes no commas and brackets in strings for those of arrays", () => {
    expect(fits(Buffer.from(list('"a,b,[c,d],\\",\\\\"', 100)), 100)).toBe(true);
    expect(fits(Buffer.from(list('"a,b,[c,d],\\",\\\\"', 102)), 100)).toBe(false);
  });

  test("may have many values only in as many rows", () => {
    const wide = `{${Array.from({ length: 2_000 }, (_, index) => `"${index}":0`).join()}}`;
    expect(fits(Buffer.from(wide), 100)).toBe(false);
    expect(fits(Buffer.from(wide), 2_000)).toBe(true);
  });

  test("may have as many members in one object as it may have rows", () => {
    const wide = (members: number) => `{"x":{${Array.from({ length: members }, (_, at) => `"${at}":0`).join()}}}`;
    expect(fits(Buffer.from(wide(1_002)), 1_000)).toBe(false);
    expect(fits(Buffer.from(wide(1_000)), 1_000)).toBe(true);
    expect(fits(Buffer.from(`[${[wide(600), wide(600)].join()}]`), 1_000)).toBe(true);
  });

  test("with too many rows is a sample, and with too many in one of them nothing", () => {
    const sampling = { ...samplingLimits, between: 50_000 };
    const many = withRowLimit(Buffer.from(`{"orders":${list("{}", 5_000)}}`), 1_000, sampling);
    expect(many.samples).toEqual([expect.objectContaining({ path: "orders", rows: 5_000 })]);
    const nested = withRowLimit(Buffer.from(`{"orders":[${list("{}", 5_000)}]}`), 1_000, sampling);
    expect(nested.failure?.kind).toBe("too-large");
    const few = Buffer.from(`{"orders":${list("{}", 900)}}`);
    expect(withRowLimit(few, 1_000, sampling)).toEqual({ bytes: few });
  });
});
