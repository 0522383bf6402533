import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { resolveTarget } from "../config/config.js";
import { createTransport } from "../connect/undici-transport.js";
import { asItIs, misbehaving } from "../e2e/misbehaving.fixture.js";
import { oddEverywhere, oddly } from "../judge/odd-json.fixture.js";
import { changedVerdicts } from "../prove/changed-verdicts.js";
import { Random } from "../reference/random.js";
import { startReferenceServer } from "../reference/server.js";
import { openEnvironment } from "../session/open-environment.js";
import { recordingTransport } from "../session/recording-transport.js";
import { runDirect } from "../session/run-direct.js";
import { openSession } from "../session/session.js";
import type { Session } from "../session/session-data.js";

/** What becomes of the body of an answer to a request, given as its whole text. */
type Change = (body: string, request: string) => string;

/** Most answers hold something odd: always the same for the same question. Discovery is left enough to find subjects. */
function anywhere(seed: number): Change {
  return (body, request) => {
    const [head = "", question] = request.split("\r\n\r\n");
    const random = new Random(seed, `${head.split("\r\n")[0]} ${question}`);
    return random.chance(head.includes("discovery#") || /check: discovery/i.test(head) ? 0.9 : 0.3)
      ? body
      : oddly(body, random);
  };
}

/** Fields of one kind hold something odd in all of an answer. */
const inFields: Readonly<Record<string, Change>> = {
  "counts that no double holds": (body) =>
    oddEverywhere(body, "totalCount|totalOrderCount|orderCount|levels|pageSize|limit|offset", "1e400"),
  "numbers that no double holds": (body) =>
    oddEverywhere(body, "\\w+Price|size|\\w+Size|leverage|tickDecimals|price|close|cumulativeTotal", "1e400"),
  "timestamps beyond any date": (body) => oddEverywhere(body, "timestamp", "8640000000000001"),
};

/** Each answer has one kind of odd fields: always the same for the same question. */
const byTurns: Change = (body, request) => {
  const [head = "", question] = request.split("\r\n\r\n");
  const random = new Random(1, `${head.split("\r\n")[0]} ${question}`);
  return random.pick(Object.values(inFields))(body, request);
};

const changes: readonly (readonly [string, Change])[] = [
  ["anything, anywhere", anywhere(1)],
  [`by turns ${Object.keys(inFields).join(", ")}`, byTurns],
  // More of them take minutes: `ODD_SEEDS=2,3,4`.
  ...(process.env.ODD_SEEDS === undefined ? [] : Object.entries(inFields)),
  ...(process.env.ODD_SEEDS?.split(",") ?? []).map(
    (seed) => [`anything, anywhere (${seed})`, anywhere(Number(seed))] as const,
  ),
];

/** As it is read from a record. */
function recorded(session: Session): Session {
  return JSON.parse(JSON.stringify(session));
}

test.each(changes)("%s, breaks no judge, and is judged alike from the record", async (_, change) => {
  const server = await startReferenceServer({ orders: 120 });
  const front = await misbehaving(server.port, {
    odd: {
      unary: (socket, answer, { head, body }) =>
        asItIs.unary(socket, {
          ...answer,
          body: Buffer.from(change(answer.body.toString(), `${head}\r\n\r\n${body}`)),
        }),
    },
  });
  try {
    const { target } = resolveTarget({ flags: { baseUrl: front.at("odd") }, env: {}, cwd: tmpdir() });
    const session = await openSession({ target, profile: "quick", seed: 1 });
    const { transport, exchanges } = recordingTransport(createTransport(target));
    const environment = openEnvironment(session, "trial", { transport, still: true, strength: 1 });
    const { results } = await runDirect(session, environment, { concurrency: 24, lane: "bulk" });
    await environment.close();
    expect(results.length).toBeGreaterThan(700);
    const broke = results.filter(({ message = "" }) => message.includes("the harness broke"));
    expect(new Map(broke.map(({ name, message }) => [message, name]))).toEqual(new Map());
    expect(await changedVerdicts(recorded(session), exchanges, results, 1)).toEqual([]);
  } finally {
    await front[Symbol.asyncDispose]();
    await server.close();
  }
});
