/** Representative answers with positions and orders, as judged by the suites on resources (§2). */
import type { Answer, AnswerOf, AnswerTo, StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { exploredAnswers } from "../../src/engine/explored.js";
import { parsedRequestOf } from "../../src/engine/invariant-judgement.js";
import { isSample } from "../../src/engine/samples.js";
import { usable } from "../../src/engine/usable.js";
import { expectedOrders, type KnownOrders, knownOrders } from "../../src/judge/associated.js";
import {
  type LocatedRow,
  type OrderEndpoint,
  type PositionEndpoint,
  type ShownBody,
  shownPositions,
} from "../../src/judge/located-rows.js";
import type { Openness } from "../../src/judge/metadata.js";
import type { OrderLookup } from "../../src/judge/positions.js";
import { type OrderView, ordersOf, type PositionView } from "../../src/judge/read.js";
import { positionKey } from "../../src/judge/read-stored.js";
import type { PagedEndpoint } from "../../src/specification/endpoints.js";
import { activeOrderStatuses } from "../../src/specification/enums.js";
import { groupBy } from "../../src/specification/group-by.js";
import { pageLimitMax, streamIntervalMinMs } from "../../src/specification/limits.js";
import {
  closedPositions,
  openPositions,
  openPositionsByTrigger,
  walletsWithOpenPositions,
  walletWithFewOrders,
  walletWithMostOrders,
  walletWithOpenStatus,
  walletWithReduceOnlyOrders,
} from "../../src/subjects/select.js";
import type { WalletSubject } from "../../src/subjects/subjects.js";

/** How many wallets are read whole, by profile. */
const walletsRead = { quick: 6, full: 12 } as const;

/**
 * Wallets with more orders than this are not read whole if another one will do: their answers are large and show nothing
 * more.
 */
export const manyOrders = 400;

/**
 * Beyond this many orders, even the wallets with the most orders and the most open positions, which are otherwise always
 * read, are skipped.
 */
export const tooManyOrders = 5_000;

/** How many owners have their orders or portfolios looked up to follow up on positions of the listing. */
const ownersFollowed = 8;

/** Rows of the listing that are read where it has to be read twice. */
const pageOfPositions = 200;

/** How long to wait for a snapshot, the first message of a stream, in milliseconds. */
const snapshotMs = 5_000;

/**
 * Wallets that cover all the situations that rules on resources need: many open positions, positions with either trigger,
 * open orders of each active status, reduce-only orders, few orders in several markets.
 */
export function walletsToRead({ subjects, profile, required }: CheckContext): readonly WalletSubject[] {
  const triggers = openPositionsByTrigger(subjects);
  const ownerOf = (owner: string | undefined) => subjects.wallets.find(({ address }) => address === owner);
  const byOpenPositions = walletsWithOpenPositions(subjects);
  const situations = [
    byOpenPositions[0],
    ownerOf(triggers.stopLoss[0]?.owner),
    ownerOf(triggers.takeProfit[0]?.owner),
    ...activeOrderStatuses.map((status) => walletWithOpenStatus(subjects, status)),
    walletWithReduceOnlyOrders(subjects),
    walletWithFewOrders(subjects),
    ...byOpenPositions,
    ...subjects.wallets,
  ].filter((wallet) => wallet !== undefined);
  const heaviest = [byOpenPositions[0], walletWithMostOrders(subjects)].filter((wallet) => wallet !== undefined);
  const all = [...new Set([...heaviest, ...situations])];
  const most = (wallet: WalletSubject) => (heaviest.includes(wallet) ? tooManyOrders : manyOrders);
  const affordable = all.filter((wallet) => (wallet.orders ?? 0) <= most(wallet));
  const wallets = (affordable.length > 0 ? affordable : all).slice(0, walletsRead[profile]);
  required(wallets[0], "walletWithOrders");
  return wallets;
}

/**
 * Representative answers of an operation that shows positions or orders: the first 1000 rows of a listing and a later full
 * page, and for orders also the open ones; the explored portfolios and orders of wallets; snapshots of some. Shared by the
 * checks of a worker.
 *
 * Ends the check if none of them is a success.
 */
export async function answersOf<Name extends PositionEndpoint | OrderEndpoint>(
  context: CheckContext,
  endpoint: Name,
): Promise<readonly AnswerTo<Name>[]> {
  return usable((await sharedAnswers(context, endpoint)) as readonly AnswerTo<Name>[]);
}

/** Like {@link answersOf}, including answers of which only a sample is known. For rules that hold for any rows. */
export async function anyRowsOf<Name extends PositionEndpoint | OrderEndpoint>(
  context: CheckContext,
  endpoint: Name,
): Promise<readonly AnswerTo<Name>[]> {
  return usable((await sharedAnswers(context, endpoint)) as readonly AnswerTo<Name>[], "or samples");
}

async function sharedAnswers(
  context: CheckContext,
  endpoint: PositionEndpoint | OrderEndpoint,
): Promise<readonly AnswerOf<ShownBody>[]> {
  const { runSeed, shared, sharedCapture, subjects } = context;
  const limit = pageLimitMax;
  const pagesOf = (listing: PagedEndpoint, total = 0) => {
    // The last of three pages or more may be short, and is read elsewhere.
    const further = Math.ceil(total / limit) - 1;
    const later = further > 1 ? further - 1 : further;
    const offsets = [{}, ...(later > 0 ? [{ offset: limit * (1 + (runSeed % later)) }] : [])];
    return offsets.map((offset) => shared(listing, { limit, ...offset }));
  };
  switch (endpoint) {
    case "GetAllPositions":
      return Promise.all(pagesOf(endpoint, subjects.totals.positions));
    case "GetAllOrders":
      return Promise.all([...pagesOf(endpoint, subjects.totals.orders), shared(endpoint, { limit, onlyOpen: true })]);
    case "GetOrders":
    case "GetPortfolio":
      return exploredWallets(context, endpoint);
    case "GetOpenPositionsStreaming":
      return Promise.all(
        walletsToRead(context).map(({ address }) =>
          sharedCapture(`messages about ${address}`, snapshotRequest(address), firstMessages),
        ),
      );
  }
}

/** The explored answers about wallets, one per wallet: its portfolio, or all its orders. */
async function exploredWallets(
  context: CheckContext,
  endpoint: "GetOrders" | "GetPortfolio",
): Promise<readonly Answer[]> {
  const byWallet = new Map<string, Answer>();
  for (const answer of await exploredAnswers(context, endpoint)) {
    const { wallet, marketId } = parsedRequestOf(answer, context.subjects) ?? {};
    if (wallet !== undefined && marketId === undefined && !byWallet.has(wallet)) byWallet.set(wallet, answer);
  }
  return [...byWallet.values()];
}

/** A wallet's open positions, as the stream shows them now. */
export function snapshotNow({ listen }: Pick<CheckContext, "listen">, address: string): Promise<StreamAnswer> {
  return listen(snapshotRequest(address), oneMessage);
}

/** Whether a message came. Without one, nothing is known about the wallet's positions. */
export function hasSnapshot(answer: StreamAnswer): answer is StreamAnswer & { readonly outcome: { kind: "success" } } {
  return answer.outcome.kind === "success" && answer.outcome.body.messages.length > 0;
}

const oneMessage = { messages: 1, ms: snapshotMs };
const firstMessages = { messages: 3, ms: snapshotMs };

function snapshotRequest(address: string) {
  return { address, updateIntervalMs: streamIntervalMinMs };
}

/** A current page of positions, or the current portfolio or snapshot of the wallet with the most open positions. */
export async function positionsNow(context: CheckContext, endpoint: PositionEndpoint): Promise<AnswerOf<ShownBody>> {
  const { ask, subject } = context;
  if (endpoint === "GetAllPositions") return ask(endpoint, { limit: pageOfPositions });
  const { address } = subject("walletWithOpenPositions");
  return endpoint === "GetPortfolio" ? ask(endpoint, { owner: address }) : snapshotNow(context, address);
}

/** The orders of a list; none if the answer is not a success. */
export function ordersOrNone({ outcome }: Answer): readonly OrderView[] {
  return outcome.kind === "success" ? ordersOf(outcome.body) : [];
}

/** Like {@link ordersOrNone}, by their identity. */
export const knownOrdersIn = (answer: Answer): KnownOrders => knownOrders(ordersOrNone(answer));

/**
 * The orders of some owners of positions, read after the positions. An order that a position refers to does not vanish, so
 * one that is missing now was missing before (R2, R14). Orders missing from GetOrders are looked up in GetAllOrders, since
 * the completeness of GetOrders is up to other rules.
 *
 * @param needsLookup whether a position needs the lookup
 */
export async function ordersAfter(
  context: CheckContext,
  positions: readonly LocatedRow<PositionView>[],
  needsLookup: (position: PositionView) => boolean,
): Promise<OrderLookup> {
  const rows = positions.map(({ row }) => row).filter(needsLookup);
  const byOwner = groupBy(rows, ({ owner }) => owner.toLowerCase());
  for (const { address, orders = 0 } of context.subjects.wallets) if (orders > tooManyOrders) byOwner.delete(address);
  const owners = [...byOwner].sort(([, a], [, b]) => b.length - a.length).slice(0, ownersFollowed);
  const known = await Promise.all(
    owners.map(async ([address, ofOwner]) => [address, await ordersNamedBy(context, address, ofOwner)] as const),
  );
  const ordersByOwner = new Map(known);
  return (owner) => ordersByOwner.get(owner.toLowerCase());
}

/** The orders of a wallet; undefined if nothing is known of them, or only a sample that lacks some its positions name. */
async function ordersNamedBy(
  { ask, shared }: CheckContext,
  address: string,
  positions: readonly PositionView[],
): Promise<KnownOrders | undefined> {
  const keys = positions.flatMap((position) => [...expectedOrders(position)]);
  const hasAll = (orders: KnownOrders) => keys.every((key) => orders.has(key));
  const before = knownOrdersIn(await shared("GetOrders", { address }));
  if (hasAll(before)) return before;
  const answer = await ask("GetOrders", { address });
  // What a sample lacks may be in the full answer.
  if (isSample(answer)) return undefined;
  const now = knownOrdersIn(answer);
  if (hasAll(now)) return now;
  const listed = knownOrdersIn(await ask("GetAllOrders", { address, limit: pageLimitMax }));
  return now.size + listed.size > 0 ? new Map([...listed, ...now]) : undefined;
}

/**
 * Which positions are certainly open, and which are certainly closed (R10): those that discovery did not find in their
 * owner's portfolio, and that neither portfolio nor stream shows now. Call it after reading the positions.
 */
export async function readOpenAndClosed(context: CheckContext): Promise<Openness> {
  const closed = closedPositions(context.subjects);
  const owners = [...new Set(closed.map(({ owner }) => owner))].slice(0, ownersFollowed);
  const listed = await Promise.all(owners.map((owner) => openNow(context, owner)));
  const stillClosed = closed.filter(({ owner, ...position }) => {
    const open = listed[owners.indexOf(owner)];
    return open !== undefined && !open.has(positionKey(position));
  });
  return {
    open: new Set(openPositions(context.subjects).map(positionKey)),
    closed: new Set(stillClosed.map(positionKey)),
  };
}

/** The keys of the positions that portfolio and stream show for a wallet now; undefined unless both answered. */
async function openNow(context: CheckContext, address: string): Promise<ReadonlySet<string> | undefined> {
  const [portfolio, snapshot] = await Promise.all([
    context.ask("GetPortfolio", { owner: address }),
    snapshotNow(context, address),
  ]);
  if (portfolio.outcome.kind !== "success" || !hasSnapshot(snapshot)) return undefined;
  const positions = [
    ...shownPositions("GetPortfolio", portfolio.outcome.body),
    ...shownPositions("GetOpenPositionsStreaming", snapshot.outcome.body),
  ];
  return new Set(positions.map(({ row }) => positionKey(row)));
}
