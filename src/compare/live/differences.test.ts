import { expect, test } from "vitest";
import type { JsonObject, JsonObjectInput } from "../../connect/json.js";
import { stringify } from "../../connect/json.js";
import type { Endpoint } from "../../specification/endpoints.js";
import type { Both } from "../answers.js";
import type { LiveAnswer, PairedAnswer } from "./ask-both.js";
import { differencesBetween, haveSameData } from "./differences.js";

type Said = JsonObject | { readonly error: string; readonly message?: string; readonly status?: number };

function answerTo(endpoint: Endpoint, asked: JsonObjectInput, said: Said): LiveAnswer {
  const request = { endpoint, method: "POST", url: "http://127.0.0.1/", headers: [], body: stringify(asked) };
  if (typeof said.error !== "string") return { kind: "success", body: said as JsonObject, request, status: 200 };
  const { error: code, message = "no", status = 400 } = said as Exclude<Said, JsonObject>;
  return { kind: "error", code, message, members: ["code", "message"], request, status };
}

function pair(endpoint: Endpoint, asked: JsonObjectInput, ...said: Both<Said>): PairedAnswer {
  const planned = { body: asked, headers: {} };
  return {
    endpoint,
    requests: [planned, planned],
    same: true,
    answers: [answerTo(endpoint, asked, said[0]), answerTo(endpoint, asked, said[1])],
  };
}

const wallet = "0x00000000000000000000000000000000000000aa";

/** An order whose fields are all set. */
function order(id: number, change: JsonObject = {}): JsonObject {
  const timestamp = `2026-01-01T00:00:${String(59 - id).padStart(2, "0")}Z`;
  return {
    owner: wallet,
    orderId: String(id),
    marketId: "1",
    timestamp,
    fees: 1.5,
    size: id,
    canceled: false,
    ...change,
  };
}

function orders(...rows: readonly JsonObject[]): JsonObject {
  return { orders: rows };
}

const ids = Array.from({ length: 12 }, (_, at) => at + 1);
const same = orders(...ids.map((id) => order(id)));

/** Kinds, places and sides of what differs between two answers to GetOrders. */
function found(one: Said, other: Said, sameData = true) {
  return differencesBetween([pair("GetOrders", { address: wallet }, one, other)], sameData).map(
    ({ kind, places, each }) => [kind, places.map(({ place }) => place).join(), ...each],
  );
}

test("the same answers differ in nothing", () => {
  expect(found(same, same)).toEqual([]);
});

test("a default that is left out is no other value", () => {
  const without = orders(...ids.map((id) => ({ ...order(id), canceled: undefined })));
  expect(found(same, without)).toEqual([["left-out", "orders[*].canceled", "given as its default", "left out"]]);
});

test("a field that only one gives is missing in the other, in whatever operation", () => {
  const with1 = orders(...ids.map((id) => order(id, { createdAt: "2026-01-01T00:00:00Z" })));
  const groups = differencesBetween(
    [pair("GetOrders", { address: wallet }, with1, same), pair("GetAllOrders", {}, with1, same)],
    false,
  );
  expect(groups.map(({ kind, places, each }) => [kind, places.map(({ operation }) => operation), each])).toEqual([
    ["missing", ["GetAllOrders", "GetOrders"], ["createdAt: given", "createdAt: never given"]],
    ["data", ["GetAllOrders", "GetOrders"], ["its own data", "its own data"]],
  ]);
});

test("values are compared row by row where both have the same data, and not where they have not", () => {
  const other = orders(...ids.map((id) => order(id, id === 3 ? { fees: 2.5 } : {})));
  expect(found(same, other)).toEqual([["value", "orders[*].fees", "1.5", "2.5"]]);
  expect(found(same, other, false)).toEqual([["data", "", "its own data", "its own data"]]);
  const fewer = orders(...ids.filter((id) => id !== 3).map((id) => order(id)));
  expect(found(same, fewer)).toEqual([["rows", "orders", "1 that the other does not give", "none of its own"]]);
});

