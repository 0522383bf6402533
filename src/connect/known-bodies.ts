import type { Endpoint } from "../specification/endpoints.js";
import { parseJson } from "./json.js";

/** What {@link parseJson} makes of a text. */
type Parsed = Readonly<ReturnType<typeof parseJson>>;

/** A body that came, perhaps several times: its text is kept once, and read when somebody asks for what it says. */
export class KnownBody {
  constructor(readonly text: string) {}

  /**
   * What {@link parseJson} makes of the text. Shared by all answers with this body: never to be changed. It takes many times the
   * memory of the text: it is kept while it is in use, and read again later.
   */
  get parsed(): Parsed {
    const parsed = inUse.get(this) ?? parseJson(this.text);
    keepInUse(this, parsed);
    return parsed;
  }
}

/** How many characters of bodies are kept as they were read, of those that were used last. */
const IN_USE = 8 * 1024 * 1024;

// No weak references: what they refer to stays until the end of a task, which may go through all bodies of a run.
const inUse = new Map<KnownBody, Parsed>();
let charactersInUse = 0;

function keepInUse(body: KnownBody, parsed: Parsed): void {
  if (!inUse.delete(body)) charactersInUse += body.text.length;
  inUse.set(body, parsed);
  for (const [oldest] of inUse) {
    if (charactersInUse <= IN_USE || oldest === body) break;
    inUse.delete(oldest);
    charactersInUse -= oldest.text.length;
  }
}

/** How many characters of bodies are remembered for each operation. */
const REMEMBERED = 8 * 1024 * 1024;

/** The bodies that an operation brought lately, the latest last. */
class LatestBodies {
  readonly #bodies = new Map<string, KnownBody>();
  #characters = 0;

  find(text: string): KnownBody {
    const body = this.#bodies.get(text) ?? new KnownBody(text);
    if (this.#bodies.delete(text)) this.#characters -= text.length;
    this.#bodies.set(body.text, body);
    this.#characters += text.length;
    for (const [oldest] of this.#bodies) {
      if (this.#characters <= REMEMBERED) break;
      this.#bodies.delete(oldest);
      this.#characters -= oldest.length;
    }
    return body;
  }
}

const latest = new Map<Endpoint, LatestBodies>();

/**
 * The body with this text that the operation brought lately, or else a new one. A target whose data rests answers many
 * requests with the same: what is held of them is then the same too, which saves a good part of the memory of a run.
 */
export function knownBody(endpoint: Endpoint, text: string): KnownBody {
  const bodies = latest.get(endpoint) ?? new LatestBodies();
  latest.set(endpoint, bodies);
  return bodies.find(text);
}
