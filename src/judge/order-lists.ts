/** Judges which orders a list holds: those of a wallet, of a market, with certain statuses, or all (§4.3, §4.4). */
import type { JsonObject } from "../connect/json.js";
import { activeOrderStatuses, orderStatuses } from "../specification/enums.js";
import { pageLimitMax } from "../specification/limits.js";
import { compareInstants } from "./instant.js";
import { countOf, type Judgement, judgeEach, type Violation } from "./judgement.js";
import { areListed } from "./listed.js";
import { type OrderRows, wrongField } from "./located-rows.js";
import { orderRow, type Page, tiedWithRepeated } from "./page.js";
import { type OrderView, ordersOf, portfolioOf, positionsOf } from "./read.js";
import { orderKey } from "./read-stored.js";

/** Whether an order is active (§3). */
export function isActive({ status }: OrderView): boolean {
  return (activeOrderStatuses as readonly string[]).includes(status);
}

/** Whether an order has a status that is terminal for listings (§3). Undocumented statuses break another rule. */
export function isTerminal(order: OrderView): boolean {
  return hasStatus(order) && !isActive(order);
}

/** Whether an order has a documented status. */
export function hasStatus({ status }: OrderView): boolean {
  return (orderStatuses as readonly string[]).includes(status);
}

/** Every order belongs to the wallet (§4.3, §4.4, R13). Case is ignored, and an absent owner breaks another rule. */
export function ordersOwnedBy(address: string, orders: readonly OrderView[]): Judgement {
  return judgeEach(
    [...orders.entries()].filter(([, { owner }]) => owner !== ""),
    ([index, { owner }]) =>
      owner.toLowerCase() === address
        ? undefined
        : { path: `orders[${index}].owner`, expected: `${address} (the requested wallet)`, seen: owner },
    "an order of the wallet",
  );
}

/** Only active orders are listed (§2 Portfolio, §3, §4.3). */
export function onlyActive(orders: OrderRows): Judgement {
  const expected = `one of ${activeOrderStatuses.join(", ")}`;
  return judgeEach(
    orders.filter(({ row }) => hasStatus(row)),
    (shown) => (isActive(shown.row) ? undefined : wrongField(shown, "status", expected)),
    "an open order",
  );
}

/**
 * All active orders of one answer are on the pages that list the open ones (§3, §4.3). If all of these are full, only those
 * newer than the last row are required: the others may be on the next page. Rows with equal timestamps may change places
 * between pages, and then be on none (P4).
 *
 * @param all every order of a wallet
 * @param pages the first pages of its open orders, newest first, with the largest limit
 */
export function activeAreListed(all: readonly OrderView[], pages: readonly (readonly OrderView[])[]): Judgement {
  const open = pages.flat();
  const listed = new Set(open.map(orderKey));
  const isUnsettled = tiedWithRepeated(open.map(orderRow));
  const last = open.length < pages.length * pageLimitMax ? undefined : open.at(-1)?.timestamp.instant;
  const isDue = (order: OrderView) => {
    const { instant } = order.timestamp;
    return !isUnsettled(orderRow(order)) && (!last || (instant && compareInstants(instant, last) > 0));
  };
  const due = all.filter((order) => isActive(order) && (listed.has(orderKey(order)) || isDue(order)));
  const inWords = (order: OrderView) => `order ${orderKey(order)}, ${order.status}`;
  return ordersAreListed(due, open, inWords, "an active order of the wallet");
}

/**
 * Every order is of the market (§4.4). An empty list counts as evidence too: the wallet must have orders, so those of
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

/** All orders of a market in a first answer are also in a second one, which lists that market (§4.4). */
export function marketIsComplete(marketId: string, all: readonly OrderView[], listed: readonly OrderView[]): Judgement {
  const ofMarket = all.filter((order) => order.marketId === marketId);
  return ordersAreListed(ofMarket, listed, (order) => `order ${orderKey(order)}`, `an order of market ${marketId}`);
}

/** The second list holds all orders of a market from the first list, and none that the first list does not have (§4.4). */
export function filtersBy(marketId: string, all: readonly OrderView[], filtered: readonly OrderView[]): Judgement {
  const judgement = marketIsComplete(marketId, all, filtered);
  const known = new Set(all.map(orderKey));
  const strange = filtered.flatMap((order, index) =>
    known.has(orderKey(order))
      ? []
      : { answer: 1, path: `orders[${index}]`, expected: "an order of the wallet's whole list", seen: orderKey(order) },
  );
  return {
    examined: Math.max(1, judgement.examined + filtered.length),
    violations: [...judgement.violations, ...strange],
  };
}

