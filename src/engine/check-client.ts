import { prefixLength } from "../connect/envelope.js";
import type { Exchange, ExchangeName } from "../connect/exchange.js";
import { interpret, interpretStream } from "../connect/interpret.js";
import type { JsonInput } from "../connect/json.js";
import type { Outcome } from "../connect/outcome.js";
import type { RequestOverrides } from "../connect/requests.js";
import type { StreamUntil } from "../connect/stream-body-reader.js";
import { isSuccess } from "../judge/whole-answer.js";
import type { Endpoint, UnaryEndpoint } from "../specification/endpoints.js";
import type { Answer, Capture, StreamAnswer } from "./answer.js";
import type { WorkerEnvironment } from "./environment.js";
import type { EveryAnswer } from "./every-answer.js";

/**
 * Maximum number of requests of a check or of a shared read. No check comes near this; it stops one that would never end.
 */
const requestsAtMost = 5_000;

/** Sends the requests of one check, and keeps the exchanges. */
export class CheckClient {
  readonly exchanges: Exchange[] = [];
  readonly #adopted = new Set<Exchange>();
  #sent = 0;
  /** Requests sent in this check's name for shared reads. */
  #shared = 0;

  /**
   * @param check name of the check: exchange ids and the correlation header contain it
   * @param every judges every answer; absent for observations, which try what the text leaves open
   * @param nameNext names an exchange of the client by its position, counted from 1
   */
  constructor(
    private readonly environment: WorkerEnvironment,
    private readonly check: string,
    private readonly every?: EveryAnswer,
    private readonly signal?: AbortSignal,
    private readonly nameNext: (position: number) => ExchangeName = (position) => ({ id: `${check}#${position}` }),
  ) {}

  /**
   * A client for a read that other checks share. Its requests are sent in the name of this check, which asked first.
   *
   * @param name identifies the read
   */
  forRead(name: string, every?: EveryAnswer): CheckClient {
    return new CheckClient(this.environment, this.check, every, undefined, (position) => ({
      id: `${this.check}#shared-${++this.#shared}`,
      reading: `${name}#${position}`,
    }));
  }

  /** Requests sent so far. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Sends one unary request. If the connection breaks, it is retried up to four times, so that an occasional reset is
   * not held against the target. If there is no answer in time, it is retried once: a busy target may answer the second
   * time, and one that hangs is soon not asked any more. The last attempt counts.
   */
  async ask(endpoint: UnaryEndpoint, request: JsonInput, overrides: RequestOverrides = {}): Promise<Answer> {
    let exchange = await this.#unary(endpoint, request, overrides);
    for (let attempt = 1; attempt < attemptsAfter(exchange); attempt++) {
      const again = await this.#unary(endpoint, request, overrides);
      const ending = again.failure?.kind;
      if (ending === "unrecorded" || (ending === "given-up" && isUnanswered(exchange))) break;
      exchange = again;
    }
    const answer: Answer = { endpoint, request, after: overrides.after, exchange, outcome: interpret(exchange) };
    if (isSuccess(answer)) this.environment.succeeded(endpoint);
    this.every?.judge(answer);
    return answer;
  }

  /** Watches the stream until `until` is satisfied. */
  async listen(request: JsonInput, until: StreamUntil, overrides: RequestOverrides = {}): Promise<StreamAnswer> {
    const endpoint = "GetOpenPositionsStreaming";
    const name = this.#next();
    const httpRequest = this.environment.build(endpoint, request, { check: this.check, ...overrides });
    const exchange = this.#keep(
      await this.environment.transport.stream(httpRequest, { ...name, until, signal: this.signal }),
    );
    const answer: StreamAnswer = { endpoint, request, exchange, outcome: captureOf(exchange) };
    if (answer.outcome.kind === "success" && answer.outcome.body.messages.length > 0)
      this.environment.succeeded(endpoint);
    this.every?.judgeStream(answer);
    return answer;
  }

  async #unary(endpoint: Endpoint, request: JsonInput, overrides: RequestOverrides): Promise<Exchange> {
    const name = this.#next();
    const httpRequest = this.environment.build(endpoint, request, { check: this.check, ...overrides });
    return this.#keep(
      await this.environment.transport.unary(httpRequest, {
        ...name,
        signal: this.signal,
        newConnection: overrides.newConnection,
        ahead: overrides.after !== undefined,
        alone: overrides.alone,
      }),
    );
  }

  /** Adds an exchange made in another check's name to those that this check has read, at most once. */
  adopt(exchange: Exchange): void {
    if (this.#adopted.has(exchange)) return;
    this.#adopted.add(exchange);
    this.exchanges.push(exchange);
  }

  #next(): ExchangeName {
    if (this.#sent >= requestsAtMost) throw new Error(`the check ${this.check} sent ${requestsAtMost} requests`);
    return this.nameNext(++this.#sent);
  }

  #keep(exchange: Exchange): Exchange {
    this.exchanges.push(exchange);
    this.environment.record(exchange);
    return exchange;
  }
}

/** Maximum number of attempts for a request whose latest attempt ended like this. */
function attemptsAfter(exchange: Exchange): number {
  if (exchange.failure?.kind === "reset") return 5;
  return isUnanswered(exchange) ? 2 : 1;
}

function isUnanswered({ failure, response }: Exchange): boolean {
  return failure?.kind === "timeout" && response === undefined;
}

/** A stream that delivered a message is a success; so is one that stayed silent without an error. */
export function captureOf(exchange: Exchange): Outcome<Capture> {
  const stream = interpretStream(exchange);
  if (stream.kind !== "stream") return stream;
  const { messages, endError, problem } = stream;
  if (messages.length === 0 && endError) return { kind: "error", ...endError };
  const capture: Capture = {
    messages,
    ended: exchange.ended ?? "closed",
    windowMs: exchange.timings.totalMs - (exchange.timings.sentMs ?? 0),
    loopLagMs: exchange.loopLagMs ?? 0,
    ...(hasPartialMessage(exchange) && { endsWithinMessage: true }),
    ...(endError && { endError }),
    ...(problem && { problem }),
  };
  return { kind: "success", body: capture };
}

/** Whether the stream was cut off inside a message: more bytes arrived than its complete messages hold. */
function hasPartialMessage({ response, frames = [] }: Exchange): boolean {
  const whole = frames.reduce((sum, { data }) => sum + prefixLength + Buffer.byteLength(data), 0);
  return (response?.bytes ?? 0) > whole && !frames.some(({ invalidUtf8 }) => invalidUtf8);
}
