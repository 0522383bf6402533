/** What several operations say of one wallet at the same moment (P3). */

import { shuffled } from "../../src/arbitraries/seed.js";
import type { Answer, AnswerOf, StreamAnswer } from "../../src/engine/answer.js";
import { bracketBudget } from "../../src/engine/bracket.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { usable } from "../../src/engine/usable.js";
import type { KnownOrders } from "../../src/judge/associated.js";
import { type OrderView, ordersOf, paginationOf, positionsOf } from "../../src/judge/read.js";
import { positionKey } from "../../src/judge/read-stored.js";
import { listedOrders, type PositionEndpoint, type Shown, type ShownBody } from "../../src/judge/shown.js";
import { ordersState, portfolioState } from "../../src/judge/stored-state.js";
import { pageLimitMax } from "../../src/specification/limits.js";
import { missingData } from "../../src/subjects/hints.js";
import {
  openPositions,
  orderCountOf,
  walletsWithOpenPositions,
  walletWithFewOrders,
  walletWithMostOrders,
} from "../../src/subjects/select.js";
import type { MarketSubject, WalletSubject } from "../../src/subjects/subjects.js";
import { answersOf, manyOrders, ordersIn, snapshotNow, walletsToRead } from "./resources.js";
import { headAndDrawn } from "./sampled.js";

/** Further wallets whose orders are listed in both ways. */
const drawnLists = 4;

/** Pages of GetAllOrders that one wallet's orders may take. */
const pagesRead = 4;

/** Wallets whose positions are compared with their rows in the listing. */
const listedWalletsRead = 2;

/** Rows of the page that is read where a wallet has most of its open positions. */
const pageAround = 150;

/** One wallet, by four operations. */
export interface Account {
  readonly wallet: WalletSubject;
  readonly portfolio: Answer;
  readonly snapshot: StreamAnswer;
  /** GetOrders: orders of all statuses. */
  readonly orders: Answer;
  /** GetAllOrders with the wallet's address and `onlyOpen`. */
  readonly openOrders: Answer;
}

/**
 * The accounts of some wallets, each read between two readings of the wallet's portfolio that show the same state. Read
 * once in each worker of a run; the check is inconclusive when none of the portfolios stood still.
 */
export function accountsOf(context: CheckContext): Promise<readonly Account[]> {
  return settledReadings(
    walletsToRead(context).map((wallet) =>
      context.sharedRead(`account of ${wallet.address}`, bracketBudget(1, 3), (words) => readAccount(wallet, words)),
    ),
  );
}

async function readAccount(wallet: WalletSubject, words: ReadContext): Promise<Account> {
  const { address } = wallet;
  const [portfolio, [snapshot, orders, openOrders]] = await words.bracket(
    () => words.ask("GetPortfolio", { owner: address }),
    () =>
      Promise.all([
        snapshotNow(words, address),
        words.ask("GetOrders", { address }),
        words.ask("GetAllOrders", { address, onlyOpen: true, limit: pageLimitMax }),
      ]),
    portfolioState,
  );
  return { wallet, portfolio, snapshot, orders, openOrders };
}

/** The readings of those wallets that stood still; without any, what kept them from it ends the check. */
export async function settledReadings<T>(readings: readonly Promise<T>[]): Promise<readonly T[]> {
  const outcomes = await Promise.allSettled(readings);
  const settled = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    if (settled.length === 0 || !(outcome.reason instanceof Inconclusive)) throw outcome.reason;
  }
  return settled;
}

/** An account's open orders by GetAllOrders; undefined where the answer does not hold them all. */
export function openOrdersIn({ openOrders }: Pick<Account, "openOrders">): readonly Shown<OrderView>[] | undefined {
  return wholeListing([openOrders]);
}

/** An answer with positions, and the orders of their owner as they were at the same moment. */
export interface PositionsWithOrders {
  readonly answer: AnswerOf<ShownBody>;
  /** Empty for the listing of all wallets, whose positions hold their orders themselves. */
  readonly known: KnownOrders;
}

/**
 * Representative answers with positions, together with what GetOrders says of their orders at the same moment: positions
 * may merely refer to their orders (§4.2).
 */
export async function positionsWithOrders(
  context: CheckContext,
  endpoint: PositionEndpoint,
): Promise<readonly PositionsWithOrders[]> {
  if (endpoint === "GetAllPositions") {
    return (await answersOf(context, endpoint)).map((answer) => ({ answer, known: new Map() }));
  }
  const accounts = (await accountsOf(context)).map(({ portfolio, snapshot, orders }) => ({
    answer: endpoint === "GetPortfolio" ? portfolio : snapshot,
    known: ordersIn(orders),
  }));
  const answers = usable<AnswerOf<ShownBody>>(accounts.map(({ answer }) => answer));
  return accounts.filter(({ answer }) => answers.includes(answer));
}

