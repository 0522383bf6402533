import type { CandleInterval } from "./enums.js";

/** Default page size of GetAllPositions and GetAllOrders, used when `limit` is omitted or zero (§4.1, §4.3, P1). */
export const pageLimitDefault = 50;

/** Largest page of both listings: a greater `limit` is capped, not rejected (§4.1, §4.3, §7). */
export const pageLimitMax = 1000;

/** Interval between stream messages when `updateIntervalMs` is omitted, in milliseconds (§4.2). */
export const streamIntervalDefaultMs = 250;

/** Lower end of the clamp of `updateIntervalMs`, in milliseconds, inclusive (§4.2). */
export const streamIntervalMinMs = 100;

/** Upper end of the clamp of `updateIntervalMs`, in milliseconds, inclusive (§4.2). */
export const streamIntervalMaxMs = 60_000;

/** How many underlying orders GetOrderBook aggregates when `limit` is omitted or zero; there is no maximum (§4.6, B3). */
export const orderBookLimitDefault = 50;

/** Maximum of integer fields in requests; behaviour beyond it is only observed (T3). */
export const int32Max = 2_147_483_647;

/** Minimum of integer fields in requests. */
export const int32Min = -2_147_483_648;

/** Maximum market id of a selector; a decimal beyond it is `invalid_argument` (S2). */
export const int64Max = 9_223_372_036_854_775_807n;

/** Maximum 64-bit identifier in a response: the specification says int64/uint64 (§1, W4). */
export const uint64Max = 18_446_744_073_709_551_615n;

/** Tolerance for relations between numbers, such as `effectiveSize` = `nominalSize` (R1). */
export const numberTolerance = { relative: 1e-6, absolute: 1e-9 } as const;

/** Maximum relative difference between a closed position's mark price and that of open positions in its market (R6). */
export const closedMarkPriceTolerance = 0.01;

/** The tick size 10^k / 10^tickDecimals must be accepted for k from 0 up to this power (B9). */
export const tickStepMaxPower = 6;

/** Relative tolerance within which two tick sizes are equal (B9). */
export const tickTolerance = 1e-9;

/** A tick size that differs from every power-of-ten step by more than this, relatively, must be rejected (B11). */
export const tickRefusalMargin = 0.001;

/** Tolerance for the spacing of bucketed prices, as a fraction of the applied tick (B8). */
export const bucketSpacingTolerance = 1e-6;

/** Relative tolerance between a level's USD size and its price times units, with bucketing off (B12). */
export const usdSizeTolerance = 1e-4;

/** The first stream message is due within a share of the interval or a fixed time, whichever is greater (T1). */
export const firstMessageTolerance = { intervalShare: 0.1, atLeastMs: 1000 } as const;

/** The median gap between messages may be off by a share of the interval or a fixed time, whichever is greater (T2). */
export const cadenceTolerance = { intervalShare: 0.1, atLeastMs: 15 } as const;

/** Minimum number of gaps to judge a cadence, and the lower minimum for intervals above `longIntervalMs` (T2). */
export const cadenceEvidence = { minimumGaps: 8, longIntervalMs: 2000, minimumGapsOfLong: 3 } as const;

/** When the second message of a stream clamped to 60,000 ms is due, in milliseconds after the first message (T3). */
export const longestIntervalWindowMs = { from: 58_000, to: 63_000 } as const;

/** How long, and for how many messages, a stream must be seen open before it counts as staying open (T5). */
export const openStreamEvidence = { windowMs: 5000, messages: 20 } as const;

/** Share of a timing tolerance by which the harness's event loop may lag before a measurement is void (T7). */
export const trustedLagShare = 1 / 3;

/** Length of each candle interval in seconds, by the charting convention; the longest month for `1M` (C1, C2). */
export const candleIntervalSeconds = {
  "1S": 1,
  "1": 60,
  "60": 3600,
  "1D": 86_400,
  "1W": 604_800,
  "1M": 31 * 86_400,
} as const satisfies Record<CandleInterval, number>;

/** Seconds per day. */
export const daySeconds = candleIntervalSeconds["1D"];

/** How many reads, spread over how many milliseconds, show that a value is stale while the market moves (R17). */
export const staleEvidence = { reads: 5, spreadMs: 2000 } as const;

/** How stale a response from a cache or a replica may be, with some margin, in milliseconds (P3). */
export const cacheAgeMs = 1100;

/** How soon a change shown by one operation must be visible in the others, in milliseconds (P3). */
export const changeShownWithinMs = 2500;
