import { expect, test } from "vitest";
import { editMembers, levelsIn, objectAt, ordersIn, positionsIn, raw, stringify } from "./json.js";

test("raw tokens are written as they stand", () => {
  expect(
    stringify({ id: raw(9_007_199_254_740_993n), list: [raw("1e3"), raw("50.0"), "1e3"], text: 'a "quoted" one' }),
  ).toBe('{"id":9007199254740993,"list":[1e3,50.0,"1e3"],"text":"a \\"quoted\\" one"}');
  expect(stringify(raw("-0"))).toBe("-0");
  expect(stringify({ gone: undefined, none: null })).toBe('{"none":null}');
});

test("orders and positions are found wherever an operation carries them", () => {
  const listing = { positions: [{ id: 1, associatedOrders: [{ id: 2 }] }], orders: [{ id: 3 }] };
  expect(ordersIn(listing)).toEqual([{ id: 3 }, { id: 2 }]);
  expect(ordersIn({ portfolio: listing })).toEqual([{ id: 3 }, { id: 2 }]);
  expect(positionsIn({ portfolio: listing })).toEqual(listing.positions);
  expect(positionsIn({})).toEqual([]);
  expect(levelsIn({ orderBook: { book: { bids: [{ price: 1 }], asks: [{ price: 2 }] } } })).toHaveLength(2);
  expect(objectAt({ a: { b: { c: 1 } } }, "a", "b")).toEqual({ c: 1 });
  expect(objectAt({ a: [] }, "a")).toBeUndefined();
});

test("members are edited at any depth", () => {
  const json = { timestamp: "a", rows: [{ timestamp: "b", inner: { timestamp: "c" } }] };
  editMembers(json, "timestamp", (value) => `${value}!`);
  expect(json).toEqual({ timestamp: "a!", rows: [{ timestamp: "b!", inner: { timestamp: "c!" } }] });
});
