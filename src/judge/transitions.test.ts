import { expect, test } from "vitest";
import { readOrder, readPosition } from "./read.js";
import { orderJson, positionJson } from "./rows.fixture.js";
import { positionChanges, statusChanges, statusesSeen } from "./transitions.js";

const order = (orderId: string, status: string) => readOrder(orderJson({ orderId, status: `ORDER_STATUS_${status}` }));
const position = (positionId: string) => readPosition(positionJson({ positionId }));

test("statuses that changed between two reads are counted", () => {
  const before = [order("1", "PENDING"), order("2", "PENDING"), order("3", "CLOSED")];
  const after = [order("4", "PENDING"), order("3", "CLOSED"), order("2", "CANCELLED"), order("1", "CANCELLED")];
  expect(statusChanges(before, after)).toBe("PENDING to CANCELLED: 2");
  expect(statusChanges(before, before)).toBe("none");
});

test("statuses are counted by name", () => {
  expect(statusesSeen([order("1", "PENDING"), order("2", "CLOSED"), order("3", "PENDING")])).toBe(
    "CLOSED: 1, PENDING: 2",
  );
  expect(statusesSeen([])).toBe("no orders");
});

test("positions that came and went are counted", () => {
  expect(positionChanges([position("1"), position("2")], [position("2"), position("3")])).toBe(
    "1 opened, 1 closed, 1 stayed",
  );
});
