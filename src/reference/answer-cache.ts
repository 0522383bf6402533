import { LRUCache } from "lru-cache";
import type { Endpoint } from "../specification/endpoints.js";
import { memoize } from "../specification/memoize.js";
import type { Dataset } from "./dataset/dataset.js";

/** A cached answer, with the effective parameters of its request. */
export interface CachedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly effective: Record<string, unknown>;
}

/** Maximum size of a cache, in characters. */
const maxCharacters = 64 * 1024 * 1024;

/**
 * The answer cache shared by all servers on this dataset. Only for servers with an unmodified service, since those give the
 * same answers.
 */
export const answerCache = memoize(
  (_: Dataset) =>
    new LRUCache<string, CachedAnswer>({ maxSize: maxCharacters, sizeCalculation: ({ text }) => text.length + 1 }),
);

/** Headers that identify the sender and do not affect the answer. */
const senderHeaders: readonly string[] = ["host", "user-agent", "x-conformance-check"];

/** Carries the deadline. A short one may pass or not, so such requests are not cached. */
const deadlineHeader = "connect-timeout-ms";

/** Shortest deadline, in milliseconds, that a service without delay always meets. */
const generousMs = 1_000;

/** The cache key of a request; undefined when the answer may differ next time. */
export function cacheKey(endpoint: Endpoint, headers: Headers, payload: Uint8Array): string | undefined {
  if (headers.has("content-encoding")) return undefined;
  const timeout = headers.get(deadlineHeader);
  if (timeout !== null && !(Number(timeout) >= generousMs)) return undefined;
  const lines = [...headers].filter(([name]) => !senderHeaders.includes(name));
  return `${endpoint} ${JSON.stringify(lines)} ${Buffer.from(payload).toString("latin1")}`;
}
