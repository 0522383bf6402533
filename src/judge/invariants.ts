/**
 * Invariants: rules that can be judged on a single exchange, from the request, its answer and what is known of the
 * target. They are judged on every exchange that they apply to, whichever check made it.
 */

import { isJsonObject, type JsonObject } from "../connect/json.js";
import { type RuleId, ruleById } from "../specification/catalogue/index.js";
import type { Endpoint, orderEndpoints, PagedEndpoint, positionEndpoints } from "../specification/endpoints.js";
import {
  orderEndpoints as endpointsWithOrders,
  positionEndpoints as endpointsWithPositions,
} from "../specification/endpoints.js";
import { groupBy } from "../specification/group-by.js";
import { pageLimitMax } from "../specification/limits.js";
import type { Readings } from "../specification/readings.js";
import {
  levelCountFits,
  levelsSorted,
  marketIs,
  notCrossed,
  pricesDistinct,
  runningTotals,
  shownWithinTotal,
  sidesSortedAlike,
  sizeUnitIs,
} from "./book.js";
import {
  atMostLevels,
  offsetIs,
  offsetLeaves,
  offsetLeavesSome,
  pageSizeFits,
  showsFirstOrders,
  showsWholeBook,
  withinLimitPerBook,
  withinLimitPerSide,
} from "./book-request.js";
import { bucketsAligned, bucketsSpaced, tickSizeIs } from "./buckets.js";
import { bodyWithinWick, spacedBy, withinRange } from "./candles.js";
import { type Judgement, judgeThat, nothingSeen, withSearchedPlaces } from "./judgement.js";
import {
  listedOrders,
  type OrderEndpoint,
  type PositionEndpoint,
  placesOfOrders,
  type ShownBody,
  shownOrders,
  shownPositions,
} from "./located-rows.js";
import { configures } from "./markets.js";
import { emptyListing, onlyActive, ordersOfMarket, ordersOwnedBy } from "./order-lists.js";
import { newestFirst } from "./ordering.js";
import {
  eachOrderOnce,
  initialNotionals,
  noInitialNotionals,
  noRebatesOnOpenings,
  sizesAddUp,
  sizesMatchStatus,
  thresholdNotionals,
} from "./orders.js";
import {
  atMostLimit,
  emptyBeyondEnd,
  fullPage,
  limitInForce,
  offsetInForce,
  orderPage,
  type Page,
  pageOf,
  pageOfSize,
  someRows,
  stableEnd,
  totalForm,
  totalIsWhereRowsEnd,
} from "./paging.js";
import { isOfKnownWallet, isOfUnknownWallet, type KnownSubjects, type ParsedRequest } from "./parsed-request.js";
import { ownersAre, portfolioOwner } from "./portfolio.js";
import {
  associatedListsAgree,
  associatedMarkets,
  associatedOwners,
  eachPositionOnce,
  effectiveSizes,
  unrealizedPnlSigns,
} from "./positions.js";
import { candlesOf, marketIdOf, ordersOf, portfolioOf, positionsOf } from "./read.js";
import { resolvesTo } from "./relations.js";
import { fullSnapshots, type Messages, orderReferences, positionsOwnedBy } from "./snapshots.js";
import { judgeWireRule } from "./wire-rule.js";

/** What an invariant needs besides the answer. */
export interface InvariantContext {
  readonly asked: ParsedRequest;
  readonly known: KnownSubjects;
  readonly readings: Readings;
}

/** A rule on single exchanges of one operation. A rule may have several invariants. */
export interface Invariant {
  readonly rule: RuleId;
  readonly endpoint: Endpoint;
  /** Which requests it applies to; all requests of the operation when absent. */
  readonly where?: (asked: ParsedRequest, known: KnownSubjects) => boolean;
  readonly judge: (body: ShownBody, context: InvariantContext) => Judgement;
  /** True if the rule says that such a request succeeds: an error violates it. */
  readonly answered?: true;
  /** True if the rule holds for any subset of the rows, so that a sample of a large answer is enough. */
  readonly ofAnyRows?: true;
  /** True for wire rules, which are judged on every answer anyway. */
  readonly ofWire?: true;
  /**
   * What must not change between reads, as comparable text. If set, the request is repeated before a violation counts (P3).
   */
  readonly stable?: (body: JsonObject) => string;
}

