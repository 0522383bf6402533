/** Judges what the messages of a stream hold: snapshots of a wallet's open positions (§4.2, T4, T6). */
import type { StreamFrame } from "../connect/exchange.js";
import type { JsonObject } from "../connect/json.js";
import type { StreamProblem } from "../connect/outcome.js";
import { cacheAgeMs, changeShownWithinMs } from "../specification/limits.js";
import { millisOf, parseInstant } from "./instant.js";
import {
  combine,
  countOf,
  failed,
  type Judgement,
  judgeEach,
  judgeThat,
  lackingIt,
  nothingSeen,
  type Violation,
} from "./judgement.js";
import type { Snapshots } from "./located-rows.js";
import { type PositionView, portfolioOf, positionsOf } from "./read.js";
import { positionKey } from "./read-stored.js";
import { type Arrival, endInWords, type Watched } from "./watched-stream.js";

/** The messages of a stream, and when they came. */
export interface WatchedMessages extends Omit<Watched, "messages"> {
  readonly messages: readonly (Arrival & { readonly body: JsonObject })[];
  /** What was wrong at the level of the stream, if anything: framing, compression, a message that is not a JSON object. */
  readonly problem?: StreamProblem;
}

/**
 * Every message is a full snapshot of the wallet's positions (T4). A position that an earlier and a later message list is
 * open in between, unless an event was applied to it meanwhile, so the messages in between list it too. Several streams of
 * one wallet form one sequence, in the order in which they were read; a violation says which stream it is in.
 *
 * Messages may come from replicas that are a moment apart (P3): they need not agree right after a position was opened, or
 * right before it is closed. Another rule covers positions of other wallets.
 *
 * @param sentAt when a stream that is judged by itself was requested, in milliseconds since 1970. A position may have been
 * opened just before it began, or closed just before it ended
 */
export function fullSnapshots(address: string, sentAt?: number): (...streams: readonly Snapshots[]) => Judgement {
  return (...streams) =>
    stayListed(
      streams.flatMap((stream, answer) => snapshotsOf(stream, answer, address)),
      sentAt,
    );
}

/** Like {@link fullSnapshots}, for one stream and two others of its wallet, watched long enough before and after it (P3). */
export function fullBetween(address: string): (stream: Snapshots, before: Snapshots, after: Snapshots) => Judgement {
  return (stream, before, after) => stayListed(between(before, snapshotsOf(stream, 0, address), after, address));
}

/**
 * A portfolio lists the positions that streams of its wallet list before and after it was read (§4.5, R14): they are open
 * in between. Another rule covers what is missing from a message.
 */
export function fullPortfolio(
  address: string,
): (portfolio: JsonObject, before: Snapshots, after: Snapshots) => Judgement {
  return (portfolio, before, after) => {
    const positions = portfolioOf(portfolio)?.positions ?? [];
    const snapshot = { answer: 0, at: Number.NaN, path: "portfolio.positions", listed: listedIn(positions, address) };
    const judgement = stayListed(between(before, [snapshot], after, address));
    return { ...judgement, violations: judgement.violations.filter(({ answer }) => answer === snapshot.answer) };
  };
}

/** The snapshots of an answer, between those of the streams before and after it. The answer is the first of the three. */
function between(
  before: Snapshots,
  snapshots: readonly Snapshot[],
  after: Snapshots,
  address: string,
): readonly Snapshot[] {
  return [...snapshotsOf(settled(before), 1, address), ...snapshots, ...snapshotsOf(after, 2, address)];
}

/** The messages of a stream that are old enough at its end for every replica to know what they list (P3). */
function settled({ messages }: Snapshots): Snapshots {
  const end = messages.at(-1)?.at ?? Number.NaN;
  return { messages: messages.filter(({ at = Number.NaN }) => end - at >= cacheAgeMs) };
}

/** The positions that an answer lists at one time. */
interface Snapshot {
  readonly answer: number;
  /** Milliseconds since its answer was requested; NaN for an answer with just one snapshot. */
  readonly at: number;
  readonly path: string;
  /** By identity, the time of the latest event that was applied to each. */
  readonly listed: ReadonlyMap<string, string>;
}

function snapshotsOf({ messages }: Snapshots, answer: number, address: string): readonly Snapshot[] {
  return messages.map(({ body, at = Number.NaN }, index) => ({
    answer,
    at,
    path: `messages[${index}].positions`,
    listed: listedIn(positionsOf(body), address),
  }));
}

function listedIn(positions: readonly PositionView[], address: string): ReadonlyMap<string, string> {
  const ofWallet = positions.filter(isOwnedBy(address));
  return new Map(ofWallet.map((position) => [positionKey(position), position.timestamp.text]));
}

