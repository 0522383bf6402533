/** Faults of candles, market configurations, names and selectors (§4.7 to §4.9, §1). */
import { isJsonObject, type JsonObject } from "../../connect/json.js";
import { formatInstant, parseInstant, plusSeconds } from "../../judge/instant.js";
import type { ParsedRequest } from "../../judge/parsed-request.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import { selectorEndpoints } from "../../specification/endpoints.js";
import { candleIntervals } from "../../specification/enums.js";
import { candleIntervalSeconds } from "../../specification/limits.js";
import { withBody, withError } from "../alter.js";
import type { AnswerView } from "../answer-view.js";
import type { FaultTemplate, ScopeName } from "../fault.js";
import { anotherId, listIn, numberIn, objectIn, textIn, withField } from "../fields.js";
import type { ObservedPlatform } from "../platform.js";
import {
  type AnswerFault,
  acceptedIf,
  type FaultMetadata,
  faultsIn,
  faultsOf,
  inAnswer,
  inBody,
  otherCodeIf,
  refusedIf,
} from "./define.js";

const usual: readonly ScopeName[] = ["one market", "two fields", "two other fields"];

/** What a faulty server makes of the candles of an answer. */
type CandlesFault = (
  candles: readonly JsonObject[],
  asked: ParsedRequest,
  request: JsonObject,
) => readonly JsonObject[];

function inCandlesOfBody(named: FaultMetadata, change: CandlesFault): FaultTemplate {
  return inBody(named, (body, asked, _, { request }) =>
    withField(body, "priceCandleSticks", change(listIn(body, "priceCandleSticks"), asked, request)),
  );
}

const inCandles = faultsOf("GetHistoricalPrices", inCandlesOfBody, { name: "candles", scopes: usual });
const byCandles = faultsOf("GetHistoricalPrices", inAnswer, { name: "candles" });

/** Shifts a candle by a number of seconds. */
function later(candle: JsonObject, seconds: number): JsonObject {
  const instant = parseInstant(textIn(candle, "timestamp"));
  return instant ? withField(candle, "timestamp", formatInstant(plusSeconds(instant, seconds))) : candle;
}

const inCandle = faultsIn("candle", usual);
const inConfig = faultsIn("config", usual);
const inFeeConfig = faultsIn("feeConfig", usual);

