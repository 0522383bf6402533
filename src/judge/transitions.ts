/** Describes what changed between two reads. Only observed: which changes are allowed is left open (§3). */
import type { OrderView, PositionView } from "./read.js";
import { orderKey, positionKey } from "./read-stored.js";

/** The changes of status between two reads, each with how often it was seen: `PENDING to CANCELLED: 2`. */
export function statusChanges(before: readonly OrderView[], after: readonly OrderView[]): string {
  const earlier = new Map(before.map((order) => [orderKey(order), order.status]));
  const changes = after.flatMap((order) => {
    const status = earlier.get(orderKey(order));
    return status === undefined || status === order.status ? [] : [`${nameOf(status)} to ${nameOf(order.status)}`];
  });
  return tally(changes) || "none";
}

/** How many orders have each status: `CLOSED: 12, PENDING: 3`. */
export function statusesSeen(orders: readonly OrderView[]): string {
  return tally(orders.map(({ status }) => nameOf(status))) || "no orders";
}

/** How many positions opened, closed and stayed between two reads of the open ones. */
export function positionChanges(before: readonly PositionView[], after: readonly PositionView[]): string {
  const [earlier, later] = [new Set(before.map(positionKey)), new Set(after.map(positionKey))];
  const opened = [...later].filter((key) => !earlier.has(key)).length;
  const closed = [...earlier].filter((key) => !later.has(key)).length;
  return `${opened} opened, ${closed} closed, ${later.size - opened} stayed`;
}

function nameOf(status: string): string {
  return status.replace("ORDER_STATUS_", "") || "no status";
}

function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of [...names].sort()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name}: ${count}`).join(", ");
}
