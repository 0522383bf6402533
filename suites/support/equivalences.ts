/** Requests that mean the same in several operations, for rules that their answers are equal. */
import {
  defaultLeftOut,
  inItsOwnCase,
  inLowerCase,
  selectedById,
  trimmed,
  writtenOut,
} from "../../src/exploration/rewrites.js";

/** A wallet address with and without blanks around it (§1). */
export function likeWithoutBlanks(field: "address" | "owner") {
  return { rewrite: trimmed(field), why: "as for the address without blanks" } as const;
}

/** A wallet address in any case and in lower case (§1). */
export function likeInLowerCase(field: "address" | "owner") {
  return { rewrite: inLowerCase(field), why: "as for the address in lower case" } as const;
}

/** No limit, and the default one (§4.1, §4.3, §4.6). */
export function likeDefaultLimit(limit: number) {
  return {
    name: `like a limit of ${limit}`,
    rewrite: writtenOut("limit", limit),
    why: `the default limit is ${limit}`,
  } as const;
}

/** An offset of 0, and none (§4.1, §4.3). */
export const likeNoOffset = {
  name: "like no offset",
  rewrite: defaultLeftOut("offset"),
  why: "an offset of 0 is an omitted one",
} as const;

/** A market's symbols, and its id (S8). */
export const likeById = { name: "like the id", rewrite: selectedById, why: "as by id" } as const;

/** An asset symbol with and without blanks around it (§4.9). */
export const likeSymbolWithoutBlanks = {
  rewrite: trimmed("assetSymbol"),
  why: "as for the symbol without blanks",
} as const;

/** An asset symbol in any case and in the market's own (§4.9). */
export const likeInItsOwnCase = { rewrite: inItsOwnCase, why: "as for the symbol in its own case" } as const;
