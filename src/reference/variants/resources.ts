import { toJson } from "@bufbuild/protobuf";
import { rows } from "../aspects.js";
import { createDataset, type Dataset, mapMarkets, mapOrders, mapPositions } from "../dataset/dataset.js";
import { money } from "../dataset/platform.js";
import { jsonReply } from "../endpoint-handler.js";
import { OrderSchema, OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { type MutableJson, type MutableJsonObject, objectAt, objectsAt } from "../json.js";
import { isActiveStatus, orderMessage } from "../messages.js";
import type { Variant } from "../modification.js";
import {
  editOrders,
  editPortfolio,
  editPositions,
  editResources,
  isClosed,
  marketOf,
  recordOf,
} from "../resource-interceptors.js";

const { CLOSED, CANCELLED, FULLY_FILLED, MERGED, PENDING, PARTIALLY_FILLED, PARTIALLY_MERGED } = OrderStatus;

/** Fields of positions and orders that the specification does not document. */
const additionalFields = [
  "cashRoi",
  "currentPnl",
  "currentRoi",
  "createdAt",
  "updatedAt",
  "averageFillPrice",
  "filledQuoteSize",
  "margin",
  "triggerPrice",
] as const;

/** Shuffles the objects, differently on each call. */
function shuffled(objects: readonly MutableJsonObject[]): MutableJsonObject[] {
  return objects
    .map((object) => ({ object, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ object }) => object);
}

/** An unused order id of a market: the greatest plus one. */
function nextOrderId({ orders }: Dataset, market: bigint): bigint {
  const ids = orders.filter(({ marketId }) => marketId === market).map(({ orderId }) => orderId);
  return ids.reduce((most, id) => (id > most ? id : most), 0n) + 1n;
}

/** Conformant ways to show positions, orders and portfolios (§2, rulings on resources). */
export const resources: readonly Variant[] = [
  {
    kind: "variant",
    name: "positions-refer-to-orders",
    summary: "Positions refer to their orders everywhere, and hold none of them.",
    touches: rows,
    response: editPositions((position) => {
      delete position.associatedOrders;
    }),
  },
  {
    kind: "variant",
    name: "positions-hold-orders",
    summary: "GetAllPositions and GetPortfolio show the orders of positions, and no references to them.",
    touches: rows,
    response: editPositions(
      (position) => {
        delete position.associatedOrderIds;
      },
      "GetAllPositions",
      "GetPortfolio",
    ),
  },
  {
    kind: "variant",
    name: "positions-name-no-orders",
    summary: "GetAllPositions and GetPortfolio neither show nor name the orders of positions.",
    touches: rows,
    response: editPositions(
      (position) => {
        delete position.associatedOrders;
        delete position.associatedOrderIds;
      },
      "GetAllPositions",
      "GetPortfolio",
    ),
  },
  {
    kind: "variant",
    name: "stream-holds-orders",
    summary: "The stream shows the orders of positions beside the references.",
    touches: ["associated orders"],
    response: editPositions((position, context) => {
      const record = recordOf(context, position);
      const orders =
        record?.orders.map((order) => toJson(OrderSchema, orderMessage(context.dataset, order)) as MutableJson) ?? [];
      position.associatedOrders = orders;
    }, "GetOpenPositionsStreaming"),
  },
  {
    kind: "variant",
    name: "positions-without-terminal-reductions",
    summary: "The reduce-only orders of positions are those that are active; the others are no longer associated.",
    touches: rows,
    dataset: (data) =>
      mapPositions(data, (position) => ({
        ...position,
        orders: position.orders.filter(({ reduceOnly, status }) => !reduceOnly || isActiveStatus(status)),
      })),
  },
  {
    kind: "variant",
    name: "lists-in-any-order",
    summary: "What a portfolio or a snapshot lists, and the orders of positions, come in another order each time.",
    touches: ["associated orders", "sequence"],
    response: (endpoint, json) => {
      const holder = endpoint === "GetPortfolio" ? objectAt(json, "portfolio") : json;
      if (endpoint === "GetPortfolio" || endpoint === "GetOpenPositionsStreaming") {
        if (holder?.positions) holder.positions = shuffled(objectsAt(holder, "positions"));
        if (holder?.orders) holder.orders = shuffled(objectsAt(holder, "orders"));
      }
      for (const position of objectsAt(holder, "positions")) {
        for (const list of ["associatedOrders", "associatedOrderIds"]) {
          if (position[list]) position[list] = shuffled(objectsAt(position, list));
        }
      }
      return json;
    },
  },
  {
    kind: "variant",
    name: "reduce-only-leverage-unavailable",
    summary: "The leverage of reduce-only orders is not available in lists of orders.",
    touches: ["amounts"],
    response: editOrders(
      (order) => {
        if (order.reduceOnly) delete order.leverage;
      },
      "GetAllOrders",
      "GetOrders",
    ),
  },
  {
    kind: "variant",
    name: "no-revenue-data",
    summary: "Revenue data is not available yet: every rebate is 0.",
    touches: ["rebates"],
    response: editPositions((position) => {
      position.estimatedRebate = 0;
    }),
  },
  {
    kind: "variant",
    name: "stream-loads-no-markets",
    summary: "The stream cannot load markets: its rebates are -1.",
    touches: ["rebates"],
    response: editPositions((position) => {
      position.estimatedRebate = -1;
    }, "GetOpenPositionsStreaming"),
  },
  {
    kind: "variant",
    name: "first-trigger-shown",
    summary: "Of several active stop-loss or take-profit orders a position shows the first one's trigger.",
    touches: ["triggers"],
    response: editPositions((position, context) => {
      const record = recordOf(context, position);
      for (const [field, type] of [
        ["stopLossPrice", "STOP_LOSS"],
        ["takeProfitPrice", "TAKE_PROFIT"],
      ] as const) {
        const first = record?.orders.find(
          ({ reduceOrderType, status }) => reduceOrderType === type && isActiveStatus(status),
        );
        if (first) position[field] = first.triggerPrice;
      }
    }),
  },
  {
    kind: "variant",
    name: "only-documented-fields",
    summary: "Positions and orders carry the documented fields alone, without the ones seen additionally.",
    touches: rows,
    response: editResources((row) => {
      for (const name of additionalFields) delete row[name];
    }),
  },
  {
    kind: "variant",
    name: "unlisted-fields-that-change",
    summary: "Positions and orders carry further fields of all types, which differ on each read.",
    touches: ["further fields"],
    response: editResources((row) => {
      row.revision = Math.floor(Math.random() * 1e9);
      row.debug = { readAt: new Date().toISOString(), flags: [null, true, "x"] };
    }),
  },
  {
    kind: "variant",
    name: "lost-market-name-stored",
    summary: "Orders of a market without metadata carry the name that they stored while it was there (R7).",
    warns: ["order.market-fallback-stored-name"],
    response: editOrders((order, context) => {
      const market = marketOf(context, order);
      if (market?.listed === false) order.market = market.name;
    }),
  },
  {
    kind: "variant",
    name: "merged-order-without-position",
    summary:
      "A wallet's only order of a market was merged into another's position: it was filled, and has no position (R10).",
    touches: rows,
    dataset: (data) => {
      const places = new Set(data.positions.map(({ owner, marketId }) => `${owner} ${marketId}`));
      const opening = data.orders.find(({ status }) => status === MERGED);
      const wallet = [...data.wallets.values()].find(
        ({ address, orders, positions }) =>
          opening && positions.length > 0 && orders.length < 100 && !places.has(`${address} ${opening.marketId}`),
      );
      if (!opening || !wallet) return data;
      const merged = { ...opening, owner: wallet.address, orderId: nextOrderId(data, opening.marketId) };
      return createDataset(data.seed, data.markets.values(), [...data.orders, merged], data.positions);
    },
  },
  {
    kind: "variant",
    name: "open-orders-beyond-a-page",
    summary: "One wallet has about 1,200 open orders, more than the largest page holds.",
    dataset: (data) => {
      const pending = data.orders.find(({ status, reduceOnly }) => status === PENDING && !reduceOnly);
      if (!pending) return data;
      const first = nextOrderId(data, pending.marketId);
      const minute = 60_000_000_000n;
      const more = Array.from({ length: 1200 }, (_, place) => {
        const createdAt = pending.createdAt - BigInt(1200 - place) * minute;
        return { ...pending, orderId: first + BigInt(place), createdAt, updatedAt: createdAt };
      });
      return createDataset(data.seed, data.markets.values(), [...data.orders, ...more], data.positions);
    },
  },
  {
    kind: "variant",
    name: "market-named-like-the-fallback",
    summary: "A market's configured name is MARKET-2.",
    touches: ["market names", "selectors"],
    dataset: (data) => mapMarkets(data, (market) => (market.id === 2n ? { ...market, name: "MARKET-2" } : market)),
  },
  {
    kind: "variant",
    name: "positions-of-a-lost-market-without-name",
    summary: "Positions of a market without metadata carry no market name.",
    touches: ["market names"],
    response: editPositions((position, context) => {
      if (marketOf(context, position)?.listed === false) delete position.market;
    }),
  },
  {
    kind: "variant",
    name: "closed-positions-without-size",
    summary: "Closed positions have neither size nor unrealized profit.",
    touches: ["amounts"],
    response: editPositions((position, context) => {
      if (!isClosed(context, position)) return;
      position.nominalSize = 0;
      position.effectiveSize = 0;
      position.unrealizedPnl = 0;
    }),
  },
  {
    kind: "variant",
    name: "profit-less-fees",
    summary: "The unrealized profit is what remains after a rebate of one thousandth, and is cut to cents.",
    touches: ["amounts"],
    response: editPositions((position) => {
      position.unrealizedPnl = Math.trunc(Number(position.unrealizedPnl ?? 0) * 99.9) / 100;
    }),
  },
  {
    kind: "variant",
    name: "terminal-orders-without-amounts",
    summary: "Closed and cancelled orders no longer tell what was filled.",
    touches: ["amounts"],
    dataset: (data) =>
      mapOrders(data, (order) =>
        order.status === CLOSED || order.status === CANCELLED ? { ...order, unfilledSize: 0, filledSize: 0 } : order,
      ),
  },
  {
    kind: "variant",
    name: "totals-otherwise",
    summary: "The totals of portfolios follow other formulas.",
    touches: ["totals"],
    response: editPortfolio((portfolio) => {
      portfolio.totalLoss = -Number(portfolio.totalLoss ?? 0);
      portfolio.totalEquity = Number(portfolio.totalRealizedPnl ?? 0) + 1_000;
      portfolio.totalTrades = "0";
      portfolio.totalVolume = 0;
    }),
  },
  {
    kind: "variant",
    name: "few-statuses",
    summary: "The platform knows pending, fully filled and closed orders, and nothing in between.",
    dataset: (data) =>
      mapOrders(data, (order) => {
        if (order.status === PARTIALLY_FILLED || order.status === PARTIALLY_MERGED) {
          const { filledSize: size, reduceOnly, thresholdPrice } = order;
          const initialMargin = reduceOnly ? money(size * thresholdPrice) : order.initialMargin;
          return { ...order, status: FULLY_FILLED, size, unfilledSize: 0, initialMargin };
        }
        return order.status === PENDING || order.status === FULLY_FILLED ? order : { ...order, status: CLOSED };
      }),
  },
  {
    kind: "variant",
    name: "open-positions-only",
    summary: "Nothing was ever closed.",
    dataset: ({ seed, markets, orders, positions }) => {
      const over = new Set(positions.filter(({ open }) => !open).flatMap((position) => position.orders));
      return createDataset(
        seed,
        markets.values(),
        orders.filter((order) => !over.has(order)),
        positions.filter(({ open }) => open),
      );
    },
  },
  {
    kind: "variant",
    name: "portfolio-of-strangers-refused",
    summary:
      "GetPortfolio answers not_found for a wallet without any history, and invalid_argument for what is not an address.",
    touches: ["addresses"],
    http: (endpoint, reply, { dataset, effective }) => {
      if (endpoint !== "GetPortfolio" || dataset.wallets.has(String(effective.address))) return reply;
      const isAddress = /^0x[0-9a-f]{40}$/.test(String(effective.address));
      return isAddress
        ? jsonReply(404, { code: "not_found", message: "the wallet has no history" })
        : jsonReply(400, { code: "invalid_argument", message: "owner must be an EVM address" });
    },
  },
];
