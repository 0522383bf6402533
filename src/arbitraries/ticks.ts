import fc from "fast-check";
import { tickStepMaxPower } from "../specification/limits.js";
import { type Notation, notationClasses } from "../specification/request-fields.js";

/** A bucket size as sent in a request. */
export interface TickSize {
  /** The JSON number literal. */
  readonly text: string;
  readonly value: number;
}

/**
 * A bucket size in minimum ticks (§4.6): `mantissa` x 10^`power` / 10^`tickDecimals`. Built as text, so that it is the
 * intended decimal and not the result of binary arithmetic.
 */
export function tickSizeOf(
  mantissa: number,
  power: number,
  tickDecimals: number,
  notation: Notation = "exponent",
): TickSize {
  const exponent = `${mantissa}e${power - tickDecimals}`;
  const value = Number(exponent);
  // A mantissa that prints with an exponent (1e-7) would give two of them.
  const isDecimal = notation !== "exponent" || Number.isNaN(value);
  const plain = isDecimal ? decimal(mantissa, power - tickDecimals) : exponent;
  const text = notation === "with a zero at its end" ? withZero(plain) : plain;
  return { text, value: Number(text) };
}

/** Decimal notation of mantissa x 10^exponent, without an exponent or trailing zeros. */
function decimal(mantissa: number, exponent: number): string {
  const [, sign = "", whole = "0", fraction = "", ownExponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(mantissa)) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(ownExponent) + exponent;
  const padded = point <= 0 ? digits.padStart(digits.length - point + 1, "0") : digits.padEnd(point, "0");
  const at = Math.max(point, 1);
  const [integer, rest] = [padded.slice(0, at), padded.slice(at).replace(/0+$/, "")];
  return `${sign}${integer.replace(/^0+(?=\d)/, "")}${rest === "" ? "" : `.${rest}`}`;
}

/** Appends a zero to a decimal: 10.0 for 10, and 0.10 for 0.1. */
function withZero(decimal: string): string {
  return decimal.includes(".") ? `${decimal}0` : `${decimal}.0`;
}

export const notations: fc.Arbitrary<Notation> = fc.constantFrom(...notationClasses);

/** Powers of ten of the bucket steps that must be accepted: 0 to 6 (B9). */
export const stepPowers: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, tickStepMaxPower),
  fc.integer({ min: 0, max: tickStepMaxPower }),
);

/**
 * Sizes between two steps that a server may wrongly accept, as mantissa and power of the minimum tick: multiples of the
 * tick, a 1-2-5 series, and values that pass when the server rounds to whole ticks or compares loosely.
 */
export const sizesTakenForSteps = [
  { mantissa: 2, power: 0 },
  { mantissa: 5, power: 1 },
  { mantissa: 2.5, power: 2 },
  { mantissa: 3, power: 6 },
  { mantissa: 7, power: 9 },
  { mantissa: 1.4, power: 0 },
  { mantissa: 1.04, power: 1 },
  { mantissa: 1.002, power: 3 },
  { mantissa: 9.98, power: 2 },
] as const;

/**
 * Mantissas between two power-of-ten steps, more than 0.1 % away from both (B11): common guesses, values that rounding or a
 * loose comparison would accept, and any others.
 */
export const mantissasBetweenSteps: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(2, 5, 2.5, 3, 1.5, 9.9, 4) },
  { weight: 3, arbitrary: fc.constantFrom(1.4, 1.04, 1.004, 1.002, 9.98, 9.96, 9.6) },
  { weight: 2, arbitrary: fc.integer({ min: 1_015, max: 9_985 }).map((thousandths) => thousandths / 1_000) },
);

/** Mantissas of negative bucket sizes: whole steps, fractions of them, and others (B11). */
export const negativeMantissas: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(-1, -2, -0.5, -0.1, -2.5, -0.001, -1e-7, -1e-30),
  fc.integer({ min: -9_999, max: -1 }).map((thousandths) => thousandths / 1_000),
);
