/** Faults in what positions, orders and references say (§2), wherever they are shown. */
import type { JsonObject } from "../../connect/json.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import { activeOrderStatuses, type OrderStatus, orderStatuses } from "../../specification/enums.js";
import { memoize } from "../../specification/memoize.js";
import type { FaultTemplate, ScopeName } from "../fault.js";
import { anotherId, listIn, numberIn, scaled, textIn, withField } from "../fields.js";
import { keyOfRow, type ObservedPlatform } from "../platform.js";
import { faultsIn, inEach } from "./define.js";

const usual: readonly ScopeName[] = ["each operation", "one market", "one wallet"];
const inOperations: readonly ScopeName[] = ["each operation"];

const inPosition = faultsIn("position", usual);
const inOrder = faultsIn("order", usual);
const inReference = faultsIn("reference", usual);
const inPortfolio = faultsIn("portfolio", ["one wallet"]);

/** The part of an order's status that fault names use: `partially-filled`. */
export const statusSlug = (status: OrderStatus) =>
  status.slice("ORDER_STATUS_".length).toLowerCase().replaceAll("_", "-");

const otherSide = (row: JsonObject) => (row.side === "SIDE_LONG" ? "SIDE_SHORT" : "SIDE_LONG");
const isReduceOnly = (row: JsonObject) => row.reduceOnly === true;

/** A wallet other than the owner of a row. */
function anotherOwner(row: JsonObject, { subjects }: ObservedPlatform): string {
  return subjects.wallets.find(({ address }) => address !== row.owner)?.address ?? subjects.unknown.wallet;
}

const ofLostMarket = {
  needs: "an order of a market that GetMarketConfigs does not know",
  scopes: inOperations,
};