/** The invariants of an operation. */
export function invariantsOf(endpoint: Endpoint): readonly Invariant[] {
  return byEndpoint.get(endpoint) ?? [];
}

/** The invariants of a rule: one or more for each of its operations. */
export function invariantsFor(rule: RuleId): readonly Invariant[] {
  return invariants.filter((invariant) => invariant.rule === rule);
}

/** Whether an invariant applies to a request. */
export function appliesTo({ where }: Invariant, asked: ParsedRequest, known: KnownSubjects): boolean {
  return where === undefined || where(asked, known);
}

type BodyInvariant = (body: JsonObject, context: InvariantContext) => Judgement;

/** An invariant on the body of a unary answer. */
function onBody(
  endpoint: Endpoint,
  rule: RuleId,
  judge: BodyInvariant,
  more: Pick<Invariant, "where" | "answered" | "ofAnyRows" | "stable"> = {},
): Invariant {
  return { rule, endpoint, judge: (body, context) => judge(body as JsonObject, context), ...more };
}

/** Whether a request names a limit that is neither a default nor above the cap. */
const hasUsableLimit = ({ limit = 0 }: ParsedRequest) => limit > 0 && limit <= pageLimitMax;

/** The invariants that both listings share (§2 PaginationInfo, §4.1, §4.3). */
function listing(endpoint: PagedEndpoint, prefix: "get-all-positions" | "get-all-orders") {
  type OfPage = (page: Page, asked: ParsedRequest) => Judgement;
  const onPage = (rule: RuleId, judge: OfPage, more: Parameters<typeof onBody>[3] = {}) =>
    onBody(endpoint, rule, (body, { asked }) => judge(pageOf(endpoint, body), asked), more);
  const whileStable = { stable: (body: JsonObject) => stableEnd(pageOf(endpoint, body)) };
  const sized = (rule: RuleId, where: NonNullable<Invariant["where"]>, why: string) => [
    onPage(rule, (page, asked) => pageOfSize(page, asked, why), {
      where,
      // If a request without a limit is refused, the cause is something other than its limit.
      ...(rule.endsWith("default") ? {} : { answered: true }),
      ...whileStable,
    }),
    onPage(rule, atMostLimit, { where }),
  ];
  const isAboveCap = ({ limit = 0 }: ParsedRequest) => limit > pageLimitMax;
  const limits = [
    ...sized(`${prefix}.limit-default`, ({ limit }) => limit === undefined, "the default"),
    ...sized(`${prefix}.limit-zero`, ({ limit }) => limit === 0, "zero is an omitted limit"),
    ...sized(`${prefix}.limit-cap`, isAboveCap, "the cap"),
    onPage(`${prefix}.limit-cap`, (page, { offset = 0 }) => someRows(page, offset), { where: isAboveCap }),
    onPage("pagination.limit", (page, { limit = 0 }) => limitInForce(page, limit, "as requested"), {
      where: hasUsableLimit,
    }),
    onPage("pagination.row-count", atMostLimit, { where: hasUsableLimit }),
    onPage("pagination.row-count", fullPage, { where: hasUsableLimit, ...whileStable }),
  ];

  const isFirst = ({ offset = 0 }: ParsedRequest) => offset === 0;
  const isLater = ({ offset = 0 }: ParsedRequest) => offset > 0;
  const offsetWithin: OfPage = (page, { offset = 0 }) =>
    offset > (page.pagination?.totalCount ?? offset)
      ? nothingSeen("an offset within the listing")
      : offsetInForce(page, offset);
  const offsets = [
    onPage(`${prefix}.offset-default`, (page) => offsetInForce(page, 0), { where: isFirst }),
    onPage("pagination.offset", offsetWithin, { where: isLater }),
    onBody(
      endpoint,
      "pagination.offset-beyond-end",
      (body, { asked: { offset = 0 }, readings }) => emptyBeyondEnd(pageOf(endpoint, body), offset, readings.P6),
      { where: isLater, answered: true },
    ),
  ];

  const isOfOrders = endpoint === "GetAllOrders";
  const formOfTotal = isOfOrders ? "pagination.total-count-decimal-string" : "pagination.total-count-integer";
  return [
    onBody(endpoint, "pagination.present", ({ pagination }) =>
      judgeThat(isJsonObject(pagination), {
        path: "pagination",
        expected: "a pagination object",
        seen: "nothing",
      }),
    ),
    ...limits,
    ...offsets,
    onPage("pagination.total-count", totalIsWhereRowsEnd, { where: hasUsableLimit, ...whileStable }),
    onBody(endpoint, formOfTotal, (body) => totalForm(endpoint, body)),
    onBody(
      endpoint,
      `${prefix}.sorted-by-timestamp`,
      (body) => (isOfOrders ? newestFirst("orders", ordersOf(body)) : newestFirst("positions", positionsOf(body))),
      { ofAnyRows: true },
    ),
  ];
}

