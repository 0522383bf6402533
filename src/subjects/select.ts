/**
 * Chooses subjects for a check: pure functions over what discovery found. Each returns `undefined` or an empty list if there
 * is no such subject; `subjects.hints` then says what would provide one.
 */
import { pageLimitMax } from "../specification/limits.js";
import type { MarketSubject, MarketSymbols, PositionSubject, Subjects, WalletSubject } from "./subjects.js";

/** A market whose asset and quote symbols are known (S8). */
export type MarketWithSymbols = MarketSubject & { readonly symbols: Required<MarketSymbols> };

/** The market seen most often; configured ones come first. */
export function anyMarket({ markets }: Subjects): MarketSubject | undefined {
  return markets[0];
}

/** Markets whose asset and quote symbols are both known, those seen most often first (S8). */
export function marketsWithSymbols({ markets }: Subjects): readonly MarketWithSymbols[] {
  return markets.filter((market): market is MarketWithSymbols => market.symbols?.quoteSymbol !== undefined);
}

/** Whether no other market has the same name in its configuration. */
export function isOnlyOneNamed({ name, marketId }: MarketSubject, { markets }: Subjects): boolean {
  return markets.every((other) => other.name !== name || other.marketId === marketId);
}

/** A market named by its asset symbol alone (§4.9, S8). */
export function marketNamedByAsset({ markets }: Subjects): MarketSubject | undefined {
  return markets.find(({ symbols }) => symbols !== undefined && symbols.quoteSymbol === undefined);
}

/** Markets with at least `atLeast` underlying orders in their book, the fullest first (§4.6). */
export function marketsWithBook({ markets }: Subjects, atLeast = 1): readonly MarketSubject[] {
  return markets
    .filter(({ bookOrders = 0 }) => bookOrders >= atLeast)
    .sort((a, b) => (b.bookOrders ?? 0) - (a.bookOrders ?? 0));
}

/** Markets with candles in the week before the latest activity, those with most first (§4.7). */
export function marketsWithCandles({ markets }: Subjects): readonly MarketSubject[] {
  return markets.filter(({ candles = 0 }) => candles > 0).sort((a, b) => (b.candles ?? 0) - (a.candles ?? 0));
}

/** The wallet with the most orders; undefined if no wallet has any. */
export function walletWithMostOrders({ wallets }: Subjects): WalletSubject | undefined {
  const [most] = [...wallets].sort(mostOrdersFirst);
  return most && orderCountOf(most) > 0 ? most : undefined;
}

/** A wallet with more orders than the largest page holds. */
export function walletWithManyOrders(subjects: Subjects): WalletSubject | undefined {
  const most = walletWithMostOrders(subjects);
  return most && orderCountOf(most) > pageLimitMax ? most : undefined;
}

/** A wallet with 2 to 40 orders, in as many markets as possible: cheap to read completely. */
export function walletWithFewOrders({ wallets }: Subjects): WalletSubject | undefined {
  return wallets
    .filter((wallet) => orderCountOf(wallet) >= 2 && orderCountOf(wallet) <= 40)
    .sort((a, b) => b.markets.length - a.markets.length)[0];
}

/** A wallet with orders in more than one market. */
export function walletInTwoMarkets({ wallets }: Subjects): WalletSubject | undefined {
  return wallets.find(({ markets }) => markets.length > 1);
}

/** A wallet with orders in a market: the one with the fewest orders. */
export function walletWithOrdersIn({ wallets }: Subjects, marketId: string): WalletSubject | undefined {
  return wallets.filter(({ markets }) => markets.includes(marketId)).sort(fewestOrdersFirst)[0];
}

/** A wallet with open orders. */
export function walletWithOpenOrders({ wallets }: Subjects): WalletSubject | undefined {
  return wallets
    .filter(({ openOrders = 0 }) => openOrders > 0)
    .sort((a, b) => b.openStatuses.length - a.openStatuses.length)[0];
}

/** A wallet with an open order in this status. */
export function walletWithOpenStatus({ wallets }: Subjects, status: string): WalletSubject | undefined {
  return wallets.find(({ openStatuses }) => openStatuses.includes(status));
}

/** The wallet with the most open orders; undefined if no wallet is known to have any. */
export function walletWithMostOpenOrders({ wallets }: Subjects): WalletSubject | undefined {
  return wallets
    .filter(({ openOrders = 0 }) => openOrders > 0)
    .sort((a, b) => (b.openOrders ?? 0) - (a.openOrders ?? 0))[0];
}

/** A wallet with reduce-only orders. */
export function walletWithReduceOnlyOrders({ wallets }: Subjects): WalletSubject | undefined {
  return wallets.find(({ hasReduceOnlyOrders }) => hasReduceOnlyOrders);
}

/** Wallets with open positions, those with most first. */
export function walletsWithOpenPositions({ wallets }: Subjects): readonly WalletSubject[] {
  return wallets
    .filter(({ openPositions = 0 }) => openPositions > 0)
    .sort((a, b) => (b.openPositions ?? 0) - (a.openPositions ?? 0));
}

