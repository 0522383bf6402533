import type { Exchange } from "../connect/exchange.js";

/** A unary exchange in which nothing is special, apart from the changes. */
export function unaryExchange(changes: Partial<Exchange> = {}): Exchange {
  return {
    id: "a-rule/check#1",
    request: {
      endpoint: "GetOrders",
      method: "POST",
      url: "http://127.0.0.1:8080/order_service.v1.OrderService/GetOrders",
      headers: [["Content-Type", "application/json"]],
      body: '{"address":"0x1"}',
    },
    startedAt: "2026-01-01T00:00:00.000Z",
    timings: { sentMs: 1, headersMs: 3, totalMs: 7 },
    response: { status: 200, headers: [["content-type", "application/json"]], body: '{"orders":[]}', bytes: 13 },
    ...changes,
  };
}

/** An exchange of the stream: two messages, then the harness left. */
export function streamExchange(changes: Partial<Exchange> = {}): Exchange {
  return unaryExchange({
    id: "a-stream-rule/check#1",
    request: {
      endpoint: "GetOpenPositionsStreaming",
      method: "POST",
      url: "http://127.0.0.1:8080/position_service.v1.PositionService/GetOpenPositionsStreaming",
      headers: [["Content-Type", "application/connect+json"]],
      body: '{"address":"0x1"}',
    },
    startedAt: "2026-01-01T00:00:01.000Z",
    timings: { sentMs: 1, headersMs: 2, totalMs: 300 },
    response: { status: 200, headers: [["content-type", "application/connect+json"]], body: "", bytes: 42 },
    frames: [
      { at: 1, flags: 0, data: '{"positions":[]}' },
      { at: 251, flags: 0, data: '{"positions":[]}' },
    ],
    ended: "by-us",
    loopLagMs: 0.5,
    ...changes,
  });
}
