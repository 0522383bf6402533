/** Judges single orders, and what a reduce-only order inherits (§2 Order). */
import { activeOrderStatuses } from "../specification/enums.js";
import { associatedWith, type KnownOrders, openingOrderOf } from "./associated.js";
import { computed, type Judgement, judgeEach, type Violation } from "./judgement.js";
import { type LocatedRow, type OrderRows, rowPath, wrongField } from "./located-rows.js";
import { eachOnce, fieldRounding } from "./positions.js";
import type { OrderView, PositionView } from "./read.js";
import { orderKey } from "./read-stored.js";
import { halfUnit, nearlyEqual, productHalfUnit } from "./tolerance.js";

/** Each order occurs once in each list: no two share `orderId`, `marketId` and `reduceOnly` (R14). */
export function eachOrderOnce(orders: OrderRows): Judgement {
  return eachOnce(orders, ({ row }) => orderKey(row), "each order once");
}

/** How many orders, with how many different leverages, it takes to call an error systematic. */
const systematic = { orders: 20, leverages: 4 } as const;

/**
 * `initialNotional` of an opening order is `initialMargin` times `leverage` (§2 Order, R1). Rounding errors go both ways:
 * if the product is off in the same direction in each of many orders with several leverages, it is not rounding.
 */
export function initialNotionals(orders: OrderRows): Judgement {
  const judged = orders.filter(
    ({ row }) => !row.reduceOnly && [row.initialNotional, row.initialMargin, row.leverage].every(Number.isFinite),
  );
  const notionalRounding = fieldRounding(orders, "initialNotional");
  const marginRounding = fieldRounding(orders, "initialMargin");
  const leverageRounding = fieldRounding(orders, "leverage");
  const isAlwaysOff = offInOneDirection(judged, notionalRounding, marginRounding);
  return judgeEach(
    judged,
    (shown) => {
      const { initialNotional, initialMargin, leverage } = shown.row;
      const product = initialMargin * leverage;
      const rounding = [
        notionalRounding,
        productHalfUnit([initialMargin, marginRounding], [leverage, leverageRounding]),
      ];
      if (!isAlwaysOff && nearlyEqual(initialNotional, product, { rounding })) return undefined;
      const expected = `${computed(product)} (= initialMargin ${initialMargin} x leverage ${leverage})`;
      return wrongField(shown, "initialNotional", expected);
    },
    "a position-opening order",
  );
}

/** Whether every product is wrong unless the leverage was rounded, and all of them are off in the same direction. */
function offInOneDirection(orders: OrderRows, notionalRounding: number, marginRounding: number): boolean {
  const withMargin = orders.filter(({ row }) => row.initialMargin * row.leverage > 0);
  const leverages = new Set(withMargin.map(({ row }) => row.leverage));
  if (withMargin.length < systematic.orders || leverages.size < systematic.leverages) return false;
  const directions = withMargin.map(({ row: { initialNotional, initialMargin, leverage } }) => {
    const rounding = [notionalRounding, leverage * marginRounding];
    const product = initialMargin * leverage;
    return nearlyEqual(initialNotional, product, { rounding }) ? 0 : Math.sign(initialNotional - product);
  });
  return directions.every((direction) => direction !== 0 && direction === directions[0]);
}

/** `initialNotional` of a reduce-only order is 0 (§2 Order, R1). */
export function noInitialNotionals(orders: OrderRows): Judgement {
  return judgeEach(
    orders.filter(({ row }) => row.reduceOnly && Number.isFinite(row.initialNotional)),
    (shown) =>
      nearlyEqual(shown.row.initialNotional, 0)
        ? undefined
        : wrongField(shown, "initialNotional", "0 (a reduce-only order)"),
    "a reduce-only order",
  );
}

/** `initialMargin` of a reduce-only order is its size at the threshold price (§2 Order, R19). */
export function thresholdNotionals(orders: OrderRows): Judgement {
  const marginRounding = fieldRounding(orders, "initialMargin");
  const sizeRounding = fieldRounding(orders, "size");
  const priceRounding = fieldRounding(orders, "thresholdPrice");
  return judgeEach(
    orders.filter(
      ({ row }) => row.reduceOnly && [row.initialMargin, row.size, row.thresholdPrice].every(Number.isFinite),
    ),
    (shown) => {
      const { initialMargin, size, thresholdPrice } = shown.row;
      const rounding = [marginRounding, productHalfUnit([size, sizeRounding], [thresholdPrice, priceRounding])];
      const notional = size * thresholdPrice;
      if (nearlyEqual(initialMargin, notional, { rounding })) return undefined;
      const expected = `${computed(notional)} (= size ${size} x thresholdPrice ${thresholdPrice})`;
      return wrongField(shown, "initialMargin", expected);
    },
    "a reduce-only order",
  );
}

/** `rebates` of an opening order are 0: they are recorded for reduce fills (§2 Order, R19). */
export function noRebatesOnOpenings(orders: OrderRows): Judgement {
  return judgeEach(
    orders.filter(({ row }) => !row.reduceOnly && Number.isFinite(row.rebates)),
    (shown) => (nearlyEqual(shown.row.rebates, 0) ? undefined : wrongField(shown, "rebates", "0 (an opening order)")),
    "a position-opening order",
  );
}

