import { expect, test } from "vitest";
import { streamExchange, unaryExchange } from "./exchange.fixture.js";
import { toAllureHttpExchange } from "./http-exchange.js";

test("an exchange as Allure shows it", () => {
  const start = Date.parse("2026-01-01T00:00:00.000Z");
  expect(toAllureHttpExchange(unaryExchange(), 1_000)).toEqual({
    schemaVersion: 1,
    request: {
      method: "POST",
      url: "http://127.0.0.1:8080/order_service.v1.OrderService/GetOrders",
      headers: [{ name: "Content-Type", value: "application/json" }],
      body: { contentType: "application/json", encoding: "utf8", value: '{"address":"0x1"}', size: 17 },
    },
    response: {
      status: 200,
      headers: [{ name: "content-type", value: "application/json" }],
      body: { contentType: "application/json", encoding: "utf8", value: '{"orders":[]}', size: 13 },
    },
    start,
    stop: start + 7,
  });
});

test("bodies are cut, never within a character", () => {
  const { response } = unaryExchange();
  const body = "ab😀cd";
  const exchange = unaryExchange({ response: { ...(response as NonNullable<typeof response>), body } });
  expect(toAllureHttpExchange(exchange, 3).response?.body).toMatchObject({ value: "ab", truncated: true });
  expect(toAllureHttpExchange(exchange, 4).response?.body).toMatchObject({ value: "ab😀", truncated: true });
  expect(toAllureHttpExchange(exchange, 6).response?.body).not.toHaveProperty("truncated");
});

test("the frames of a stream stand one a line", () => {
  const { response } = toAllureHttpExchange(streamExchange(), 1_000);
  expect(response?.body?.value).toBe('1.0 ms, flags 0: {"positions":[]}\n251.0 ms, flags 0: {"positions":[]}');
  expect(response?.body).toMatchObject({
    contentType: "text/plain",
    size: 42,
    stream: { complete: false, chunkCount: 2 },
  });
});

test("a failure, and no response", () => {
  const { response: _, ...unanswered } = unaryExchange({ failure: { kind: "timeout", message: "nothing" } });
  const shown = toAllureHttpExchange(unanswered, 1_000);
  expect(shown.error).toEqual({ name: "timeout", message: "nothing" });
  expect(shown).not.toHaveProperty("response");
});
