/** Faults in what positions, orders and references say (§2), wherever they are shown. */
import type { JsonObject } from "../../connect/json.js";
import { activeOrderStatuses, orderStatuses } from "../../specification/enums.js";
import type { FaultTemplate, ScopeName } from "../fault.js";
import { keyOfRow, type ObservedPlatform } from "../platform.js";
import { anotherId, inEach, listIn, numberIn, set, textIn, times } from "./words.js";

const usual: readonly ScopeName[] = ["each operation", "one market", "one wallet"];
const inOperations: readonly ScopeName[] = ["each operation"];

const otherSide = (row: JsonObject) => (row.side === "SIDE_LONG" ? "SIDE_SHORT" : "SIDE_LONG");
const isReduceOnly = (row: JsonObject) => row.reduceOnly === true;

/** A wallet other than the owner of a row. */
function anotherOwner(row: JsonObject, { subjects }: ObservedPlatform): string {
  return subjects.wallets.find(({ address }) => address !== row.owner)?.address ?? subjects.unknown.wallet;
}

const positionFaults: readonly FaultTemplate[] = [
  inEach(
    "position",
    {
      name: "position-shown-twice",
      rule: "position.identity",
      kind: "row doubled",
      words: "a position is shown twice",
      scopes: usual,
    },
    (row) => [row, row],
  ),
  inEach(
    "position",
    {
      name: "position-id-of-another-order",
      rule: "position.opening-order",
      kind: "wrong value",
      words: "a position has the id of an order that did not open it",
      scopes: usual,
    },
    (row) => set(row, "positionId", anotherId(row.positionId)),
  ),
  inEach(
    "position",
    {
      name: "position-older-than-its-order",
      rule: "position.timestamp-not-before-opening",
      kind: "wrong value",
      words: "a position's time is a year before that of its order",
      scopes: usual,
    },
    (row) =>
      set(
        row,
        "timestamp",
        textIn(row, "timestamp").replace(/^\d{4}/, (year) => String(Number(year) - 1)),
      ),
  ),
  inEach(
    "position",
    {
      name: "position-market-renamed",
      rule: "position.market-name",
      kind: "wrong value",
      words: "a position's market has another name than its configuration gives it",
      scopes: usual,
    },
    (row) => (textIn(row, "market") === "" ? row : set(row, "market", `${textIn(row, "market")} PERP`)),
  ),
  inEach(
    "position",
    {
      name: "position-cross-margin",
      rule: "position.margin-type-isolated",
      kind: "wrong value",
      words: "a position has cross margin",
      scopes: usual,
    },
    (row) => set(row, "marginType", "MARGIN_TYPE_CROSS"),
  ),
  inEach(
    "position",
    {
      name: "margin-type-in-small-letters",
      rule: "position.margin-type-isolated",
      kind: "wrong form",
      words: "marginType is written in small letters",
      scopes: inOperations,
    },
    (row) => set(row, "marginType", "isolated"),
  ),
  frozen("position-mark-price-frozen", "position.mark-price-current", "markPrice"),
  frozen("position-pnl-frozen", "position.unrealized-pnl-recomputed", "unrealizedPnl"),
  inEach(
    "position",
    {
      name: "closed-position-mark-price",
      needs: "a closed position",
      rule: "position.closed-mark-price",
      kind: "stale value",
      words: "a closed position keeps another mark price",
      operations: ["GetAllPositions"],
      scopes: ["one market"],
    },
    (row, { open }) => (open.has(keyOfRow(row)) ? row : times(row, "markPrice", 1.5)),
  ),
  inEach(
    "position",
    {
      name: "position-leverage-doubled",
      rule: "position.leverage-at-opening",
      kind: "wrong value",
      words: "a position's leverage is twice that of its order",
      scopes: usual,
    },
    (row) => times(row, "leverage", 2),
  ),
  inEach(
    "position",
    {
      name: "position-pnl-sign",
      rule: "position.unrealized-pnl-sign",
      kind: "wrong value",
      words: "unrealizedPnl has the opposite sign",
      scopes: [...usual, "one side", "later pages"],
    },
    (row) => times(row, "unrealizedPnl", -1),
  ),
  inEach(
    "position",
    {
      name: "associated-order-of-another-market",
      rule: "position.associated-orders-market",
      kind: "foreign row",
      words: "an associated order is of another market",
      scopes: usual,
    },
    (row) => inList(row, "associatedOrders", (order) => set(order, "marketId", anotherId(order.marketId))),
  ),
  inEach(
    "position",
    {
      name: "reference-to-another-market",
      rule: "position.associated-orders-market",
      kind: "foreign row",
      words: "a reference names another market",
      scopes: usual,
    },
    (row) =>
      inList(row, "associatedOrderIds", (reference) => set(reference, "marketId", anotherId(reference.marketId))),
  ),
  inEach(
    "position",
    {
      name: "associated-order-of-another-wallet",
      rule: "position.associated-orders-owner",
      kind: "foreign row",
      words: "an associated order is another wallet's",
      operations: ["GetAllPositions"],
      scopes: ["one market", "one wallet", "later pages"],
    },
    (row, platform) => inList(row, "associatedOrders", (order) => set(order, "owner", anotherOwner(row, platform))),
  ),
  inEach(
    "position",
    {
      name: "last-reference-missing",
      rule: "position.associated-orders-agree",
      kind: "row missing",
      words: "the last associated order is not among the references",
      scopes: usual,
    },
    (row) => {
      const references = listIn(row, "associatedOrderIds");
      return references.length < 2 || listIn(row, "associatedOrders").length === 0
        ? row
        : set(row, "associatedOrderIds", references.slice(0, -1));
    },
  ),
  inEach(
    "position",
    {
      name: "reference-doubled",
      rule: "position.associated-orders-agree",
      kind: "row doubled",
      words: "the first reference is there twice",
      scopes: usual,
    },
    (row) => {
      const references = listIn(row, "associatedOrderIds");
      // Without the orders, nothing tells how many references there should be.
      if (references.length === 0 || listIn(row, "associatedOrders").length === 0) return row;
      return set(row, "associatedOrderIds", [...references.slice(0, 1), ...references]);
    },
  ),
  inEach(
    "position",
    {
      name: "position-tick-decimals",
      rule: "position.tick-decimals",
      kind: "wrong value",
      words: "a position's tickDecimals is one more than its market's",
      scopes: usual,
    },
    (row) => set(row, "tickDecimals", numberIn(row, "tickDecimals") + 1),
  ),
  inEach(
    "position",
    {
      name: "effective-size-scaled",
      rule: "position.effective-size",
      kind: "wrong value",
      words: "effectiveSize is nine tenths of nominalSize",
      scopes: [...usual, "one side", "later pages"],
    },
    (row) => times(row, "effectiveSize", 0.9),
  ),
  inEach(
    "position",
    {
      name: "effective-size-left-out",
      rule: "position.effective-size",
      kind: "field missing",
      words: "effectiveSize is left out",
      scopes: inOperations,
    },
    (row) => (numberIn(row, "effectiveSize") === 0 ? row : set(row, "effectiveSize", undefined)),
  ),
  inEach(
    "position",
    {
      name: "estimated-rebate-scaled",
      rule: "position.estimated-rebate",
      kind: "wrong value",
      words: "estimatedRebate is twice what revenue gives",
      scopes: [...usual, "one side"],
    },
    (row) => (numberIn(row, "estimatedRebate") === -1 ? row : times(row, "estimatedRebate", 2)),
  ),
  inEach(
    "position",
    {
      name: "estimated-rebate-of-lost-market",
      needs: "a position of a market that GetMarketConfigs does not know",
      rule: "position.estimated-rebate-market-unavailable",
      kind: "wrong value",
      words: "estimatedRebate has a value though the market cannot be loaded",
      scopes: inOperations,
    },
    (row, platform) => (isOrphan(row, platform) ? set(row, "estimatedRebate", 4.2) : row),
  ),
  ...(["stopLossPrice", "takeProfitPrice"] as const).flatMap((field) => {
    const rule = field === "stopLossPrice" ? "position.stop-loss-price" : "position.take-profit-price";
    const name = field === "stopLossPrice" ? "stop-loss" : "take-profit";
    return [
      inEach(
        "position",
        {
          name: `position-${name}-lost`,
          needs: `a position with a ${name} order that is active`,
          rule,
          kind: "field missing",
          words: `${field} is 0 though such an order is active`,
          scopes: [...usual, "one side"],
        },
        (row) => (numberIn(row, field) === 0 ? row : set(row, field, 0)),
      ),
      inEach(
        "position",
        {
          name: `position-${name}-kept`,
          rule,
          kind: "stale value",
          words: `${field} has a value though no such order is active`,
          scopes: usual,
        },
        (row) => (numberIn(row, field) === 0 ? set(row, field, numberIn(row, "entryPrice")) : row),
      ),
      inEach(
        "position",
        {
          name: `position-${name}-negative`,
          needs: `a position with a ${name} order that is active`,
          rule,
          kind: "wrong value",
          words: `${field} is negative`,
          scopes: inOperations,
        },
        (row) => times(row, field, -1),
      ),
    ];
  }),
];

