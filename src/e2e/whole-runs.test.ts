import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../reference/random.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import type { Endpoint } from "../specification/endpoints.js";
import { SMALL } from "./binary.fixture.js";
import { runMeasured } from "./measured.fixture.js";
import { asItIs, type Behaviour, type Misbehaving, misbehaving, type UnaryBehaviour } from "./misbehaving.fixture.js";
import { streamCases } from "./stream-behaviours.fixture.js";
import { unaryCases } from "./unary-behaviours.fixture.js";

/** What a run may hold in memory, whatever the target does. */
const PEAK_MB = 512;

/** All of them take an hour on two cores: `HOSTILE_RUNS=all`, or a part of a name. Otherwise a few, of two suites. */
const chosen = process.env.HOSTILE_RUNS ?? "";
const selection = chosen === "" ? ["--suite", "§4.1 GetAllPositions", "--suite", "§4.9 GetMarketIdByName"] : [];

/**
 * What a quick run comes to: conformant; no rule failed, though the run says too little; or a rule failed. A run on right data
 * never fails a rule.
 */
type Ends = "conformant" | "undecided" | "not conformant";

interface WholeRun {
  readonly behaviour: string;
  /** The one operation that behaves so; all of them when absent. */
  readonly on?: Endpoint;
  readonly ends: Ends;
  /** Made in each run of the tests. */
  readonly always?: true;
}

/** Some of the requests, a share of them, come to this. */
const sometimes =
  (share: number, does: UnaryBehaviour): UnaryBehaviour =>
  (socket, answer, asked) =>
    (new Random(asked.count, "sometimes").chance(share) ? does : asItIs.unary)(socket, answer, asked);
/** Requests from one to another come to this. */
const between =
  (from: number, to: number, does: UnaryBehaviour): UnaryBehaviour =>
  (socket, answer, asked) =>
    (asked.count >= from && asked.count < to ? does : asItIs.unary)(socket, answer, asked);
/** From a request on, for so many milliseconds, all come to this. */
function forAWhile(from: number, ms: number, does: UnaryBehaviour): UnaryBehaviour {
  let until: number | undefined;
  return (socket, answer, asked) => {
    if (asked.count >= from) until ??= Date.now() + ms;
    (until !== undefined && Date.now() < until ? does : asItIs.unary)(socket, answer, asked);
  };
}
const reset: UnaryBehaviour = (socket) => void socket.resetAndDestroy();
const silent: UnaryBehaviour = () => {};
const busy: UnaryBehaviour = (socket) =>
  void socket.write("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n");

const badGateway: UnaryBehaviour = (socket) =>
  void socket.write("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>");

/** What happens now and then, or from some time on. */
const overTime: Readonly<Record<string, Behaviour>> = {
  "a reset of one connection in twenty": { unary: sometimes(0.05, reset) },
  "silence to one request in a hundred": { unary: sometimes(0.01, silent) },
  "429 to one request in ten": { unary: sometimes(0.1, busy) },
  "429 to half of the requests": { unary: sometimes(0.5, busy) },
  "a target that dies for good": { unary: between(400, Number.POSITIVE_INFINITY, reset) },
  "a target that falls silent for good": { unary: between(400, Number.POSITIVE_INFINITY, silent) },
  "a target that is gone for three seconds": { unary: forAWhile(400, 3_000, reset) },
  "a gateway whose target is gone for three seconds": { unary: forAWhile(400, 3_000, badGateway) },
  "a target that is silent for three seconds": { unary: forAWhile(400, 3_000, silent) },
};

const right = (behaviour: string, on?: Endpoint): WholeRun => ({ behaviour, ...(on && { on }), ends: "conformant" });
const unknown = (behaviour: string, on?: Endpoint): WholeRun => ({ behaviour, ...(on && { on }), ends: "undecided" });
const wrong = (behaviour: string, on?: Endpoint): WholeRun => ({
  behaviour,
  ...(on && { on }),
  ends: "not conformant",
});

