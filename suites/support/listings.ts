import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { withoutField } from "../../src/exploration/rewrites.js";
import type { WalletHistory } from "../../src/judge/closed-positions.js";
import { ordersOf, portfolioOf } from "../../src/judge/read.js";
import { isOwnedBy } from "../../src/judge/snapshots.js";
import { pageLimitDefault, pageLimitMax } from "../../src/specification/limits.js";
import {
  fewestOrdersFirst,
  mostOrdersFirst,
  orderCountOf,
  walletsToFind,
  walletWithMostOrders,
} from "../../src/subjects/select.js";
import type { WalletSubject } from "../../src/subjects/subjects.js";
import { everyWallet } from "./every-wallet.js";
import { pagesThrough, readBackwards } from "./page-windows.js";
import { manyOrders, tooManyOrders } from "./resources.js";

/** The position listing, and the portfolios as they were before it was read. */
export interface PositionListing {
  readonly portfolios: readonly { readonly wallet: WalletSubject; readonly answer: Answer }[];
  /** The answers, in page order. */
  readonly pages: readonly Answer[];
}

/** Maximum number of rows of a listing that is read whole. Of a longer one, only the first page is read. */
const mostRows = 3 * pageLimitMax;

/**
 * Reads the position listing after the portfolios, from its end to its start, so that no row that was there all along is
 * missed when others are inserted or moved to the front (§4.1). Shared by the checks of a worker.
 */
export async function positionListing(context: CheckContext): Promise<PositionListing> {
  const { runSeed, subjects, sharedRead } = context;
  const { wallets } = await everyWallet(context);
  const portfolios = wallets.map(({ wallet, portfolio: answer }) => ({ wallet, answer }));
  const total = subjects.totals.positions ?? 0;
  const windows = pagesThrough(total > mostRows ? pageLimitMax : total, runSeed);
  const pages = await sharedRead("the position listing after portfolios", ({ ask }) =>
    readBackwards(windows, (window) => ask("GetAllPositions", { ...window })),
  );
  return { portfolios, pages: pages.map(({ answer }) => answer) };
}

/** The orders of some wallets, two of them with many, and their open positions as their portfolios list them. */
export function historiesOf(
  { bodyOf, shared }: CheckContext,
  portfolios: PositionListing["portfolios"],
): Promise<readonly WalletHistory[]> {
  const ofSize = (most: number, least = 0) =>
    portfolios.filter(({ wallet }) => orderCountOf(wallet) > least && orderCountOf(wallet) <= most);
  const chosen = [...ofSize(tooManyOrders, manyOrders).slice(0, 2), ...ofSize(manyOrders).slice(0, 12)];
  return Promise.all(
    chosen.map(async ({ wallet: { address }, answer }) => ({
      owner: address,
      orders: ordersOf(bodyOf(await shared("GetOrders", { address }))),
      open: portfolioOf(bodyOf(answer))?.positions ?? [],
    })),
  );
}

/** The portfolios of wallets that must be found, since another operation names them. */
export function portfoliosToFind({ required, shared, subjects }: CheckContext): Promise<readonly Answer[]> {
  const wallets = walletsToFind(subjects);
  required(wallets[0], "walletWithOrders");
  return Promise.all(wallets.map(({ address }) => shared("GetPortfolio", { owner: address })));
}

/**
 * The wallet with the most orders up to `most`, or the smallest one if all have more. Without a wallet that has orders
 * the check is inconclusive.
 */
export function walletOfSize({ subjects, required }: CheckContext, most: number): WalletSubject {
  const withOrders = subjects.wallets.filter((wallet) => orderCountOf(wallet) > 0);
  const [largest] = noLargerThan(most, withOrders).sort(mostOrdersFirst);
  return required(largest, "walletWithOrders");
}

/**
 * Up to `count` wallets with orders in as many markets as possible. Without one that has orders in two markets the check is
 * inconclusive.
 */
