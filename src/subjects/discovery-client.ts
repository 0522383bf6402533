import type { JsonObject, JsonObjectInput } from "../connect/json.js";
import type { Outcome } from "../connect/outcome.js";
import { noAnswerInWords } from "../judge/whole-answer.js";
import type { Endpoint, UnaryEndpoint } from "../specification/endpoints.js";
import type { DiscoveryProblem } from "./subjects.js";

/** The reply to one request of discovery. */
export interface DiscoveryReply {
  readonly outcome: Outcome;
  readonly exchangeId: string;
  /** The HTTP status, if there was a response. */
  readonly status?: number;
  /** Set if the content type says that the answer is a Connect stream, whatever is wrong with its content. */
  readonly isStream?: true;
  /** Set if the target throttled the request until the harness gave up. */
  readonly throttled?: true;
}

/** Sends one request to an operation; the answer of the stream is its first message. Rejects only for harness faults. */
export type Ask = (endpoint: Endpoint, request: JsonObjectInput) => Promise<DiscoveryReply>;

/** A body and the exchange that returned it. */
export interface SuccessfulAnswer {
  readonly body: JsonObject;
  readonly exchange: string;
}

/** The outcome of one request of discovery: the reply if it was sent, and its body if it succeeded. */
export type DiscoveryResult = { readonly found?: SuccessfulAnswer; readonly reply?: DiscoveryReply };

/** Sends the requests of discovery within a budget. Notes problems instead of failing. */
export class DiscoveryClient {
  readonly problems: DiscoveryProblem[] = [];
  requests = 0;
  readonly #replies = new Map<Endpoint, readonly DiscoveryReply[]>();

  constructor(
    private readonly send: Ask,
    private readonly budget: number,
  ) {}

  /**
   * Sends a request unless the budget is spent. Error codes in `tolerated` count as an answer; anything else but a success
   * is recorded as a problem.
   */
  async ask(endpoint: UnaryEndpoint, request: JsonObject, tolerated: readonly string[] = []): Promise<DiscoveryResult> {
    if (this.requests >= this.budget) return {};
    const reply = await this.probe(endpoint, request);
    const { outcome, exchangeId } = reply;
    if (outcome.kind === "success") return { reply, found: { body: outcome.body, exchange: exchangeId } };
    if (outcome.kind !== "error" || !tolerated.includes(outcome.code)) {
      this.problems.push({ endpoint, what: noSuccessInWords(outcome), exchange: exchangeId });
    }
    return { reply };
  }

  /**
   * Sends a request regardless of the budget: for the few that test whether an operation exists. Records no problem,
   * whatever the answer.
   */
  async probe(endpoint: Endpoint, request: JsonObjectInput): Promise<DiscoveryReply> {
    this.requests++;
    const reply = await this.send(endpoint, request);
    this.#replies.set(endpoint, [...this.repliesOf(endpoint), reply]);
    return reply;
  }

  /** All replies of an operation so far. */
  repliesOf(endpoint: Endpoint): readonly DiscoveryReply[] {
    return this.#replies.get(endpoint) ?? [];
  }
}

/** What came instead of a success, in a few words. */
export function noSuccessInWords(outcome: Exclude<Outcome, { kind: "success" }>): string {
  if (outcome.kind === "error") return `${outcome.code}: ${outcome.message}`;
  if (outcome.kind === "sample") return `an answer of ${outcome.bytes} bytes, of which a sample was read`;
  return noAnswerInWords(outcome);
}