/** The invariants on single orders and positions, wherever they are shown (§2 Order, §2 Position). */
function resources(): readonly Invariant[] {
  const ofOrders = (rule: RuleId, judge: (orders: ReturnType<typeof shownOrders>) => Judgement): readonly Invariant[] =>
    endpointsWithOrders.map((endpoint: (typeof orderEndpoints)[number]) => ({
      rule,
      endpoint,
      judge: (body) => judge(shownOrders(endpoint, body)),
      ofAnyRows: true,
    }));
  const ofPositions = (
    rule: RuleId,
    judge: (positions: ReturnType<typeof shownPositions>) => Judgement,
    endpoints: readonly (typeof positionEndpoints)[number][] = endpointsWithPositions,
  ): readonly Invariant[] =>
    endpoints.map((endpoint) => ({
      rule,
      endpoint,
      judge: (body) => judge(shownPositions(endpoint, body)),
      ofAnyRows: true,
    }));
  const listed = ["GetAllOrders", "GetOrders", "GetPortfolio"] as const;
  return [
    ...listed.map(
      (endpoint): Invariant => ({
        rule: "order.identity",
        endpoint,
        judge: (body) => eachOrderOnce(listedOrders(endpoint, body)),
        ofAnyRows: true,
      }),
    ),
    ...ofOrders("order.sizes-add-up", sizesAddUp),
    ...ofOrders("order.sizes-match-status", sizesMatchStatus),
    ...ofOrders("order.initial-notional", initialNotionals),
    ...ofOrders("order.initial-notional-reduce-only", noInitialNotionals),
    ...ofOrders("order.initial-margin-reduce-only", thresholdNotionals),
    ...ofOrders("order.rebates-opening", noRebatesOnOpenings),
    ...ofPositions("position.identity", eachPositionOnce),
    ...ofPositions("position.effective-size", effectiveSizes),
    ...ofPositions("position.unrealized-pnl-sign", unrealizedPnlSigns),
    ...ofPositions("position.associated-orders-market", associatedMarkets),
    ...ofPositions("position.associated-orders-owner", associatedOwners, ["GetAllPositions"]),
    ...ofPositions("position.associated-orders-agree", associatedListsAgree),
  ];
}

