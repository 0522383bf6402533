import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { objectAt } from "../json.js";
import type { Mutant } from "../modification.js";
import { documented } from "../parameters.js";
import {
  editListedOrders,
  editOrders,
  editPositions,
  numberOf,
  orderRows,
  positionRows,
  recordOf,
} from "../resource-layer.js";

const { PARTIALLY_FILLED, PARTIALLY_MERGED } = OrderStatus;

/** Servers that break one rule of the agreement between operations. */
export const relations: readonly Mutant[] = [
  // relations.position-stored-state
  {
    kind: "mutant",
    name: "stream-size-before-reduction",
    summary: "The stream shows the size that a position had before its last manual reduction.",
    breaks: "relations.position-stored-state",
    response: editPositions((position, context) => {
      const reduction = recordOf(context, position)?.orders.find(({ reduceOrderType }) => reduceOrderType === "MANUAL");
      if (!reduction) return;
      position.nominalSize = numberOf(position, "nominalSize") + reduction.filledSize;
      position.effectiveSize = position.nominalSize;
    }, "GetOpenPositionsStreaming"),
  },
  {
    kind: "mutant",
    name: "get-all-positions-margin-at-opening",
    summary: "GetAllPositions shows the margin at opening, without what was added or removed since.",
    breaks: "relations.position-stored-state",
    response: editPositions((position) => {
      const margin =
        (numberOf(position, "nominalSize") * numberOf(position, "entryPrice")) / numberOf(position, "leverage");
      position.allocatedMargin = margin;
    }, "GetAllPositions"),
  },
  {
    kind: "mutant",
    name: "portfolio-position-time-of-opening",
    summary: "GetPortfolio shows the time at which a position was opened instead of that of its latest event.",
    breaks: "relations.position-stored-state",
    response: editPositions((position, context) => {
      const [opening] = recordOf(context, position)?.orders ?? [];
      if (opening) position.timestamp = new Date(Number(opening.createdAt / 1_000_000n)).toISOString();
    }, "GetPortfolio"),
  },

  // relations.order-stored-state
  {
    kind: "mutant",
    name: "get-orders-status-before-merge",
    summary: "GetOrders shows partially merged orders as partially filled.",
    breaks: "relations.order-stored-state",
    response: editOrders((order) => {
      if (order.status === "ORDER_STATUS_PARTIALLY_MERGED") order.status = "ORDER_STATUS_PARTIALLY_FILLED";
    }, "GetOrders"),
  },
  {
    kind: "mutant",
    name: "get-all-orders-times-of-the-next-second",
    summary: "GetAllOrders shows orders a second later than the other operations do.",
    breaks: "relations.order-stored-state",
    response: editOrders((order) => {
      const [, fraction = ""] = /(\.\d+)Z$/.exec(String(order.timestamp)) ?? [];
      const second = Date.parse(String(order.timestamp).replace(/(\.\d+)?Z$/, "Z"));
      order.timestamp = `${new Date(second + 1_000).toISOString().slice(0, -5)}${fraction}Z`;
    }, "GetAllOrders"),
  },
  {
    kind: "mutant",
    name: "portfolio-orders-without-fees",
    summary: "GetPortfolio leaves out the fees of the orders that it lists.",
    breaks: "relations.order-stored-state",
    response: editListedOrders((order) => {
      delete order.fees;
    }, "GetPortfolio"),
  },
  {
    kind: "mutant",
    name: "associated-orders-without-triggers",
    summary: "GetAllPositions leaves out the triggers that are attached to opening orders.",
    breaks: "relations.order-stored-state",
    response: editOrders((order) => {
      delete order.stopLossPrice;
      delete order.takeProfitPrice;
    }, "GetAllPositions"),
  },

  // relations.open-orders-agree
  {
    kind: "mutant",
    name: "portfolio-without-partially-merged-orders",
    summary: "GetPortfolio does not list partially merged orders as open.",
    breaks: "relations.open-orders-agree",
    ...orderRows("GetPortfolio", (rows) => rows.filter(({ status }) => status !== PARTIALLY_MERGED)),
  },
  {
    kind: "mutant",
    name: "portfolio-without-reduce-only-orders",
    summary: "GetPortfolio lists opening orders only.",
    breaks: "relations.open-orders-agree",
    ...orderRows("GetPortfolio", (rows) => rows.filter(({ reduceOnly }) => !reduceOnly)),
  },
  {
    kind: "mutant",
    name: "only-open-without-partially-filled-orders",
    summary: "GetAllOrders with onlyOpen leaves out partially filled orders.",
    breaks: "relations.open-orders-agree",
    alsoFails: ["get-all-orders.only-open"],
    parameters: {
      isOpen: (endpoint, order) =>
        documented.isOpen(endpoint, order) && (endpoint !== "GetAllOrders" || order.status !== PARTIALLY_FILLED),
    },
  },

  // relations.open-positions-agree
  {
    kind: "mutant",
    name: "portfolio-hides-dust",
    summary: "GetPortfolio does not list positions worth less than 2,000.",
    breaks: "relations.open-positions-agree",
    ...positionRows("GetPortfolio", (rows) =>
      rows.filter(({ nominalSize, entryPrice }) => nominalSize * entryPrice >= 2_000),
    ),
  },
  {
    kind: "mutant",
    name: "stream-keeps-the-last-closed-position",
    summary: "The stream goes on to list the position that was closed last.",
    breaks: "relations.open-positions-agree",
    ...positionRows("GetOpenPositionsStreaming", (rows, { dataset, effective }) => {
      const closed = dataset.wallets.get(String(effective.address))?.positions.find(({ open }) => !open);
      return closed && rows.length > 0 ? [...rows, closed] : rows;
    }),
  },
  {
    kind: "mutant",
    name: "stream-without-filling-positions",
    summary: "The stream lists a position only once the order that opened it is filled.",
    breaks: "relations.open-positions-agree",
    ...positionRows("GetOpenPositionsStreaming", (rows) =>
      rows.filter(({ orders: [opening] }) => opening?.status !== PARTIALLY_FILLED),
    ),
  },

  // relations.wallet-orders-agree
  {
    kind: "mutant",
    name: "get-orders-without-adl-orders",
    summary: "GetOrders leaves out ADL orders.",
    breaks: "relations.wallet-orders-agree",
    ...orderRows("GetOrders", (rows) => rows.filter(({ reduceOrderType }) => reduceOrderType !== "ADL")),
  },
  {
    kind: "mutant",
    name: "get-orders-without-partially-cancelled-orders",
    summary: "GetOrders leaves out partially cancelled orders.",
    breaks: "relations.wallet-orders-agree",
    ...orderRows("GetOrders", (rows) => rows.filter(({ status }) => status !== OrderStatus.PARTIALLY_CANCELLED)),
  },
  {
    kind: "mutant",
    name: "get-all-orders-of-a-wallet-without-reduce-only-orders",
    summary: "GetAllOrders with an address lists opening orders only.",
    breaks: "relations.wallet-orders-agree",
    alsoFails: ["get-all-orders.any-status"],
    ...orderRows("GetAllOrders", (rows, { effective }) =>
      effective.address === "" || effective.onlyOpen === true ? rows : rows.filter(({ reduceOnly }) => !reduceOnly),
    ),
  },

  // relations.market-id-configs
  {
    kind: "mutant",
    name: "config-market-id-rounded",
    summary: "GetMarketConfigs gives market ids that went through a double, and lost digits beyond 2^53.",
    breaks: "relations.market-id-configs",
    alsoFails: ["get-market-configs.market-id", "selector.by-symbol", "market-config.fee-config-market"],
    response: (endpoint, json) => {
      const config = endpoint === "GetMarketConfigs" ? objectAt(json, "marketConfig") : undefined;
      if (config) config.marketId = String(BigInt(Number(config.marketId)));
      return json;
    },
  },

  // relations.market-id-listings
  {
    kind: "mutant",
    name: "market-id-by-name-rounded",
    summary: "GetMarketIdByName gives market ids that went through a double, and lost digits beyond 2^53.",
    breaks: "relations.market-id-listings",
    response: (endpoint, json) => {
      if (endpoint === "GetMarketIdByName") json.marketId = String(BigInt(Number(json.marketId)));
      return json;
    },
  },
  {
    kind: "mutant",
    name: "market-id-by-name-of-the-next-market",
    summary: "GetMarketIdByName gives the id of the next market for one pair.",
    breaks: "relations.market-id-listings",
    response: (endpoint, json) => {
      if (endpoint === "GetMarketIdByName" && json.marketId === "1") json.marketId = "2";
      return json;
    },
  },
];
