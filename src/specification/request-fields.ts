/**
 * Request fields whose meaning does not depend on the target, with their equivalence classes (§4): values that a server
 * must treat alike. A class is a fast-check arbitrary, so the values drawn from it vary with the seed.
 */
import fc from "fast-check";
import { int32Max, pageLimitDefault, pageLimitMax, tickStepMaxPower } from "./limits.js";

/** Classes of a field by name. The value `undefined` omits the field. */
export type Classes<Value> = Readonly<Record<string, fc.Arbitrary<Value>>>;

const omitted = fc.constant(undefined);

/** `limit` of both listings (§4.1, §4.3, P1). */
export const pageLimitClasses = {
  omitted,
  zero: fc.constant(0),
  few: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 9 }), fc.integer({ min: 10, max: pageLimitDefault - 1 })),
  many: fc.oneof(
    fc.integer({ min: pageLimitDefault, max: 2 * pageLimitDefault }),
    fc.integer({ min: 2 * pageLimitDefault + 1, max: 200 }),
    fc.integer({ min: 201, max: pageLimitMax - 2 }),
  ),
  "the cap": fc.oneof({ weight: 7, arbitrary: fc.constant(pageLimitMax) }, fc.constant(pageLimitMax - 1)),
  "above the cap": fc.oneof(
    fc.constant(pageLimitMax + 1),
    fc.integer({ min: pageLimitMax + 1, max: int32Max }),
    fc.constant(int32Max),
    // Truncated to 16 bits, these values would be within the cap.
    { weight: 2, arbitrary: fc.integer({ min: 0x1_0001, max: 0x1_0000 + pageLimitMax - 1 }) },
  ),
} as const satisfies Classes<number | undefined>;

/**
 * `offset` of a listing or a book (§4.1, §4.3, §4.6).
 *
 * @param total number of records, as far as known
 * @param limit the `limit` of the same request; with very large pages, offsets are near the end, since rows cost time
 */
export function offsetClasses(total: number, limit = 0) {
  const nearEnd = limit >= pageLimitMax - 1 ? Math.min(total - 2, Math.max(total - 200, 1)) : 1;
  return {
    omitted,
    zero: fc.constant(0),
    within: fc.oneof(
      fc.integer({ min: Math.max(1, nearEnd), max: Math.max(1, nearEnd, Math.floor(total / 2) - 1) }),
      fc.integer({ min: Math.max(1, nearEnd), max: Math.max(1, total - 2) }),
      // A page that crosses the cap: a server might wrongly make only the first `pageLimitMax` rows reachable.
      ...(limit > 1 && limit < pageLimitMax - 1 && total > pageLimitMax
        ? [fc.integer({ min: pageLimitMax + 1 - limit, max: pageLimitMax - 1 })]
        : []),
    ),
    "the last": fc.integer({ min: Math.max(0, total - 3), max: Math.max(0, total - 1) }),
    "beyond the end": fc.oneof(
      fc.constant(total),
      fc.integer({ min: Math.min(int32Max, total + 100), max: int32Max }),
      fc.constant(int32Max),
    ),
  } as const satisfies Classes<number | undefined>;
}

/** A boolean request field: omitted, explicitly false (the default), or true (W1). */
export const flagClasses = {
  omitted,
  false: fc.constant(false),
  true: fc.constant(true),
} as const satisfies Classes<boolean | undefined>;

/** `levels` of GetOrderBook (§4.6). */
export const levelsClasses = {
  omitted,
  zero: fc.constant(0),
  one: fc.constant(1),
  few: fc.integer({ min: 2, max: 10 }),
  many: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 11, max: 40 }) }, fc.integer({ min: 41, max: 400 })),
  "more than there are": fc.integer({ min: 5_000, max: int32Max }),
} as const satisfies Classes<number | undefined>;

/**
 * `limit` of GetOrderBook: no maximum is documented (§4.6, B3).
 *
 * @param orders number of underlying orders in the book, as far as known
 */
export function bookLimitClasses(orders: number) {
  return {
    omitted,
    zero: fc.constant(0),
    few: fc.integer({ min: 1, max: Math.max(1, Math.min(40, Math.floor((orders - 1) / 2))) }),
    default: fc.constant(50),
    "as many as there are": fc.oneof(
      { weight: 2, arbitrary: fc.constant(Math.max(1, orders)) },
      fc.constantFrom(Math.max(1, orders - 1), orders + 1),
    ),
    "beyond the book": fc.integer({ min: 2 * orders + 200, max: 2 * orders + 5_000 }),
  } as const satisfies Classes<number | undefined>;
}

/** A bucket size of `mantissa` x 10^`power` minimum ticks of the market; 0 disables bucketing (§4.6, B7 to B10). */
export interface Ticks {
  readonly mantissa: number;
  readonly power: number;
}

/** Sizes below the minimum tick, as a share of it: common fractions, and far smaller ones (§4.6, B10). */
export const sharesOfMinimumTick: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0.1, 0.5, 0.9, 0.000_000_03),
  fc.integer({ min: 1, max: 99 }).map((hundredths) => hundredths / 100),
  fc.integer({ min: 1, max: 999 }).map((millionths) => millionths / 1_000_000),
);

/** `tickSize` of GetOrderBook, in minimum ticks. */
export const tickClasses = {
  omitted,
  zero: fc.constant({ mantissa: 0, power: 0 }),
  "the minimum": fc.constant({ mantissa: 1, power: 0 }),
  "a step": fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 3 })).map((power) => ({ mantissa: 1, power })),
  "a wide step": fc.integer({ min: 4, max: tickStepMaxPower }).map((power) => ({ mantissa: 1, power })),
  "below the minimum": sharesOfMinimumTick.map((mantissa) => ({ mantissa, power: 0 })),
} as const satisfies Classes<Ticks | undefined>;

/** JSON notations of a number, all equivalent (W6, B9). */
export const notationClasses = ["decimal", "exponent", "with a zero at its end"] as const;
export type Notation = (typeof notationClasses)[number];

/** A field that is accepted and ignored, with any value or omitted: `totalOrderCount`, candle `limit`. */
export const ignoredCountClasses = {
  omitted,
  one: fc.constant(1),
  few: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 2, max: 5 }) }, fc.constant(0)),
  default: fc.constant(pageLimitDefault),
  many: fc.oneof(fc.constant(int32Max), fc.integer({ min: 100, max: 2_000 })),
} as const satisfies Classes<number | undefined>;

/** How a market is selected (§1). */
export const selectorClasses = ["by id", "by symbols"] as const;

/** Spellings of an address or a symbol: inputs are trimmed and matched case-insensitively (§1, §4.9). */
export const textVariantClasses = [
  "plain",
  "in another case",
  "in the opposite case",
  "with blanks around it",
  "both",
] as const;
export type TextVariant = (typeof textVariantClasses)[number];

/** Notations of a timestamp (W8). */
export const zoneClasses = ["in UTC", "east of it", "west of it", "with fractions"] as const;
export type Zone = (typeof zoneClasses)[number];

/** Headers that must not change the response (§4, H1, H2); one of a class is picked. */
export const headerClasses = {
  usual: [{}],
  "without a protocol version": [{ "Connect-Protocol-Version": null }],
  "with a generous timeout": ["120000", "120000", "30000"].map((ms) => ({ "Connect-Timeout-Ms": ms })),
} as const satisfies Readonly<Record<string, readonly Readonly<Record<string, string | null>>[]>>;
