/** Pairs of requests for books, one explored and one rewritten, for rules on how the two answers relate (§4.6). */
import type { Relation } from "../../src/engine/relation.js";
import { inUnits, underlyingBook, wholeBook, withoutBuckets, withoutLevels } from "../../src/exploration/rewrites.js";
import type { ParsedRequest } from "../../src/judge/parsed-request.js";

type Rewritten = Omit<Relation, "holds">;

/** More rows than an ordinary book has. */
const manyRows = 5_000;

/** Requests that return rows to compare: their offset is not past the end of the book. */
const showsRows = ({ offset = 0 }: ParsedRequest) => offset < manyRows;

/** How many requests are rewritten where much of the answer has to be read. */
const sample = { quick: 8, full: 30 } as const;

/**
 * A bucketed book beside the unbucketed one. Uses whole books, since few prices lie on bucket boundaries, and possibly none of
 * the best.
 */
export const versusUnbucketedBook = {
  from: wholeBook,
  rewrite: withoutBuckets,
  where: ({ sizeInUsd }) => !sizeInUsd,
  answered: true,
  // A field may get lost next to any other one.
  sample: { quick: 12, full: 30 },
} as const satisfies Rewritten;

/** A book in USD beside the same one in units. */
export const versusBookInUnits = {
  rewrite: inUnits,
  where: showsRows,
  sample,
} as const satisfies Rewritten;

/** A book in USD, without buckets, beside all of it in units. */
export const versusWholeBookInUnits = {
  name: "of whole levels",
  rewrite: underlyingBook,
  where: ({ sizeInUsd, tick }) => sizeInUsd && tick === 0,
  answered: true,
  sample: "all",
} as const satisfies Rewritten & { name: string };

/** The best levels beside all of them. */
export const versusAllLevels = {
  rewrite: withoutLevels,
  where: (asked) => showsRows(asked) && (asked.levels ?? 0) < manyRows,
  sample,
} as const satisfies Rewritten;

/** Any book beside all of it, without buckets and in units. */
export const versusUnderlyingBook = {
  name: "whatever is asked for",
  rewrite: underlyingBook,
  answered: true,
  sample: "all",
} as const satisfies Rewritten & { name: string };
