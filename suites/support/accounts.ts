/** What several operations report about one wallet at the same moment (P3). */
import type { Answer, AnswerOf, StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { usableAmong } from "../../src/engine/usable.js";
import type { KnownOrders } from "../../src/judge/associated.js";
import {
  type PositionEndpoint,
  type PositionRows,
  type ShownBody,
  shownPositions,
} from "../../src/judge/located-rows.js";
import { type OrderView, positionsOf } from "../../src/judge/read.js";
import { positionKey } from "../../src/judge/read-stored.js";
import type { OperationRows } from "../../src/judge/relations.js";
import { pageLimitMax } from "../../src/specification/limits.js";
import {
  openPositions,
  orderCountOf,
  walletsWithOpenPositions,
  walletWithMostOpenOrders,
} from "../../src/subjects/select.js";
import type { WalletSubject } from "../../src/subjects/subjects.js";
import { answersOf, knownOrdersIn, manyOrders, snapshotNow, tooManyOrders, walletsToRead } from "./resources.js";
import { readWithStablePortfolio, stableReads } from "./stable-reads.js";
import { completeRows, orderPages } from "./wallet-orders.js";

/** One wallet, as four operations show it. */
export interface Account {
  readonly wallet: WalletSubject;
  readonly portfolio: Answer;
  readonly snapshot: StreamAnswer;
  /** The answer of GetOrders: orders of all statuses. */
  readonly orders: Answer;
  /** The pages of GetAllOrders with the wallet's address and `onlyOpen`, in order. */
  readonly openPages: readonly [Answer, ...Answer[]];
}

/**
 * The accounts of some wallets, and of the one with the most open orders, each read between two reads of the wallet's
 * portfolio that show the same state. Shared by the checks of a worker, which are inconclusive when no portfolio stayed
 * stable.
 */
export function accountsOf(context: CheckContext): Promise<readonly Account[]> {
  const most = walletWithMostOpenOrders(context.subjects);
  const wallets = new Set(walletsToRead(context));
  if (most && orderCountOf(most) <= tooManyOrders) wallets.add(most);
  return stableReads(
    [...wallets].map((wallet) =>
      context.sharedRead(`account of ${wallet.address}`, (reader) => readAccount(wallet, reader)),
    ),
  );
}

async function readAccount(wallet: WalletSubject, reader: ReadContext): Promise<Account> {
  const { address } = wallet;
  const [portfolio, [snapshot, orders, openPages]] = await readWithStablePortfolio(reader, address, () =>
    Promise.all([
      snapshotNow(reader, address),
      reader.ask("GetOrders", { address }),
      orderPages(reader, { address, onlyOpen: true }),
    ]),
  );
  return { wallet, portfolio, snapshot, orders, openPages };
}

/** What lists open orders, whether those of one wallet or of all, in words. */
export const openOrderListing = "GetAllOrders with onlyOpen";

/** An account's open orders according to GetAllOrders; undefined unless its pages contain all of them. */
export function openOrdersIn({ openPages }: Pick<Account, "openPages">): OperationRows<OrderView> | undefined {
  const rows = completeRows(openPages);
  return rows && { from: openOrderListing, rows };
}

/** An account's open positions, both in its portfolio and in its stream: one may leave it to the other to name orders. */
export function openPositionsIn({ bodyOf }: CheckContext, { portfolio, snapshot }: Account): PositionRows {
  const streamed = snapshot.outcome.kind === "success" ? snapshot.outcome.body : { messages: [] };
  return [
    ...shownPositions("GetPortfolio", bodyOf(portfolio)),
    ...shownPositions("GetOpenPositionsStreaming", streamed),
  ];
}

/** An answer with positions, and the orders of their owner at the same moment. */
export interface PositionsWithOrders {
  readonly answer: AnswerOf<ShownBody>;
  /** Empty for a listing whose positions include their orders. */
  readonly known: KnownOrders;
}

/**
 * Representative answers with positions, together with what GetOrders reports about their orders at the same moment.
 * Positions may carry mere references to orders (§4.2).
 */
export async function positionsWithOrders(
  context: CheckContext,
  endpoint: PositionEndpoint,
): Promise<readonly PositionsWithOrders[]> {
  if (endpoint === "GetAllPositions") {
    const answers = await answersOf(context, endpoint);
    const listings = answers.map((answer): PositionsWithOrders => ({ answer, known: new Map() }));
    const rows = answers.flatMap((answer) => positionsOf(context.bodyOf(answer)));
    if (rows.every(({ associatedOrders }) => associatedOrders.length > 0)) return listings;
    return (await stableReads([Promise.resolve(listings), listingsWithOrders(context)])).flat();
  }
  const accounts = (await accountsOf(context)).map(({ portfolio, snapshot, orders }) => ({
    answer: endpoint === "GetPortfolio" ? portfolio : snapshot,
    known: knownOrdersIn(orders),
  }));
  return usableAmong(accounts, ({ answer }) => answer);
}

/** Pages of the position listing, each with the orders of a wallet on it. */
async function listingsWithOrders(context: CheckContext): Promise<readonly PositionsWithOrders[]> {
  const accounts = await listedAccounts(context);
  return accounts.map(({ listing, orders }) => ({ answer: listing, known: knownOrdersIn(orders) }));
}

/** How many wallets have their positions compared with their rows in the listing. */
const listedWalletsRead = 2;

/** Size of the page read around most of a wallet's open positions. */
const pageAround = 150;

/** An account, and the page of the position listing that holds most of its open positions. */
export interface ListedAccount extends Omit<Account, "openPages"> {
  readonly listing: Answer;
}

/**
 * Accounts of wallets that have open positions among the first 1000 rows of the listing, those with the most first.
 * Shared by the checks of a worker.
 */
export async function listedAccounts(context: CheckContext): Promise<readonly ListedAccount[]> {
  const { bodyOf, required, shared, sharedRead, subjects } = context;
  const rows = positionsOf(bodyOf(await shared("GetAllPositions", { limit: pageLimitMax })));
  const open = new Set(openPositions(subjects).map(positionKey));
  const listed = walletsWithOpenPositions(subjects)
    .filter(({ orders = 0 }) => orders <= manyOrders)
    .flatMap((wallet) => {
      const places = rows.flatMap((row, place) =>
        row.owner === wallet.address && open.has(positionKey(row)) ? [place] : [],
      );
      return places.length === 0 ? [] : [{ wallet, page: { limit: pageAround, offset: densestPage(places) } }];
    })
    .slice(0, listedWalletsRead);
  required(listed[0]?.wallet, "walletWithOpenPositions");
  return stableReads(
    listed.map(({ wallet, page }) =>
      sharedRead(`listed account of ${wallet.address}`, async (reader) => {
        const { address } = wallet;
        const [portfolio, [snapshot, orders, listing]] = await readWithStablePortfolio(reader, address, () =>
          Promise.all([
            snapshotNow(reader, address),
            reader.ask("GetOrders", { address }),
            reader.ask("GetAllPositions", page),
          ]),
        );
        return { wallet, portfolio, snapshot, orders, listing };
      }),
    ),
  );
}

/**
 * Offset of the page that holds the most of these places. Starts a few rows early, in case new rows are added in the
 * meantime.
 */
function densestPage(places: readonly number[]): number {
  let best = { offset: 0, count: 0 };
  for (const place of places) {
    const offset = Math.max(0, place - pageAround / 10);
    const count = places.filter((other) => other >= offset && other < offset + pageAround).length;
    if (count > best.count) best = { offset, count };
  }
  return best.offset;
}
