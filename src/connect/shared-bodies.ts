import { LRUCache } from "lru-cache";
import type { Endpoint } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { parseJson } from "./json.js";

/** The result of {@link parseJson}. */
type Parsed = Readonly<ReturnType<typeof parseJson>>;

/** A body that was received, perhaps several times. Its text is kept once and parsed on demand. */
export class SharedBody {
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
const memoMethod = ({ text }: SharedBody): Parsed => parseJson(text);
const ordinary = new LRUCache<SharedBody, Parsed>({
  maxSize: 32 * mebi,
  sizeCalculation: (_, { text }) => text.length + 1,
  memoMethod,
});
/** Two, since large bodies are compared in pairs. */
const large = new LRUCache<SharedBody, Parsed>({ max: 2, memoMethod });

const recentBodies = () =>
  new LRUCache<string, SharedBody>({
    maxSize: 8 * mebi,
    sizeCalculation: (_, { length }) => length + 1,
    memoMethod: (text) => new SharedBody(text),
  });

/** Recent bodies by operation. */
const latest = new Map<Endpoint, ReturnType<typeof recentBodies>>();

/**
 * The recent body of the operation with this text, or a new one. A target whose data does not change answers many requests
 * with the same body. Sharing it saves a good part of the memory of a run.
 */
export function sharedBody(endpoint: Endpoint, text: string): SharedBody {
  return getOrInsert(latest, endpoint, recentBodies).memo(text);
}
