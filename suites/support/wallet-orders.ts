/** The orders of one wallet, as GetOrders and GetAllOrders list them at the same moment, whole and by market (P3). */
import { shuffled } from "../../src/arbitraries/seed.js";
import type { JsonObject, JsonObjectInput } from "../../src/connect/json.js";
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { usable, usableAmong } from "../../src/engine/usable.js";
import { type LocatedRow, listedOrders, type OrderEndpoint } from "../../src/judge/located-rows.js";
import { orderPage, orderRow, tiedWithRepeated } from "../../src/judge/page.js";
import { listedLast } from "../../src/judge/paging.js";
import { isKnownWallet } from "../../src/judge/parsed-request.js";
import { type OrderView, ordersOf, paginationOf } from "../../src/judge/read.js";
import { listsOrdersOf, orderCountAgrees, sameStoredOrders } from "../../src/judge/relations.js";
import { ordersState } from "../../src/judge/stored-state.js";
import { pageLimitMax } from "../../src/specification/limits.js";
import { listingOfAllOrders } from "../../src/subjects/listings.js";
import {
  mostOrdersFirst,
  orderCountOf,
  walletWithFewOrders,
  walletWithMostOrders,
  walletWithNothing,
} from "../../src/subjects/select.js";
import type { MarketSubject, Subjects, WalletSubject } from "../../src/subjects/subjects.js";
import { manyOrders, ordersOrNone, tooManyOrders, walletsToRead } from "./resources.js";
import { sampleWithHead } from "./sampling.js";
import { stableReads } from "./stable-reads.js";
import { verifyPassing } from "./verify-passing.js";
import { wholeListing } from "./whole-listing.js";

/** How many further wallets have their orders listed both ways. */
const drawnLists = 4;

/** Maximum number of GetAllOrders pages read per wallet: as many as its orders may fill. */
const pagesRead = tooManyOrders / pageLimitMax;

/** How many wallets that appeared since discovery are read. */
const newWalletsAtMost = 3;

/**
 * Wallets among the owners of listed orders that discovery did not see, the newest first. A server may know only the wallets
 * that it had when it started.
 */
export function newWallets(newest: Answer, known: Pick<Subjects, "wallets">): readonly WalletSubject[] {
  const owners = new Set(ordersOrNone(newest).map(({ owner }) => owner.toLowerCase()));
  return [...owners]
    .filter((owner) => !isKnownWallet(owner, known))
    .slice(0, newWalletsAtMost)
    .map(walletWithNothing);
}

/** The orders of one wallet, from GetOrders and from GetAllOrders filtered by its address. */
export interface OrderLists {
  readonly wallet: WalletSubject;
  readonly orders: Answer;
  /** The pages of GetAllOrders, in order. */
  readonly pages: readonly [Answer, ...Answer[]];
}

/**
 * Both order lists of some wallets, starting with those of {@link walletsToRead}. Shared by the checks of a worker, which
 * are inconclusive when no list stayed stable.
 */
export async function orderListsOf(context: CheckContext): Promise<readonly OrderLists[]> {
  const { subjects, profile, runSeed, shared, sharedRead } = context;
  const most = profile === "full" ? [walletWithMostOrders(subjects)] : [];
  const chosen = [walletWithFewOrders(subjects), ...walletsToRead(context).slice(0, 3), ...most];
  // The largest of the other wallets, and some drawn by the seed.
  const others = subjects.wallets
    .filter((wallet) => !chosen.includes(wallet) && orderCountOf(wallet) <= manyOrders)
    .sort(mostOrdersFirst);
  const newest = await shared("GetAllOrders", { limit: pageLimitMax });
  const wanted = [...chosen, ...sampleWithHead(others, drawnLists, runSeed), ...newWallets(newest, subjects)];
  const wallets = [...new Set(wanted.filter((wallet) => wallet !== undefined))];
  return stableReads(
    wallets.map((wallet) => sharedRead(`orders of ${wallet.address}`, (reader) => readOrderLists(wallet, reader))),
  );
}

async function readOrderLists(wallet: WalletSubject, { ask, bracket }: ReadContext): Promise<OrderLists> {
  const { address } = wallet;
  const [orders, pages] = await bracket(
    () => ask("GetOrders", { address }),
    () => orderPages({ ask }, { address }),
    ordersState,
  );
  return { wallet, orders, pages };
}

/** The orders that GetAllOrders lists with a filter, in order, on pages of the largest size; of many only the first pages. */
export async function orderPages(
  { ask }: Pick<ReadContext, "ask">,
  filter: JsonObjectInput,
): Promise<readonly [Answer, ...Answer[]]> {
  const request = { ...filter, limit: pageLimitMax };
  const pages: [Answer, ...Answer[]] = [await ask("GetAllOrders", request)];
  while (pages.length < pagesRead && pages.length * pageLimitMax < totalOf(pages[0])) {
    pages.push(await ask("GetAllOrders", { ...request, offset: pages.length * pageLimitMax }));
  }
  return pages;
}