/** The orders of one wallet, by GetOrders and by GetAllOrders for its address. */
export interface OrderLists {
  readonly wallet: WalletSubject;
  readonly orders: Answer;
  /** The pages of GetAllOrders, in order. */
  readonly pages: readonly Answer[];
}

/**
 * Both lists of the orders of some wallets, those that {@link walletsToRead} begins with. Read once in each worker of a run;
 * the check is inconclusive when none of the lists stood still.
 */
export async function orderListsOf(context: CheckContext): Promise<readonly OrderLists[]> {
  const { subjects, profile, runSeed, sharedRead } = context;
  const most = profile === "full" ? [walletWithMostOrders(subjects)] : [];
  const chosen = [walletWithFewOrders(subjects), ...walletsToRead(context).slice(0, 3), ...most];
  // The largest of the others, and some that change with the seed.
  const others = subjects.wallets
    .filter((wallet) => !chosen.includes(wallet) && orderCountOf(wallet) <= manyOrders)
    .sort((a, b) => orderCountOf(b) - orderCountOf(a));
  const wanted = [...chosen, ...headAndDrawn(others, drawnLists, runSeed)];
  const wallets = [...new Set(wanted.filter((wallet) => wallet !== undefined))];
  return settledReadings(
    wallets.map((wallet) =>
      sharedRead(`orders of ${wallet.address}`, bracketBudget(1, pagesRead), (words) => readOrderLists(wallet, words)),
    ),
  );
}

async function readOrderLists(wallet: WalletSubject, { ask, bracket }: ReadContext): Promise<OrderLists> {
  const { address } = wallet;
  const [orders, pages] = await bracket(
    () => ask("GetOrders", { address }),
    async () => {
      const pages: Answer[] = [];
      do {
        pages.push(await ask("GetAllOrders", { address, limit: pageLimitMax, offset: pages.length * pageLimitMax }));
      } while (pages.length < pagesRead && pages.length * pageLimitMax < totalOf(pages[0]));
      return pages;
    },
    ordersState,
  );
  return { wallet, orders, pages };
}

/** A wallet's orders of one market, beside its whole list. */
export interface OrdersOfMarket {
  readonly marketId: string;
  readonly whole: Answer;
  readonly filtered: Answer;
}

/** Wallets whose orders are read market by market, and markets of each that are asked for. */
const filteredWallets = 2;
const filteredMarkets = 8;

/** How many requests {@link ordersByMarket} sends at most. */
export const ordersByMarketBudget = filteredWallets * bracketBudget(1, filteredMarkets);

/**
 * The orders of some wallets, whole and of each market at the same moment (P3). Every other market is selected by its symbols: which
 * ones, and which wallets, changes with the seed. Read once in each worker of a run.
 */
export async function ordersByMarket(context: CheckContext): Promise<readonly OrdersOfMarket[]> {
  const { runSeed, sharedRead, subjects } = context;
  const known = (wallet: WalletSubject) => subjects.markets.filter(({ marketId }) => wallet.markets.includes(marketId));
  const affordable = subjects.wallets.filter(
    (wallet) => orderCountOf(wallet) <= manyOrders && known(wallet).length > 1,
  );
  const all = affordable.sort((one, other) => known(other).length - known(one).length);
  context.required(all[0], missingData(subjects, "walletInTwoMarkets"));
  const lists = await settledReadings(
    headAndDrawn(all, filteredWallets, runSeed).map((wallet) => {
      const markets = headAndDrawn(known(wallet), filteredMarkets, runSeed);
      return sharedRead(`orders by market of ${wallet.address}`, bracketBudget(1, filteredMarkets), (words) =>
        readByMarket(wallet, markets, runSeed, words),
      );
    }),
  );
  return lists.flat();
}

/** Wallets and markets in which orders of one instant are looked for, at most. */
const tiedMarkets = 4;

/** How many requests {@link tiedOrdersByMarket} sends at most. */
export const tiedOrdersByMarketBudget = tiedMarkets * bracketBudget(1, 1);

/**
 * The orders of some wallets in a market in which several of them are of one instant, beside the wallet's whole list (P3): what tells
 * rows apart by their timestamps loses some of them.
 */
