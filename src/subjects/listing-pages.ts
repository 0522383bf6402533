import { compareInstants } from "../judge/instant.js";
import { type OrderView, ordersOf, type PositionView, paginationOf, positionsOf } from "../judge/read.js";
import { orderKey, positionKey } from "../judge/read-stored.js";
import type { Time } from "../judge/read-values.js";
import { pageLimitMax } from "../specification/limits.js";
import type { DiscoveryOptions } from "./discovery-options.js";
import { hasTimedOut, type Inquiry, rejectHopeless, type SuccessfulAnswer } from "./inquiry.js";
import { recognize } from "./recognition.js";

/** A row of a listing and the exchange that showed it. */
export interface SeenRow<Row> {
  readonly row: Row;
  readonly exchange: string;
}

/** The rows on the pages of both listings: each order and position once. */
export interface ListingPages {
  readonly orders: readonly SeenRow<OrderView>[];
  readonly positions: readonly SeenRow<PositionView>[];
  /** From `pagination.totalCount`; undefined if the listing failed or did not report it. */
  readonly totalOrders: number | undefined;
  readonly totalOpenOrders: number | undefined;
  readonly totalPositions: number | undefined;
}

/** Page size for pages from the middle and the end: enough to meet other wallets, markets and statuses. */
const furtherRows = 250;

/**
 * Reads the first page of both listings and of the open orders. Of longer listings it also reads a page from the middle and
 * the last one.
 *
 * @throws TargetUnreachable, AccessDenied or NotThisApi when the first pages show that more requests would be pointless.
 */
export async function readListingPages(
  inquiry: Inquiry,
  options: Pick<DiscoveryOptions, "seed" | "where" | "onRecognized">,
): Promise<ListingPages> {
  const limit = pageLimitMax;
  const firstPages = () =>
    Promise.all([
      inquiry.ask("GetAllPositions", { limit }),
      inquiry.ask("GetAllOrders", { limit }),
      inquiry.ask("GetAllOrders", { limit, onlyOpen: true }),
    ]);
  let first = await firstPages();
  // A target may be busy for as long as one timeout, so try once more.
  if (first.every(({ reply }) => reply !== undefined && hasTimedOut(reply))) first = await firstPages();
  rejectHopeless(first.flatMap(({ reply }) => (reply ? [reply] : [])));
  await recognize(
    inquiry,
    (["GetAllPositions", "GetAllOrders"] as const).flatMap((endpoint) =>
      inquiry.repliesOf(endpoint).map((reply) => ({ endpoint, reply })),
    ),
    options,
  );
  options.onRecognized?.();
  const [positions, orders, openOrders] = first.map(({ found }) => found);
  const totalOrders = totalOf(orders);
  const totalPositions = totalOf(positions);

  const further = (endpoint: "GetAllOrders" | "GetAllPositions", total: number | undefined) =>
    furtherOffsets(total).map((offset) => inquiry.ask(endpoint, { limit: furtherRows, offset }));
  const [moreOrders, morePositions] = await Promise.all([
    Promise.all(further("GetAllOrders", totalOrders)),
    Promise.all(further("GetAllPositions", totalPositions)),
  ]);
  const pages = (page: SuccessfulAnswer | undefined, more: readonly { readonly found?: SuccessfulAnswer }[]) =>
    [page, ...more.map(({ found }) => found)].filter((found) => found !== undefined);
  return {
    orders: rowsOf([...pages(orders, moreOrders), ...pages(openOrders, [])], ordersOf, orderKey),
    positions: rowsOf(pages(positions, morePositions), positionsOf, positionKey),
    totalOrders,
    totalOpenOrders: totalOf(openOrders),
    totalPositions,
  };
}

/** The latest of these timestamps, as on the wire. */
export function latest(times: Iterable<Time>): string | undefined {
  let best: Time | undefined;
  for (const time of times) {
    if (time.instant && (!best?.instant || compareInstants(time.instant, best.instant) > 0)) best = time;
  }
  return best?.text;
}

function totalOf(found: SuccessfulAnswer | undefined): number | undefined {
  return countIn(found && paginationOf(found.body)?.totalCount);
}

/**
 * The number if it is a valid count, else undefined: other numbers cannot be used in requests, and a record would not
 * preserve all of them.
 */
export function countIn(number: number | undefined): number | undefined {
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Offsets of a page in the middle and of the last page; empty if the first page holds everything. */
function furtherOffsets(total: number | undefined): readonly number[] {
  if (total === undefined || total <= pageLimitMax) return [];
  const last = Math.max(pageLimitMax, total - furtherRows);
  const middle = Math.max(pageLimitMax, Math.floor((total - furtherRows) / 2));
  return middle + furtherRows <= last ? [middle, last] : [last];
}

function rowsOf<Row>(
  pages: readonly SuccessfulAnswer[],
  read: (body: SuccessfulAnswer["body"]) => readonly Row[],
  key: (row: Row) => string,
): readonly SeenRow<Row>[] {
  const rows = new Map<string, SeenRow<Row>>();
  for (const { body, exchange } of pages) {
    for (const row of read(body)) {
      const identity = key(row);
      if (!rows.has(identity)) rows.set(identity, { row, exchange });
    }
  }
  return [...rows.values()];
}
