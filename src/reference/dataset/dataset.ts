import { getOrInsert } from "../../specification/get-or-insert.js";
import type { Market, OrderRecord, PositionRecord, Wallet } from "./model.js";

/** One consistent, immutable state of the platform. A change creates a new one. */
export interface Dataset {
  readonly seed: number;
  /** All markets by id, including those whose metadata is gone (`listed` false). */
  readonly markets: ReadonlyMap<bigint, Market>;
  /** Newest first, ties in a stable total order. */
  readonly orders: readonly OrderRecord[];
  /** Newest first, ties in a stable total order. */
  readonly positions: readonly PositionRecord[];
  /** By lower-case address. */
  readonly wallets: ReadonlyMap<string, Wallet>;
}

/** Sorts orders by creation time, newest first. Ties are broken by identity, so that pages never overlap (P4). */
export function newestOrderFirst(a: OrderRecord, b: OrderRecord): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  if (a.marketId !== b.marketId) return a.marketId < b.marketId ? -1 : 1;
  if (a.orderId !== b.orderId) return a.orderId < b.orderId ? -1 : 1;
  return Number(a.reduceOnly) - Number(b.reduceOnly);
}

/** Sorts positions by their latest event, newest first. Ties are broken by identity. */
export function newestPositionFirst(a: PositionRecord, b: PositionRecord): number {
  if (a.timestamp !== b.timestamp) return a.timestamp > b.timestamp ? -1 : 1;
  if (a.marketId !== b.marketId) return a.marketId < b.marketId ? -1 : 1;
  return a.positionId < b.positionId ? -1 : a.positionId > b.positionId ? 1 : 0;
}

/** Creates a dataset from rows, sorted and indexed. */
export function createDataset(
  seed: number,
  markets: Iterable<Market>,
  orders: Iterable<OrderRecord>,
  positions: Iterable<PositionRecord>,
): Dataset {
  const sortedOrders = [...orders].sort(newestOrderFirst);
  const sortedPositions = [...positions].sort(newestPositionFirst);
  const wallets = new Map<string, { address: string; orders: OrderRecord[]; positions: PositionRecord[] }>();
  const walletOf = (address: string) => getOrInsert(wallets, address, () => ({ address, orders: [], positions: [] }));
  for (const order of sortedOrders) walletOf(order.owner).orders.push(order);
  for (const position of sortedPositions) walletOf(position.owner).positions.push(position);
  return {
    seed,
    markets: new Map([...markets].map((market) => [market.id, market])),
    orders: sortedOrders,
    positions: sortedPositions,
    wallets,
  };
}

/** Rows to add; `replaces` is the previous state of the row, if any. */
export interface DatasetChanges {
  readonly markets?: readonly Market[];
  readonly orders?: readonly { readonly row: OrderRecord; readonly replaces?: OrderRecord }[];
  readonly positions?: readonly { readonly row: PositionRecord; readonly replaces?: PositionRecord }[];
}

/** Applies changes and returns the new state. Copies the lists but does not sort them again. */
export function applyChanges(dataset: Dataset, changes: DatasetChanges): Dataset {
  const markets = new Map(dataset.markets);
  for (const market of changes.markets ?? []) markets.set(market.id, market);

  const orders = [...dataset.orders];
  const positions = [...dataset.positions];
  const wallets = new Map(dataset.wallets);
  const touch = (address: string) => {
    const wallet = wallets.get(address) ?? { address, orders: [], positions: [] };
    const copy = { address, orders: [...wallet.orders], positions: [...wallet.positions] };
    wallets.set(address, copy);
    return copy;
  };
  for (const { row, replaces } of changes.orders ?? []) {
    replaceRow(orders, newestOrderFirst, row, replaces);
    replaceRow(touch(row.owner).orders, newestOrderFirst, row, replaces);
  }
  for (const { row, replaces } of changes.positions ?? []) {
    replaceRow(positions, newestPositionFirst, row, replaces);
    replaceRow(touch(row.owner).positions, newestPositionFirst, row, replaces);
  }
  return { seed: dataset.seed, markets, orders, positions, wallets };
}

function replaceRow<T>(rows: T[], compare: (a: T, b: T) => number, row: T, replaces: T | undefined): void {
  if (replaces !== undefined) rows.splice(placeOf(rows, compare, replaces), 1);
  rows.splice(placeOf(rows, compare, row), 0, row);
}

/** Index of the first row that does not sort before `row`. */
function placeOf<T>(rows: readonly T[], compare: (a: T, b: T) => number, row: T): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(rows[middle] as T, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The dataset with `change` applied to every order; return the same object to keep an order. Positions keep referring to the
 * same orders, and unchanged rows are shared.
 */
export function mapOrders(dataset: Dataset, change: (order: OrderRecord) => OrderRecord): Dataset {
  const changed = new Map<OrderRecord, OrderRecord>();
  const orders = dataset.orders.map((order) => {
    const next = change(order);
    if (next !== order) changed.set(order, next);
    return next;
  });
  const positions = dataset.positions.map((position) =>
    position.orders.some((order) => changed.has(order))
      ? { ...position, orders: position.orders.map((order) => changed.get(order) ?? order) }
      : position,
  );
  return createDataset(dataset.seed, dataset.markets.values(), orders, positions);
}

/** The dataset with `change` applied to every position; return the same object to keep one. */
export function mapPositions(dataset: Dataset, change: (position: PositionRecord) => PositionRecord): Dataset {
  return createDataset(dataset.seed, dataset.markets.values(), dataset.orders, dataset.positions.map(change));
}

/** The dataset with `change` applied to every market; return the same object to keep one. */
export function mapMarkets(dataset: Dataset, change: (market: Market) => Market): Dataset {
  return { ...dataset, markets: new Map([...dataset.markets].map(([id, market]) => [id, change(market)])) };
}