export async function tiedOrdersByMarket(context: CheckContext): Promise<readonly OrdersOfMarket[]> {
  const { required, runSeed, sharedRead, subjects } = context;
  const lists = await orderListsOf(context);
  const tied = lists.flatMap(({ wallet, orders: { outcome } }) => {
    const rows = outcome.kind === "success" ? ordersOf(outcome.body) : [];
    return subjects.markets.filter(({ marketId }) => hasTies(rows, marketId)).map((market) => ({ wallet, market }));
  });
  required(tied[0], "needs a wallet with two orders of one market and one timestamp");
  const found = await settledReadings(
    shuffled(tied, runSeed)
      .slice(0, tiedMarkets)
      .map(({ wallet, market }) =>
        sharedRead(`orders of ${wallet.address} in the market ${market.marketId}`, bracketBudget(1, 1), (words) =>
          readByMarket(wallet, [market], runSeed, words),
        ),
      ),
  );
  return found.flat();
}

function hasTies(rows: readonly OrderView[], marketId: string): boolean {
  const times = rows.filter((order) => order.marketId === marketId).map(({ timestamp }) => timestamp.text);
  return new Set(times).size < times.length;
}

async function readByMarket(
  { address }: WalletSubject,
  markets: readonly MarketSubject[],
  seed: number,
  { ask, bracket }: ReadContext,
): Promise<readonly OrdersOfMarket[]> {
  const selectors = markets.map(({ marketId, symbols }, index) =>
    symbols?.quoteSymbol !== undefined && (index + seed) % 2 === 0 ? { marketSymbol: { ...symbols } } : { marketId },
  );
  const [whole, answers] = await bracket(
    () => ask("GetOrders", { address }),
    () => Promise.all(selectors.map((market) => ask("GetOrders", { address, market }))),
    ordersState,
  );
  return markets.flatMap(({ marketId }, index) => {
    const filtered = answers[index];
    return filtered ? [{ marketId, whole, filtered }] : [];
  });
}

/**
 * The rows of all pages of a listing of orders; undefined unless they are as many as `totalCount` says: whether pages are
 * complete is for the rules on pagination.
 */
export function wholeListing(pages: readonly Answer[]): readonly Shown<OrderView>[] | undefined {
  const rows = pages.flatMap(({ outcome }) =>
    outcome.kind === "success" ? listedOrders("GetAllOrders", outcome.body) : [],
  );
  return rows.length === totalOf(pages[0]) ? rows : undefined;
}

/** `totalCount` of a page of orders; 0 where there is none. */
function totalOf(page: Answer | undefined): number {
  return page?.outcome.kind === "success" ? (paginationOf(page.outcome.body)?.totalCount ?? 0) : 0;
}

/** An account, and the page of the listing that holds most of its open positions. */
export interface ListedAccount extends Omit<Account, "openOrders"> {
  readonly listing: Answer;
}

/**
 * Accounts of wallets whose open positions the first 1000 rows of the listing show, the ones with the most first. Read once in
 * each worker of a run.
 */
export async function listedAccounts(context: CheckContext): Promise<readonly ListedAccount[]> {
  const { bodyOf, required, shared, sharedRead, subjects } = context;
  const listing = positionsOf(bodyOf(await shared("GetAllPositions", { limit: pageLimitMax })));
  const open = new Set(openPositions(subjects).map(positionKey));
  const listed = walletsWithOpenPositions(subjects)
    .filter(({ orders = 0 }) => orders <= manyOrders)
    .flatMap((wallet) => {
      const places = [...listing.keys()].filter((place) => {
        const row = listing[place];
        return row?.owner === wallet.address && open.has(positionKey(row));
      });
      return places.length === 0 ? [] : [{ wallet, page: { limit: pageAround, offset: densestPage(places) } }];
    })
    .slice(0, listedWalletsRead);
  required(listed[0]?.wallet, missingData(subjects, "walletWithOpenPositions"));
  return settledReadings(
    listed.map(({ wallet, page }) =>
      sharedRead(`listed account of ${wallet.address}`, bracketBudget(1, 3), async (words) => {
        const { address } = wallet;
        const [portfolio, [snapshot, orders, listing]] = await words.bracket(
          () => words.ask("GetPortfolio", { owner: address }),
          () =>
            Promise.all([
              snapshotNow(words, address),
              words.ask("GetOrders", { address }),
              words.ask("GetAllPositions", page),
            ]),
          portfolioState,
        );
        return { wallet, portfolio, snapshot, orders, listing };
      }),
    ),
  );
}

/** Offset of the page that holds the most of these places. It begins a few rows earlier: new ones may come meanwhile. */
function densestPage(places: readonly number[]): number {
  let best = { offset: 0, count: 0 };
  for (const place of places) {
    const offset = Math.max(0, place - pageAround / 10);
    const count = places.filter((other) => other >= offset && other < offset + pageAround).length;
    if (count > best.count) best = { offset, count };
  }
  return best.offset;
}
