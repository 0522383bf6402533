import { expect, test } from "vitest";
import type { Exchange } from "../connect/exchange.js";
import { unaryExchange } from "../evidence/exchange.fixture.js";
import { inMemory, replayTransport } from "./replay-transport.js";

const CHECK = "a-rule on GetOrders: page #2";

/** An exchange of the check that asked for an offset. */
function asked(number: number, offset: number, answer: string): Exchange {
  const { request, response, ...rest } = unaryExchange();
  return {
    ...rest,
    id: `${CHECK}#${number}`,
    request: { ...request, body: `{"offset":${offset}}` },
    response: { status: 200, headers: [], bytes: 2, ...response, body: answer },
  };
}

/** What a record answers to requests that are sent in this order, each with the offset that it asks for. */
async function replayed(recorded: Exchange[], offsets: number[], check = CHECK): Promise<(string | undefined)[]> {
  const transport = replayTransport(inMemory(new Map(recorded.map((exchange) => [exchange.id, exchange]))));
  const answers = offsets.map((offset, index) =>
    transport.unary(asked(0, offset, "").request, { id: `${check}#${index + 1}` }),
  );
  return (await Promise.all(answers)).map(({ response, failure }) => response?.body ?? failure?.message);
}

const record = [asked(1, 0, "first"), asked(2, 50, "page"), asked(3, 0, "again")];

test("a record answers what was asked, also when it is asked in another order", async () => {
  expect(await replayed(record, [0, 50, 0])).toEqual(["first", "page", "again"]);
  expect(await replayed(record, [50, 0, 0])).toEqual(["page", "first", "again"]);
});

test("the same request is answered in the order in which it was sent, not in that in which answers came", async () => {
  expect(await replayed([...record].reverse(), [0, 0])).toEqual(["first", "again"]);
});

test("a read that several checks share is found again, whichever of them asks first", async () => {
  const inSharedRead = (exchange: Exchange, position: number) => ({ ...exchange, reading: `two pages#${position}` });
  const transport = replayTransport(
    inMemory(new Map(record.map((exchange, index) => [exchange.id, inSharedRead(exchange, index + 1)]))),
  );
  const ask = async (id: string, reading?: string) =>
    (await transport.unary(asked(0, 0, "").request, { id, ...(reading && { reading }) })).response?.body;
  expect(await ask(`${CHECK}#1`)).toBeUndefined();
  expect(await ask("another rule#shared-1", "two pages#1")).toBe("first");
  expect(await ask("another rule#shared-2", "two pages#2")).toBe("again");
});

test("repeated requests keep their order where others come before them on replay", async () => {
  const inTurns = [0, 50, 0, 50, 100, 150].map((offset, index) => asked(index + 1, offset, `${offset}, ${index >> 1}`));
  const answers = await replayed(inTurns, [100, 150, 0, 50, 0, 50]);
  expect(answers).toEqual(["100, 2", "150, 2", "0, 0", "50, 0", "0, 1", "50, 1"]);
});

test("the same request with other headers has an answer of its own", async () => {
  const timeout = (exchange: Exchange): Exchange => ({
    ...exchange,
    request: { ...exchange.request, headers: [...exchange.request.headers, ["Connect-Timeout-Ms", "30000"]] },
  });
  const both = [asked(1, 0, "plain"), timeout(asked(2, 0, "with a timeout"))];
  const transport = replayTransport(inMemory(new Map(both.map((exchange) => [exchange.id, exchange]))));
  const ask = async (exchange: Exchange, number: number) =>
    (await transport.unary({ ...exchange.request, body: `{"offset":0}` }, { id: `${CHECK}#${number}` })).response?.body;
  expect(await ask(timeout(asked(0, 0, "")), 1)).toBe("with a timeout");
  expect(await ask(asked(0, 0, ""), 2)).toBe("plain");
});

test("what was not recorded, not so often, or by another check, has no answer", async () => {
  expect(await replayed(record, [100])).toEqual([
    `${CHECK}#1 cannot be judged again: it was recorded with another request`,
  ]);
  expect((await replayed(record, [50, 50]))[1]).toContain("cannot be judged again");
  expect(await replayed(record, [0], "another")).toEqual(["another#1 cannot be judged again: it is not in the record"]);
});

test("answers to requests in flight come in the order in which they came during the run", async () => {
  const ended = (exchange: Exchange, totalMs: number): Exchange => ({
    ...exchange,
    timings: { ...exchange.timings, totalMs },
  });
  const all = [ended(asked(1, 0, "slow"), 90), ended(asked(2, 50, "fast"), 10), ended(asked(3, 100, "next"), 30)];
  const transport = replayTransport(inMemory(new Map(all.map((exchange) => [exchange.id, exchange]))));
  const came: (string | undefined)[] = [];
  const ask = async (offset: number) => {
    const { response } = await transport.unary(asked(0, offset, "").request, { id: `${CHECK}#1` });
    came.push(response?.body);
  };
  await Promise.all([ask(0), ask(50).then(() => ask(100))]);
  expect(came).toEqual(["fast", "next", "slow"]);
});
