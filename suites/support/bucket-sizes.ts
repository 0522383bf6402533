/** Bucket sizes of every kind: below the minimum tick, steps of it, and none of these (§4.6, B9, B11). */
import fc from "fast-check";
import { draw, seedFor, shuffled } from "../../src/arbitraries/seed.js";
import {
  mantissasBetweenSteps,
  negativeMantissas,
  sizesTakenForSteps,
  stepPowers,
  tickSizeOf,
} from "../../src/arbitraries/ticks.js";
import { type JsonInput, type JsonObjectInput, rawJson } from "../../src/connect/json.js";
import type { CheckContext } from "../../src/engine/context.js";
import type { Refusal } from "../../src/engine/refusals.js";
import { sharesOfMinimumTick } from "../../src/specification/request-fields.js";
import type { MarketSubject } from "../../src/subjects/subjects.js";
import { bookRequest, tickMarkets } from "./books.js";

/** A bucket size in minimum ticks of the market: `mantissa` x 10^`power`. */
function ticksOf({ tickDecimals }: MarketSubject, mantissa: number, power: number): JsonInput {
  return rawJson(tickSizeOf(mantissa, power, tickDecimals ?? 0).text);
}

/** A value for a market, drawn by the seed of the check. */
function drawnFor({ marketId }: MarketSubject, values: fc.Arbitrary<number>, { seed }: CheckContext): number {
  return draw(values, seedFor(seed, marketId));
}

/** Requests for the largest steps of a market, and steps beyond, whose acceptance is left open, in words. */
export function largerSteps(context: CheckContext): Readonly<Record<string, JsonObjectInput>> {
  const [market] = tickMarkets(context, 0);
  const requests = [7, 9, 12].map((power) => {
    const { text } = tickSizeOf(1, power, market.tickDecimals, "decimal");
    return [`tickSize ${text}, 10^${power} minimum ticks`, bookRequest(market, { tickSize: rawJson(text) })];
  });
  return Object.fromEntries(requests);
}

/** For each market, a request with a share of its minimum tick, and that tick. */
export function belowMinimum(
  context: CheckContext,
): readonly { readonly request: JsonObjectInput; readonly minimum: number }[] {
  const shares = shuffled(sharesOfMinimumTick, context.runSeed);
  return tickMarkets(context, 0).map((market, index) => {
    const share = shares[index % shares.length] ?? fc.constant(0.5);
    const tickSize = ticksOf(market, drawnFor(market, share, context), 0);
    return { request: bookRequest(market, { tickSize }), minimum: tickSizeOf(1, 0, market.tickDecimals).value };
  });
}

/** Sizes between two steps. */
export const betweenSteps: Refusal["values"] = (market) => [
  ...sizesTakenForSteps.map(({ mantissa, power }) => ticksOf(market, mantissa, power)),
  fc.tuple(mantissasBetweenSteps, stepPowers).map(([mantissa, power]) => ticksOf(market, mantissa, power)),
];

/** Requests with sizes between two steps of each market: one just above the minimum tick, and a 1-2-5 series further up. */
export function betweenStepsOfMarkets(context: CheckContext): readonly JsonObjectInput[] {
  return tickMarkets(context, 0).flatMap((market) => {
    const power = drawnFor(market, stepPowers, context);
    const justAbove = ticksOf(market, drawnFor(market, mantissasBetweenSteps, context), 0);
    const series = [2, 2.5, 5].map((mantissa) => ticksOf(market, mantissa, power));
    return [justAbove, ...series].map((tickSize) => bookRequest(market, { tickSize }));
  });
}

/** Sizes below zero. */
export const negativeSizes: Refusal["values"] = (market) => [
  ...[-1, -0.5, -1e-9, -1_000_000].map((mantissa) => ticksOf(market, mantissa, 0)),
  fc.tuple(negativeMantissas, stepPowers).map(([mantissa, power]) => ticksOf(market, mantissa, power)),
];