const orderFaults: readonly FaultTemplate[] = [
  inEach(
    "order",
    {
      name: "order-shown-twice",
      rule: "order.identity",
      kind: "row doubled",
      words: "an order is listed twice",
      operations: ["GetAllOrders", "GetOrders", "GetPortfolio"],
      scopes: [...usual, "reduce-only orders", "later pages"],
    },
    (row) => [row, row],
  ),
  inEach(
    "order",
    {
      name: "lost-market-without-name",
      needs: "an order of a market that GetMarketConfigs does not know",
      rule: "order.market-fallback",
      kind: "field missing",
      words: "an order of a market without metadata has no market name",
      scopes: inOperations,
    },
    (row, platform) => (isOrphan(row, platform) ? set(row, "market", "") : row),
  ),
  inEach(
    "order",
    {
      name: "lost-market-by-another-id",
      needs: "an order of a market that GetMarketConfigs does not know",
      rule: "order.market-fallback",
      kind: "wrong value",
      words: "the fallback name has another market's id",
      scopes: inOperations,
    },
    (row, platform) => (isOrphan(row, platform) ? set(row, "market", `MARKET-${anotherId(row.marketId)}`) : row),
  ),
  inEach(
    "order",
    {
      name: "lost-market-keeps-name",
      needs: "an order of a market that GetMarketConfigs does not know",
      rule: "order.market-fallback-stored-name",
      kind: "stale value",
      words: "orders of a market without metadata keep a name from before",
      scopes: inOperations,
    },
    (row, platform) => (isOrphan(row, platform) ? set(row, "market", "OLD/USD") : row),
  ),
  inEach(
    "order",
    {
      name: "market-fallback-always",
      rule: "order.market-fallback-only-then",
      kind: "wrong value",
      words: "an order's market is called MARKET-<id> though its metadata is there",
      scopes: [...usual, "reduce-only orders", "later pages"],
    },
    (row, platform) => (isKnown(row, platform) ? set(row, "market", `MARKET-${row.marketId}`) : row),
  ),
  inEach(
    "order",
    {
      name: "market-name-lost",
      rule: "order.market-fallback-only-then",
      kind: "field missing",
      words: "an order's market name is empty",
      scopes: [...usual, "reduce-only orders"],
    },
    (row, platform) => (isKnown(row, platform) ? set(row, "market", undefined) : row),
  ),
  inEach(
    "order",
    {
      name: "order-market-renamed",
      rule: "order.market-name",
      kind: "wrong value",
      words: "an order's market has another name than its configuration gives it",
      scopes: usual,
    },
    (row, platform) => (isKnown(row, platform) ? set(row, "market", `${textIn(row, "market")} PERP`) : row),
  ),
  inEach(
    "order",
    {
      name: "order-limit-type",
      rule: "order.type-market",
      kind: "wrong value",
      words: "an order has the type ORDER_TYPE_LIMIT",
      scopes: [...usual, "reduce-only orders"],
    },
    (row) => set(row, "type", "ORDER_TYPE_LIMIT"),
  ),
  inEach(
    "order",
    {
      name: "reduce-only-side-flipped",
      rule: "order.reduce-only-side",
      kind: "wrong value",
      words: "a reduce-only order has the side that it closes with",
      scopes: usual,
    },
    (row) => (isReduceOnly(row) ? set(row, "side", otherSide(row)) : row),
  ),
  inEach(
    "order",
    {
      name: "reduce-only-leverage",
      rule: "order.reduce-only-leverage",
      kind: "wrong value",
      words: "a reduce-only order has one leverage more than its opening order",
      scopes: usual,
    },
    (row) =>
      isReduceOnly(row) && numberIn(row, "leverage") !== 0 ? set(row, "leverage", numberIn(row, "leverage") + 1) : row,
  ),
  inEach(
    "order",
    {
      name: "filled-size-scaled",
      rule: "order.sizes-add-up",
      kind: "wrong value",
      words: "filledSize is half of what was filled",
      scopes: [...usual, "reduce-only orders"],
    },
    (row) => times(row, "filledSize", 0.5),
  ),
  inEach(
    "order",
    {
      name: "pending-order-half-filled",
      rule: "order.sizes-match-status",
      kind: "wrong value",
      words: "a pending order is filled by half",
      scopes: usual,
    },
    (row) => {
      if (row.status !== "ORDER_STATUS_PENDING") return row;
      const half = numberIn(row, "size") / 2;
      return { ...row, filledSize: half, unfilledSize: half };
    },
  ),
  inEach(
    "order",
    {
      name: "canceled-set",
      rule: "order.canceled-never-set",
      kind: "wrong value",
      words: "canceled is true of cancelled orders",
      scopes: usual,
    },
    (row) => (row.status === "ORDER_STATUS_CANCELLED" ? set(row, "canceled", true) : row),
  ),
  inEach(
    "order",
    {
      name: "reduce-only-margin-scaled",
      rule: "order.initial-margin-reduce-only",
      kind: "wrong value",
      words: "a reduce-only order's initialMargin is a tenth more than its notional",
      scopes: usual,
    },
    (row) => (isReduceOnly(row) ? times(row, "initialMargin", 1.1) : row),
  ),
  inEach(
    "order",
    {
      name: "opening-order-rebates",
      rule: "order.rebates-opening",
      kind: "wrong value",
      words: "an opening order has rebates",
      scopes: usual,
    },
    (row) => (isReduceOnly(row) ? row : set(row, "rebates", 1.5)),
  ),
  inEach(
    "order",
    {
      name: "reduce-order-type-unknown",
      rule: "order.reduce-order-type-values",
      kind: "wrong value",
      words: "a reduce-only order's reduceOrderType is STOP",
      scopes: usual,
    },
    (row) => (isReduceOnly(row) ? set(row, "reduceOrderType", "STOP") : row),
  ),
  inEach(
    "order",
    {
      name: "reduce-order-type-in-small-letters",
      rule: "order.reduce-order-type-values",
      kind: "wrong form",
      words: "reduceOrderType is written in small letters",
      scopes: inOperations,
    },
    (row) => (isReduceOnly(row) ? set(row, "reduceOrderType", textIn(row, "reduceOrderType").toLowerCase()) : row),
  ),
  inEach(
    "order",
    {
      name: "opening-order-with-reduce-type",
      rule: "order.reduce-order-type-empty",
      kind: "wrong value",
      words: "an opening order's reduceOrderType is MANUAL",
      scopes: usual,
    },
    (row) => (isReduceOnly(row) ? row : set(row, "reduceOrderType", "MANUAL")),
  ),
  inEach(
    "order",
    {
      name: "initial-notional-scaled",
      rule: "order.initial-notional",
      kind: "wrong value",
      words: "initialNotional is a hundredth more than margin times leverage",
      scopes: [...usual, "one side", "later pages"],
    },
    (row) => (isReduceOnly(row) ? row : times(row, "initialNotional", 1.01)),
  ),
  inEach(
    "order",
    {
      name: "initial-notional-without-leverage",
      rule: "order.initial-notional",
      kind: "wrong value",
      words: "initialNotional is the margin, whatever the leverage",
      scopes: usual,
    },
    (row) => (isReduceOnly(row) ? row : set(row, "initialNotional", row.initialMargin)),
  ),
  inEach(
    "order",
    {
      name: "reduce-only-notional",
      rule: "order.initial-notional-reduce-only",
      kind: "wrong value",
      words: "a reduce-only order's initialNotional is its margin",
      scopes: usual,
    },
    (row) => (isReduceOnly(row) ? set(row, "initialNotional", row.initialMargin) : row),
  ),
  inEach(
    "order",
    {
      name: "order-tick-decimals",
      rule: "order.tick-decimals",
      kind: "wrong value",
      words: "an order's tickDecimals is one more than its market's",
      scopes: usual,
    },
    (row) => set(row, "tickDecimals", numberIn(row, "tickDecimals") + 1),
  ),
  inEach(
    "order",
    {
      name: "order-status-open",
      rule: "states.order-status-values",
      kind: "wrong value",
      words: "active orders have the status ORDER_STATUS_OPEN",
      scopes: usual,
    },
    (row) => (isActiveOrder(row) ? set(row, "status", "ORDER_STATUS_OPEN") : row),
  ),
  inEach(
    "order",
    {
      name: "order-status-by-number",
      rule: "states.order-status-values",
      kind: "wrong form",
      words: "an order's status is a number",
      scopes: ["each operation", "reduce-only orders"],
    },
    (row) => set(row, "status", orderStatuses.indexOf(row.status as (typeof orderStatuses)[number]) + 1),
  ),
  ...(["order", "position"] as const).flatMap((resource) => [
    inEach(
      resource,
      {
        name: `${resource}-side-abbreviated`,
        rule: "wire.side-values",
        kind: "wrong form",
        words: `the side of ${resource}s is written LONG or SHORT`,
        scopes: usual,
      },
      (row) => set(row, "side", textIn(row, "side").replace("SIDE_", "")),
    ),
    inEach(
      resource,
      {
        name: `${resource}-side-left-out`,
        rule: "wire.side-values",
        kind: "field missing",
        words: `the side of ${resource}s is left out`,
        scopes: ["one wallet"],
      },
      (row) => set(row, "side", undefined),
    ),
    inEach(
      resource,
      {
        name: `${resource}-long-side-left-out`,
        rule: "wire.enum-values-written",
        kind: "field missing",
        words: `SIDE_LONG is left out of ${resource}s`,
        scopes: inOperations,
      },
      (row) => (row.side === "SIDE_LONG" ? set(row, "side", undefined) : row),
    ),
  ]),
];

