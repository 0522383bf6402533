/**
 * Rewrites of requests: other ways to ask for the same data, or for a part of it. How the two answers must relate is known.
 */
import { type JsonInput, type JsonObjectInput, RawJson, rawJson } from "../connect/json.js";
import { formatInstant, type Instant, instantFromMillis, parseInstant, plusSeconds } from "../judge/instant.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { CandleInterval } from "../specification/enums.js";
import {
  candleIntervalSeconds,
  daySeconds,
  orderBookLimitDefault,
  pageLimitDefault,
  streamIntervalMinMs,
} from "../specification/limits.js";
import type { Subjects } from "../subjects/subjects.js";
import { boundariesWithin } from "./calendar-boundaries.js";
import type { PlannedRequest } from "./planned-request.js";

/** Turns a request into another one; undefined if there is nothing to rewrite. */
export type Rewrite = (request: PlannedRequest, subjects: Subjects) => PlannedRequest | undefined;

/** The request with another body, and without a request right before it. */
function withBody({ headers, notation }: PlannedRequest, body: JsonObjectInput): PlannedRequest {
  return { body, headers, ...(notation && { notation }) };
}

/** Removes a field, if its value fits. */
export function withoutField(name: string, fits: (value: JsonInput) => boolean = () => true): Rewrite {
  return (request) => {
    const value = request.body[name];
    return value !== undefined && fits(value) ? withBody(request, { ...request.body, [name]: undefined }) : undefined;
  };
}

const isZero = (value: JsonInput) => value === 0 || (value instanceof RawJson && Number(value.text) === 0);

/** Removes a field that is set to its default, zero or false (W1). */
export const defaultLeftOut = (name: "limit" | "offset" | "levels" | "tickSize" | "sizeInUsd" | "onlyOpen"): Rewrite =>
  withoutField(name, (value) => value === false || isZero(value));

/** Removes a number of levels. Zero means all levels and is left alone. */
export const withoutLevels: Rewrite = withoutField("levels", (value) => typeof value === "number" && value > 0);

/** Asks for sizes in units instead of USD (§4.6). */
export const inUnits: Rewrite = withoutField("sizeInUsd", (value) => value === true);

/** Removes a bucket size. Zero means no bucketing and is left alone. */
export const withoutBuckets: Rewrite = withoutField("tickSize", (value) => value instanceof RawJson && !isZero(value));

/** Fields that define what a request asks for. Without one of them it would be a different request. */
export const essentialFields: ReadonlySet<string> = new Set([
  "market",
  "address",
  "owner",
  "assetSymbol",
  "quoteSymbol",
  "startTime",
  "endTime",
  "interval",
]);

/** Adds a limit that was left out: the default, or any number where it is ignored (§4.3, §4.6, §4.7). */
export const explicitLimit =
  (limit: number): Rewrite =>
  (request) =>
    request.body.limit === undefined ? withBody(request, { ...request.body, limit }) : undefined;

/** Whether a request leaves a field out that the request right before it sets. */
function isOnlySetBefore({ after, body }: PlannedRequest, name: string): boolean {
  return body[name] === undefined && after?.body[name] !== undefined;
}

/** Writes out the default of a field that is left out, where the request right before sets the field (W1). */
export const explicitAfter =
  (name: string, byDefault: JsonInput): Rewrite =>
  (request) =>
    isOnlySetBefore(request, name) ? withBody(request, { ...request.body, [name]: byDefault }) : undefined;

/**
 * Leaves a field out where the request right before leaves it out too, not sets it; with a generous timeout, so that it is
 * another request (H2).
 */
export const leftOutAgain =
  (name: string): Rewrite =>
  (request) => {
    if (!isOnlySetBefore(request, name)) return undefined;
    const headers = { ...request.headers, "Connect-Timeout-Ms": "60000" };
    const again = withBody({ ...request, headers }, request.body);
    return { ...again, after: again };
  };

/** Writes a bucket size as a decimal without trailing zeros: 0.1 for 1e-1, 10 for 10.0 (B9). */
export const inDecimals: Rewrite = (request) => {
  const size = request.body.tickSize;
  const decimal = size instanceof RawJson ? decimalOf(size.text) : undefined;
  if (decimal === undefined || decimal === (size as RawJson).text) return undefined;
  return withBody(request, { ...request.body, tickSize: rawJson(decimal) });
};

