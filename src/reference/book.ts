import { getOrInsert } from "../specification/get-or-insert.js";
import type { DepthOrder } from "./dataset/model.js";
import { significant } from "./dataset/platform.js";

/** One price level of a side (§2 OrderBook). */
export interface BookLevel {
  readonly price: number;
  readonly size: number;
  readonly orderCount: number;
  readonly cumulativeTotal: number;
}

/** How to aggregate a book. */
export interface BookTerms {
  readonly tickDecimals: number;
  /** Bucket size in minimum ticks: a power of ten; 0 when bucketing is off. */
  readonly step: number;
  readonly sizeInUsd: boolean;
  /** Levels to keep per side; 0 keeps all. */
  readonly levels: number;
  /** The bucket of a price, in steps. */
  readonly bucket: (ticks: number, step: number, side: DepthOrder["side"]) => number;
}

/** The bucket of a price: bids round down to their label, asks round up. */
export function bucketOf(ticks: number, step: number, side: DepthOrder["side"]): number {
  return side === "bid" ? Math.floor(ticks / step) : Math.ceil(ticks / step);
}

/**
 * The bucket size in minimum ticks for a requested `tickSize` (§4.6, B9 to B11): 0 when bucketing is off, otherwise a power
 * of ten. Any positive size below the minimum tick gives 1. Undefined when the size is invalid.
 */
export function stepOf(tickSize: number, tickDecimals: number): number | undefined {
  if (tickSize === 0) return 0;
  if (!Number.isFinite(tickSize) || tickSize < 0) return undefined;
  const ticks = tickSize * 10 ** tickDecimals;
  if (ticks <= 1) return 1;
  const step = 10 ** Math.round(Math.log10(ticks));
  return Math.abs(ticks - step) <= 1e-9 * step ? step : undefined;
}

/** Converts minimum ticks to a price, without floating-point noise. */
export function priceOf(ticks: number, tickDecimals: number): number {
  return significant(ticks / 10 ** tickDecimals);
}

/** Aggregates one side into levels, best first. `orders` are that side's underlying orders, best first. */
export function aggregate(orders: readonly DepthOrder[], terms: BookTerms): BookLevel[] {
  const step = terms.step === 0 ? 1 : terms.step;
  const buckets = new Map<number, { size: number; orderCount: number }>();
  for (const { side, ticks, size } of orders) {
    const key = terms.step === 0 ? ticks : terms.bucket(ticks, step, side);
    const bucket = getOrInsert(buckets, key, () => ({ size: 0, orderCount: 0 }));
    bucket.size += terms.sizeInUsd ? size * priceOf(ticks, terms.tickDecimals) : size;
    bucket.orderCount++;
  }
  let total = 0;
  const levels: BookLevel[] = [];
  for (const [key, { size, orderCount }] of buckets) {
    if (terms.levels > 0 && levels.length === terms.levels) break;
    total += size;
    levels.push({
      price: priceOf(key * step, terms.tickDecimals),
      size: significant(size),
      orderCount,
      cumulativeTotal: significant(total),
    });
  }
  return levels;
}