const referenceFaults: readonly FaultTemplate[] = [
  inEach(
    "reference",
    {
      name: "reference-id-in-hex",
      rule: "order-ref.id-form",
      kind: "wrong form",
      words: "a reference's orderId is hexadecimal",
      scopes: usual,
    },
    (row) => set(row, "orderId", `0x${BigInt(String(row.orderId)).toString(16)}`),
  ),
  inEach(
    "reference",
    {
      name: "reference-id-negative",
      rule: "order-ref.id-form",
      kind: "wrong value",
      words: "a reference's orderId is negative",
      scopes: inOperations,
    },
    (row) => set(row, "orderId", `-${row.orderId}`),
  ),
  inEach(
    "reference",
    {
      name: "reference-to-no-order",
      rule: "order-ref.names-an-order",
      kind: "wrong value",
      words: "a reference's orderId is one off",
      scopes: usual,
    },
    (row) => set(row, "orderId", String(BigInt(String(row.orderId)) + 1n)),
  ),
  inEach(
    "reference",
    {
      name: "reference-rounded-to-double",
      needs: "an order whose id is beyond 2^53",
      rule: "order-ref.names-an-order",
      kind: "wrong value",
      words: "a reference's orderId is rounded to a double",
      scopes: usual,
    },
    (row) => {
      const rounded = BigInt(Number(row.orderId));
      return rounded === BigInt(String(row.orderId)) ? row : set(row, "orderId", String(rounded));
    },
  ),
  inEach(
    "reference",
    {
      name: "reference-to-the-other-kind",
      rule: "order-ref.names-an-order",
      kind: "wrong value",
      words: "a reference names a reduce-only order as an opening one, and the other way round",
      scopes: usual,
    },
    (row) => set(row, "reduceOnly", !isReduceOnly(row)),
  ),
];

