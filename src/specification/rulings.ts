/**
 * How the specification is read where it is silent or ambiguous. A ruling never adds a requirement that is not in the text.
 * It states the reading behind a verdict, so that a dispute is about the reading and not about the harness.
 */
export interface Ruling {
  /** The words or field of the specification that the ruling is about. */
  readonly place: string;
  /** The reading that verdicts are given under. */
  readonly reading: string;
  /** The ways a conformant server may read the text, if there is more than one; the preferred one first. */
  readonly alternatives?: readonly Alternative[];
}

/** One of several ways to read a place in the specification. */
export interface Alternative {
  readonly id: string;
  readonly reading: string;
}

/**
 * All rulings: W wire, S selectors, E errors, P pagination, R resources, B order book, C candles, T stream, H headers and
 * authentication.
 */
export const rulings = {
  W1: {
    place: "Fields holding zero, empty string or false may be present as those defaults (§1)",
    reading:
      'An absent scalar or array means its default (0, "", false, []); values are judged after that substitution, so absent and ' +
      "present defaults are equally conformant, and an absent field whose default breaks a rule breaks that rule. The error " +
      "object is the exception: its `code` and `message` must be there.",
    alternatives: [
      { id: "emit-defaults", reading: "Default values are written out." },
      { id: "omit-defaults", reading: "Fields that hold their default are left out." },
    ],
  },
  W2: {
    place: "enum fields",
    reading:
      "Which enum value is the wire default cannot be known from the text. An absent `marginType` or order `type` is read as its " +
      "only value. An absent `side` or `status` is a violation, unless exactly one of the field's documented values occurs in no " +
      "answer of the whole run: then the server may be leaving out the value that its encoding calls zero, which is advisory.",
  },
  W3: {
    place: "`null`",
    reading:
      "No documented field admits `null`, nor does a whole message such as a timestamp that was never set. In a field that the " +
      "text does not list anything is allowed.",
  },
  W4: {
    place: "64-bit identifiers as decimal strings (§1)",
    reading:
      "A JSON string that is `0` or a decimal without sign, leading zero, whitespace or exponent, within the 64-bit range. Ids exceed " +
      "2^53, so they are compared as strings or big integers.",
  },
  W5: {
    place: "`OrderRef.orderId` and `OrderRef.marketId` may be integer or string (§1)",
    reading: "A JSON integer and a decimal string are both conformant, also mixed within one response.",
    alternatives: [
      { id: "string", reading: "The ids of a reference are decimal strings." },
      { id: "integer", reading: "The ids of a reference are JSON integers." },
    ],
  },
  W6: {
    place: "prices, sizes, margins and PnL are JSON numbers (§1)",
    reading:
      'Any JSON notation of a number will do (`1e-7`, `-0`, `3`); the strings "NaN" and "Infinity" are violations, and so is a number that no double holds (`1e400`).',
  },
  W7: {
    place: "integer fields",
    reading: "A JSON number with an integral value; `50.0` is accepted.",
  },
  W8: {
    place: "RFC 3339 date-time strings (§1)",
    reading:
      "Fractional seconds are optional, and either `Z` or a numeric offset will do. Instants are compared with all their " +
      "fractional digits. Lower-case `t` or `z`, or a space in place of `T`, is advisory.",
  },
  W9: {
    place: "`Content-Type: application/json` (§1)",
    reading:
      "Media types are compared without parameters and case. A stream uses Connect's streaming media type " +
      "`application/connect+json`, enveloped.",
  },
  W10: {
    place: "fields that the text does not list",
    reading:
      "Tolerated and recorded. Those that the text names as seen additionally (`cashRoi`, `currentPnl`, `currentRoi`, `createdAt`, " +
      "`updatedAt`, `averageFillPrice`, `filledQuoteSize`, `margin`, `triggerPrice`) may be absent, but their type is mandatory when present.",
  },
  W11: {
    place: "`{base_url}` (§1)",
    reading: "It may carry a path prefix, and may or may not end in a slash.",
  },

  S1: {
    place: "exactly one of two alternatives (§1 Market selector)",
    reading:
      "Both alternatives, or an object with neither, is `invalid_argument`, also for the optional selector of GetOrders: an empty " +
      "object is not an omitted one. An empty `marketSymbol` beside a valid `marketId` counts as present. `null` for one " +
      "alternative is an observation. So are both alternatives on GetHistoricalPrices, which treats the symbol as unset: an answer " +
      "by the id is as good as a refusal.",
  },
  S2: {
    place: "a non-zero numeric id is required (§1 Market selector)",
    reading:
      '`"0"`, `""`, letters, a fraction and a decimal beyond int64 are `invalid_argument`. A negative id is refused with ' +
      "`invalid_argument` or `not_found` on every endpoint: it could not exist (S4). Surrounding whitespace, leading zeros, exponent forms and a JSON number in " +
      "place of the string are observations.",
  },
  S3: {
    place: "a required selector",
    reading: "An omitted `market` in GetOrderBook, GetHistoricalPrices and GetMarketConfigs is `invalid_argument`.",
  },
  S4: {
    place: "an unknown but well-formed market id",
    reading:
      "It must never yield another market's data. That the code is `not_found` is advisory. An empty success is equally acceptable for " +
      "GetHistoricalPrices and GetOrders; on GetOrderBook an empty book is advisory; a configuration from GetMarketConfigs is a " +
      "violation. A known market in which the wallet has no orders is an empty success on GetOrders; since GetOrders without a " +
      "market lists all orders of a wallet, such a pair can always be found. The unknown id that a check uses occurs in no answer " +
      "seen.",
    alternatives: [
      { id: "not-found", reading: "An unknown market id is refused with `not_found`." },
      { id: "empty-success", reading: "An unknown market id matches nothing: a success without rows." },
    ],
  },
  S5: {
    place: "an unknown symbol pair in a selector",
    reading:
      "It is an error, `invalid_argument` or `not_found`, or for GetOrders an empty success. A known asset with a known quote that " +
      "no market combines is an unknown pair, too.",
    alternatives: [
      { id: "not-found", reading: "The pair names no market: `not_found`." },
      { id: "invalid-argument", reading: "The pair is not a valid selector: `invalid_argument`." },
      { id: "empty-success", reading: "GetOrders alone: no order matches." },
    ],
  },
  S6: {
    place: "symbols inside a selector",
    reading:
      "A blank `assetSymbol` is `invalid_argument`. Case and whitespace around the symbols are an observation: the text settles them " +
      "for GetMarketIdByName alone, and there for `assetSymbol` alone.",
  },
  S7: {
    place: "GetHistoricalPrices treats a symbol selector as unset (§4.7)",
    reading: "Unset, where the id must be non-zero, means `invalid_argument`.",
  },
  S8: {
    place: "the format of market names and symbols",
    reading:
      "The text gives none. A market name is split into symbols only if GetMarketIdByName confirms the id; otherwise the symbols " +
      "come from the target's configuration, or the rules that need them are inconclusive. A selector with an asset and no quote, " +
      "and a full pair name as `assetSymbol`, are observations. GetOrders resolves symbol selectors: only GetHistoricalPrices is exempt.",
  },
  S9: {
    place: "the id that GetMarketIdByName gives",
    reading:
      "It is the id under which GetMarketConfigs, by id and by the same symbols, and the listings know that market; a name that " +
      "orders and positions carry for one market id must not resolve to another.",
  },

  E1: {
    place: "`INVALID_ARGUMENT` in some sections, lower case in §7",
    reading: "The wire form is the lower-case one; an upper-case code on the wire is a violation.",
  },
  E2: {
    place: "the error object (§7)",
    reading:
      "A JSON object with string `code` and string `message`; further members such as `details` are allowed. A unary answer is an " +
      "error when it has that shape or a non-2xx status.",
  },
  E3: {
    place: "HTTP status mapping: not shown (§7)",
    reading: "An observation, with Connect's own mapping shown beside what was seen.",
  },
  E4: {
    place: "codes outside the four of §7",
    reading:
      "Standard Connect codes are tolerated where the text names no code; anything that is not a Connect code is a violation.",
  },
  E5: {
    place: "`internal`, or an answer that is not Connect (HTML, empty body, connection reset)",
    reading:
      "A violation where the text documents the outcome of the request, be it a success or an error with its code; advisory for " +
      "malformed bodies.",
  },
  E6: {
    place: "malformed JSON and wrong JSON types",
    reading:
      "A body that is not a JSON object, and a type that no reading of JSON accepts for the field (object, array or boolean for a " +
      "scalar, letters for a number, a number for an address or a timestamp), must be an error and never a success. For a market " +
      "selector and the fields in it, this is mandatory, since an invalid selector is documented to fail; elsewhere it is advisory, since the " +
      "text states no outcome. That the code is `invalid_argument` is advisory. An empty body, numeric strings for numbers, numbers " +
      "for ids, `null` for a field, and any value of a field that is documented as ignored are observations.",
  },

  P1: {
    place: "`limit` zero (§4.1, §4.3)",
    reading: "For both listings zero means omitted, so 50.",
  },
  P2: {
    place: "negative `limit`, `offset` or `levels`",
    reading: "An observation, for the listings, the order book and the candles alike.",
  },
  P3: {
    place: "the number of rows on a page",
    reading:
      "It equals min(effective limit, max(0, totalCount - offset)) on data that did not change meanwhile. Every comparison across " +
      "requests is bracketed: read A, read B, read A again; if the two reads of A differ, retry a bounded number of times, then inconclusive. " +
      "Answers may be cached for a moment, those of GetPortfolio excepted, and replicas may be a moment apart: on a target whose " +
      "data was seen to move in the run, a difference between two answers counts only when it is found again after a pause of " +
      "2.5 s, read in the other order.",
  },
  P4: {
    place: "rows with equal timestamps",
    reading: "Any order among them will do. Whether ties keep their order between pages is advisory.",
    alternatives: [
      { id: "stable-ties", reading: "Ties keep one order on every page." },
      { id: "any-order", reading: "Ties may change places between requests." },
    ],
  },
  P5: {
    place: "the type of `totalCount` (§2 PaginationInfo)",
    reading: "A JSON integer for positions, a decimal string for order lists.",
  },
  P6: {
    place: "an offset beyond the end",
    reading: "A success without rows; `pagination.offset` is the requested offset or `totalCount`.",
    alternatives: [
      { id: "requested-offset", reading: "`pagination.offset` is the offset that was asked for." },
      {
        id: "clamped-offset",
        reading: "`pagination.offset` is the number of records that could be skipped: `totalCount`.",
      },
    ],
  },
  P7: {
    place: "a blank `address` in GetAllOrders",
    reading: "An observation.",
    alternatives: [
      { id: "omitted", reading: "Trimmed to empty, it is omitted: every wallet's orders are returned." },
      { id: "refused", reading: "It is not a wallet address: `invalid_argument`." },
    ],
  },
  P8: {
    place: "an absent `pagination` object",
    reading: "A violation: its effective limit cannot be known, and W1 speaks of scalars and arrays only.",
  },

  R1: {
    place: "relations between numbers (`initialNotional`, `cumulativeTotal`, `effectiveSize`)",
    reading:
      "Held to a relative tolerance of 1e-6 and an absolute one of 1e-9, and beyond that to half a unit of the last decimal shown " +
      "for each number that enters the relation: the text gives no precision, and a server may round what it shows. The decimals " +
      "of a field are the most that any row of the answer shows for it. If each of many orders is off in the same direction, " +
      "the cause is not rounding.",
  },
  R2: {
    place: "a position id equals the id of the order that opened it (§2 Position)",
    reading:
      "Among the position's `associatedOrderIds` or `associatedOrders` there is one with that `orderId`, the position's `marketId` " +
      "and `reduceOnly` false; where both lists are empty, it is looked for in GetOrders of the owner. That one is the opening " +
      "order, also when merged openings are associated.",
  },
  R3: {
    place: "`stopLossPrice` and `takeProfitPrice` of a position (§2 Position)",
    reading:
      "0 exactly when no associated reduce order of that type is active, greater than 0 when one is. With several active orders, " +
      "which price is shown is an observation.",
  },
  R4: {
    place: "`estimatedRebate` (§2 Position)",
    reading:
      "A number. Its relation to `longRevenue` and `shortRevenue` of the market configuration is advisory, since the text never " +
      "says that these are the same revenue. 0 and -1 are always allowed.",
  },
  R5: {
    place: "`unrealizedPnl` (§2 Position)",
    reading: "A number. Its sign against (mark - entry) and side is advisory.",
  },
  R6: {
    place: "`markPrice` of a closed position (§2 Position)",
    reading: "Within 1 % of the open positions' mark price of the same market in the same response: advisory.",
  },
  R7: {
    place: "an order's `market` (§2 Order)",
    reading:
      "`MARKET-<another id>` is a violation, and so are an empty name and `MARKET-<marketId>` for a market that GetMarketConfigs " +
      "knows, since its metadata is available. For an id that GetMarketConfigs does not know, one name shared by all rows of that id " +
      "is only an advisory violation: the order may have stored it while the metadata was there. Equality with `marketName` is advisory.",
  },
  R8: {
    place: "what a reduce-only order inherits (§2 Order)",
    reading:
      "Its side equals the opening order's, wherever a position links the two. Its `leverage` equals the opening order's, or 0 when " +
      "that is not available.",
  },
  R9: {
    place: "`size`, `filledSize` and `unfilledSize` against `status` (§2 Order)",
    reading: "Advisory.",
  },
  R10: {
    place: "closed positions",
    reading:
      "The position object carries no flag. A position of GetAllPositions is taken as closed when its owner's GetPortfolio and " +
      "stream snapshot, bracketed, do not list it. That there must be a closed position is concluded only from orders with a filled " +
      "size that are fully or partially filled, closed or partially cancelled: what merging does to an order is not shown.",
  },
  R11: {
    place: "formulas of the portfolio totals: not shown (§2 Portfolio)",
    reading: "An observation.",
  },
  R12: {
    place: "unknown wallet, malformed address, missing address",
    reading:
      'GetOrders answers an unknown wallet with an empty success, GetAllOrders with an empty success whose `totalCount` is "0". For ' +
      "GetPortfolio and the stream see T6. Whether a malformed or missing address is refused or empty is an observation.",
    alternatives: [
      { id: "refused", reading: "A malformed or missing address is `invalid_argument`." },
      { id: "empty-success", reading: "A malformed or missing address names a wallet without data." },
    ],
  },
  R13: {
    place: "`Portfolio.owner` and every nested `owner`",
    reading: "The lower-case form of the requested address.",
  },
  R14: {
    place: "identity",
    reading:
      "An order is (`orderId`, `marketId`, `reduceOnly`), a position is (`positionId`, `marketId`). `positionId` alone may repeat " +
      "across markets, and an opening and a reduce-only order may share an `orderId`.",
  },
  R15: {
    place: "`associatedOrders` and `associatedOrderIds` (§2 Position)",
    reading: "Where both are non-empty they name the same orders, each once.",
  },
  R16: {
    place: "current stored state (§2 Position, §2 Order)",
    reading:
      "The same order or position, read from two operations, has the same stored fields, bracketed; computed fields such as mark " +
      "price and PnL are excepted. Instants are compared at the coarser of the two precisions shown, be they rounded or cut off, " +
      "and numbers by R1. That a position's `tickDecimals` equals its market configuration's is advisory.",
  },

  R17: {
    place: "recomputed on every read, current mark price, no caching (§2 Position, §4.5)",
    reading:
      "It shows only while the data moves: when another operation or the stream shows the mark price of a market change over at " +
      "least 2 s, a `markPrice`, an `unrealizedPnl` or a portfolio's `totalUnrealizedPnl` of the same market that stays the same to " +
      "the last digit over at least five reads spread over that time is a violation. At rest it is not applicable.",
  },
  R18: {
    place: "`timestamp` of a position: most recent event applied (§2 Position)",
    reading: "It is not before the timestamp of its opening order, since opening is one of its events.",
  },
  R19: {
    place: "what the definitions of some fields imply (§2 Order, §2 MarketConfig)",
    reading:
      "`feeConfig.marketId` is the market's id or empty: advisory. An opening order's `rebates` are 0, which is advisory, and its " +
      "`reduceOrderType` is empty, which is mandatory. A reduce-only order's `initialMargin` is `size` times `thresholdPrice`: " +
      "advisory, with the tolerance of R1.",
  },

  B1: {
    place: "`pageSize`: effective number of underlying orders aggregated (§2 OrderBook)",
    reading:
      "Either the effective limit or the number really aggregated: the sum of `orderCount` over both sides, or min(limit, " +
      "totalOrderCount - offset). Where the limit counts per side (B2), that may be up to twice the limit.",
    alternatives: [
      { id: "effective-limit", reading: "`pageSize` is the limit that was applied." },
      {
        id: "orders-aggregated",
        reading: "`pageSize` is the sum of `orderCount` over both sides, or min(limit, totalOrderCount - offset).",
      },
    ],
  },
  B2: {
    place: "whether the order book's `limit` counts per book or per side (§4.6)",
    reading:
      "The sum of `orderCount` on each side is at most `limit`; over both sides together at most `limit` is advisory. `offset` " +
      "counts over both sides or on each: with a limit larger than the book, offset k leaves `totalOrderCount` - k orders, or " +
      "max(0, bids - k) + max(0, asks - k), and the same at every k and in every market. Either way the orders within the first k " +
      "and those from offset k on add up to the book, level by level.",
    alternatives: [
      { id: "per-book", reading: "`limit` counts the underlying orders of both sides together." },
      { id: "per-side", reading: "`limit` counts the underlying orders of each side." },
    ],
  },
  B3: {
    place: "the order book's `limit` zero, omitted or large (§4.6)",
    reading: "Zero and omitted mean 50. No cap is documented, so a large limit must not be an error.",
  },
  B4: {
    place: "levels sorted toward the best price (§2 OrderBook)",
    reading:
      "Either direction of the array will do, so long as each side is strictly monotonic, both sides use the same convention, and " +
      "`cumulativeTotal` runs from the best price outward. Repeated prices within a side are a violation.",
    alternatives: [
      { id: "best-first", reading: "The best price is the first level of each side." },
      { id: "best-last", reading: "The best price is the last level of each side." },
    ],
  },
  B5: {
    place: "`levels` in the response (§2 OrderBook)",
    reading:
      "At least the number of levels on each side and, where a number was requested, at most that number; an echo of the request " +
      "is accepted.",
    alternatives: [
      { id: "level-count", reading: "`levels` is the number of levels returned per side." },
      { id: "requested-levels", reading: "`levels` echoes the requested maximum." },
    ],
  },
  B6: {
    place: "max price levels per side (§4.6)",
    reading: "With `levels` N the levels are the N best ones of the full side, bracketed.",
  },
  B7: {
    place: "tick size 0 disables bucketing (§4.6)",
    reading: "The response's `tickSize` is 0 or absent, and the level prices are the underlying ones.",
  },
  B8: {
    place: "prices of a bucketed book",
    reading:
      "The difference between any two level prices on one side is an integral multiple of the applied tick, within 1e-6 of the " +
      "tick; that the prices themselves are multiples is advisory.",
    alternatives: [
      { id: "multiples", reading: "A bucket is labelled by its floor or ceiling: a multiple of the tick." },
      { id: "middles", reading: "A bucket is labelled by its middle, or otherwise off the multiples by a constant." },
    ],
  },
  B9: {
    place: "power-of-ten multiples of the minimum tick (§4.6)",
    reading:
      "10^k / 10^tickDecimals for k = 0 to 6 must be accepted, compared with a relative tolerance of 1e-9; larger ones are " +
      "observations. The response's `tickSize` is the one requested. A bucket labelled 0 is allowed.",
  },
  B10: {
    place: "a tick size below the minimum tick (§4.6)",
    reading:
      "Any positive value below it, of whatever mantissa, is clamped: the response's `tickSize` is the minimum tick.",
  },
  B11: {
    place: "any other tick size (§4.6)",
    reading:
      "Negative values, and values above the minimum tick that differ from every power-of-ten step by more than 0.1 %, are " +
      "`invalid_argument`.",
  },
  B12: {
    place: "`sizeInUsd` (§4.6)",
    reading:
      "With bucketing off, a level's USD size is its price times its size in units, to a relative tolerance of 1e-4 or the " +
      "precision shown (R1), bracketed; with bucketing on, to within one tick of price.",
  },
  B13: {
    place: "`totalOrderCount` in the request is accepted and ignored (§4.6)",
    reading: "It is neither echoed nor used.",
  },
  B14: {
    place: "a crossed book",
    reading: "Advisory, and only with bucketing off, since the depth is simulated.",
  },

  C1: {
    place: "the candle intervals (§4.7)",
    reading:
      "The text lists values, not meanings. All six must be accepted. Spacing by the charting convention (1 second, 1 minute, 60 " +
      "minutes, 1 day, 1 week, 1 calendar month) is advisory.",
  },
  C2: {
    place: "start and end of the range (§4.7)",
    reading:
      "Every candle lies within `startTime` and `endTime`, give or take one interval at both ends, bounds inclusive; 31 days for `1M`.",
  },
  C3: {
    place: "the candles' `limit` is accepted and ignored (§4.7)",
    reading:
      "For a range that ended in the past, `limit` 1 returns the same candles as no limit, and a range returns every candle that " +
      "its parts return, so that a silent cap shows.",
  },
  C4: {
    place: "what the text leaves open about candles (§4.7)",
    reading:
      "The order of candles, `totalCount`, an unsupported `interval`, a start not before the end, an omitted start or end, and the " +
      "default interval are observations. That low <= open, close <= high is advisory.",
  },

  T1: {
    place: "one message is sent immediately (§4.2)",
    reading:
      "The first message arrives within one tenth of the interval or 1 second after the request was sent, whichever is greater, " +
      "on a stream with a long interval; on a slow path plus the median round trip of unary calls.",
  },
  T2: {
    place: "then one per interval (§4.2)",
    reading:
      "Judged on the median of at least eight gaps (fewer above 2 s): within 10 % or 15 ms of the effective interval, whichever is " +
      "greater, and on the count of messages in the window. One late message is not a violation.",
  },
  T3: {
    place: "`updateIntervalMs` is clamped into 100 to 60000 (§4.2)",
    reading:
      "1, 99 and negative values behave as 100. Values above 60000 up to the int32 maximum behave as 60000: the second message " +
      "arrives between 58 and 63 s. An explicit zero means omitted, so 250, with 100 tolerated; the omitted field is always 250. " +
      "Values beyond int32 and fractions are observations.",
    alternatives: [
      { id: "zero-is-250", reading: "An explicit zero is the omitted field: 250 ms." },
      { id: "zero-is-100", reading: "An explicit zero is a value below the range: 100 ms." },
    ],
  },
  T4: {
    place: "a full snapshot, not a diff (§4.2)",
    reading: "Every message lists every open position of the wallet, also when nothing changed since the one before.",
  },
  T5: {
    place: "until the client disconnects (§4.2)",
    reading: "No end-of-stream frame and no close within the observed window: at least 5 s and at least 20 messages.",
  },
  T6: {
    place: "a wallet without open positions (§4.2)",
    reading:
      "The stream is open and every message has an empty `positions`. What GetPortfolio answers for an unknown wallet is an observation.",
  },
  T7: {
    place: "trust in the clock",
    reading:
      "Frames are stamped when they are read. When the harness's own event loop lagged more than a third of the tolerance, the " +
      "measurement is repeated; after the bounded retries it is inconclusive.",
  },

  H1: {
    place: "`Connect-Protocol-Version` (§4)",
    reading: "`1` and omitted behave the same. Other values are observations.",
  },
  H2: {
    place: "`Connect-Timeout-Ms` (§4)",
    reading: "A generous value changes nothing. What happens when it elapses is an observation.",
  },
  H3: {
    place: "authentication (§5)",
    reading:
      "`Authorization: Bearer` is sent when a token was given, and nothing otherwise. Behaviour without or with a bad token is an " +
      "observation.",
  },
  H4: {
    place: "every operation is an HTTP POST (§1)",
    reading: "The sentence says what clients send; what other methods get is an observation.",
  },
  H5: {
    place: "operations that are named without shapes (§4 Other operations)",
    reading: "Observations at most.",
  },
} as const satisfies Record<string, Ruling>;

/** The code of a ruling, such as `B4`. */
export type RulingId = keyof typeof rulings;

/** All ruling codes, in order. */
export const rulingIds = Object.keys(rulings) as RulingId[];
