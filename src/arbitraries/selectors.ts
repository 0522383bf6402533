import fc from "fast-check";
import { int64Max, uint64Max } from "../spec/limits.js";

/** An id with an exponent, such as `2e5`, is left open (S2). */
const hasExponentForm = /^\d+e\d+$/i;
const letters = fc
  .array(fc.constantFrom(..."abcdefxyzABCDEFXYZ"), { minLength: 1, maxLength: 8 })
  .map((characters) => characters.join(""));

/**
 * Texts that are no id: nothing, letters, fractions (S2). Most start or end with the id of a market, which is what a lenient
 * parser would make of them.
 */
export function nonNumericIds(marketId: string): fc.Arbitrary<string> {
  return fc
    .oneof(
      { weight: 2, arbitrary: fc.constantFrom("", "abc", "NaN", "0x1", "null", "true", "0.5") },
      { weight: 2, arbitrary: fc.constantFrom(`${marketId}.5`, `${marketId}abc`, `x${marketId}`, `${marketId}n`) },
      { weight: 1, arbitrary: letters },
      { weight: 1, arbitrary: letters.map((suffix) => marketId + suffix) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((tenths) => `${marketId}.${tenths}`) },
    )
    .filter((id) => !hasExponentForm.test(id));
}

/** Decimals beyond int64 (S2): the first, those of 64 bits without a sign, and those that wrap around to a market's id. */
export function idsBeyondInt64(marketId: string): fc.Arbitrary<string> {
  const wrapped = BigInt(marketId) + uint64Max + 1n;
  return fc
    .oneof(
      fc.constantFrom(int64Max + 1n, uint64Max, uint64Max + 1n, wrapped, wrapped + uint64Max + 1n, 10n ** 30n),
      fc.bigInt({ min: int64Max + 1n, max: 10n ** 24n }),
    )
    .map(String);
}

/** Negative ids, down to the least int64 (S2): one, and a market's id with a sign, more often. */
export function negativeIds(marketId: string): fc.Arbitrary<string> {
  return fc
    .oneof(fc.constantFrom(-1n, -BigInt(marketId), -int64Max - 1n), fc.bigInt({ min: -int64Max, max: -1n }))
    .map(String);
}

const int32Range = 2n ** 32n;

/** An id, and the id of the market that it looks like. */
export interface Lookalike {
  readonly id: string;
  readonly of: string;
}

/**
 * Ids that a careless server takes for one of those given: the neighbours that are the same JavaScript number (W4) come
 * first, then those that are equal in their lowest 32 bits. Those given are left out.
 */
export function lookalikeIds(marketIds: readonly string[]): readonly Lookalike[] {
  const known = new Set(marketIds);
  const neighbours = marketIds.flatMap((of) =>
    [BigInt(of) - 1n, BigInt(of) + 1n].filter((id) => Number(id) === Number(of)).map((id) => ({ id, of })),
  );
  const truncated = marketIds.map((of) => ({ id: BigInt(of) + int32Range, of }));
  return [...neighbours, ...truncated]
    .map(({ id, of }) => ({ id: String(id), of }))
    .filter(({ id }) => BigInt(id) > 0n && BigInt(id) <= int64Max && !known.has(id));
}
