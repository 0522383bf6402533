import { describe, expect, test } from "vitest";
import { streamExchange } from "../evidence/exchange.fixture.js";
import { endStreamFlag } from "./envelope.js";
import { isThrottled, isThrottlingResponse, Pace, pauseAskedFor, Slots } from "./throttling.js";

describe("Slots", () => {
  test("serve who waits in order, and are given back after an error", async () => {
    const slots = new Slots(1);
    const order: number[] = [];
    const tasks = [1, 2, 3].map((number) =>
      slots.run(async () => {
        await new Promise(setImmediate);
        order.push(number);
        if (number === 1) throw new Error("one");
        return number;
      }),
    );
    const results = await Promise.allSettled(tasks);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(order).toEqual([1, 2, 3]);
  });
});

test("a task may go ahead of those that wait", async () => {
  const slots = new Slots(1);
  const order: number[] = [];
  const run = (number: number, ahead: boolean) => slots.run(async () => void order.push(number), { ahead });
  await Promise.all([run(1, false), run(2, false), run(3, true)]);
  expect(order).toEqual([1, 3, 2]);
});

test("nothing runs beside a task that runs alone", async () => {
  const slots = new Slots(3);
  const seen: [number, number][] = [];
  let running = 0;
  const run = (number: number, alone = false, ahead = false) =>
    slots.run(
      async () => {
        running++;
        await new Promise(setImmediate);
        seen.push([number, running]);
        running--;
      },
      { alone, ahead },
    );
  const tasks = [run(1), run(2), run(3, true), run(4, true), run(6)];
  await Promise.all([...tasks, run(5, false, true)]);
  expect(seen.map(([number]) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(seen.filter(([number]) => number === 3 || number === 4).map(([, beside]) => beside)).toEqual([1, 1]);
  expect(Math.max(...seen.map(([, beside]) => beside))).toBe(2);
});

describe("Pace", () => {
  test("does not hold anyone back without a rate", async () => {
    const pace = new Pace(undefined);
    let turns = 0;
    for (let turn = 0; turn < 100; turn++) void pace.turn().then(() => turns++);
    await Promise.resolve().then(() => {});
    expect(turns).toBe(100);
  });

  test("spaces requests, also when they come together", async () => {
    const pace = new Pace(100);
    const times = await Promise.all([1, 2, 3, 4].map(() => pace.turn().then(() => performance.now())));
    // A timer may be early by a millisecond, never by much; how late it is is not asserted.
    const [first = 0, , , last = 0] = times;
    expect(last - first).toBeGreaterThan(20);
  });

  test("is held by everyone when the target asks for it, until the signal aborts", async () => {
    const pace = new Pace(undefined);
    pace.hold(60_000);
    const abort = new AbortController();
    const turn = pace.turn(abort.signal);
    abort.abort();
    await expect(turn).rejects.toThrow();
  });
});

describe("pauseAskedFor", () => {
  const answer = (status: number, retryAfter?: string) => ({
    status,
    headers: retryAfter === undefined ? [] : ([["retry-after", retryAfter]] as const),
    body: "",
  });

  test.each([
    [answer(429, "2"), 0, 2_000],
    [answer(503, "0"), 2, 0],
    [answer(429), 0, 250],
    [answer(429), 2, 1_000],
    [answer(429, "soon"), 1, 500],
    [answer(429, new Date(0).toUTCString()), 0, 0],
    [answer(503), 1, 500],
    [answer(429, "31"), 0, undefined],
  ])("%j after %i retries: %s ms", (response, retries, pause) => {
    expect(pauseAskedFor(response, retries)).toBe(pause);
  });
});

test.each([
  [429, "", true],
  [503, "<html>", true],
  [200, ' {"code": "resource_exhausted", "message": "slow down"}', true],
  [502, '{"code":"unavailable","message":""}', true],
  [500, '{"code":"internal","message":"unavailable"}', false],
  [503, '{"code":"invalid_argument","message":"limit"}', false],
  [429, '{"code":"not_found"}', false],
  [503, '{"code":"unavailable"}', true],
  [503, '{"code":"constructor"}', true],
  [503, '{"message":"limit","code":"invalid_argument"}', false],
  [200, '{"orders":[]}', false],
  [502, "", false],
])("isThrottlingResponse: status %i with %j is %s", (status, body, asks) => {
  expect(isThrottlingResponse({ status, body })).toBe(asks);
});

test.each([
  ['{"error":{"code":"unavailable"}}', true],
  ['{"metadata":{},"error":{"message":"slow down","code":"resource_exhausted"}}', true],
  ['{"error":{"code":"internal","message":"unavailable"}}', false],
  ['{"metadata":{"error":["unavailable"]}}', false],
  ['{"error":"unavailable"}', false],
])("a stream that opens with the end %j asks for fewer requests: %s", (data, asks) => {
  expect(isThrottled(streamExchange({ frames: [{ at: 0, flags: endStreamFlag, data }] }))).toBe(asks);
});