/** How many wallets have their orders read whole, and how many with the most orders besides. */
const wholeWallets = 16;
const heavyWallets = 3;
/** How many of them are read again at most when something differs. */
const readAgain = 3;

/** A wallet, and all its orders according to GetOrders. */
interface WalletOrders {
  readonly wallet: WalletSubject;
  readonly listed: Answer;
}

/** The orders of all known wallets that do not have too many; each wallet is asked for once. */
async function ordersOfWallets({
  required,
  runSeed,
  shared,
  subjects,
}: CheckContext): Promise<readonly WalletOrders[]> {
  const counted = subjects.wallets.filter(({ orders = 0 }) => orders > 0 && orders <= tooManyOrders);
  required(counted[0], "walletWithOrders");
  const isHeavy = ({ orders = 0 }: WalletSubject) => orders > manyOrders;
  const others = counted.filter((wallet) => !isHeavy(wallet));
  const chosen = [
    ...counted.filter(isHeavy).sort(mostOrdersFirst).slice(0, heavyWallets),
    ...sampleWithHead(shuffled(others, runSeed), wholeWallets, runSeed),
  ];
  const read = await Promise.all(
    chosen.map(async (wallet) => ({
      wallet,
      listed: await shared("GetOrders", { address: wallet.address }),
    })),
  );
  return usableAmong(read, ({ listed }) => listed);
}

/**
 * Asserts that GetOrders lists as many orders of a wallet as GetAllOrders counted for its address in discovery. Counts that
 * differ are read again at the same moment (P3).
 */
export async function ordersAsCounted(context: CheckContext): Promise<void> {
  const { ask, bodyOf, bracket, verify } = context;
  const differing = await verifyPassing(context, await ordersOfWallets(context), readAgain, ({ wallet, listed }) => [
    orderCountAgrees(bodyOf(listed), wallet.orders),
    listed,
  ]);
  for (const { wallet } of differing) {
    const [page, again] = await bracket(
      () => ask("GetAllOrders", { address: wallet.address, limit: pageLimitMax }),
      () => ask("GetOrders", { address: wallet.address }),
      (body) => String(paginationOf(body)?.totalCount),
    );
    verify(again, page).satisfies((body, first) => orderCountAgrees(body, paginationOf(first)?.totalCount, first));
  }
}

/** Rows of the last page of the listing, and how many more it may have got meanwhile. */
const lastRows = 60;
const room = 140;

/** Asserts that the last page of the listing of all orders holds the oldest orders that GetOrders lists (§4.3). */
export async function listingEndsWithTheOldest(context: CheckContext): Promise<void> {
  const { ask, bodyOf, required, subjects, verify } = context;
  const { total } = required(listingOfAllOrders(subjects), "needs orders that GetAllOrders lists");
  const lists = await ordersOfWallets(context);
  const known = lists.flatMap(({ listed }) => ordersOf(bodyOf(listed)).map(orderRow));
  const last = await ask("GetAllOrders", { limit: lastRows + room, offset: Math.max(0, total - lastRows) });
  verify(last).satisfies((page) =>
    listedLast(known, orderPage(page), "an old order of a wallet whose orders were read"),
  );
}

/**
 * Asserts that the listing of all orders shows those of the known wallets as GetOrders does. What differs is read again at the
 * same moment (P3).
 */
export async function listingAgreesWithWallets(context: CheckContext): Promise<void> {
  const { ask, bodyOf, bracket, required, subjects, verify } = context;
  const all = listingOfAllOrders(subjects);
  const { pages } = await wholeListing(context, "GetAllOrders", required(all, "needs orders that GetAllOrders lists"));
  const wallets = await ordersOfWallets(context);
  const judge = (page: JsonObject, ...lists: readonly JsonObject[]) =>
    sameStoredOrders(
      { from: "GetAllOrders", rows: listedOrders("GetAllOrders", page) },
      { from: "GetOrders", rows: lists.flatMap((body) => listedOrders("GetOrders", body)) },
    );
  const listed = wallets.map((each) => bodyOf(each.listed));
  const answers = usable(pages.map(({ answer }) => answer));
  const differing = await verifyPassing(context, answers, answers.length, (page) => [
    judge(bodyOf(page), ...listed),
    page,
  ]);
  const pairs = differing.flatMap((page) =>
    wallets
      .filter((each) => judge(bodyOf(page), bodyOf(each.listed)).violations.length > 0)
      .map(({ wallet }) => ({ page, address: wallet.address })),
  );
  for (const { page, address } of pairs.slice(0, readAgain)) {
    const [orders, again] = await bracket(
      () => ask("GetOrders", { address }),
      () => ask("GetAllOrders", page.request as JsonObjectInput),
      ordersState,
    );
    verify(again, orders).satisfies(judge);
  }
}

/** A wallet's orders in one market, next to its whole list. */
export interface OrdersOfMarket {
  readonly marketId: string;
  readonly whole: Answer;
  readonly filtered: Answer;
}

