/** Doubts what was seen of a stream because of another one that was opened at the same time (T7). */
import { cameInBurst, type Doubt, gapsBetween, type Watched } from "./watched-stream.js";

/**
 * Doubts a stream without messages if another stream, opened at the same time, was late or silent too: then something
 * held up both.
 *
 * @param companion the stream of a wallet for which the target is known to send messages
 */
export function silenceDoubt(companion: Watched | undefined): Doubt {
  return ({ messages, ended, windowMs }) => {
    if (messages.length > 0 || ended !== "by-us") return undefined;
    const isPrompt = companion?.messages[0] !== undefined && companion.messages[0].at <= windowMs / 2;
    return isPrompt ? undefined : "a stream of another wallet was silent as well";
  };
}

/**
 * Doubts a stream if several messages of another one came together after a pause: whatever collects those, such as a
 * buffering proxy, holds back the messages of this stream as well.
 *
 * @param companion a stream with this interval, opened at the same time
 */
export function bufferingDoubt(companion: Watched | undefined, intervalMs: number): Doubt {
  const messages = companion?.messages ?? [];
  const gaps = gapsBetween(messages).map(({ ms }) => ms);
  const longest = Math.max(messages[0]?.at ?? 0, ...gaps);
  const cameTogether = gaps.filter((ms) => ms < togetherShare * intervalMs).length;
  const areGathered = cameTogether >= togetherAtLeast && longest >= gatheredIntervals * intervalMs;
  return () => (areGathered ? cameInBurst(longest, "those of another stream") : undefined);
}

/**
 * Doubts a stream whose last message arrived only in part, while those of another one arrived whole: something on the path,
 * such as a buffering proxy, holds the rest back until more follows.
 *
 * @param companion a stream of the same wallet at a short interval, opened at the same time
 */
export function partDoubt(companion: Watched | undefined): Doubt {
  return ({ endsWithinMessage = false }) =>
    endsWithinMessage && (companion?.messages.length ?? 0) > 0
      ? "only a part of a message arrived, and the rest was held back until more followed"
      : undefined;
}

/** Two messages came together if the gap between them is below this share of the interval. */
const togetherShare = 0.25;

/** A buffer slightly larger than a message releases messages in pairs, after pauses of at least this many intervals. */
const gatheredIntervals = 1.5;

/** How often messages must have come together to show a buffer rather than jitter. */
const togetherAtLeast = 2;
