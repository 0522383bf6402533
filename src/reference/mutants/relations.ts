import { marketAt, refuses } from "../conditional-interceptors.js";
import { withManyOpenOrders } from "../dataset/many-open-orders.js";
import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { type MutableJsonObject, numberIn, objectAt, objectsAt } from "../json.js";
import { breaking, type CallContext, type Mutant, on, rulesOn } from "../modification.js";
import { documented } from "../parameters.js";
import {
  editListedOrders,
  editMarketConfig,
  editOrders,
  editPositions,
  orderRows,
  positionRows,
  recordOf,
  walletOf,
} from "../resource-interceptors.js";
import { idIn, marketNamed, readSymbols } from "../selector-interceptors.js";

const { CANCELLED, PARTIALLY_FILLED, PARTIALLY_MERGED } = OrderStatus;

/** Whether an id has digits that a double would lose. */
function isLarge(marketId: string): boolean {
  return BigInt(marketId) > BigInt(Number.MAX_SAFE_INTEGER);
}

/** Takes the cancelled reduce-only orders out of both lists of a position. */
function forgetCancelled(position: MutableJsonObject, context: CallContext): void {
  const cancelled = new Set(
    recordOf(context, position)
      ?.orders.filter(({ reduceOnly, status }) => reduceOnly && status === CANCELLED)
      .map(({ orderId }) => String(orderId)),
  );
  for (const list of ["associatedOrders", "associatedOrderIds"]) {
    const rows = objectsAt(position, list);
    if (position[list])
      position[list] = rows.filter(({ orderId, reduceOnly }) => !reduceOnly || !cancelled.has(String(orderId)));
  }
}

/** Sets the time of a position's latest event to that of the answer. */
function setToNow(position: MutableJsonObject, { now }: CallContext): void {
  position.timestamp = new Date(now()).toISOString();
}