const candleFaults: readonly FaultTemplate[] = [
  inCandles(
    "before-the-range",
    "get-historical-prices.range",
    "foreign row",
    "gives a candle from well before the range",
    (all, { interval = "60", startTime = "" }) => {
      const [first] = all;
      const start = parseInstant(startTime);
      if (!first || !start) return all;
      return [{ ...first, timestamp: formatInstant(plusSeconds(start, -4 * candleIntervalSeconds[interval])) }, ...all];
    },
  ),
  inCandles(
    "after-the-range",
    "get-historical-prices.range",
    "filter forgotten",
    "gives candles from well after the range",
    (all, { interval = "60", endTime = "" }) => {
      const last = all.at(-1);
      const end = parseInstant(endTime);
      if (!last || !end) return all;
      return [...all, { ...last, timestamp: formatInstant(plusSeconds(end, 4 * candleIntervalSeconds[interval])) }];
    },
  ),
  inCandles(
    "limit-applied",
    "get-historical-prices.limit-ignored",
    "wrong count",
    "gives as many candles as limit says",
    (all, _, { limit }) => (typeof limit === "number" && limit > 0 && all.length > limit ? all.slice(0, limit) : all),
  ),
  inCandles(
    "limit-of-last",
    "get-historical-prices.limit-ignored",
    "wrong count",
    "gives the last candle alone with a limit",
    (all, _, { limit }) => (limit !== undefined && all.length > 1 ? all.slice(-1) : all),
  ),
  ...[20, 100].map((most) =>
    inCandles(
      `cut-at-${most}`,
      "get-historical-prices.no-result-limit",
      "row missing",
      `gives ${most} candles at most`,
      (all) => (all.length > most ? all.slice(0, most) : all),
      ["one market"],
    ),
  ),
  inCandles(
    "every-second-missing",
    "get-historical-prices.interval-spacing",
    "row missing",
    "gives candles of twice the interval",
    (all) => (all.length > 3 ? all.filter((_, index) => index % 2 === 0) : all),
  ),
  inCandles(
    "off-their-spacing",
    "get-historical-prices.interval-spacing",
    "wrong value",
    "gives every second candle a third of an interval late",
    (all, { interval = "60" }) =>
      all.length > 3
        ? all.map((candle, index) =>
            index % 2 === 1 ? later(candle, Math.max(1, Math.floor(candleIntervalSeconds[interval] / 3))) : candle,
          )
        : all,
  ),
  ...candleIntervals.map((interval) =>
    byCandles(
      `interval-${interval}-refused`,
      "get-historical-prices.intervals",
      "refused",
      `refuses the interval ${interval}`,
      refusedIf("invalid_argument", (asked) => asked.interval === interval),
    ),
  ),
  inCandle("candle-close-above-high", "candlestick.low-high", "wrong value", "a candle closes above its high", (row) =>
    withField(row, "close", numberIn(row, "high") * 2),
  ),
  inCandle(
    "candle-low-and-high-swapped",
    "candlestick.low-high",
    "wrong value",
    "a candle's low and high are swapped",
    (row) => (row.low === row.high ? row : { ...row, low: row.high, high: row.low }),
  ),
  byCandles(
    "by-symbols",
    "get-historical-prices.symbol-selector",
    "not refused",
    "resolves symbols",
    acceptedIf(({ request }) => {
      const { marketId, marketSymbol } = objectIn(request, "market");
      return marketSymbol !== undefined && marketId === undefined;
    }),
  ),
];

/** An operation that answers with another market's data to a request by symbols. */
function ofAnother(name: string, endpoint: "GetMarketConfigs" | "GetOrderBook", words: string): FaultTemplate {
  return inAnswer(
    {
      name,
      rule: "selector.by-symbol",
      kind: "foreign row",
      words: `${endpoint} ${words}`,
      operations: [endpoint],
      scopes: usual,
    },
    ({ exchange, asked, answer }, { successOf }) => {
      if (answer.kind !== "success" || !asked?.bySymbols) return undefined;
      const other = successOf(endpoint, (view) => view.asked?.marketId !== asked.marketId);
      return other && withBody(exchange, other);
    },
  );
}