const positionFaults: readonly FaultTemplate[] = [
  inPosition("position-shown-twice", "position.identity", "row doubled", "a position is shown twice", (row) => [
    row,
    row,
  ]),
  inPosition(
    "position-id-of-another-order",
    "position.opening-order",
    "wrong value",
    "a position has the id of an order that did not open it",
    (row) => withField(row, "positionId", anotherId(row.positionId)),
  ),
  inPosition(
    "position-older-than-its-order",
    "position.timestamp-not-before-opening",
    "wrong value",
    "a position's time is a year before that of its order",
    (row) =>
      withField(
        row,
        "timestamp",
        textIn(row, "timestamp").replace(/^\d{4}/, (year) => String(Number(year) - 1)),
      ),
  ),
  inPosition(
    "position-market-renamed",
    "position.market-name",
    "wrong value",
    "a position's market has another name than its configuration gives it",
    (row) => (textIn(row, "market") === "" ? row : withField(row, "market", `${textIn(row, "market")} PERP`)),
  ),
  inPosition(
    "position-cross-margin",
    "position.margin-type-isolated",
    "wrong value",
    "a position has cross margin",
    (row) => withField(row, "marginType", "MARGIN_TYPE_CROSS"),
  ),
  inPosition(
    "margin-type-in-small-letters",
    "position.margin-type-isolated",
    "wrong form",
    "marginType is written in small letters",
    (row) => withField(row, "marginType", "isolated"),
    { scopes: inOperations },
  ),
  frozen("position-mark-price-frozen", "position.mark-price-current", "markPrice"),
  frozen("position-pnl-frozen", "position.unrealized-pnl-recomputed", "unrealizedPnl"),
  inPosition(
    "closed-position-mark-price",
    "position.closed-mark-price",
    "stale value",
    "a closed position keeps another mark price",
    (row, { open }) => (open.has(keyOfRow(row)) ? row : scaled(row, "markPrice", 1.5)),
    { operations: ["GetAllPositions"], needs: "a closed position", scopes: ["one market"] },
  ),
  inPosition(
    "position-leverage-doubled",
    "position.leverage-at-opening",
    "wrong value",
    "a position's leverage is twice that of its order",
    (row) => scaled(row, "leverage", 2),
  ),
  inPosition(
    "position-pnl-sign",
    "position.unrealized-pnl-sign",
    "wrong value",
    "unrealizedPnl has the opposite sign",
    (row) => scaled(row, "unrealizedPnl", -1),
    { scopes: [...usual, "one side", "later pages"] },
  ),
  inPosition(
    "associated-order-of-another-market",
    "position.associated-orders-market",
    "foreign row",
    "an associated order is of another market",
    (row) => inFirst(row, "associatedOrders", (order) => withField(order, "marketId", anotherId(order.marketId))),
  ),
  inPosition(
    "reference-to-another-market",
    "position.associated-orders-market",
    "foreign row",
    "a reference names another market",
    (row) =>
      inFirst(row, "associatedOrderIds", (reference) =>
        withField(reference, "marketId", anotherId(reference.marketId)),
      ),
  ),
  inPosition(
    "associated-order-of-another-wallet",
    "position.associated-orders-owner",
    "foreign row",
    "an associated order is another wallet's",
    (row, platform) =>
      inFirst(row, "associatedOrders", (order) => withField(order, "owner", anotherOwner(row, platform))),
    { operations: ["GetAllPositions"], scopes: ["one market", "one wallet", "later pages"] },
  ),
  inPosition(
    "last-reference-missing",
    "position.associated-orders-agree",
    "row missing",
    "the last associated order is not among the references",
    (row) => {
      const references = listIn(row, "associatedOrderIds");
      return references.length < 2 || listIn(row, "associatedOrders").length === 0
        ? row
        : withoutLast(row, "associatedOrderIds");
    },
  ),
  inPosition(
    "reference-doubled",
    "position.associated-orders-agree",
    "row doubled",
    "the first reference is there twice",
    (row) => {
      const references = listIn(row, "associatedOrderIds");
      // Without the orders, nothing tells how many references there should be.
      if (references.length === 0 || listIn(row, "associatedOrders").length === 0) return row;
      return withField(row, "associatedOrderIds", [...references.slice(0, 1), ...references]);
    },
  ),
  inPosition(
    "position-tick-decimals",
    "position.tick-decimals",
    "wrong value",
    "a position's tickDecimals is one more than its market's",
    (row) => withField(row, "tickDecimals", numberIn(row, "tickDecimals") + 1),
  ),
  inPosition(
    "effective-size-scaled",
    "position.effective-size",
    "wrong value",
    "effectiveSize is nine tenths of nominalSize",
    (row) => scaled(row, "effectiveSize", 0.9),
    { scopes: [...usual, "one side", "later pages"] },
  ),
  inPosition(
    "effective-size-left-out",
    "position.effective-size",
    "field missing",
    "effectiveSize is left out",
    (row) => (numberIn(row, "effectiveSize") === 0 ? row : withField(row, "effectiveSize", undefined)),
    { scopes: inOperations },
  ),
  inPosition(
    "estimated-rebate-scaled",
    "position.estimated-rebate",
    "wrong value",
    "estimatedRebate is twice what revenue gives",
    (row) => (numberIn(row, "estimatedRebate") === -1 ? row : scaled(row, "estimatedRebate", 2)),
    { scopes: [...usual, "one side"] },
  ),
  inPosition(
    "estimated-rebate-of-lost-market",
    "position.estimated-rebate-market-unavailable",
    "wrong value",
    "estimatedRebate has a value though the market cannot be loaded",
    (row, platform) => (isOrphan(row, platform) ? withField(row, "estimatedRebate", 4.2) : row),
    { needs: "a position of a market that GetMarketConfigs does not know", scopes: inOperations },
  ),
  ...(
    [
      ["stopLossPrice", "stop-loss", "position.stop-loss-price"],
      ["takeProfitPrice", "take-profit", "position.take-profit-price"],
    ] as const
  ).flatMap(([field, name, rule]) => {
    const needs = `a position with a ${name} order that is active`;
    return [
      inPosition(
        `position-${name}-lost`,
        rule,
        "field missing",
        `${field} is 0 though such an order is active`,
        (row) => (numberIn(row, field) === 0 ? row : withField(row, field, 0)),
        { needs, scopes: [...usual, "one side"] },
      ),
      inPosition(
        `position-${name}-kept`,
        rule,
        "stale value",
        `${field} has a value though no such order is active`,
        (row) => (numberIn(row, field) === 0 ? withField(row, field, numberIn(row, "entryPrice")) : row),
      ),
      inPosition(
        `position-${name}-negative`,
        rule,
        "wrong value",
        `${field} is negative`,
        (row) => scaled(row, field, -1),
        { needs, scopes: inOperations },
      ),
    ];
  }),
];

