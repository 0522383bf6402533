/** When a stream has been watched for long enough, and when it has to be watched again (T5, T7). */
import { setTimeout as sleep } from "node:timers/promises";
import type { StreamSeen, StreamUntil } from "../../src/connect/stream-body-reader.js";
import type { StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { sampleSize } from "../../src/engine/sample-size.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { gapsNeeded, trustedGaps } from "../../src/judge/cadence.js";
import type { Doubt } from "../../src/judge/watched-stream.js";
import { cadenceEvidence, openStreamEvidence, streamIntervalMinMs } from "../../src/specification/limits.js";
import type { Profile } from "../../src/specification/profile.js";

/** Maximum number of attempts at watching a stream, when what was seen cannot be trusted (T7). */
export const measurementsAtMost = 3;

/** How long to wait before retrying a stream that was refused, in milliseconds. Other streams end in the meantime. */
const refusalPauseMs = 2_000;

/**
 * Watches a stream, and retries when its connection broke (once), when the target refused it (how many concurrent streams it
 * serves is left open, §8), or when what was seen is in doubt (T7).
 *
 * @param read watches the stream; called with the attempt, from 0, up to {@link measurementsAtMost} times
 * @throws Inconclusive when no attempt gave a result that can be trusted
 */
export async function measureStream(
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

/** Whether the connection broke, before a stream began or while it was watched. */
export function brokeOff({ outcome }: StreamAnswer): boolean {
  if (outcome.kind === "failure") return outcome.failure === "reset";
  return outcome.kind === "success" && outcome.body.problem?.kind === "failure";
}

/**
 * Watches for 5 s (or `streamWatchMs` if that is longer) and until 20 messages came (T5). A slower stream gets a few seconds
 * more.
 */
export function longEnough(streamWatchMs: number): StreamUntil {
  const { windowMs, messages } = openStreamEvidence;
  const watchMs = Math.max(windowMs, streamWatchMs);
  const seen: StreamSeen = (frames, elapsedMs) =>
    elapsedMs >= watchMs && (frames.length >= messages || elapsedMs >= watchMs + 3_000);
  return Object.assign(seen, { usuallyMs: watchMs });
}

/**
 * Watches until fifty messages came at the shortest interval, or more where streams are watched for longer; a third of that
 * where each class of a field is only tried once. The timeout is long enough to tell silence from one late message.
 */
export function fiftyMessages({ streamWatchMs, strength }: Pick<CheckContext, "streamWatchMs" | "strength">) {
  const messages = sampleSize(50, { strength });
  return { messages: Math.max(messages, streamWatchMs / streamIntervalMinMs), ms: Math.max(9_000, streamWatchMs) };
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
 * Watches until the second message came, or failed to come within that time after the first one. A late first message does
 * not count.
 *
 * @param ms the wait for the second message, and also for the first one, in milliseconds
 */
export function secondMessageIn(ms: number): StreamUntil {
  const seen: StreamSeen = (frames, elapsedMs) => frames.length > 1 || elapsedMs - (frames[0]?.at ?? 0) >= ms;
  return Object.assign(seen, { usuallyMs: ms });
}
