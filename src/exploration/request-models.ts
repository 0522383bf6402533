/** The requests that a run makes to each operation: its fields, and their classes for the subjects of the run. */
import fc from "fast-check";
import type { JsonNotation, JsonObjectInput } from "../connect/json.js";
import { type Instant, instantFromMillis, plusSeconds } from "../judge/instant.js";
import type { Endpoint } from "../specification/endpoints.js";
import { candleIntervals } from "../specification/enums.js";
import { candleIntervalSeconds, streamIntervalMaxMs, streamIntervalMinMs } from "../specification/limits.js";
import {
  bookLimitClasses,
  type Classes,
  flagClasses,
  headerClasses,
  ignoredCountClasses,
  levelsClasses,
  notationClasses,
  offsetClasses,
  pageLimitClasses,
  selectorClasses,
  type Ticks,
  textVariantClasses,
  tickClasses,
  type Zone,
  zoneClasses,
} from "../specification/request-fields.js";
import { endOfCandles, latestActivity } from "../subjects/latest-activity.js";
import {
  marketsWithBook,
  marketsWithCandles,
  orderCountOf,
  walletsWithOpenPositions,
  walletWithMostOrders,
  walletWithoutOpenPositions,
} from "../subjects/select.js";
import type { MarketSubject, Subjects, WalletSubject } from "../subjects/subjects.js";
import { lastLeapDay } from "./calendar-boundaries.js";
import type { ClassRow, FieldClasses } from "./covering-array.js";
import type { Draw, RequestModel } from "./planned-request.js";
import {
  addressVariant,
  drawValue,
  headersOf,
  selectorOf,
  textVariant,
  tickOf,
  withinSecond,
  writtenInstant,
} from "./request-values.js";
import {
  type ClassesOf,
  drawSubject,
  marketsInTurn,
  nonEmptyClasses,
  ordersOfWallets,
  unknownWallets,
} from "./subject-classes.js";

const models: Readonly<Record<Endpoint, (subjects: Subjects) => RequestModel>> = {
  GetAllPositions: allPositions,
  GetOpenPositionsStreaming: stream,
  GetAllOrders: allOrders,
  GetOrders: orders,
  GetPortfolio: portfolio,
  GetOrderBook: orderBook,
  GetHistoricalPrices: historicalPrices,
  GetMarketConfigs: marketConfigs,
  GetMarketIdByName: marketIdByName,
};

/** The model of an operation's requests, on the subjects of a run. */
export function requestModelOf(endpoint: Endpoint, subjects: Subjects): RequestModel {
  return models[endpoint](subjects);
}

/** How a body is written, which must not change its meaning (§1). The notations of a class take turns. */
const jsonClasses = {
  usual: [fc.constant(undefined)],
  "in the opposite order": [fc.constant("in the opposite order")],
  "with blanks or escapes": [
    fc.constant("with blanks"),
    fc.constant("over several lines"),
    fc.constant("with escapes"),
  ],
} as const satisfies Classes<JsonNotation | undefined>;

/**
 * The model with these fields and those that every operation has: headers and the notation of the JSON. `body` makes the body
 * of a request.
 */
function requestModel(
  endpoint: Endpoint,
  fields: FieldClasses,
  body: (row: ClassRow, draw: Draw) => JsonObjectInput,
): RequestModel {
  return {
    endpoint,
    fields: { ...fields, headers: Object.keys(headerClasses), json: Object.keys(jsonClasses) },
    request: (row, draw) => {
      const notation = drawValue<JsonNotation | undefined>("json", jsonClasses, row, draw);
      return { body: body(row, draw), headers: headersOf(row, draw), ...(notation && { notation }) };
    },
  };
}