/** Between two messages that list a position, all others list it as well. `sentAt` as for {@link fullSnapshots}. */
function stayListed(snapshots: readonly Snapshot[], sentAt?: number): Judgement {
  const everListed = new Set(snapshots.flatMap(({ listed }) => [...listed.keys()]));
  const judgements = [...everListed].map((key) => {
    const lists = ({ listed }: Snapshot) => listed.has(key);
    const first = snapshots.findIndex(lists);
    const last = snapshots.findLastIndex(lists);
    const lastEvent = parseInstant(snapshots[first]?.listed.get(key) ?? "");
    const isNew = first > 0 || (lastEvent && sentAt && millisOf(lastEvent) > sentAt - changeShownWithinMs);
    const changes = [isNew ? snapshots[first] : undefined, snapshots[last + 1] && snapshots[last]];
    const mayClose = sentAt !== undefined && last === snapshots.length - 1;
    const isNearChange = ({ answer, at }: Snapshot) =>
      changes.some((change) => change?.answer === answer && Math.abs(change.at - at) <= changeShownWithinMs) ||
      (mayClose && (snapshots[last]?.at ?? 0) - at <= cacheAgeMs);
    /** Whether an event came between the messages around a gap: the position may have been closed and opened again. */
    const isReopened = (at: number) => {
      const [before, after] = [snapshots.slice(0, at).findLast(lists), snapshots.slice(at).find(lists)];
      return before?.listed.get(key) !== after?.listed.get(key);
    };
    return judgeEach(snapshots.slice(first + 1, last), (snapshot, index): Violation | undefined => {
      const { answer, path, listed } = snapshot;
      if (listed.has(key) || isNearChange(snapshot) || isReopened(first + 1 + index)) return undefined;
      const expected = `position ${key}, which messages before and after list`;
      return { answer, path, expected, seen: lackingIt(listed.size, "position") };
    });
  });
  return combine(judgements, "three messages with an open position");
}

/** Every position of every message belongs to the requested wallet (R13). The rules on `owner` cover its case. */
export function positionsOwnedBy(address: string): (stream: Snapshots) => Judgement {
  const owned = isOwnedBy(address);
  return eachPosition((position) => {
    if (owned(position)) return undefined;
    const { owner } = position;
    return { field: "owner", expected: `${address} (the requested wallet)`, seen: owner === "" ? "nothing" : owner };
  });
}

/** Whether a row belongs to the wallet; ignores case. */
export function isOwnedBy(address: string): (row: { readonly owner: string }) => boolean {
  const wanted = address.toLowerCase();
  return ({ owner }) => owner.toLowerCase() === wanted;
}

/** Every position of every message refers to its orders (§4.2): at least to the one that opened it. */
export const orderReferences: (stream: Snapshots) => Judgement = eachPosition(({ associatedOrderIds }) =>
  associatedOrderIds.length > 0
    ? undefined
    : { field: "associatedOrderIds", expected: "at least one order reference", seen: "none" },
);

/** The stream of an unknown wallet (T6) is open and sends messages, none of which has a position. */
export function emptySnapshots(stream: WatchedMessages): Judgement {
  const empty = judgeEach(stream.messages, ({ body }, index): Violation | undefined => {
    const rows = positionsOf(body).length;
    if (rows === 0) return undefined;
    return { path: `messages[${index}].positions`, expected: "no positions", seen: countOf(rows, "position") };
  });
  return combine([empty, openWithMessages(stream)]);
}

/**
 * Like {@link emptySnapshots}, for a wallet whose positions are all closed according to other answers (T6). If messages
 * do list positions of the wallet, it has open ones, and the stream is not judged.
 */
export function emptySnapshotsUnlessOpened(address: string): (stream: WatchedMessages) => Judgement {
  return (stream) => {
    const rows = stream.messages.flatMap(({ body }) => positionsOf(body));
    const opened = rows.some(isOwnedBy(address));
    return opened ? nothingSeen("a wallet that stays without open positions") : emptySnapshots(stream);
  };
}

function openWithMessages(stream: WatchedMessages): Judgement {
  // A stream that is not valid Connect breaks another rule (§6).
  if (stream.problem) return nothingSeen(`a stream that can be read: ${stream.problem.message}`);
  const expected = "an open stream with messages whose `positions` is empty";
  const isOpen = stream.ended === "by-us" && stream.messages.length > 0;
  return judgeThat(isOpen, { path: "", expected, seen: endInWords(stream) });
}

/** The flags that Connect defines: compressed, and end of stream. */
const knownFlags = 0b11;

/**
 * The stream is a sequence of well-formed envelopes, each with one JSON object (§6, W9).
 *
 * @param frames the envelopes as received
 */
export function wellFormedEnvelopes(
  frames: readonly StreamFrame[],
): (stream: { problem?: StreamProblem }) => Judgement {
  return ({ problem }) => {
    const flags = judgeEach(frames, ({ flags }, index): Violation | undefined =>
      (flags & ~knownFlags) === 0
        ? undefined
        : { path: `frames[${index}].flags`, expected: "no flags but those of Connect, 1 and 2", seen: String(flags) },
    );
    if (problem === undefined || problem.kind === "failure") return { ...flags, missing: "a message" };
    const place = "frame" in problem ? `frames[${problem.frame}]` : "frames";
    const fault = { path: place, expected: "a sequence of Connect envelopes with JSON objects", seen: problem.message };
    return combine([flags, failed(fault)]);
  };
}

function eachPosition(
  test: (position: PositionView) => { field: string; expected: string; seen: string } | undefined,
): (stream: Snapshots) => Judgement {
  return ({ messages }) => {
    const judgements = messages.map(({ body }, message) =>
      judgeEach(positionsOf(body), (position, row): Violation | undefined => {
        const fault = test(position);
        if (!fault) return undefined;
        const { field, expected, seen } = fault;
        return { path: `messages[${message}].positions[${row}].${field}`, expected, seen };
      }),
    );
    return combine(judgements, "a message with an open position");
  };
}
