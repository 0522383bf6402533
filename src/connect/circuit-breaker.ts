import type { Endpoint } from "../specification/endpoints.js";
import type { Failure } from "./exchange.js";

/** An operation that does not bring an answer to its end so many times in a row is given up. */
const inARow = 4;

/** So many times in a row, on as many operations as this, and it is the whole target. */
const ofTheTarget = { inARow: 6, operations: 3 } as const;

/**
 * How often one is tried alone before the others are refused. A target that is busy with others may leave all of our
 * connections waiting for longer than one time limit, and answer later.
 */
const triesAlone = { operation: 1, target: 3 } as const;

/** What one request came to, as far as the circuit breaker is concerned. */
export interface Ending {
  readonly failure?: Failure | undefined;
  /** The target has sent something. */
  readonly heard: boolean;
  /** How it asked for fewer requests, in answer to the last of all attempts: none of them brought anything. */
  readonly plea?: string;
  /** How long it took, in milliseconds. */
  readonly totalMs: number;
}

/** A request that may be sent. */
export interface Admitted {
  /** Tells what it came to: to be called once, whatever happens; without an ending when it was not sent after all. */
  readonly learn: (ending?: Ending) => void;
}

/**
 * Tells whether it is worth asking. A target that hangs would otherwise cost one time limit for each request of a run. After
 * several requests in a row that ended in exhaustion one more is made alone, while the others wait; when that fails as
 * well, the operation is refused for a while, and then tried once again. So is the whole target, after three tries.
 */
export class CircuitBreaker {
  readonly #operations = new Map<Endpoint, Breaker>();
  readonly #target: Breaker;
  readonly #timeoutMs: number;
  /** Operations that were exhausting since the target was last heard. */
  readonly #silent = new Set<Endpoint>();

  /** @param timeoutMs the time limit of a request; a refusal lasts as long */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#target = new Breaker("the target", timeoutMs, ofTheTarget.inARow, triesAlone.target);
  }

  /** Resolves when a request may be sent, or gives the failure that it has without being sent. */
  async admit(endpoint: Endpoint): Promise<Admitted | Failure> {
    const breaker = this.#breakerOf(endpoint);
    const byOperation = await breaker.admit();
    if (typeof byOperation !== "boolean") return byOperation;
    const byTarget = await this.#target.admit();
    if (typeof byTarget !== "boolean") {
      breaker.end(byOperation);
      return byTarget;
    }
    return {
      learn: (ending) => {
        if (ending !== undefined) this.#learn(endpoint, ending, byOperation, byTarget);
        breaker.end(byOperation);
        this.#target.end(byTarget);
      },
    };
  }

  /** Why nothing more is asked of an operation now, if so. */
  refusal(endpoint: Endpoint): Failure | undefined {
    return this.#breakerOf(endpoint).refusal() ?? this.#target.refusal();
  }

  #learn(endpoint: Endpoint, ending: Ending, alone: boolean, aloneOnTarget: boolean): void {
    const { failure, heard, plea } = ending;
    if (failure?.kind === "aborted") return;
    const exhausting =
      plea !== undefined
        ? askedForFewer(plea)
        : failure !== undefined && this.#isExhausting(failure, ending)
          ? failure
          : undefined;
    const breaker = this.#breakerOf(endpoint);
    if (exhausting === undefined) breaker.reset();
    // What the whole target does not answer says nothing about one operation.
    else breaker.fail(exhausting, alone && !this.#target.isTripped);

    if ((heard && plea === undefined) || exhausting === undefined) {
      this.#silent.clear();
      this.#target.reset();
    } else {
      this.#silent.add(endpoint);
      const isTheTarget = exhausting.kind === "unreachable" || this.#silent.size >= ofTheTarget.operations;
      this.#target.fail(exhausting, aloneOnTarget, isTheTarget);
    }
  }

  /** What takes long or much, and would again. A connection that is refused or reset at once costs nothing. */
  #isExhausting({ kind }: Failure, { totalMs }: Ending): boolean {
    if (kind === "timeout" || kind === "too-large") return true;
    return kind === "unreachable" && totalMs >= this.#timeoutMs / 2;
  }

  #breakerOf(endpoint: Endpoint): Breaker {
    const breaker =
      this.#operations.get(endpoint) ?? new Breaker(endpoint, this.#timeoutMs, inARow, triesAlone.operation);
    this.#operations.set(endpoint, breaker);
    return breaker;
  }
}

/** What it is called when a target asked for fewer requests, however long it was waited. */
function askedForFewer(plea: string): Failure {
  const remedy = "a lower --rate or --concurrency may settle it";
  return { kind: "given-up", message: `it went on asking for fewer requests (${plea}); ${remedy}` };
}

/** Lets requests through until too many in a row have failed; then one at a time, or none for a while. */
class Breaker {
  readonly #name: string;
  readonly #pauseMs: number;
  readonly #limit: number;
  readonly #tries: number;
  #failures = 0;
  #failuresAlone = 0;
  #reason = "";
  #tripped = false;
  #refusingUntil = 0;
  /** The one request that is made alone, and how those that wait for it go on. */
  #alone: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  /**
   * @param pauseMs how long a refusal lasts
   * @param limit how many failures in a row trip it
   * @param tries how many requests are then made alone before there is a refusal
   */
  constructor(name: string, pauseMs: number, limit: number, tries: number) {
    this.#name = name;
    this.#pauseMs = pauseMs;
    this.#limit = limit;
    this.#tries = tries;
  }

  /** True when requests are made one at a time, or not at all. */
  get isTripped(): boolean {
    return this.#tripped;
  }

  /** Resolves when a request may be sent: true when it is made alone. */
  async admit(): Promise<boolean | Failure> {
    while (this.#tripped) {
      const refusal = this.refusal();
      if (refusal !== undefined) return refusal;
      if (this.#alone === undefined) {
        let end: () => void = () => {};
        const over = new Promise<void>((resolve) => {
          end = resolve;
        });
        this.#alone = { over, end };
        return true;
      }
      await this.#alone.over;
    }
    return false;
  }

  /** A request is over: when it was made alone, those that wait for it go on. */
  end(alone: boolean): void {
    if (!alone) return;
    this.#alone?.end();
    this.#alone = undefined;
  }

  reset(): void {
    this.#failures = 0;
    this.#failuresAlone = 0;
    this.#tripped = false;
    this.#refusingUntil = 0;
  }

  /** @param mayTrip whether the failures are such that the breaker may trip */
  fail({ message }: Failure, alone: boolean, mayTrip = true): void {
    this.#failures++;
    this.#reason = message;
    if (alone) this.#failuresAlone++;
    if (alone && this.#failuresAlone >= this.#tries) this.#refusingUntil = performance.now() + this.#pauseMs;
    this.#tripped ||= mayTrip && this.#failures >= this.#limit;
  }

  /** Why nothing is let through now, if so. */
  refusal(): Failure | undefined {
    if (performance.now() >= this.#refusingUntil) return undefined;
    const times = `${this.#failures} times in a row`;
    return { kind: "given-up", message: `not sent, since ${this.#name} had failed ${times}: ${this.#reason}` };
  }
}