/** Decimal notation of a number; undefined if 20 decimals cannot represent it exactly. */
function decimalOf(text: string): string | undefined {
  const decimal = Number(text).toLocaleString("en-US", { useGrouping: false, maximumFractionDigits: 20 });
  return Number(decimal) === Number(text) ? decimal : undefined;
}

/** A limit larger than any ordinary book. */
const beyondBooks = 5_000;

/** Asks for the whole book: a limit beyond its size, no offset, no number of levels (§4.6). */
export const wholeBook: Rewrite = (request) => {
  const { levels: _, offset: __, ...body } = request.body;
  return withBody(request, { ...body, limit: beyondBooks });
};

/** Asks for the whole book without buckets and in units: the data behind every other answer about the market (§4.6). */
export const underlyingBook: Rewrite = (request) =>
  withBody(request, { market: request.body.market, limit: beyondBooks });

/** Selects the market by its id instead of its symbols (S8). */
export const selectedById: Rewrite = (request, { markets }) => {
  const selector = request.body.market as JsonObjectInput | undefined;
  const symbols = selector?.marketSymbol as { assetSymbol?: unknown; quoteSymbol?: unknown } | undefined;
  if (!symbols) return undefined;
  const market = markets.find(
    ({ symbols: marketSymbols }) =>
      marketSymbols?.assetSymbol === symbols.assetSymbol && marketSymbols?.quoteSymbol === symbols.quoteSymbol,
  );
  return market && withBody(request, { ...request.body, market: { marketId: market.marketId } });
};

/** Trims an address or a symbol (§1, §4.9). */
export const trimmed = (name: "address" | "owner" | "assetSymbol"): Rewrite => rewriteText(name, (text) => text.trim());

/** Writes an address in lower case (§1). */
export const inLowerCase = (name: "address" | "owner"): Rewrite => rewriteText(name, (text) => text.toLowerCase());

/** Writes an asset symbol in the case that the market itself uses, keeping the surrounding whitespace (§4.9). */
export const inItsOwnCase: Rewrite = (request, { markets }) => {
  const { assetSymbol: text, quoteSymbol } = request.body;
  if (typeof text !== "string") return undefined;
  const trimmedText = text.trim();
  const candidates = markets.map(({ symbols }) => symbols).filter((symbols) => symbols?.quoteSymbol === quoteSymbol);
  const symbol = candidates.find(
    (symbols) => symbols?.assetSymbol.toUpperCase() === trimmedText.toUpperCase(),
  )?.assetSymbol;
  if (symbol === undefined || symbol === trimmedText) return undefined;
  return withBody(request, { ...request.body, assetSymbol: text.replace(trimmedText, () => symbol) });
};

function rewriteText(name: string, write: (text: string) => string): Rewrite {
  return (request) => {
    const value = request.body[name];
    if (typeof value !== "string" || write(value) === value) return undefined;
    return withBody(request, { ...request.body, [name]: write(value) });
  };
}

/** The start and the end of the range that a request asks for, as far as they can be read. */
function rangeOf({ startTime, endTime }: JsonObjectInput): readonly (Instant | undefined)[] {
  return [startTime, endTime].map((text) => (typeof text === "string" ? parseInstant(text) : undefined));
}

/** Writes both ends of a range in UTC (W8). */
export const inUtc: Rewrite = (request) => {
  const { body } = request;
  const [startTime, endTime] = rangeOf(body);
  if (!startTime || !endTime) return undefined;
  const range = { startTime: formatInstant(startTime), endTime: formatInstant(endTime) };
  if (range.startTime === body.startTime && range.endTime === body.endTime) return undefined;
  return withBody(request, { ...body, ...range });
};

/** Minimum length, in intervals, of a range whose first half is requested. Limits only show in long ranges. */
const longEnough = 100;

/** The parts of a range that can be asked for. */
export const rangeParts = [
  "the first half",
  "the last interval",
  "the interval before a boundary",
  "the interval after a boundary",
] as const;

type RangePart = (typeof rangeParts)[number];

/** A range between two times in Unix seconds. */
function between(from: number, to: number): { readonly startTime: Instant; readonly endTime: Instant } {
  return { startTime: instantFromMillis(from * 1000), endTime: instantFromMillis(to * 1000) };
}

