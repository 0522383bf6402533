import { isActive } from "../judge/order-lists.js";
import { ordersOf, type PortfolioView, type PositionView, paginationOf, portfolioOf } from "../judge/read.js";
import { orderKey, positionKey } from "../judge/read-stored.js";
import type { DiscoveryClient } from "./discovery-client.js";
import { countIn, type ListingPages } from "./listing-pages.js";
import type { PositionSubject, WalletSubject } from "./subjects.js";
import { chooseCandidates, normalizeAddress, tracesOf, type WalletTrace } from "./wallet-candidates.js";

/**
 * Portfolios to read at first, then per further round, and the most rounds. Further rounds are made until there is a wallet
 * with an open position and one without.
 */
const firstCandidates = 16;
const furtherCandidates = 6;
const furtherRounds = 3;

/** If the pages do not tell: how many wallets to ask for their number of orders, and how many of the newest to read. */
const countedWallets = 24;
const newestOrders = 50;

/** Most positions to keep in each state. */
const keptPositions = { open: 100, closed: 100, unknown: 20 } as const;

/** A wallet's portfolio and the exchange that returned it. */
interface ReadPortfolio {
  readonly portfolio: PortfolioView;
  readonly exchange: string;
}

/** Reads the portfolios of wallets that the pages showed, and of the configured ones. */
export async function discoverWallets(
  client: DiscoveryClient,
  pages: ListingPages,
  configured: readonly string[],
  seed: number,
): Promise<{ readonly wallets: readonly WalletSubject[]; readonly positions: readonly PositionSubject[] }> {
  const addresses = configured.map(normalizeAddress);
  const traces = tracesOf(pages, addresses);
  const share = pages.orders.length / Math.max(1, pages.totalOrders ?? pages.orders.length);
  const candidates = chooseCandidates(traces, { configured: addresses, share, most: firstCandidates, seed });
  const portfolios = await readPortfolios(client, candidates);

  for (let round = 0; round < furtherRounds; round++) {
    const missing = lacks([...portfolios.values()]);
    if (!missing) break;
    const others = traces.filter((trace) => !candidates.includes(trace) && trace.positions.length > 0);
    others.sort(missing === "open" ? byOpenReductions : byFewAndOld);
    const further = others.slice(0, furtherCandidates);
    for (const [address, read] of await readPortfolios(client, further)) portfolios.set(address, read);
    candidates.push(...further);
  }

  const counts = await countOrders(client, pages, candidates);
  return {
    wallets: candidates.map((trace) => walletOf(trace, portfolios.get(trace.address), counts.get(trace.address))),
    positions: positionSubjects(pages, portfolios),
  };
}

/** Sorts wallets likely to have an open position first: those with an open reduce-only order, then those updated last. */
function byOpenReductions(a: WalletTrace, b: WalletTrace): number {
  return Number(hasOpenReduction(b)) - Number(hasOpenReduction(a)) || secondsOf(b) - secondsOf(a);
}

function hasOpenReduction({ orders }: WalletTrace): boolean {
  return orders.some(({ row }) => row.reduceOnly && isActive(row));
}

/** Sorts wallets likely to have no open position first: those with few positions, all of them old. */
function byFewAndOld(a: WalletTrace, b: WalletTrace): number {
  return a.positions.length - b.positions.length || secondsOf(a) - secondsOf(b);
}

function secondsOf(trace: WalletTrace): number {
  return Math.max(...trace.positions.map(({ row }) => row.timestamp.instant?.seconds ?? 0));
}

async function readPortfolios(
  client: DiscoveryClient,
  candidates: readonly WalletTrace[],
): Promise<Map<string, ReadPortfolio>> {
  const read = await Promise.all(
    candidates.map(async ({ address }) => {
      const { found } = await client.ask("GetPortfolio", { owner: address }, ["not_found"]);
      const portfolio = found && portfolioOf(found.body);
      return found && portfolio ? [[address, { portfolio, exchange: found.exchange }] as const] : [];
    }),
  );
  return new Map(read.flat());
}

/** What the portfolios read so far are missing: an open position, or a wallet without one. */
function lacks(portfolios: readonly ReadPortfolio[]): "open" | "none open" | undefined {
  if (!portfolios.some(({ portfolio }) => portfolio.positions.length > 0)) return "open";
  return portfolios.some(({ portfolio }) => portfolio.positions.length === 0) ? undefined : "none open";
}