const orderFaults: readonly FaultTemplate[] = [
  inOrder("order-shown-twice", "order.identity", "row doubled", "an order is listed twice", (row) => [row, row], {
    operations: ["GetAllOrders", "GetOrders", "GetPortfolio"],
    scopes: [...usual, "reduce-only orders", "later pages"],
  }),
  inOrder(
    "lost-market-without-name",
    "order.market-fallback",
    "field missing",
    "an order of a market without metadata has no market name",
    (row, platform) => (isOrphan(row, platform) ? withField(row, "market", "") : row),
    ofLostMarket,
  ),
  inOrder(
    "lost-market-by-another-id",
    "order.market-fallback",
    "wrong value",
    "the fallback name has another market's id",
    (row, platform) => (isOrphan(row, platform) ? withField(row, "market", `MARKET-${anotherId(row.marketId)}`) : row),
    ofLostMarket,
  ),
  inOrder(
    "lost-market-keeps-name",
    "order.market-fallback-stored-name",
    "stale value",
    "orders of a market without metadata keep a name from before",
    (row, platform) => (isOrphan(row, platform) ? withField(row, "market", "OLD/USD") : row),
    ofLostMarket,
  ),
  inOrder(
    "market-fallback-always",
    "order.market-fallback-only-then",
    "wrong value",
    "an order's market is called MARKET-<id> though its metadata is there",
    (row, platform) => (isKnown(row, platform) ? withField(row, "market", `MARKET-${row.marketId}`) : row),
    { scopes: [...usual, "reduce-only orders", "later pages"] },
  ),
  inOrder(
    "market-name-lost",
    "order.market-fallback-only-then",
    "field missing",
    "an order's market name is empty",
    (row, platform) => (isKnown(row, platform) ? withField(row, "market", undefined) : row),
    { scopes: [...usual, "reduce-only orders"] },
  ),
  inOrder(
    "order-market-renamed",
    "order.market-name",
    "wrong value",
    "an order's market has another name than its configuration gives it",
    (row, platform) => (isKnown(row, platform) ? withField(row, "market", `${textIn(row, "market")} PERP`) : row),
  ),
  inOrder(
    "order-limit-type",
    "order.type-market",
    "wrong value",
    "an order has the type ORDER_TYPE_LIMIT",
    (row) => withField(row, "type", "ORDER_TYPE_LIMIT"),
    { scopes: [...usual, "reduce-only orders"] },
  ),
  inOrder(
    "reduce-only-side-flipped",
    "order.reduce-only-side",
    "wrong value",
    "a reduce-only order has the side that it closes with",
    (row) => (isReduceOnly(row) ? withField(row, "side", otherSide(row)) : row),
  ),
  inOrder(
    "reduce-only-leverage",
    "order.reduce-only-leverage",
    "wrong value",
    "a reduce-only order has one leverage more than its opening order",
    (row) =>
      isReduceOnly(row) && numberIn(row, "leverage") !== 0
        ? withField(row, "leverage", numberIn(row, "leverage") + 1)
        : row,
  ),
  inOrder(
    "filled-size-scaled",
    "order.sizes-add-up",
    "wrong value",
    "filledSize is half of what was filled",
    (row) => scaled(row, "filledSize", 0.5),
    { scopes: [...usual, "reduce-only orders"] },
  ),
  inOrder(
    "pending-order-half-filled",
    "order.sizes-match-status",
    "wrong value",
    "a pending order is filled by half",
    (row) => {
      if (row.status !== "ORDER_STATUS_PENDING") return row;
      const half = numberIn(row, "size") / 2;
      return { ...row, filledSize: half, unfilledSize: half };
    },
  ),
  inOrder("canceled-set", "order.canceled-never-set", "wrong value", "canceled is true of cancelled orders", (row) =>
    row.status === "ORDER_STATUS_CANCELLED" ? withField(row, "canceled", true) : row,
  ),
  inOrder(
    "reduce-only-margin-scaled",
    "order.initial-margin-reduce-only",
    "wrong value",
    "a reduce-only order's initialMargin is a tenth more than its notional",
    (row) => (isReduceOnly(row) ? scaled(row, "initialMargin", 1.1) : row),
  ),
  inOrder("opening-order-rebates", "order.rebates-opening", "wrong value", "an opening order has rebates", (row) =>
    isReduceOnly(row) ? row : withField(row, "rebates", 1.5),
  ),
  inOrder(
    "reduce-order-type-unknown",
    "order.reduce-order-type-values",
    "wrong value",
    "a reduce-only order's reduceOrderType is STOP",
    (row) => (isReduceOnly(row) ? withField(row, "reduceOrderType", "STOP") : row),
  ),
  inOrder(
    "reduce-order-type-in-small-letters",
    "order.reduce-order-type-values",
    "wrong form",
    "reduceOrderType is written in small letters",
    (row) =>
      isReduceOnly(row) ? withField(row, "reduceOrderType", textIn(row, "reduceOrderType").toLowerCase()) : row,
    { scopes: inOperations },
  ),
  inOrder(
    "opening-order-with-reduce-type",
    "order.reduce-order-type-empty",
    "wrong value",
    "an opening order's reduceOrderType is MANUAL",
    (row) => (isReduceOnly(row) ? row : withField(row, "reduceOrderType", "MANUAL")),
  ),
  inOrder(
    "initial-notional-scaled",
    "order.initial-notional",
    "wrong value",
    "initialNotional is a hundredth more than margin times leverage",
    (row) => (isReduceOnly(row) ? row : scaled(row, "initialNotional", 1.01)),
    { scopes: [...usual, "one side", "later pages"] },
  ),
  inOrder(
    "initial-notional-without-leverage",
    "order.initial-notional",
    "wrong value",
    "initialNotional is the margin, whatever the leverage",
    (row) => (isReduceOnly(row) ? row : withField(row, "initialNotional", row.initialMargin)),
  ),
  inOrder(
    "reduce-only-notional",
    "order.initial-notional-reduce-only",
    "wrong value",
    "a reduce-only order's initialNotional is its margin",
    (row) => (isReduceOnly(row) ? withField(row, "initialNotional", row.initialMargin) : row),
  ),
  inOrder(
    "order-tick-decimals",
    "order.tick-decimals",
    "wrong value",
    "an order's tickDecimals is one more than its market's",
    (row) => withField(row, "tickDecimals", numberIn(row, "tickDecimals") + 1),
  ),
  inOrder(
    "order-status-open",
    "states.order-status-values",
    "wrong value",
    "active orders have the status ORDER_STATUS_OPEN",
    (row) => (isActiveOrder(row) ? withField(row, "status", "ORDER_STATUS_OPEN") : row),
  ),
  inOrder(
    "order-status-by-number",
    "states.order-status-values",
    "wrong form",
    "an order's status is a number",
    (row) => withField(row, "status", orderStatuses.indexOf(row.status as OrderStatus) + 1),
    { scopes: ["each operation", "reduce-only orders"] },
  ),
  ...(["order", "position"] as const).flatMap((resource) => {
    const inRow = faultsIn(resource, usual);
    return [
      inRow(
        `${resource}-side-abbreviated`,
        "wire.side-values",
        "wrong form",
        `the side of ${resource}s is written LONG or SHORT`,
        (row) => withField(row, "side", textIn(row, "side").replace("SIDE_", "")),
      ),
      inRow(
        `${resource}-side-left-out`,
        "wire.side-values",
        "field missing",
        `the side of ${resource}s is left out`,
        (row) => withField(row, "side", undefined),
        { scopes: ["one wallet"] },
      ),
      inRow(
        `${resource}-long-side-left-out`,
        "wire.enum-values-written",
        "field missing",
        `SIDE_LONG is left out of ${resource}s`,
        (row) => (row.side === "SIDE_LONG" ? withField(row, "side", undefined) : row),
        { scopes: inOperations },
      ),
    ];
  }),
];