function allPositions({ totals }: Subjects): RequestModel {
  return requestModel(
    "GetAllPositions",
    { limit: Object.keys(pageLimitClasses), offset: Object.keys(offsetClasses(0)) },
    (row, draw) => {
      const limit = drawValue("limit", pageLimitClasses, row, draw);
      const offsets = offsetClasses(totals.positions ?? 0, limit);
      return { limit, offset: drawValue("offset", offsets, row, draw) };
    },
  );
}

function allOrders(subjects: Subjects): RequestModel {
  const { totals } = subjects;
  const wallets: ClassesOf<WalletSubject> = { "no wallet": [], ...ordersOfWallets(subjects) };
  return requestModel(
    "GetAllOrders",
    {
      wallet: Object.keys(wallets),
      limit: Object.keys(pageLimitClasses),
      offset: Object.keys(offsetClasses(0)),
      onlyOpen: Object.keys(flagClasses),
      dressing: textVariantClasses,
    },
    (row, draw) => {
      const onlyOpen = drawValue("onlyOpen", flagClasses, row, draw);
      const wallet = drawSubject("wallet", wallets, row, draw);
      const all = wallet ? orderCountOf(wallet) : (totals.orders ?? 0);
      const limit = drawValue("limit", pageLimitClasses, row, draw);
      const open = wallet ? (wallet.openOrders ?? 0) : (totals.openOrders ?? 0);
      return {
        address: wallet && addressVariant(wallet.address, row, draw),
        onlyOpen,
        limit,
        offset: drawValue("offset", offsetClasses(onlyOpen ? open : all, limit), row, draw),
      };
    },
  );
}

function orders(subjects: Subjects): RequestModel {
  const wallets = ordersOfWallets(subjects);
  const choices: ClassesOf<MarketSubject | undefined> = {
    "all markets": [undefined],
    "a market with orders": subjects.markets,
    ...marketsInTurn(subjects.markets),
  };
  return requestModel(
    "GetOrders",
    {
      wallet: Object.keys(wallets),
      market: Object.keys(choices),
      selector: selectorClasses,
      dressing: textVariantClasses,
    },
    (row, draw) => {
      const { wallet, market } = drawPair(wallets[row.wallet ?? ""] ?? [], choices[row.market ?? ""] ?? [], draw);
      return {
        address: wallet && addressVariant(wallet.address, row, draw),
        market: market && selectorOf(market, row.selector),
      };
    },
  );
}

/** A wallet and a market in which it has orders, or any two if there are no such: an answer without rows shows little. */
function drawPair(
  wallets: readonly WalletSubject[],
  markets: readonly (MarketSubject | undefined)[],
  draw: Draw,
): { readonly wallet?: WalletSubject; readonly market?: MarketSubject | undefined } {
  const pairs = wallets.flatMap((wallet) => markets.map((market) => ({ wallet, market })));
  const withOrders = pairs.filter(({ wallet, market }) => !market || wallet.markets.includes(market.marketId));
  const choices = withOrders.length > 0 ? withOrders : pairs;
  return choices.length === 0 ? {} : draw("wallet", ...choices.map((pair) => fc.constant(pair)));
}

function portfolio(subjects: Subjects): RequestModel {
  const [most, ...others] = walletsWithOpenPositions(subjects);
  const flat = subjects.wallets.filter(({ openPositions }) => openPositions === 0);
  const idle = subjects.wallets.filter(
    ({ openPositions = 0, openStatuses }) => openPositions + openStatuses.length === 0,
  );
  const wallets = nonEmptyClasses({
    "the most open positions": most ? [most] : [],
    "open positions": others,
    "open orders alone": flat.filter(({ openStatuses }) => openStatuses.length > 0),
    // Prefer wallets with nothing open at all, even where no portfolio reported it.
    "no open position": idle.length > 0 ? idle : flat,
    "the most orders": [walletWithMostOrders(subjects)].filter((wallet) => wallet !== undefined),
  });
  return requestModel("GetPortfolio", { wallet: Object.keys(wallets), dressing: textVariantClasses }, (row, draw) => {
    const wallet = drawSubject("wallet", wallets, row, draw);
    return { owner: wallet && addressVariant(wallet.address, row, draw) };
  });
}