/** The list covers every market in which the wallet is known to have orders (§4.4). Needs at least two markets. */
export function marketsAreListed(known: readonly string[], listed: readonly OrderView[]): Judgement {
  const listedMarkets = new Set(listed.map(({ marketId }) => marketId));
  const markets = [...listedMarkets].join(" or ");
  return judgeEach(
    known.length > 1 ? known : [],
    (marketId) =>
      listedMarkets.has(marketId)
        ? undefined
        : {
            path: "orders",
            expected: `also orders of market ${marketId}, in which the wallet is known to have some`,
            seen: listed.length === 0 ? "no orders" : `${countOf(listed.length, "order")}, all of market ${markets}`,
          },
    "a wallet with orders in two markets",
  );
}

/** A second answer lists all these orders of a first one. */
function ordersAreListed(
  rows: readonly OrderView[],
  listed: readonly OrderView[],
  inWords: (order: OrderView) => string,
  needed: string,
): Judgement {
  const missing = (order: OrderView) => ({ answer: 1, path: "orders", expected: inWords(order) });
  return areListed({ noun: "order", identity: orderKey, rows, listed, missing, needed });
}

/** How many of the oldest orders to look for. If none of them is listed, the listing was cut off. */
const oldestOrders = 3;

/**
 * A second answer reaches the oldest orders of a market in a first answer, so it was not cut off (§4.4).
 *
 * @param all the market's orders in the first answer, newest first
 */
export function reachesOldest(all: readonly OrderView[], listed: readonly OrderView[]): Judgement {
  const violation = cutOff(listed, all.slice(-oldestOrders));
  return judgeEach(all.slice(-1), () => violation && { ...violation, answer: 1 }, "an order of the market");
}

/** The violation that a list has none of the oldest orders, so that it was cut off; undefined if it has one. */
function cutOff(listed: readonly OrderView[], oldest: readonly OrderView[]): Violation | undefined {
  const keys = new Set(listed.map(orderKey));
  const last = oldest.at(-1);
  if (!last || oldest.some((order) => keys.has(orderKey(order)))) return undefined;
  const expected = `orders down to the oldest, ${orderKey(last)}, timestamp ${last.timestamp.text}`;
  return { path: "orders", expected, seen: `${countOf(listed.length, "order")}, ending before that` };
}

/** For a wallet without orders the listing is empty, and its total is zero (R12). */
export function emptyListing({ field, rows, pagination }: Page): Judgement {
  const total = pagination?.totalCount ?? 0;
  const violations: Violation[] = [];
  if (rows.length > 0) violations.push({ path: field, expected: "no rows", seen: countOf(rows.length, "row") });
  if (total > 0) violations.push({ path: "pagination.totalCount", expected: "0", seen: String(total) });
  return { examined: 1, violations };
}

/** An answer to a request without a valid wallet address holds no positions and no orders, whatever the operation (R12). */
export function holdsNoRows(body: JsonObject): Judgement {
  const portfolio = portfolioOf(body);
  const lists = {
    positions: positionsOf(body),
    orders: ordersOf(body),
    "portfolio.positions": portfolio?.positions ?? [],
    "portfolio.orders": portfolio?.orders ?? [],
  };
  const filled = Object.entries(lists).filter(([, rows]) => rows.length > 0);
  const violations = filled.map(([path, { length }]) => ({ path, expected: "no rows", seen: countOf(length, "row") }));
  return { examined: 1, violations };
}

/**
 * One answer holds all orders of a wallet, down to the oldest (§4.4). Passing takes a wallet with more orders than the
 * largest page of the paged listings: with fewer, the answer may just not have reached a limit.
 *
 * @param oldest the oldest orders that the wallet is known to have; if any of them is listed, nothing was cut off
 */
export function hasNoResultLimit(orders: readonly OrderView[], oldest: readonly OrderView[]): Judgement {
  const violation = cutOff(orders, oldest);
  const isEvidence = violation !== undefined || (oldest.length > 0 && orders.length > pageLimitMax);
  return judgeEach(isEvidence ? [orders] : [], () => violation, `a wallet with more than ${pageLimitMax} orders`);
}
