/** Requests that mean the same, for rules that their answers are equal. */
import {
  atTheLeastInterval,
  defaultLeftOut,
  flagLeftOut,
  inDecimals,
  inItsOwnCase,
  inLowerCase,
  inUtc,
  selectedById,
  trimmed,
  usualHeaders,
  usualNotation,
  withoutIgnored,
  writtenOut,
} from "../../src/exploration/rewrites.js";
import { orderBookLimitDefault, pageLimitDefault } from "../../src/specification/limits.js";

/** A body in an unusual notation of JSON, and in the usual one (§1). */
export const likeUsualNotation = { rewrite: usualNotation, why: "as in the usual notation of JSON" } as const;

/** An unusual header, and the usual ones (§4). */
export function likeUsualHeaders(header: Parameters<typeof usualHeaders>[0]) {
  return { rewrite: usualHeaders(header), why: "as with the usual headers" } as const;
}

/** A wallet address with and without blanks around it (§1). */
export function likeWithoutBlanks(field: "address" | "owner") {
  return { rewrite: trimmed(field), why: "as for the address without blanks" } as const;
}

/** A wallet address in any case and in lower case (§1). */
export function likeInLowerCase(field: "address" | "owner") {
  return { rewrite: inLowerCase(field), why: "as for the address in lower case" } as const;
}

/** A market's symbols, and its id (S8). */
export const likeById = { name: "like the id", rewrite: selectedById, why: "as by id" } as const;

/** An asset symbol with and without blanks around it (§4.9). */
export const likeSymbolWithoutBlanks = {
  rewrite: trimmed("assetSymbol"),
  why: "as for the symbol without blanks",
} as const;

/** An asset symbol in any case and in the market's own (§4.9). */
export const likeInItsOwnCase = { rewrite: inItsOwnCase, why: "as for the symbol in its own case" } as const;

function likeLimit(limit: number) {
  return {
    name: `like a limit of ${limit}`,
    rewrite: writtenOut("limit", limit),
    why: `the default limit is ${limit}`,
  } as const;
}

/** No limit of a page, and the default one (§4.1, §4.3). */
export const likeDefaultPage = likeLimit(pageLimitDefault);

/** No limit of a book, and the default one (§4.6). */
export const likeDefaultBook = likeLimit(orderBookLimitDefault);

/** A field that is 0, and an omitted one (§4.1, §4.3, §4.6). */
export function likeOmitted(field: Parameters<typeof defaultLeftOut>[0], why: string) {
  return { name: `like no ${field}`, rewrite: defaultLeftOut(field), why } as const;
}

/** An offset of 0, and none (§4.1, §4.3). */
export const likeNoOffset = likeOmitted("offset", "an offset of 0 is an omitted one");

/** `onlyOpen` false, and omitted (§4.3). */
export const likeNoOnlyOpen = {
  name: "like no onlyOpen",
  rewrite: flagLeftOut("onlyOpen"),
  why: "onlyOpen false is an omitted one",
} as const;

/** A field that is ignored, and an omitted one (§4.6, §4.7). */
export function likeIgnored(field: Parameters<typeof withoutIgnored>[0], why: string) {
  return { rewrite: withoutIgnored(field), why } as const;
}

/** No limit of candles, and one that is ignored (§4.7). */
export const likeIgnoredLimit = {
  name: "where there was none",
  rewrite: writtenOut("limit", 2),
  why: "as with a limit",
} as const;

/** A bucket size in any notation, and in plain decimals (B9). */
export const likeInDecimals = {
  name: "in the other notation",
  rewrite: inDecimals,
  why: "another notation of the same bucket size",
} as const;

/** A range in any time zone, and in UTC (W8). */
export const likeInUtc = {
  name: "in another time zone",
  rewrite: inUtc,
  why: "as for the same range in UTC",
} as const;

/** A stream at any interval, and at the least one (§4.2). */
export const likeAtTheLeastInterval = {
  name: "at any interval",
  rewrite: atTheLeastInterval,
  answered: true,
  why: "as at the least interval",
} as const;