const runs: readonly WholeRun[] = [
  right("a chunk for each byte"),
  right("chunks with trailers"),
  right("chunks with extensions"),
  right("HTTP/1.0, closed"),
  right("no length, until it closes"),
  right("a pause between head and body"),
  { ...right("102, 103 and 100 by turns"), always: true },
  right("100 Continue a byte at a time"),
  right("three hundred headers"),
  right("headers many times over"),
  right("the offer of another protocol"),
  right("gzip"),
  right("two codings one over the other"),
  right("blanks around the JSON"),
  right("closes after each answer, and does not say so"),
  right("closes a moment after each answer"),
  right("offers to keep connections for no time"),
  right("a timeout that nobody asked about, on an idle connection"),
  right("garbage after it"),
  right("messages byte by byte"),
  right("messages in two parts with a pause"),
  right("HTTP/1.0"),
  right("informational answers before it"),
  right("a length of many gigabytes"),
  right("a reset of one connection in twenty"),
  right("429 to one request in ten"),
  right("silence to one request in a hundred"),
  right("a target that is gone for three seconds"),
  right("a gateway whose target is gone for three seconds"),
  right("a target that is silent for three seconds"),
  { ...unknown("ten thousand headers"), always: true },
  unknown("a header of 1 MB", "GetAllPositions"),
  right("429 to half of the requests"),
  unknown("429 for ever"),
  unknown("503 and a pause of an hour"),
  unknown("silence"),
  unknown("silence", "GetOrders"),
  wrong("headers, and then silence"),
  unknown("a target that dies for good"),
  unknown("a target that falls silent for good"),
  unknown("2 GB", "GetAllOrders"),
  unknown("a gzip bomb", "GetOrders"),
  unknown("an array without end", "GetOrders"),
  { ...unknown("a body without end, in chunks of a byte", "GetAllPositions"), always: true },
  unknown("100 Continue as fast as it can", "GetPortfolio"),
  unknown("a million rows in a row", "GetAllPositions"),
  wrong("a million empty rows", "GetAllOrders"),
  wrong("two million zeros for rows", "GetAllPositions"),
  unknown("a million members", "GetMarketConfigs"),
  wrong("messages of 7 MB"),
  wrong("a hundred thousand messages at once"),
  wrong("a byte order mark", "GetAllOrders"),
  right("a number that no double holds", "GetAllOrders"),
  wrong("a number that no double holds", "GetOpenPositionsStreaming"),
  wrong("no media type"),
  wrong("a page under the right media type", "GetMarketIdByName"),
  wrong("compressed messages"),
  wrong("an end without the last frame"),
];

let reference: ReferenceServer;
let front: Misbehaving;
beforeAll(async () => {
  reference = await startReferenceServer(SMALL);
  const unary = Object.entries(unaryCases).map(([name, { behaviour }]): [string, Behaviour] => [
    name,
    { unary: behaviour },
  ]);
  const streams = Object.entries(streamCases).map(([name, { behaviour }]): [string, Behaviour] => [
    name,
    { stream: behaviour },
  ]);
  const both = new Map<string, Behaviour>();
  for (const [name, behaviour] of [...unary, ...streams, ...Object.entries(overTime)]) {
    both.set(name, { ...both.get(name), ...behaviour });
  }
  front = await misbehaving(reference.port, Object.fromEntries(both));
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await reference.close();
});

const exitCodes: Readonly<Record<Ends, readonly number[]>> = {
  conformant: [0],
  undecided: [3, 4],
  "not conformant": [1],
};

describe("a quick run of a target with", () => {
  const made = runs.filter(
    ({ behaviour, always }) => always || chosen === "all" || (chosen !== "" && behaviour.includes(chosen)),
  );
  test.each(made)("$behaviour, on $on", { timeout: 900_000 }, async ({ behaviour, on, ends }) => {
    const started = Date.now();
    const run = await runMeasured([
      "run",
      "--base-url",
      front.at(behaviour, on),
      "--timeout",
      "3000",
      "--seed",
      "1",
      "--no-report",
      "--quiet",
      ...selection,
    ]);
    const seconds = (Date.now() - started) / 1000;
    const { rules, requests } = await run.results();
    const failed = rules.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
    const again = await runMeasured(["rejudge", run.out]);
    if (chosen !== "") {
      const facts = [
        run.code,
        `${Math.round(run.peakMb)} MB, again ${Math.round(again.peakMb)} MB`,
        `${Math.round(seconds)} s`,
        `${requests.count} requests`,
        failed.join(),
      ];
      process.stderr.write(`${behaviour}, ${on ?? "all"}: ${facts.join(", ")}\n${run.stderr}`);
    }
    if (ends !== "not conformant") expect(failed).toEqual([]);
    expect(exitCodes[ends]).toContain(run.code);
    expect(Math.max(run.peakMb, again.peakMb)).toBeLessThan(PEAK_MB);
    // Where nothing is this API there is nothing to judge, and no evidence of it.
    const judged = rules.some(({ verdict }) => verdict !== "notRun");
    if (judged) expect(again.stdout).toContain("The same verdict for each of");
    else
      expect({ code: run.code, told: again.stderr }).toEqual({
        code: 3,
        told: expect.stringContaining("no sealed evidence"),
      });
    expect(again.stdout).not.toMatch(/->/);
  });
});