const portfolioFaults: readonly FaultTemplate[] = [
  inEach(
    "portfolio",
    {
      name: "portfolio-owner-of-another",
      rule: "portfolio.owner",
      kind: "wrong echo",
      words: "a portfolio's owner is another wallet",
      scopes: ["one wallet", "two fields"],
    },
    (row, platform) => set(row, "owner", anotherOwner(row, platform)),
  ),
  inEach(
    "portfolio",
    {
      name: "portfolio-owner-empty",
      rule: "portfolio.owner",
      kind: "field missing",
      words: "a portfolio's owner is empty",
      scopes: ["one wallet", "another way to write"],
    },
    (row) => set(row, "owner", undefined),
  ),
  inEach(
    "portfolio",
    {
      name: "portfolio-foreign-position",
      rule: "portfolio.nested-owners",
      kind: "foreign row",
      words: "a portfolio holds another wallet's position",
      scopes: ["one wallet", "two fields"],
    },
    (row, { positions }) => {
      const foreign = positions.find(({ owner }) => owner !== row.owner);
      return foreign ? set(row, "positions", [...listIn(row, "positions"), foreign]) : row;
    },
  ),
  inEach(
    "portfolio",
    {
      name: "portfolio-foreign-order",
      rule: "portfolio.nested-owners",
      kind: "foreign row",
      words: "a portfolio holds another wallet's order",
      scopes: ["one wallet", "another way to write"],
    },
    (row, { orders }) => {
      const foreign = orders.find((order) => order.owner !== row.owner && isActiveOrder(order));
      return foreign ? set(row, "orders", [...listIn(row, "orders"), foreign]) : row;
    },
  ),
  inEach(
    "portfolio",
    {
      name: "portfolio-terminal-order",
      rule: "portfolio.orders-open-only",
      kind: "filter forgotten",
      words: "a portfolio lists orders that are over",
      scopes: ["one wallet", "two fields"],
    },
    (row, { orders }) => {
      const over = orders.filter((order) => order.owner === row.owner && !isActiveOrder(order)).slice(0, 1);
      return over.length > 0 ? set(row, "orders", [...listIn(row, "orders"), ...over]) : row;
    },
  ),
  inEach(
    "portfolio",
    {
      name: "portfolio-order-missing",
      rule: "relations.open-orders-agree",
      kind: "row missing",
      words: "a portfolio lacks the oldest open order",
      scopes: ["one wallet"],
    },
    (row) => {
      const orders = listIn(row, "orders");
      return orders.length > 0 ? set(row, "orders", orders.slice(0, -1)) : row;
    },
  ),
  ...(["ORDER_STATUS_PARTIALLY_FILLED", "ORDER_STATUS_PARTIALLY_MERGED", "ORDER_STATUS_PENDING"] as const).map(
    (status) =>
      inEach(
        "portfolio",
        {
          name: `portfolio-without-${status.slice(13).toLowerCase().replaceAll("_", "-")}-orders`,
          needs: `an open order that is ${status}`,
          rule: "relations.open-orders-agree",
          kind: "row missing",
          words: `a portfolio lists no orders that are ${status}`,
          scopes: ["one wallet"],
        },
        (row) => {
          const orders = listIn(row, "orders");
          const others = orders.filter((order) => order.status !== status);
          return others.length < orders.length ? set(row, "orders", others) : row;
        },
      ),
  ),
  inEach(
    "portfolio",
    {
      name: "portfolio-position-missing",
      rule: "relations.open-positions-agree",
      kind: "row missing",
      words: "a portfolio lacks its oldest position",
      scopes: ["one wallet"],
    },
    (row) => {
      const positions = listIn(row, "positions");
      return positions.length > 0 ? set(row, "positions", positions.slice(0, -1)) : row;
    },
  ),
  inEach(
    "portfolio",
    {
      name: "portfolio-closed-position",
      needs: "a wallet with a closed position",
      rule: "relations.open-positions-agree",
      kind: "filter forgotten",
      words: "a portfolio lists a closed position",
      scopes: ["one wallet"],
    },
    (row, { positions, open }) => {
      const closed = positions.find((position) => position.owner === row.owner && !open.has(keyOfRow(position)));
      return closed ? set(row, "positions", [...listIn(row, "positions"), closed]) : row;
    },
  ),
  inEach(
    "portfolio",
    {
      name: "portfolio-totals-cached",
      needs: "prices that move while the run goes on",
      rule: "get-portfolio.totals-not-cached",
      kind: "stale value",
      words: "totalUnrealizedPnl stays what it was at first",
    },
    (row, { successOf }, { asked }) => {
      const first = successOf("GetPortfolio", (view) => view.asked?.wallet === asked?.wallet)?.portfolio;
      const total = first && (first as JsonObject).totalUnrealizedPnl;
      return asked === undefined || total === undefined ? row : set(row, "totalUnrealizedPnl", total);
    },
  ),
  {
    ...inEach(
      "body",
      {
        name: "portfolio-left-out",
        rule: "wire.result-present",
        kind: "field missing",
        words: "a success has no result object",
        operations: ["GetPortfolio", "GetOrderBook", "GetMarketConfigs"],
        scopes: ["each operation", "one market", "one wallet"],
      },
      () => ({}),
    ),
    name: "result-left-out",
  },
];

