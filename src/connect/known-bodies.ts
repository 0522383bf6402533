import { LRUCache } from "lru-cache";
import type { Endpoint } from "../specification/endpoints.js";
import { parseJson } from "./json.js";

/** The result of {@link parseJson}. */
type Parsed = Readonly<ReturnType<typeof parseJson>>;

/** A body that was received, perhaps several times. Its text is kept once and parsed on demand. */
export class KnownBody {
  constructor(readonly text: string) {}

  /** The text parsed by {@link parseJson}. Shared by all responses with this body: do not mutate. */
  get parsed(): Parsed {
    return (this.text.length > largeLength ? large : ordinary).memo(this);
  }
}

const mebi = 1024 * 1024;

/** Bodies with more characters than this count as large. */
const largeLength = 2 * mebi;

// A parsed body takes many times the memory of its text, so only recently used ones are cached; others are parsed again.
// Weak references would not help: their targets live until the end of a task, which may go through all bodies of a run.
const memoMethod = ({ text }: KnownBody): Parsed => parseJson(text);
const ordinary = new LRUCache<KnownBody, Parsed>({
  maxSize: 32 * mebi,
  sizeCalculation: (_, { text }) => text.length + 1,
  memoMethod,
});
/** Two, since large bodies are compared in pairs. */
const large = new LRUCache<KnownBody, Parsed>({ max: 2, memoMethod });

/** Recent bodies by operation. */
const latest = new Map<Endpoint, LRUCache<string, KnownBody>>();

/**
 * The recent body of the operation with this text, or a new one. A target whose data does not change answers many requests
 * with the same body. Sharing it saves a good part of the memory of a run.
 */
export function knownBody(endpoint: Endpoint, text: string): KnownBody {
  const bodies =
    latest.get(endpoint) ??
    new LRUCache<string, KnownBody>({
      maxSize: 8 * mebi,
      sizeCalculation: (_, { length }) => length + 1,
      memoMethod: (one) => new KnownBody(one),
    });
  latest.set(endpoint, bodies);
  return bodies.memo(text);
}
