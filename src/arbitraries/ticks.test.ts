import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tickRefusalMargin } from "../specification/limits.js";
import { mantissasBetweenSteps, negativeMantissas, notations, sizesTakenForSteps, tickSizeOf } from "./ticks.js";

const decimals = fc.integer({ min: 0, max: 8 });
const powers = fc.integer({ min: 0, max: 6 });

describe("a tick size", () => {
  test.each([
    [1, 0, 8, "0.00000001", "1e-8"],
    [1, 6, 0, "1000000", "1e6"],
    [1, 2, 2, "1", "1e0"],
    [2.5, 1, 3, "0.025", "2.5e-2"],
    [2.5, 0, 0, "2.5", "2.5e0"],
    [-0.5, 0, 1, "-0.05", "-0.5e-1"],
    [-10, 3, 1, "-1000", "-10e2"],
    [0.000_03, 0, 5, "0.0000000003", "0.00003e-5"],
    [1.004, 2, 0, "100.4", "1.004e2"],
  ])("of %s x 10^%i minimum ticks with %i decimals is %s or %s", (mantissa, power, tickDecimals, decimal, exponent) => {
    expect(tickSizeOf(mantissa, power, tickDecimals, "decimal").text).toBe(decimal);
    expect(tickSizeOf(mantissa, power, tickDecimals, "exponent").text).toBe(exponent);
  });

  test.each([
    [0, "10.0"],
    [2, "0.10"],
  ])("of ten minimum ticks with %i decimals has a zero at its end as %s", (tickDecimals, text) => {
    expect(tickSizeOf(1, 1, tickDecimals, "with a zero at its end")).toEqual({ text, value: Number(text) });
  });

  test("is the same number in all notations, and valid JSON", () => {
    const mantissas = fc.oneof(mantissasBetweenSteps, negativeMantissas, fc.constantFrom(1, 1e-7, 2e21));
    fc.assert(
      fc.property(mantissas, powers, decimals, notations, (mantissa, power, tickDecimals, notation) => {
        const { text, value } = tickSizeOf(mantissa, power, tickDecimals, notation);
        expect(JSON.parse(text)).toBe(value);
        expect(value).toBe(tickSizeOf(mantissa, power, tickDecimals).value);
        expect(value / (mantissa * 10 ** (power - tickDecimals))).toBeCloseTo(1, 12);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe("what is generated", () => {
  const farFromSteps = (mantissa: number) =>
    [1, 10].every((step) => Math.abs(mantissa - step) > tickRefusalMargin * step) && mantissa > 1 && mantissa < 10;

  test("lies between two steps, farther from both than the margin within which it may be taken for one (B11)", () => {
    fc.assert(fc.property(mantissasBetweenSteps, farFromSteps), { seed: 1, numRuns: 500 });
    expect(sizesTakenForSteps.filter(({ mantissa }) => !farFromSteps(mantissa))).toEqual([]);
  });

  test("is negative, never zero (B11)", () => {
    fc.assert(
      fc.property(negativeMantissas, (mantissa) => mantissa < 0),
      { seed: 1, numRuns: 500 },
    );
  });
});
