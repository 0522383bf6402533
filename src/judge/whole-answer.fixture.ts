import type { Exchange, StreamFrame } from "../connect/exchange.js";
import { interpret } from "../connect/interpret.js";
import type { JsonObject } from "../connect/json.js";
import { type Endpoint, endpoints } from "../specification/endpoints.js";
import type { WholeAnswer } from "./whole-answer.js";

/** An exchange with an answer, as it could have been recorded. */
export function received(
  endpoint: Endpoint,
  body: string,
  { status = 200, contentType = "application/json" }: { status?: number; contentType?: string | undefined } = {},
): Exchange {
  return {
    id: "check#1",
    request: { endpoint, method: "POST", url: `http://x${endpoints[endpoint].path}`, headers: [], body: "{}" },
    startedAt: "2026-01-01T00:00:00Z",
    timings: { headersMs: 1, totalMs: 1 },
    response: {
      status,
      headers: contentType === undefined ? [] : [["Content-Type", contentType]],
      body,
      bytes: body.length,
    },
  };
}

/** A unary answer as it is read from what was received. */
export function answered(
  body: string,
  head: { status?: number; contentType?: string; endpoint?: Endpoint } = {},
): WholeAnswer<JsonObject> {
  const { endpoint = "GetAllOrders" } = head;
  const exchange = received(endpoint, body, head);
  return { endpoint, exchange, outcome: interpret(exchange) };
}

/** An error as Connect writes it. */
export function refused(code: string, status = 400): WholeAnswer<JsonObject> {
  return answered(JSON.stringify({ code, message: "no" }), { status });
}

/** An answer that broke off. */
export function broken(failure: "reset" | "protocol" = "reset"): WholeAnswer<JsonObject> {
  const { response: _, ...exchange } = received("GetAllOrders", "");
  return { endpoint: "GetAllOrders", exchange, outcome: { kind: "failure", failure, message: "gone" } };
}

/** Frames with messages, the end of the stream last if it has one. */
export function frames(...payloads: readonly { data: string; end?: true }[]): StreamFrame[] {
  return payloads.map(({ data, end }, index) => ({ at: index, flags: end ? 2 : 0, data }));
}
