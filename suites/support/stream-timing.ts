/** Asserts when the messages of streams come (T1, T2, T3, T6). */
import {
  intervalsAboveRange,
  intervalsBelowRange,
  intervalsInRange,
  longIntervals,
  unsettledIntervals,
} from "../../src/arbitraries/intervals.js";
import { type JsonObjectInput, rawJson } from "../../src/connect/json.js";
import type { StreamUntil } from "../../src/connect/stream-body-reader.js";
import type { StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { askPlanned, explored, unexplored } from "../../src/engine/explored.js";
import { cadenceDoubt, medianGap, oneMessagePer } from "../../src/judge/cadence.js";
import { bufferingDoubt, partDoubt, silenceDoubt } from "../../src/judge/companion-stream.js";
import {
  firstMessageDoubt,
  firstMessageWithin,
  secondMessageWindow,
  secondMessageWithin,
} from "../../src/judge/first-messages.js";
import { type Doubt, medianOf, type StreamJudge, type Watched } from "../../src/judge/watched-stream.js";
import { unaryEndpointNames } from "../../src/specification/endpoints.js";
import { streamIntervalMinMs } from "../../src/specification/limits.js";
import { absentOperation } from "../../src/subjects/broken-operations.js";
import { simpleRequest } from "../../src/subjects/requests.js";
import { brokeOff, gapsOf, measureStream } from "./measuring.js";
import { slowStreamMs, untilSecondMessage, watchedAddress } from "./streams.js";

/**
 * Asserts that one message of a wallet's stream comes per interval (T2), on a measurement that can be trusted.
 *
 * @param fields what is asked for; the usual wallet's stream unless they have an address
 * @param accepted the effective interval, or several if any of them will do (T3), in milliseconds
 * @param watched a capture shared with other checks, used for the first attempt, and when enough was seen
 */
export async function keepsPace(
  context: CheckContext,
  fields: { readonly address?: string; readonly updateIntervalMs?: number },
  accepted: readonly [number, ...number[]],
  watched: { readonly first?: () => Promise<StreamAnswer>; readonly until?: StreamUntil } = {},
): Promise<StreamAnswer> {
  const { first, until = gapsOf(Math.max(...accepted), context.profile) } = watched;
  const { listen, verify } = context;
  const request = { address: watchedAddress(context), ...fields };
  const answer = await measureStream(
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
    const { outcome } = answer;
    if (!timing || outcome.kind !== "success" || brokeOff(answer)) return [];
    const isSound = timing.doubt(outcome.body) === undefined && timing.judge(outcome.body).violations.length === 0;
    return [{ ...timing, planned, answer, isSound }];
  });
  context.required(found[0], unexplored(context, "with messages"));
  const suspects = found.filter(({ isSound }) => !isSound).slice(0, watchedAgain);
  for (const { answer, judge, isSound } of found) if (isSound) context.verify(answer).satisfies(judge);
  for (const { planned, judge, doubt } of suspects) {
    const again = () => askPlanned(context, "GetOpenPositionsStreaming", planned);
    context.verify(await measureStream(again, doubt)).satisfies(judge);
  }
}

/** Asserts on streams at intervals within the range, side by side, that one message comes per interval. */
export function keepsPaceInRange(context: CheckContext): Promise<void> {
  return sideBySide(intervalsInRange(context.profile, context.seed), (updateIntervalMs) =>
    keepsPace(context, { updateIntervalMs }, [updateIntervalMs]),
  );
}

/** Asserts on streams at intervals below the range, side by side, that one message comes per least interval. */
export function keepsPaceBelowRange(context: CheckContext): Promise<void> {
  return sideBySide(intervalsBelowRange(context.seed), (updateIntervalMs) =>
    keepsPace(context, { updateIntervalMs }, [streamIntervalMinMs]),
  );
}

/** Asserts on streams at long intervals, side by side, that the second message comes when due, as far as they are watched. */
export function secondMessagesAreDue(context: CheckContext): Promise<void> {
  return secondMessages(context, longIntervals(context.runSeed), slowStreamMs);
}

