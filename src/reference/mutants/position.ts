import { type Dataset, mapPositions } from "../dataset/dataset.js";
import type { OrderRecord, PositionRecord } from "../dataset/model.js";
import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { type MutableJsonObject, numberIn, objectsAt } from "../json.js";
import { isActiveStatus } from "../messages.js";
import { breaking, type Mutant } from "../modification.js";
import {
  editPositions,
  isClosed,
  marketOf,
  positionRows,
  recordOf,
  referencedOrder,
  repeated,
} from "../resource-interceptors.js";

const { MERGED, PARTIALLY_MERGED } = OrderStatus;

function isMerged({ orders }: PositionRecord): boolean {
  return orders.some(({ status }) => status === MERGED || status === PARTIALLY_MERGED);
}

/** Shows positions to which nothing has happened since as so many nanoseconds older than their opening. */
function timedBeforeOpening(nanoseconds: bigint): (data: Dataset) => Dataset {
  return (data) =>
    mapPositions(data, (position) =>
      position.timestamp === position.orders[0]?.createdAt
        ? { ...position, timestamp: position.timestamp - nanoseconds }
        : position,
    );
}

/** The orders in a position's JSON that pass a test. */
function shownOrders(position: MutableJsonObject, test: (order: MutableJsonObject) => boolean): MutableJsonObject[] {
  return objectsAt(position, "associatedOrders").filter(test);
}

