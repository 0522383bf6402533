import { LRUCache } from "lru-cache";
import type { Endpoint } from "../specification/endpoints.js";
import type { Dataset } from "./dataset/dataset.js";

/** What the service answered to a request, and what it made of the request on the way. */
export interface KnownAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly effective: Record<string, unknown>;
}

/** Characters of answers that are kept. */
const KEPT = 64 * 1024 * 1024;

const known = new WeakMap<Dataset, LRUCache<string, KnownAnswer>>();

/** What servers with these data have answered: servers whose service is the reference's own give the same answers. */
export function knownAnswers(data: Dataset): LRUCache<string, KnownAnswer> {
  const before = known.get(data);
  if (before) return before;
  const answers = new LRUCache<string, KnownAnswer>({ maxSize: KEPT, sizeCalculation: ({ text }) => text.length + 1 });
  known.set(data, answers);
  return answers;
}

/** Headers that say who asks, and nothing about the answer. */
const ofSender: readonly string[] = ["host", "user-agent", "x-conformance-check"];

/** A deadline may pass, or not, whenever the same is asked. */
const deadline = "connect-timeout-ms";

/** Deadlines in milliseconds that no service without delay misses. */
const GENEROUS_MS = 1_000;

/** What tells a request from others; undefined when its answer may be another one the next time. */
export function keyOf(endpoint: Endpoint, headers: Headers, payload: Uint8Array): string | undefined {
  if (headers.has("content-encoding")) return undefined;
  const timeout = headers.get(deadline);
  if (timeout !== null && !(Number(timeout) >= GENEROUS_MS)) return undefined;
  const lines = [...headers].filter(([name]) => !ofSender.includes(name));
  return `${endpoint} ${JSON.stringify(lines)} ${Buffer.from(payload).toString("latin1")}`;
}
