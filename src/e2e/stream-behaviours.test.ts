import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Exchange } from "../connect/exchange.js";
import { openTransport, targetAt } from "../connect/hostile-server.fixture.js";
import { interpretStream } from "../connect/interpret.js";
import { buildRequest } from "../connect/requests.js";
import { positionsOf } from "../judge/read.js";
import { positionKey } from "../judge/read-stored.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { type Misbehaving, misbehaving } from "./misbehaving.fixture.js";
import { type ExpectedStreamOutcome, streamCases } from "./stream-behaviours.fixture.js";

let reference: ReferenceServer;
let front: Misbehaving;
let address = "";
let right = "";
beforeAll(async () => {
  reference = await startReferenceServer();
  const table = Object.fromEntries(
    Object.entries(streamCases).map(([name, { behaviour }]) => [name, { stream: behaviour }]),
  );
  front = await misbehaving(reference.port, table);
  address = reference.dataset.positions[0]?.owner ?? "";
  right = rowsOf(await watch(reference.url));
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await reference.close();
});

/** How long a stream is watched of which nothing is to come, and one of which something is: a busy machine takes its time. */
const SILENCE_MS = 1_200;
const LONG_ENOUGH_MS = 10_000;

/** Watches a stream for three messages. */
async function watch(baseUrl: string, ms = LONG_ENOUGH_MS): Promise<Exchange> {
  const target = targetAt(baseUrl, { timeoutMs: 1_500 });
  await using transport = openTransport(target);
  const request = buildRequest(target, "GetOpenPositionsStreaming", { address, updateIntervalMs: 100 });
  return await transport.stream(request, { id: "watched", until: { messages: 3, ms } });
}

function rowsOf(exchange: Exchange): string {
  const stream = interpretStream(exchange);
  return stream.kind === "stream"
    ? stream.messages.map(({ body }) => positionsOf(body).map(positionKey).join()).join(" | ")
    : "";
}

function outcomeSeen(exchange: Exchange): ExpectedStreamOutcome {
  const stream = interpretStream(exchange);
  if (stream.kind !== "stream")
    return stream.kind === "failure" ? stream.failure : stream.kind === "error" ? "error" : "malformed";
  const { problem, messages } = stream;
  if (problem?.kind === "framing") return problem.framing;
  if (problem?.kind === "failure") return `broken: ${problem.failure}`;
  if (problem) return problem.kind;
  if (exchange.ended !== "by-us") return exchange.ended ?? "closed";
  if (messages.length === 0) return "silence";
  return rowsOf(exchange) === right ? "same" : "other";
}

describe("a client takes a stream with", () => {
  test.each(Object.entries(streamCases))("%s", async (name, { outcome }) => {
    expect(right).not.toBe("");
    expect(outcomeSeen(await watch(front.at(name), outcome === "silence" ? SILENCE_MS : LONG_ENOUGH_MS))).toBe(outcome);
  });
});
