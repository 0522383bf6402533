import { expect, test } from "vitest";
import type { Exchange, HttpRequest } from "../connect/exchange.js";
import { exchangeOf } from "../engine/answers.fixture.js";
import { indexOf, recordedTransport } from "./recorded-transport.js";

const request: HttpRequest = exchangeOf("{}").request;
const named = (reading: string, body: string): Exchange => ({ ...exchangeOf(body), id: "a check#1", reading, request });

const exchanges = [named("a watch#1", "1"), named("a watch#2", "2"), named("a watch#3", "3")];
const own = indexOf({ exchanges });

async function answerTo(reading: string): Promise<string | undefined> {
  const transport = recordedTransport({ own, all: [own], inferred: () => undefined, planted: (exchange) => exchange });
  const { response, failure } = await transport.unary(request, { id: "another check#1", reading });
  return response?.body ?? failure?.kind;
}

test.each(["", "again: ", "once more: "])(
  "an attempt called '%s' sees what the first one saw, in the same order",
  async (prefix) => {
    expect(await Promise.all(exchanges.map((_, index) => answerTo(`${prefix}a watch#${index + 1}`)))).toEqual([
      "1",
      "2",
      "3",
    ]);
  },
);

test("what is asked for under another name is answered as the first time that it was asked", async () => {
  expect(await answerTo("something else#1")).toBe("1");
});