/** Stored fields, which every operation must show alike (R16), each with a change that makes one operation differ. */
const storedOrderFields: Readonly<Record<string, (row: JsonObject) => JsonObject>> = {
  timestamp: (row) =>
    set(
      row,
      "timestamp",
      textIn(row, "timestamp").replace(/:\d\d(?=[.Z+-])/, (second) => (second === ":00" ? ":01" : ":00")),
    ),
  side: (row) => set(row, "side", otherSide(row)),
  status: (row) =>
    set(
      row,
      "status",
      isActiveOrder(row)
        ? "ORDER_STATUS_CLOSED"
        : row.status === "ORDER_STATUS_CLOSED"
          ? "ORDER_STATUS_FULLY_FILLED"
          : "ORDER_STATUS_CLOSED",
    ),
  ...Object.fromEntries(
    [
      "thresholdPrice",
      "size",
      "leverage",
      "filledSize",
      "unfilledSize",
      "initialMargin",
      "fees",
      "rebates",
      "stopLossPrice",
      "takeProfitPrice",
    ].map((field) => [field, (row: JsonObject) => times(row, field, 10)]),
  ),
};

const storedPositionFields: Readonly<Record<string, (row: JsonObject) => JsonObject>> = {
  timestamp: (row) =>
    set(
      row,
      "timestamp",
      textIn(row, "timestamp").replace(/:\d\d(?=[.Z+-])/, (second) => (second === ":59" ? ":58" : ":59")),
    ),
  side: (row) => set(row, "side", otherSide(row)),
  ...Object.fromEntries(
    ["entryPrice", "allocatedMargin", "leverage", "revenueSpent", "stopLossPrice", "takeProfitPrice"].map((field) => [
      field,
      (row: JsonObject) => times(row, field, 10),
    ]),
  ),
  nominalSize: (row) => times(times(row, "nominalSize", 10), "effectiveSize", 10),
};