/** The filled and the unfilled amount of an active or fully filled order add up to its size (R1, R9). */
export function sizesAddUp(orders: OrderRows): Judgement {
  const statuses = new Set<string>([...activeOrderStatuses, "ORDER_STATUS_FULLY_FILLED"]);
  const fields = ["size", "filledSize", "unfilledSize"] as const;
  const rounding = fields.map((field) => fieldRounding(orders, field));
  return judgeEach(
    orders.filter(
      ({ row }) => statuses.has(row.status) && [row.size, row.filledSize, row.unfilledSize].every(Number.isFinite),
    ),
    (shown) => {
      const { status, size, filledSize, unfilledSize } = shown.row;
      if (nearlyEqual(filledSize + unfilledSize, size, { rounding })) return undefined;
      const expected = `${computed(size - filledSize)} (size ${size} - filledSize ${filledSize}, ${status})`;
      return wrongField(shown, "unfilledSize", expected);
    },
    "an active or fully filled order",
  );
}

/** What the amounts of an order must be, by its status (R9). */
const amountsByStatus: Readonly<
  Record<string, { readonly holds: (order: OrderView) => boolean; readonly expected: string }>
> = {
  ORDER_STATUS_PENDING: { holds: ({ filledSize }) => nearlyEqual(filledSize, 0), expected: "filledSize 0" },
  ORDER_STATUS_PARTIALLY_FILLED: {
    holds: ({ filledSize, unfilledSize }) => filledSize > 0 && unfilledSize > 0,
    expected: "filledSize and unfilledSize greater than 0",
  },
  ORDER_STATUS_FULLY_FILLED: { holds: ({ unfilledSize }) => nearlyEqual(unfilledSize, 0), expected: "unfilledSize 0" },
};

/** A pending order is not filled at all, a partially filled one in part, a fully filled one completely (R9). */
export function sizesMatchStatus(orders: OrderRows): Judgement {
  return judgeEach(
    orders.filter(
      ({ row }) =>
        amountsByStatus[row.status] !== undefined && [row.filledSize, row.unfilledSize].every(Number.isFinite),
    ),
    (shown) => {
      const amounts = amountsByStatus[shown.row.status];
      if (!amounts || amounts.holds(shown.row)) return undefined;
      return {
        path: rowPath(shown),
        expected: `${amounts.expected} (${shown.row.status})`,
        seen: `filledSize ${shown.row.filledSize}, unfilledSize ${shown.row.unfilledSize}`,
      };
    },
    "a pending, partially filled or fully filled order",
  );
}

/** Maps each order that a position names, by identity, to the opening order of the position (R2, R8). */
function openingsOfReduceOnly(positions: readonly PositionView[], known: KnownOrders): ReadonlyMap<string, OrderView> {
  const openings = new Map<string, OrderView>();
  for (const position of positions) {
    const opening = openingOrderOf(position, known);
    if (opening) for (const key of associatedWith(position).keys) openings.set(key, opening);
  }
  return openings;
}

interface LinkedOrder {
  readonly shown: LocatedRow<OrderView>;
  /** The order that opened its position. */
  readonly opening: OrderView;
}

function judgeLinked(
  orders: OrderRows,
  positions: readonly PositionView[],
  known: KnownOrders,
  judge: (order: LinkedOrder) => Violation | undefined,
): Judgement {
  const openings = openingsOfReduceOnly(positions, known);
  const linked = orders.flatMap((shown): LinkedOrder[] => {
    const opening = shown.row.reduceOnly ? openings.get(orderKey(shown.row)) : undefined;
    return opening ? [{ shown, opening }] : [];
  });
  return judgeEach(linked, judge, "a reduce-only order, linked by a position to the order that opened it");
}

/**
 * A reduce-only order has the side of the order that opened its position (R8).
 *
 * @param positions link reduce-only orders to opening orders
 * @param known states of opening orders that positions only refer to
 */
export function inheritedSides(orders: OrderRows, positions: readonly PositionView[], known: KnownOrders): Judgement {
  return judgeLinked(orders, positions, known, ({ shown, opening }) =>
    shown.row.side === opening.side || shown.row.side === "" || opening.side === ""
      ? undefined
      : wrongField(shown, "side", `${opening.side} (that of the opening order ${opening.orderId})`),
  );
}

/** A reduce-only order has the leverage of the order that opened its position, or 0 (R1, R8). */
export function inheritedLeverages(
  orders: OrderRows,
  positions: readonly PositionView[],
  known: KnownOrders,
): Judgement {
  const openings = [...known.values(), ...positions.flatMap(({ associatedOrders }) => associatedOrders)];
  const rounding = [fieldRounding(orders, "leverage"), halfUnit(openings.map(({ leverage }) => leverage))];
  return judgeLinked(orders, positions, known, ({ shown, opening }) => {
    const { leverage } = shown.row;
    if (Number.isNaN(leverage) || Number.isNaN(opening.leverage)) return undefined;
    if (leverage === 0 || nearlyEqual(leverage, opening.leverage, { rounding })) return undefined;
    return wrongField(shown, "leverage", `${opening.leverage} (that of the opening order ${opening.orderId}), or 0`);
  });
}
