import { BroadcastChannel } from "node:worker_threads";
import { checkOf } from "../connect/exchange-id.js";
import type { StreamUntil } from "../connect/stream-body-reader.js";
import type { Transport } from "../connect/transport.js";
import type { Progress } from "../report/progress.js";

/** What a worker announces about a stream: that watching it begins or ends. */
interface StreamEvent {
  /** Unique in a run. */
  readonly stream: string;
  /** The check that watches it, and for about how many milliseconds; absent at the end. */
  readonly begins?: { readonly check: string; readonly ms: number };
}

/** Streams watched for less time than this, in milliseconds, are not announced. */
const shortMs = 2_000;

/** Wraps a transport to announce on a channel which streams are being watched, for the display of progress. */
export function announcingTransport(transport: Transport, name: string, worker: string): Transport {
  const channel = new BroadcastChannel(name);
  channel.unref();
  let streams = 0;
  return {
    unary: (request, options) => transport.unary(request, options),
    async stream(request, options) {
      const ms = usualMs(options.until);
      if (ms < shortMs) return transport.stream(request, options);
      const stream = `${worker}/${++streams}`;
      const check = checkOf(options);
      channel.postMessage({ stream, begins: { check, ms } } satisfies StreamEvent);
      try {
        return await transport.stream(request, options);
      } finally {
        channel.postMessage({ stream } satisfies StreamEvent);
      }
    },
    async close() {
      channel.close();
      await transport.close();
    },
  };
}

/** How long a stream will be watched, in milliseconds; 0 if not known in advance. */
function usualMs(until: StreamUntil): number {
  return (typeof until === "function" ? until.usuallyMs : until.ms) ?? 0;
}

/**
 * Shows on a progress display what workers announce on a channel.
 *
 * @returns a function that stops it
 */
export function showWaits(name: string, progress: Pick<Progress, "wait">): () => void {
  const channel = new BroadcastChannel(name);
  channel.unref();
  const watched = new Map<string, () => void>();
  channel.onmessage = (event) => {
    const { stream, begins } = (event as { readonly data: StreamEvent }).data;
    watched.get(stream)?.();
    watched.delete(stream);
    if (begins) watched.set(stream, progress.wait({ what: "watching a stream", ...begins }));
  };
  return () => {
    channel.close();
    for (const done of watched.values()) done();
  };
}