const referenceFaults: readonly FaultTemplate[] = [
  inReference("reference-id-in-hex", "order-ref.id-form", "wrong form", "a reference's orderId is hexadecimal", (row) =>
    withField(row, "orderId", `0x${BigInt(String(row.orderId)).toString(16)}`),
  ),
  inReference(
    "reference-id-negative",
    "order-ref.id-form",
    "wrong value",
    "a reference's orderId is negative",
    (row) => withField(row, "orderId", `-${row.orderId}`),
    { scopes: inOperations },
  ),
  inReference(
    "reference-to-no-order",
    "order-ref.names-an-order",
    "wrong value",
    "a reference's orderId is one off",
    (row) => withField(row, "orderId", String(BigInt(String(row.orderId)) + 1n)),
  ),
  inReference(
    "reference-rounded-to-double",
    "order-ref.names-an-order",
    "wrong value",
    "a reference's orderId is rounded to a double",
    (row) => {
      const rounded = BigInt(Number(row.orderId));
      return rounded === BigInt(String(row.orderId)) ? row : withField(row, "orderId", String(rounded));
    },
    { needs: "an order whose id is beyond 2^53" },
  ),
  inReference(
    "reference-to-the-other-kind",
    "order-ref.names-an-order",
    "wrong value",
    "a reference names a reduce-only order as an opening one, and the other way round",
    (row) => withField(row, "reduceOnly", !isReduceOnly(row)),
  ),
];

