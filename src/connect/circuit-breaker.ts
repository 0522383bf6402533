import type { Endpoint } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import type { Exchange, ExchangeFailure } from "./exchange.js";

/** Consecutive failures after which an operation is given up. */
const operationThreshold = 4;

/** Consecutive failures, and the number of operations they must cover, after which the whole target is given up. */
const targetThreshold = { failures: 6, operations: 3 } as const;

/**
 * How many requests are tried alone before further ones are refused. A target busy with other clients may leave all our
 * connections waiting past one timeout and still answer later.
 */
const probesBeforeGivingUp = { operation: 1, target: 3 } as const;

/** The outcome of one request, as far as the circuit breaker is concerned. */
export interface RequestOutcome {
  readonly failure?: ExchangeFailure | undefined;
  /** Whether the target sent anything. */
  readonly heard: boolean;
  /** How the target asked for fewer requests, when every attempt up to the last retry was throttled. */
  readonly throttling?: string;
  /** How long it took, in milliseconds. */
  readonly totalMs: number;
}

/** Reports the outcome of an admitted request, exactly once; without one when the request was not sent after all. */
export type ReportOutcome = (outcome?: RequestOutcome) => void;

/**
 * Decides whether a request is worth sending. Without it, a target that hangs would cost one timeout per request of a run.
 * After several costly failures in a row, one request is made alone while the others wait. When that fails too, the
 * operation is refused for a while and then tried again. The same goes for the whole target, after three tries alone.
 */
export class CircuitBreaker {
  readonly #operations = new Map<Endpoint, Breaker>();
  readonly #target: Breaker;
  /** Operations that failed in a costly way since the target last sent anything. */
  readonly #silent = new Set<Endpoint>();

  /** @param timeoutMs timeout of a request; a refusal lasts as long */
  constructor(private readonly timeoutMs: number) {
    this.#target = new Breaker("the target", timeoutMs, targetThreshold.failures, probesBeforeGivingUp.target);
  }

  /** Resolves when a request may be sent, or with the failure to report instead of sending it. */
  async admit(endpoint: Endpoint): Promise<ReportOutcome | ExchangeFailure> {
    const breaker = this.#breakerOf(endpoint);
    const byOperation = await breaker.admit();
    if (typeof byOperation !== "boolean") return byOperation;
    const byTarget = await this.#target.admit();
    if (typeof byTarget !== "boolean") {
      breaker.end(byOperation);
      return byTarget;
    }
    return (outcome) => {
      if (outcome !== undefined) this.#learn(endpoint, outcome, byOperation, byTarget);
      breaker.end(byOperation);
      this.#target.end(byTarget);
    };
  }

  /** Why requests to an operation are currently refused; undefined when they are not. */
  refusal(endpoint: Endpoint): ExchangeFailure | undefined {
    return this.#breakerOf(endpoint).refusal() ?? this.#target.refusal();
  }

  #learn(endpoint: Endpoint, outcome: RequestOutcome, alone: boolean, aloneOnTarget: boolean): void {
    const { failure, heard, throttling } = outcome;
    if (failure?.kind === "aborted") return;
    const costly = this.#costlyFailure(outcome);
    const breaker = this.#breakerOf(endpoint);
    if (costly === undefined) breaker.reset();
    // When the whole target is not answering, that says nothing about one operation.
    else breaker.fail(costly, alone && !this.#target.isTripped);

    if ((heard && throttling === undefined) || costly === undefined) {
      this.#silent.clear();
      this.#target.reset();
    } else {
      this.#silent.add(endpoint);
      const isTheTarget = costly.kind === "unreachable" || this.#silent.size >= targetThreshold.operations;
      this.#target.fail(costly, aloneOnTarget, isTheTarget);
    }
  }

  /** The failure that was costly and would be again. A connection that is refused or reset at once costs nothing. */
  #costlyFailure({ failure, throttling, totalMs }: RequestOutcome): ExchangeFailure | undefined {
    if (throttling !== undefined) {
      const remedy = "a lower --rate or --concurrency may settle it";
      return { kind: "given-up", message: `it went on asking for fewer requests (${throttling}); ${remedy}` };
    }
    if (failure?.kind === "timeout" || failure?.kind === "too-large") return failure;
    return failure?.kind === "unreachable" && totalMs >= this.timeoutMs / 2 ? failure : undefined;
  }

  #breakerOf(endpoint: Endpoint): Breaker {
    const make = () => new Breaker(endpoint, this.timeoutMs, operationThreshold, probesBeforeGivingUp.operation);
    return getOrInsert(this.#operations, endpoint, make);
  }
}

/** Lets requests through until too many in a row have failed; then only one at a time, or none for a while. */
class Breaker {
  #failures = 0;
  #failuresAlone = 0;
  #reason = "";
  #tripped = false;
  #refusingUntil = 0;
  /** The request being made alone, and how to release those waiting for it. */
  #alone: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  /**
   * @param pauseMs how long a refusal lasts
   * @param limit consecutive failures that trip the breaker
   * @param tries how many requests are then made alone before requests are refused
   */
  constructor(
    private readonly name: string,
    private readonly pauseMs: number,
    private readonly limit: number,
    private readonly tries: number,
  ) {}

  /** True when requests are let through one at a time, or not at all. */
  get isTripped(): boolean {
    return this.#tripped;
  }

  /** Resolves when a request may be sent: to true when it is made alone. */
  async admit(): Promise<boolean | ExchangeFailure> {
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

  /** Marks a request as over; if it was made alone, releases those waiting for it. */
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

  /** @param mayTrip whether this failure may trip the breaker */
  fail({ message }: ExchangeFailure, alone: boolean, mayTrip = true): void {
    this.#failures++;
    this.#reason = message;
    if (alone) this.#failuresAlone++;
    if (alone && this.#failuresAlone >= this.tries) this.#refusingUntil = performance.now() + this.pauseMs;
    this.#tripped ||= mayTrip && this.#failures >= this.limit;
  }

  /** Why requests are currently refused; undefined when they are not. */
  refusal(): ExchangeFailure | undefined {
    if (performance.now() >= this.#refusingUntil) return undefined;
    const times = `${this.#failures} times in a row`;
    return { kind: "given-up", message: `not sent, since ${this.name} had failed ${times}: ${this.#reason}` };
  }
}

/** What the circuit breaker learns from an exchange; undefined for a stream that stayed silent while it was watched. */
export function requestOutcomeOf({
  failure,
  response,
  ended,
  timings: { totalMs },
}: Exchange): RequestOutcome | undefined {
  if (ended === "by-us" && response === undefined) return undefined;
  return { failure, heard: response !== undefined, totalMs };
}
