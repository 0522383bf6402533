import { describe, expect, test } from "vitest";
import { startReferenceServer } from "../reference/server.js";
import { unaryEndpointNames } from "../specification/endpoints.js";
import { openTransport, requestTo, targetAt } from "./hostile-server.fixture.js";
import { interpret, interpretStream } from "./interpret.js";

describe.each(["http1", "h2c"] as const)("the reference server over %s", (transport) => {
  test("answers each operation in Connect", async () => {
    const server = await startReferenceServer();
    try {
      await using connection = openTransport(targetAt(server.url, { transport }));
      const asked = unaryEndpointNames.map((name) => connection.unary(requestTo(server.url, name), { id: name }));
      const kinds = (await Promise.all(asked)).map((exchange) => interpret(exchange).kind);
      // Without market and wallet some of these requests are errors; none may be anything else.
      expect(new Set(kinds)).toEqual(new Set(["success", "error"]));
      const request = requestTo(server.url, "GetOpenPositionsStreaming");
      const stream = await connection.stream(request, { id: "s", until: { messages: 1, ms: 5_000 } });
      expect(interpretStream(stream).kind).toMatch(/^(stream|error)$/);
    } finally {
      await server.close();
    }
  });
});
