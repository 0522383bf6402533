import { describe, expect, test } from "vitest";
import { streamExchange, unaryExchange } from "./exchange.fixture.js";
import { toHarEntry } from "./har.js";

test("a sample of a body says so, and the body keeps its size", () => {
  const samples = [{ path: "orders", rows: 200_000, first: 2, every: 65_536, last: 1 }];
  const response = { status: 200, headers: [], body: '{"orders":[1,2,3,4,5,6]}', bytes: 120_000_000, samples };
  const { content, bodySize } = toHarEntry(unaryExchange({ response })).response;
  expect(content).toMatchObject({
    size: 120_000_000,
    text: response.body,
    comment: "a sample: 6 of 200000 rows of orders",
  });
  expect(bodySize).toBe(120_000_000);
});

test("an answer of which only the size is shown has no headers about connection, type, length and time", () => {
  const headers = [
    ["Content-Type", "application/json"],
    ["keep-alive", "timeout=5"],
    ["content-length", "2"],
    ["Date", "Sun, 29 Nov 2026 12:00:00 GMT"],
    ["Server", "one"],
  ] as const;
  const exchange = unaryExchange({ response: { status: 200, headers, body: "{}", bytes: 2 } });
  const namesIn = (shown: "body" | "size") => toHarEntry(exchange, shown).response.headers.map(({ name }) => name);
  expect(namesIn("size")).toEqual(["Server"]);
  expect(namesIn("body")).toEqual(headers.map(([name]) => name));
});

describe("an HTTP archive", () => {
  test("has everything that HAR 1.2 asks of an entry, and timings that add up", () => {
    const { request } = unaryExchange();
    const entry = toHarEntry(unaryExchange({ transport: "h2c", request: { ...request, url: "http://h/p?a=1&a=2" } }));
    expect(entry).toEqual({
      startedDateTime: "2026-01-01T00:00:00.000Z",
      time: 7,
      request: {
        method: "POST",
        url: "http://h/p?a=1&a=2",
        httpVersion: "HTTP/2",
        cookies: [],
        headers: [{ name: "Content-Type", value: "application/json" }],
        queryString: [
          { name: "a", value: "1" },
          { name: "a", value: "2" },
        ],
        postData: { mimeType: "application/json", text: '{"address":"0x1"}' },
        headersSize: -1,
        bodySize: 17,
      },
      response: {
        status: 200,
        statusText: "OK",
        httpVersion: "HTTP/2",
        cookies: [],
        headers: [{ name: "content-type", value: "application/json" }],
        content: { size: 13, mimeType: "application/json", text: '{"orders":[]}' },
        redirectURL: "",
        headersSize: -1,
        bodySize: 13,
      },
      cache: {},
      timings: { blocked: 1, send: 0, wait: 2, receive: 4 },
      comment: "a-rule/check#1",
    });
  });

  test("has the frames of a stream with their arrival times, and as text", () => {
    const { _frames, _ended, response } = toHarEntry(streamExchange());
    expect(_frames).toEqual([
      { at: 1, flags: 0, data: '{"positions":[]}' },
      { at: 251, flags: 0, data: '{"positions":[]}' },
    ]);
    expect(_ended).toBe("by-us");
    expect(response.content.text).toBe('{"positions":[]}\n{"positions":[]}');
  });

  test("names the file of a body that is too large", () => {
    const data = { file: "bodies/x", characters: 9_000 };
    const { content } = toHarEntry({
      ...unaryExchange(),
      response: { status: 200, headers: [], body: data, bytes: 13 },
    }).response;
    expect(content).toEqual({
      size: 13,
      mimeType: "x-unknown",
      text: "",
      comment: "9000 characters, in bodies/x",
    });
    const stream = toHarEntry({ ...streamExchange(), frames: [{ at: 1, flags: 0, data }] });
    expect(stream._frames?.[0]).toEqual({ at: 1, flags: 0, data: "", comment: expect.stringContaining("bodies/") });
    expect(stream.response.content).not.toHaveProperty("text");
  });

  test("tells a failure", () => {
    const { response: _, ...unanswered } = unaryExchange({
      timings: { headersMs: 5, totalMs: 5 },
      failure: { kind: "unreachable", message: "refused" },
    });
    const { response, timings } = toHarEntry(unanswered);
    expect(response).toMatchObject({
      status: 0,
      statusText: "",
      headers: [],
      bodySize: -1,
      _error: "unreachable: refused",
    });
    expect(timings).toEqual({ blocked: 0, send: 0, wait: 5, receive: 0 });
  });
});
