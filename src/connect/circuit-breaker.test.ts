import { expect, test } from "vitest";
import type { Endpoint } from "../specification/endpoints.js";
import { CircuitBreaker, type ReportOutcome, type RequestOutcome } from "./circuit-breaker.js";

const timeoutMs = 60_000;

const answered: RequestOutcome = { heard: true, totalMs: 5 };
const silent: RequestOutcome = {
  failure: { kind: "timeout", message: "no headers" },
  heard: false,
  totalMs: timeoutMs,
};
const flooded: RequestOutcome = { failure: { kind: "too-large", message: "too much" }, heard: true, totalMs: 100 };
const pleading: RequestOutcome = { heard: true, totalMs: 5, throttling: "HTTP 429" };
const refusedAtOnce: RequestOutcome = {
  failure: { kind: "unreachable", message: "refused" },
  heard: false,
  totalMs: 1,
};

async function admitted(breaker: CircuitBreaker, endpoint: Endpoint): Promise<ReportOutcome> {
  const given = await breaker.admit(endpoint);
  if (typeof given !== "function") throw new Error(given.message);
  return given;
}

/** Requests one after another, all of which come to the same. */
async function ask(breaker: CircuitBreaker, endpoint: Endpoint, times: number, ending: RequestOutcome): Promise<void> {
  for (let count = 0; count < times; count++) (await admitted(breaker, endpoint))(ending);
}

test.each([
  ["does not answer", silent],
  ["sends too much", flooded],
  ["goes on asking for fewer requests", pleading],
])("an operation that %s four times, and alone once more, is given up; others are not", async (_, ending) => {
  const breaker = new CircuitBreaker(timeoutMs);
  await ask(breaker, "GetOrders", 5, ending);
  expect(await breaker.admit("GetOrders")).toMatchObject({
    kind: "given-up",
    message: expect.stringMatching(/^not sent, since GetOrders had failed 5 times in a row: /),
  });
  expect(breaker.refusal("GetOrders")).toBeDefined();
  expect(breaker.refusal("GetPortfolio")).toBeUndefined();
  await ask(breaker, "GetPortfolio", 1, answered);
});

test("while one is tried alone the others wait, and go on when it is answered", async () => {
  const breaker = new CircuitBreaker(timeoutMs);
  await ask(breaker, "GetOrders", 4, silent);
  const alone = await admitted(breaker, "GetOrders");
  let waiting = 2;
  const others = [1, 2].map(async () => {
    const other = await admitted(breaker, "GetOrders");
    waiting--;
    other(answered);
  });
  await new Promise(setImmediate);
  expect(waiting).toBe(2);
  alone(answered);
  await Promise.all(others);
  await ask(breaker, "GetOrders", 3, silent);
  expect(breaker.refusal("GetOrders")).toBeUndefined();
});

test("one that was admitted and then not sent leaves its place to the next", async () => {
  const breaker = new CircuitBreaker(timeoutMs);
  await ask(breaker, "GetOrders", 4, silent);
  (await admitted(breaker, "GetOrders"))();
  (await admitted(breaker, "GetOrders"))(silent);
  expect(breaker.refusal("GetOrders")).toBeDefined();
});

test("several operations that fall silent one after another are the whole target", async () => {
  const breaker = new CircuitBreaker(timeoutMs);
  for (const endpoint of ["GetOrders", "GetPortfolio", "GetOrderBook"] as const)
    await ask(breaker, endpoint, 2, silent);
  // Three more, one at a time: it may be busy with others.
  await ask(breaker, "GetMarketConfigs", 1, silent);
  await ask(breaker, "GetOrders", 2, silent);
  expect(await breaker.admit("GetAllOrders")).toMatchObject({
    kind: "given-up",
    message: expect.stringContaining("the target had failed"),
  });
});

test("a target that was busy for some time limits has none of its operations given up when it answers again", async () => {
  const breaker = new CircuitBreaker(timeoutMs);
  await ask(breaker, "GetPortfolio", 1, silent);
  await ask(breaker, "GetOrderBook", 1, silent);
  await ask(breaker, "GetOrders", 4, silent);
  await ask(breaker, "GetOrders", 2, silent);
  expect(breaker.refusal("GetOrders")).toBeUndefined();
  await ask(breaker, "GetMarketConfigs", 1, answered);
  await ask(breaker, "GetOrders", 1, answered);
  await ask(breaker, "GetOrders", 3, silent);
});

test("a refusal is over after one time limit", async () => {
  const breaker = new CircuitBreaker(20);
  await ask(breaker, "GetOrders", 5, silent);
  expect(breaker.refusal("GetOrders")).toBeDefined();
  await new Promise((resolve) => setTimeout(resolve, 40));
  (await admitted(breaker, "GetOrders"))(answered);
  await ask(breaker, "GetOrders", 3, silent);
});

test("what costs nothing is asked on: a connection that is refused at once", async () => {
  const breaker = new CircuitBreaker(timeoutMs);
  await ask(breaker, "GetOrders", 50, refusedAtOnce);
  expect(breaker.refusal("GetOrders")).toBeUndefined();
});