/** Rules on how fields are written, wherever they occur (§1). */
export const fieldRules = [
  "wire.owner-evm-address",
  "wire.owner-lowercase",
  "wire.result-present",
  "wire.nested-objects-present",
  "wire.container-type",
  "wire.string-type",
  "wire.boolean-type",
  "wire.integer-type",
  "wire.side-values",
  "wire.enum-values-written",
  "wire.int64-as-string",
  "wire.int64-decimal",
  "wire.number-type",
  "wire.timestamp-rfc3339",
  "wire.timestamp-letters",
  "wire.timestamp-present",
  "wire.no-null",
] as const satisfies readonly RuleId[];

/** Rules that need a known wallet: whether an unknown wallet or market brings a result object is left open (S4, R12). */
export const needsSubject: ReadonlySet<RuleId> = new Set(["wire.result-present", "wire.nested-objects-present"]);

/** Rules on how a field is written (§1, §2), each with the data that it needs to be judged. */
const written: readonly (readonly [rule: RuleId, missing?: string])[] = [
  ...fieldRules.map((rule) => [rule] as const),
  ["position.margin-type-isolated", "a position with the field"],
  ["position.additional-field-types", "a position with an additional field"],
  ["order.type-market", "an order with the field"],
  ["order.canceled-never-set", "an order with the field"],
  ["order.reduce-order-type-values", "an order with the field"],
  ["order.reduce-order-type-empty", "an order with the field"],
  ["order.additional-field-types", "an order with an additional field"],
];

/** Where a field that may be absent is looked for, by rule. */
const searched: Partial<Record<RuleId, (endpoint: Endpoint, body: ShownBody) => readonly unknown[]>> = {
  "position.additional-field-types": (endpoint, body) => shownPositions(endpoint as PositionEndpoint, body),
  "order.additional-field-types": (endpoint, body) => placesOfOrders(endpoint as OrderEndpoint, body),
};

const ofWire: readonly Invariant[] = written.flatMap(([rule, missing]) =>
  ruleById(rule).endpoints.map((endpoint): Invariant => {
    const places = searched[rule];
    const judge = (body: ShownBody) => judgeWireRule(rule, endpoint, body, missing);
    return {
      rule,
      endpoint,
      judge: places ? (body) => withSearchedPlaces(places(endpoint, body), judge(body)) : judge,
      ofAnyRows: true,
      ofWire: true,
      ...(needsSubject.has(rule) && { where: isOfSubject }),
    };
  }),
);

function isOfSubject({ wallet }: ParsedRequest, { unknown }: KnownSubjects): boolean {
  return wallet !== unknown.wallet;
}

const walletOf = ({ asked: { wallet = "" } }: InvariantContext) => wallet;

const ofOrderLists: readonly Invariant[] = [
  onBody(
    "GetAllOrders",
    "get-all-orders.address-filter",
    (body, context) => ordersOwnedBy(walletOf(context), ordersOf(body)),
    { where: isOfKnownWallet, ofAnyRows: true },
  ),
  onBody("GetAllOrders", "get-all-orders.unknown-wallet", (body) => emptyListing(orderPage(body)), {
    where: isOfUnknownWallet,
    answered: true,
  }),
  onBody("GetAllOrders", "get-all-orders.only-open", (body) => onlyActive(listedOrders("GetAllOrders", body)), {
    where: ({ onlyOpen }) => onlyOpen,
    ofAnyRows: true,
  }),
  onBody("GetOrders", "get-orders.owner", (body, context) => ordersOwnedBy(walletOf(context), ordersOf(body)), {
    where: isOfKnownWallet,
    ofAnyRows: true,
  }),
  onBody("GetOrders", "get-orders.unknown-wallet", (body) => emptyListing(orderPage(body)), {
    where: isOfUnknownWallet,
    answered: true,
  }),
  onBody(
    "GetOrders",
    "get-orders.market-filter",
    (body, { asked: { marketId = "" } }) => ordersOfMarket(marketId, ordersOf(body)),
    { where: (asked, known) => asked.marketId !== undefined && isOfKnownWallet(asked, known), ofAnyRows: true },
  ),
  onBody("GetOrders", "get-orders.sorted-by-timestamp", (body) => newestFirst("orders", ordersOf(body)), {
    ofAnyRows: true,
  }),
  onBody("GetPortfolio", "portfolio.owner", (body, context) => portfolioOwner(portfolioOf(body), walletOf(context)), {
    where: isOfKnownWallet,
    ofAnyRows: true,
  }),
  onBody(
    "GetPortfolio",
    "portfolio.nested-owners",
    (body, context) =>
      ownersAre([...shownPositions("GetPortfolio", body), ...shownOrders("GetPortfolio", body)], walletOf(context)),
    { where: isOfKnownWallet, ofAnyRows: true },
  ),
  onBody("GetPortfolio", "portfolio.orders-open-only", (body) => onlyActive(listedOrders("GetPortfolio", body)), {
    ofAnyRows: true,
  }),
];

