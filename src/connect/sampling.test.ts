import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Exchange, keptRows } from "./exchange.js";
import { answerOf, chunkedHead, chunkOf, connectToHostile, lastChunk } from "./hostile-server.fixture.js";
import { interpret } from "./interpret.js";
import type { SamplingLimits } from "./row-sampler.js";

const order = (index: number) => ({ orderId: String(index), note: "x".repeat(40) });
const listing = (rows: number) =>
  JSON.stringify({ orders: Array.from({ length: rows }, (_, index) => order(index)), totalCount: rows });

/** What comes of an answer of these bytes, at a transport that keeps little. */
async function ask(bytes: Buffer | string, limits: Partial<SamplingLimits> = {}, end = false): Promise<Exchange> {
  const sampling = { between: 4_000, edge: 1_000, edgeRows: 5, ...limits };
  await using server = await connectToHostile((socket) => (end ? socket.end(bytes) : socket.write(bytes)), {
    bodyLimit: 20_000,
    sampling,
  });
  return await server.ask("sampled");
}

const inChunks = (body: string) => {
  const bytes = Buffer.from(body);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 7_777) }, (_, part) =>
    chunkOf(bytes.subarray(part * 7_777, (part + 1) * 7_777)),
  );
  return Buffer.concat([Buffer.from(chunkedHead("application/json")), ...chunks, Buffer.from(lastChunk)]);
};

describe("a body above the limit", () => {
  test.each([
    ["that announces its size", (body: string) => answerOf(body)],
    ["that comes in chunks", inChunks],
  ])("%s is a sample", async (_, bytesOf) => {
    const body = listing(3_000);
    const { response, failure } = await ask(bytesOf(body));
    expect(failure).toBeUndefined();
    expect(response?.bytes).toBe(body.length);
    const [sample] = response?.samples ?? [];
    expect(sample).toMatchObject({ path: "orders", rows: 3_000, first: 5, last: 5 });
    const kept = sample ? keptRows(sample) : [];
    expect(JSON.parse(response?.body ?? "")).toEqual({ orders: kept.map(order), totalCount: 3_000 });
  });

  test("is known as a sample, and one below it is not", async () => {
    const large = await ask(answerOf(listing(3_000)));
    expect(interpret(large)).toMatchObject({
      kind: "sample",
      bytes: large.response?.bytes,
      samples: [{ rows: 3_000 }],
    });
    expect(interpret(await ask(answerOf(listing(100))))).toEqual({ kind: "success", body: JSON.parse(listing(100)) });
  });

  test("is whole when all of its rows were kept", async () => {
    const body = `{"orders":[${JSON.stringify(order(1))}],"padding":"${"x".repeat(30_000)}"}`;
    expect(interpret(await ask(answerOf(body)))).toEqual({ kind: "success", body: JSON.parse(body) });
  });

  test("that breaks off is a failure; one that ends too soon is malformed", async () => {
    const body = listing(3_000);
    const cut = answerOf(body).subarray(0, 90_000);
    expect((await ask(cut, {}, true)).failure?.kind).toBe("reset");
    expect(interpret(await ask(inChunks(body.slice(0, 90_000))))).toMatchObject({ kind: "malformed" });
    expect(interpret(await ask(inChunks(`${body}}`)))).toMatchObject({ kind: "malformed" });
  });

  test.each([
    ["a text", answerOf(`"${"x".repeat(50_000)}"`)],
    ["a list", answerOf(JSON.stringify(Array.from({ length: 10_000 }, () => 1234)))],
    ["an error", answerOf(listing(3_000), { status: "500 Internal Server Error" })],
    ["a coded body", answerOf(gzipSync(listing(20_000)), { headers: ["Content-Encoding: gzip"] })],
  ])("is too large when it is %s", async (_, bytes) => {
    const { failure, response } = await ask(bytes);
    expect(failure).toEqual({ kind: "too-large", message: expect.stringContaining("larger than") });
    expect(response?.body).toBe("");
  });

  test.each<[string, Partial<SamplingLimits>]>([
    ["in all, as it says", { body: 100_000 }],
    ["in a row", { row: 30 }],
    ["in what is kept", { kept: 1_000 }],
  ])("is too large %s", async (_, limit) => {
    expect((await ask(answerOf(listing(3_000)), limit)).failure?.kind).toBe("too-large");
    expect((await ask(inChunks(listing(3_000)), limit)).failure?.kind).toBe("too-large");
  });

  test("is read less and less far when bodies turn out to be endless", async () => {
    const rows = Buffer.from(`${JSON.stringify(order(1))},`.repeat(20_000));
    await using server = await connectToHostile(
      (socket) => {
        socket.write(chunkedHead("application/json"));
        socket.write(chunkOf('{"orders":['));
        const flood = () => {
          while (!socket.destroyed && socket.write(chunkOf(rows)));
        };
        socket.on("drain", flood);
        flood();
      },
      {
        bodyLimit: 20_000,
        sampling: { body: 200_000_000 },
      },
    );
    const read: number[] = [];
    for (const id of ["1", "2", "3"]) {
      const { response, failure } = await server.ask(id);
      expect(failure?.kind).toBe("too-large");
      read.push(Math.round((response?.bytes ?? 0) / 1_000_000));
    }
    expect(read).toEqual([200, 50, 34]);
  });

  test("is read in turn with another one, each to its end", async () => {
    const body = listing(40_000);
    await using server = await connectToHostile(answerOf(body), { bodyLimit: 20_000 });
    const both = await Promise.all([1, 2].map((id) => server.ask(String(id))));
    expect(body.length).toBeGreaterThan(2 * 1024 * 1024);
    for (const { response } of both)
      expect(response).toMatchObject({ bytes: body.length, samples: [{ rows: 40_000 }] });
    expect(both[0]?.response?.body).toBe(both[1]?.response?.body);
  });

  test("keeps the order of what came while it waited", async () => {
    const body = listing(30_000);
    await using server = await connectToHostile(inChunks(body), {
      bodyLimit: 1_300_000,
      sampling: { between: 100_000 },
    });
    const { response } = await server.ask("waited");
    const [sample] = response?.samples ?? [];
    expect(JSON.parse(response?.body ?? "").orders).toEqual((sample ? keptRows(sample) : []).map(order));
  });
});
