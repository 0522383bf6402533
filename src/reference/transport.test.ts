import { connect } from "node:net";
import { H2CClient } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../specification/endpoints.js";
import { type ReferenceServer, startReferenceServer } from "./server.js";
import { ask, until } from "./test-client.fixture.js";

let server: ReferenceServer;
beforeAll(async () => {
  server = await startReferenceServer();
});
afterAll(() => server.close());

const json = { "content-type": "application/json" };

describe("one port", () => {
  test("speaks cleartext HTTP/2, with many calls on one connection, as it speaks HTTP/1.1", async () => {
    const client = new H2CClient(server.url);
    try {
      const bodies = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const { statusCode, body } = await client.request({
            method: "POST",
            path: endpoints.GetAllOrders.path,
            headers: json,
            body: '{"limit":20}',
          });
          return [statusCode, await body.text()];
        }),
      );
      const { text } = await ask(server, "GetAllOrders", { limit: 20 });
      expect(bodies).toEqual(bodies.map(() => [200, text]));
    } finally {
      await client.close();
    }
  });

  test("streams over HTTP/2, and notices that the client has gone", async () => {
    const client = new H2CClient(server.url);
    const payload = Buffer.from('{"address":"0x1","updateIntervalMs":100}');
    const envelope = Buffer.concat([Buffer.from([0, 0, 0, 0, payload.length]), payload]);
    const { body } = await client.request({
      method: "POST",
      path: endpoints.GetOpenPositionsStreaming.path,
      headers: { "content-type": "application/connect+json" },
      body: envelope,
    });
    let frames = 0;
    for await (const _chunk of body) if (++frames === 3) break;
    await until(() => server.openStreams === 0);
    await client.destroy();
    expect(frames).toBe(3);
  });

  test("understands a request whose bytes arrive one by one", async () => {
    const socket = connect(server.port, "127.0.0.1").setNoDelay(true);
    const request = `POST ${endpoints.GetMarketIdByName.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 22\r\nConnection: close\r\n\r\n{"assetSymbol":"GOLD"}`;
    for (const byte of request) {
      socket.write(byte);
      await new Promise(setImmediate);
    }
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n\{"marketId":"7"\}$/s);
  });

  test("survives clients that send nonsense or leave at once", async () => {
    for (const nonsense of ["", "P", "PRI * HTTP/2.0\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnonsense", "GET\r\n\r\n"]) {
      const socket = connect(server.port, "127.0.0.1");
      await new Promise<void>((resolve) => socket.end(nonsense, () => resolve()));
      socket.destroy();
    }
    expect((await ask(server, "GetMarketIdByName", { assetSymbol: "GOLD" })).status).toBe(200);
  });
});
