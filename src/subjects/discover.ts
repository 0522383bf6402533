import { compareInstants } from "../judge/instant.js";
import { zeroAddress } from "../judge/parsed-request.js";
import { ordersOf } from "../judge/read.js";
import type { Time } from "../judge/read-values.js";
import { brokenOperations } from "./broken-operations.js";
import { type Ask, DiscoveryClient } from "./discovery-client.js";
import type { DiscoveryOptions } from "./discovery-options.js";
import { hintsFor } from "./hints.js";
import { type ListingPages, readListingPages } from "./listing-pages.js";
import { discoverMarkets } from "./markets.js";
import type { MarketSubject, Subjects, Totals, WalletSubject } from "./subjects.js";
import { chooseUnknown, type Mentions } from "./unknown.js";
import { discoverWallets } from "./wallets.js";

/**
 * Finds the markets, wallets and positions that checks can use, from the target's own answers alone.
 *
 * A target that returns errors, lacks operations, is empty, or changes meanwhile yields fewer subjects, with `problems` and
 * `hints` that say why. It never makes discovery fail.
 *
 * @throws TargetUnreachable when nothing answers at the target's address.
 * @throws AccessDenied when the target refuses the first requests for lack of credentials.
 * @throws NotThisApi when no operation shows that the target is this API.
 */
export async function discoverSubjects(ask: Ask, options: DiscoveryOptions): Promise<Subjects> {
  const { seed, known = { markets: [], wallets: [] }, budget = 160 } = options;
  const client = new DiscoveryClient(ask, budget);
  const pages = await readListingPages(client, options);
  const totals = totalsOf(pages);
  const anchor = totals.latestOrder ?? totals.latestPosition;
  const [{ markets, orphanMarkets, otherMarkets }, { wallets, positions }] = await Promise.all([
    discoverMarkets(client, pages, known.markets, anchor, seed),
    discoverWallets(client, pages, known.wallets, seed),
  ]);
  const orders = pages.orders.map(({ row }) => row);
  const found: Subjects = {
    markets,
    orphanMarkets,
    otherMarkets,
    wallets,
    positions,
    orderStatuses: distinct(orders.map(({ status }) => status)),
    reduceOrderTypes: distinct(orders.map(({ reduceOrderType }) => reduceOrderType)),
    totals,
    unknown: chooseUnknown(seed, mentionsOf(pages, markets, wallets)),
    problems: client.problems,
    broken: [],
    requests: 0,
    hints: {},
  };
  const broken = await brokenOperations(client, found);
  const unknown = { ...found.unknown, zeroAddress: await isWithoutOrders(client, zeroAddress) };
  const all = { ...found, unknown, broken, requests: client.requests };
  return { ...all, hints: hintsFor(all) };
}

/** Whether GetOrders works and shows no order of a wallet, which then has none. Orders of others are no orders of it. */
async function isWithoutOrders(client: DiscoveryClient, address: string): Promise<boolean> {
  const { outcome } = await client.probe("GetOrders", { address });
  if (outcome.kind === "error") return outcome.code !== "unimplemented";
  return outcome.kind === "success" && ordersOf(outcome.body).every(({ owner }) => owner.toLowerCase() !== address);
}

function totalsOf(pages: ListingPages): Totals {
  const totals = {
    orders: pages.totalOrders,
    openOrders: pages.totalOpenOrders,
    positions: pages.totalPositions,
    latestOrder: latest(pages.orders.map(({ row }) => row.timestamp)),
    latestPosition: latest(pages.positions.map(({ row }) => row.timestamp)),
    seenAt: new Date().toISOString(),
  };
  return Object.fromEntries(Object.entries(totals).filter(([, value]) => value !== undefined));
}

/** The latest of these timestamps, as on the wire. */
function latest(times: readonly Time[]): string | undefined {
  const dated = times.flatMap(({ text, instant }) => (instant ? [{ text, instant }] : []));
  return dated.sort((a, b) => compareInstants(b.instant, a.instant))[0]?.text;
}

function mentionsOf(
  pages: ListingPages,
  markets: readonly MarketSubject[],
  wallets: readonly WalletSubject[],
): Mentions {
  const rows = [...pages.orders, ...pages.positions].map(({ row }) => row);
  const names = [
    ...rows.map(({ market }) => market),
    ...markets.flatMap(({ name = "", symbols }) => [name, symbols?.assetSymbol ?? "", symbols?.quoteSymbol ?? ""]),
  ];
  return {
    marketIds: new Set([...rows, ...markets].map(({ marketId }) => marketId)),
    wallets: new Set([...rows.map(({ owner }) => owner.toLowerCase()), ...wallets.map(({ address }) => address)]),
    symbols: new Set(names.flatMap((name) => name.toUpperCase().split(/[^A-Z0-9]+/))),
  };
}

/** The distinct non-empty texts, sorted. */
function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "").sort();
}