/** Intervals from this length up, in milliseconds, are too long to wait for the second message of a stream. */
export const longIntervalMs = 1_001;

/** `updateIntervalMs` (§4.2); an explicit zero is left out, since it may mean two intervals (T3). */
const intervalClasses = {
  "the least": [fc.constant(streamIntervalMinMs)],
  omitted: [fc.constant(undefined)],
  "below the range": [fc.integer({ min: 1, max: streamIntervalMinMs - 1 })],
  "in range": [fc.integer({ min: streamIntervalMinMs, max: 300 })],
  long: [
    fc.integer({ min: longIntervalMs, max: 9_999 }),
    fc.integer({ min: 10_000, max: 29_999 }),
    fc.integer({ min: 30_000, max: streamIntervalMaxMs - 1 }),
    fc.constant(streamIntervalMaxMs),
  ],
} as const satisfies Classes<number | undefined>;

function stream(subjects: Subjects): RequestModel {
  const [most, ...others] = walletsWithOpenPositions(subjects);
  const none = walletWithoutOpenPositions(subjects);
  const wallets = nonEmptyClasses({
    "the most open positions": most ? [most] : [],
    "open positions": others,
    "no open position": none ? [none] : [],
    ...unknownWallets(subjects),
  });
  return requestModel(
    "GetOpenPositionsStreaming",
    {
      wallet: Object.keys(wallets),
      interval: Object.keys(intervalClasses),
      dressing: textVariantClasses,
    },
    (row, draw) => {
      const wallet = drawSubject("wallet", wallets, row, draw);
      return {
        address: wallet && addressVariant(wallet.address, row, draw),
        updateIntervalMs: drawValue("interval", intervalClasses, row, draw),
      };
    },
  );
}

function orderBook(subjects: Subjects): RequestModel {
  const withoutOrders = subjects.markets.filter(({ bookOrders }) => bookOrders === 0);
  const others = marketsWithBook(subjects, 0).filter((market) => !withoutOrders.includes(market));
  const markets = { ...marketsInTurn(others), ...nonEmptyClasses({ "no orders in the book": withoutOrders }) };
  return requestModel(
    "GetOrderBook",
    {
      market: Object.keys(markets),
      selector: selectorClasses,
      tickSize: Object.keys(tickClasses),
      notation: notationClasses,
      sizeInUsd: Object.keys(flagClasses),
      levels: Object.keys(levelsClasses),
      limit: Object.keys(bookLimitClasses(1)),
      offset: Object.keys(offsetClasses(0)),
      totalOrderCount: Object.keys(ignoredCountClasses),
    },
    (row, draw) => {
      const market = drawSubject("market", markets, row, draw);
      const orders = market?.bookOrders ?? 0;
      return {
        market: market && selectorOf(market, row.selector),
        tickSize: tickOf(market, drawValue<Ticks | undefined>("tickSize", tickClasses, row, draw), row),
        sizeInUsd: drawValue("sizeInUsd", flagClasses, row, draw),
        levels: drawValue("levels", levelsClasses, row, draw),
        limit: drawValue("limit", bookLimitClasses(orders), row, draw),
        offset: drawValue("offset", offsetClasses(orders), row, draw),
        totalOrderCount: drawValue("totalOrderCount", ignoredCountClasses, row, draw),
      };
    },
  );
}

/** How many candles a range asks for, in intervals. */
const candleLengths = {
  "a few candles": fc.integer({ min: 1, max: 8 }),
  "less than a candle": fc.constantFrom(0.2, 0.5, 0.9),
  "many candles": fc.integer({ min: 30, max: 90 }),
  "more than a page": fc.integer({ min: 210, max: 400 }),
} as const;

