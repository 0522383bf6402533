import { describe, expect, test } from "vitest";
import { closedAreListed } from "./closed-positions.js";
import { parseInstant } from "./instant.js";
import { readOrder, readPosition } from "./read.js";

const before = parseInstant("2025-01-02T00:00:00Z") ?? { seconds: 0, leap: false, fraction: "" };
const opening = {
  marketId: "1",
  side: "SIDE_LONG",
  filledSize: 2,
  timestamp: "2025-01-01T00:00:00Z",
  status: "ORDER_STATUS_CLOSED",
};
const history = (orders: object[], open: object[] = []) => ({
  owner: "0xa",
  orders: orders.map((order) => readOrder({ ...order })),
  open: open.map((position) => readPosition({ ...position })),
});
const listing = (...positions: [owner: string, marketId: string, side?: string, timestamp?: string][]) =>
  positions.map(([owner, marketId, side = "SIDE_LONG", timestamp = opening.timestamp]) =>
    readPosition({ owner, marketId, positionId: "1", side, timestamp }),
  );
const others = listing(["0xb", "1"], ["0xA", "2"]);

describe("a market that a wallet has traded and left", () => {
  test("shows a closed position in the listing", () => {
    const judgement = closedAreListed([history([opening])], [...others, ...listing(["0xA", "1"])], before);
    expect(judgement).toMatchObject({ examined: 1, violations: [] });
  });

  test.each([
    ["of the other side", "SIDE_SHORT", "2025-01-01T00:00:00Z", "ORDER_STATUS_CLOSED", 1],
    ["that ended before the order was filled", "SIDE_LONG", "2024-12-31T23:59:00Z", "ORDER_STATUS_FULLY_FILLED", 1],
    [
      "that ended before what was left was cancelled",
      "SIDE_LONG",
      "2024-12-31T00:00:00Z",
      "ORDER_STATUS_PARTIALLY_CANCELLED",
      0,
    ],
  ])("is not shown by a position %s", (_, side, timestamp, status, violations) => {
    const listed = [...others, ...listing(["0xA", "1", side, timestamp])];
    expect(closedAreListed([history([{ ...opening, status }])], listed, before).violations).toHaveLength(violations);
  });

  test("shows none: closed positions are left out", () => {
    expect(closedAreListed([history([opening])], others, before)).toMatchObject({
      examined: 1,
      violations: [{ path: "positions", expected: expect.stringContaining("0xa in market 1"), seen: "none" }],
    });
  });
});

describe("a position in the listing that its owner's portfolio does not list", () => {
  const judged = (open: object[], timestamp: string) =>
    closedAreListed([history([], open)], listing(["0xA", "1", "SIDE_LONG", timestamp]), before);

  test("shows that closed positions are included", () => {
    expect(judged([], "2025-01-01T00:00:00Z")).toMatchObject({ examined: 1, violations: [] });
  });

  test("shows nothing if it is open, or so recent that the portfolio may have been read before", () => {
    expect(judged([{ marketId: "1", positionId: "1" }], "2025-01-01T00:00:00Z").examined).toBe(0);
    expect(judged([], "2025-01-02T00:00:00Z").examined).toBe(0);
  });
});

describe("a listing that was read down to an instant", () => {
  const judged = (after: string) =>
    closedAreListed([history([opening])], others, before, parseInstant(after)).violations.length;

  test("has the positions of later orders", () => expect(judged("2024-12-31T23:59:59Z")).toBe(1));

  test("may have those of earlier orders in what was not read", () => expect(judged("2025-01-01T00:00:00Z")).toBe(0));
});

describe("nothing can be told", () => {
  test.each([
    ["a position is open there", history([opening], [{ marketId: "1", side: "SIDE_LONG" }])],
    ["nothing was filled", history([{ ...opening, filledSize: 0 }])],
    ["the order is pending, whatever it says of fills", history([{ ...opening, status: "ORDER_STATUS_PENDING" }])],
    ["the order was merged", history([{ ...opening, status: "ORDER_STATUS_MERGED" }])],
    ["a part of the order was merged", history([{ ...opening, status: "ORDER_STATUS_PARTIALLY_MERGED" }])],
    ["the order was cancelled", history([{ ...opening, status: "ORDER_STATUS_CANCELLED" }])],
    ["only reduce-only orders were filled", history([{ ...opening, reduceOnly: true }])],
    ["the order is too recent", history([{ ...opening, timestamp: "2025-01-02T00:00:00Z" }])],
  ])("when %s", (_, wallet) => {
    expect(closedAreListed([wallet], listing(["0xb", "1"]), before)).toMatchObject({
      examined: 0,
      violations: [],
      missing: expect.stringContaining("filled opening order"),
    });
  });
});