const portfolioFaults: readonly FaultTemplate[] = [
  inPortfolio(
    "portfolio-owner-of-another",
    "portfolio.owner",
    "wrong echo",
    "a portfolio's owner is another wallet",
    (row, platform) => withField(row, "owner", anotherOwner(row, platform)),
    { scopes: ["one wallet", "two fields"] },
  ),
  inPortfolio(
    "portfolio-owner-empty",
    "portfolio.owner",
    "field missing",
    "a portfolio's owner is empty",
    (row) => withField(row, "owner", undefined),
    { scopes: ["one wallet", "another way to write"] },
  ),
  inPortfolio(
    "portfolio-foreign-position",
    "portfolio.nested-owners",
    "foreign row",
    "a portfolio holds another wallet's position",
    (row, { positions }) => {
      const foreign = positions.find(({ owner }) => owner !== row.owner);
      return withAnother(row, "positions", foreign);
    },
    { scopes: ["one wallet", "two fields"] },
  ),
  inPortfolio(
    "portfolio-foreign-order",
    "portfolio.nested-owners",
    "foreign row",
    "a portfolio holds another wallet's order",
    (row, { orders }) => {
      const foreign = orders.find((order) => order.owner !== row.owner && isActiveOrder(order));
      return withAnother(row, "orders", foreign);
    },
    { scopes: ["one wallet", "another way to write"] },
  ),
  inPortfolio(
    "portfolio-terminal-order",
    "portfolio.orders-open-only",
    "filter forgotten",
    "a portfolio lists orders that are over",
    (row, { orders }) => {
      const over = orders.find((order) => order.owner === row.owner && !isActiveOrder(order));
      return withAnother(row, "orders", over);
    },
    { scopes: ["one wallet", "two fields"] },
  ),
  inPortfolio(
    "portfolio-order-missing",
    "relations.open-orders-agree",
    "row missing",
    "a portfolio lacks the oldest open order",
    (row) => withoutLast(row, "orders"),
  ),
  ...(["ORDER_STATUS_PARTIALLY_FILLED", "ORDER_STATUS_PARTIALLY_MERGED", "ORDER_STATUS_PENDING"] as const).map(
    (status) =>
      inPortfolio(
        `portfolio-without-${statusSlug(status)}-orders`,
        "relations.open-orders-agree",
        "row missing",
        `a portfolio lists no orders that are ${status}`,
        (row) => {
          const others = listIn(row, "orders").filter((order) => order.status !== status);
          return withField(row, "orders", others);
        },
        { needs: `an open order that is ${status}` },
      ),
  ),
  inPortfolio(
    "portfolio-position-missing",
    "relations.open-positions-agree",
    "row missing",
    "a portfolio lacks its oldest position",
    (row) => withoutLast(row, "positions"),
  ),
  inPortfolio(
    "portfolio-closed-position",
    "relations.open-positions-agree",
    "filter forgotten",
    "a portfolio lists a closed position",
    (row, { positions, open }) => {
      const closed = positions.find((position) => position.owner === row.owner && !open.has(keyOfRow(position)));
      return withAnother(row, "positions", closed);
    },
    { needs: "a wallet with a closed position" },
  ),
  inPortfolio(
    "portfolio-totals-cached",
    "get-portfolio.totals-not-cached",
    "stale value",
    "totalUnrealizedPnl stays what it was at first",
    (row, { successOf }, { asked }) => {
      const first = successOf("GetPortfolio", (view) => view.asked?.wallet === asked?.wallet)?.portfolio;
      const total = first && (first as JsonObject).totalUnrealizedPnl;
      return asked === undefined || total === undefined ? row : withField(row, "totalUnrealizedPnl", total);
    },
    { needs: "prices that move while the run goes on", scopes: [] },
  ),
  inEach(
    "body",
    {
      name: "result-left-out",
      rule: "wire.result-present",
      kind: "field missing",
      words: "a success has no result object",
      operations: ["GetPortfolio", "GetOrderBook", "GetMarketConfigs"],
      scopes: usual,
    },
    (row) => (Object.keys(row).length > 0 ? {} : row),
  ),
];

