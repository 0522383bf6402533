import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import { orderJson, positionJson } from "../judge/rows.fixture.js";
import type { Answer } from "./answer.js";
import { exchangeOf, success } from "./answers.fixture.js";
import { Repetitions } from "./repetitions.js";

const startedAt = Date.parse("2026-06-01T00:00:00Z");
const wallet = `0x${"ab".repeat(20)}`;
const subjects = { markets: [], wallets: [{ address: wallet }], unknown: { wallet: `0x${"cd".repeat(20)}` } };

/** An answer of GetOrders, some seconds after the run began. */
function answer(second: number, orderIds: readonly string[], address = wallet, more: JsonObject = {}): Answer {
  const body = { orders: orderIds.map((orderId) => orderJson({ orderId, ...more })) };
  const exchange = exchangeOf(JSON.stringify(body));
  const request = { ...exchange.request, endpoint: "GetOrders" as const, body: JSON.stringify({ address }) };
  return {
    ...success(body),
    endpoint: "GetOrders",
    request: { address },
    exchange: { ...exchange, request, startedAt: new Date(startedAt + 1_000 * second).toISOString() },
  };
}

/** An answer of GetAllOrders. */
function listed(second: number, orderIds: readonly string[]): Answer {
  const { outcome, exchange, ...shown } = answer(second, orderIds);
  const pagination = { limit: 50, offset: 0, totalCount: String(orderIds.length) };
  const body = { ...(outcome.kind === "success" && outcome.body), pagination };
  const request = { ...exchange.request, endpoint: "GetAllOrders" as const, body: "{}" };
  return {
    ...shown,
    ...success(body),
    endpoint: "GetAllOrders",
    request: {},
    exchange: { ...exchange, request },
  };
}

function judged(...answers: readonly Answer[]) {
  const repetitions = new Repetitions({ subjects, readings: {} }, startedAt);
  for (const one of answers) repetitions.add(one);
  const messages = repetitions.found().flatMap(({ log }) => log.violations(() => "").map(({ message }) => message));
  return { moved: repetitions.moved, messages };
}

describe("an order that the same request brings before and after", () => {
  test("is missing from an answer in between", () => {
    const { moved, messages } = judged(answer(1, ["1", "2"]), answer(2, ["1"]), answer(3, ["1", "2"]));
    expect(moved).toBe(false);
    expect(messages).toEqual([
      expect.stringMatching(
        /^orders: expected order 2 .*shown before and is shown again by the same request later, got 1 row /,
      ),
    ]);
  });

  test("is missing from every second answer, also from the last one", () => {
    const answers = [1, 2, 3, 4].map((second) => answer(second, second % 2 === 1 ? ["1", "2"] : ["1"]));
    expect(judged(...answers).messages).toHaveLength(1);
    expect(judged(...answers.slice(1)).messages).toEqual([]);
  });

  test("is missing whatever the order in which the answers are judged, and however the request is written", () => {
    const padded = ` ${wallet.toUpperCase().replace("0X", "0x")} `;
    expect(judged(answer(2, ["1"]), answer(3, ["1", "2"], padded), answer(1, ["1", "2"])).messages).toHaveLength(1);
  });

  test("is not missing from the first or the last answer: it may have come or gone", () => {
    expect(judged(answer(1, ["1"]), answer(2, ["1", "2"]), answer(3, ["1", "2"])).messages).toEqual([]);
    expect(judged(answer(1, ["1", "2"]), answer(2, ["1", "2"]), answer(3, ["1"])).messages).toEqual([]);
  });

  test("is missing from the first answer, too, if one to another request brought it before", () => {
    const listing = listed(1, ["1", "2"]);
    expect(judged(listing, answer(2, []), answer(3, ["1", "2"])).messages).toEqual([
      expect.stringMatching(/^orders: expected order 1 .*, got no rows/),
    ]);
    expect(judged(listing, answer(1, ["1"]), answer(3, ["1", "2"])).messages).toEqual([]);
    expect(judged(listing, answer(2, []), answer(3, [])).messages).toEqual([]);
  });

  test("is not missing where it is so young that replicas may not know it", () => {
    const young = { timestamp: "2026-05-31T23:59:30Z" };
    const answers = [answer(1, ["1", "2"], wallet, young), answer(2, ["1"], wallet, young)];
    expect(judged(...answers, answer(3, ["1", "2"], wallet, young)).messages).toEqual([]);
  });
});

