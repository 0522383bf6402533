/** Which orders a list holds: those of a wallet, of a market, of some statuses, all of them (§4.3, §4.4). */
import { activeOrderStatuses } from "../spec/enums.js";
import { pageLimitMax } from "../spec/limits.js";
import { type Judgement, judgeEach, type Violation } from "./judgement.js";
import type { Page } from "./paging.js";
import type { OrderView } from "./read.js";
import { orderKey } from "./read-stored.js";

/** Whether an order is active (§3). */
export function isActive({ status }: OrderView): boolean {
  return (activeOrderStatuses as readonly string[]).includes(status);
}

/** Whether an order has a status, and one that is terminal for listings (§3). An order without one breaks another rule. */
export function isTerminal(order: OrderView): boolean {
  return order.status !== "" && !isActive(order);
}

/** Every order is the wallet's (§4.3, §4.4, R13). Case is not looked at, and an absent owner breaks another rule. */
export function ordersOwnedBy(address: string, orders: readonly OrderView[]): Judgement {
  return judgeEach(
    places(orders, ({ owner }) => owner !== ""),
    ({ order: { owner }, index }) =>
      owner.toLowerCase() === address
        ? undefined
        : { path: `orders[${index}].owner`, expected: `${address} (the requested wallet)`, seen: owner },
    "an order of the wallet",
  );
}

/** A wallet that has orders is recognised: they are listed, and no others (§1). */
export function recognised(address: string, orders: readonly OrderView[]): Judgement {
  if (orders.length > 0) return ordersOwnedBy(address, orders);
  return { examined: 1, violations: [{ path: "orders", expected: `orders of ${address}`, seen: "none" }] };
}

/** Only active orders are listed (§3, §4.3). */
export function onlyActive(orders: readonly OrderView[]): Judgement {
  return judgeEach(
    places(orders, ({ status }) => status !== ""),
    ({ order, index }) =>
      isActive(order)
        ? undefined
        : { path: `orders[${index}].status`, expected: `one of ${activeOrderStatuses.join(", ")}`, seen: order.status },
    "an open order",
  );
}

/**
 * The active orders of one answer are all in a second one, which lists open orders (§3, §4.3).
 *
 * @param all every order of a wallet
 * @param open its open orders; may be a first page of them
 */
export function activeAreListed(all: readonly OrderView[], open: readonly OrderView[]): Judgement {
  const listed = new Set(open.map(orderKey));
  return judgeEach(
    all.filter(isActive),
    (order) => (listed.has(orderKey(order)) ? undefined : absent(`the ${order.status} order ${orderKey(order)}`)),
    "an active order of the wallet",
  );
}

/** Every order is of the market (§4.4). */
export function ordersOfMarket(marketId: string, orders: readonly OrderView[]): Judgement {
  return judgeEach(
    orders,
    (order, index) =>
      order.marketId === marketId
        ? undefined
        : { path: `orders[${index}].marketId`, expected: `${marketId} (the requested market)`, seen: order.marketId },
    `an order of market ${marketId}`,
  );
}

/** The orders that a first answer has of a market are all in a second one, which lists that market (§4.4). */
export function marketIsComplete(marketId: string, all: readonly OrderView[], listed: readonly OrderView[]): Judgement {
  const keys = new Set(listed.map(orderKey));
  return judgeEach(
    all.filter((order) => order.marketId === marketId),
    (order) => (keys.has(orderKey(order)) ? undefined : absent(`order ${orderKey(order)}`)),
    `an order of market ${marketId}`,
  );
}

/** The markets of a first answer's orders all occur in a second one (§4.4). It takes two of them to tell. */
export function marketsAreListed(known: readonly OrderView[], listed: readonly OrderView[]): Judgement {
  const there = new Set(listed.map(({ marketId }) => marketId));
  const markets = new Set(known.map(({ marketId }) => marketId));
  return judgeEach(
    markets.size > 1 ? markets : [],
    (marketId) => (there.has(marketId) ? undefined : absent(`orders of market ${marketId}`)),
    "a wallet with orders in two markets",
  );
}

/** The orders that a rule can be asserted on, with their places. */
function places(orders: readonly OrderView[], test: (order: OrderView) => boolean) {
  return orders.flatMap((order, index) => (test(order) ? [{ order, index }] : []));
}

function absent(what: string): Violation {
  return { answer: 1, path: "orders", expected: what, seen: "not listed" };
}

/** For a wallet without orders the listing is empty, and so is its total (R12). */
export function emptyListing({ field, rows, pagination }: Page): Judgement {
  const total = pagination?.totalCount ?? 0;
  const violations: Violation[] = [];
  if (rows.length > 0) violations.push({ path: field, expected: "no rows", seen: `${rows.length} rows` });
  if (total > 0) violations.push({ path: "pagination.totalCount", expected: "0", seen: String(total) });
  return { examined: 1, violations };
}

/**
 * All orders of a wallet are in one answer (§4.4). That none is missing shows only in a wallet with more orders than the
 * largest page of the paged listings holds: a smaller one may just not have met the limit.
 *
 * @param known how many orders the wallet is known to have had before the answer was made
 */
export function unlimited(orders: readonly OrderView[], known: number): Judgement {
  const violations =
    orders.length >= known
      ? []
      : [
          {
            path: "orders",
            expected: `at least ${known} orders (that the wallet has)`,
            seen: `${orders.length} orders`,
          },
        ];
  return {
    examined: orders.length > pageLimitMax || violations.length > 0 ? 1 : 0,
    violations,
    missing: `a wallet with more than ${pageLimitMax} orders`,
  };
}