/** Where ranges of daily or longer candles begin. Some of these days are easily miscounted. */
const startClasses = ["anywhere", "anywhere", "the end of a month", "the end of a year", "a leap day"] as const;

/** The last day of this kind before an instant. */
function startOn(day: (typeof startClasses)[number], instant: Instant): Instant {
  if (day === "anywhere") return instant;
  const date = new Date(instant.seconds * 1000);
  const year = date.getUTCFullYear();
  // Its week may belong to the next year.
  if (day === "the end of a year") return instantFromMillis(Date.UTC(year, 0, 0));
  if (day === "the end of a month") return instantFromMillis(Date.UTC(year, date.getUTCMonth(), 0));
  return instantFromMillis(lastLeapDay(date.getTime()));
}

function historicalPrices(subjects: Subjects): RequestModel {
  const withCandles = marketsWithCandles(subjects);
  const others = subjects.markets.filter((market) => !withCandles.includes(market));
  const markets = marketsInTurn(withCandles.length > 0 ? [...withCandles, ...others] : []);
  const active = latestActivity(subjects);
  return requestModel(
    "GetHistoricalPrices",
    {
      market: Object.keys(markets),
      interval: candleIntervals,
      length: Object.keys(candleLengths),
      zone: zoneClasses,
      limit: Object.keys(ignoredCountClasses),
    },
    (row, draw) => {
      const market = drawSubject("market", markets, row, draw);
      const interval = candleIntervals.find((name) => name === row.interval) ?? "60";
      const seconds = candleIntervalSeconds[interval];
      const lengths = candleLengths[row.length as keyof typeof candleLengths] ?? candleLengths["a few candles"];
      // Also vary where within an interval the range begins and ends.
      const shift = draw("shift", fc.constant(0), fc.integer({ min: 0, max: seconds - 1 }));
      const before = draw("before", fc.integer({ min: 2, max: 12 })) * seconds + shift;
      const length = Math.ceil(draw("length", lengths) * seconds);
      const end = endOfCandles(market ?? {}, active, interval);
      const start = plusSeconds(end, -before - length);
      const from = seconds < candleIntervalSeconds["1D"] ? "anywhere" : draw("from", ...startClasses.map(fc.constant));
      const zone = row.zone as Zone;
      // Sometimes the two ends are written in different zones.
      const endZone = draw("endZone", fc.constant(zone), fc.constantFrom(...zoneClasses));
      // Less than a candle of one second is a range within a second.
      const isWithinSecond = length === 1 && row.length === "less than a candle";
      const [first, last] = isWithinSecond ? draw("within", withinSecond) : [undefined, undefined];
      const endsAt = plusSeconds(end, -before);
      return {
        market: market && { marketId: market.marketId },
        startTime: writtenInstant(isWithinSecond ? endsAt : startOn(from, start), zone, draw, first),
        endTime: writtenInstant(endsAt, endZone, draw, last),
        interval,
        limit: drawValue("limit", ignoredCountClasses, row, draw),
      };
    },
  );
}

function marketConfigs({ markets: known }: Subjects): RequestModel {
  const markets = marketsInTurn(known);
  return requestModel("GetMarketConfigs", { market: Object.keys(markets), selector: selectorClasses }, (row, draw) => {
    const market = drawSubject("market", markets, row, draw);
    return { market: market && selectorOf(market, row.selector) };
  });
}

function marketIdByName({ markets: known }: Subjects): RequestModel {
  const withSymbols = known.filter(({ symbols }) => symbols !== undefined);
  const markets = marketsInTurn(withSymbols);
  return requestModel(
    "GetMarketIdByName",
    { market: Object.keys(markets), dressing: textVariantClasses },
    (row, draw) => {
      const market = drawSubject("market", markets, row, draw);
      const { assetSymbol = "", quoteSymbol } = market?.symbols ?? {};
      return { assetSymbol: textVariant(assetSymbol, row, draw), quoteSymbol };
    },
  );
}
