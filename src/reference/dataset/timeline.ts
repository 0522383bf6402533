import type { EpochNanoseconds } from "../instant.js";
import type { Random } from "../random.js";
import type { OrderRecord, PositionRecord } from "./model.js";

/** A row that has no times yet. */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] };

/** The creation of a row. `place` orders events: later events have greater numbers. */
export type TimelineEvent =
  | { readonly place: number; readonly order: Draft<OrderRecord>; readonly settleNs: number }
  | { readonly place: number; readonly position: Draft<PositionRecord> };

/** Writes the event's time into its row. An order is settled `settleNs` nanoseconds after its creation. */
export function stamp(event: TimelineEvent, instant: EpochNanoseconds): void {
  if ("position" in event) {
    event.position.timestamp = instant;
  } else {
    event.order.createdAt = instant;
    event.order.updatedAt = instant + BigInt(event.settleNs);
  }
}

/** The newest event of every generated dataset: 2025-06-30T12:00:00Z. */
const newest: EpochNanoseconds = 1_751_284_800_000_000_000n;

/** Approximate time span of all generated events: one year. */
const spanNs = 365 * 24 * 3_600 * 1e9;

type EventGap = "none" | "below-millisecond" | "free";

/**
 * Assigns a time to every event, preserving their order.
 *
 * Equal timestamps and neighbours less than a millisecond apart occur at random, and always around every 50th row of both
 * lists. Pages of 50 and of 1000 meet there, so a server that sorts by truncated milliseconds, or without stable ties, is
 * exposed there (W8, P4).
 */
export function assignTimes(events: readonly TimelineEvent[], random: Random): void {
  const backwards = [...events].sort((a, b) => b.place - a.place);
  const meanGapNs = spanNs / Math.max(2_000, events.length);
  const rows = { orders: 0, positions: 0 };
  let instant = newest;
  let tiesLeft = 0;
  for (const event of backwards) {
    const gaps = [gapBefore(rows.orders), gapBefore(rows.positions)];
    if (gaps.includes("none")) {
      // Same instant as the newer neighbour.
    } else if (gaps.includes("below-millisecond")) {
      instant -= BigInt(random.integer(1, 2_000));
    } else if (tiesLeft > 0) {
      tiesLeft--;
    } else if (random.chance(0.06)) {
      instant -= BigInt(random.integer(1, 2_000));
    } else {
      instant -= BigInt(Math.ceil(meanGapNs * random.between(0.2, 1.8)));
      // Either on a whole millisecond, or late within one, so that several further small steps back stay within it.
      const quiet = [rows.orders, rows.positions].every((row) => row % 50 > 4 && row % 50 < 44);
      instant -= instant % 1_000_000n;
      if (!quiet || random.chance(0.6)) instant += BigInt(random.integer(900_000, 999_999)) - 1_000_000n;
      tiesLeft = random.chance(0.04) ? 4 : 0;
    }
    stamp(event, instant);
    rows["position" in event ? "positions" : "orders"]++;
  }
}

/** The required gap between row `row` of a list and the row before it. */
function gapBefore(row: number): EventGap {
  const past = row % 50;
  const offset = past <= 3 ? past : past - 50;
  const border = (row - offset) / 50;
  if (border === 0 || offset < -2) return "free";
  // Equal timestamps across the 50th, 150th, ... row; gaps below a millisecond across the 100th, 200th, ...
  const tie = border % 2 === 1 ? offset === 0 || offset === 1 : Math.abs(offset) === 1 || Math.abs(offset) === 2;
  return tie ? "none" : "below-millisecond";
}
