import { describe, expect, test } from "vitest";
import { interpretStream } from "../connect/interpret.js";
import type { Endpoint } from "../specification/endpoints.js";
import { answered, broken, frames, received, refused } from "./whole-answer.fixture.js";
import {
  answersAtItsPath,
  behavesLike,
  existsAtItsPath,
  hasConnectContentType,
  holdsOneJsonObject,
  messagesAreJsonObjects,
  type WholeAnswer,
} from "./whole-answer.js";

const holds = { examined: 1, violations: [] };
const unknown = { examined: 0, violations: [] };

describe("answering at its path", () => {
  test("a success and any Connect error do", () => {
    expect(answersAtItsPath(answered("{}"))).toEqual(holds);
    for (const code of ["not_found", "internal", "unimplemented"]) {
      expect(answersAtItsPath(refused(code, 404))).toEqual(holds);
    }
  });

  test.each([404, 405, 410, 307])("HTTP %i without a Connect error does not", (status) => {
    const { violations } = answersAtItsPath(answered("", { status, contentType: "text/html" }));
    expect(violations).toMatchObject([{ expected: expect.stringContaining("/order_service.v1.OrderService/") }]);
  });

  test("a crash says nothing about the path", () => {
    expect(answersAtItsPath(answered("<html>", { status: 500 }))).toMatchObject(unknown);
    expect(answersAtItsPath(broken())).toMatchObject(unknown);
  });
});

test("an empty object is no documented answer of an operation that always has something to say", () => {
  const asked = (endpoint: Endpoint, body: string, known: boolean) =>
    existsAtItsPath(known)(answered(body, { endpoint }));
  expect(asked("GetPortfolio", "{}", true)).toMatchObject({ violations: [{ seen: "{} (HTTP 200)" }] });
  expect(asked("GetPortfolio", "{}", false)).toMatchObject({ examined: 0, violations: [] });
  expect(asked("GetPortfolio", '{"portfolio":{}}', true)).toEqual({ examined: 1, violations: [] });
  expect(asked("GetOrders", "{}", true)).toEqual({ examined: 1, violations: [] });
});

describe("the content type", () => {
  test.each(["application/json", "Application/JSON; charset=utf-8"])("%s is Connect's (W9)", (contentType) => {
    expect(hasConnectContentType(answered("{}", { contentType }))).toEqual(holds);
    expect(hasConnectContentType(answered('{"code":"x","message":""}', { contentType, status: 400 }))).toEqual(holds);
  });

  test.each(["text/html", "application/connect+json", ""])("%j is not", (contentType) => {
    const [violation] = hasConnectContentType(answered("{}", { contentType })).violations;
    expect(violation).toEqual({ path: "content-type", expected: "application/json", seen: contentType });
  });

  test("none at all is a violation; what is neither success nor Connect error is not judged", () => {
    const { exchange } = answered("{}");
    const bare = {
      ...answered("{}"),
      exchange: { ...exchange, response: { status: 200, headers: [], body: "", bytes: 0 } },
    };
    expect(hasConnectContentType(bare).violations).toMatchObject([{ seen: "none" }]);
    expect(hasConnectContentType(answered("<p>", { status: 500, contentType: "text/html" }))).toMatchObject(unknown);
  });

  test("of a stream is the streaming one", () => {
    const outcome = { kind: "success", body: {} } as const;
    const stream = (contentType: string): WholeAnswer => ({
      endpoint: "GetOpenPositionsStreaming",
      exchange: received("GetOpenPositionsStreaming", "", { contentType }),
      outcome,
    });
    expect(hasConnectContentType(stream("application/connect+json"))).toEqual(holds);
    expect(hasConnectContentType(stream("application/json")).violations).toHaveLength(1);
  });
});

