/** Well-formed requests for each operation, on the subjects of a run. */
import type { JsonObjectInput } from "../connect/json.js";
import { formatInstant, plusSeconds } from "../judge/instant.js";
import type { Endpoint, walletEndpoints } from "../specification/endpoints.js";
import { daySeconds, int32Max } from "../specification/limits.js";
import { latestActivity } from "./latest-activity.js";
import {
  anyMarket,
  marketNamedByAsset,
  marketsWithBook,
  marketsWithCandles,
  marketsWithSymbols,
  walletToFollow,
  walletWithFewOrders,
  walletWithMostOrders,
} from "./select.js";
import type { MarketSubject, Subjects } from "./subjects.js";

/** A small request for an operation: on a known subject if there is one, else on an unknown one. */
export function simpleRequest(endpoint: Endpoint, subjects: Subjects): JsonObjectInput {
  const { unknown } = subjects;
  const wallet = walletWithFewOrders(subjects) ?? walletToFollow(subjects) ?? walletWithMostOrders(subjects);
  const address = wallet?.address ?? unknown.wallet;
  const market = marketsWithBook(subjects)[0] ?? anyMarket(subjects) ?? unknown;
  switch (endpoint) {
    case "GetAllPositions":
    case "GetAllOrders":
      return { limit: 3 };
    case "GetOpenPositionsStreaming":
      return { address: walletToFollow(subjects)?.address ?? address, updateIntervalMs: 1000 };
    case "GetOrders":
      return { address };
    case "GetPortfolio":
      return { owner: address };
    case "GetOrderBook":
      return { ...byId(market), limit: 10 };
    case "GetHistoricalPrices":
      return { ...byId(marketsWithCandles(subjects)[0] ?? market), ...settledHours(subjects), interval: "60" };
    case "GetMarketConfigs":
      return byId(market);
    case "GetMarketIdByName":
      return { ...(marketsWithSymbols(subjects)[0] ?? marketNamedByAsset(subjects) ?? unknown).symbols };
  }
}

/** Like {@link simpleRequest}, with a market selector wherever the operation takes one. */
export function selectingRequest(endpoint: Endpoint, subjects: Subjects): JsonObjectInput {
  const market = anyMarket(subjects);
  const request = simpleRequest(endpoint, subjects);
  return endpoint === "GetOrders" && market ? { ...request, ...byId(market) } : request;
}

/**
 * Like {@link simpleRequest}, but with the market named by its symbols; undefined if the operation does not resolve them or
 * they are unknown (§1).
 */
export function simpleRequestBySymbols(endpoint: Endpoint, subjects: Subjects): JsonObjectInput | undefined {
  const [market] = marketsWithSymbols(subjects);
  if (!market || (endpoint !== "GetOrders" && endpoint !== "GetOrderBook" && endpoint !== "GetMarketConfigs")) {
    return undefined;
  }
  return { ...simpleRequest(endpoint, subjects), market: { marketSymbol: { ...market.symbols } } };
}

/** A well-formed request for an unknown wallet, market or symbol pair (S4, S5, R12). */
export function unknownRequest(endpoint: Endpoint, { unknown }: Subjects): JsonObjectInput {
  switch (endpoint) {
    case "GetAllPositions":
      // It names no subject, so ask for a page beyond the end.
      return { limit: 1, offset: int32Max };
    case "GetAllOrders":
    case "GetOrders":
    case "GetPortfolio":
    case "GetOpenPositionsStreaming":
      return walletRequest(endpoint, unknown.wallet);
    case "GetOrderBook":
    case "GetHistoricalPrices":
    case "GetMarketConfigs":
      return byId(unknown);
    case "GetMarketIdByName":
      return { ...unknown.symbols };
  }
}

/** A request for the data of a wallet. */
export function walletRequest(endpoint: (typeof walletEndpoints)[number], address: string): JsonObjectInput {
  return endpoint === "GetPortfolio" ? { owner: address } : { address };
}

/** A request that is documented to fail, and its documented error code (§7). */
export interface DocumentedError {
  readonly request: JsonObjectInput;
  readonly code: "invalid_argument" | "not_found";
}

/** Requests for which the text documents an error; empty for operations without one (§1, §4.6, §4.9, §7). */
export function documentedErrors(endpoint: Endpoint, subjects: Subjects): readonly DocumentedError[] {
  const invalid = (...requests: JsonObjectInput[]) =>
    requests.map((request): DocumentedError => ({ request, code: "invalid_argument" }));
  const zero = { market: { marketId: "0" } };
  const market = anyMarket(subjects);
  switch (endpoint) {
    case "GetOrders":
      return invalid(
        { ...simpleRequest(endpoint, subjects), market: {} },
        { ...simpleRequest(endpoint, subjects), ...zero },
      );
    case "GetOrderBook":
      return invalid({}, zero, ...(market ? [{ ...byId(market), tickSize: -1 }] : []));
    case "GetHistoricalPrices":
      return invalid({ market: {} }, zero);
    case "GetMarketConfigs":
      return invalid({}, zero);
    case "GetMarketIdByName":
      return [...invalid({ assetSymbol: " " }), { request: { ...subjects.unknown.symbols }, code: "not_found" }];
    default:
      return [];
  }
}

/** A time range of three hours that ended a day before the latest activity, so its candles are final (§4.7). */
function settledHours(subjects: Subjects): { readonly startTime: string; readonly endTime: string } {
  const end = plusSeconds(latestActivity(subjects), -daySeconds);
  return { startTime: formatInstant(plusSeconds(end, -3 * 3600)), endTime: formatInstant(end) };
}

/** The selector of a market by its id. */
export function byId({ marketId }: Pick<MarketSubject, "marketId">): {
  readonly market: { readonly marketId: string };
} {
  return { market: { marketId } };
}