test("notation, types and the case of addresses are told on other data too", () => {
  const other = orders(
    ...ids.map((id) =>
      order(id + 50, {
        orderId: id + 50,
        owner: wallet.toUpperCase().replace("X", "x"),
        timestamp: `2026-01-01T00:00:${String(59 - id).padStart(2, "0")}.125+00:00`,
      }),
    ),
  );
  expect(found(same, other, false)).toEqual([
    ["type", "orders[*].orderId", "orderId: string", "orderId: number"],
    ["notation", "orders[*].owner", "owner: an address in lower case", "owner: an address in capitals"],
    ["notation", "orders[*].timestamp", "timestamp: 9-9-9A9:9:9A", "timestamp: 9-9-9A9:9:9+9:9"],
    ["notation", "orders[*].timestamp", "up to 0 digits of a second", "up to 3 digits of a second"],
    ["data", "", "its own data", "its own data"],
  ]);
});

test("fractions of a second differ in their digits, not in their notation", () => {
  const other = orders(...ids.map((id) => order(id + 50, { timestamp: `2026-01-01T00:00:${59 - id}.125Z` })));
  expect(found(same, other, false)).toEqual([
    ["notation", "orders[*].timestamp", "up to 0 digits of a second", "up to 3 digits of a second"],
    ["data", "", "its own data", "its own data"],
  ]);
});

test("the order of rows, and of ties", () => {
  const oldest = orders(...ids.map((id) => order(id)).toReversed());
  expect(found(same, oldest)).toEqual([["order", "orders", "time: descending", "time: ascending"]]);
  const tied = (list: readonly number[]) =>
    orders(...list.map((id) => order(id, { timestamp: "2026-01-01T00:00:00Z" })));
  expect(found(tied(ids), tied(ids.toReversed()))).toEqual([
    ["ties", "orders", "id of ties: ascending", "id of ties: descending"],
  ]);
});

test("what a value is computed from is told by the values beside it", () => {
  const position = (id: number, times: number): JsonObject => ({
    ...{ positionId: String(id), marketId: "1", owner: wallet, side: "SIDE_SHORT" },
    ...{ nominalSize: 2, entryPrice: 100 + id, markPrice: 110, unrealizedPnl: times * -2 * (10 - id) },
  });
  const positions = (times: number, first: number) => ({
    positions: ids.slice(0, 8).map((id) => position(id + first, times)),
  });
  const [group, ...others] = differencesBetween(
    [pair("GetAllPositions", {}, positions(1, 0), positions(0.5, 20))],
    false,
  ).filter(({ kind }) => kind === "computed");
  expect(others).toEqual([]);
  expect(group?.each).toEqual([
    "unrealizedPnl: the move of the price times the size, the other way round for shorts",
    "unrealizedPnl: the move of the price",
  ]);
});

test("outcomes, codes, texts and statuses", () => {
  expect(found(same, { error: "not_found" })).toEqual([["outcome", "", "a success", "the error not_found"]]);
  expect(found({ error: "not_found" }, { error: "internal" })).toEqual([
    ["error-code", "", "the error not_found", "the error internal"],
  ]);
  const texts = found(
    { error: "not_found", message: "no market 1" },
    { error: "not_found", message: "no such market" },
  );
  expect(texts).toEqual([["error-message", "", "no market 1", "no such market"]]);
  expect(found({ error: "not_found", message: "no 1" }, { error: "not_found", message: "no 2", status: 404 })).toEqual([
    ["http-status", "", "the error not_found: HTTP 400", "the error not_found: HTTP 404"],
  ]);
});

test("a group shows the smallest request, one that is not at fault before one that is", () => {
  const large = pair("GetOrders", { address: wallet, market: { marketId: "1" } }, same, { orders: [] });
  const small = pair("GetOrders", { address: wallet }, same, { orders: [] });
  const odd = { ...pair("GetOrders", {}, same, { orders: [] }), unusual: { what: "no address", kind: "no address" } };
  const [group] = differencesBetween([odd, large, small], true);
  expect([group?.kind, group?.count, group?.example]).toEqual(["rows", 3, small]);
});

test("two targets have the same data when most of what one shows the other shows too", () => {
  const about = (first: number) => orders(...ids.map((id) => order(id + first)));
  const between = (one: JsonObject, other: JsonObject) => haveSameData([pair("GetOrders", {}, one, other)]);
  expect(between(about(0), about(0))).toBe(true);
  expect(between(about(0), about(4))).toBe(true);
  expect(between(about(0), about(9))).toBe(false);
  expect(between(about(0), orders())).toBe(false);
  expect(between(orders(), orders())).toBe(true);
  // The same ids of other wallets are other orders.
  const owner = "0x00000000000000000000000000000000000000bb";
  expect(between(about(0), orders(...ids.map((id) => order(id, { owner }))))).toBe(false);
});
