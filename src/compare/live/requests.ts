/** Chooses the requests by which two targets are compared. */
import { seedFor } from "../../arbitraries/seed.js";
import { type JsonInput, type JsonObjectInput, rawJson, stringify } from "../../connect/json.js";
import { coveringArray, type Strength } from "../../exploration/covering-array.js";
import { planFor, requestOf } from "../../exploration/plan.js";
import { type PlannedRequest, plannedRequestKey } from "../../exploration/planned-request.js";
import { requestModelOf } from "../../exploration/request-models.js";
import { type Endpoint, endpointNames } from "../../specification/endpoints.js";
import type { MarketSubject, Subjects } from "../../subjects/subjects.js";
import type { Both } from "../answers.js";

/** What is wrong with a request, or left open by the specification. */
export interface Unusual {
  /** In words: `the limit is a string`. */
  readonly what: string;
  /** What it shares with faults in other fields and operations. */
  readonly kind: string;
}

/** A request to each of two targets: the same one, or the same question about each target's own data. */
export interface PairedRequest {
  readonly endpoint: Endpoint;
  readonly requests: Both<PlannedRequest>;
  /** Whether both are sent the same request. */
  readonly same: boolean;
  /** What is unusual about a request that is faulty or left open by the specification. */
  readonly unusual?: Unusual;
}

/** What both targets know: markets with the same id, and wallets. */
export interface CommonSubjects {
  readonly subjects: Subjects;
  /** Whether neither knows markets or wallets that the other does not. */
  readonly areAll: boolean;
}

/** The subjects that both targets have shown, as the first one describes them. */
export function commonSubjects([first, second]: Both<Subjects>): CommonSubjects {
  const markets = first.markets.flatMap((market): MarketSubject[] => {
    const same = second.markets.find(({ marketId }) => marketId === market.marketId);
    if (!same) return [];
    const { symbols, tickDecimals, ...rest } = market;
    // Details that they do not agree on are left out.
    return [
      {
        ...rest,
        ...(symbols && stringify({ ...symbols }) === stringify({ ...same.symbols }) && { symbols }),
        ...(tickDecimals !== undefined && tickDecimals === same.tickDecimals && { tickDecimals }),
      },
    ];
  });
  const wallets = first.wallets.filter(({ address }) => second.wallets.some((wallet) => wallet.address === address));
  const areAll =
    markets.length === Math.max(first.markets.length, second.markets.length) &&
    wallets.length === Math.max(first.wallets.length, second.wallets.length);
  return { subjects: { ...first, markets, wallets }, areAll };
}

/**
 * The requests of the comparison. On what both targets know, these are the requests that a run with this seed makes. If
 * their data differ, the same combinations of fields are also tried on each target's own data. Faulty and unspecified
 * requests come on top.
 */
export function pairedRequests(
  both: Both<Subjects>,
  { subjects, areAll }: CommonSubjects,
  strength: Strength,
  seed: number,
): readonly PairedRequest[] {
  const known = new Set<string>();
  return endpointNames
    .flatMap((endpoint) => [
      ...planFor(endpoint, { subjects, strength, seed }).requests.map((request) => paired(endpoint, request, request)),
      ...(areAll ? [] : onOwnData(endpoint, both, strength, seed)),
      ...unusualRequests(endpoint, both),
    ])
    .filter((each) => {
      const key = `${each.endpoint} ${each.requests.map(plannedRequestKey).join(" ")}`;
      return !known.has(key) && known.add(key);
    });
}

function paired(endpoint: Endpoint, first: PlannedRequest, second: PlannedRequest, unusual?: Unusual): PairedRequest {
  const [a, b] = [first, second].map(({ body, headers }) => ({ body, headers })) as [PlannedRequest, PlannedRequest];
  const same = plannedRequestKey(a) === plannedRequestKey(b);
  return { endpoint, requests: [a, b], same, ...(unusual && { unusual }) };
}

/** The same combinations of field classes, on each target's own subjects. */
function onOwnData(endpoint: Endpoint, both: Both<Subjects>, strength: Strength, seed: number): PairedRequest[] {
  const first = requestModelOf(endpoint, both[0]);
  const second = requestModelOf(endpoint, both[1]);
  const fields = Object.fromEntries(
    Object.entries(first.fields).map(([name, classes]) => [
      name,
      classes.filter((each) => second.fields[name]?.includes(each)),
    ]),
  );
  if (Object.values(fields).some((classes) => classes.length === 0)) return [];
  return coveringArray(fields, strength, seedFor(seed, endpoint)).map((row, index) => {
    const requestSeed = seedFor(seed, `${endpoint} ${index}`);
    return paired(endpoint, requestOf(first, row, requestSeed), requestOf(second, row, requestSeed));
  });
}