const ofStream: readonly Invariant[] = [
  {
    rule: "get-open-positions-streaming.owner",
    endpoint: "GetOpenPositionsStreaming",
    judge: (body, context) => positionsOwnedBy(walletOf(context))(body as Messages),
  },
  {
    rule: "get-open-positions-streaming.full-snapshot",
    endpoint: "GetOpenPositionsStreaming",
    judge: (body, context) => fullSnapshots(walletOf(context))(body as Messages),
  },
  {
    rule: "get-open-positions-streaming.order-references",
    endpoint: "GetOpenPositionsStreaming",
    judge: (body) => orderReferences(body as Messages),
  },
];

const book = (rule: RuleId, judge: BodyInvariant, where?: Invariant["where"]): Invariant =>
  onBody("GetOrderBook", rule, judge, where ? { where } : {});
const bucketed = ({ tick = 0 }: ParsedRequest) => tick > 0;
/** The default limit counts like any other limit: per side or per book (B2). */
const withinDefaultLimit: BodyInvariant = (body, { asked: { offset }, readings }) =>
  (readings.B2 === "per-book" ? withinLimitPerBook : withinLimitPerSide)(body, undefined, offset);

const ofOrderBook: readonly Invariant[] = [
  book("order-book.market-id", (body, { asked: { marketId = "" } }) => marketIs(body, marketId)),
  book("order-book.page-size", (body, { asked, readings }) => pageSizeFits(body, asked, readings.B1)),
  book("order-book.offset", (body, { asked: { offset } }) => offsetIs(body, offset)),
  book("order-book.total-order-count", (body) => shownWithinTotal(body)),
  book("order-book.level-count", (body, { asked: { levels }, readings }) => levelCountFits(body, levels, readings.B5)),
  book(
    "order-book.levels-maximum",
    (body, { asked: { levels = 0 } }) => atMostLevels(body, levels),
    ({ levels = 0 }) => levels > 0,
  ),
  book(
    "order-book.tick-size-zero",
    (body) => tickSizeIs(body, 0, "bucketing is off"),
    ({ tick }) => tick === 0,
  ),
  book(
    "order-book.tick-size-applied",
    (body, { asked: { tick = 0 } }) => tickSizeIs(body, tick, "the requested bucket size"),
    ({ tick = 0, belowMinimum }) => tick > 0 && !belowMinimum,
  ),
  onBody(
    "GetOrderBook",
    "order-book.tick-size-below-minimum",
    (body, { asked: { tick = 0 } }) => tickSizeIs(body, tick, "the minimum tick, to which smaller sizes are clamped"),
    { where: ({ belowMinimum }) => belowMinimum, answered: true },
  ),
  book("order-book.size-in-usd-flag", (body, { asked: { sizeInUsd } }) => sizeUnitIs(body, sizeInUsd)),
  book("order-book.limit-default", withinDefaultLimit, ({ limit }) => limit === undefined),
  book("order-book.limit-zero", withinDefaultLimit, ({ limit }) => limit === 0),
  book(
    "order-book.limit-per-side",
    (body, { asked: { limit, offset } }) => withinLimitPerSide(body, limit, offset),
    ({ limit = 0 }) => limit > 0,
  ),
  book(
    "order-book.limit-large",
    (body, { asked: { limit = 0 } }) => showsWholeBook(body, limit),
    ({ limit = 0, offset = 0, levels = 0 }) => limit > 0 && offset === 0 && levels === 0,
  ),
  book("order-book.limit-per-book", (body, { asked: { limit, offset } }) => withinLimitPerBook(body, limit, offset)),
  book(
    "order-book.offset-skips-orders",
    (body, { asked: { limit = 0, offset = 0, levels = 0 } }) => offsetLeaves(body, { limit, offset, levels }),
    ({ offset = 0 }) => offset > 0,
  ),
  book(
    "order-book.offset-skips-orders",
    (body, { asked: { offset = 0 } }) => offsetLeavesSome(body, offset),
    ({ offset = 0 }) => offset > 0,
  ),
  book(
    "order-book.parts-make-whole",
    (body, { asked: { limit = 0 } }) => showsFirstOrders(body, limit),
    ({ limit = 0, offset = 0, levels }) => limit > 0 && offset === 0 && levels === undefined,
  ),
  book("order-book.bucket-spacing", (body, { asked: { tick = 0 } }) => bucketsSpaced(body, tick), bucketed),
  book("order-book.bucket-alignment", (body, { asked: { tick = 0 } }) => bucketsAligned(body, tick), bucketed),
  book("order-book.cumulative-total", (body) => runningTotals(body)),
  book("order-book.levels-sorted", (body, { readings }) => levelsSorted(body, readings.B4)),
  book("order-book.prices-distinct", (body, { asked: { tick } }) => pricesDistinct(body, tick)),
  book("order-book.sides-sorted-alike", (body) => sidesSortedAlike(body)),
  book(
    "order-book.not-crossed",
    (body) => notCrossed(body),
    ({ tick }) => tick === 0,
  ),
];