const storedFaults: readonly FaultTemplate[] = [
  ...Object.entries(storedOrderFields).map(([field, change]) =>
    inEach(
      "order",
      {
        name: `order-${field}-of-another-state`,
        rule: "relations.order-stored-state",
        kind: "stale value",
        words: `an order's ${field} is not what other operations show`,
        scopes: ["each operation"],
        onlyInScopes: true,
      },
      change,
    ),
  ),
  ...Object.entries(storedPositionFields).map(([field, change]) =>
    inEach(
      "position",
      {
        name: `position-${field}-of-another-state`,
        rule: "relations.position-stored-state",
        kind: "stale value",
        words: `a position's ${field} is not what other operations show`,
        scopes: ["each operation"],
        onlyInScopes: true,
      },
      change,
    ),
  ),
];

/** Faults in positions, orders, references and portfolios. */
export const resourceFaults: readonly FaultTemplate[] = [
  ...positionFaults,
  ...orderFaults,
  ...referenceFaults,
  ...portfolioFaults,
  ...storedFaults,
];

/** A field that keeps its first value; shows only when the market moves. */
function frozen(
  name: string,
  rule: "position.mark-price-current" | "position.unrealized-pnl-recomputed",
  field: string,
): FaultTemplate {
  return inEach(
    "position",
    {
      name,
      rule,
      kind: "stale value",
      words: `${field} stays what it was at first`,
      scopes: inOperations,
      onlyInScopes: true,
      needs: "prices that move while the run goes on",
    },
    (row, platform) => {
      const first = firstShown(platform, field).get(keyOfRow(row));
      return first === undefined ? row : set(row, field, first);
    },
  );
}

