import fc from "fast-check";
import { type JsonInput, type JsonObjectInput, rawJson } from "../connect/json.js";
import { formatInstant, plusSeconds } from "../judge/instant.js";
import type { Endpoint } from "../spec/endpoints.js";
import { candleIntervals } from "../spec/enums.js";
import { candleIntervalSeconds, streamIntervalMaxMs, streamIntervalMinMs } from "../spec/limits.js";
import { latestActivity } from "../subjects/latest-activity.js";
import {
  anyMarket,
  marketsWithBook,
  marketsWithCandles,
  marketsWithSymbols,
  walletToFollow,
  walletWithFewOrders,
  walletWithOpenOrders,
} from "../subjects/select.js";
import type { MarketSubject, Subjects } from "../subjects/subjects.js";
import { padded, recased } from "./addresses.js";
import { notations, stepPowers, tickSizeOf } from "./ticks.js";

/**
 * Well-typed requests of an operation that are documented to succeed, with any of its fields and any documented values of
 * them together, on known subjects; cheap to answer. Undefined when the operation needs a subject and there is none.
 */
export function documentedRequests(endpoint: Endpoint, subjects: Subjects): fc.Arbitrary<JsonObjectInput> | undefined {
  switch (endpoint) {
    case "GetAllPositions":
      return request({}, pages);
    case "GetAllOrders":
      return request({}, { ...pages, address: addresses(subjects), onlyOpen: fc.boolean() });
    case "GetOpenPositionsStreaming":
      return request({ address: addresses(subjects) }, { updateIntervalMs: fc.oneof(fc.constant(0), intervals) });
    case "GetOrders": {
      const selectors = markets(anyMarket(subjects), subjects);
      return request({ address: addresses(subjects) }, selectors ? { market: selectors } : {});
    }
    case "GetPortfolio": {
      const known = wallets(subjects);
      return known.length === 0 ? undefined : request({ owner: dressed(known) }, {});
    }
    case "GetOrderBook":
      return bookRequests(subjects);
    case "GetHistoricalPrices":
      return candleRequests(subjects);
    case "GetMarketConfigs": {
      const market = markets(anyMarket(subjects), subjects);
      return market && request({ market }, {});
    }
    case "GetMarketIdByName": {
      const pairs = marketsWithSymbols(subjects).map(({ symbols }) => symbols);
      if (pairs.length === 0) return undefined;
      return fc.constantFrom(...pairs).chain(({ assetSymbol, quoteSymbol }) =>
        request({ assetSymbol: fc.oneof(fc.constant(assetSymbol), dressedWord(assetSymbol)) }, {}).map((asset) => ({
          ...asset,
          quoteSymbol,
        })),
      );
    }
  }
}

type Members = Readonly<Record<string, fc.Arbitrary<JsonInput>>>;

/** An object with all of the first members and any of the others. */
function request(required: Members, optional: Members): fc.Arbitrary<JsonObjectInput> {
  return fc.record(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required) },
  ) as fc.Arbitrary<JsonObjectInput>;
}

const pages: Members = {
  limit: fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 4, arbitrary: fc.integer({ min: 1, max: 30 }) }),
  offset: fc.oneof(fc.constant(0), fc.nat({ max: 2000 })),
};

const intervals = fc.integer({ min: streamIntervalMinMs, max: streamIntervalMaxMs });

function wallets(subjects: Subjects): readonly string[] {
  const known = [walletWithFewOrders(subjects), walletToFollow(subjects), walletWithOpenOrders(subjects)];
  return [...new Set(known.flatMap((wallet) => (wallet ? [wallet.address] : [])))];
}

/** Known wallets, or else one that nobody knows: an empty result is documented too (R12). */
function addresses(subjects: Subjects): fc.Arbitrary<string> {
  const known = wallets(subjects);
  return dressed(known.length > 0 ? known : [subjects.unknown.wallet]);
}

function dressed(known: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...known).chain((address) => fc.oneof(fc.constant(address), dressedWord(address)));
}

/** With blanks around it, or in another case, where the text has letters at all. */
function dressedWord(text: string): fc.Arbitrary<string> {
  return /[a-z]/i.test(text) ? fc.oneof(padded(text), recased(text.toLowerCase())) : padded(text);
}

/** Selectors of a market by its id, or of one by its symbols where they are known. */
function markets(market: MarketSubject | undefined, subjects: Subjects): fc.Arbitrary<JsonObjectInput> | undefined {
  const byId = market === undefined ? [] : [{ marketId: market.marketId }];
  const bySymbols = marketsWithSymbols(subjects).map(({ symbols }) => ({ marketSymbol: { ...symbols } }));
  const all: readonly JsonObjectInput[] = [...byId, ...bySymbols.slice(0, 3)];
  return all.length === 0 ? undefined : fc.constantFrom(...all);
}

function bookRequests(subjects: Subjects): fc.Arbitrary<JsonObjectInput> | undefined {
  const books = marketsWithBook(subjects).slice(0, 4);
  if (books.length === 0) return undefined;
  return fc.constantFrom(...books).chain(({ marketId, symbols, tickDecimals }) => {
    const bySymbols = symbols?.quoteSymbol === undefined ? [] : [{ marketSymbol: { ...symbols } }];
    const steps = fc
      .tuple(stepPowers, notations)
      .map(([power, notation]): JsonInput => rawJson(tickSizeOf(1, power, tickDecimals ?? 0, notation).text));
    return request(
      { market: fc.constantFrom<JsonObjectInput[]>({ marketId }, ...bySymbols) },
      {
        tickSize: tickDecimals === undefined ? fc.constant(0) : fc.oneof(fc.constant(0), steps),
        sizeInUsd: fc.boolean(),
        levels: fc.nat({ max: 20 }),
        limit: fc.oneof(fc.constant(0), fc.nat({ max: 120 })),
        offset: fc.nat({ max: 60 }),
        totalOrderCount: fc.nat({ max: 1000 }),
      },
    );
  });
}

/** At most so many candles of an interval are asked for. */
const CANDLES = 30;

function candleRequests(subjects: Subjects): fc.Arbitrary<JsonObjectInput> | undefined {
  const [market] = marketsWithCandles(subjects);
  if (!market) return undefined;
  const latest = latestActivity(subjects);
  return fc
    .tuple(fc.constantFrom(...candleIntervals), fc.integer({ min: 1, max: CANDLES }), fc.nat({ max: 86_400 }))
    .chain(([interval, candles, before]) =>
      request(
        { market: fc.constant({ marketId: market.marketId }), interval: fc.constant(interval) },
        { limit: fc.nat({ max: 10 }) },
      ).map((rest) => ({
        ...rest,
        startTime: formatInstant(plusSeconds(latest, -before - candles * candleIntervalSeconds[interval])),
        endTime: formatInstant(plusSeconds(latest, -before)),
      })),
    );
}