/** Servers that break one rule on agreement between operations. */
export const relations: readonly Mutant[] = [
  ...breaking("relations.position-stored-state", {
    "stream-size-before-reduction": {
      summary: "The stream shows the size that a position had before its last manual reduction.",
      response: editPositions((position, context) => {
        const reduction = recordOf(context, position)?.orders.find(
          ({ reduceOrderType }) => reduceOrderType === "MANUAL",
        );
        if (!reduction) return;
        position.nominalSize = numberIn(position, "nominalSize") + reduction.filledSize;
        position.effectiveSize = position.nominalSize;
      }, "GetOpenPositionsStreaming"),
    },
    "get-all-positions-margin-at-opening": {
      summary: "GetAllPositions shows the margin at opening, without what was added or removed since.",
      response: editPositions((position) => {
        const margin =
          (numberIn(position, "nominalSize") * numberIn(position, "entryPrice")) / numberIn(position, "leverage");
        position.allocatedMargin = margin;
      }, "GetAllPositions"),
    },
    "portfolio-position-time-of-opening": {
      summary: "GetPortfolio shows the time at which a position was opened instead of that of its latest event.",
      response: editPositions((position, context) => {
        const [opening] = recordOf(context, position)?.orders ?? [];
        if (opening) position.timestamp = new Date(Number(opening.createdAt / 1_000_000n)).toISOString();
      }, "GetPortfolio"),
    },
    "portfolio-position-time-of-the-read": {
      summary: "GetPortfolio shows the time of the request instead of that of a position's latest event.",
      response: editPositions(setToNow, "GetPortfolio"),
    },
    "stream-position-time-of-the-message": {
      summary: "The stream shows the time of the message instead of that of a position's latest event.",
      response: editPositions(setToNow, "GetOpenPositionsStreaming"),
    },
    "stream-position-time-of-later-messages": {
      summary:
        "From the second message on the stream shows the time of the message instead of that of the latest event.",
      response: editPositions((position, context) => {
        if (context.messageIndex > 0) setToNow(position, context);
      }, "GetOpenPositionsStreaming"),
    },
    "stream-references-without-cancelled-orders": {
      summary: "The stream's positions do not refer to reduce-only orders that were cancelled.",
      response: editPositions(forgetCancelled, "GetOpenPositionsStreaming"),
    },
    "get-all-positions-without-cancelled-orders": {
      summary: "The positions in GetAllPositions have lost the reduce-only orders that were cancelled.",
      response: editPositions(forgetCancelled, "GetAllPositions"),
    },
    "portfolio-positions-without-cancelled-orders": {
      summary: "The positions in GetPortfolio have lost the reduce-only orders that were cancelled.",
      response: editPositions(forgetCancelled, "GetPortfolio"),
    },
  }),

  ...breaking("relations.order-stored-state", {
    "get-orders-status-before-merge": {
      summary: "GetOrders shows partially merged orders as partially filled.",
      response: editOrders((order) => {
        if (order.status === "ORDER_STATUS_PARTIALLY_MERGED") order.status = "ORDER_STATUS_PARTIALLY_FILLED";
      }, "GetOrders"),
    },
    "get-all-orders-times-of-the-next-second": {
      summary: "GetAllOrders shows orders a second later than the other operations do.",
      response: editOrders((order) => {
        const [, fraction = ""] = /(\.\d+)Z$/.exec(String(order.timestamp)) ?? [];
        const second = Date.parse(String(order.timestamp).replace(/(\.\d+)?Z$/, "Z"));
        order.timestamp = `${new Date(second + 1_000).toISOString().slice(0, -5)}${fraction}Z`;
      }, "GetAllOrders"),
    },
    // Within the tolerance of the margin times the leverage, which may be rounded.
    "all-orders-initial-notional-higher-at-low-leverage": {
      summary:
        "GetAllOrders shows an initial notional 2 % higher than the other operations do where the leverage is below 3.",
      response: editOrders((order) => {
        if (numberIn(order, "leverage") < 3) order.initialNotional = 1.02 * numberIn(order, "initialNotional");
      }, "GetAllOrders"),
    },
    "portfolio-orders-without-fees": {
      summary: "GetPortfolio leaves out the fees of the orders that it lists.",
      response: editListedOrders((order) => {
        delete order.fees;
      }, "GetPortfolio"),
    },
    "associated-orders-without-triggers": {
      summary: "GetAllPositions leaves out the triggers that are attached to opening orders.",
      response: editOrders((order) => {
        delete order.stopLossPrice;
        delete order.takeProfitPrice;
      }, "GetAllPositions"),
    },
  }),

  ...breaking("relations.open-orders-agree", {
    "portfolio-lists-1000-orders-at-most": {
      summary: "GetPortfolio lists no more than 1000 open orders.",
      dataset: withManyOpenOrders,
      ...orderRows("GetPortfolio", (rows) => rows.slice(0, 1_000)),
    },
    "portfolio-of-many-open-orders-lacks-the-oldest": {
      summary: "GetPortfolio leaves out the oldest open order of a wallet that has more than 1000.",
      dataset: withManyOpenOrders,
      ...orderRows("GetPortfolio", (rows) => (rows.length > 1_000 ? rows.slice(0, -1) : rows)),
    },
    "portfolio-without-partially-merged-orders": {
      summary: "GetPortfolio does not list partially merged orders as open.",
      ...orderRows("GetPortfolio", (rows) => rows.filter(({ status }) => status !== PARTIALLY_MERGED)),
    },
    "portfolio-without-reduce-only-orders": {
      summary: "GetPortfolio lists opening orders only.",
      ...orderRows("GetPortfolio", (rows) => rows.filter(({ reduceOnly }) => !reduceOnly)),
    },
    "only-open-without-partially-filled-orders": {
      summary: "GetAllOrders with onlyOpen leaves out partially filled orders.",
      alsoFails: ["get-all-orders.only-open", "get-all-orders.all-wallets"],
      parameters: {
        isOpen: (endpoint, order) =>
          documented.isOpen(endpoint, order) && (endpoint !== "GetAllOrders" || order.status !== PARTIALLY_FILLED),
      },
    },
  }),

  ...breaking("relations.open-positions-agree", {
    "portfolio-hides-dust": {
      summary: "GetPortfolio does not list positions worth less than 2,000.",
      ...positionRows("GetPortfolio", (rows) =>
        rows.filter(({ nominalSize, entryPrice }) => nominalSize * entryPrice >= 2_000),
      ),
    },
    "stream-keeps-the-last-closed-position": {
      summary: "The stream keeps listing the position that was closed last.",
      ...positionRows("GetOpenPositionsStreaming", (rows, call) => {
        const closed = walletOf(call).positions.find(({ open }) => !open);
        return closed && rows.length > 0 ? [...rows, closed] : rows;
      }),
    },
    "stream-without-filling-positions": {
      summary: "The stream lists a position only once the order that opened it is filled.",
      ...positionRows("GetOpenPositionsStreaming", (rows) =>
        rows.filter(({ orders: [opening] }) => opening?.status !== PARTIALLY_FILLED),
      ),
    },
  }),

  ...breaking("relations.wallet-orders-agree", {
    "get-orders-without-adl-orders": {
      summary: "GetOrders leaves out ADL orders.",
      ...orderRows("GetOrders", (rows) => rows.filter(({ reduceOrderType }) => reduceOrderType !== "ADL")),
    },
    "get-orders-without-partially-cancelled-orders": {
      summary: "GetOrders leaves out partially cancelled orders.",
      ...orderRows("GetOrders", (rows) => rows.filter(({ status }) => status !== OrderStatus.PARTIALLY_CANCELLED)),
    },
    "get-all-orders-of-a-wallet-without-reduce-only-orders": {
      summary: "GetAllOrders with an address lists opening orders only.",
      alsoFails: ["get-all-orders.any-status"],
      ...orderRows("GetAllOrders", (rows, { effective }) =>
        effective.address === "" || effective.onlyOpen === true ? rows : rows.filter(({ reduceOnly }) => !reduceOnly),
      ),
    },
  }),

  ...breaking("relations.market-id-configs", {
    "config-market-id-rounded": {
      summary: "GetMarketConfigs gives market ids that went through a double, and lost digits beyond 2^53.",
      alsoFails: ["get-market-configs.market-id", "selector.by-symbol", "market-config.fee-config-market"],
      response: editMarketConfig((config) => {
        config.marketId = String(BigInt(Number(config.marketId)));
      }),
    },
    "configs-not-found-by-large-ids": {
      summary: "GetMarketConfigs does not find markets with ids beyond 2^53 by their ids, only by their symbols.",
      alsoFails: [
        ...rulesOn("GetMarketConfigs"),
        "position.estimated-rebate-market-unavailable",
        "order.market-fallback-stored-name",
      ],
      http: refuses("GetMarketConfigs", "not_found", ({ request }) =>
        isLarge(idIn(objectAt(request, "market")) ?? "0"),
      ),
    },
    "names-of-markets-with-large-ids-not-found": {
      summary: "GetMarketIdByName does not find markets with ids beyond 2^53, which selectors find by their symbols.",
      http: refuses("GetMarketIdByName", "not_found", ({ request, dataset }) => {
        const symbols = readSymbols(request);
        return isLarge(String((symbols && marketNamed(dataset, symbols)?.id) ?? 0));
      }),
    },
  }),

  ...breaking("relations.market-id-listings", {
    "closed-positions-named-like-the-first-market": {
      summary: "GetAllPositions gives closed positions of the second market the name of the first.",
      alsoFails: ["position.market-name"],
      response: editPositions((position, context) => {
        const [first, second] = [marketAt(context.dataset, 0), marketAt(context.dataset, 1)];
        if (first && position.marketId === String(second?.id) && !recordOf(context, position)?.open) {
          position.market = first.name;
        }
      }, "GetAllPositions"),
    },
    "market-id-by-name-rounded": {
      summary: "GetMarketIdByName gives market ids that went through a double, and lost digits beyond 2^53.",
      alsoFails: ["relations.market-id-configs"],
      response: on("GetMarketIdByName", (json) => ({ ...json, marketId: String(BigInt(Number(json.marketId))) })),
    },
    "market-id-by-name-of-the-next-market": {
      summary: "GetMarketIdByName gives the id of the next market for one pair.",
      alsoFails: ["relations.market-id-configs"],
      response: on("GetMarketIdByName", (json) => (json.marketId === "1" ? { ...json, marketId: "2" } : json)),
    },
  }),
];