const shownFirst = new WeakMap<ObservedPlatform, Map<string, ReadonlyMap<string, number>>>();

/** The first value of a field for each position. */
function firstShown(platform: ObservedPlatform, field: string): ReadonlyMap<string, number> {
  const known = shownFirst.get(platform) ?? new Map<string, ReadonlyMap<string, number>>();
  shownFirst.set(platform, known);
  const before = known.get(field);
  if (before) return before;
  const first = new Map<string, number>();
  for (const row of platform.firstPositions) first.set(keyOfRow(row), numberIn(row, field));
  known.set(field, first);
  return first;
}

function inList(row: JsonObject, field: string, change: (one: JsonObject) => JsonObject): JsonObject {
  const [first, ...others] = listIn(row, field);
  return first ? set(row, field, [change(first), ...others]) : row;
}

export function isActiveOrder(order: JsonObject): boolean {
  return (activeOrderStatuses as readonly unknown[]).includes(order.status);
}

function isOrphan({ marketId }: JsonObject, { subjects }: ObservedPlatform): boolean {
  return subjects.orphanMarkets.some((market) => market.marketId === String(marketId));
}

function isKnown({ marketId }: JsonObject, { subjects }: ObservedPlatform): boolean {
  return subjects.markets.some((market) => market.marketId === String(marketId) && market.name !== undefined);
}