describe("one JSON object", () => {
  test.each(["{}", ' {"a": 1e-7}\n'])("%j is one", (body) => expect(holdsOneJsonObject(answered(body))).toEqual(holds));

  test.each(["", "[]", "null", '"7"', "{}{}", '{"a":NaN}', ")]}',\n{}", "\ufeff{}", "<html>", "{'a':1}"])(
    "%j is none",
    (body) => expect(holdsOneJsonObject(answered(body)).violations).toHaveLength(1),
  );

  test("errors and crashes are not asked for one", () => {
    expect(holdsOneJsonObject(refused("not_found"))).toMatchObject(unknown);
    expect(holdsOneJsonObject(answered("<html>", { status: 500 }))).toMatchObject(unknown);
  });
});

describe("messages of a stream", () => {
  const judge = (...payloads: readonly { data: string; end?: true }[]) => {
    const exchange = {
      ...received("GetOpenPositionsStreaming", ""),
      frames: frames(...payloads),
      ended: "by-us" as const,
    };
    const stream = interpretStream(exchange);
    if (stream.kind !== "stream") throw new Error("no stream");
    const outcome = { kind: "success", body: stream } as const;
    return messagesAreJsonObjects({ endpoint: "GetOpenPositionsStreaming", exchange, outcome });
  };

  test("are JSON objects", () => {
    expect(judge({ data: "{}" }, { data: '{"positions":[]}' })).toMatchObject({ examined: 2, violations: [] });
    expect(judge()).toMatchObject({ examined: 0, missing: "a message of the stream" });
  });

  test.each(["[]", "", "{}{}", "nul"])("%j is none", (data) => {
    expect(judge({ data: "{}" }, { data }).violations).toMatchObject([{ path: "frames[1]" }]);
  });

  test("the end of the stream is no message", () => {
    expect(judge({ data: "{}" }, { data: "[]", end: true }).violations).toEqual([]);
  });
});

describe("behaving alike", () => {
  const usual = answered('{"orders":[{"orderId":"7","market":"BTC"}]}');

  test("is the same stored state, however it is written", () => {
    expect(behavesLike(usual, answered('{"orders":[{"market":"BTC","orderId":"7","fees":0}]}'))).toEqual(holds);
    expect(behavesLike(usual, answered('{"orders":[]}')).violations).toMatchObject([{ seen: "other data" }]);
  });

  test("does not depend on how deep unlisted fields are nested", () => {
    const nested = answered(`{"orders":[],"debug":${"[".repeat(60)}"x"${"]".repeat(60)}}`);
    expect(behavesLike(nested, nested)).toEqual(holds);
  });

  test("does not depend on which rows of one timestamp a page ends with (P4)", () => {
    const page = (...rows: readonly (readonly [orderId: string, timestamp: string])[]) =>
      answered(
        JSON.stringify({
          orders: rows.map(([orderId, timestamp]) => ({ orderId, timestamp })),
          pagination: { limit: 2 },
        }),
      );
    const [newer, older] = ["2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"] as const;
    const usualPage = page(["1", newer], ["2", older]);
    expect(behavesLike(usualPage, page(["1", newer], ["3", older]))).toEqual(holds);
    expect(behavesLike(usualPage, page(["3", newer], ["2", older])).violations).toHaveLength(1);
    expect(behavesLike(usualPage, page(["1", newer])).violations).toHaveLength(1);
  });

  test("is the same error code, whatever its message", () => {
    const other = answered('{"code":"not_found","message":"another text"}', { status: 404 });
    expect(behavesLike(refused("not_found", 404), other)).toEqual(holds);
    expect(behavesLike(refused("not_found"), refused("invalid_argument")).violations).toHaveLength(1);
    expect(behavesLike(usual, refused("invalid_argument")).violations).toMatchObject([
      { expected: "a success", seen: "the error invalid_argument" },
    ]);
    expect(behavesLike(usual, answered("", { status: 415 })).violations).toMatchObject([{ seen: "no Connect answer" }]);
  });

  test("cannot be said of an answer that is none itself", () => {
    expect(behavesLike(answered("", { status: 500 }), usual)).toMatchObject(unknown);
    const throttled = refused("resource_exhausted", 429);
    const asked = { ...throttled, exchange: { ...throttled.exchange, throttled: true } };
    expect(behavesLike(asked, usual)).toMatchObject(unknown);
  });
});