const configFaults: readonly FaultTemplate[] = [
  inConfig(
    "config-creator-cut",
    "market-config.creator-address",
    "wrong form",
    "creator lacks a digit",
    (row) => (textIn(row, "creator") === "" ? row : withField(row, "creator", textIn(row, "creator").slice(0, -1))),
    { scopes: [...usual, "another way to write"] },
  ),
  inConfig(
    "config-margin-rate-as-number",
    "market-config.maintenance-margin-rate-decimal",
    "wrong form",
    "maintenanceMarginRate is a number",
    (row) =>
      textIn(row, "maintenanceMarginRate") === ""
        ? row
        : withField(row, "maintenanceMarginRate", Number(row.maintenanceMarginRate)),
  ),
  inConfig(
    "config-margin-rate-in-percent",
    "market-config.maintenance-margin-rate-decimal",
    "wrong form",
    "maintenanceMarginRate has a percent sign",
    (row) =>
      textIn(row, "maintenanceMarginRate") === ""
        ? row
        : withField(row, "maintenanceMarginRate", `${row.maintenanceMarginRate}%`),
  ),
  inFeeConfig(
    "fee-config-of-another-market",
    "market-config.fee-config-market",
    "wrong echo",
    "feeConfig names another market",
    (row) => withField(row, "marketId", anotherId(row.marketId)),
  ),
  inConfig(
    "config-of-another-market",
    "get-market-configs.market-id",
    "wrong echo",
    "GetMarketConfigs gives another market's id",
    (row, _, { asked }) => (asked && !asked.bySymbols ? withField(row, "marketId", anotherId(row.marketId)) : row),
    { scopes: ["one market"] },
  ),
  inConfig(
    "config-id-empty",
    "get-market-configs.market-id",
    "field missing",
    "GetMarketConfigs leaves out the market's id",
    (row, _, { asked }) => (asked && !asked.bySymbols ? withField(row, "marketId", undefined) : row),
    { scopes: ["one market"] },
  ),
  ofAnother("config-by-symbols-of-another", "GetMarketConfigs", "by symbols gives another market"),
  ...(["GetOrders", "GetOrderBook", "GetMarketConfigs"] as const).map((endpoint) =>
    faultsOf(endpoint, inAnswer)(
      "by-symbols-refused",
      "selector.by-symbol",
      "refused",
      "does not find a market by its symbols",
      refusedIf("not_found", ({ bySymbols }) => bySymbols),
      usual,
    ),
  ),
  ofAnother("GetOrderBook-by-symbols-of-another", "GetOrderBook", "by symbols gives another market's book"),
  faultsOf("GetOrders", inBody)(
    "by-symbols-finds-nothing",
    "selector.by-symbol",
    "row missing",
    "by symbols finds nothing",
    (body, { bySymbols }) => (bySymbols && listIn(body, "orders").length > 0 ? withField(body, "orders", []) : body),
    usual,
  ),
];

const byName = faultsOf("GetMarketIdByName", inAnswer, { name: "id-by-name" });
const inName = faultsOf("GetMarketIdByName", inBody, { name: "id-by-name" });

const isMissing = ({ assetSymbol }: JsonObject) => assetSymbol === undefined || assetSymbol === "";
const isBlank = ({ assetSymbol }: JsonObject) =>
  typeof assetSymbol === "string" && assetSymbol !== "" && assetSymbol.trim() === "";

const nameFaults: readonly FaultTemplate[] = [
  byName(
    "not-trimmed",
    "get-market-id-by-name.asset-symbol-trimmed",
    "refused",
    "does not find a symbol with whitespace around it",
    refusedIf("not_found", ({ padded }) => padded),
    usual,
  ),
  byName(
    "by-case",
    "get-market-id-by-name.asset-symbol-case-insensitive",
    "refused",
    "does not find a symbol in another case",
    refusedIf("not_found", ({ recased, padded }) => recased && !padded),
    usual,
  ),
  byName(
    "blank-accepted",
    "get-market-id-by-name.asset-symbol-blank",
    "not refused",
    "finds a market for a blank symbol",
    acceptedWhere(isBlank),
  ),
  byName(
    "none-accepted",
    "get-market-id-by-name.asset-symbol-required",
    "not refused",
    "finds a market without a symbol",
    acceptedWhere(isMissing),
  ),
  byName(
    "none-not-found",
    "get-market-id-by-name.asset-symbol-required",
    "wrong value",
    "answers not_found without a symbol",
    codeWhere("not_found", isMissing),
  ),
  byName(
    "blank-not-found",
    "get-market-id-by-name.asset-symbol-blank",
    "wrong value",
    "answers not_found to a blank symbol",
    codeWhere("not_found", isBlank),
  ),
  byName(
    "quote-guessed",
    "get-market-id-by-name.quote-symbol-omitted",
    "not refused",
    "finds a market of any quote without a quote",
    acceptedWhere(
      ({ quoteSymbol, assetSymbol }) =>
        quoteSymbol === undefined && typeof assetSymbol === "string" && assetSymbol.trim() !== "",
    ),
  ),
  byName(
    "unknown-pair-accepted",
    "get-market-id-by-name.unknown-pair",
    "not refused",
    "finds a market for a pair that there is not",
    acceptedWhere(({ quoteSymbol }) => quoteSymbol !== undefined),
  ),
  byName(
    "unknown-pair-invalid",
    "get-market-id-by-name.unknown-pair",
    "wrong value",
    "answers invalid_argument to a pair that there is not",
    codeWhere("invalid_argument", ({ quoteSymbol }) => quoteSymbol !== undefined),
  ),
  inName(
    "of-another",
    "relations.market-id-configs",
    "wrong value",
    "gives another market's id",
    (body, _, { subjects }) => {
      const other = subjects.markets.find(({ marketId }) => marketId !== body.marketId);
      return other ? withField(body, "marketId", other.marketId) : body;
    },
    usual,
  ),
  inName(
    "of-no-market",
    "relations.market-id-configs",
    "wrong value",
    "gives an id of no market",
    (body, _, { subjects }) => withField(body, "marketId", subjects.unknown.marketId),
    usual,
  ),
  inName(
    "of-another-than-listed",
    "relations.market-id-listings",
    "wrong value",
    "gives another id than orders and positions carry for the name",
    (body, { padded, recased }, { subjects }) => {
      const other = subjects.markets.findLast(({ marketId }) => marketId !== body.marketId);
      return !padded && !recased && other ? withField(body, "marketId", other.marketId) : body;
    },
    ["one market"],
  ),
];

