import { describe, expect, test } from "vitest";
import { type JsonObjectInput, rawJson, stringify } from "../connect/json.js";
import type { Subjects } from "../subjects/subjects.js";
import {
  defaultLeftOut,
  explicitAfter,
  explicitLimit,
  inDecimals,
  inItsOwnCase,
  inLowerCase,
  inUtc,
  partOfRange,
  type Rewrite,
  selectedById,
  trimmed,
  usualHeaders,
  usualNotation,
  withoutBuckets,
  withoutField,
  withoutLevels,
} from "./rewrites.js";

const subjects = {
  markets: [{ marketId: "7", symbols: { assetSymbol: "BTC", quoteSymbol: "USD" }, rowsSeen: 1 }],
} as unknown as Subjects;

const rewritten = (rewrite: Rewrite, body: JsonObjectInput) => {
  const request = rewrite({ body, headers: {} }, subjects);
  return request && stringify(request.body);
};

test("the default is written out where the request before sets the field", () => {
  const after = { body: { sizeInUsd: true }, headers: {} };
  const rewrite = explicitAfter("sizeInUsd", false);
  expect(rewrite({ body: {}, headers: {}, after }, subjects)?.body).toEqual({ sizeInUsd: false });
  expect(rewrite({ body: { sizeInUsd: true }, headers: {}, after }, subjects)).toBeUndefined();
  expect(rewrite({ body: {}, headers: {} }, subjects)).toBeUndefined();
});

