import { createHash } from "node:crypto";
import { stringify } from "../connect/json.js";
import type { AnswerOf } from "./answer.js";

/** What the bracketed readings of a target held (P3): whether its data stands still. */
export class Moments {
  /** A digest of what was held first, by what was asked. */
  readonly #digests = new Map<string, string>();
  #changed = false;

  /** Takes down what an answer held, of what must not change. */
  note({ endpoint, request }: AnswerOf<unknown>, state: string): void {
    const asked = `${endpoint} ${stringify(request)}`;
    const digest = createHash("sha1").update(state).digest("base64");
    const first = this.#digests.get(asked);
    if (first === undefined) this.#digests.set(asked, digest);
    else if (first !== digest) this.#changed = true;
  }

  /** True when the same was asked and something else was held. */
  get changed(): boolean {
    return this.#changed;
  }
}
