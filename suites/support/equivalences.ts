/** Requests that mean the same, for rules that their answers are equal. */
import type { Equivalence } from "../../src/engine/relation.js";
import {
  atTheLeastInterval,
  defaultLeftOut,
  explicitAfter,
  explicitLimit,
  inDecimals,
  inItsOwnCase,
  inLowerCase,
  inUtc,
  leftOutAgain,
  type Rewrite,
  selectedById,
  trimmed,
  usualHeaders,
  usualNotation,
  withoutField,
} from "../../src/exploration/rewrites.js";
import { samePageSize } from "../../src/judge/same-answer.js";
import { orderBookLimitDefault, pageLimitDefault } from "../../src/specification/limits.js";

/** A request and another way to write it: why both mean the same, and what distinguishes the check, if anything. */
function like(rewrite: Rewrite, why: string, name?: string): Equivalence & { readonly name?: string } {
  return { rewrite, why, ...(name !== undefined && { name }) };
}

// §1, §4: on every operation
export const likeUsualNotation = {
  ...like(usualNotation, "as in the usual notation of JSON"),
  also: samePageSize,
} as const;
export const likeUsualHeaders = (header: Parameters<typeof usualHeaders>[0]) =>
  like(usualHeaders(header), "as with the usual headers");

// §1: addresses and selectors
export const likeWithoutBlanks = (field: "address" | "owner") =>
  like(trimmed(field), "as for the address without whitespace");
export const likeInLowerCase = (field: "address" | "owner") =>
  like(inLowerCase(field), "as for the address in lower case");
export const likeById = like(selectedById, "as by id", "like the id");

// §4.1, §4.3, §4.6: fields with defaults
const likeLimit = (limit: number) =>
  like(explicitLimit(limit), `the default limit is ${limit}`, `like a limit of ${limit}`);
export const likeDefaultPage = likeLimit(pageLimitDefault);
export const likeDefaultBook = likeLimit(orderBookLimitDefault);
export const likeOmitted = (field: Parameters<typeof defaultLeftOut>[0], why: string) =>
  like(defaultLeftOut(field), why, `like no ${field}`);
export const likeNoOffset = likeOmitted("offset", "an offset of 0 is an omitted one");
export const likeNoOnlyOpen = likeOmitted("onlyOpen", "onlyOpen false is an omitted one");

/** A field that is left out has its default, whatever the request right before said. */
export const likeDefaultAfter = (
  name: "levels" | "offset" | "onlyOpen" | "sizeInUsd" | "tickSize",
  byDefault: 0 | false,
) =>
  ({
    ...like(explicitAfter(name, byDefault), `an omitted ${name} is ${byDefault}`, `after a request with ${name}`),
    verbatim: true,
  }) as const;

/** An address that is left out is not that of the request right before. */
export const likeNoAddressAgain = {
  ...like(leftOutAgain("address"), "as where the request before omits address too", "after a request with address"),
  verbatim: true,
} as const;

// §4.6, §4.7: fields that are ignored
export const likeIgnored = (field: "totalOrderCount" | "limit", why: string) => like(withoutField(field), why);
export const likeIgnoredLimit = like(explicitLimit(2), "as with a limit", "where there was none");

// §4.2, §4.6, §4.7, §4.9: other ways to write a value
export const likeAtTheLeastInterval = {
  ...like(atTheLeastInterval, "as at the least interval", "at any interval"),
  answered: true,
} as const;
export const likeInDecimals = like(inDecimals, "another notation of the same bucket size", "in the other notation");
export const likeInUtc = like(inUtc, "as for the same range in UTC", "in another time zone");
export const likeSymbolWithoutBlanks = like(trimmed("assetSymbol"), "as for the symbol without whitespace");
export const likeInItsOwnCase = like(inItsOwnCase, "as for the symbol in its own case");
