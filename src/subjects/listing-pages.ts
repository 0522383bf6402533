import type { JsonObject } from "../connect/json.js";
import { type OrderView, ordersOf, type PositionView, paginationOf, positionsOf } from "../judge/read.js";
import { orderKey, positionKey } from "../judge/read-stored.js";
import type { PagedEndpoint } from "../specification/endpoints.js";
import { pageLimitMax } from "../specification/limits.js";
import type { DiscoveryClient, DiscoveryResult } from "./discovery-client.js";
import type { DiscoveryOptions } from "./discovery-options.js";
import { recognize, rejectHopeless } from "./recognition.js";

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
  client: DiscoveryClient,
  options: Pick<DiscoveryOptions, "seed" | "where" | "onRecognized">,
): Promise<ListingPages> {
  const limit = pageLimitMax;
  const firstPages = () =>
    Promise.all([
      client.ask("GetAllPositions", { limit }),
      client.ask("GetAllOrders", { limit }),
      client.ask("GetAllOrders", { limit, onlyOpen: true }),
    ]);
  let first = await firstPages();
  // A target may be busy for as long as one timeout, so try once more.
  if (first.every(hasTimedOut)) first = await firstPages();
  rejectHopeless(first.flatMap(({ reply }) => (reply ? [reply] : [])));
  await recognize(client, options);
  options.onRecognized?.();
  const [positions, orders, openOrders] = first;
  const totalOrders = totalOf(orders);
  const totalPositions = totalOf(positions);

  const further = (endpoint: PagedEndpoint, total: number | undefined) =>
    Promise.all(furtherOffsets(total).map((offset) => client.ask(endpoint, { limit: furtherRows, offset })));
  const [moreOrders, morePositions] = await Promise.all([
    further("GetAllOrders", totalOrders),
    further("GetAllPositions", totalPositions),
  ]);
  return {
    orders: rowsOf([orders, ...moreOrders, openOrders], ordersOf, orderKey),
    positions: rowsOf([positions, ...morePositions], positionsOf, positionKey),
    totalOrders,
    totalOpenOrders: totalOf(openOrders),
    totalPositions,
  };
}

function hasTimedOut({ reply }: DiscoveryResult): boolean {
  return reply?.outcome.kind === "failure" && reply.outcome.failure === "timeout";
}

function totalOf({ found }: DiscoveryResult): number | undefined {
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
  pages: readonly DiscoveryResult[],
  read: (body: JsonObject) => readonly Row[],
  key: (row: Row) => string,
): readonly SeenRow<Row>[] {
  const rows = new Map<string, SeenRow<Row>>();
  for (const { found } of pages) {
    if (!found) continue;
    for (const row of read(found.body)) {
      const identity = key(row);
      if (!rows.has(identity)) rows.set(identity, { row, exchange: found.exchange });
    }
  }
  return [...rows.values()];
}
