import { BroadcastChannel } from "node:worker_threads";
import type { StreamUntil, Wire } from "../connect/transport.js";
import type { Progress } from "../report/progress.js";

/** What a worker tells of a stream: that it is watched, and that it is not any more. */
interface StreamNews {
  /** Unique in a run. */
  readonly stream: string;
  /** The check that watches it, and for about how many milliseconds; absent at the end. */
  readonly begins?: { readonly check: string; readonly ms: number };
}

/** Streams that are watched for fewer milliseconds are not told of. */
const SHORT_MS = 2_000;

/** A wire that tells on a channel which streams are watched over it, for those who show how a run goes on. */
export function tellingWire(wire: Wire, channel: string, worker: string): Wire {
  const news = new BroadcastChannel(channel);
  news.unref();
  let streams = 0;
  return {
    unary: (request, options) => wire.unary(request, options),
    async stream(request, options) {
      const ms = usualMs(options.until);
      if (ms < SHORT_MS) return wire.stream(request, options);
      const stream = `${worker}/${++streams}`;
      const check = options.id.replace(/#\d+$/, "");
      news.postMessage({ stream, begins: { check, ms } } satisfies StreamNews);
      try {
        return await wire.stream(request, options);
      } finally {
        news.postMessage({ stream } satisfies StreamNews);
      }
    },
    async close() {
      news.close();
      await wire.close();
    },
  };
}

/** For how many milliseconds a stream is watched, as far as that is known before. */
function usualMs(until: StreamUntil): number {
  return (typeof until === "function" ? until.usuallyMs : until.ms) ?? 0;
}

/**
 * Shows on a progress what workers tell on a channel.
 *
 * @returns ends it
 */
export function showWaits(channel: string, progress: Pick<Progress, "wait">): () => void {
  const news = new BroadcastChannel(channel);
  news.unref();
  const watched = new Map<string, () => void>();
  news.onmessage = (event) => {
    const { stream, begins } = (event as { readonly data: StreamNews }).data;
    watched.get(stream)?.();
    watched.delete(stream);
    if (begins) watched.set(stream, progress.wait({ what: "watching a stream", ...begins }));
  };
  return () => {
    news.close();
    for (const done of watched.values()) done();
  };
}
