/** The orders that belong to a position, by its two lists and by what else is known of them (R2, R3, R8, R15). */
import type { OrderView, PositionView } from "./read.js";
import { orderKey } from "./read-stored.js";

/** Orders by their identity (R14). */
export type KnownOrders = ReadonlyMap<string, OrderView>;

/** Orders by their identity; of two readings of one order the first counts. */
export function knownOrders(orders: Iterable<OrderView>): KnownOrders {
  const known = new Map<string, OrderView>();
  for (const order of orders) if (!known.has(orderKey(order))) known.set(orderKey(order), order);
  return known;
}

/** The orders of a position. */
export interface Associated {
  /** The orders that belong to it: those that it shows, or else those that it refers to. */
  readonly keys: ReadonlySet<string>;
  /** Those of them whose state is known. */
  readonly orders: readonly OrderView[];
  /** Whether that is all of them, also by the references where there are both (R15). */
  readonly complete: boolean;
}

/** The orders of a position, each as the position itself shows it, or else as it is known otherwise. */
export function associatedWith(position: PositionView, known: KnownOrders = new Map()): Associated {
  const own = knownOrders(position.associatedOrders);
  const references = position.associatedOrderIds.map(orderKey);
  if (own.size > 0) {
    const complete = references.every((key) => own.has(key));
    return { keys: new Set(own.keys()), orders: [...own.values()], complete };
  }
  const keys = new Set(references);
  const orders = [...keys].flatMap((key) => known.get(key) ?? []);
  return { keys, orders, complete: orders.length === keys.size };
}

/** Whatever either list of a position names (R2). */
export function namedBy({ associatedOrders, associatedOrderIds }: PositionView): ReadonlySet<string> {
  return new Set([...associatedOrders, ...associatedOrderIds].map(orderKey));
}

/** Orders that a position says belong to it; the one that opened it where it says nothing (R2). */
export function expectedOrders(position: PositionView): ReadonlySet<string> {
  return namesNoOrders(position) ? new Set([openingKey(position)]) : namedBy(position);
}

/** Identity of the order that opened the position: its id is the position's (R2). */
export function openingKey({ positionId, marketId }: PositionView): string {
  return orderKey({ orderId: positionId, marketId, reduceOnly: false });
}

/** The order that opened the position, where its state is known (R2). */
export function openingOrderOf(position: PositionView, known: KnownOrders = new Map()): OrderView | undefined {
  const key = openingKey(position);
  return position.associatedOrders.find((order) => orderKey(order) === key) ?? known.get(key);
}

/** Whether both lists are empty: then a position says nothing of its orders (R2). */
export function namesNoOrders({ associatedOrders, associatedOrderIds }: PositionView): boolean {
  return associatedOrders.length === 0 && associatedOrderIds.length === 0;
}