test("data move when an order is new, or shows another time", () => {
  const time = (timestamp: string) => answer(2, ["1"], wallet, { timestamp });
  expect(judged(answer(1, []), time("2026-06-01T00:00:01Z")).moved).toBe(true);
  expect(judged(time("2026-01-01T00:00:00Z"), time("2026-01-01T00:00:01Z")).moved).toBe(true);
  expect(judged(answer(1, ["1"]), answer(2, ["1"])).moved).toBe(false);
});

test("a missing row is booked on the operation that lacks it", () => {
  const repetitions = new Repetitions({ subjects, readings: {} }, startedAt);
  const times = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  for (const second of [1, 2, 3]) {
    for (const [endpoint, field, rowJson] of [
      ["GetAllOrders", "orders", orderJson],
      ["GetAllPositions", "positions", positionJson],
    ] as const) {
      const rows = times.map((timestamp, id) => rowJson({ orderId: `${id}`, positionId: `${id}`, timestamp }));
      const body = {
        [field]: second === 2 ? rows.slice(1) : rows,
        pagination: { limit: 50, offset: 0, totalCount: "2" },
      };
      const { exchange, ...shown } = listed(second, []);
      const request = { ...exchange.request, endpoint };
      repetitions.add({ ...shown, ...success(body), endpoint, exchange: { ...exchange, request } });
    }
  }
  const found = repetitions.found().map(({ rule, endpoint, log }) => [rule, endpoint, log.violations(() => "").length]);
  expect(found).toEqual([
    ["pagination.row-count", "GetAllOrders", 1],
    ["pagination.row-count", "GetAllPositions", 1],
  ]);
});

describe("an order that the same request shows in two states", () => {
  const shown = (second: number, status: string) => answer(second, ["1"], wallet, { status });
  const [closed, filled] = ["ORDER_STATUS_CLOSED", "ORDER_STATUS_FULLY_FILLED"];

  test("may not change to and fro for longer than a replica may lag behind", () => {
    const { moved, messages } = judged(shown(1, closed), shown(2, filled), shown(5, closed), shown(6, filled));
    expect(moved).toBe(false);
    expect(messages).toEqual([
      expect.stringMatching(
        /^orders\[0\]: expected order 1 .* before and after: status ORDER_STATUS_CLOSED, got status ORDER_STATUS_FULLY_FILLED, time and again/,
      ),
    ]);
  });

  test("nor may the number of records of a listing", () => {
    const ids = ["1", "2", "3"];
    const totals = [listed(1, ids), listed(2, ids.slice(1)), listed(5, ids), listed(6, ids.slice(1))];
    expect(judged(...totals).messages).toEqual([
      expect.stringMatching(/^pagination.totalCount: expected the number of records .*: 3, got 2, time and again/),
    ]);
  });

  test("may lose the name of its market and find it again, as metadata come and go", () => {
    const named = (second: number, market: string) => answer(second, ["1"], wallet, { market });
    const times = (names: readonly [string, string]) =>
      [1, 2, 5, 6].map((at, index) => named(at, names[index % 2] ?? ""));
    expect(judged(...times(["BTC/USD", "MARKET-1"])).messages).toEqual([]);
    expect(judged(...times(["BTC/USD", "ETH/USD"])).messages).toEqual([
      expect.stringMatching(/before and after: market BTC\/USD, got market ETH\/USD, time and again/),
    ]);
    expect(judged(...times(["BTC|USD", "ETH|USD"])).messages).toEqual([
      expect.stringMatching(/before and after, got something else, time and again/),
    ]);
  });

  test("may be without an inherited leverage at times, which is there when available", () => {
    const times = (reduceOnly: boolean) =>
      [1, 2, 5, 6].map((at) => answer(at, ["1"], wallet, { reduceOnly, leverage: at % 2 === 1 ? 0 : 10 }));
    expect(judged(...times(true)).messages).toEqual([]);
    expect(judged(...times(false)).messages).toHaveLength(1);
  });

  test("may change once, back again, and to and fro while replicas follow", () => {
    expect(judged(shown(1, filled), shown(2, closed), shown(6, closed)).messages).toEqual([]);
    expect(judged(shown(1, filled), shown(2, closed), shown(6, filled)).messages).toEqual([]);
    expect(judged(shown(1, filled), shown(2, closed), shown(3, filled), shown(4, closed)).messages).toEqual([]);
  });
});