/**
 * Asks for part of a range: its first half if the range is long, its last interval, or, for daily and longer candles, the
 * interval before or after a calendar boundary within it (§4.7, C3).
 */
export const partOfRange =
  (part: RangePart): Rewrite =>
  (request) => {
    const { body } = request;
    const [start, end] = rangeOf(body);
    const seconds = candleIntervalSeconds[body.interval as CandleInterval];
    if (!start || !end || seconds === undefined) return undefined;
    const length = end.seconds - start.seconds;
    if (length < 2 * seconds) return undefined;
    const firstWhole = start.seconds + (start.fraction === "" ? 0 : 1);
    const boundaries = seconds < daySeconds ? [] : boundariesWithin(firstWhole + seconds, end.seconds);
    // The choice depends on the range, so that every kind of boundary comes up.
    const boundary = boundaries[Math.floor(start.seconds / daySeconds) % boundaries.length];
    const partOf = {
      "the first half": () =>
        length < longEnough * seconds ? undefined : { endTime: plusSeconds(start, Math.floor(length / 2)) },
      "the last interval": () => ({ startTime: plusSeconds(end, -seconds) }),
      "the interval before a boundary": () =>
        boundary === undefined ? undefined : between(boundary - seconds, boundary),
      "the interval after a boundary": () =>
        boundary === undefined ? undefined : between(boundary, Math.min(boundary + seconds, end.seconds)),
    } satisfies Record<RangePart, () => { readonly startTime?: Instant; readonly endTime?: Instant } | undefined>;
    const range = partOf[part]();
    if (!range) return undefined;
    const written = Object.entries(range).map(([name, instant]) => [name, formatInstant(instant)]);
    return withBody(request, { ...body, ...Object.fromEntries(written) });
  };

/** Sends the usual headers instead of a special one (H1, H2). */
export const usualHeaders =
  (name: "Connect-Protocol-Version" | "Connect-Timeout-Ms"): Rewrite =>
  (request) =>
    name in request.headers ? withBody({ ...request, headers: {} }, request.body) : undefined;

/** Writes the body in the usual notation of JSON (§1). */
export const usualNotation: Rewrite = ({ body, headers, notation }) => notation && { body, headers };

/** Watches the stream at its shortest interval. What a snapshot contains does not depend on it (§4.2). */
export const atTheLeastInterval: Rewrite = (request) =>
  request.body.updateIntervalMs === streamIntervalMinMs
    ? undefined
    : withBody(request, { ...request.body, updateIntervalMs: streamIntervalMinMs });

/**
 * Rewrites that keep the meaning, for any operation: usual headers and notation, markets by id, addresses and symbols
 * trimmed and in their own case, plain numbers, and times in UTC (§1, §4, §4.9).
 */
export const canonicalRewrites: readonly Rewrite[] = [
  usualHeaders("Connect-Protocol-Version"),
  usualHeaders("Connect-Timeout-Ms"),
  usualNotation,
  selectedById,
  ...(["address", "owner", "assetSymbol"] as const).map(trimmed),
  ...(["address", "owner"] as const).map(inLowerCase),
  inItsOwnCase,
  inDecimals,
  inUtc,
];

/** Rewrites that remove fields set to their default. */
const defaultsLeftOut = (["offset", "levels", "tickSize", "sizeInUsd", "onlyOpen"] as const).map(defaultLeftOut);

const defaultLimit = (limit: number) => [defaultLeftOut("limit"), explicitLimit(limit)];

/** Further rewrites that keep the meaning, by operation. */
const canonicalRewritesFor: Partial<Record<Endpoint, readonly Rewrite[]>> = {
  GetAllPositions: defaultLimit(pageLimitDefault),
  GetAllOrders: defaultLimit(pageLimitDefault),
  GetOrderBook: [withoutField("totalOrderCount"), ...defaultLimit(orderBookLimitDefault)],
  GetHistoricalPrices: [withoutField("limit")],
  GetOpenPositionsStreaming: [atTheLeastInterval],
};

/** The canonical form of a request: all requests with the same meaning reduce to this one. */
export function canonicalFormOf(endpoint: Endpoint, request: PlannedRequest, subjects: Subjects): PlannedRequest {
  const all = [...canonicalRewrites, ...defaultsLeftOut, ...(canonicalRewritesFor[endpoint] ?? [])];
  return all.reduce((plainer, rewrite) => rewrite(plainer, subjects) ?? plainer, request);
}
