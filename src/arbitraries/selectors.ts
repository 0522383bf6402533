import fc from "fast-check";
import { int64Max, uint64Max } from "../specification/limits.js";

/** An id with an exponent, such as `2e5`. Whether it is valid is left open (S2). */
const hasExponentForm = /^\d+e\d+$/i;
const letters = fc
  .array(fc.constantFrom(..."abcdefxyzABCDEFXYZ"), { minLength: 1, maxLength: 8 })
  .map((characters) => characters.join(""));

/**
 * Strings that are not ids: empty, a blank, letters, a fraction, another base, grouped digits (S2). Some contain a market's
 * id, which is what a lenient parser would read; others are numbers in some languages.
 */
export function nonNumericForms(marketId: string): readonly string[] {
  return ["", " ", "abc", "NaN", "0x1", `${marketId}.5`, `${marketId}abc`, `x${marketId}`, `0_${marketId}`];
}

/** Any string with letters, and fractions (S2). Most start or end with the market's id. */
export function nonNumericIds(marketId: string): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.constantFrom("null", "true", "Infinity", "0.5", `${marketId}n`),
      letters,
      letters.map((suffix) => marketId + suffix),
      fc.integer({ min: 1, max: 9 }).map((tenths) => `${marketId}.${tenths}`),
    )
    .filter((id) => !hasExponentForm.test(id));
}

/** The first id beyond int64, the last of 64 bits, and ones that wrap around to zero and to a market's id (S2). */
export function formsBeyondInt64(marketId: string): readonly string[] {
  return [int64Max + 1n, uint64Max, uint64Max + 1n, BigInt(marketId) + uint64Max + 1n].map(String);
}

/** Decimal ids beyond int64, up to 10^30 (S2). */
export const idsBeyondInt64: fc.Arbitrary<string> = fc
  .oneof(fc.bigInt({ min: int64Max + 1n, max: 2n * uint64Max }), fc.bigInt({ min: uint64Max, max: 10n ** 30n }))
  .map(String);

/**
 * Zero with a minus sign, which is refused as zero or as negative; the largest negative id and the least; a market's id with a
 * minus sign, and one that wraps around to it (S2).
 */
export function negativeForms(marketId: string): readonly string[] {
  const id = BigInt(marketId);
  return ["-0", ...[-1n, -int64Max - 1n, -id, id - uint64Max - 1n].map(String)];
}

/** Negative ids within int64 (S2). */
export const negativeIds: fc.Arbitrary<string> = fc
  .oneof(fc.constant(-int64Max - 1n), fc.bigInt({ min: -int64Max - 1n, max: -1n }))
  .map(String);

/** Ids of one, two and three digits that are not among the known ones; fewer where all of a length are known. */
export function smallIds(known: ReadonlySet<string>): fc.Arbitrary<readonly string[]> {
  const byLength = [1, 10, 100].map((least) => Array.from({ length: 9 * least }, (_, at) => String(least + at)));
  const unknown = byLength.map((ids) => ids.filter((id) => !known.has(id))).filter((ids) => ids.length > 0);
  return fc.tuple(...unknown.map((ids) => fc.constantFrom(...ids)));
}

const int32Range = 2n ** 32n;

/** An id, and the market id that it could be mistaken for. */
export interface Lookalike {
  readonly id: string;
  readonly of: string;
}

/**
 * Ids that a careless server could mistake for one of `marketIds`, interleaved by kind: neighbours that round to the same
 * JavaScript number (W4), ids with the same lowest 32 bits, ids that a given one begins with, and ids next to a given one.
 * Excludes the given ids themselves.
 */
export function lookalikeIds(marketIds: readonly string[]): readonly Lookalike[] {
  const known = new Set(marketIds);
  const neighbours = marketIds.flatMap((of) =>
    [BigInt(of) - 1n, BigInt(of) + 1n].filter((id) => Number(id) === Number(of)).map((id) => ({ id, of })),
  );
  const truncated = marketIds.map((of) => ({ id: BigInt(of) + int32Range, of }));
  const beginnings = marketIds.filter((of) => of.length > 1).map((of) => ({ id: BigInt(of.slice(0, -1)), of }));
  const adjacent = marketIds.flatMap((of) => [BigInt(of) + 1n, BigInt(of) - 1n].map((id) => ({ id, of })));
  const gaps = adjacent.filter(({ id }) => !known.has(String(id)) && id > 0n);
  const inTurn = truncated.flatMap((one, place) => [
    ...neighbours.slice(place, place + 1),
    ...beginnings.slice(place, place + 1),
    one,
    ...gaps.slice(place, place + 1),
  ]);
  const all = [...inTurn, ...neighbours.slice(truncated.length)].map(({ id, of }) => ({ id: String(id), of }));
  const isNew = ({ id }: Lookalike, place: number) => all.findIndex((other) => other.id === id) === place;
  return all.filter((one, place) => {
    const { id } = one;
    return BigInt(id) > 0n && BigInt(id) <= int64Max && !known.has(id) && isNew(one, place);
  });
}
