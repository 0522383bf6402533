import type { Exchange } from "../connect/exchange.js";
import type { Subjects } from "../subjects/subjects.js";
import { viewOf } from "./answer-view.js";
import type { Fault } from "./fault.js";

/** An answer before and after a fault. */
export interface ChangedAnswer {
  readonly before: Exchange;
  readonly after: Exchange;
}

/** A fault in the answers of a run. An answer is changed when it is needed: most faults are noticed in the first ones. */
export class PlantedFault {
  readonly #after = new Map<Exchange, Exchange>();
  readonly #changes: ChangedAnswer[] = [];
  #searched = 0;

  /** @param judged the answers in which {@link changes} are looked for */
  constructor(
    readonly fault: Fault,
    private readonly judged: readonly Exchange[],
    private readonly subjects: Subjects,
  ) {}

  /** An exchange with the fault; the exchange itself if the fault does not change it. */
  readonly of = (exchange: Exchange): Exchange => {
    const known = this.#after.get(exchange);
    if (known) return known;
    const after = this.fault.plant(viewOf(exchange, this.subjects)) ?? exchange;
    this.#after.set(exchange, after);
    return after;
  };

  /** The answers that the fault changes: those found before, then further ones on demand. */
  *changes(): Generator<ChangedAnswer> {
    for (let index = 0; ; index++) {
      const changed = this.#changes[index] ?? this.#next();
      if (!changed) return;
      yield changed;
    }
  }

  #next(): ChangedAnswer | undefined {
    for (let before = this.judged[this.#searched]; before; before = this.judged[this.#searched]) {
      this.#searched++;
      const after = this.of(before);
      if (after === before) continue;
      const changed = { before, after };
      this.#changes.push(changed);
      return changed;
    }
    return undefined;
  }
}