/** How many wallets have their orders read market by market, and in how many markets each. */
const filteredWallets = 2;
const filteredMarkets = 8;

/** How many orphan markets have the orders of a wallet read. */
const filteredOrphans = 3;

/**
 * The orders of some wallets, both whole and per market at the same moment (P3). Every other market is selected by its
 * symbols; the seed decides which ones, and which wallets. Orphan markets are included where orders are listed: the text does
 * not say that a market without metadata can be selected. Shared by the checks of a worker.
 */
export async function ordersByMarket(context: CheckContext): Promise<readonly OrdersOfMarket[]> {
  const { runSeed, sharedRead, subjects } = context;
  const known = (wallet: WalletSubject) => subjects.markets.filter(({ marketId }) => wallet.markets.includes(marketId));
  const affordable = subjects.wallets.filter(
    (wallet) => orderCountOf(wallet) <= manyOrders && known(wallet).length > 1,
  );
  const all = affordable.sort((a, b) => known(b).length - known(a).length);
  context.required(all[0], "walletInTwoMarkets");
  const orphans = shuffled(subjects.orphanMarkets, runSeed).flatMap((market) => {
    const owner = subjects.wallets.find(
      (wallet) => orderCountOf(wallet) <= manyOrders && wallet.markets.includes(market.marketId),
    );
    return owner ? [{ wallet: owner, markets: [market] }] : [];
  });
  const wanted = [
    ...sampleWithHead(all, filteredWallets, runSeed).map((wallet) => ({
      wallet,
      markets: sampleWithHead(known(wallet), filteredMarkets, runSeed),
    })),
    ...orphans.slice(0, filteredOrphans),
  ];
  const lists = await stableReads(
    wanted.map(({ wallet, markets }) => {
      const ids = markets.map(({ marketId }) => marketId).join(", ");
      return sharedRead(`orders of ${wallet.address} in the markets ${ids}`, (reader) =>
        readByMarket(wallet, markets, runSeed, reader),
      );
    }),
  );
  const isOrphan = (id: string) => subjects.orphanMarkets.some(({ marketId }) => marketId === id);
  return lists.flat().filter(({ marketId, filtered }) => !isOrphan(marketId) || ordersOrNone(filtered).length > 0);
}

/** Maximum number of wallet and market pairs read for orders that share a timestamp. */
const tiedMarkets = 4;

/**
 * The orders of some wallets in a market where several of them share a timestamp, next to the wallet's whole list (P3). A
 * server that identifies rows by timestamp loses some of them.
 */
export async function tiedOrdersByMarket(context: CheckContext): Promise<readonly OrdersOfMarket[]> {
  const { required, runSeed, sharedRead, subjects } = context;
  const lists = await orderListsOf(context);
  const tied = lists.flatMap(({ wallet, orders }) =>
    subjects.markets
      .filter(({ marketId }) => hasTies(ordersOrNone(orders), marketId))
      .map((market) => ({ wallet, market })),
  );
  required(tied[0], "needs a wallet with two orders of one market and one timestamp");
  const found = await stableReads(
    shuffled(tied, runSeed)
      .slice(0, tiedMarkets)
      .map(({ wallet, market }) =>
        sharedRead(`orders of ${wallet.address} in the market ${market.marketId}`, (reader) =>
          readByMarket(wallet, [market], runSeed, reader),
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
  markets: readonly Pick<MarketSubject, "marketId" | "symbols">[],
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
 * The rows of all pages of an order listing; undefined unless they are as many as `totalCount` says. Whether pages are
 * complete is up to the pagination rules.
 */
export function completeRows(pages: readonly Answer[]): readonly LocatedRow<OrderView>[] | undefined {
  const rows = pages.flatMap(({ outcome }) =>
    outcome.kind === "success" ? listedOrders("GetAllOrders", outcome.body) : [],
  );
  return rows.length === totalOf(pages[0]) ? rows : undefined;
}

/**
 * Asserts that the pages of an order listing, if they are complete, have every order that another answer shows (R14). Rows
 * with equal timestamps may change places between pages, and then be on none (P4).
 */
export function pagesListOrdersOf(
  { bodyOf, verify }: CheckContext,
  from: string,
  pages: readonly [Answer, ...Answer[]],
  other: Answer,
): void {
  const endpoint = other.endpoint as OrderEndpoint;
  const orders = listedOrders(endpoint, bodyOf(other));
  const rows = completeRows(pages);
  if (rows === undefined) return;
  const isUnsettled = tiedWithRepeated(rows.map(({ row }) => orderRow(row)));
  const settled = orders.filter(({ row }) => !isUnsettled(orderRow(row)));
  verify(...pages, other).satisfies(listsOrdersOf({ from, rows }, { from: endpoint, rows: settled }));
}

/** `totalCount` of a page of orders; 0 if it has none. */
function totalOf(page: Answer | undefined): number {
  return page?.outcome.kind === "success" ? (paginationOf(page.outcome.body)?.totalCount ?? 0) : 0;
}
