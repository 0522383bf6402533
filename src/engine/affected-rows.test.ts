import { describe, expect, test } from "vitest";
import { affectedRows } from "./affected-rows.js";

const order = (side: string, status: string, more: object = {}) => ({ side, status, canceled: false, ...more });
const orders = [
  order("SHORT", "CLOSED", { leverage: 1 }),
  order("LONG", "CLOSED", { leverage: 2 }),
  order("SHORT", "ACTIVE", { leverage: 3 }),
  order("LONG", "ACTIVE", { leverage: 2 }),
  order("LONG", "ACTIVE", { leverage: 4 }),
];
const places = (...rows: readonly number[]) => new Set(rows.map((row) => `orders[${row}].canceled`));

describe("the affected rows of a list", () => {
  test.each([
    ["all of them", [0, 1, 2, 3, 4], "all 5 orders"],
    ["a single one, which proves nothing about its values", [1], "1 of 5 orders"],
    ["those with one value", [0, 2], '2 of 5 orders, exactly those with "side":"SHORT"'],
    ["all others", [1, 3, 4], '3 of 5 orders, exactly those with "side":"LONG"'],
    ["rows with nothing of their own", [0, 4], "2 of 5 orders"],
  ])("are %s", (_, rows, expected) => {
    expect(affectedRows({ orders }, places(...rows))).toBe(expected);
  });

  test("are named by the value that the others share", () => {
    const listed = ["A", "B", "C", "D", "D"].map((status) => ({ status }));
    const paths = new Set([0, 1, 2].map((row) => `orders[${row}].side`));
    expect(affectedRows({ orders: listed }, paths)).toBe('3 of 5 orders, all but those with "status":"D"');
  });

  test("are named by a value that all of them have, and few others", () => {
    const rows = Array.from({ length: 20 }, (_, n) => ({ side: n < 9 ? "LONG" : "SHORT", leverage: n % 2, market: n }));
    const of = (affected: readonly number[]) =>
      affectedRows({ orders: rows }, new Set(affected.map((row) => `orders[${row}].canceled`)));
    expect(of([0, 1, 2, 3, 4, 5])).toBe('6 of 20 orders, all among the 9 with "side":"LONG"');
    expect(of([0, 1, 2, 3, 4])).toBe("5 of 20 orders");
    expect(of([8, 9, 10, 11, 12, 13])).toBe("6 of 20 orders");
  });

  test("are named by a field that they lack", () => {
    const listed = [{ a: 1 }, { a: 2 }, { a: 1, b: 1 }, { a: 2, b: 2 }];
    const paths = new Set([0, 1].map((row) => `orders[${row}].side`));
    expect(affectedRows({ orders: listed }, paths)).toBe('2 of 4 orders, exactly those without "b"');
  });

  test("never by the value that is wrong in them", () => {
    const listed = [true, true, false, false].map((canceled) => ({ canceled }));
    expect(affectedRows({ orders: listed }, places(0, 1))).toBe("2 of 4 orders");
  });

  test("are counted over all lists at the same place, also within the answer's objects", () => {
    const book = { bids: [{ size: 1 }, { size: 2 }, { size: 3 }] };
    expect(affectedRows({ orderBook: { book } }, new Set(["orderBook.book.bids[2].size"]))).toBe("1 of 3 bids");
    const positions = [{ orders: [{ id: 1 }] }, { orders: [{ id: 2 }, { id: 3 }] }];
    expect(affectedRows({ positions }, new Set(["positions[1].orders[0].id"]))).toBe("1 of 3 orders");
  });

  test.each(["", "orders", "orders[9].side", "totals.margin", "elsewhere[0].side"])("are unknown at %j", (path) => {
    expect(affectedRows({ orders, totals: { margin: 1 } }, new Set([path]))).toBeUndefined();
  });
});