type RowChanges = Readonly<Record<string, (row: JsonObject) => JsonObject>>;

/** Moves the seconds of a row's time; `second` becomes `other`, and all others become `second`. */
const moved = (second: string, other: string) => (row: JsonObject) =>
  withField(
    row,
    "timestamp",
    textIn(row, "timestamp").replace(/:\d\d(?=[.Z+-])/, (seconds) => (seconds === second ? other : second)),
  );

const flipped = (row: JsonObject) => withField(row, "side", otherSide(row));

const tenfold = (...fields: readonly string[]): RowChanges =>
  Object.fromEntries(fields.map((field) => [field, (row) => scaled(row, field, 10)]));

/** Stored fields, which every operation must show alike (R16), each with a change that makes one operation differ. */
const storedOrderFields: RowChanges = {
  timestamp: moved(":00", ":01"),
  side: flipped,
  status: (row) =>
    withField(
      row,
      "status",
      row.status === "ORDER_STATUS_CLOSED" ? "ORDER_STATUS_FULLY_FILLED" : "ORDER_STATUS_CLOSED",
    ),
  ...tenfold("thresholdPrice", "size", "leverage", "filledSize", "unfilledSize", "initialMargin", "fees", "rebates"),
  ...tenfold("stopLossPrice", "takeProfitPrice"),
};

const storedPositionFields: RowChanges = {
  timestamp: moved(":59", ":58"),
  side: flipped,
  ...tenfold("entryPrice", "allocatedMargin", "leverage", "revenueSpent", "stopLossPrice", "takeProfitPrice"),
  nominalSize: (row) => scaled(scaled(row, "nominalSize", 10), "effectiveSize", 10),
};

const storedFaults: readonly FaultTemplate[] = [
  ...stored("order", storedOrderFields, "relations.order-stored-state"),
  ...stored("position", storedPositionFields, "relations.position-stored-state"),
];

function stored(resource: "order" | "position", fields: RowChanges, rule: RuleId): readonly FaultTemplate[] {
  return Object.entries(fields).map(([field, change]) =>
    faultsIn(resource, inOperations)(
      `${resource}-${field}-of-another-state`,
      rule,
      "stale value",
      `${resource === "order" ? "an order" : "a position"}'s ${field} is not what other operations show`,
      change,
      { onlyInScopes: true },
    ),
  );
}

/** Faults in positions, orders, references and portfolios. */
export const resourceFaults: readonly FaultTemplate[] = [
  ...positionFaults,
  ...orderFaults,
  ...referenceFaults,
  ...portfolioFaults,
  ...storedFaults,
];

/** A field that keeps its first value; shows only when the market moves. */
function frozen(name: string, rule: RuleId, field: string): FaultTemplate {
  return inPosition(
    name,
    rule,
    "stale value",
    `${field} stays what it was at first`,
    (row, platform) => {
      const first = firstByKey(platform).get(keyOfRow(row));
      return first === undefined ? row : withField(row, field, numberIn(first, field));
    },
    { needs: "prices that move while the run goes on", onlyInScopes: true, scopes: inOperations },
  );
}

/** Each position as it was first seen. */
const firstByKey = memoize(
  ({ firstPositions }: ObservedPlatform) => new Map(firstPositions.map((row) => [keyOfRow(row), row])),
);

function withAnother(row: JsonObject, field: string, other: JsonObject | undefined): JsonObject {
  return other ? withField(row, field, [...listIn(row, field), other]) : row;
}

function withoutLast(row: JsonObject, field: string): JsonObject {
  const all = listIn(row, field);
  return all.length > 0 ? withField(row, field, all.slice(0, -1)) : row;
}

/** Changes the first element of a list. */
function inFirst(row: JsonObject, field: string, change: (one: JsonObject) => JsonObject): JsonObject {
  const [first, ...others] = listIn(row, field);
  return first ? withField(row, field, [change(first), ...others]) : row;
}

/** Whether an order is open. */
export function isActiveOrder(order: JsonObject): boolean {
  return (activeOrderStatuses as readonly unknown[]).includes(order.status);
}

function isOrphan({ marketId }: JsonObject, { subjects }: ObservedPlatform): boolean {
  return subjects.orphanMarkets.some((market) => market.marketId === String(marketId));
}

function isKnown({ marketId }: JsonObject, { subjects }: ObservedPlatform): boolean {
  return subjects.markets.some((market) => market.marketId === String(marketId) && market.name !== undefined);
}
