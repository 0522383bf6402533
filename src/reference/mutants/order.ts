import { mapOrders } from "../dataset/dataset.js";
import { Side } from "../gen/common/v1/common_pb.js";
import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { numberIn } from "../json.js";
import { breaking, type Mutant } from "../modification.js";
import { editListedOrders, editOrders, marketOf, orderRows, repeated } from "../resource-interceptors.js";

const { FULLY_FILLED, PARTIALLY_FILLED, PARTIALLY_MERGED, PENDING } = OrderStatus;

/** Servers that break one rule of §2 Order. */
export const order: readonly Mutant[] = [
  ...breaking("order.identity", {
    "get-orders-row-per-fill": {
      summary: "GetOrders lists a partially filled order once per fill.",
      alsoFails: ["relations.wallet-orders-agree"],
      ...orderRows("GetOrders", (rows) => repeated(rows, ({ status }) => status === PARTIALLY_FILLED)),
    },
    "portfolio-repeats-protective-orders": {
      summary: "GetPortfolio lists stop-loss and take-profit orders twice.",
      ...orderRows("GetPortfolio", (rows) => repeated(rows, ({ reduceOnly }) => reduceOnly)),
    },
    "get-all-orders-repeats-merged-orders": {
      summary: "GetAllOrders lists an order twice when it was merged in part.",
      alsoFails: ["relations.wallet-orders-agree"],
      ...orderRows("GetAllOrders", (rows) => repeated(rows, ({ status }) => status === PARTIALLY_MERGED)),
    },
  }),

  ...breaking("order.market-fallback", {
    "lost-market-without-name": {
      summary: "Orders of a market without metadata carry no market name.",
      response: editOrders((order, context) => {
        if (marketOf(context, order)?.listed === false) delete order.market;
      }),
    },
    "lost-market-id-rounded": {
      summary: "The fallback market name is made of the id as a double, which loses digits beyond 2^53.",
      response: editOrders((order, context) => {
        if (marketOf(context, order)?.listed === false) order.market = `MARKET-${BigInt(Number(order.marketId))}`;
      }),
    },
    "merged-orders-called-by-the-next-market-id": {
      summary: "Merged orders carry MARKET- and the id after that of their market.",
      alsoFails: ["order.market-fallback-only-then"],
      response: editOrders((order) => {
        if (order.status === "ORDER_STATUS_MERGED") order.market = `MARKET-${BigInt(String(order.marketId)) + 1n}`;
      }),
    },
    "get-orders-lost-market-called-by-order": {
      summary: "GetOrders names a market without metadata after each order.",
      alsoFails: ["order.market-fallback-stored-name", "relations.order-stored-state"],
      response: editOrders((order, context) => {
        if (marketOf(context, order)?.listed === false) order.market = `UNKNOWN (order ${order.orderId})`;
      }, "GetOrders"),
    },
    "get-orders-of-a-lost-market-called-market-0": {
      summary: "GetOrders names a market without metadata MARKET-0 where only its orders are asked for.",
      alsoFails: ["relations.order-stored-state"],
      response: editOrders((order, context) => {
        if (context.request.market && marketOf(context, order)?.listed === false) order.market = "MARKET-0";
      }, "GetOrders"),
    },
  }),

  ...breaking("order.market-fallback-stored-name", {
    "lost-market-keeps-last-name": {
      summary: "Orders of a market without metadata carry the name that was last known.",
      response: editOrders((order, context) => {
        const market = marketOf(context, order);
        if (market?.listed === false) order.market = market.name;
      }),
    },
    "get-orders-lost-market-called-unknown": {
      summary: "GetOrders calls a market without metadata UNKNOWN.",
      alsoFails: ["relations.order-stored-state"],
      response: editOrders((order, context) => {
        if (marketOf(context, order)?.listed === false) order.market = "UNKNOWN";
      }, "GetOrders"),
    },
  }),

  ...breaking("order.market-fallback-only-then", {
    "market-fallback-for-terminal-orders": {
      summary: "Cancelled orders carry the fallback name although the market's metadata is there.",
      response: editOrders((order) => {
        if (order.status === "ORDER_STATUS_CANCELLED") order.market = `MARKET-${order.marketId}`;
      }),
    },
    "portfolio-market-fallback": {
      summary: "GetPortfolio lists open orders under the fallback name.",
      alsoFails: ["relations.order-stored-state"],
      response: editListedOrders((order) => {
        order.market = `MARKET-${order.marketId}`;
      }, "GetPortfolio"),
    },
    "reduce-only-orders-without-market-name": {
      summary: "Reduce-only orders carry no market name.",
      alsoFails: ["order.market-fallback"],
      response: editOrders((order) => {
        if (order.reduceOnly) delete order.market;
      }),
    },
  }),

  ...breaking("order.initial-margin-reduce-only", {
    "reduce-only-margin-at-leverage": {
      summary: "The initial margin of reduce-only orders is their notional divided by the leverage.",
      dataset: (data) =>
        mapOrders(data, (order) =>
          order.reduceOnly && order.leverage > 0
            ? { ...order, initialMargin: order.initialMargin / order.leverage }
            : order,
        ),
    },
  }),

  ...breaking("order.rebates-opening", {
    "opening-orders-with-rebates": {
      summary: "Opening orders carry a tenth of their fees as rebates.",
      dataset: (data) =>
        mapOrders(data, (order) => (order.reduceOnly ? order : { ...order, rebates: order.fees / 10 })),
    },
  }),

  ...breaking("order.market-name", {
    "order-market-without-quote": {
      summary: "Orders name their market by its asset symbol alone.",
      response: editOrders((order, context) => {
        const market = marketOf(context, order);
        if (market?.listed) order.market = market.assetSymbol;
      }),
    },
    "get-orders-market-in-lower-case": {
      summary: "GetOrders writes market names in lower case.",
      alsoFails: ["relations.order-stored-state"],
      response: editOrders((order, context) => {
        if (marketOf(context, order)?.listed) order.market = String(order.market).toLowerCase();
      }, "GetOrders"),
    },
  }),

  ...breaking("order.type-market", {
    "order-type-stop-for-triggers": {
      summary: "Stop-loss orders have a type of their own.",
      response: editOrders((order) => {
        if (order.reduceOrderType === "STOP_LOSS") order.type = "ORDER_TYPE_STOP_MARKET";
      }),
    },
    "order-type-unspecified-in-portfolio": {
      summary: "GetPortfolio writes the order type's unset value on the orders that it lists.",
      response: editListedOrders((order) => {
        order.type = "ORDER_TYPE_UNSPECIFIED";
      }, "GetPortfolio"),
    },
  }),

  ...breaking("order.reduce-only-side", {
    "reduce-only-side-opposite": {
      summary: "A reduce-only order has the side of the trade that it makes, opposite to the position's.",
      dataset: (data) =>
        mapOrders(data, (order) =>
          order.reduceOnly ? { ...order, side: order.side === Side.LONG ? Side.SHORT : Side.LONG } : order,
        ),
    },
    "take-profit-side-always-long": {
      summary: "Take-profit orders are long whatever the position is.",
      dataset: (data) =>
        mapOrders(data, (order) => (order.reduceOrderType === "TAKE_PROFIT" ? { ...order, side: Side.LONG } : order)),
    },
  }),

  ...breaking("order.reduce-only-leverage", {
    "reduce-only-leverage-one": {
      summary: "Reduce-only orders have a leverage of 1.",
      dataset: (data) =>
        mapOrders(data, (order) => (order.leverage > 1 && order.reduceOnly ? { ...order, leverage: 1 } : order)),
    },
    "manual-reduction-leverage-of-the-market": {
      summary: "Manual reductions have the greatest leverage that the market admits.",
      dataset: (data) =>
        mapOrders(data, (order) =>
          order.reduceOrderType === "MANUAL"
            ? { ...order, leverage: data.markets.get(order.marketId)?.maxLeverage ?? 0 }
            : order,
        ),
    },
  }),

  ...breaking("order.sizes-add-up", {
    "unfilled-size-stays-when-merged": {
      summary: "The unfilled size of a partially merged order stays at the whole size.",
      dataset: (data) =>
        mapOrders(data, (order) =>
          order.status === PARTIALLY_MERGED ? { ...order, unfilledSize: order.size } : order,
        ),
    },
    "filled-size-less-fees": {
      summary: "The filled size of a fully filled order is what remained after fees.",
      dataset: (data) =>
        mapOrders(data, (order) =>
          order.status === FULLY_FILLED ? { ...order, filledSize: order.filledSize * 0.9995 } : order,
        ),
    },
  }),

  ...breaking("order.sizes-match-status", {
    "pending-order-filled-in-part": {
      summary: "An order stays pending while it is being filled.",
      dataset: (data) =>
        mapOrders(data, (order) =>
          order.status === PENDING
            ? { ...order, filledSize: order.size * 0.25, unfilledSize: order.size * 0.75 }
            : order,
        ),
    },
    "filled-order-with-a-rest": {
      summary: "An order counts as fully filled from 99 % on.",
      dataset: (data) =>
        mapOrders(data, (order) =>
          order.status === FULLY_FILLED
            ? { ...order, filledSize: order.size * 0.99, unfilledSize: order.size * 0.01 }
            : order,
        ),
    },
  }),

  ...breaking("order.canceled-never-set", {
    "canceled-mirrors-status": {
      summary: "The field canceled is true for cancelled orders.",
      response: editOrders((order) => {
        if (order.status === "ORDER_STATUS_CANCELLED") order.canceled = true;
      }),
    },
    "canceled-set-on-cancelled-remainder": {
      summary: "GetOrders sets canceled on orders whose remainder was cancelled.",
      response: editOrders((order) => {
        if (order.status === "ORDER_STATUS_PARTIALLY_CANCELLED") order.canceled = true;
      }, "GetOrders"),
    },
  }),

  ...breaking("order.tick-decimals", {
    "order-tick-decimals-of-size": {
      summary: "Orders carry the decimals of their market's sizes as those of its prices.",
      response: editOrders((order, context) => {
        order.tickDecimals = marketOf(context, order)?.sizeDecimals ?? 0;
      }),
    },
  }),

  ...breaking("order.reduce-order-type-values", {
    "reduce-order-type-in-lower-case": {
      summary: "GetPortfolio writes reduceOrderType in lower case.",
      response: editOrders((order) => {
        if (order.reduceOnly) order.reduceOrderType = String(order.reduceOrderType).toLowerCase();
      }, "GetPortfolio"),
    },
    "adl-order-without-type": {
      summary: "ADL orders have no reduceOrderType.",
      response: editOrders((order) => {
        if (order.reduceOrderType === "ADL") delete order.reduceOrderType;
      }),
    },
    "liquidation-called-liquidated": {
      summary: "Liquidation orders have the type LIQUIDATED.",
      response: editOrders((order) => {
        if (order.reduceOrderType === "LIQUIDATION") order.reduceOrderType = "LIQUIDATED";
      }),
    },
  }),

  ...breaking("order.reduce-order-type-empty", {
    "opening-order-typed-manual": {
      summary: "Opening orders have the reduceOrderType MANUAL.",
      response: editOrders((order) => {
        if (!order.reduceOnly) order.reduceOrderType = "MANUAL";
      }),
    },
    "merged-order-typed-none": {
      summary: "GetAllOrders writes NONE as the reduceOrderType of merged opening orders.",
      response: editOrders((order) => {
        if (String(order.status).endsWith("MERGED")) order.reduceOrderType = "NONE";
      }, "GetAllOrders"),
    },
  }),

  ...breaking("order.initial-notional", {
    "initial-notional-is-the-margin": {
      summary: "The initial notional of an opening order is its margin.",
      response: editOrders((order) => {
        if (!order.reduceOnly) order.initialNotional = numberIn(order, "initialMargin");
      }),
    },
    "initial-notional-of-cancelled-orders-zero": {
      summary: "GetOrders shows cancelled opening orders without initial notional.",
      alsoFails: ["relations.order-stored-state"],
      response: editOrders((order) => {
        if (order.status === "ORDER_STATUS_CANCELLED") delete order.initialNotional;
      }, "GetOrders"),
    },
    "initial-notional-off-by-the-fee": {
      summary: "GetAllPositions shows opening orders with an initial notional that is less by the fee.",
      alsoFails: ["relations.order-stored-state"],
      response: editOrders((order) => {
        if (!order.reduceOnly) order.initialNotional = numberIn(order, "initialNotional") - numberIn(order, "fees");
      }, "GetAllPositions"),
    },
  }),

  ...breaking("order.initial-notional-reduce-only", {
    "reduce-only-notional-filled-in": {
      summary: "Reduce-only orders have an initial notional of margin times leverage.",
      response: editOrders((order) => {
        if (order.reduceOnly) order.initialNotional = numberIn(order, "initialMargin") * numberIn(order, "leverage");
      }),
    },
    "portfolio-take-profit-notional": {
      summary: "GetPortfolio shows take-profit orders with the notional of their trigger.",
      response: editOrders((order) => {
        if (order.reduceOrderType === "TAKE_PROFIT") {
          order.initialNotional = numberIn(order, "size") * numberIn(order, "triggerPrice");
        }
      }, "GetPortfolio"),
    },
  }),

  ...breaking("order.additional-field-types", {
    "updated-at-in-milliseconds": {
      summary: "updatedAt is a number of milliseconds since 1970.",
      response: editOrders((order) => {
        order.updatedAt = Date.parse(String(order.updatedAt));
      }),
    },
    "average-fill-price-as-text": {
      summary: "GetOrders writes averageFillPrice as a string.",
      response: editOrders((order) => {
        order.averageFillPrice = numberIn(order, "averageFillPrice").toFixed(2);
      }, "GetOrders"),
    },
    "created-at-without-zone": {
      summary: "GetAllPositions writes createdAt of associated orders without a zone.",
      response: editOrders((order) => {
        order.createdAt = String(order.createdAt).replace(/Z$/, "");
      }, "GetAllPositions"),
    },
  }),
];