function acceptedWhere(where: (request: JsonObject) => boolean): AnswerFault {
  return acceptedIf(({ request }) => isTyped(request) && where(request));
}

function codeWhere(code: string, where: (request: JsonObject) => boolean): AnswerFault {
  return otherCodeIf(code, ({ request }) => isTyped(request) && where(request));
}

/** Whether all fields have the right type; wrong types are covered elsewhere. */
function isTyped(request: JsonObject): boolean {
  return Object.values(request).every(
    (value) => typeof value === "string" || (typeof value === "object" && value !== null),
  );
}

type SelectorTest = (market: JsonObject | undefined, platform: ObservedPlatform) => boolean;

/** Selectors that must be refused, by what is wrong with them (§1, S1 to S6). */
const selectors: readonly (readonly [name: string, rule: RuleId, words: string, where: SelectorTest])[] = [
  [
    "both",
    "selector.both-alternatives",
    "both alternatives",
    (market) => market?.marketId !== undefined && market.marketSymbol !== undefined,
  ],
  [
    "neither",
    "selector.neither-alternative",
    "neither alternative",
    (market) => market !== undefined && Object.keys(market).length === 0,
  ],
  ["none", "selector.required", "no selector", (market) => market === undefined],
  ["zero", "selector.zero-id", "the id 0", (market) => market?.marketId === "0"],
  [
    "letters",
    "selector.non-numeric-id",
    "an id with letters",
    (market) => typeof market?.marketId === "string" && !/^-?\d+$/.test(market.marketId),
  ],
  [
    "beyond",
    "selector.id-beyond-int64",
    "an id beyond int64",
    (market) =>
      typeof market?.marketId === "string" &&
      /^\d{19,}$/.test(market.marketId) &&
      BigInt(market.marketId) > 2n ** 63n - 1n,
  ],
  [
    "negative",
    "selector.negative-id",
    "a negative id",
    (market) => typeof market?.marketId === "string" && /^-\d+$/.test(market.marketId),
  ],
  [
    "unknown",
    "selector.unknown-id-other-market",
    "the id of no market",
    (market, { subjects }) => market?.marketSymbol === undefined && market?.marketId === subjects.unknown.marketId,
  ],
  [
    "blank",
    "selector.blank-asset-symbol",
    "a blank asset symbol",
    (market) =>
      market?.marketSymbol !== undefined &&
      market.marketId === undefined &&
      textIn(objectIn(market, "marketSymbol"), "assetSymbol").trim() === "",
  ],
  ["unknown-pair", "selector.unknown-symbol", "symbols of no market", isUnknownPair],
  [
    "wrong-type",
    "selector.wrong-type",
    "a selector of another type",
    (market) =>
      typeof market?.marketId === "boolean" || (typeof market?.marketId === "object" && market.marketId !== null),
  ],
];