/** Requests that are faulty, or on which the specification is silent, to see what a client is told. */
function unusualRequests(endpoint: Endpoint, both: Both<Subjects>): PairedRequest[] {
  const [first, second] = both.map((subjects) => usualRequest(endpoint, subjects));
  if (!first || !second) return [];
  return unusualFields(endpoint).map(([what, fields, kind = what]) => {
    const change = (body: JsonObjectInput) => ({ body: { ...body, ...fields }, headers: {} });
    return paired(endpoint, change(first), change(second), { what, kind });
  });
}

function usualRequest(endpoint: Endpoint, { markets, wallets }: Subjects): JsonObjectInput | undefined {
  const [market] = markets;
  const address = wallets[0]?.address;
  const selector = market && { marketId: market.marketId };
  switch (endpoint) {
    case "GetAllPositions":
    case "GetAllOrders":
      return { limit: 5 };
    case "GetOrders":
      return address === undefined ? undefined : { address };
    case "GetOpenPositionsStreaming":
      return address === undefined ? undefined : { address, updateIntervalMs: 100 };
    case "GetPortfolio":
      return address === undefined ? undefined : { owner: address };
    case "GetMarketIdByName":
      return market?.symbols && { ...market.symbols };
    case "GetHistoricalPrices":
      return (
        selector && {
          market: selector,
          startTime: "2025-01-01T00:00:00Z",
          endTime: "2025-01-02T00:00:00Z",
          interval: "60",
        }
      );
    default:
      return selector && { market: selector };
  }
}

type UnusualFields = readonly [what: string, fields: JsonObjectInput, kind?: string];

const selectors: readonly UnusualFields[] = [
  ["no market", { market: undefined }],
  ["an empty selector", { market: {} }],
  ["a market id of zero", { market: { marketId: "0" } }],
  ["a market id that is not a number", { market: { marketId: "abc" } }],
  ["a negative market id", { market: { marketId: "-1" } }],
  ["an unknown market id", { market: { marketId: "8999999999999999999" } }],
  ["a market id as a JSON number", { market: { marketId: 1 } }],
  ["both alternatives", { market: { marketId: "1", marketSymbol: { assetSymbol: "NOSUCH", quoteSymbol: "NOSUCH" } } }],
  ["unknown symbols", { market: { marketSymbol: { assetSymbol: "NOSUCH", quoteSymbol: "NOSUCH" } } }],
  ["a blank asset symbol", { market: { marketSymbol: { assetSymbol: " ", quoteSymbol: "USD" } } }],
];

function counts(...names: readonly string[]): readonly UnusualFields[] {
  return names.flatMap((name): UnusualFields[] => [
    [`${name} negative`, { [name]: -1 }, "a count that is negative"],
    [`${name} as a string`, { [name]: "3" }, "a count as a string"],
    [`${name} with a fraction`, { [name]: 1.5 }, "a count with a fraction"],
    [`${name} beyond int32`, { [name]: 2_147_483_648 }, "a count beyond int32"],
  ]);
}

function addresses(name: string): readonly UnusualFields[] {
  const values: readonly (readonly [string, JsonInput | undefined])[] = [
    ["no", undefined],
    ["an empty", ""],
    ["a short", "0x123"],
    ["a nonsensical", "wallet"],
  ];
  return values.map(([what, value]) => [`${what} ${name}`, { [name]: value }, `${what} address`]);
}

function unusualFields(endpoint: Endpoint): readonly UnusualFields[] {
  switch (endpoint) {
    case "GetAllPositions":
      return counts("limit", "offset");
    case "GetAllOrders":
      return [...counts("limit", "offset"), ...addresses("address"), ["a text for a flag", { onlyOpen: "yes" }]];
    case "GetOrders":
      return [...addresses("address"), ...selectors];
    case "GetPortfolio":
      return addresses("owner");
    case "GetOpenPositionsStreaming":
      return [...addresses("address"), ["a negative interval", { updateIntervalMs: -1 }]];
    case "GetOrderBook":
      return [
        ...selectors,
        ...counts("limit", "offset", "levels"),
        ["a negative tick size", { tickSize: -1 }],
        ["a tick size that is not a power of ten", { tickSize: rawJson("0.3") }],
        ["a tick size below the minimum tick", { tickSize: rawJson("1e-12") }],
      ];
    case "GetHistoricalPrices":
      return [
        ...selectors,
        ["no interval", { interval: undefined }],
        ["an unsupported interval", { interval: "7" }],
        ["no range", { startTime: undefined, endTime: undefined }],
        ["a start after the end", { startTime: "2025-01-03T00:00:00Z" }],
        ["a time that is none", { startTime: "yesterday" }],
        ["a negative limit", { limit: -1 }],
      ];
    case "GetMarketConfigs":
      return selectors;
    case "GetMarketIdByName":
      return [
        ["a blank asset symbol", { assetSymbol: " " }],
        ["no asset symbol", { assetSymbol: undefined }],
        ["unknown symbols", { assetSymbol: "NOSUCH" }],
        ["no quote symbol", { quoteSymbol: undefined }],
        ["a blank quote symbol", { quoteSymbol: " " }],
      ];
  }
}
