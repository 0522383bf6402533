import { describe, expect, test } from "vitest";
import { computed, show } from "./judgement.js";
import { shortJson } from "./short-json.js";

const order = { orderId: "1", owner: "0x1beacdacc40f91b4234193c5a7606336567740a4", size: 1.5, market: { name: "BTC" } };
const listing = { orders: Array.from({ length: 50 }, () => order), pagination: { limit: 50, totalCount: "50" } };

/** The shown text with every mark of what is left out taken away. */
function withoutMarks(text: string): string {
  return text
    .replace(/,? ?… \d+ (more|items?|members?)/g, "")
    .replaceAll("…", "")
    .replace(/ \(\d+ characters\)/g, "");
}

describe("a shortened value", () => {
  test("is the whole of it where that fits", () => {
    expect(shortJson(order, 200)).toBe(JSON.stringify(order));
    expect(shortJson({ id: 12345678901234567890n, list: [], none: undefined }, 80)).toBe(
      '{"id":"12345678901234567890","list":[]}',
    );
  });

  test.each([40, 80, 160, 300, 600, 1000])("is JSON that was cut between its values, in %i characters", (maxLength) => {
    const text = shortJson(listing, maxLength);
    expect(text.length).toBeLessThanOrEqual(maxLength);
    expect(text).toContain("…");
    expect(() => JSON.parse(withoutMarks(text))).not.toThrow();
  });

  test("tells how much it leaves out", () => {
    expect(shortJson(listing, 300)).toContain(" … 48 more]");
    expect(show("x".repeat(200))).toMatch(/^"x+…" \(200 characters\)$/);
    expect(shortJson([[], {}, ["a".repeat(100)]], 30)).toBe("[[],{}, … 1 more]");
  });

  test("keeps the fields beside a long one, and no half of a character", () => {
    expect(shortJson({ address: "😀".repeat(500), limit: 5 }, 200)).toMatch(
      /^\{"address":"(😀)+…" \(1000 characters\),"limit":5\}$/,
    );
  });
});

test("a computed number has no noise of binary fractions", () => {
  const numbers = [4.2976 * 3, 0.1 + 0.2, 1e-7, 123456789.25, 0, -1.1 * 3, Number.NaN];
  expect(numbers.map(computed)).toEqual(["12.8928", "0.3", "1e-7", "123456789.25", "0", "-3.3", "NaN"]);
});
