/** The requests that a run makes to each operation: its fields, and their classes for the subjects of the run. */
import fc from "fast-check";
import { paddedAddress, recased } from "../arbitraries/addresses.js";
import { hasCase, inOppositeCase, recasedSymbol } from "../arbitraries/symbols.js";
import { tickSizeOf } from "../arbitraries/ticks.js";
import { type JsonInput, type JsonNotation, type JsonObjectInput, rawJson } from "../connect/json.js";
import { formatInstant, type Instant, instantFromMillis, plusSeconds } from "../judge/instant.js";
import { isKnownWallet, nextWallets, zeroAddress } from "../judge/parsed-request.js";
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
  type TextVariant,
  type Ticks,
  textVariantClasses,
  tickClasses,
  type Zone,
  zoneClasses,
} from "../specification/request-fields.js";
import { latestActivity } from "../subjects/latest-activity.js";
import {
  marketsWithBook,
  marketsWithCandles,
  orderCountOf,
  walletsWithOpenPositions,
  walletWithFewOrders,
  walletWithMostOrders,
  walletWithoutOpenPositions,
} from "../subjects/select.js";
import type { MarketSubject, Subjects, WalletSubject } from "../subjects/subjects.js";
import { lastLeapDay } from "./calendar-boundaries.js";
import type { ClassRow, FieldClasses } from "./covering-array.js";

/** A request built from one class of each field. */
export interface PlannedRequest {
  readonly body: JsonObjectInput;
  /** Headers in addition to the usual ones; null removes one. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** How the body is written, if not in the usual notation. */
  readonly notation?: JsonNotation;
  /** A request to send right before this one. */
  readonly after?: Omit<PlannedRequest, "after">;
}

/** Draws one value from the alternative whose turn it is. Planning the same request again draws the same value. */
export type Draw = <Value>(field: string, ...alternatives: readonly fc.Arbitrary<Value>[]) => Value;

/** How to explore one operation. */
export interface Operation {
  readonly endpoint: Endpoint;
  /** The valid classes of each field. A field has none where the target offers no subject for it. */
  readonly fields: FieldClasses;
  readonly request: (row: ClassRow, draw: Draw) => PlannedRequest;
}

/** Subjects by class; any member of a class will do. */
type ClassesOf<Subject> = Readonly<Record<string, readonly Subject[]>>;

const headers = { headers: Object.keys(headerClasses) };

/** All operations, applied to the subjects of a run. */
export function operationsOn(subjects: Subjects): readonly Operation[] {
  return [
    allPositions(subjects),
    stream(subjects),
    allOrders(subjects),
    orders(subjects),
    portfolio(subjects),
    orderBook(subjects),
    historicalPrices(subjects),
    marketConfigs(subjects),
    marketIdByName(subjects),
  ];
}

function allPositions({ totals }: Subjects): Operation {
  return {
    endpoint: "GetAllPositions",
    fields: { limit: Object.keys(pageLimitClasses), offset: Object.keys(offsetClasses(0)), ...headers },
    request(row, draw) {
      const limit = drawn("limit", pageLimitClasses, row, draw);
      const offsets = offsetClasses(totals.positions ?? 0, limit);
      return { body: { limit, offset: drawn("offset", offsets, row, draw) }, headers: headersOf(row, draw) };
    },
  };
}

function allOrders(subjects: Subjects): Operation {
  const { totals } = subjects;
  const wallets: ClassesOf<WalletSubject> = { "no wallet": [], ...ordersOfWallets(subjects) };
  return {
    endpoint: "GetAllOrders",
    fields: {
      wallet: Object.keys(wallets),
      limit: Object.keys(pageLimitClasses),
      offset: Object.keys(offsetClasses(0)),
      onlyOpen: Object.keys(flagClasses),
      dressing: textVariantClasses,
      ...headers,
    },
    request(row, draw) {
      const onlyOpen = drawn("onlyOpen", flagClasses, row, draw);
      const wallet = oneOf("wallet", wallets[row.wallet ?? ""] ?? [], draw);
      const all = wallet ? orderCountOf(wallet) : (totals.orders ?? 0);
      const limit = drawn("limit", pageLimitClasses, row, draw);
      const open = wallet ? (wallet.openOrders ?? 0) : (totals.openOrders ?? 0);
      return {
        body: {
          address: wallet && restyledAddress(wallet.address, row, draw),
          onlyOpen,
          limit,
          offset: drawn("offset", offsetClasses(onlyOpen ? open : all, limit), row, draw),
        },
        headers: headersOf(row, draw),
      };
    },
  };
}

