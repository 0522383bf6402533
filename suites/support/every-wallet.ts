/**
 * What each known wallet has open according to its portfolio and its stream, next to the open orders of all wallets (P3).
 */
import type { Answer } from "../../src/engine/answer.js";
import type { CheckContext, ReadContext } from "../../src/engine/context.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { listedOrders } from "../../src/judge/located-rows.js";
import { type OrderView, ordersOf } from "../../src/judge/read.js";
import { orderKey, storedOrderText } from "../../src/judge/read-stored.js";
import type { OperationRows } from "../../src/judge/relations.js";
import { pageLimitMax } from "../../src/specification/limits.js";
import { mostOrdersFirst, walletsWithOpenPositions, walletWithMostOpenOrders } from "../../src/subjects/select.js";
import type { WalletSubject } from "../../src/subjects/subjects.js";
import { type Account, openOrderListing } from "./accounts.js";
import { snapshotNow } from "./resources.js";
import { sampleWithHead } from "./sampling.js";
import { readWithStablePortfolio, stableReads } from "./stable-reads.js";
import { newWallets, orderPages } from "./wallet-orders.js";

/** What a wallet has open at one moment. */
export type OpenAccount = Omit<Account, "orders">;

/** What the wallets have open, and the platform's open orders before and after they were read. */
export interface OpenAccounts {
  readonly wallets: readonly OpenAccount[];
  readonly before: Answer;
  readonly after: Answer;
}

/**
 * Maximum number of wallets read. Half are those with the most open positions, plus one with orders but no open position and
 * the one with the most open orders; the other half is drawn by the seed.
 */
const walletsAtMost = 16;

/**
 * What each known wallet has open, each read between two reads of the wallet's portfolio that show the same state. Shared
 * by the checks of a worker, which are inconclusive when no portfolio stayed stable.
 */
export function everyWallet(context: CheckContext): Promise<OpenAccounts> {
  const { required, runSeed, sharedRead, subjects } = context;
  const open = walletsWithOpenPositions(subjects);
  required(open[0], "walletWithOpenPositions");
  // Wallets without open positions are included, since every answer about such a wallet may lack its open orders.
  const flat = subjects.wallets.filter(({ openPositions }) => openPositions === 0).sort(mostOrdersFirst);
  const others = subjects.wallets.filter(({ openStatuses }) => openStatuses.length > 0);
  const first = [open[0], flat[0], walletWithMostOpenOrders(subjects)].filter((wallet) => wallet !== undefined);
  const all = new Set([...first, ...open, ...others, ...flat]);
  const wallets = sampleWithHead([...all], sampleSize(walletsAtMost, context), runSeed);
  return sharedRead("what each wallet has open", async (reader) => {
    const openOrders = () => reader.ask("GetAllOrders", { onlyOpen: true, limit: pageLimitMax });
    const before = await openOrders();
    const toRead = [...wallets, ...newWallets(before, subjects)];
    const read = await stableReads(toRead.map((wallet) => readWallet(wallet, reader)));
    return { wallets: read, before, after: await openOrders() };
  });
}

async function readWallet(wallet: WalletSubject, reader: ReadContext): Promise<OpenAccount> {
  const { address } = wallet;
  const [portfolio, [snapshot, openPages]] = await readWithStablePortfolio(reader, address, () =>
    Promise.all([snapshotNow(reader, address), orderPages(reader, { address, onlyOpen: true })]),
  );
  return { wallet, portfolio, snapshot, openPages };
}

/** The orders of a wallet that were open, and unchanged, both before and after its portfolio was read. */
export function openThroughout(
  { bodyOf }: CheckContext,
  { before, after }: OpenAccounts,
  { address }: WalletSubject,
): OperationRows<OrderView> {
  const later = new Map(ordersOf(bodyOf(after)).map((order) => [orderKey(order), storedOrderText(order)]));
  const rows = listedOrders("GetAllOrders", bodyOf(before)).filter(
    ({ row }) => row.owner.toLowerCase() === address && later.get(orderKey(row)) === storedOrderText(row),
  );
  return { from: openOrderListing, rows };
}
