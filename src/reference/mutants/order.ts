import { mapOrders } from "../dataset/dataset.js";
import { Side } from "../gen/common/v1/common_pb.js";
import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import type { Mutant } from "../modification.js";
import { editListedOrders, editOrders, marketOf, numberOf, orderRows, repeated } from "../resource-layer.js";

const { FULLY_FILLED, PARTIALLY_FILLED, PARTIALLY_MERGED, PENDING } = OrderStatus;

/** Servers that break one rule of §2 Order. */
export const order: readonly Mutant[] = [
  // order.identity
  {
    kind: "mutant",
    name: "get-orders-row-per-fill",
    summary: "GetOrders lists a partially filled order once per fill.",
    breaks: "order.identity",
    ...orderRows("GetOrders", (rows) => repeated(rows, ({ status }) => status === PARTIALLY_FILLED)),
  },
  {
    kind: "mutant",
    name: "portfolio-repeats-protective-orders",
    summary: "GetPortfolio lists stop-loss and take-profit orders twice.",
    breaks: "order.identity",
    ...orderRows("GetPortfolio", (rows) => repeated(rows, ({ reduceOnly }) => reduceOnly)),
  },
  {
    kind: "mutant",
    name: "get-all-orders-repeats-merged-orders",
    summary: "GetAllOrders lists an order twice when it was merged in part.",
    breaks: "order.identity",
    ...orderRows("GetAllOrders", (rows) => repeated(rows, ({ status }) => status === PARTIALLY_MERGED)),
  },

  // order.market-fallback
  {
    kind: "mutant",
    name: "lost-market-without-name",
    summary: "Orders of a market without metadata carry no market name.",
    breaks: "order.market-fallback",
    response: editOrders((order, context) => {
      if (marketOf(context, order)?.listed === false) delete order.market;
    }),
  },
  {
    kind: "mutant",
    name: "lost-market-id-rounded",
    summary: "The fallback market name is made of the id as a double, which loses digits beyond 2^53.",
    breaks: "order.market-fallback",
    response: editOrders((order, context) => {
      if (marketOf(context, order)?.listed === false) order.market = `MARKET-${BigInt(Number(order.marketId))}`;
    }),
  },
  {
    kind: "mutant",
    name: "lost-market-keeps-last-name",
    summary: "Orders of a market without metadata carry the name that was last known.",
    breaks: "order.market-fallback-stored-name",
    response: editOrders((order, context) => {
      const market = marketOf(context, order);
      if (market?.listed === false) order.market = market.name;
    }),
  },

  {
    kind: "mutant",
    name: "get-orders-lost-market-called-by-order",
    summary: "GetOrders names a market without metadata after each order.",
    breaks: "order.market-fallback",
    alsoFails: ["order.market-fallback-stored-name", "relations.order-stored-state"],
    response: editOrders((order, context) => {
      if (marketOf(context, order)?.listed === false) order.market = `UNKNOWN (order ${order.orderId})`;
    }, "GetOrders"),
  },
  {
    kind: "mutant",
    name: "get-orders-lost-market-called-unknown",
    summary: "GetOrders calls a market without metadata UNKNOWN.",
    breaks: "order.market-fallback-stored-name",
    alsoFails: ["relations.order-stored-state"],
    response: editOrders((order, context) => {
      if (marketOf(context, order)?.listed === false) order.market = "UNKNOWN";
    }, "GetOrders"),
  },

  // order.market-fallback-only-then
  {
    kind: "mutant",
    name: "market-fallback-for-terminal-orders",
    summary: "Cancelled orders carry the fallback name although the market's metadata is there.",
    breaks: "order.market-fallback-only-then",
    response: editOrders((order) => {
      if (order.status === "ORDER_STATUS_CANCELLED") order.market = `MARKET-${order.marketId}`;
    }),
  },
  {
    kind: "mutant",
    name: "portfolio-market-fallback",
    summary: "GetPortfolio lists open orders under the fallback name.",
    breaks: "order.market-fallback-only-then",
    alsoFails: ["relations.order-stored-state"],
    response: editListedOrders((order) => {
      order.market = `MARKET-${order.marketId}`;
    }, "GetPortfolio"),
  },

  {
    kind: "mutant",
    name: "reduce-only-orders-without-market-name",
    summary: "Reduce-only orders carry no market name.",
    breaks: "order.market-fallback-only-then",
    alsoFails: ["order.market-fallback"],
    response: editOrders((order) => {
      if (order.reduceOnly) delete order.market;
    }),
  },

  // order.initial-margin-reduce-only, order.rebates-opening
  {
    kind: "mutant",
    name: "reduce-only-margin-at-leverage",
    summary: "The initial margin of reduce-only orders is their notional divided by the leverage.",
    breaks: "order.initial-margin-reduce-only",
    dataset: (data) =>
      mapOrders(data, (order) =>
        order.reduceOnly && order.leverage > 0
          ? { ...order, initialMargin: order.initialMargin / order.leverage }
          : order,
      ),
  },
  {
    kind: "mutant",
    name: "opening-orders-with-rebates",
    summary: "Opening orders carry a tenth of their fees as rebates.",
    breaks: "order.rebates-opening",
    dataset: (data) => mapOrders(data, (order) => (order.reduceOnly ? order : { ...order, rebates: order.fees / 10 })),
  },

  // order.market-name
  {
    kind: "mutant",
    name: "order-market-without-quote",
    summary: "Orders name their market by its asset symbol alone.",
    breaks: "order.market-name",
    response: editOrders((order, context) => {
      const market = marketOf(context, order);
      if (market?.listed) order.market = market.assetSymbol;
    }),
  },
  {
    kind: "mutant",
    name: "get-orders-market-in-lower-case",
    summary: "GetOrders writes market names in lower case.",
    breaks: "order.market-name",
    alsoFails: ["relations.order-stored-state"],
    response: editOrders((order, context) => {
      if (marketOf(context, order)?.listed) order.market = String(order.market).toLowerCase();
    }, "GetOrders"),
  },

  // order.type-market
  {
    kind: "mutant",
    name: "order-type-stop-for-triggers",
    summary: "Stop-loss orders have a type of their own.",
    breaks: "order.type-market",
    response: editOrders((order) => {
      if (order.reduceOrderType === "STOP_LOSS") order.type = "ORDER_TYPE_STOP_MARKET";
    }),
  },
  {
    kind: "mutant",
    name: "order-type-unspecified-in-portfolio",
    summary: "GetPortfolio writes the order type's unset value on the orders that it lists.",
    breaks: "order.type-market",
    response: editListedOrders((order) => {
      order.type = "ORDER_TYPE_UNSPECIFIED";
    }, "GetPortfolio"),
  },

  // order.reduce-only-side
  {
    kind: "mutant",
    name: "reduce-only-side-opposite",
    summary: "A reduce-only order has the side of the trade that it makes, opposite to the position's.",
    breaks: "order.reduce-only-side",
    dataset: (data) =>
      mapOrders(data, (order) =>
        order.reduceOnly ? { ...order, side: order.side === Side.LONG ? Side.SHORT : Side.LONG } : order,
      ),
  },
  {
    kind: "mutant",
    name: "take-profit-side-always-long",
    summary: "Take-profit orders are long whatever the position is.",
    breaks: "order.reduce-only-side",
    dataset: (data) =>
      mapOrders(data, (order) => (order.reduceOrderType === "TAKE_PROFIT" ? { ...order, side: Side.LONG } : order)),
  },

  // order.reduce-only-leverage
  {
    kind: "mutant",
    name: "reduce-only-leverage-one",
    summary: "Reduce-only orders have a leverage of 1.",
    breaks: "order.reduce-only-leverage",
    dataset: (data) =>
      mapOrders(data, (order) => (order.leverage > 1 && order.reduceOnly ? { ...order, leverage: 1 } : order)),
  },
  {
    kind: "mutant",
    name: "manual-reduction-leverage-of-the-market",
    summary: "Manual reductions have the greatest leverage that the market admits.",
    breaks: "order.reduce-only-leverage",
    dataset: (data) =>
      mapOrders(data, (order) =>
        order.reduceOrderType === "MANUAL"
          ? { ...order, leverage: data.markets.get(order.marketId)?.maxLeverage ?? 0 }
          : order,
      ),
  },

  // order.sizes-add-up
  {
    kind: "mutant",
    name: "unfilled-size-stays-when-merged",
    summary: "The unfilled size of a partially merged order stays at the whole size.",
    breaks: "order.sizes-add-up",
    dataset: (data) =>
      mapOrders(data, (order) => (order.status === PARTIALLY_MERGED ? { ...order, unfilledSize: order.size } : order)),
  },
  {
    kind: "mutant",
    name: "filled-size-less-fees",
    summary: "The filled size of a fully filled order is what remained after fees.",
    breaks: "order.sizes-add-up",
    dataset: (data) =>
      mapOrders(data, (order) =>
        order.status === FULLY_FILLED ? { ...order, filledSize: order.filledSize * 0.9995 } : order,
      ),
  },

  // order.sizes-match-status
  {
    kind: "mutant",
    name: "pending-order-filled-in-part",
    summary: "An order stays pending while it is being filled.",
    breaks: "order.sizes-match-status",
    dataset: (data) =>
      mapOrders(data, (order) =>
        order.status === PENDING ? { ...order, filledSize: order.size * 0.25, unfilledSize: order.size * 0.75 } : order,
      ),
  },
  {
    kind: "mutant",
    name: "filled-order-with-a-rest",
    summary: "An order counts as fully filled from 99 % on.",
    breaks: "order.sizes-match-status",
    dataset: (data) =>
      mapOrders(data, (order) =>
        order.status === FULLY_FILLED
          ? { ...order, filledSize: order.size * 0.99, unfilledSize: order.size * 0.01 }
          : order,
      ),
  },

  // order.canceled-never-set
  {
    kind: "mutant",
    name: "canceled-mirrors-status",
    summary: "The field canceled is true for cancelled orders.",
    breaks: "order.canceled-never-set",
    response: editOrders((order) => {
      if (order.status === "ORDER_STATUS_CANCELLED") order.canceled = true;
    }),
  },
  {
    kind: "mutant",
    name: "canceled-set-on-cancelled-remainder",
    summary: "GetOrders sets canceled on orders whose remainder was cancelled.",
    breaks: "order.canceled-never-set",
    response: editOrders((order) => {
      if (order.status === "ORDER_STATUS_PARTIALLY_CANCELLED") order.canceled = true;
    }, "GetOrders"),
  },

  // order.tick-decimals
  {
    kind: "mutant",
    name: "order-tick-decimals-of-size",
    summary: "Orders carry the decimals of their market's sizes as those of its prices.",
    breaks: "order.tick-decimals",
    response: editOrders((order, context) => {
      order.tickDecimals = marketOf(context, order)?.sizeDecimals ?? 0;
    }),
  },

  // order.reduce-order-type-values
  {
    kind: "mutant",
    name: "reduce-order-type-in-lower-case",
    summary: "GetPortfolio writes reduceOrderType in lower case.",
    breaks: "order.reduce-order-type-values",
    response: editOrders((order) => {
      if (order.reduceOnly) order.reduceOrderType = String(order.reduceOrderType).toLowerCase();
    }, "GetPortfolio"),
  },
  {
    kind: "mutant",
    name: "adl-order-without-type",
    summary: "ADL orders have no reduceOrderType.",
    breaks: "order.reduce-order-type-values",
    response: editOrders((order) => {
      if (order.reduceOrderType === "ADL") delete order.reduceOrderType;
    }),
  },
  {
    kind: "mutant",
    name: "liquidation-called-liquidated",
    summary: "Liquidation orders have the type LIQUIDATED.",
    breaks: "order.reduce-order-type-values",
    response: editOrders((order) => {
      if (order.reduceOrderType === "LIQUIDATION") order.reduceOrderType = "LIQUIDATED";
    }),
  },

  // order.reduce-order-type-empty
  {
    kind: "mutant",
    name: "opening-order-typed-manual",
    summary: "Opening orders have the reduceOrderType MANUAL.",
    breaks: "order.reduce-order-type-empty",
    response: editOrders((order) => {
      if (!order.reduceOnly) order.reduceOrderType = "MANUAL";
    }),
  },
  {
    kind: "mutant",
    name: "merged-order-typed-none",
    summary: "GetAllOrders writes NONE as the reduceOrderType of merged opening orders.",
    breaks: "order.reduce-order-type-empty",
    response: editOrders((order) => {
      if (String(order.status).endsWith("MERGED")) order.reduceOrderType = "NONE";
    }, "GetAllOrders"),
  },

  // order.initial-notional
  {
    kind: "mutant",
    name: "initial-notional-is-the-margin",
    summary: "The initial notional of an opening order is its margin.",
    breaks: "order.initial-notional",
    response: editOrders((order) => {
      if (!order.reduceOnly) order.initialNotional = numberOf(order, "initialMargin");
    }),
  },
  {
    kind: "mutant",
    name: "initial-notional-of-cancelled-orders-zero",
    summary: "GetOrders shows cancelled opening orders without initial notional.",
    breaks: "order.initial-notional",
    response: editOrders((order) => {
      if (order.status === "ORDER_STATUS_CANCELLED") delete order.initialNotional;
    }, "GetOrders"),
  },
  {
    kind: "mutant",
    name: "initial-notional-off-by-the-fee",
    summary: "GetAllPositions shows opening orders with an initial notional that is less by the fee.",
    breaks: "order.initial-notional",
    response: editOrders((order) => {
      if (!order.reduceOnly) order.initialNotional = numberOf(order, "initialNotional") - numberOf(order, "fees");
    }, "GetAllPositions"),
  },

  // order.initial-notional-reduce-only
  {
    kind: "mutant",
    name: "reduce-only-notional-filled-in",
    summary: "Reduce-only orders have an initial notional of margin times leverage.",
    breaks: "order.initial-notional-reduce-only",
    response: editOrders((order) => {
      if (order.reduceOnly) order.initialNotional = numberOf(order, "initialMargin") * numberOf(order, "leverage");
    }),
  },
  {
    kind: "mutant",
    name: "portfolio-take-profit-notional",
    summary: "GetPortfolio shows take-profit orders with the notional of their trigger.",
    breaks: "order.initial-notional-reduce-only",
    response: editOrders((order) => {
      if (order.reduceOrderType === "TAKE_PROFIT") {
        order.initialNotional = numberOf(order, "size") * numberOf(order, "triggerPrice");
      }
    }, "GetPortfolio"),
  },

  // order.additional-field-types
  {
    kind: "mutant",
    name: "updated-at-in-milliseconds",
    summary: "updatedAt is a number of milliseconds since 1970.",
    breaks: "order.additional-field-types",
    response: editOrders((order) => {
      order.updatedAt = Date.parse(String(order.updatedAt));
    }),
  },
  {
    kind: "mutant",
    name: "average-fill-price-as-text",
    summary: "GetOrders writes averageFillPrice as a string.",
    breaks: "order.additional-field-types",
    response: editOrders((order) => {
      order.averageFillPrice = numberOf(order, "averageFillPrice").toFixed(2);
    }, "GetOrders"),
  },
  {
    kind: "mutant",
    name: "created-at-without-zone",
    summary: "GetAllPositions writes createdAt of associated orders without a zone.",
    breaks: "order.additional-field-types",
    response: editOrders((order) => {
      order.createdAt = String(order.createdAt).replace(/Z$/, "");
    }, "GetAllPositions"),
  },
];
