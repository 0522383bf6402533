/** Which orders a list holds: those of a wallet, of a market, of some statuses, all of them (§4.3, §4.4). */
import type { JsonObject } from "../connect/json.js";
import { activeOrderStatuses, orderStatuses } from "../specification/enums.js";
import { pageLimitMax } from "../specification/limits.js";
import { compareInstants } from "./instant.js";
import { countOf, type Judgement, judgeEach, type Violation } from "./judgement.js";
import type { Page } from "./paging.js";
import { type OrderView, ordersOf, portfolioOf, positionsOf } from "./read.js";
import { orderKey } from "./read-stored.js";

/** Whether an order is active (§3). */
export function isActive({ status }: OrderView): boolean {
  return (activeOrderStatuses as readonly string[]).includes(status);
}

/** Whether an order has a status that is terminal for listings (§3). One without any of the eight breaks another rule. */
export function isTerminal(order: OrderView): boolean {
  return hasStatus(order) && !isActive(order);
}

function hasStatus({ status }: OrderView): boolean {
  return (orderStatuses as readonly string[]).includes(status);
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

/** Only active orders are listed (§3, §4.3). */
export function onlyActive(orders: readonly OrderView[]): Judgement {
  return judgeEach(
    places(orders, hasStatus),
    ({ order, index }) =>
      isActive(order)
        ? undefined
        : { path: `orders[${index}].status`, expected: `one of ${activeOrderStatuses.join(", ")}`, seen: order.status },
    "an open order",
  );
}

/**
 * The active orders of one answer are all in a second one, which lists open orders (§3, §4.3). Of a full page only those are due that
 * are newer than its last row: the others may be on the next one.
 *
 * @param all every order of a wallet
 * @param open the first page of its open orders, newest first, with the largest limit
 */
export function activeAreListed(all: readonly OrderView[], open: readonly OrderView[]): Judgement {
  const listed = new Set(open.map(orderKey));
  const last = open.length < pageLimitMax ? undefined : open.at(-1)?.timestamp.instant;
  const isDue = ({ timestamp: { instant } }: OrderView) => !last || (instant && compareInstants(instant, last) > 0);
  return judgeEach(
    all.filter((order) => isActive(order) && (listed.has(orderKey(order)) || isDue(order))),
    (order) => (listed.has(orderKey(order)) ? undefined : absent(`order ${orderKey(order)}, ${order.status}`)),
    "an active order of the wallet",
  );
}

/**
 * Every order is of the market (§4.4). No order at all shows that as well: the wallet must have orders, so that those of
 * other markets were left out.
 */
export function ordersOfMarket(marketId: string, orders: readonly OrderView[]): Judgement {
  const judgement = judgeEach(orders, (order, index) =>
    order.marketId === marketId
      ? undefined
      : { path: `orders[${index}].marketId`, expected: `${marketId} (the requested market)`, seen: order.marketId },
  );
  return { ...judgement, examined: Math.max(1, judgement.examined) };
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

/** The second list holds the orders that the first one has of a market, and no other (§4.4). */
export function isFilterOf(marketId: string, all: readonly OrderView[], filtered: readonly OrderView[]): Judgement {
  const judgement = marketIsComplete(marketId, all, filtered);
  const known = new Set(all.map(orderKey));
  const strange = filtered.flatMap((order, index) =>
    known.has(orderKey(order))
      ? []
      : [
          {
            answer: 1,
            path: `orders[${index}]`,
            expected: "an order of the wallet's whole list",
            seen: orderKey(order),
          },
        ],
  );
  return {
    examined: Math.max(1, judgement.examined + filtered.length),
    violations: [...judgement.violations, ...strange],
  };
}

/** Every market in which the wallet is known to have orders occurs in the list of them (§4.4). It takes two to tell. */
export function marketsAreListed(known: readonly string[], listed: readonly OrderView[]): Judgement {
  const there = new Set(listed.map(({ marketId }) => marketId));
  return judgeEach(
    known.length > 1 ? known : [],
    (marketId) =>
      there.has(marketId) ? undefined : { path: "orders", expected: `orders of market ${marketId}`, seen: "none" },
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

/** How many of the oldest orders a listing may lack for another reason than that it was cut off. */
const OLDEST = 3;

/**
 * A second answer goes on to the oldest orders of a market that a first one lists, newest first: it is not cut off (§4.4).
 *
 * @param all the market's orders in the first answer
 */
export function reachesOldest(all: readonly OrderView[], listed: readonly OrderView[]): Judgement {
  const keys = new Set(listed.map(orderKey));
  const oldest = all.slice(-OLDEST);
  const last = oldest.at(-1);
  if (!last || oldest.some((order) => keys.has(orderKey(order)))) {
    return { examined: last ? 1 : 0, violations: [], missing: "an order of the market" };
  }
  const expected = `orders down to the oldest, ${orderKey(last)}, timestamp ${last.timestamp.text}`;
  const seen = `${countOf(listed.length, "order")}, ending before that`;
  return { examined: 1, violations: [{ answer: 1, path: "orders", expected, seen }] };
}

/** For a wallet without orders the listing is empty, and so is its total (R12). */
export function emptyListing({ field, rows, pagination }: Page): Judgement {
  const total = pagination?.totalCount ?? 0;
  const violations: Violation[] = [];
  if (rows.length > 0) violations.push({ path: field, expected: "no rows", seen: countOf(rows.length, "row") });
  if (total > 0) violations.push({ path: "pagination.totalCount", expected: "0", seen: String(total) });
  return { examined: 1, violations };
}

/** An answer about no wallet holds neither positions nor orders (R12), whichever operation gave it. */
export function holdsNoRows(body: JsonObject): Judgement {
  const portfolio = portfolioOf(body);
  const lists = {
    positions: positionsOf(body),
    orders: ordersOf(body),
    "portfolio.positions": portfolio?.positions ?? [],
    "portfolio.orders": portfolio?.orders ?? [],
  };
  const filled = Object.entries(lists).filter(([, rows]) => rows.length > 0);
  const violations = filled.map(([path, { length }]) => ({
    path,
    expected: "no rows",
    seen: countOf(length, "row"),
  }));
  return { examined: 1, violations };
}

/**
 * The orders of a wallet are in one answer down to the oldest (§4.4). That no limit applies shows only in a wallet with more
 * orders than the largest page of the paged listings holds: a smaller one may just not have met the limit.
 *
 * @param oldest the last few orders that the wallet is known to have; where some of them are there, nothing was cut off
 */
export function unlimited(orders: readonly OrderView[], oldest: readonly OrderView[]): Judgement {
  const keys = new Set(orders.map(orderKey));
  const last = oldest.at(-1);
  const cutOff = last !== undefined && !oldest.some((order) => keys.has(orderKey(order)));
  const expected = last && `orders down to the oldest, ${orderKey(last)}, timestamp ${last.timestamp.text}`;
  return {
    examined: cutOff || (last && orders.length > pageLimitMax) ? 1 : 0,
    violations:
      cutOff && expected
        ? [{ path: "orders", expected, seen: `${countOf(orders.length, "order")}, ending before that` }]
        : [],
    missing: `a wallet with more than ${pageLimitMax} orders`,
  };
}