function orders(subjects: Subjects): Operation {
  const wallets = ordersOfWallets(subjects);
  const markets = marketsInTurn(subjects.markets);
  return {
    endpoint: "GetOrders",
    fields: {
      wallet: Object.keys(wallets),
      market: ["all markets", "a market with orders", ...Object.keys(markets)],
      selector: selectorClasses,
      dressing: textVariantClasses,
      ...headers,
    },
    request(row, draw) {
      const wallet = oneOf("wallet", wallets[row.wallet ?? ""] ?? [], draw);
      const own = subjects.markets.filter(({ marketId }) => wallet?.markets.includes(marketId));
      const choices: ClassesOf<MarketSubject> = {
        ...markets,
        "all markets": [],
        "a market with orders": own.length > 0 ? own : subjects.markets,
      };
      const market = oneOf("market", choices[row.market ?? ""] ?? [], draw);
      return {
        body: {
          address: wallet && restyledAddress(wallet.address, row, draw),
          market: market && selectorOf(market, row),
        },
        headers: headersOf(row, draw),
      };
    },
  };
}

function portfolio(subjects: Subjects): Operation {
  const [most, ...others] = walletsWithOpenPositions(subjects);
  const flat = subjects.wallets.filter(({ openPositions }) => openPositions === 0);
  const idle = subjects.wallets.filter(
    ({ openPositions = 0, openStatuses }) => openPositions + openStatuses.length === 0,
  );
  const wallets = present({
    "the most open positions": most ? [most] : [],
    "open positions": others,
    "open orders alone": flat.filter(({ openStatuses }) => openStatuses.length > 0),
    // Prefer wallets with nothing open at all, even where no portfolio reported it.
    "no open position": idle.length > 0 ? idle : flat,
    "the most orders": [walletWithMostOrders(subjects)].filter((wallet) => wallet !== undefined),
  });
  return {
    endpoint: "GetPortfolio",
    fields: { wallet: Object.keys(wallets), dressing: textVariantClasses, ...headers },
    request(row, draw) {
      const wallet = oneOf("wallet", wallets[row.wallet ?? ""] ?? [], draw);
      return { body: { owner: wallet && restyledAddress(wallet.address, row, draw) }, headers: headersOf(row, draw) };
    },
  };
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

function stream(subjects: Subjects): Operation {
  const [most, ...others] = walletsWithOpenPositions(subjects);
  const none = walletWithoutOpenPositions(subjects);
  const wallets = present({
    "the most open positions": most ? [most] : [],
    "open positions": others,
    "no open position": none ? [none] : [],
    ...unknownWallets(subjects),
  });
  return {
    endpoint: "GetOpenPositionsStreaming",
    fields: {
      wallet: Object.keys(wallets),
      interval: Object.keys(intervalClasses),
      dressing: textVariantClasses,
      ...headers,
    },
    request(row, draw) {
      const wallet = oneOf("wallet", wallets[row.wallet ?? ""] ?? [], draw);
      return {
        body: {
          address: wallet && restyledAddress(wallet.address, row, draw),
          updateIntervalMs: drawn("interval", intervalClasses, row, draw),
        },
        headers: headersOf(row, draw),
      };
    },
  };
}

function orderBook(subjects: Subjects): Operation {
  const hollow = subjects.markets.filter(({ bookOrders }) => bookOrders === 0);
  const others = marketsWithBook(subjects, 0).filter((market) => !hollow.includes(market));
  const markets = { ...marketsInTurn(others), ...present({ "no orders in the book": hollow }) };
  return {
    endpoint: "GetOrderBook",
    fields: {
      market: Object.keys(markets),
      selector: selectorClasses,
      tickSize: Object.keys(tickClasses),
      notation: notationClasses,
      sizeInUsd: Object.keys(flagClasses),
      levels: Object.keys(levelsClasses),
      limit: Object.keys(bookLimitClasses(1)),
      offset: Object.keys(offsetClasses(0)),
      totalOrderCount: Object.keys(ignoredCountClasses),
      ...headers,
    },
    request(row, draw) {
      const market = oneOf("market", markets[row.market ?? ""] ?? [], draw);
      const orders = market?.bookOrders ?? 0;
      return {
        body: {
          market: market && selectorOf(market, row),
          tickSize: tickOf(market, drawn<Ticks | undefined>("tickSize", tickClasses, row, draw), row),
          sizeInUsd: drawn("sizeInUsd", flagClasses, row, draw),
          levels: drawn("levels", levelsClasses, row, draw),
          limit: drawn("limit", bookLimitClasses(orders), row, draw),
          offset: drawn("offset", offsetClasses(orders), row, draw),
          totalOrderCount: drawn("totalOrderCount", ignoredCountClasses, row, draw),
        },
        headers: headersOf(row, draw),
      };
    },
  };
}

/** How many candles a range asks for, in intervals. */
const candleLengths = {
  "a few candles": fc.integer({ min: 1, max: 8 }),
  "less than a candle": fc.constantFrom(0.2, 0.5, 0.9),
  "many candles": fc.integer({ min: 30, max: 90 }),
  "more than a page": fc.integer({ min: 210, max: 400 }),
} as const;
const intervalsBefore = { min: 2, max: 12 } as const;

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

function historicalPrices(subjects: Subjects): Operation {
  const withCandles = marketsWithCandles(subjects);
  const others = subjects.markets.filter((market) => !withCandles.includes(market));
  const markets = marketsInTurn(withCandles.length > 0 ? [...withCandles, ...others] : []);
  const end = latestActivity(subjects);
  return {
    endpoint: "GetHistoricalPrices",
    fields: {
      market: Object.keys(markets),
      interval: candleIntervals,
      length: Object.keys(candleLengths),
      zone: zoneClasses,
      limit: Object.keys(ignoredCountClasses),
      ...headers,
    },
    request(row, draw) {
      const market = oneOf("market", markets[row.market ?? ""] ?? [], draw);
      const interval = candleIntervals.find((name) => name === row.interval) ?? "60";
      const seconds = candleIntervalSeconds[interval];
      const lengths = candleLengths[row.length as keyof typeof candleLengths] ?? candleLengths["a few candles"];
      // Also vary where within an interval the range begins and ends.
      const shift = draw("shift", fc.constant(0), fc.integer({ min: 0, max: seconds - 1 }));
      const before = draw("before", fc.integer(intervalsBefore)) * seconds + shift;
      const length = Math.ceil(draw("length", lengths) * seconds);
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
        body: {
          market: market && { marketId: market.marketId },
          startTime: writtenInstant(isWithinSecond ? endsAt : startOn(from, start), zone, draw, first),
          endTime: writtenInstant(endsAt, endZone, draw, last),
          interval,
          limit: drawn("limit", ignoredCountClasses, row, draw),
        },
        headers: headersOf(row, draw),
      };
    },
  };
}

