import type { CandleInterval } from "../specification/enums.js";
import type { Market } from "./dataset/model.js";
import { onTick, significant } from "./dataset/platform.js";
import { hash, mix } from "./random.js";

/** One candle; `start` is in milliseconds since 1970, prices in quote units. */
export interface Candle {
  readonly start: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly mid: number;
  readonly volume: number;
}

/** The start of candle history: 2024-01-01T00:00:00Z, in milliseconds. */
export const historyStart = Date.UTC(2024, 0, 1);

const day = 86_400_000;

const fixedMs: Record<Exclude<CandleInterval, "1M">, number> = {
  "1S": 1_000,
  "1": 60_000,
  "60": 3_600_000,
  "1D": day,
  "1W": 7 * day,
};

/** Offset of the first Monday after the epoch: 1970-01-01 was a Thursday, and weeks start on Monday. */
const weekOffset = 4 * day;

/** The start of the interval that contains `ms`. */
export function intervalStart(interval: CandleInterval, ms: number): number {
  if (interval === "1M") {
    const date = new Date(ms);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
  const offset = interval === "1W" ? weekOffset : 0;
  return Math.floor((ms - offset) / fixedMs[interval]) * fixedMs[interval] + offset;
}

/** The start of the interval `count` intervals after the one that starts at `start`. */
export function laterInterval(interval: CandleInterval, start: number, count = 1): number {
  if (interval !== "1M") return start + count * fixedMs[interval];
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count);
}

/** How many intervals start between the two times, both inclusive; for months, an upper bound. */
export function intervalCount(interval: CandleInterval, fromMs: number, toMs: number): number {
  const length = interval === "1M" ? 28 * day : fixedMs[interval];
  return Math.max(0, Math.floor((toMs - fromMs) / length) + 1);
}

/** The interval starts between `fromMs` and `toMs`, both inclusive. */
export function intervalStarts(interval: CandleInterval, fromMs: number, toMs: number): number[] {
  const starts: number[] = [];
  let start = intervalStart(interval, fromMs);
  if (start < fromMs) start = laterInterval(interval, start);
  for (; start <= toMs; start = laterInterval(interval, start)) starts.push(start);
  return starts;
}

/** Returns a function from interval start to candle. The candle depends only on seed, market and interval. */
export function candleSeries(seed: number, market: Market, interval: CandleInterval): (start: number) => Candle {
  const phase = (hash(seed, market.name) / 2 ** 32) * 2 * Math.PI;
  const series = hash(seed, market.name, interval);
  // Slow waves around the market's mark price.
  const priceAt = (ms: number) => {
    const days = ms / day;
    const wave = 0.12 * Math.sin(days / 19 + phase) + 0.03 * Math.sin(days / 1.7 + 2 * phase);
    return onTick(market, market.basePrice * (1 + wave + 0.004 * Math.sin(days * 40 + 3 * phase)));
  };
  return (start) => {
    const end = laterInterval(interval, start);
    const open = priceAt(start);
    const close = priceAt(end);
    const noise = mix(series, start / 1_000);
    const swing = 1 + ((noise & 0xff) / 0xff) * 0.002;
    const high = onTick(market, Math.max(open, close) * swing);
    const low = onTick(market, Math.min(open, close) / swing);
    const turnover = 50_000 * Math.sqrt((end - start) / 1_000) * ((1 + (noise >>> 8)) / 2 ** 24);
    return {
      start,
      open,
      high,
      low,
      close,
      mid: significant((high + low) / 2),
      volume: significant(turnover / market.basePrice),
    };
  };
}
