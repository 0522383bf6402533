import { mapPositions } from "../dataset/dataset.js";
import type { OrderRecord, PositionRecord } from "../dataset/model.js";
import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { type JsonObject, objectsAt } from "../json.js";
import { isActive } from "../messages.js";
import type { Mutant } from "../modification.js";
import {
  editPositions,
  isClosed,
  marketOf,
  numberOf,
  positionRows,
  recordOf,
  referencedOrder,
  repeated,
} from "../resource-layer.js";

const { MERGED, PARTIALLY_MERGED } = OrderStatus;

function isMerged({ orders }: PositionRecord): boolean {
  return orders.some(({ status }) => status === MERGED || status === PARTIALLY_MERGED);
}

/** Some of the orders that the position's JSON shows. */
function shownOrders(position: JsonObject, test: (order: JsonObject) => boolean): JsonObject[] {
  return objectsAt(position, "associatedOrders").filter(test);
}

/** Gives positions the trigger of an order that the change picks, wherever the orders are known. */
function withTrigger(
  field: "stopLossPrice" | "takeProfitPrice",
  pick: (orders: readonly OrderRecord[]) => number | undefined,
): Mutant["response"] {
  return editPositions((position, context) => {
    const record = recordOf(context, position);
    const trigger = record && pick(record.orders);
    if (trigger !== undefined) position[field] = trigger;
  });
}

