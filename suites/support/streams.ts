/** Helpers for checks of the stream (§4.2): what to watch, for how long, and when to watch again. */
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObjectInput } from "../../src/connect/json.js";
import type { StreamSeen, StreamUntil } from "../../src/connect/stream-reading.js";
import type { Answer, StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { ask, explored, unexplored } from "../../src/engine/explored.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { usable } from "../../src/engine/usable.js";
import type { KnownOrders } from "../../src/judge/associated.js";
import {
  bufferingDoubt,
  cadenceDoubt,
  type Doubt,
  firstMessageDoubt,
  firstMessageWithin,
  gapsNeeded,
  medianOf,
  oneMessagePer,
  partDoubt,
  type StreamJudge,
  secondMessageDoubt,
  secondMessageWindow,
  secondMessageWithin,
  silenceDoubt,
  trustedGaps,
  type Watched,
} from "../../src/judge/cadence.js";
import { shownPositions } from "../../src/judge/located-rows.js";
import { triggerPrices, triggerRules } from "../../src/judge/positions.js";
import type { OrderView } from "../../src/judge/read.js";
import { storedOrderText } from "../../src/judge/read-stored.js";
import { unaryEndpointNames } from "../../src/specification/endpoints.js";
import {
  cadenceEvidence,
  changeShownWithinMs,
  openStreamEvidence,
  streamIntervalMinMs,
} from "../../src/specification/limits.js";
import type { Profile } from "../../src/specification/profile.js";
import { missingData } from "../../src/subjects/hints.js";
import { isAbsent } from "../../src/subjects/operations.js";
import { simpleRequest } from "../../src/subjects/requests.js";
import {
  openPositionsByTrigger,
  walletsOfEachMarket,
  walletsWithOpenPositions,
  walletToFollow,
} from "../../src/subjects/select.js";
import type { WalletSubject } from "../../src/subjects/subjects.js";
import { ordersIn } from "./resources.js";

/** Maximum number of attempts at watching a stream, when what was seen cannot be trusted (T7). */
export const measurementsAtMost = 3;

/** How long to wait before retrying a stream that was refused, in milliseconds. Other streams end in the meantime. */
const refusalPauseMs = 2_000;

/** The wallet whose stream the checks follow. Without a wallet with open positions the check is inconclusive. */
export function followedWallet({ subjects, required }: Pick<CheckContext, "subjects" | "required">): WalletSubject {
  return required(walletToFollow(subjects), missingData(subjects, "walletWithOpenPositions"));
}

/** The wallet whose stream the timing checks follow. One without open positions will do (T6). */
export function watchedAddress({ subjects, required }: Pick<CheckContext, "subjects" | "required">): string {
  const wallet = walletToFollow(subjects);
  return wallet ? required(wallet, "").address : subjects.unknown.wallet;
}

/** The stream at its default interval, watched for as long as T5 requires. Shared by the checks of a worker. */
export function openStream({ sharedCapture, listen, ...context }: CheckContext): Promise<StreamAnswer> {
  const request = { address: watchedAddress(context) };
  const enough = longEnough(context.streamWatchMs);
  const shared = () => sharedCapture("the stream without an interval", request, enough);
  return measured((attempt) => (attempt === 0 ? shared() : listen(request, enough)));
}

/** The followed wallet's stream at the shortest interval, until {@link fiftyMessages}. Shared by the checks of a worker. */
export function quickestStream(context: CheckContext): Promise<StreamAnswer> {
  const { listen, sharedCapture } = context;
  const request = { address: watchedAddress(context), updateIntervalMs: streamIntervalMinMs };
  const until = fiftyMessages(context);
  const shared = () => sharedCapture("the stream at its least interval", request, until);
  return measured((attempt) => (attempt === 0 ? shared() : listen(request, until)));
}

/**
 * Watches until fifty messages came at the shortest interval, or more where streams are watched for longer; a third of that
 * where each class of a field is only tried once. The timeout is long enough to tell silence from one late message.
 */
export function fiftyMessages({ streamWatchMs, strength }: Pick<CheckContext, "streamWatchMs" | "strength">) {
  const messages = sampleSize(50, { strength });
  return { messages: Math.max(messages, streamWatchMs / streamIntervalMinMs), ms: Math.max(9_000, streamWatchMs) };
}

/** How many wallets {@link streamsOfEachMarket} watches, and for how long: thirty messages and a few more. */
const walletsWatched = 4;
const manyMessages = { messages: 34, ms: 6_000 } as const;
const oneMessage = { messages: 1, ms: 5_000 } as const;

/** A long stream of a wallet, and the first message of another one opened afterwards. */
export interface LongStream {
  readonly address: string;
  readonly stream: StreamAnswer;
  readonly later: StreamAnswer;
}

/**
 * Long streams of a few wallets whose positions cover as many markets as possible. Shared by the checks of a worker.
 */
export async function streamsOfEachMarket(context: CheckContext): Promise<readonly LongStream[]> {
  const { required, sharedRead, subjects } = context;
  const wallets = walletsOfEachMarket(subjects, walletsWatched);
  required(wallets[0], missingData(subjects, "walletWithOpenPositions"));
  const streams = await sharedRead("long streams of each market", ({ listen }) =>
    Promise.all(
      wallets.map(async ({ address }) => {
        const request = { address, updateIntervalMs: streamIntervalMinMs };
        const stream = await listen(request, manyMessages);
        return { address, stream, later: await listen(request, oneMessage) };
      }),
    ),
  );
  const seen = usable(streams.map(({ stream }) => stream));
  return streams.filter(({ stream }) => seen.includes(stream));
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
  const name = "streams that are opened at once";
  return context.sharedRead(name, async ({ ask, listen, pause }) => {
    const open = Array.from({ length: streamCount }, () => listen(request, fewMessages));
    await pause(portfolioAfterMs);
    const [portfolio] = await Promise.allSettled([ask("GetPortfolio", { owner: address }), ...open]);
    const streams = await Promise.all(open);
    if (portfolio.status === "rejected") throw portfolio.reason;
    return { address, streams, portfolio: portfolio.value, later: await listen(request, fewMessages) };
  });
}

/**
 * Watches for 5 s (or `streamWatchMs` if that is longer) and until 20 messages came (T5). A slower stream gets a few seconds
 * more.
 */
function longEnough(streamWatchMs: number): StreamUntil {
  const { windowMs, messages } = openStreamEvidence;
  const watchMs = Math.max(windowMs, streamWatchMs);
  const seen: StreamSeen = (frames, elapsedMs) =>
    elapsedMs >= watchMs && (frames.length >= messages || elapsedMs >= watchMs + 3_000);
  return Object.assign(seen, { usuallyMs: watchMs });
}

/**
 * Watches a stream, and retries when its connection broke (once), when the target refused it (how many concurrent streams it
 * serves is left open, §8), or when what was seen is in doubt (T7).
 *
 * @param read watches the stream; called with the attempt, from 0, up to {@link measurementsAtMost} times
 * @throws Inconclusive when no attempt gave a result that can be trusted
 */
export async function measured(
  read: (attempt: number) => Promise<StreamAnswer>,
  doubt: Doubt = () => undefined,
): Promise<StreamAnswer> {
  let reason = "";
  let broken = false;
  for (let attempt = 0; attempt < measurementsAtMost; attempt++) {
    const answer = await read(attempt);
    const { outcome } = answer;
    if (outcome.kind === "error" && outcome.code === "resource_exhausted") {
      reason = `the target refused one more stream at a time (${outcome.message})`;
      if (attempt < measurementsAtMost - 1) await sleep(refusalPauseMs);
    } else if (brokeOff(answer) && !broken) {
      broken = true;
      reason = "the connection broke";
    } else {
      const doubted = outcome.kind === "success" && !brokeOff(answer) ? doubt(outcome.body) : undefined;
      if (doubted === undefined) return answer;
      reason = doubted;
    }
  }
  throw new Inconclusive(
    `${reason} in each of ${measurementsAtMost} measurements; a quieter machine or path would settle it`,
  );
}

function brokeOff({ outcome }: StreamAnswer): boolean {
  if (outcome.kind === "failure") return outcome.failure === "reset";
  return outcome.kind === "success" && outcome.body.problem?.kind === "failure";
}

/**
 * Asserts that one message comes per interval (T2), on a measurement that can be trusted.
 *
 * @param accepted the effective interval, or several if any of them will do (T3), in milliseconds
 * @param first a capture shared with other checks, used for the first attempt
 * @param until when enough was seen
 */
export async function keepsPace(
  { listen, profile, verify }: CheckContext,
  request: JsonObjectInput,
  accepted: readonly [number, ...number[]],
  first?: () => Promise<StreamAnswer>,
  until: Parameters<CheckContext["listen"]>[1] = gapsOf(Math.max(...accepted), profile),
): Promise<StreamAnswer> {
  const answer = await measured(
    (attempt) => (attempt === 0 && first ? first() : listen(request, until)),
    cadenceDoubt(...accepted),
  );
  verify(answer).satisfies(oneMessagePer(...accepted));
  return answer;
}

/** How many explored streams are watched again, each alone, when their timing is off. */
const watchedAgain = 2;

/**
 * Asserts something about the timing of every explored stream that it applies to. Many of these are watched at once, so
 * suspects are watched again, each alone.
 *
 * @param judgeOf the judge and the doubt for a stream at this interval, undefined where it was omitted; undefined if the
 * assertion does not apply
 */
export async function keepsInEveryCombination(
  context: CheckContext,
  judgeOf: (intervalMs: number | undefined) => { readonly judge: StreamJudge; readonly doubt: Doubt } | undefined,
): Promise<void> {
  const { exchanges } = await explored(context, "GetOpenPositionsStreaming");
  const found = exchanges.flatMap(({ planned, answer }) => {
    const { updateIntervalMs } = planned.body;
    const timing = judgeOf(updateIntervalMs === undefined ? undefined : Number(updateIntervalMs));
    const watched = answer.outcome.kind === "success" ? (answer as StreamAnswer).outcome : undefined;
    if (!timing || watched?.kind !== "success" || brokeOff(answer as StreamAnswer)) return [];
    const isSound = timing.doubt(watched.body) === undefined && timing.judge(watched.body).violations.length === 0;
    return [{ ...timing, planned, answer: answer as StreamAnswer, isSound }];
  });
  context.required(found[0], unexplored(context, "GetOpenPositionsStreaming", "with messages"));
  const suspects = found.filter(({ isSound }) => !isSound).slice(0, watchedAgain);
  for (const { answer, judge, isSound } of found) if (isSound) context.verify(answer).satisfies(judge);
  for (const { planned, judge, doubt } of suspects) {
    const again = await measured(
      () => ask(context, "GetOpenPositionsStreaming", planned) as Promise<StreamAnswer>,
      doubt,
    );
    context.verify(again).satisfies(judge);
  }
}

/**
 * Watches until there are enough trustworthy gaps to judge an interval (T7), or until they should have arrived. If our own
 * lag left too few, the timeout is doubled.
 */
export function gapsOf(intervalMs: number, profile: Profile): StreamUntil {
  const gaps = gapsWatched(intervalMs, profile);
  const needed = gapsNeeded(intervalMs);
  // Where only the minimum number of gaps is watched, allow for slower ones too: they tell more than too few gaps.
  const timeoutMs = (gaps > needed ? 1.2 : 1.6) * gaps * intervalMs + 1_000;
  const seen: StreamSeen = (frames, elapsedMs) => {
    const trusted = trustedGaps(frames, intervalMs).length;
    const timeouts = (elapsedMs - (frames[0]?.at ?? 0)) / timeoutMs;
    const lagged = frames.length > needed && trusted < needed;
    return trusted >= gaps || timeouts > (lagged ? 2 : 1);
  };
  return Object.assign(seen, { usuallyMs: gaps * intervalMs });
}

/**
 * How many gaps to watch: as many as fit into a few seconds, up to 20, but no fewer than needed. The full profile watches
 * long intervals for up to a minute.
 */
function gapsWatched(intervalMs: number, profile: Profile): number {
  const waits = profile === "full" && intervalMs > cadenceEvidence.longIntervalMs;
  const [spanMs, most] = waits ? [60_000, 8] : [3_600, 20];
  return Math.max(gapsNeeded(intervalMs), Math.min(most, Math.floor(spanMs / intervalMs)));
}

/**
 * Watches until the second message came, or was not there so long after the first one. A late first message does not count.
 *
 * @param ms the wait for the second message, and also for the first one, in milliseconds
 */
export function secondMessageIn(ms: number): StreamUntil {
  const seen: StreamSeen = (frames, elapsedMs) => frames.length > 1 || elapsedMs - (frames[0]?.at ?? 0) >= ms;
  return Object.assign(seen, { usuallyMs: ms });
}

/** A stream, and those orders of its wallet that did not change while it was watched. */
export interface StreamBesideOrders {
  readonly stream: StreamAnswer;
  readonly known: KnownOrders;
}

/**
 * Reads the orders of a wallet before and after its stream, so that they describe what the messages in between refer to. If
 * they do not, the orders are read once more after a pause: a cache or a replica may show an earlier state (P3). Shared by
 * the checks of a worker.
 */
export async function streamBesideOrders(context: CheckContext): Promise<StreamBesideOrders> {
  const { address } = walletWithTriggers(context);
  const request = { address, updateIntervalMs: streamIntervalMinMs };
  return context.sharedRead("a stream beside the orders of its wallet", async ({ ask, listen, pause }) => {
    const read = async () => ordersIn(await ask("GetOrders", { address }));
    const before = await read();
    const stream = await listen(request, { messages: sampleSize(40, context), ms: 6_000 });
    const known = unchanged(before, await read());
    if (!mayHaveChanged(stream, known)) return { stream, known };
    await pause(changeShownWithinMs);
    return { stream, known: unchanged(known, await read()) };
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
function mayHaveChanged({ outcome }: StreamAnswer, known: KnownOrders): boolean {
  if (outcome.kind !== "success") return false;
  const positions = shownPositions("GetOpenPositionsStreaming", outcome.body);
  return triggerRules.some(([, field]) => triggerPrices(field, positions, known).violations.length > 0);
}

/** A wallet with an open position that has a stop-loss or a take-profit; if there is none, one with open positions. */
function walletWithTriggers(context: Pick<CheckContext, "subjects" | "required">): WalletSubject {
  const { stopLoss, takeProfit } = openPositionsByTrigger(context.subjects);
  const owners = [...stopLoss, ...takeProfit].map(({ owner }) => owner);
  const light = [...walletsWithOpenPositions(context.subjects)].reverse();
  return light.find(({ address }) => owners.includes(address)) ?? followedWallet(context);
}

/**
 * Asserts on streams at long intervals, side by side, that the second message comes when due, as far as they are watched.
 */
export async function secondMessages(
  context: CheckContext,
  intervalsMs: readonly number[],
  watchMs: number,
): Promise<void> {
  await sideBySide(intervalsMs, async (updateIntervalMs) => {
    const judge = secondMessageWithin(secondMessageWindow(updateIntervalMs));
    context.verify(await untilSecondMessage(context, updateIntervalMs, watchMs)).satisfies(judge);
  });
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
  const due = secondMessageWindow(updateIntervalMs);
  const judge = secondMessageWithin(due);
  const doubt = secondMessageDoubt(due);
  // A single message says little about the pace: a machine may stall once, but hardly at the same message again (T2).
  let faults = 0;
  const seenOnce = (watched: Watched) =>
    judge(watched).violations.length > 0 && faults++ === 0 ? "the second message came when it was not due" : undefined;
  const name = `the second message in ${watchMs} ms of a stream every ${updateIntervalMs} ms`;
  return context.sharedRead(name, ({ listen }) =>
    measured(
      () => listen({ address, updateIntervalMs }, secondMessageIn(watchMs)),
      (watched) => doubt(watched) ?? seenOnce(watched),
    ),
  );
}

/**
 * Watches a stream that should send at least one message, next to the stream of the usual wallet. If that one is silent too,
 * or comes in bursts, silence proves nothing.
 */
export function measuredWithControl(
  context: CheckContext,
  request: JsonObjectInput,
  until: { readonly messages: number; readonly ms: number },
  doubt: Doubt = () => undefined,
): Promise<StreamAnswer> {
  let other: Watched | undefined;
  const read = async () => {
    const usual = quickStreamFor(context, watchedAddress(context), until.ms);
    const answer = await context.listen(request, until);
    other = await usual;
    return answer;
  };
  const isSilent = ({ messages }: Watched) => messages.length === 0;
  return measured(
    read,
    (watched) =>
      doubt(watched) ??
      silenceDoubt(other)(watched) ??
      (isSilent(watched) ? bufferingDoubt(other, streamIntervalMinMs)(watched) : undefined),
  );
}

/** How many messages of a stream at the shortest interval show whether the path buffers them. */
const messagesToCompare = 10;

/** A wallet's stream at the shortest interval, watched for at most `ms` milliseconds. */
async function quickStreamFor(context: CheckContext, address: string, ms: number): Promise<Watched | undefined> {
  const request = { address, updateIntervalMs: streamIntervalMinMs };
  const { outcome } = await context.listen(request, { messages: messagesToCompare, ms });
  return outcome.kind === "success" ? outcome.body : undefined;
}

/** How long to wait for the first message of a stream, in milliseconds. */
const firstMessageMs = 7_500;

/**
 * Asserts that the first message of a stream comes immediately (T1), allowing for the round trip of a few small unary calls
 * made at the same time. They use new connections like the stream, since a busy target may keep just these waiting. Networks
 * jitter and proxies buffer, so a late first message must be late twice, the second time next to a stream of the same wallet,
 * with messages of the same size, which are not held back.
 */
export async function firstMessageIsImmediate(context: CheckContext, request: WatchRequest): Promise<void> {
  const { address, updateIntervalMs } = request;
  const { subjects } = context;
  const unary = unaryEndpointNames.find((name) => !isAbsent(subjects, name)) ?? "GetAllPositions";
  const call = () => context.ask(unary, simpleRequest(unary, subjects), { newConnection: true });
  let roundTripsMs: readonly number[] = [];
  let attempts = 0;
  let other: Watched | undefined;
  const read = async () => {
    const beside = ++attempts > 1 ? quickStreamFor(context, address, firstMessageMs) : undefined;
    const [answer, ...calls] = await Promise.all([
      context.listen({ ...request }, { messages: 1, ms: firstMessageMs }),
      ...Array.from({ length: roundTrips }, call),
    ]);
    other = await beside;
    roundTripsMs = calls.map(({ exchange: { response, timings } }) =>
      response ? timings.headersMs - (timings.sentMs ?? 0) : firstMessageMs,
    );
    return answer;
  };
  const within = () => firstMessageWithin(updateIntervalMs, medianOf(roundTripsMs));
  const answer = await measured(read, (watched) => {
    if (within()(watched).violations.length === 0) return firstMessageDoubt(updateIntervalMs, roundTripsMs)(watched);
    return (
      firstMessageDoubt(updateIntervalMs, roundTripsMs)(watched) ??
      bufferingDoubt(other, streamIntervalMinMs)(watched) ??
      partDoubt(other)(watched) ??
      (attempts === 1 ? "it was late once" : undefined)
    );
  });
  context.verify(answer).satisfies(within());
}

/** A request for a wallet's stream at an interval. */
interface WatchRequest {
  readonly address: string;
  /** Milliseconds. */
  readonly updateIntervalMs: number;
}

/** How many unary calls measure the round trip in each attempt. */
const roundTrips = 3;

/** Makes the same assertion on several values in parallel. Waits for all of them, then throws the first failure. */
export async function sideBySide<T>(values: readonly T[], assert: (value: T) => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(values.map(assert));
  const stopped = outcomes.find((outcome) => outcome.status === "rejected");
  if (stopped) throw stopped.reason;
}
