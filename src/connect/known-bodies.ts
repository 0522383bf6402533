import type { Endpoint } from "../specification/endpoints.js";
import { type Json, parseJson } from "./json.js";

/** A body that came, perhaps several times: its text is kept once, and read once, when somebody asks for what it says. */
export class KnownBody {
  #parsed: ReturnType<typeof parseJson> | undefined;

  constructor(readonly text: string) {}

  /** What {@link parseJson} makes of the text. Shared by all answers with this body: never to be changed. */
  get parsed(): { readonly value: Json } | { readonly error: string } {
    this.#parsed ??= parseJson(this.text);
    return this.#parsed;
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