function marketConfigs({ markets: known }: Subjects): Operation {
  const markets = marketsInTurn(known);
  return {
    endpoint: "GetMarketConfigs",
    fields: { market: Object.keys(markets), selector: selectorClasses, ...headers },
    request(row, draw) {
      const market = oneOf("market", markets[row.market ?? ""] ?? [], draw);
      return { body: { market: market && selectorOf(market, row) }, headers: headersOf(row, draw) };
    },
  };
}

function marketIdByName({ markets: known }: Subjects): Operation {
  const named = known.filter(({ symbols }) => symbols !== undefined);
  const markets = marketsInTurn(named);
  return {
    endpoint: "GetMarketIdByName",
    fields: { market: Object.keys(markets), dressing: textVariantClasses, ...headers },
    request(row, draw) {
      const market = oneOf("market", markets[row.market ?? ""] ?? [], draw);
      const { assetSymbol = "", quoteSymbol } = market?.symbols ?? {};
      return { body: { assetSymbol: withVariant(assetSymbol, row, draw), quoteSymbol }, headers: headersOf(row, draw) };
    },
  };
}

/** Wallets by how many orders they have, and unknown ones. */
function ordersOfWallets(subjects: Subjects): ClassesOf<WalletSubject> {
  const most = walletWithMostOrders(subjects);
  const few = walletWithFewOrders(subjects);
  const others = subjects.wallets.filter((wallet) => wallet !== most && wallet !== few && orderCountOf(wallet) > 0);
  return present({
    "the most orders": most ? [most] : [],
    "few orders": few ? [few] : [],
    "some orders": others,
    ...unknownWallets(subjects),
  });
}

