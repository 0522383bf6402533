import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTransport, targetAt } from "../connect/hostile-server.fixture.js";
import { interpret } from "../connect/interpret.js";
import type { Outcome } from "../connect/outcome.js";
import { buildRequest } from "../connect/requests.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { type Misbehaving, misbehaving } from "./misbehaving.fixture.js";
import { type ExpectedOutcome, unaryCases } from "./unary-behaviours.fixture.js";

let reference: ReferenceServer;
let front: Misbehaving;
let right: Outcome | undefined;
beforeAll(async () => {
  reference = await startReferenceServer();
  const table = Object.fromEntries(
    Object.entries(unaryCases).map(([name, { behaviour }]) => [name, { unary: behaviour }]),
  );
  front = await misbehaving(reference.port, table);
  [right] = await ask(reference.url);
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await reference.close();
});

/** Asks once, or twice for a right answer. Only what is awaited to time out does so soon, also on a busy machine. */
async function ask(baseUrl: string, outcome: ExpectedOutcome = "same"): Promise<Outcome[]> {
  const target = targetAt(baseUrl, { timeoutMs: outcome === "timeout" ? 500 : 20_000 });
  // The second answer shows what the first has left behind.
  const times = outcome === "same" ? 2 : 1;
  await using transport = openTransport(target, { bodyLimit: 8 << 20, sampling: { body: 48 << 20 } });
  const outcomes: Outcome[] = [];
  while (outcomes.length < times) {
    const request = buildRequest(target, "GetAllOrders", { limit: 3 });
    outcomes.push(interpret(await transport.unary(request, { id: String(outcomes.length) })));
  }
  return outcomes;
}

function outcomeSeen(outcome: Outcome): ExpectedOutcome {
  if (outcome.kind === "failure") return outcome.failure;
  if (outcome.kind !== "success") return outcome.kind;
  return isDeepStrictEqual(outcome, right) ? "same" : "other";
}

describe("a client takes the answer of a server with", () => {
  test.each(Object.entries(unaryCases))("%s", async (name, { outcome }) => {
    const outcomes = await ask(front.at(name), outcome);
    expect(outcomes.map(outcomeSeen)).toEqual(outcomes.map(() => outcome));
  });
});
