/** Judges the stop-loss and take-profit prices of positions (R3). */
import { type ReduceOrderType, reduceOrderTypes } from "../specification/enums.js";
import { associatedWith, type KnownOrders } from "./associated.js";
import { type Judgement, judgeEach } from "./judgement.js";
import { type LocatedRow, type PositionRows, wrongField } from "./located-rows.js";
import { hasStatus, isActive } from "./order-lists.js";
import type { OrderView, PositionView } from "./read.js";
import { positionKey } from "./read-stored.js";

/** The trigger price fields of a position, each with the type of the orders that it comes from (R3). */
const triggers = {
  stopLossPrice: "STOP_LOSS",
  takeProfitPrice: "TAKE_PROFIT",
} as const satisfies Record<string, ReduceOrderType>;

/** A field of a position that shows a trigger price. */
export type TriggerField = keyof typeof triggers;

/** The rules on trigger prices, each with its field (R3). */
export const triggerRules = [
  ["position.stop-loss-price", "stopLossPrice"],
  ["position.take-profit-price", "takeProfitPrice"],
] as const satisfies readonly (readonly [rule: string, field: TriggerField])[];

/**
 * The trigger price is greater than 0 if an associated reduce order of its type is active, and 0 if none is (R3). For
 * positions whose orders are not all known, only the first half is judged.
 *
 * @param known states of orders that positions only refer to, read at the same moment
 */
export function triggerPrices(field: TriggerField, positions: PositionRows, known?: KnownOrders): Judgement {
  const judged = positions.flatMap((shown) => {
    const { orders, complete } = associatedWith(shown.row, known);
    const active = orders.filter((order) => isTrigger(order, field, shown.row));
    const settled = active.length > 0 || (complete && orders.length > 0 && orders.every(isReadable));
    return settled && Number.isFinite(shown.row[field]) ? [{ shown, active }] : [];
  });
  const type = triggers[field];
  return judgeEach(
    judged,
    ({ shown, active: [active] }) => {
      const price = shown.row[field];
      if (active === undefined ? price === 0 : price > 0) return undefined;
      const expected =
        active === undefined
          ? `0 (no associated ${type} order is active)`
          : `greater than 0 (the ${type} order ${active.orderId} is ${active.status})`;
      return { ...wrongField(shown, field, expected), row: `${positionKey(shown.row)} ${price} ${expected}` };
    },
    "a position whose associated orders are shown",
  );
}

/** Whether an order is an active reduce order of the field's type, in the position's own market. */
function isTrigger(order: OrderView, field: TriggerField, { marketId }: PositionView): boolean {
  return (
    isActive(order) && order.reduceOnly && order.reduceOrderType === triggers[field] && order.marketId === marketId
  );
}

/**
 * Whether status and type are documented values. With others, an order may or may not be a trigger; other rules cover them.
 */
function isReadable(order: OrderView): boolean {
  return (
    hasStatus(order) && (!order.reduceOnly || (reduceOrderTypes as readonly string[]).includes(order.reduceOrderType))
  );
}

/** Positions with several active orders of the field's type, and these orders. Only observed (R3). */
export function contestedTriggers(
  field: TriggerField,
  positions: PositionRows,
  known?: KnownOrders,
): readonly { readonly shown: LocatedRow<PositionView>; readonly active: readonly OrderView[] }[] {
  return positions.flatMap((shown) => {
    const active = associatedWith(shown.row, known).orders.filter((order) => isTrigger(order, field, shown.row));
    return active.length > 1 ? [{ shown, active }] : [];
  });
}
