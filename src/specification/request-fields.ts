/**
 * Request fields whose meaning does not depend on the target, with their equivalence classes (§4): values that a server
 * must treat alike. A class is made of fast-check arbitraries, so the values drawn from it vary with the seed.
 */
import fc from "fast-check";
import { int32Max, orderBookLimitDefault, pageLimitDefault, pageLimitMax, tickStepMaxPower } from "./limits.js";

/**
 * Classes of a field by name. The arbitraries of a class take turns in the requests of a run, so that each of them is used.
 * The value `undefined` omits the field.
 */
export type Classes<Value> = Readonly<Record<string, readonly fc.Arbitrary<Value>[]>>;

const always = <const Value>(...values: readonly Value[]) => values.map((value) => fc.constant(value));
const between = (min: number, max: number) => fc.integer({ min, max });

const omitted = always(undefined);
const zero = always(0);

/** `limit` of both listings (§4.1, §4.3, P1). */
export const pageLimitClasses = {
  omitted,
  zero,
  few: [fc.constant(1), between(2, 9), between(10, pageLimitDefault - 1)],
  many: [between(pageLimitDefault, 100), between(101, 200), between(201, 500), between(501, pageLimitMax - 2)],
  "the cap": always(pageLimitMax, pageLimitMax, pageLimitMax, pageLimitMax - 1),
  "above the cap": [
    ...always(pageLimitMax + 1, int32Max),
    between(pageLimitMax + 1, int32Max),
    // Truncated to 16 bits, these values would be within the cap.
    between(0x1_0001, 0x1_0000 + pageLimitMax - 1),
  ],
} as const satisfies Classes<number | undefined>;

/**
 * `offset` of a listing or a book (§4.1, §4.3, §4.6).
 *
 * @param total number of records, as far as known
 * @param limit the `limit` of the same request; with very large pages, offsets are near the end, since rows cost time
 */
export function offsetClasses(total: number, limit = 0) {
  const fromEnd = (most: number) => between(Math.max(1, total - most), Math.max(1, total - 2));
  // A page that crosses the cap: a server might wrongly make only the first `pageLimitMax` rows reachable.
  const acrossCap =
    limit > 1 && total > pageLimitMax ? [between(Math.max(1, pageLimitMax + 1 - limit), pageLimitMax - 1)] : [];
  // A page that ends with the last row but one: a row that was read ahead must not be shown.
  const upToTheEnd = limit > 0 && limit <= 200 && total - limit > 1 ? always(total - limit - 1) : [];
  return {
    omitted,
    zero,
    within:
      limit >= pageLimitMax - 1
        ? [fromEnd(200), fromEnd(200), fromEnd(500)]
        : [between(1, Math.max(1, Math.floor(total / 2) - 1)), fromEnd(total - 1), ...upToTheEnd, ...acrossCap],
    "the last": [between(Math.max(0, total - 3), Math.max(0, total - 1))],
    "beyond the end": [...always(total, int32Max), between(Math.min(int32Max, total + 100), int32Max)],
  } as const satisfies Classes<number | undefined>;
}

/** A boolean request field: omitted, explicitly false (the default), or true (W1). */
export const flagClasses = {
  omitted,
  false: always(false),
  true: always(true),
} as const satisfies Classes<boolean | undefined>;

/** `levels` of GetOrderBook (§4.6). */
export const levelsClasses = {
  omitted,
  zero,
  one: always(1),
  few: [between(2, 4), between(5, 10)],
  many: [between(11, 20), between(21, 40), between(41, 100), between(101, 400)],
  "more than there are": [between(5_000, int32Max), ...always(int32Max)],
} as const satisfies Classes<number | undefined>;

/**
 * `limit` of GetOrderBook: no maximum is documented (§4.6, B3).
 *
 * @param orders number of underlying orders in the book, as far as known
 */
export function bookLimitClasses(orders: number) {
  const half = Math.max(1, Math.floor((orders - 1) / 2));
  return {
    omitted,
    zero,
    "within the book": [
      between(1, Math.min(9, half)),
      between(1, Math.min(40, half)),
      ...(2 * half > orderBookLimitDefault ? [between(orderBookLimitDefault + 1, 2 * half)] : []),
    ],
    default: always(orderBookLimitDefault),
    "as many as there are": always(Math.max(1, orders), Math.max(1, orders), Math.max(1, orders - 1), orders + 1),
    "beyond the book": [between(2 * orders + 200, 2 * orders + 5_000), ...always(int32Max)],
  } as const satisfies Classes<number | undefined>;
}

/** A bucket size of `mantissa` x 10^`power` minimum ticks of the market; 0 disables bucketing (§4.6, B7 to B10). */
export interface Ticks {
  readonly mantissa: number;
  readonly power: number;
}

/** Sizes below the minimum tick, as a share of it: common fractions, almost all of it, and far smaller ones (§4.6, B10). */
export const sharesOfMinimumTick: readonly fc.Arbitrary<number>[] = [
  ...always(0.1, 0.5),
  between(900, 999).map((thousandths) => thousandths / 1_000),
  between(1, 99).map((hundredths) => hundredths / 100),
  fc.oneof(
    fc.constantFrom(3e-8, 1e-30),
    between(1, 999).map((millionths) => millionths / 1_000_000),
  ),
  // Zero for a server that keeps it in single precision.
  ...always(1e-40),
];

const steps = (...powers: readonly number[]) => always(...powers.map((power) => ({ mantissa: 1, power })));

/** `tickSize` of GetOrderBook, in minimum ticks. */
export const tickClasses = {
  omitted,
  zero: always({ mantissa: 0, power: 0 }),
  "the minimum": steps(0),
  "a step": steps(1, 2, 1, 3),
  "a wide step": steps(4, 5, tickStepMaxPower),
  "below the minimum": sharesOfMinimumTick.map((share) => share.map((mantissa) => ({ mantissa, power: 0 }))),
} as const satisfies Classes<Ticks | undefined>;

/** JSON notations of a number, all equivalent (W6, B9). */
export const notationClasses = ["decimal", "exponent", "with a zero at its end"] as const;
export type Notation = (typeof notationClasses)[number];

/** A field that is accepted and ignored, with any value or omitted: `totalOrderCount`, candle `limit`. */
export const ignoredCountClasses = {
  omitted,
  one: always(1),
  few: [between(2, 5), between(2, 5), ...zero],
  default: always(pageLimitDefault),
  many: [...always(int32Max), between(100, 2_000)],
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

/** Headers that must not change the response (§4, H1, H2); those of a class take turns. */
export const headerClasses = {
  usual: [{}],
  "without a protocol version": [{ "Connect-Protocol-Version": null }],
  "with a generous timeout": ["120000", "30000", "3600000", String(int32Max)].map((ms) => ({
    "Connect-Timeout-Ms": ms,
  })),
} as const satisfies Readonly<Record<string, readonly Readonly<Record<string, string | null>>[]>>;

/** Classes that make an answer no different: defaults, values that ask for all there is, and subjects without data. */
export const classesWithoutEffect: readonly string[] = [
  "omitted",
  "zero",
  "false",
  "default",
  "the minimum",
  "more than there are",
  "as many as there are",
  "beyond the book",
  "decimal",
  "usual",
  "plain",
  "unknown",
  "unknown, next to a known one",
];