/** Like {@link secondMessagesAreDue}, at intervals above the range: they mean a minute. */
export function secondMessagesAfterAMinute(context: CheckContext, watchMs: number): Promise<void> {
  return secondMessages(context, intervalsAboveRange(context.seed), watchMs);
}

function secondMessages(context: CheckContext, intervalsMs: readonly number[], watchMs: number): Promise<void> {
  return sideBySide(intervalsMs, async (updateIntervalMs) => {
    const judge = secondMessageWithin(secondMessageWindow(updateIntervalMs));
    context.verify(await untilSecondMessage(context, updateIntervalMs, watchMs)).satisfies(judge);
  });
}

/** Records how often messages come at intervals whose meaning is left open (T3). */
export function recordUnsettledPace(context: CheckContext): Promise<void> {
  return sideBySide(unsettledIntervals, async (interval) => {
    const request = { address: watchedAddress(context), updateIntervalMs: rawJson(interval) };
    context.record(interval, await context.listen(request, { messages: 8, ms: 1_200 }), paceInWords);
  });
}

function paceInWords(watched: Watched): string {
  const median = medianGap(watched);
  if (median !== undefined) return `a message every ${Math.round(median)} ms`;
  return `${watched.messages.length === 0 ? "no" : "one"} message in the time it was watched`;
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
  let companion: Watched | undefined;
  const read = async () => {
    const usual = quickStreamFor(context, watchedAddress(context), until.ms);
    const answer = await context.listen(request, until);
    companion = await usual;
    return answer;
  };
  return measureStream(
    read,
    (watched) =>
      doubt(watched) ??
      silenceDoubt(companion)(watched) ??
      (watched.messages.length === 0 ? bufferingDoubt(companion, streamIntervalMinMs)(watched) : undefined),
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
export async function firstMessageIsImmediate(
  context: CheckContext,
  request: { readonly address: string; readonly updateIntervalMs: number },
): Promise<void> {
  const { address, updateIntervalMs } = request;
  const { subjects } = context;
  const unary = unaryEndpointNames.find((name) => !absentOperation(subjects, name)) ?? "GetAllPositions";
  const call = () => context.ask(unary, simpleRequest(unary, subjects), { newConnection: true });
  let roundTripsMs: readonly number[] = [];
  let attempts = 0;
  let companion: Watched | undefined;
  const read = async () => {
    const beside = ++attempts > 1 ? quickStreamFor(context, address, firstMessageMs) : undefined;
    const [answer, ...calls] = await Promise.all([
      context.listen({ ...request }, { messages: 1, ms: firstMessageMs }),
      ...Array.from({ length: roundTrips }, call),
    ]);
    companion = await beside;
    roundTripsMs = calls.map(({ exchange: { response, timings } }) =>
      response ? timings.headersMs - (timings.sentMs ?? 0) : firstMessageMs,
    );
    return answer;
  };
  const within = () => firstMessageWithin(updateIntervalMs, medianOf(roundTripsMs));
  const answer = await measureStream(read, (watched) => {
    const doubt = firstMessageDoubt(updateIntervalMs, roundTripsMs)(watched);
    if (doubt !== undefined || within()(watched).violations.length === 0) return doubt;
    return (
      bufferingDoubt(companion, streamIntervalMinMs)(watched) ??
      partDoubt(companion)(watched) ??
      (attempts === 1 ? "it was late once" : undefined)
    );
  });
  context.verify(answer).satisfies(within());
}

/** How many unary calls measure the round trip in each attempt. */
const roundTrips = 3;

/** Makes the same assertion on several values in parallel. Waits for all of them, then throws the first failure. */
export async function sideBySide<T>(values: readonly T[], assert: (value: T) => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(values.map(assert));
  const stopped = outcomes.find((outcome) => outcome.status === "rejected");
  if (stopped) throw stopped.reason;
}
