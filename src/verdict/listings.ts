import { pageLimitMax } from "../spec/limits.js";
import { lacking } from "../subjects/hints.js";
import { walletsWithOpenPositions } from "../subjects/select.js";
import type { WalletSubject } from "../subjects/subjects.js";
import type { Answer } from "./answer.js";
import type { CheckContext } from "./context.js";

/** The position listing, and what portfolios said before it was read. */
export interface PositionListing {
  readonly portfolios: readonly { readonly wallet: WalletSubject; readonly answer: Answer }[];
  /** The answers with its pages, the first page first. */
  readonly pages: readonly [Answer, ...Answer[]];
}

/** Wallets whose portfolios are read. */
const WALLETS = 6;
/** Pages that a listing may have, to be read whole; of a longer one the first page is read. */
const PAGES = 3;
/** Rows that two pages share, so that a row that is pushed down meanwhile is not missed. */
const OVERLAP = 50;
const STRIDE = pageLimitMax - OVERLAP;

/** How many requests {@link positionListing} sends at most. */
export const positionListingRequests = WALLETS + PAGES;

/**
 * Reads some portfolios, and then the position listing from its end to its start: a row that has been in it all the time is
 * not missed, although others come or move to the front meanwhile (§4.1). Read once for all checks of a worker.
 */
export function positionListing({ sharedReading, subjects, need }: CheckContext): Promise<PositionListing> {
  const wallets = walletsWithOpenPositions(subjects).slice(0, WALLETS);
  need(wallets[0], lacking(subjects, "walletWithOpenPositions"));
  const total = subjects.totals.positions ?? 0;
  const further = total > STRIDE * PAGES ? 0 : Math.max(0, Math.ceil((total - pageLimitMax) / STRIDE));
  return sharedReading("the position listing beside portfolios", positionListingRequests, async ({ ask }) => {
    const portfolios = await Promise.all(
      wallets.map(async (wallet) => ({ wallet, answer: await ask("GetPortfolio", { owner: wallet.address }) })),
    );
    const rest: Answer[] = [];
    for (let page = further; page > 0; page--) {
      rest.unshift(await ask("GetAllPositions", { limit: pageLimitMax, offset: page * STRIDE }));
    }
    return { portfolios, pages: [await ask("GetAllPositions", { limit: pageLimitMax }), ...rest] };
  });
}

/** Some wallets, at least one. */
type Wallets = readonly [WalletSubject, ...WalletSubject[]];

/**
 * Up to `count` wallets that have orders, those with the most first; without one the check is inconclusive.
 *
 * @param most wallets with more orders are left out: those that are to be read whole must not be large
 */
export function walletsWithOrders(
  { subjects, need }: CheckContext,
  count: number,
  most = Number.POSITIVE_INFINITY,
): Wallets {
  const wallets = subjects.wallets
    .filter((wallet) => ordersOf(wallet) > 0 && ordersOf(wallet) <= most)
    .sort((a, b) => ordersOf(b) - ordersOf(a));
  const first = need(wallets[0], lacking(subjects, "walletWithOrders"));
  return [first, ...wallets.slice(1, count)];
}

/** Up to `count` wallets with orders in as many markets as there are; without one in two markets it is inconclusive. */
export function walletsAcrossMarkets({ subjects, need }: CheckContext, count: number): Wallets {
  const wallets = subjects.wallets
    .filter((wallet) => wallet.markets.length > 1 && ordersOf(wallet) <= 400)
    .sort((a, b) => b.markets.length - a.markets.length || ordersOf(a) - ordersOf(b));
  const first = need(wallets[0], "needs a wallet with orders in two markets, and no more than 400 of them");
  return [first, ...wallets.slice(1, count)];
}

/** A wallet with few orders whose address has letters, so that it can be written in another case (§1). */
export function dressedWallet({ subjects, need }: CheckContext): WalletSubject {
  const wallets = subjects.wallets
    .filter((wallet) => wallet.hasLetters && ordersOf(wallet) > 0)
    .sort((a, b) => ordersOf(a) - ordersOf(b));
  return need(wallets[0], "needs a wallet with orders whose address has letters");
}

function ordersOf({ orders, ordersSeen }: WalletSubject): number {
  return orders ?? ordersSeen;
}

/** Whether a row is the wallet's; case is not looked at. */
export const ownedBy =
  (address: string) =>
  ({ owner }: { readonly owner: string }): boolean =>
    owner.toLowerCase() === address;
