import { LRUCache } from "lru-cache";
import type { Endpoint } from "../specification/endpoints.js";
import { parseJson } from "./json.js";

/** What {@link parseJson} makes of a text. */
type Parsed = Readonly<ReturnType<typeof parseJson>>;

/** A body that came, perhaps several times: its text is kept once, and read when somebody asks for what it says. */
export class KnownBody {
  constructor(readonly text: string) {}

  /** What {@link parseJson} makes of the text. Shared by all answers with this body: never to be changed. */
  get parsed(): Parsed {
    return (this.text.length > LARGE ? large : ordinary).memo(this);
  }
}

const mebi = 1024 * 1024;

/** Bodies with more characters are large. */
const LARGE = 2 * mebi;

// What is read of a body takes many times the memory of its text: it is kept while it is in use, and read again later. No weak
// references: what they refer to stays until the end of a task, which may go through all bodies of a run.
const memoMethod = ({ text }: KnownBody): Parsed => parseJson(text);
const ordinary = new LRUCache<KnownBody, Parsed>({
  maxSize: 32 * mebi,
  sizeCalculation: (_, { text }) => text.length + 1,
  memoMethod,
});
/** Two of them are compared with each other. */
const large = new LRUCache<KnownBody, Parsed>({ max: 2, memoMethod });

/** The bodies that each operation brought lately. */
const latest = new Map<Endpoint, LRUCache<string, KnownBody>>();

/**
 * The body with this text that the operation brought lately, or else a new one. A target whose data rests answers many
 * requests with the same: what is held of them is then the same too, which saves a good part of the memory of a run.
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
