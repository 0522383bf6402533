import { createHash } from "node:crypto";
import { stringify } from "../connect/json.js";
import type { AnswerOf } from "./answer.js";

/** What bracketed readings held (P3): whether the data stood still all the while. */
export class Moments {
  /** Digests of what was held, by what was asked. */
  readonly #states = new Map<string, Set<string>>();

  /** @param all those of everybody in this worker, these among them */
  constructor(private readonly all?: Moments) {}

  /** Takes down what an answer held, of what must not change. */
  note({ endpoint, request }: AnswerOf<unknown>, state: string): void {
    const digest = createHash("sha1").update(state).digest("base64");
    for (const moments of this.all ? [this, this.all] : [this]) {
      moments.#add(`${endpoint} ${stringify(request)}`, digest);
    }
  }

  /** Takes over what other readings held. */
  absorb(other: Moments): void {
    for (const [asked, states] of other.#states) for (const state of states) this.#add(asked, state);
  }

  /** True when something was bracketed at all. */
  get any(): boolean {
    return this.#states.size > 0;
  }

  /** True when the same was asked and something else was held. */
  get changed(): boolean {
    return [...this.#states.values()].some((states) => states.size > 1);
  }

  #add(asked: string, state: string): void {
    const states = this.#states.get(asked);
    if (states) states.add(state);
    else this.#states.set(asked, new Set([state]));
  }
}
