import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { resolveTarget } from "../config/config.js";
import { buildRequest } from "../connect/requests.js";
import type { Target } from "../connect/target.js";
import type { Transport } from "../connect/transport.js";
import { createTransport } from "../connect/undici-transport.js";
import type { Modification } from "../reference/modification.js";
import { findModification } from "../reference/modifications.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { openSession } from "../session/session.js";
import { selectingRequest } from "../subjects/requests.js";
import { directTransport } from "./direct-transport.js";
import { differingOperations, probe } from "./probe.js";

/** Has both ways to a server compared: over the network, and without it. */
async function withServer(
  modification: Modification | undefined,
  use: (
    transports: { readonly target: Target; readonly direct: Transport; readonly network: Transport },
    server: ReferenceServer,
  ) => Promise<void>,
): Promise<void> {
  const server = await startReferenceServer({ orders: 200, ...(modification && { modification }) });
  const { target } = resolveTarget({ flags: { baseUrl: server.url }, env: {}, cwd: tmpdir() });
  const network = createTransport(target);
  try {
    await use({ target, direct: directTransport(server, network), network }, server);
  } finally {
    await network.close();
    await server.close();
  }
}

test.each([
  undefined,
  "answers-with-gzip",
  "answers-in-chunks",
  "members-in-reverse",
  "http-errors-as-html",
  "defaults-emitted",
])("the same answers come from %s without the network", async (variant) => {
  await withServer(variant === undefined ? undefined : findModification("variant", variant), async (transports) => {
    const { target, direct, network } = transports;
    const { subjects, startedAt } = await openSession({ target, profile: "quick", seed: 1 });
    const [one, other] = await Promise.all(
      [direct, network].map((transport) => probe(transport, target, subjects, Date.parse(startedAt))),
    );
    expect(one?.size).toBe(9);
    expect(one && other && differingOperations(one, other)).toEqual(new Set());
  });
});

test("a connection that is reset has no answer, in either way", async () => {
  await withServer(findModification("mutant", "weekly-candles-with-limit-reset"), async (transports) => {
    const { target, direct, network } = transports;
    const { subjects } = await openSession({ target, profile: "quick", seed: 1 });
    const body = { ...selectingRequest("GetHistoricalPrices", subjects), interval: "1W", limit: 5 };
    const request = buildRequest(target, "GetHistoricalPrices", body, { check: "reset" });
    for (const transport of [direct, network]) {
      const { response, failure } = await transport.unary(request, { id: "reset#0" });
      expect(response).toBeUndefined();
      expect(failure?.kind).toBe("reset");
    }
  });
});
