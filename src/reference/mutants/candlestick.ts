import type { Candle } from "../candles.js";
import { breaking, type Mutant } from "../modification.js";

/** Servers that break one rule of §2 Candlestick. */
export const candlestick: readonly Mutant[] = [
  ...breaking("candlestick.low-high", {
    "candles-low-and-high-swapped": {
      summary: "Candles carry the highest price as low and the lowest as high.",
      rows: { candles: (candles) => candles.map((candle) => ({ ...candle, high: candle.low, low: candle.high })) },
    },
    "candles-high-of-the-candle-before": {
      summary: "Every candle carries the high of the one before it.",
      rows: {
        candles: (candles) => candles.map((candle, at) => ({ ...candle, high: (candles[at - 1] ?? candle).high })),
      },
    },
    "candles-last-close-is-the-mark-price": {
      summary: "The newest candle closes at a live price that its high and low do not know of.",
      rows: {
        candles: (candles) =>
          candles.map((candle, at) => (at === candles.length - 1 ? { ...candle, close: candle.high * 1.01 } : candle)),
      },
    },
    "candles-of-months-from-their-closes": {
      summary: "The high and low of a month are those of its closing prices only.",
      rows: { candles: (candles, { effective }) => (effective.interval === "1M" ? candles.map(fromCloses) : candles) },
    },
  }),
];

function fromCloses(candle: Candle): Candle {
  return { ...candle, high: candle.close, low: candle.close };
}