/** Wallets that appear in no answer: one far from all others, and some that differ from a known one by one digit. */
function unknownWallets(subjects: Subjects): ClassesOf<WalletSubject> {
  return present({
    unknown: [subjects.unknown.wallet, ...(isKnownWallet(zeroAddress, subjects) ? [] : [zeroAddress])].map(
      walletWithNothing,
    ),
    "unknown, next to a known one": nextWallets(subjects).map(walletWithNothing),
  });
}

function walletWithNothing(address: string): WalletSubject {
  return {
    address,
    hasLetters: true,
    orders: 0,
    ordersSeen: 0,
    markets: [],
    hasReduceOnlyOrders: false,
    closedPositions: 0,
    openPositions: 0,
    openOrders: 0,
    openStatuses: [],
    openReduceTypes: [],
  };
}

/** The first eight markets are a class each. Further markets are spread over these classes in turn. */
const marketClasses = 8;

function marketsInTurn(markets: readonly MarketSubject[]): ClassesOf<MarketSubject> {
  const classes: Record<string, MarketSubject[]> = {};
  for (const [index, market] of markets.entries()) {
    const own = classes[`market ${index % marketClasses}`];
    if (own) own.push(market);
    else classes[`market ${index}`] = [market];
  }
  return classes;
}

/** Drops the classes without a subject. */
function present<Subject>(classes: ClassesOf<Subject>): ClassesOf<Subject> {
  return Object.fromEntries(Object.entries(classes).filter(([, subjects]) => subjects.length > 0));
}

function oneOf<Subject>(field: string, subjects: readonly Subject[], draw: Draw): Subject | undefined {
  return subjects.length === 0 ? undefined : draw(field, ...subjects.map((subject) => fc.constant(subject)));
}

function drawn<Value>(field: string, classes: Classes<Value>, row: ClassRow, draw: Draw): Value | undefined {
  const values = classes[row[field] ?? ""];
  return values && draw(field, ...values);
}

function headersOf(row: ClassRow, draw: Draw): PlannedRequest["headers"] {
  return (
    oneOf<PlannedRequest["headers"]>("headers", headerClasses[row.headers as keyof typeof headerClasses], draw) ?? {}
  );
}

/** The selector that the row asks for; by id where the symbols are not known (S8). */
function selectorOf({ marketId, symbols }: MarketSubject, row: ClassRow): JsonObjectInput {
  const bySymbols = row.selector === "by symbols" && symbols?.quoteSymbol !== undefined;
  return bySymbols ? { marketSymbol: { ...symbols } } : { marketId };
}

function tickOf(market: MarketSubject | undefined, ticks: Ticks | undefined, row: ClassRow): JsonInput | undefined {
  if (ticks === undefined) return undefined;
  const notation = notationClasses.find((each) => each === row.notation) ?? "decimal";
  if (ticks.mantissa === 0) return notation === "with a zero at its end" ? rawJson("0.0") : 0;
  if (market?.tickDecimals === undefined) return undefined;
  return rawJson(tickSizeOf(ticks.mantissa, ticks.power, market.tickDecimals, notation).text);
}

