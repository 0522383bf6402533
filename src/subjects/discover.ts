import type { DiscoveryOptions } from "./discovery-options.js";
import { hintsFor } from "./hints.js";
import { type Ask, Inquiry } from "./inquiry.js";
import { discoverMarkets } from "./markets.js";
import { brokenOperations } from "./operations.js";
import { latest, readSample, type Sample } from "./sample.js";
import type { MarketSubject, Subjects, Totals, WalletSubject } from "./subjects.js";
import { chooseUnknown, type Mentions } from "./unknown.js";
import { discoverWallets } from "./wallets.js";

/**
 * Finds the markets, wallets and positions that checks can be made on, from nothing but the target's own answers.
 *
 * A target that errs, lacks operations, is empty, or changes meanwhile yields fewer subjects, with `problems` and `hints`
 * that say why; it never makes discovery fail.
 *
 * @throws TargetUnreachable when nobody answers at the target's address.
 * @throws AccessDenied when the target refuses the first requests for lack of credentials.
 * @throws NotThisApi when no operation shows that the target is this API.
 */
export async function discoverSubjects(ask: Ask, options: DiscoveryOptions): Promise<Subjects> {
  const { seed, known = { markets: [], wallets: [] }, budget = 120 } = options;
  const inquiry = new Inquiry(ask, budget);
  const sample = await readSample(inquiry, options);
  const totals = totalsOf(sample);
  const anchor = totals.latestOrder ?? totals.latestPosition;
  const [{ markets, orphanMarkets, otherMarkets }, { wallets, positions }] = await Promise.all([
    discoverMarkets(inquiry, sample, known.markets, anchor),
    discoverWallets(inquiry, sample, known.wallets),
  ]);
  const orders = sample.orders.map(({ row }) => row);
  const found: Subjects = {
    markets,
    orphanMarkets,
    otherMarkets,
    wallets,
    positions,
    orderStatuses: distinct(orders.map(({ status }) => status)),
    reduceOrderTypes: distinct(orders.map(({ reduceOrderType }) => reduceOrderType)),
    totals,
    unknown: chooseUnknown(seed, mentionsOf(sample, markets, wallets)),
    problems: inquiry.problems,
    broken: [],
    requests: 0,
    hints: {},
  };
  const broken = await brokenOperations(inquiry, found);
  const all = { ...found, broken, requests: inquiry.requests };
  return { ...all, hints: hintsFor(all) };
}

function totalsOf(sample: Sample): Totals {
  const totals = {
    orders: sample.totalOrders,
    openOrders: sample.totalOpenOrders,
    positions: sample.totalPositions,
    latestOrder: latest(sample.orders.map(({ row }) => row.timestamp)),
    latestPosition: latest(sample.positions.map(({ row }) => row.timestamp)),
    seenAt: new Date().toISOString(),
  };
  return Object.fromEntries(Object.entries(totals).filter(([, value]) => value !== undefined));
}

function mentionsOf(sample: Sample, markets: readonly MarketSubject[], wallets: readonly WalletSubject[]): Mentions {
  const rows = [...sample.orders, ...sample.positions].map(({ row }) => row);
  const names = [
    ...rows.map(({ market }) => market),
    ...markets.flatMap(({ name = "", symbols }) => [name, ...values(symbols)]),
  ];
  return {
    marketIds: new Set([...rows, ...markets].map(({ marketId }) => marketId)),
    wallets: new Set([...rows.map(({ owner }) => owner.toLowerCase()), ...wallets.map(({ address }) => address)]),
    symbols: new Set(names.flatMap((name) => name.toUpperCase().split(/[^A-Z0-9]+/))),
  };
}

function values(symbols: MarketSubject["symbols"]): readonly string[] {
  return symbols ? Object.values(symbols) : [];
}

/** The distinct texts, sorted, without the empty one. */
function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== "").sort();
}