/** Sets a trigger field of positions from the stored orders. */
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
  ...breaking("position.identity", {
    "portfolio-repeats-merged-positions": {
      summary: "GetPortfolio lists a position once for each opening order that was merged into it.",
      ...positionRows("GetPortfolio", (rows) => repeated(rows, isMerged)),
    },
    "stream-repeats-positions-with-two-triggers": {
      summary: "The stream lists a position twice when it has a stop-loss and a take-profit order.",
      ...positionRows("GetOpenPositionsStreaming", (rows) =>
        repeated(
          rows,
          ({ orders }) => orders.filter(({ status, reduceOnly }) => reduceOnly && isActiveStatus(status)).length > 1,
        ),
      ),
    },
    "get-all-positions-repeats-positions-with-many-orders": {
      summary: "GetAllPositions lists a position twice when more than three orders belong to it.",
      ...positionRows("GetAllPositions", (rows) => repeated(rows, ({ orders }) => orders.length > 3)),
    },
  }),

  ...breaking("position.opening-order", {
    "position-id-from-own-sequence": {
      summary: "Positions are numbered by a sequence of their own instead of by the order that opened them.",
      response: editPositions((position) => {
        position.positionId = String((BigInt(String(position.positionId)) % 1_000_000_000n) + 5_000_000_000n);
      }),
    },
    "stream-forgets-opening-reference": {
      summary: "The stream refers to the reduce-only orders of a position alone, once there are any.",
      alsoFails: ["relations.position-stored-state"],
      response: editPositions((position) => {
        const references = objectsAt(position, "associatedOrderIds");
        const reduceOnly = references.filter((reference) => reference.reduceOnly === true);
        if (reduceOnly.length > 0) position.associatedOrderIds = reduceOnly;
      }, "GetOpenPositionsStreaming"),
    },
    "stream-repeats-a-reference-in-every-second-message": {
      summary: "In every second message of the stream, the last reference of a position stands in place of the first.",
      response: editPositions((position, { messageIndex }) => {
        const references = objectsAt(position, "associatedOrderIds");
        if (messageIndex % 2 === 1)
          position.associatedOrderIds = references.map((reference, index) =>
            index === 0 ? (references.at(-1) ?? reference) : reference,
          );
      }, "GetOpenPositionsStreaming"),
    },
  }),

  ...breaking("position.market-name", {
    "position-market-with-dash": {
      summary: "Positions write the slash of a market name as a dash.",
      response: editPositions((position) => {
        position.market = String(position.market).replace("/", "-");
      }),
    },
    "portfolio-positions-under-asset-symbol": {
      summary: "GetPortfolio names the market of a position by its asset symbol alone.",
      alsoFails: ["relations.position-stored-state"],
      response: editPositions((position, context) => {
        position.market = marketOf(context, position)?.assetSymbol ?? "";
      }, "GetPortfolio"),
    },
  }),

  ...breaking("position.margin-type-isolated", {
    "margin-type-cross-on-shorts": {
      summary: "GetPortfolio calls the margin of short positions cross.",
      response: editPositions((position) => {
        if (position.side === "SIDE_SHORT") position.marginType = "MARGIN_TYPE_CROSS";
      }, "GetPortfolio"),
    },
    "margin-type-unspecified-in-stream": {
      summary: "The stream writes the margin type's unset value.",
      response: editPositions((position) => {
        position.marginType = "MARGIN_TYPE_UNSPECIFIED";
      }, "GetOpenPositionsStreaming"),
    },
    "margin-type-without-prefix-when-closed": {
      summary: "GetAllPositions writes the margin type of closed positions without its prefix.",
      response: editPositions((position, context) => {
        if (isClosed(context, position)) position.marginType = "ISOLATED";
      }, "GetAllPositions"),
    },
  }),

  ...breaking("position.closed-mark-price", {
    "closed-position-keeps-mark-price": {
      summary: "GetAllPositions freezes the mark price of a position when it is closed.",
      response: editPositions((position, context) => {
        if (isClosed(context, position)) position.markPrice = numberIn(position, "entryPrice");
      }, "GetAllPositions"),
    },
  }),

  ...breaking("position.timestamp-not-before-opening", {
    "position-times-of-the-hour-before": {
      summary: "Positions to which nothing has happened since carry a time an hour before they were opened.",
      dataset: timedBeforeOpening(3_600_000_000_000n),
    },
    "position-times-a-nanosecond-early": {
      summary: "Positions to which nothing has happened since carry a time a nanosecond before they were opened.",
      dataset: timedBeforeOpening(1n),
    },
    "stream-times-of-the-epoch": {
      summary: "The stream shows positions as of 1970.",
      alsoFails: ["relations.position-stored-state"],
      response: editPositions((position) => {
        position.timestamp = "1970-01-01T00:00:00Z";
      }, "GetOpenPositionsStreaming"),
    },
  }),

  ...breaking("position.leverage-at-opening", {
    "position-leverage-in-force": {
      summary: "The leverage of a position is that of its current margin, not the one at opening.",
      dataset: (data) =>
        mapPositions(data, (position) => ({
          ...position,
          leverage: (position.nominalSize * position.entryPrice) / position.allocatedMargin,
        })),
    },
    "stream-leverage-missing": {
      summary: "The stream leaves out the leverage of positions.",
      alsoFails: ["relations.position-stored-state"],
      response: editPositions((position) => {
        delete position.leverage;
      }, "GetOpenPositionsStreaming"),
    },
  }),

  ...breaking("position.unrealized-pnl-sign", {
    "short-profit-inverted": {
      summary: "The unrealized profit of short positions has the sign of a long one.",
      response: editPositions((position) => {
        if (position.side === "SIDE_SHORT") position.unrealizedPnl = -numberIn(position, "unrealizedPnl");
      }),
    },
    "portfolio-profit-absolute": {
      summary: "GetPortfolio shows the size of a profit or loss without its sign.",
      response: editPositions((position) => {
        position.unrealizedPnl = Math.abs(numberIn(position, "unrealizedPnl"));
      }, "GetPortfolio"),
    },
  }),

  ...breaking("position.associated-orders-market", {
    "associated-order-of-another-market": {
      summary: "A position's orders include its owner's latest opening order of another market.",
      dataset: (data) =>
        mapPositions(data, (position) => {
          const orders = data.wallets.get(position.owner)?.orders ?? [];
          const foreign = orders.find(({ marketId, reduceOnly }) => marketId !== position.marketId && !reduceOnly);
          return foreign && position.open ? { ...position, orders: [...position.orders, foreign] } : position;
        }),
    },
    "stream-reference-with-market-one": {
      summary: "The stream's references to reduce-only orders carry the market id 1.",
      alsoFails: [
        "order-ref.names-an-order",
        "position.stop-loss-price",
        "order.reduce-only-side",
        "order.reduce-only-leverage",
        "relations.position-stored-state",
      ],
      response: editPositions((position) => {
        for (const reference of objectsAt(position, "associatedOrderIds")) {
          if (reference.reduceOnly === true) reference.marketId = "1";
        }
      }, "GetOpenPositionsStreaming"),
    },
  }),

  ...breaking("position.associated-orders-owner", {
    "associated-orders-of-the-keeper": {
      summary: "GetAllPositions shows liquidation and ADL orders as those of the keeper that submitted them.",
      alsoFails: ["relations.order-stored-state"],
      response: editPositions((position) => {
        const forced = shownOrders(position, ({ reduceOrderType: type }) => type === "LIQUIDATION" || type === "ADL");
        for (const order of forced) order.owner = "0x00000000000000000000000000000000000000fe";
      }, "GetAllPositions"),
    },
  }),

  ...breaking("position.associated-orders-agree", {
    "associated-ids-without-terminal-orders": {
      summary: "References to reduce-only orders are dropped when these have ended, the orders themselves are not.",
      response: editPositions((position, context) => {
        position.associatedOrderIds = objectsAt(position, "associatedOrderIds").filter((reference) => {
          const order = referencedOrder(context, position, reference);
          return !order?.reduceOnly || isActiveStatus(order.status);
        });
      }),
    },
    "associated-ids-repeated-in-portfolio": {
      summary:
        "GetPortfolio refers to the order that opened a position twice when the position has reduce-only orders.",
      response: editPositions((position) => {
        const [first, ...others] = objectsAt(position, "associatedOrderIds");
        if (first && others.length > 0) position.associatedOrderIds = [first, ...others, { ...first }];
      }, "GetPortfolio"),
    },
    "associated-orders-without-merged-ones": {
      summary: "GetAllPositions leaves orders that were merged into a position out of associatedOrders.",
      response: editPositions((position) => {
        position.associatedOrders = shownOrders(position, ({ status }) => !String(status).endsWith("MERGED"));
      }, "GetAllPositions"),
    },
  }),

  ...breaking("position.tick-decimals", {
    "position-tick-decimals-of-size": {
      summary: "Positions carry the decimals of their market's sizes as those of its prices.",
      response: editPositions((position, context) => {
        position.tickDecimals = marketOf(context, position)?.sizeDecimals ?? 0;
      }),
    },
  }),

  ...breaking("position.effective-size", {
    "effective-size-scaled-by-adl": {
      summary: "The effective size of a position is scaled down when an ADL order reduced it.",
      response: editPositions((position, context) => {
        if (!recordOf(context, position)?.orders.some(({ reduceOrderType }) => reduceOrderType === "ADL")) return;
        position.effectiveSize = numberIn(position, "nominalSize") * 0.999;
      }),
    },
    "effective-size-missing-in-stream": {
      summary: "The stream leaves out the effective size.",
      response: editPositions((position) => {
        delete position.effectiveSize;
      }, "GetOpenPositionsStreaming"),
    },
    "effective-size-zero-when-closed": {
      summary: "GetAllPositions shows closed positions with an effective size of zero.",
      response: editPositions((position, context) => {
        if (isClosed(context, position)) position.effectiveSize = 0;
      }, "GetAllPositions"),
    },
  }),

  ...breaking("position.estimated-rebate", {
    "rebate-of-the-long-side": {
      summary: "The rebate of short positions is computed from the revenue of the long side.",
      response: editPositions((position, context) => {
        const market = marketOf(context, position);
        if (position.side !== "SIDE_SHORT" || !market || market.longRevenue === 0) return;
        position.estimatedRebate = market.longRevenue - numberIn(position, "revenueSpent");
      }),
    },
    "portfolio-rebate-without-revenue-spent": {
      summary: "GetPortfolio shows the market's whole revenue as the rebate of a position.",
      response: editPositions((position) => {
        const rebate = numberIn(position, "estimatedRebate");
        if (rebate !== 0 && rebate !== -1) position.estimatedRebate = rebate + numberIn(position, "revenueSpent");
      }, "GetPortfolio"),
    },
    "rebate-for-the-whole-position": {
      summary: "The rebate is that of the whole position, not per unit.",
      response: editPositions((position) => {
        const rebate = numberIn(position, "estimatedRebate");
        if (rebate > 0) position.estimatedRebate = rebate * numberIn(position, "nominalSize") + 1;
      }),
    },
  }),

  ...breaking("position.estimated-rebate-market-unavailable", {
    "rebate-of-a-lost-market": {
      summary: "The rebate of a position whose market cannot be loaded is what was last known of it.",
      response: editPositions((position, context) => {
        if (marketOf(context, position)?.listed === false) position.estimatedRebate = 0.0375;
      }),
    },
  }),

  ...breaking("position.stop-loss-price", {
    "stop-loss-of-cancelled-orders": {
      summary: "A position still shows the trigger of its stop-loss order when that was cancelled.",
      response: withTrigger("stopLossPrice", (orders) => {
        const stops = orders.filter(({ reduceOrderType }) => reduceOrderType === "STOP_LOSS");
        return stops.every(({ status }) => !isActiveStatus(status)) ? stops.at(-1)?.triggerPrice : undefined;
      }),
    },
    "stop-loss-vanishes-while-filling": {
      summary: "A position shows no stop-loss price once the order is partially filled.",
      response: withTrigger("stopLossPrice", (orders) => {
        const active = orders.filter(
          ({ reduceOrderType, status }) => reduceOrderType === "STOP_LOSS" && isActiveStatus(status),
        );
        return active.length > 0 && active.every(({ status }) => status !== OrderStatus.PENDING) ? 0 : undefined;
      }),
    },
    "stop-loss-of-the-opening-order": {
      summary: "A position without stop-loss order shows the trigger that was attached to its opening order.",
      response: withTrigger("stopLossPrice", ([opening, ...others]) => {
        const stops = others.filter(
          ({ reduceOrderType, status }) => reduceOrderType === "STOP_LOSS" && isActiveStatus(status),
        );
        return stops.length === 0 ? opening?.stopLossPrice : undefined;
      }),
    },
    "stream-without-stop-loss-price": {
      summary: "The stream shows no stop-loss prices.",
      alsoFails: ["relations.position-stored-state"],
      response: editPositions((position) => {
        delete position.stopLossPrice;
      }, "GetOpenPositionsStreaming"),
    },
  }),

  ...breaking("position.take-profit-price", {
    "take-profit-hidden-by-stop-loss": {
      summary: "A position with both triggers shows the stop-loss price only.",
      response: editPositions((position) => {
        if (numberIn(position, "stopLossPrice") > 0) position.takeProfitPrice = 0;
      }),
    },
    "take-profit-of-any-trigger": {
      summary: "A position without take-profit order shows the trigger of its stop-loss order in its place.",
      response: editPositions((position) => {
        position.takeProfitPrice = numberIn(position, "takeProfitPrice") || numberIn(position, "stopLossPrice");
      }),
    },
    "take-profit-minus-one-when-none": {
      summary: "GetPortfolio shows a take-profit price of -1 where there is none.",
      alsoFails: ["relations.position-stored-state"],
      response: editPositions((position) => {
        if (numberIn(position, "takeProfitPrice") === 0) position.takeProfitPrice = -1;
      }, "GetPortfolio"),
    },
  }),

  ...breaking("position.additional-field-types", {
    "cash-roi-in-percent": {
      summary: "GetPortfolio writes cashRoi as a text with a percent sign.",
      response: editPositions((position) => {
        position.cashRoi = `${(numberIn(position, "cashRoi") * 100).toFixed(2)}%`;
      }, "GetPortfolio"),
    },
    "current-pnl-quoted-for-shorts": {
      summary: "GetPortfolio writes currentPnl of short positions as a string.",
      response: editPositions((position) => {
        if (position.side === "SIDE_SHORT") position.currentPnl = String(numberIn(position, "currentPnl"));
      }, "GetPortfolio"),
    },
  }),
];