/** Servers that break one rule of §2 Position. */
export const position: readonly Mutant[] = [
  // position.identity
  {
    kind: "mutant",
    name: "portfolio-repeats-merged-positions",
    summary: "GetPortfolio lists a position once for each opening order that was merged into it.",
    breaks: "position.identity",
    ...positionRows("GetPortfolio", (rows) => repeated(rows, isMerged)),
  },
  {
    kind: "mutant",
    name: "stream-repeats-positions-with-two-triggers",
    summary: "The stream lists a position twice when it has a stop-loss and a take-profit order.",
    breaks: "position.identity",
    ...positionRows("GetOpenPositionsStreaming", (rows) =>
      repeated(
        rows,
        ({ orders }) => orders.filter(({ status, reduceOnly }) => reduceOnly && isActive(status)).length > 1,
      ),
    ),
  },
  {
    kind: "mutant",
    name: "get-all-positions-repeats-positions-with-many-orders",
    summary: "GetAllPositions lists a position twice when more than three orders belong to it.",
    breaks: "position.identity",
    ...positionRows("GetAllPositions", (rows) => repeated(rows, ({ orders }) => orders.length > 3)),
  },

  // position.opening-order
  {
    kind: "mutant",
    name: "position-id-from-own-sequence",
    summary: "Positions are numbered by a sequence of their own instead of by the order that opened them.",
    breaks: "position.opening-order",
    response: editPositions((position) => {
      position.positionId = String((BigInt(String(position.positionId)) % 1_000_000_000n) + 5_000_000_000n);
    }),
  },
  {
    kind: "mutant",
    name: "stream-forgets-opening-reference",
    summary: "The stream refers to the reduce-only orders of a position alone, once there are any.",
    breaks: "position.opening-order",
    response: editPositions((position) => {
      const references = objectsAt(position, "associatedOrderIds");
      const reduceOnly = references.filter((reference) => reference.reduceOnly === true);
      if (reduceOnly.length > 0) position.associatedOrderIds = reduceOnly;
    }, "GetOpenPositionsStreaming"),
  },

  // position.market-name
  {
    kind: "mutant",
    name: "position-market-with-dash",
    summary: "Positions write the slash of a market name as a dash.",
    breaks: "position.market-name",
    response: editPositions((position) => {
      position.market = String(position.market).replace("/", "-");
    }),
  },
  {
    kind: "mutant",
    name: "portfolio-positions-under-asset-symbol",
    summary: "GetPortfolio names the market of a position by its asset symbol alone.",
    breaks: "position.market-name",
    alsoFails: ["relations.position-stored-state"],
    response: editPositions((position, context) => {
      position.market = marketOf(context, position)?.assetSymbol ?? "";
    }, "GetPortfolio"),
  },

  // position.margin-type-isolated
  {
    kind: "mutant",
    name: "margin-type-cross-on-shorts",
    summary: "GetPortfolio calls the margin of short positions cross.",
    breaks: "position.margin-type-isolated",
    response: editPositions((position) => {
      if (position.side === "SIDE_SHORT") position.marginType = "MARGIN_TYPE_CROSS";
    }, "GetPortfolio"),
  },
  {
    kind: "mutant",
    name: "margin-type-unspecified-in-stream",
    summary: "The stream writes the margin type's unset value.",
    breaks: "position.margin-type-isolated",
    response: editPositions((position) => {
      position.marginType = "MARGIN_TYPE_UNSPECIFIED";
    }, "GetOpenPositionsStreaming"),
  },
  {
    kind: "mutant",
    name: "margin-type-without-prefix-when-closed",
    summary: "GetAllPositions writes the margin type of closed positions without its prefix.",
    breaks: "position.margin-type-isolated",
    response: editPositions((position, context) => {
      if (isClosed(context, position)) position.marginType = "ISOLATED";
    }, "GetAllPositions"),
  },

  // position.closed-mark-price
  {
    kind: "mutant",
    name: "closed-position-keeps-mark-price",
    summary: "GetAllPositions freezes the mark price of a position when it is closed.",
    breaks: "position.closed-mark-price",
    response: editPositions((position, context) => {
      if (isClosed(context, position)) position.markPrice = numberOf(position, "entryPrice");
    }, "GetAllPositions"),
  },

  // position.timestamp-not-before-opening
  {
    kind: "mutant",
    name: "position-times-of-the-hour-before",
    summary: "Positions to which nothing has happened since carry a time an hour before they were opened.",
    breaks: "position.timestamp-not-before-opening",
    dataset: (data) =>
      mapPositions(data, (position) =>
        position.timestamp === position.orders[0]?.createdAt
          ? { ...position, timestamp: position.timestamp - 3_600_000_000_000n }
          : position,
      ),
  },
  {
    kind: "mutant",
    name: "stream-times-of-the-epoch",
    summary: "The stream shows positions as of 1970.",
    breaks: "position.timestamp-not-before-opening",
    alsoFails: ["relations.position-stored-state"],
    response: editPositions((position) => {
      position.timestamp = "1970-01-01T00:00:00Z";
    }, "GetOpenPositionsStreaming"),
  },

  // position.leverage-at-opening
  {
    kind: "mutant",
    name: "position-leverage-in-force",
    summary: "The leverage of a position is that of its current margin, not the one at opening.",
    breaks: "position.leverage-at-opening",
    dataset: (data) =>
      mapPositions(data, (position) => ({
        ...position,
        leverage: (position.nominalSize * position.entryPrice) / position.allocatedMargin,
      })),
  },
  {
    kind: "mutant",
    name: "stream-leverage-missing",
    summary: "The stream leaves out the leverage of positions.",
    breaks: "position.leverage-at-opening",
    alsoFails: ["relations.position-stored-state"],
    response: editPositions((position) => {
      delete position.leverage;
    }, "GetOpenPositionsStreaming"),
  },

  // position.unrealized-pnl-sign
  {
    kind: "mutant",
    name: "short-profit-inverted",
    summary: "The unrealized profit of short positions has the sign of a long one.",
    breaks: "position.unrealized-pnl-sign",
    response: editPositions((position) => {
      if (position.side === "SIDE_SHORT") position.unrealizedPnl = -numberOf(position, "unrealizedPnl");
    }),
  },
  {
    kind: "mutant",
    name: "portfolio-profit-absolute",
    summary: "GetPortfolio shows the size of a profit or loss without its sign.",
    breaks: "position.unrealized-pnl-sign",
    response: editPositions((position) => {
      position.unrealizedPnl = Math.abs(numberOf(position, "unrealizedPnl"));
    }, "GetPortfolio"),
  },

  // position.associated-orders-market
  {
    kind: "mutant",
    name: "associated-order-of-another-market",
    summary: "A position's orders include its owner's latest opening order of another market.",
    breaks: "position.associated-orders-market",
    dataset: (data) =>
      mapPositions(data, (position) => {
        const orders = data.wallets.get(position.owner)?.orders ?? [];
        const foreign = orders.find(({ marketId, reduceOnly }) => marketId !== position.marketId && !reduceOnly);
        return foreign && position.open ? { ...position, orders: [...position.orders, foreign] } : position;
      }),
  },
  {
    kind: "mutant",
    name: "stream-reference-with-market-one",
    summary: "The stream's references to reduce-only orders carry the market id 1.",
    breaks: "position.associated-orders-market",
    alsoFails: [
      "order-ref.names-an-order",
      "position.stop-loss-price",
      "order.reduce-only-side",
      "order.reduce-only-leverage",
    ],
    response: editPositions((position) => {
      for (const reference of objectsAt(position, "associatedOrderIds")) {
        if (reference.reduceOnly === true) reference.marketId = "1";
      }
    }, "GetOpenPositionsStreaming"),
  },

  // position.associated-orders-owner
  {
    kind: "mutant",
    name: "associated-orders-of-the-keeper",
    summary: "GetAllPositions shows liquidation and ADL orders as those of the keeper that submitted them.",
    breaks: "position.associated-orders-owner",
    alsoFails: ["relations.order-stored-state"],
    response: editPositions((position) => {
      const forced = shownOrders(position, ({ reduceOrderType: type }) => type === "LIQUIDATION" || type === "ADL");
      for (const order of forced) order.owner = "0x00000000000000000000000000000000000000fe";
    }, "GetAllPositions"),
  },

  // position.associated-orders-agree
  {
    kind: "mutant",
    name: "associated-ids-without-terminal-orders",
    summary: "References to reduce-only orders are dropped when these are over, the orders themselves are not.",
    breaks: "position.associated-orders-agree",
    response: editPositions((position, context) => {
      position.associatedOrderIds = objectsAt(position, "associatedOrderIds").filter((reference) => {
        const order = referencedOrder(context, position, reference);
        return !order?.reduceOnly || isActive(order.status);
      });
    }),
  },
  {
    kind: "mutant",
    name: "associated-ids-repeated-in-portfolio",
    summary: "GetPortfolio refers to the order that opened a position twice when the position has reduce-only orders.",
    breaks: "position.associated-orders-agree",
    response: editPositions((position) => {
      const [first, ...others] = objectsAt(position, "associatedOrderIds");
      if (first && others.length > 0) position.associatedOrderIds = [first, ...others, { ...first }];
    }, "GetPortfolio"),
  },
  {
    kind: "mutant",
    name: "associated-orders-without-merged-ones",
    summary: "GetAllPositions leaves orders that were merged into a position out of associatedOrders.",
    breaks: "position.associated-orders-agree",
    response: editPositions((position) => {
      position.associatedOrders = shownOrders(position, ({ status }) => !String(status).endsWith("MERGED"));
    }, "GetAllPositions"),
  },

  // position.tick-decimals
  {
    kind: "mutant",
    name: "position-tick-decimals-of-size",
    summary: "Positions carry the decimals of their market's sizes as those of its prices.",
    breaks: "position.tick-decimals",
    response: editPositions((position, context) => {
      position.tickDecimals = marketOf(context, position)?.sizeDecimals ?? 0;
    }),
  },

  // position.effective-size
  {
    kind: "mutant",
    name: "effective-size-scaled-by-adl",
    summary: "The effective size of a position is scaled down when an ADL order reduced it.",
    breaks: "position.effective-size",
    response: editPositions((position, context) => {
      if (!recordOf(context, position)?.orders.some(({ reduceOrderType }) => reduceOrderType === "ADL")) return;
      position.effectiveSize = numberOf(position, "nominalSize") * 0.999;
    }),
  },
  {
    kind: "mutant",
    name: "effective-size-missing-in-stream",
    summary: "The stream leaves out the effective size.",
    breaks: "position.effective-size",
    response: editPositions((position) => {
      delete position.effectiveSize;
    }, "GetOpenPositionsStreaming"),
  },
  {
    kind: "mutant",
    name: "effective-size-zero-when-closed",
    summary: "GetAllPositions shows closed positions with an effective size of zero.",
    breaks: "position.effective-size",
    response: editPositions((position, context) => {
      if (isClosed(context, position)) position.effectiveSize = 0;
    }, "GetAllPositions"),
  },

  // position.estimated-rebate
  {
    kind: "mutant",
    name: "rebate-of-the-long-side",
    summary: "The rebate of short positions is computed from the revenue of the long side.",
    breaks: "position.estimated-rebate",
    response: editPositions((position, context) => {
      const market = marketOf(context, position);
      if (position.side !== "SIDE_SHORT" || !market || market.longRevenue === 0) return;
      position.estimatedRebate = market.longRevenue - numberOf(position, "revenueSpent");
    }),
  },
  {
    kind: "mutant",
    name: "portfolio-rebate-without-revenue-spent",
    summary: "GetPortfolio shows the market's whole revenue as the rebate of a position.",
    breaks: "position.estimated-rebate",
    response: editPositions((position) => {
      const rebate = numberOf(position, "estimatedRebate");
      if (rebate !== 0 && rebate !== -1) position.estimatedRebate = rebate + numberOf(position, "revenueSpent");
    }, "GetPortfolio"),
  },
  {
    kind: "mutant",
    name: "rebate-for-the-whole-position",
    summary: "The rebate is that of the whole position, not per unit.",
    breaks: "position.estimated-rebate",
    response: editPositions((position) => {
      const rebate = numberOf(position, "estimatedRebate");
      if (rebate > 0) position.estimatedRebate = rebate * numberOf(position, "nominalSize") + 1;
    }),
  },

  // position.estimated-rebate-market-unavailable
  {
    kind: "mutant",
    name: "rebate-of-a-lost-market",
    summary: "The rebate of a position whose market cannot be loaded is what was last known of it.",
    breaks: "position.estimated-rebate-market-unavailable",
    response: editPositions((position, context) => {
      if (marketOf(context, position)?.listed === false) position.estimatedRebate = 0.0375;
    }),
  },

  // position.stop-loss-price
  {
    kind: "mutant",
    name: "stop-loss-of-cancelled-orders",
    summary: "A position still shows the trigger of its stop-loss order when that was cancelled.",
    breaks: "position.stop-loss-price",
    response: withTrigger("stopLossPrice", (orders) => {
      const stops = orders.filter(({ reduceOrderType }) => reduceOrderType === "STOP_LOSS");
      return stops.every(({ status }) => !isActive(status)) ? stops.at(-1)?.triggerPrice : undefined;
    }),
  },
  {
    kind: "mutant",
    name: "stop-loss-vanishes-while-filling",
    summary: "A position shows no stop-loss price once the order is partially filled.",
    breaks: "position.stop-loss-price",
    response: withTrigger("stopLossPrice", (orders) => {
      const active = orders.filter(
        ({ reduceOrderType, status }) => reduceOrderType === "STOP_LOSS" && isActive(status),
      );
      return active.length > 0 && active.every(({ status }) => status !== OrderStatus.PENDING) ? 0 : undefined;
    }),
  },
  {
    kind: "mutant",
    name: "stop-loss-of-the-opening-order",
    summary: "A position without stop-loss order shows the trigger that was attached to its opening order.",
    breaks: "position.stop-loss-price",
    response: withTrigger("stopLossPrice", ([opening, ...others]) => {
      const stops = others.filter(({ reduceOrderType, status }) => reduceOrderType === "STOP_LOSS" && isActive(status));
      return stops.length === 0 ? opening?.stopLossPrice : undefined;
    }),
  },
  {
    kind: "mutant",
    name: "stream-without-stop-loss-price",
    summary: "The stream shows no stop-loss prices.",
    breaks: "position.stop-loss-price",
    alsoFails: ["relations.position-stored-state"],
    response: editPositions((position) => {
      delete position.stopLossPrice;
    }, "GetOpenPositionsStreaming"),
  },

  // position.take-profit-price
  {
    kind: "mutant",
    name: "take-profit-hidden-by-stop-loss",
    summary: "A position with both triggers shows the stop-loss price only.",
    breaks: "position.take-profit-price",
    response: editPositions((position) => {
      if (numberOf(position, "stopLossPrice") > 0) position.takeProfitPrice = 0;
    }),
  },
  {
    kind: "mutant",
    name: "take-profit-of-any-trigger",
    summary: "A position without take-profit order shows the trigger of its stop-loss order in its place.",
    breaks: "position.take-profit-price",
    response: editPositions((position) => {
      position.takeProfitPrice = numberOf(position, "takeProfitPrice") || numberOf(position, "stopLossPrice");
    }),
  },
  {
    kind: "mutant",
    name: "take-profit-minus-one-when-none",
    summary: "GetPortfolio shows a take-profit price of -1 where there is none.",
    breaks: "position.take-profit-price",
    alsoFails: ["relations.position-stored-state"],
    response: editPositions((position) => {
      if (numberOf(position, "takeProfitPrice") === 0) position.takeProfitPrice = -1;
    }, "GetPortfolio"),
  },

  // position.additional-field-types
  {
    kind: "mutant",
    name: "cash-roi-in-percent",
    summary: "GetPortfolio writes cashRoi as a text with a percent sign.",
    breaks: "position.additional-field-types",
    response: editPositions((position) => {
      position.cashRoi = `${(numberOf(position, "cashRoi") * 100).toFixed(2)}%`;
    }, "GetPortfolio"),
  },
  {
    kind: "mutant",
    name: "current-pnl-quoted-for-shorts",
    summary: "GetPortfolio writes currentPnl of short positions as a string.",
    breaks: "position.additional-field-types",
    response: editPositions((position) => {
      if (position.side === "SIDE_SHORT") position.currentPnl = String(numberOf(position, "currentPnl"));
    }, "GetPortfolio"),
  },
];
