/** Sends requests to two targets at about the same time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Exchange, HttpRequest } from "../../connect/exchange.js";
import { interpretAny } from "../../connect/interpret.js";
import type { JsonObject } from "../../connect/json.js";
import type { ConnectError } from "../../connect/outcome.js";
import { buildRequest } from "../../connect/requests.js";
import type { Target } from "../../connect/target.js";
import type { Transport } from "../../connect/transport.js";
import { createTransport } from "../../connect/undici-transport.js";
import { isStream } from "../../specification/endpoints.js";
import type { Both } from "../answers.js";
import { waitOf } from "../times.js";
import type { PairedRequest } from "./requests.js";

/** What an answer says. */
type AnswerContent =
  | { readonly kind: "success"; readonly body: JsonObject }
  | { readonly kind: "error"; readonly code: string; readonly message: string; readonly members: readonly string[] }
  /** Not a Connect answer. `what` says what came instead. */
  | { readonly kind: "none"; readonly what: string }
  /** Unknown because of the harness or the network. It says nothing about the target. */
  | { readonly kind: "unknown" };

/** What one target answered. */
export type LiveAnswer = AnswerContent & {
  readonly request: HttpRequest;
  readonly status?: number;
  readonly contentType?: string;
  /** Milliseconds until the answer began. */
  readonly waitMs?: number;
};

/** The answers of both targets to a request. */
export interface PairedAnswer extends PairedRequest {
  readonly answers: Both<LiveAnswer>;
}

/** Maximum pairs of requests in flight. */
const atOnce = 6;

/** A few messages of a stream are enough here: the rules check how they are paced. */
const watched = { messages: 2, ms: 2_500 } as const;

/** Two targets that are asked the same. */
export class TwoTargets {
  readonly #transports: Both<Transport>;
  #asked = 0;

  constructor(readonly targets: Both<Target>) {
    this.#transports = [createTransport(targets[0]), createTransport(targets[1])];
  }

  /** Asks both, a few requests at a time. Ends early if the signal is aborted. */
  async askAll(requests: readonly PairedRequest[], signal: AbortSignal): Promise<readonly PairedAnswer[]> {
    const answers = new Array<PairedAnswer | undefined>(requests.length).fill(undefined);
    const queue = requests.entries();
    const work = async () => {
      for (const [at, request] of queue) {
        if (signal.aborted) return;
        answers[at] = await this.ask(request);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return answers.filter((answer) => answer !== undefined);
  }

  /** Sends one request to both. */
  async ask(paired: PairedRequest): Promise<PairedAnswer> {
    const id = `compare#${++this.#asked}`;
    return { ...paired, answers: await Promise.all([this.#askOne(0, paired, id), this.#askOne(1, paired, id)]) };
  }

  /** Waits, so that changing data has time to change. */
  pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds);
  }

  async close(): Promise<void> {
    await Promise.all(this.#transports.map((transport) => transport.close()));
  }

  async #askOne(at: 0 | 1, { endpoint, requests }: PairedRequest, id: string): Promise<LiveAnswer> {
    const { body, headers } = requests[at];
    const request = buildRequest(this.targets[at], endpoint, body, { headers, check: "compare" });
    const exchange = isStream(endpoint)
      ? await this.#transports[at].stream(request, { id, until: watched })
      : await this.#transports[at].unary(request, { id });
    const status = exchange.response?.status;
    const contentType = exchange.response?.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
    const waitMs = waitOf(exchange);
    return {
      ...answerOf(exchange),
      request,
      ...(status !== undefined && { status }),
      ...(contentType !== undefined && { contentType }),
      ...(waitMs !== undefined && { waitMs }),
    };
  }
}

function answerOf(exchange: Exchange): AnswerContent {
  if (exchange.throttled) return { kind: "unknown" };
  const outcome = interpretAny(exchange);
  switch (outcome.kind) {
    case "success":
    case "sample":
      return { kind: "success", body: outcome.body };
    case "stream": {
      const [first] = outcome.messages;
      if (first) return { kind: "success", body: first.body };
      if (outcome.endError) return errorOf(outcome.endError);
      return { kind: "none", what: outcome.problem?.message ?? "no message" };
    }
    case "error":
      return errorOf(outcome);
    case "malformed":
      return { kind: "none", what: outcome.reason };
    case "failure":
      return outcome.failure === "protocol" || outcome.failure === "timeout"
        ? { kind: "none", what: outcome.message }
        : { kind: "unknown" };
  }
}

/** The code is compared as it was spelled. */
function errorOf({ message, body }: ConnectError): AnswerContent {
  return { kind: "error", code: String(body.code), message, members: Object.keys(body).sort() };
}
