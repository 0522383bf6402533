import { expect, test } from "vitest";
import type { Exchange, HttpRequest } from "../connect/exchange.js";
import { buildRequest } from "../connect/requests.js";
import type { Transport } from "../connect/transport.js";
import { checksThatDiffer, haveSameStreams, type ReferenceRun, sharingTransport } from "./reference-run.js";

const since = Date.parse("2026-01-01T00:00:00Z");
const target = { baseUrl: "http://127.0.0.1:1", secrets: { headers: [] } } as unknown as Parameters<
  typeof buildRequest
>[0];
const request = (limit: number, check: string) => buildRequest(target, "GetAllOrders", { limit }, { check });

/** An exchange in which a request for so many rows is answered with this text. */
function exchange(sent: HttpRequest, body: string): Exchange {
  const response = { status: 200, headers: [], body, bytes: body.length };
  return { id: body, request: sent, startedAt: "", timings: { headersMs: 0, totalMs: 0 }, response };
}

/** A transport on which each request is answered with the text for its number of rows. */
function wireTo(answers: Readonly<Record<number, string>>): Transport {
  return {
    unary: async (sent) => exchange(sent, answers[JSON.parse(sent.body).limit] ?? ""),
    stream: () => Promise.reject(new Error("no stream is asked for")),
    close: async () => {},
  };
}

const one = exchange(request(1, "a"), '{"seen":"2026-01-02T00:00:00Z"}');
const two = exchange(request(2, "b"), '{"rows":2}');
const run: ReferenceRun = new Map([
  ["a", [one]],
  ["b", [two]],
  ["a and b", [one, two]],
]);

test("an answer that is the reference server's is that very exchange, whoever asks and when; another one is not", async () => {
  const transport = sharingTransport(
    wireTo({ 1: '{"seen":"2026-03-04T00:00:00Z"}', 2: '{"rows":3}', 3: "{}" }),
    run,
    since,
    false,
  );
  expect(await transport.unary(request(1, "c"), { id: "c#1" })).toBe(one);
  expect((await transport.unary(request(2, "c"), { id: "c#2" })).response?.body).toBe('{"rows":3}');
  expect((await transport.unary(request(3, "c"), { id: "c#3" })).response?.body).toBe("{}");
});

test("a stream that is read for the same purpose is that of the reference server, where streams are the same", async () => {
  const watched = { ...one, request: { ...one.request, endpoint: "GetOpenPositionsStreaming" }, id: "a#1" } as Exchange;
  const opened = { ...watched, id: "opened" };
  const network = { stream: async () => opened } as unknown as Transport;
  const given = (id: string, hasSameStreams: boolean) =>
    sharingTransport(network, new Map([["a", [watched]]]), since, hasSameStreams).stream(watched.request, {
      id,
      until: { messages: 1 },
    });
  expect(await given("a#1", true)).toBe(watched);
  expect(await given("a#2", true)).toBe(opened);
  expect(await given("a#1", false)).toBe(opened);
});

test("streams are the same whose first messages are, for the checks that read them", async () => {
  const showing = (data: string) => ({
    ...one,
    request: { ...one.request, endpoint: "GetOpenPositionsStreaming" },
    frames: [{ flags: 0, data, at: 1 }],
  });
  const read: ReferenceRun = new Map([["a", [showing("{}") as Exchange]]]);
  const answering = (data: string) => ({ transport: { stream: async () => showing(data) }, target, since });
  const areSame = (check: string, data: string) =>
    haveSameStreams([check], read, answering(data) as unknown as Parameters<typeof haveSameStreams>[2]);
  expect(await areSame("a", "{}")).toBe(true);
  expect(await areSame("a", '{"positions":[]}')).toBe(false);
  expect(await areSame("b", '{"positions":[]}')).toBe(true);
});

test("those checks differ that are given another answer, on operations that may differ", async () => {
  const transport = wireTo({ 1: one.response?.body ?? "", 2: '{"rows":3}' });
  const compared = { transport, target, since } as unknown as Parameters<typeof checksThatDiffer>[1];
  const changed = (...endpoints: readonly string[]) =>
    ({ ...compared, changed: new Set(endpoints) }) as typeof compared;
  expect([...(await checksThatDiffer(run, changed("GetAllOrders")))]).toEqual(["b", "a and b"]);
  expect([...(await checksThatDiffer(run, changed("GetOrders")))]).toEqual([]);
});