/**
 * Counts the orders of each candidate: from the pages if they hold all orders, else by asking for the candidates with most
 * and those with fewest, which checks look for. The newest orders in those answers are added to the traces: they show the
 * markets and statuses of wallets that the pages barely show, or that only the configuration names.
 */
async function countOrders(
  client: DiscoveryClient,
  pages: ListingPages,
  candidates: readonly WalletTrace[],
): Promise<ReadonlyMap<string, number>> {
  if (pages.totalOrders !== undefined && pages.orders.length >= pages.totalOrders) {
    return new Map(candidates.map((trace) => [trace.address, trace.orders.length]));
  }
  const counts = new Map<string, number>();
  const bySize = [...candidates].sort((a, b) => b.orders.length - a.orders.length);
  const chosen = [...bySize.slice(0, 2), ...bySize.slice(2).reverse()].slice(0, countedWallets);
  await Promise.all(
    chosen.map(async ({ address, orders }) => {
      const { found } = await client.ask("GetAllOrders", { address, limit: newestOrders });
      if (!found) return;
      const ofWallet = ordersOf(found.body).filter(({ owner }) => normalizeAddress(owner) === address);
      for (const row of ofWallet) orders.push({ row, exchange: found.exchange });
      const total = countIn(paginationOf(found.body)?.totalCount);
      if (total !== undefined) counts.set(address, total);
    }),
  );
  return counts;
}

function walletOf(trace: WalletTrace, read: ReadPortfolio | undefined, orders: number | undefined): WalletSubject {
  const open = new Set(read?.portfolio.positions.map(positionKey));
  const known = new Map(trace.orders.map(({ row }) => [orderKey(row), row]));
  for (const order of read?.portfolio.orders ?? []) known.set(orderKey(order), order);
  const openOrders = read ? read.portfolio.orders : trace.orders.map(({ row }) => row).filter(isActive);
  return {
    address: trace.address,
    ...(trace.exchange !== undefined && { provenance: trace.exchange }),
    hasLetters: /[a-f]/.test(trace.address.replace(/^0x/, "")),
    ...(orders !== undefined && { orders }),
    ordersSeen: known.size,
    markets: sorted([...known.values()].map((order) => order.marketId)),
    hasReduceOnlyOrders: [...known.values()].some((order) => order.reduceOnly),
    closedPositions: read ? trace.positions.filter(({ row }) => !open.has(positionKey(row))).length : 0,
    openStatuses: sorted(openOrders.map((order) => order.status)),
    openReduceTypes: sorted(openOrders.filter((order) => order.reduceOnly).map((order) => order.reduceOrderType)),
    ...(read && {
      openPositions: read.portfolio.positions.length,
      openOrders: read.portfolio.orders.length,
      portfolio: read.exchange,
    }),
  };
}

/** Positions with their state: open if the owner's portfolio lists them, closed if not (R10), unknown if it was not read. */
function positionSubjects(
  pages: ListingPages,
  portfolios: ReadonlyMap<string, ReadPortfolio>,
): readonly PositionSubject[] {
  const subjects = new Map<string, PositionSubject>();
  for (const [address, { portfolio, exchange }] of portfolios) {
    for (const position of portfolio.positions) {
      subjects.set(positionKey(position), positionSubject(position, address, "open", exchange));
    }
  }
  for (const { row, exchange } of pages.positions) {
    const owner = normalizeAddress(row.owner);
    const key = positionKey(row);
    if (owner === "" || subjects.has(key)) continue;
    subjects.set(key, positionSubject(row, owner, portfolios.has(owner) ? "closed" : "unknown", exchange));
  }
  const kept = { open: 0, closed: 0, unknown: 0 };
  return [...subjects.values()].filter(({ state }) => kept[state]++ < keptPositions[state]);
}

function positionSubject(
  position: PositionView,
  owner: string,
  state: PositionSubject["state"],
  provenance: string,
): PositionSubject {
  const { positionId, marketId, stopLossPrice, takeProfitPrice, associatedOrders, associatedOrderIds } = position;
  const associated = Math.max(associatedOrders.length, associatedOrderIds.length);
  const triggers = { stopLossPrice: finite(stopLossPrice), takeProfitPrice: finite(takeProfitPrice) };
  return { positionId, marketId, owner, state, ...triggers, associated, provenance };
}

/** Replaces numbers that JSON cannot represent by 0. */
function finite(number: number): number {
  return Number.isFinite(number) ? number : 0;
}

function sorted(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}