const ofMarkets: readonly Invariant[] = [
  onBody(
    "GetMarketConfigs",
    "get-market-configs.market-id",
    (body, { asked: { marketId = "" } }) => configures(marketId, body),
    { where: ({ bySymbols }) => !bySymbols },
  ),
  onBody("GetMarketConfigs", "selector.by-symbol", (body, { asked: { marketId = "" } }) => configures(marketId, body), {
    where: ({ bySymbols }) => bySymbols,
  }),
  onBody(
    "GetMarketIdByName",
    "relations.market-id-configs",
    (body, { asked: { marketId = "" } }) => resolvesTo(marketId, marketIdOf(body)),
    { where: ({ padded, recased }) => !padded && !recased },
  ),
  onBody(
    "GetHistoricalPrices",
    "get-historical-prices.range",
    (body, { asked: { interval = "60", startTime = "", endTime = "" } }) =>
      withinRange({ interval, startTime, endTime }, candlesOf(body)),
    { ofAnyRows: true },
  ),
  onBody(
    "GetHistoricalPrices",
    "get-historical-prices.interval-spacing",
    (body, { asked: { interval = "60" } }) => spacedBy(interval, candlesOf(body)),
    { ofAnyRows: true },
  ),
  onBody("GetHistoricalPrices", "candlestick.low-high", (body) => bodyWithinWick(candlesOf(body)), { ofAnyRows: true }),
];

/** All invariants. */
export const invariants: readonly Invariant[] = [
  ...listing("GetAllPositions", "get-all-positions"),
  ...listing("GetAllOrders", "get-all-orders"),
  ...resources(),
  ...ofWire,
  ...ofOrderLists,
  ...ofStream,
  ...ofOrderBook,
  ...ofMarkets,
];

const byEndpoint = groupBy(invariants, ({ endpoint }) => endpoint);
