/** Finds the orders of a position, from its two lists and from orders read elsewhere (R2, R3, R8, R15). */
import type { OrderView, PositionView } from "./read.js";
import { orderKey } from "./read-stored.js";

/** Orders by their identity (R14). */
export type KnownOrders = ReadonlyMap<string, OrderView>;

/** Indexes orders by identity. If an order occurs twice, the first occurrence wins. */
export function knownOrders(orders: Iterable<OrderView>): KnownOrders {
  const known = new Map<string, OrderView>();
  for (const order of orders) if (!known.has(orderKey(order))) known.set(orderKey(order), order);
  return known;
}

/** The orders of a position. */
export interface Associated {
  /** Identities of its orders: those in `associatedOrders`, or in `associatedOrderIds` if that is empty. */
  readonly keys: ReadonlySet<string>;
  /** The orders among them whose state is known. */
  readonly orders: readonly OrderView[];
  /** Whether `orders` is complete. If both lists are filled, it must also cover every reference (R15). */
  readonly complete: boolean;
}

/** The orders of a position: as the position shows them, or from `known` if it only refers to them. */
export function associatedWith(position: PositionView, known: KnownOrders = new Map()): Associated {
  const nested = knownOrders(position.associatedOrders);
  const references = position.associatedOrderIds.map(orderKey);
  if (nested.size > 0) {
    const complete = references.every((key) => nested.has(key));
    return { keys: new Set(nested.keys()), orders: [...nested.values()], complete };
  }
  const keys = new Set(references);
  const orders = [...keys].flatMap((key) => known.get(key) ?? []);
  return { keys, orders, complete: orders.length === keys.size };
}

/** Identities of all orders that either list of a position names (R2). */
export function linkedOrderKeys({ associatedOrders, associatedOrderIds }: PositionView): ReadonlySet<string> {
  return new Set([...associatedOrders, ...associatedOrderIds].map(orderKey));
}

/** Identities of the orders that a position names, or of just its opening order if it names none (R2). */
export function expectedOrders(position: PositionView): ReadonlySet<string> {
  return hasNoOrderLinks(position) ? new Set([openingKey(position)]) : linkedOrderKeys(position);
}

/** Identity of the order that opened the position: its id is the position's (R2). */
export function openingKey({ positionId, marketId }: PositionView): string {
  return orderKey({ orderId: positionId, marketId, reduceOnly: false });
}

/** The order that opened the position; undefined if its state is not known (R2). */
export function openingOrderOf(position: PositionView, known: KnownOrders = new Map()): OrderView | undefined {
  const key = openingKey(position);
  return position.associatedOrders.find((order) => orderKey(order) === key) ?? known.get(key);
}

/** Whether both lists are empty, so that the position names no orders (R2). */
export function hasNoOrderLinks({ associatedOrders, associatedOrderIds }: PositionView): boolean {
  return associatedOrders.length === 0 && associatedOrderIds.length === 0;
}