export function walletsAcrossMarkets({ subjects, required }: CheckContext, count: number): readonly WalletSubject[] {
  const across = subjects.wallets.filter((wallet) => wallet.markets.length > 1);
  const wallets = noLargerThan(manyOrders, across).sort(
    (a, b) => b.markets.length - a.markets.length || fewestOrdersFirst(a, b),
  );
  required(wallets[0], "walletInTwoMarkets");
  return wallets.slice(0, count);
}

/** Up to `count` wallets with orders in orphan markets (R7). */
export function walletsInOrphanMarkets({ subjects }: CheckContext, count: number): readonly WalletSubject[] {
  const orphans = subjects.orphanMarkets.map(({ marketId }) => marketId);
  return subjects.wallets.filter(({ markets }) => orphans.some((id) => markets.includes(id))).slice(0, count);
}

/** A wallet's orders of one market beside all of them. */
export const versusAllMarkets = {
  name: "part of the wallet's list",
  rewrite: withoutField("market"),
  sample: "all",
} as const;

/** The wallet with the most orders. Without one that has orders the check is inconclusive. */
export function busiestWallet({ subjects, required }: CheckContext): WalletSubject {
  return required(walletWithMostOrders(subjects), "walletWithManyOrders");
}

/** The orders of the busiest wallet: all, and those of the market with the most of them, more than a page has by default. */
export async function manyOrdersOfMarket(context: CheckContext) {
  const { bodyOf, required, shared, subjects } = context;
  const { address } = busiestWallet(context);
  const whole = await shared("GetOrders", { address });
  const rows = ordersOf(bodyOf(whole)).filter(isOwnedBy(address));
  const markets = subjects.markets.map(({ marketId }) => rows.filter((order) => order.marketId === marketId));
  const [ofMarket = []] = markets.sort((a, b) => b.length - a.length);
  const missing = `needs a wallet with more than ${pageLimitDefault} orders of one market`;
  const { marketId } = required(ofMarket[pageLimitDefault], missing);
  return { address, marketId, whole, ofMarket };
}

/** The wallets with at most `most` orders, or the smallest wallet if all have more. */
function noLargerThan(most: number, wallets: readonly WalletSubject[]): WalletSubject[] {
  const small = wallets.filter((wallet) => orderCountOf(wallet) <= most);
  return small.length > 0 ? small : [...wallets].sort(fewestOrdersFirst).slice(0, 1);
}

/** A wallet, and a known market in which it has no orders. */
export interface WalletBesideMarket {
  readonly address: string;
  readonly marketId: string;
  /** Set if no wallet with orders qualified. */
  readonly remark?: string;
}

/** How many wallets have their orders read to find a market without any. */
const walletsSearched = 3;

/**
 * A wallet and a known market in which it has no orders (S4). GetOrders lists all orders of a wallet, so a market missing
 * from its list has none. If every wallet has orders in every market, a wallet without orders is used.
 */
export async function marketWithoutOrders({ shared, subject, subjects }: CheckContext): Promise<WalletBesideMarket> {
  const { marketId: anyId } = subject("market");
  const known = [...subjects.markets.map(({ marketId }) => marketId), ...subjects.otherMarkets];
  const wallets = subjects.wallets.filter((wallet) => orderCountOf(wallet) > 0).sort(fewestOrdersFirst);
  const beside = (address: string, markets: readonly string[]): readonly WalletBesideMarket[] =>
    known.filter((marketId) => !markets.includes(marketId)).map((marketId) => ({ address, marketId }));
  const seenWhole = wallets.filter(({ orders, ordersSeen }) => orders === ordersSeen);
  const [found] = seenWhole.flatMap(({ address, markets }) => beside(address, markets));
  if (found) return found;
  const others = wallets.filter((wallet) => !seenWhole.includes(wallet));
  for (const { address } of others.slice(0, walletsSearched)) {
    const { outcome } = await shared("GetOrders", { address });
    if (outcome.kind !== "success") continue;
    const listed = ordersOf(outcome.body).map(({ marketId }) => marketId);
    const [pair] = beside(address, listed);
    if (pair) return pair;
  }
  const remark = "each wallet that was read has orders in every market: a wallet without any orders was asked for";
  return { address: subjects.unknown.wallet, marketId: anyId, ...(wallets.length > 0 && { remark }) };
}