function isUnknownPair(market: JsonObject | undefined, { subjects }: ObservedPlatform): boolean {
  if (market?.marketId !== undefined || market?.marketSymbol === undefined) return false;
  const { assetSymbol, quoteSymbol } = objectIn(market, "marketSymbol");
  if (typeof assetSymbol !== "string" || assetSymbol.trim() === "" || typeof quoteSymbol !== "string") return false;
  return !subjects.markets.some(
    ({ symbols }) => symbols?.assetSymbol === assetSymbol && symbols?.quoteSymbol === quoteSymbol,
  );
}

const selectorFaults: readonly FaultTemplate[] = selectors.flatMap(([name, rule, words, where]) => [
  inAnswer(
    {
      name: `selector-${name}-accepted`,
      rule,
      kind: "not refused",
      words: `another market's data come for ${words}`,
      operations: selectorEndpoints,
      scopes: ["each operation"],
    },
    (view, platform) => {
      const body = isOf(view, where, platform) && !isGiven(view) ? anySuccess(view, platform) : undefined;
      return body && withBody(view.exchange, body, 200);
    },
  ),
  inAnswer(
    {
      name: `selector-${name}-internal`,
      rule,
      kind: "wrong value",
      words: `internal comes for ${words}`,
      operations: selectorEndpoints,
      scopes: ["each operation"],
    },
    otherCodeIf(
      "internal",
      (view, platform) => name !== "wrong-type" && name !== "unknown" && isOf(view, where, platform),
    ),
  ),
]);

/** Whether a success has rows. Empty successes, which the specification allows, are altered as well. */
function isGiven({ answer }: AnswerView): boolean {
  return (
    answer.kind === "success" &&
    (listIn(answer.body, "orders").length > 0 || listIn(answer.body, "priceCandleSticks").length > 0)
  );
}

function isOf({ request, exchange, endpoint }: AnswerView, where: SelectorTest, platform: ObservedPlatform): boolean {
  const { market } = request;
  if (exchange.request.body.trim()[0] !== "{" || (market !== undefined && !isJsonObject(market))) return false;
  return where(market, platform) && !(market === undefined && endpoint === "GetOrders");
}

function anySuccess(
  { endpoint, request }: AnswerView,
  { successOf, subjects }: ObservedPlatform,
): JsonObject | undefined {
  const wallet = typeof request.address === "string" ? request.address.trim().toLowerCase() : undefined;
  const hasRows = ({ answer }: AnswerView) =>
    answer.kind === "success" &&
    (endpoint !== "GetOrders" || listIn(answer.body, "orders").length > 0) &&
    (endpoint !== "GetHistoricalPrices" || listIn(answer.body, "priceCandleSticks").length > 0);
  const ofWallet = ({ asked }: AnswerView) =>
    endpoint !== "GetOrders" || asked?.wallet === (wallet ?? subjects.wallets[0]?.address);
  return successOf(endpoint, (view) => hasRows(view) && ofWallet(view));
}

const unknownIdInvalid = inAnswer(
  {
    name: "unknown-id-invalid",
    rule: "selector.unknown-id-code",
    kind: "wrong value",
    words: "the id of no market is answered with invalid_argument",
    operations: selectorEndpoints,
    scopes: ["each operation"],
  },
  ({ exchange, request, answer }, { subjects }) =>
    objectIn(request, "market").marketId === subjects.unknown.marketId &&
    (answer.kind === "success" || (answer.kind === "error" && answer.code === "not_found"))
      ? withError(exchange, "invalid_argument")
      : undefined,
);

/** Faults of candles, configurations, names and selectors. */
export const marketFaults: readonly FaultTemplate[] = [
  ...candleFaults,
  ...configFaults,
  ...nameFaults,
  ...selectorFaults,
  unknownIdInvalid,
];