/** Ways to change the case of a text: at random, or to the opposite case. */
interface Recasing {
  readonly any: (text: string) => fc.Arbitrary<string>;
  readonly opposite: (text: string) => fc.Arbitrary<string>;
}

const recasedSymbols: Recasing = { any: recasedSymbol, opposite: (text) => fc.constant(inOppositeCase(text)) };

const recasedAddresses: Recasing = {
  any: recased,
  // Most programs that write addresses in upper case leave the prefix as it is.
  opposite: (text) => fc.constantFrom(text.toUpperCase().replace(/^0X/, "0x"), text.toUpperCase()),
};

function restyledAddress(address: string, row: ClassRow, draw: Draw): string {
  return withVariant(address, row, draw, recasedAddresses);
}

/** A text styled as the row says: case, surrounding whitespace, or both. Text without letters keeps its case. */
function withVariant(text: string, { dressing }: ClassRow, draw: Draw, recasing: Recasing = recasedSymbols): string {
  const way = dressing as TextVariant;
  const cased = hasCase(text) ? inCase(text, way, draw, recasing) : text;
  return way === "with blanks around it" || way === "both" ? draw("blanks", paddedAddress(cased)) : cased;
}

function inCase(text: string, way: TextVariant, draw: Draw, { any, opposite }: Recasing): string {
  if (way === "in the opposite case") return draw("capitals", opposite(text));
  return way === "in another case" || way === "both" ? draw("case", any(text)) : text;
}

/** Fractions of a second: half a second, or zero written out, with 1, 3, 6 or 9 digits. */
const fractions = fc
  .tuple(fc.constantFrom("5", "5", "5", "0"), fc.constantFrom(1, 3, 6, 9))
  .map(([first, digits]) => first.padEnd(digits, "0"));

/** The fractions of two instants within a second, the earlier one first. */
const withinSecond = fc
  .tuple(fc.constantFrom("0", "2", "49"), fc.constantFrom("5", "8", "99"), fc.constantFrom(2, 3, 6, 9))
  .map(([first, last, digits]) => [first.padEnd(digits, "0"), last.padEnd(digits, "0")] as const);

/** Ways to write UTC. An offset of zero may have either sign (RFC 3339, section 4.3). */
const inUtc = fc.oneof({ weight: 2, arbitrary: fc.constant("Z") }, fc.constantFrom("+00:00", "-00:00"));
const eastOfIt = fc.constantFrom("+02:00", "+02:00", "+05:45", "+13:00", "+14:00");
const westOfIt = fc.constantFrom("-03:30", "-03:30", "-09:30", "-11:00");

/** Ways to write the offset from UTC, by zone. Real time zones today range from -12:00 to +14:00. */
const offsets: Readonly<Record<Zone, fc.Arbitrary<string>>> = {
  "in UTC": inUtc,
  "east of it": eastOfIt,
  "west of it": westOfIt,
  "with fractions": fc.oneof(inUtc, eastOfIt, westOfIt),
};

/**
 * An instant in RFC 3339, in the notation of the zone. With a fraction it may be half a second later (W8).
 *
 * @param digits the digits of its fraction, if that is not up to the zone
 */
function writtenInstant(instant: Instant, zone: Zone, draw: Draw, digits?: string): string {
  const offset = draw(`offset ${zone}`, offsets[zone]);
  const drawnDigits = digits ?? (zone === "with fractions" ? draw("fraction", fractions) : undefined);
  const fraction = drawnDigits === undefined ? "" : `.${drawnDigits}`;
  const [, sign = "+", hours = 0, minutes = 0] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const seconds = Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60);
  const local = formatInstant(plusSeconds({ ...instant, fraction: "" }, seconds));
  return local.replace("Z", `${fraction}${offset}`);
}
