import { expect, test } from "vitest";
import { newestFirst } from "./ordering.js";
import { readTime } from "./read-values.js";

const rows = (...texts: (string | undefined)[]) => texts.map((text) => ({ timestamp: readTime(text) }));

test("rows from the newest to the oldest are in order, ties included (P4)", () => {
  const judgement = newestFirst("orders", rows("2025-01-02T00:00:00Z", "2025-01-01T00:00:00Z", "2025-01-01T00:00:00Z"));
  expect(judgement).toMatchObject({ examined: 2, violations: [] });
});

test("a row that is later than the one before it is out of order, and named", () => {
  expect(
    newestFirst("orders", rows("2025-01-01T00:00:00Z", "2025-01-03T00:00:00Z", "2025-01-02T00:00:00Z")),
  ).toMatchObject({
    examined: 2,
    violations: [
      {
        path: "orders[1].timestamp",
        expected: "2025-01-01T00:00:00Z or earlier (that of orders[0]: the newest row comes first)",
        seen: "2025-01-03T00:00:00Z",
      },
    ],
  });
});

test("instants are compared with all their digits and zones, not as text (W8)", () => {
  const late = "2025-01-01T00:00:00.0000000002Z";
  const early = "2025-01-01T00:00:00.0000000001Z";
  expect(newestFirst("orders", rows(late, early)).violations).toHaveLength(0);
  expect(newestFirst("orders", rows(early, late)).violations).toHaveLength(1);
  expect(newestFirst("orders", rows("2025-01-01T00:00:00Z", "2025-01-01T01:00:00+02:00")).violations).toHaveLength(0);
  expect(newestFirst("orders", rows("2025-01-01T00:00:00.5Z", "2025-01-01T00:00:00Z")).violations).toHaveLength(0);
});

test("rows without a readable time are passed over", () => {
  const judgement = newestFirst("orders", rows("2025-01-01T00:00:00Z", undefined, "someday", "2025-01-02T00:00:00Z"));
  expect(judgement).toMatchObject({ examined: 1, violations: [{ path: "orders[3].timestamp" }] });
});

test("one row shows no order", () => {
  expect(newestFirst("orders", rows("2025-01-01T00:00:00Z"))).toMatchObject({
    examined: 0,
    missing: "two orders in one answer",
  });
});