describe("a rewrite", () => {
  test.each<[string, Rewrite, JsonObjectInput, string | undefined]>([
    ["leaves an ignored field out", withoutField("totalOrderCount"), { totalOrderCount: 7, limit: 1 }, '{"limit":1}'],
    ["leaves a default out", defaultLeftOut("offset"), { offset: 0, limit: 1 }, '{"limit":1}'],
    ["leaves no other value out", defaultLeftOut("offset"), { offset: 1 }, undefined],
    ["leaves levels out", withoutLevels, { levels: 3 }, "{}"],
    ["takes zero levels for none", withoutLevels, { levels: 0 }, undefined],
    ["leaves buckets out", withoutBuckets, { tickSize: rawJson("0.1") }, "{}"],
    ["takes a tick of zero for none", withoutBuckets, { tickSize: 0 }, undefined],
    ["takes a tick of 0.0 for none", withoutBuckets, { tickSize: rawJson("0.0") }, undefined],
    ["leaves a tick of 0.0 out", defaultLeftOut("tickSize"), { tickSize: rawJson("0.0") }, "{}"],
    ["writes the default out", explicitLimit(50), {}, '{"limit":50}'],
    ["writes no default where there is a value", explicitLimit(50), { limit: 2 }, undefined],
    ["leaves a decimal as it is", inDecimals, { tickSize: rawJson("0.1") }, undefined],
    ["leaves a superfluous zero out", inDecimals, { tickSize: rawJson("10.0") }, '{"tickSize":10}'],
    ["writes an exponent as a decimal", inDecimals, { tickSize: rawJson("1e-2") }, '{"tickSize":0.01}'],
    [
      "selects by id",
      selectedById,
      { market: { marketSymbol: { assetSymbol: "BTC", quoteSymbol: "USD" } } },
      '{"market":{"marketId":"7"}}',
    ],
    ["does not know other symbols", selectedById, { market: { marketSymbol: { assetSymbol: "X" } } }, undefined],
    ["asks for all markets", withoutField("market"), { market: { marketId: "7" }, address: "0x" }, '{"address":"0x"}'],
    ["trims", trimmed("address"), { address: "\t0xA " }, '{"address":"0xA"}'],
    ["trims only what has blanks", trimmed("address"), { address: "0xA" }, undefined],
    ["writes in lower case", inLowerCase("owner"), { owner: " 0xA" }, '{"owner":" 0xa"}'],
    [
      "writes a symbol in its own case",
      inItsOwnCase,
      { assetSymbol: " bTc", quoteSymbol: "USD" },
      '{"assetSymbol":" BTC","quoteSymbol":"USD"}',
    ],
    ["rewrites no symbol of another quote", inItsOwnCase, { assetSymbol: "bTc" }, undefined],
    ["rewrites no symbol that is as it should be", inItsOwnCase, { assetSymbol: "BTC", quoteSymbol: "USD" }, undefined],
    [
      "writes a range in UTC",
      inUtc,
      { startTime: "2026-01-01T02:00:00+02:00", endTime: "2026-01-01T01:00:00Z" },
      '{"startTime":"2026-01-01T00:00:00Z","endTime":"2026-01-01T01:00:00Z"}',
    ],
  ])("%s", (_, rewrite, body, expected) => {
    expect(rewritten(rewrite, body)).toBe(expected);
  });

  test.each([
    [
      "the first half",
      "60",
      "2026-01-01T00:00:00Z",
      "2026-01-11T00:00:00Z",
      ["2026-01-01T00:00:00Z", "2026-01-06T00:00:00Z"],
    ],
    [
      "the last interval",
      "60",
      "2026-01-01T00:00:00Z",
      "2026-01-01T12:00:00Z",
      ["2026-01-01T11:00:00Z", "2026-01-01T12:00:00Z"],
    ],
    ["the first half", "1D", "2026-01-01T00:00:00Z", "2026-04-01T00:00:00Z", undefined],
    [
      "the interval after a boundary",
      "1W",
      "2025-10-11T00:00:00Z",
      "2026-03-01T00:00:00Z",
      ["2025-10-26T00:00:00Z", "2025-11-02T00:00:00Z"],
    ],
    [
      "the interval before a boundary",
      "1W",
      "2025-10-12T00:00:00Z",
      "2026-03-01T00:00:00Z",
      ["2025-12-25T00:00:00Z", "2026-01-01T00:00:00Z"],
    ],
    [
      "the interval after a boundary",
      "1D",
      "2026-02-10T00:00:00Z",
      "2026-03-01T06:00:00Z",
      ["2026-03-01T00:00:00Z", "2026-03-01T06:00:00Z"],
    ],
    ["the interval after a boundary", "1D", "2026-02-28T12:00:00Z", "2026-03-01T00:00:00Z", undefined],
    [
      "the interval before a boundary",
      "1D",
      "2026-02-28T00:00:00Z",
      "2026-03-02T00:00:00Z",
      ["2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z"],
    ],
    ["the interval before a boundary", "1D", "2026-02-28T00:00:00.5Z", "2026-03-02T00:00:00Z", undefined],
    ["the interval after a boundary", "60", "2025-12-31T00:00:00Z", "2026-01-02T00:00:00Z", undefined],
  ] as const)("asks for %s of %s from %s to %s", (part, interval, startTime, endTime, expected) => {
    const asked = rewritten(partOfRange(part), { interval, startTime, endTime });
    const range = asked === undefined ? undefined : JSON.parse(asked);
    expect(range && [range.startTime, range.endTime]).toEqual(expected);
  });

  test("keeps the notation of the body, unless it is that which is rewritten", () => {
    const request = { body: { limit: 0 }, headers: {}, notation: "with escapes" } as const;
    expect(defaultLeftOut("limit")(request, subjects)).toEqual({ ...request, body: { limit: undefined } });
    expect(usualNotation(request, subjects)).toEqual({ body: { limit: 0 }, headers: {} });
    expect(usualNotation({ body: {}, headers: {} }, subjects)).toBeUndefined();
  });

  test("sends the usual headers in place of a special one", () => {
    const headers = { "Connect-Timeout-Ms": "5" };
    expect(usualHeaders("Connect-Timeout-Ms")({ body: {}, headers }, subjects)).toEqual({ body: {}, headers: {} });
    expect(usualHeaders("Connect-Protocol-Version")({ body: {}, headers }, subjects)).toBeUndefined();
  });
});