/** The wallet with the most open positions. */
export function walletWithOpenPositions(subjects: Subjects): WalletSubject | undefined {
  return walletsWithOpenPositions(subjects)[0];
}

/** A wallet whose stream is cheap to follow: the one with the fewest open positions, but at least two; else any (§4.2). */
export function walletToFollow(subjects: Subjects): WalletSubject | undefined {
  const wallets = walletsWithOpenPositions(subjects);
  return wallets.findLast(({ openPositions = 0 }) => openPositions >= 2) ?? wallets[0];
}

/** Most open positions of a wallet that is read repeatedly. */
const fewPositions = 40;

/**
 * A wallet for watching data change: the one with the most open positions that is still cheap to read repeatedly, else the
 * one with the fewest.
 */
export function walletToWatch(subjects: Subjects): WalletSubject | undefined {
  const wallets = walletsWithOpenPositions(subjects);
  return wallets.find(({ openPositions = 0 }) => openPositions <= fewPositions) ?? wallets.at(-1);
}

/** Up to `most` wallets whose open positions together cover as many markets as possible; smaller wallets win ties. */
export function walletsOfEachMarket(subjects: Subjects, most: number): readonly WalletSubject[] {
  const marketsOf = new Map<string, Set<string>>();
  for (const { owner, marketId } of openPositions(subjects)) {
    const markets = marketsOf.get(owner) ?? new Set();
    marketsOf.set(owner, markets.add(marketId));
  }
  const wallets = walletsWithOpenPositions(subjects).toReversed();
  const covered = new Set<string>();
  const adds = ({ address }: WalletSubject) => [...(marketsOf.get(address) ?? [])].filter((id) => !covered.has(id));
  const chosen: WalletSubject[] = [];
  while (chosen.length < most) {
    const [first, ...others] = wallets;
    if (!first) break;
    const next = others.reduce((best, each) => (adds(each).length > adds(best).length ? each : best), first);
    const added = adds(next);
    if (added.length === 0) break;
    for (const id of added) covered.add(id);
    chosen.push(next);
  }
  return chosen;
}

/** A wallet whose portfolio lists no open position (T6). Preferred: most closed positions, then most orders. */
export function walletWithoutOpenPositions({ wallets }: Subjects): WalletSubject | undefined {
  return wallets
    .filter(({ openPositions }) => openPositions === 0)
    .sort((a, b) => b.closedPositions - a.closedPositions || mostOrdersFirst(a, b))[0];
}

/** Maximum number of wallets in {@link walletsToFind} whose portfolio could not be read. */
const unreadAtMost = 5;

/** Wallets that an operation showed, so that they exist: those whose portfolio discovery could not read come first. */
export function walletsToFind(subjects: Subjects): readonly WalletSubject[] {
  const shown = subjects.wallets.filter(({ provenance }) => provenance !== undefined);
  const unread = shown.filter(({ openPositions }) => openPositions === undefined);
  return [...unread.slice(0, unreadAtMost), ...shown.filter((wallet) => !unread.includes(wallet)).slice(0, 1)];
}

/** A wallet that had positions, all of them now closed (R10). */
export function walletWithOnlyClosedPositions(subjects: Subjects): WalletSubject | undefined {
  const wallet = walletWithoutOpenPositions(subjects);
  return wallet && wallet.closedPositions > 0 ? wallet : undefined;
}

/** Positions that their owner's portfolio lists. */
export function openPositions({ positions }: Subjects): readonly PositionSubject[] {
  return positions.filter(({ state }) => state === "open");
}

/** Positions that their owner's portfolio does not list (R10). */
export function closedPositions({ positions }: Subjects): readonly PositionSubject[] {
  return positions.filter(({ state }) => state === "closed");
}

/** Open positions with a stop-loss, and those with a take-profit (R3). */
export function openPositionsByTrigger(
  subjects: Subjects,
): Record<"stopLoss" | "takeProfit", readonly PositionSubject[]> {
  const open = openPositions(subjects);
  return {
    stopLoss: open.filter(({ stopLossPrice }) => stopLossPrice > 0),
    takeProfit: open.filter(({ takeProfitPrice }) => takeProfitPrice > 0),
  };
}

/** Number of orders of a wallet, as far as known. */
export function orderCountOf({ orders, ordersSeen }: WalletSubject): number {
  return orders ?? ordersSeen;
}

/** Sorts wallets with few orders before those with many. */
export function fewestOrdersFirst(a: WalletSubject, b: WalletSubject): number {
  return orderCountOf(a) - orderCountOf(b);
}

/** Sorts wallets with many orders before those with few. */
export function mostOrdersFirst(a: WalletSubject, b: WalletSubject): number {
  return orderCountOf(b) - orderCountOf(a);
}

/** A wallet of which nothing was seen. */
export function walletWithNothing(address: string): WalletSubject {
  return {
    address,
    hasLetters: true,
    orders: 0,
    ordersSeen: 0,
    markets: [],
    hasReduceOnlyOrders: false,
    closedPositions: 0,
    openPositions: 0,
    openOrders: 0,
    openStatuses: [],
    openReduceTypes: [],
  };
}
