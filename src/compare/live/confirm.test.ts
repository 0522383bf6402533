import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../connect/json.js";
import { stringify } from "../../connect/json.js";
import type { PlannedRequest } from "../../exploration/planned-request.js";
import type { LiveAnswer, PairedAnswer } from "./ask-both.js";
import { confirmed } from "./confirm.js";
import { differencesBetween } from "./differences.js";
import type { PairedRequest } from "./requests.js";

type Server = (body: JsonObject) => JsonObject | "lost" | undefined;

/** Two servers, by what they answer; undefined is a refusal, and "lost" an answer that does not arrive. */
function asking(...servers: readonly [Server, Server]) {
  let asked = 0;
  const answerOf = (server: Server, { body }: PlannedRequest): LiveAnswer => {
    const request = {
      endpoint: "GetOrderBook" as const,
      method: "POST",
      url: "http://h/",
      headers: [],
      body: stringify(body),
    };
    const answer = server(body as JsonObject);
    if (answer === "lost") return { kind: "unknown", request };
    return answer
      ? { kind: "success", body: answer, request, status: 200 }
      : { kind: "error", code: "invalid_argument", message: "no", members: ["code"], request, status: 400 };
  };
  return {
    get asked() {
      return asked;
    },
    pause: async () => {},
    ask: async (paired: PairedRequest): Promise<PairedAnswer> => {
      asked++;
      return {
        ...paired,
        answers: [answerOf(servers[0], paired.requests[0]), answerOf(servers[1], paired.requests[1])],
      };
    },
  };
}

/** What is left of the differences that the servers show to a request, once it was looked at again. */
async function found(body: JsonObject, ...servers: readonly [Server, Server]) {
  const both = asking(...servers);
  const planned = { body: body as PlannedRequest["body"], headers: { "Connect-Timeout-Ms": "5000" } };
  const first = await both.ask({ endpoint: "GetOrderBook", requests: [planned, planned], same: true });
  return confirmed(differencesBetween([first], true), both, new AbortController().signal);
}

const book = (timestamp: Json): JsonObject => ({ orderBook: { marketId: "1", pageSize: 50, timestamp } });

test("a difference is shown by the fewest fields that show it", async () => {
  const asked = { market: { marketId: "1" }, tickSize: 0, levels: 3, totalOrderCount: 1 };
  const [group, ...others] = await found(
    asked,
    () => book("2026-01-01T00:00:00Z"),
    ({ tickSize }) => (tickSize === 0 ? undefined : book("2026-01-01T00:00:00Z")),
  );
  expect(others).toEqual([]);
  expect([group?.kind, group?.each]).toEqual(["outcome", ["a success", "the error invalid_argument"]]);
  expect(group?.example.requests[1]).toEqual({ body: { market: { marketId: "1" }, tickSize: 0 }, headers: {} });
});

test("what is gone at a second look is no difference", async () => {
  let times = 0;
  const groups = await found(
    { market: { marketId: "1" } },
    () => book("2026-01-01T00:00:00Z"),
    () => (times++ === 0 ? undefined : book("2026-01-01T00:00:00Z")),
  );
  expect(groups).toEqual([]);
});

test.each([
  ["is refused", undefined, []],
  ["does not arrive", "lost", ["value"]],
] as const)("a value is not said to move if its second reading %s", async (_, second, kinds) => {
  let times = 0;
  const groups = await found(
    { market: { marketId: "1" } },
    () => book("2026-01-01T00:00:00Z"),
    () => (times++ === 0 ? book("2026-01-01T00:00:01Z") : second),
  );
  expect(groups.map(({ kind }) => kind)).toEqual(kinds);
});

test("values that move are said to move, and others stay beside them", async () => {
  let second = 0;
  const clock: Server = () => book(`2026-01-01T00:00:${String(++second).padStart(2, "0")}Z`);
  const groups = await found({ market: { marketId: "1" } }, clock, (body) => {
    const { orderBook } = clock(body) as unknown as { orderBook: JsonObject };
    return { orderBook: { ...orderBook, pageSize: 49 } };
  });
  expect(groups.map(({ kind, places, each }) => [kind, places[0]?.place, ...each])).toEqual([
    ["value", "orderBook.pageSize", "50", "49"],
    ["moving", "orderBook.timestamp", "changes between two readings", "changes between two readings"],
  ]);
});
