/** The streams that the checks watch (§4.2). */
import { longIntervals } from "../../src/arbitraries/intervals.js";
import type { JsonObjectInput } from "../../src/connect/json.js";
import type { StreamUntil } from "../../src/connect/stream-body-reader.js";
import type { Answer, StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { usableAmong } from "../../src/engine/usable.js";
import type { KnownOrders } from "../../src/judge/associated.js";
import { secondMessageDoubt, secondMessageWindow, secondMessageWithin } from "../../src/judge/first-messages.js";
import { shownPositions } from "../../src/judge/located-rows.js";
import type { OrderView } from "../../src/judge/read.js";
import { storedOrderText } from "../../src/judge/read-stored.js";
import { triggerPrices, triggerRules } from "../../src/judge/triggers.js";
import type { Watched } from "../../src/judge/watched-stream.js";
import { changeShownWithinMs, streamIntervalMinMs } from "../../src/specification/limits.js";
import {
  openPositionsByTrigger,
  walletsOfEachMarket,
  walletsWithOpenPositions,
  walletToFollow,
} from "../../src/subjects/select.js";
import type { Subjects, WalletSubject } from "../../src/subjects/subjects.js";
import { fiftyMessages, longEnough, measureStream, secondMessageIn } from "./measuring.js";
import { knownOrdersIn, snapshotNow } from "./resources.js";

/** The wallet whose stream the checks follow. Without a wallet with open positions the check is inconclusive. */
export function followedWallet({ subjects, required }: CheckContext): WalletSubject {
  return required(walletToFollow(subjects), "walletWithOpenPositions");
}

/** The wallet whose stream the timing checks follow. One without open positions will do (T6). */
export function watchedAddress(context: CheckContext): string {
  const { subjects } = context;
  return walletToFollow(subjects) ? followedWallet(context).address : subjects.unknown.wallet;
}

/** Open positions whose snapshots any connection carries five times a second. */
const manyPositions = 200;

/** The wallet with the most open positions, of those whose snapshots are not too large to come often. */
export function largeWallet({ subjects, required }: CheckContext): WalletSubject {
  return required(largeWalletOf(subjects), "walletWithOpenPositions");
}

function largeWalletOf(subjects: Subjects): WalletSubject | undefined {
  return walletsWithOpenPositions(subjects).find(({ openPositions = 0 }) => openPositions <= manyPositions);
}

/** The stream at its default interval, watched for as long as T5 requires. Shared by the checks of a worker. */
export function openStream(context: CheckContext): Promise<StreamAnswer> {
  const request = { address: watchedAddress(context) };
  return sharedStream(context, "the stream without an interval", request, longEnough(context.streamWatchMs));
}

/** The same stream at the shortest interval, until {@link fiftyMessages}. Shared by the checks of a worker. */
export function quickestStream(context: CheckContext): Promise<StreamAnswer> {
  const request = { address: watchedAddress(context), updateIntervalMs: streamIntervalMinMs };
  return sharedStream(context, "the stream at its least interval", request, fiftyMessages(context));
}

/** A capture shared by the checks of a worker. If it cannot be used, each check watches the stream again for itself. */
function sharedStream(
  { listen, sharedCapture }: CheckContext,
  window: string,
  request: JsonObjectInput,
  until: StreamUntil,
): Promise<StreamAnswer> {
  return measureStream((attempt) => (attempt === 0 ? sharedCapture(window, request, until) : listen(request, until)));
}

/** How many wallets {@link streamsOfEachMarket} watches, and for how long: thirty messages and a few more. */
const walletsWatched = 4;
const manyMessages = { messages: 34, ms: 6_000 } as const;

/** A long stream of a wallet, and the first message of another one opened afterwards. */
export interface LongStream {
  readonly address: string;
  readonly stream: StreamAnswer;
  readonly later: StreamAnswer;
}

/**
 * Long streams of the large wallet and of a few whose positions cover as many markets as possible. Shared by the checks of a
 * worker.
 */
export async function streamsOfEachMarket(context: CheckContext): Promise<readonly LongStream[]> {
  const { required, sharedRead, subjects } = context;
  const chosen = new Set([largeWalletOf(subjects), ...walletsOfEachMarket(subjects, walletsWatched)]);
  const wallets = [...chosen].filter((wallet) => wallet !== undefined);
  required(wallets[0], "walletWithOpenPositions");
  const streams = await sharedRead("long streams of each market", ({ listen }) =>
    Promise.all(
      wallets.map(async ({ address }) => {
        const request = { address, updateIntervalMs: streamIntervalMinMs };
        const stream = await listen(request, manyMessages);
        return { address, stream, later: await snapshotNow({ listen }, address) };
      }),
    ),
  );
  return usableAmong(streams, ({ stream }) => stream);
}

/**
 * Streams of one wallet opened at the same moment, its portfolio while they were open, and another stream after they ended.
 */
export interface StreamsAtOnce {
  readonly address: string;
  readonly streams: readonly StreamAnswer[];
  readonly portfolio: Answer;
  readonly later: StreamAnswer;
}

const streamCount = 2;
const fewMessages = { messages: 4, ms: 5_000 } as const;

/** How long after opening the streams the portfolio is read, in milliseconds: between two messages. */
const portfolioAfterMs = 150;

/**
 * Watches two streams of the followed wallet at once, and reads its portfolio meanwhile. Shared by the checks of a worker.
 */
export async function streamsAtOnce(context: CheckContext): Promise<StreamsAtOnce> {
  const { address } = followedWallet(context);
  const request = { address, updateIntervalMs: streamIntervalMinMs };
  return context.sharedRead("streams that are opened at once", async ({ ask, listen, pause }) => {
    const open = Array.from({ length: streamCount }, () => listen(request, fewMessages));
    await pause(portfolioAfterMs);
    const [portfolio] = await Promise.allSettled([ask("GetPortfolio", { owner: address }), ...open]);
    const streams = await Promise.all(open);
    if (portfolio.status === "rejected") throw portfolio.reason;
    return { address, streams, portfolio: portfolio.value, later: await listen(request, fewMessages) };
  });
}

/** A stream, and those orders of its wallet that did not change while it was watched. */
export interface StreamBesideOrders {
  readonly stream: StreamAnswer;
  readonly known: KnownOrders;
}

/**
 * Reads the orders of a wallet before and after its stream, so that they describe what the messages in between refer to. If
 * they do not, the stream is watched again after a pause, beside the orders that have still not changed: a cache or a replica
 * may have shown an earlier state (P3). Shared by the checks of a worker.
 */
export async function readStreamAndOrders(context: CheckContext): Promise<StreamBesideOrders> {
  const { address } = walletWithTriggers(context);
  const request = { address, updateIntervalMs: streamIntervalMinMs };
  return context.sharedRead("a stream beside the orders of its wallet", async ({ ask, listen, pause }) => {
    const read = async () => knownOrdersIn(await ask("GetOrders", { address }));
    const watch = async (before: KnownOrders): Promise<StreamBesideOrders> => {
      const stream = await listen(request, { messages: sampleSize(40, context), ms: 6_000 });
      return { stream, known: unchanged(before, await read()) };
    };
    const first = await watch(await read());
    if (!mayHaveChanged(first)) return first;
    await pause(changeShownWithinMs);
    return watch(first.known);
  });
}

/** The orders that two reads show with the same stored state. */
function unchanged(before: KnownOrders, after: KnownOrders): KnownOrders {
  const isSame = ([key, order]: readonly [string, OrderView]) => {
    const earlier = before.get(key);
    return earlier !== undefined && storedOrderText(earlier) === storedOrderText(order);
  };
  return new Map([...after].filter(isSame));
}

/** Whether a message shows a position whose triggers are not those of its orders. */
function mayHaveChanged({ stream: { outcome }, known }: StreamBesideOrders): boolean {
  if (outcome.kind !== "success") return false;
  const positions = shownPositions("GetOpenPositionsStreaming", outcome.body);
  return triggerRules.some(([, field]) => triggerPrices(field, positions, known).violations.length > 0);
}

/** A wallet with an open position that has a stop-loss or a take-profit; if there is none, one with open positions. */
function walletWithTriggers(context: CheckContext): WalletSubject {
  const { stopLoss, takeProfit } = openPositionsByTrigger(context.subjects);
  const owners = [...stopLoss, ...takeProfit].map(({ owner }) => owner);
  const wallets = walletsWithOpenPositions(context.subjects);
  return wallets.findLast(({ address }) => owners.includes(address)) ?? followedWallet(context);
}

/** How long streams at slow intervals are watched for their second message, in milliseconds: beyond a likely cap of 5 s. */
export const slowStreamMs = 5_600;

/**
 * The followed wallet's stream until its second message, or for `watchMs`; retried when in doubt. Shared by the checks
 * of a worker.
 */
export function untilSecondMessage(
  context: CheckContext,
  updateIntervalMs: number,
  watchMs: number,
): Promise<StreamAnswer> {
  const address = watchedAddress(context);
  const window = secondMessageWindow(updateIntervalMs);
  const judge = secondMessageWithin(window);
  const doubt = secondMessageDoubt(window);
  // A single message says little about the pace: a machine may stall once, but hardly at the same message again (T2).
  let faults = 0;
  const seenOnce = (watched: Watched) =>
    judge(watched).violations.length > 0 && faults++ === 0 ? "the second message came when it was not due" : undefined;
  const name = `the second message in ${watchMs} ms of a stream every ${updateIntervalMs} ms`;
  return context.sharedRead(name, ({ listen }) =>
    measureStream(
      () => listen({ address, updateIntervalMs }, secondMessageIn(watchMs)),
      (watched) => doubt(watched) ?? seenOnce(watched),
    ),
  );
}

/** The followed wallet's streams at long intervals that are short enough for a second message to be due. */
export function slowStreams(context: CheckContext): readonly Promise<StreamAnswer>[] {
  const shown = longIntervals(context.runSeed).filter((ms) => ms < slowStreamMs);
  return shown.map((ms) => untilSecondMessage(context, ms, slowStreamMs));
}
