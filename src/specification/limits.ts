import type { CandleInterval } from "./enums.js";

/** Rows per page of GetAllPositions and GetAllOrders when `limit` is omitted or zero (§4.1, §4.3, P1). */
export const pageLimitDefault = 50;

/** The largest page of both listings: a greater `limit` is capped to it, not rejected (§4.1, §4.3, §7). */
export const pageLimitMax = 1000;

/** Milliseconds between stream messages when `updateIntervalMs` is omitted (§4.2). */
export const streamIntervalDefaultMs = 250;

/** Lower end of the clamp of `updateIntervalMs`, in milliseconds, inclusive (§4.2). */
export const streamIntervalMinMs = 100;

/** Upper end of the clamp of `updateIntervalMs`, in milliseconds, inclusive (§4.2). */
export const streamIntervalMaxMs = 60_000;

/** Underlying orders aggregated by GetOrderBook when `limit` is omitted or zero; there is no maximum (§4.6, B3). */
export const orderBookLimitDefault = 50;

/** Greatest value of the requests' integer fields; what lies beyond is an observation (T3). */
export const int32Max = 2_147_483_647;

/** Least value of the requests' integer fields. */
export const int32Min = -2_147_483_648;

/** Greatest market id of a selector; a decimal beyond it is `invalid_argument` (S2). */
export const int64Max = 9_223_372_036_854_775_807n;

/** Greatest 64-bit identifier in a response: the text says int64/uint64 (§1, W4). */
export const uint64Max = 18_446_744_073_709_551_615n;

/** Tolerance of relations between numbers, such as `effectiveSize` = `nominalSize` (R1). */
export const numberTolerance = { relative: 1e-6, absolute: 1e-9 } as const;

/** Greatest relative distance of a closed position's mark price from the open ones' of its market (R6). */
export const closedMarkPriceTolerance = 0.01;

/** Powers k for which the tick 10^k / 10^tickDecimals must be accepted: 0 up to this one (B9). */
export const tickStepMaxPower = 6;

/** Relative tolerance within which two tick sizes are the same (B9). */
export const tickTolerance = 1e-9;

/** Relative distance from every power-of-ten step beyond which a tick size must be refused (B11). */
export const tickRefusalMargin = 0.001;

/** Tolerance of bucket spacing, as a fraction of the applied tick (B8). */
export const bucketSpacingTolerance = 1e-6;

/** Relative tolerance of a level's USD size against price times units, with bucketing off (B12). */
export const usdSizeTolerance = 1e-4;

/** How soon the first stream message is due: the greater of a share of the interval and a fixed time (T1). */
export const firstMessageTolerance = { intervalShare: 0.1, atLeastMs: 1000 } as const;

/** How far the median gap between messages may be off: the greater of a share of the interval and a fixed time (T2). */
export const cadenceTolerance = { intervalShare: 0.1, atLeastMs: 15 } as const;

/** Gaps that a cadence is judged on, and the fewer ones that will do above `longIntervalMs` milliseconds (T2). */
export const cadenceEvidence = { minimumGaps: 8, longIntervalMs: 2000, minimumGapsOfLong: 3 } as const;

/** When the second message of a stream clamped to 60,000 ms is due, in milliseconds after the first (T3). */
export const longestIntervalWindowMs = { from: 58_000, to: 63_000 } as const;

/** What must be seen of a stream before it counts as staying open (T5). */
export const openStreamEvidence = { windowMs: 5000, messages: 20 } as const;

/** Share of a timing tolerance that the harness's own event loop may lag before the measurement is void (T7). */
export const trustedLagShare = 1 / 3;

/** Seconds of each candle interval by the charting convention, the longest month for `1M` (C1, C2). */
export const candleIntervalSeconds = {
  "1S": 1,
  "1": 60,
  "60": 3600,
  "1D": 86_400,
  "1W": 604_800,
  "1M": 31 * 86_400,
} as const satisfies Record<CandleInterval, number>;

/** Seconds of a day. */
export const daySeconds = candleIntervalSeconds["1D"];

/** What shows that a value stands still while the market moves: reads of it, and over how many milliseconds (R17). */
export const staleEvidence = { reads: 5, spreadMs: 2000 } as const;

/** How old an answer from a cache or a replica may be, in milliseconds, and a little more (P3). */
export const cacheAgeMs = 1100;

/** For how long one operation shows a change before others have to show it too, in milliseconds (P3). */
export const changeShownWithinMs = 2500;
