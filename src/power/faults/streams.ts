/** Faults of the stream of open positions (§4.2, §6). */
import { isMessage } from "../../connect/envelope.js";
import type { Exchange } from "../../connect/exchange.js";
import type { Json } from "../../connect/json.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import { streamIntervalMaxMs, streamIntervalMinMs } from "../../specification/limits.js";
import { withBodies, withContentType, withError, withFrames } from "../alter.js";
import type { AnswerView } from "../answer-view.js";
import type { FaultKind, FaultTemplate, ScopeName } from "../fault.js";
import { listIn, withField } from "../fields.js";
import { keyOfRow, type ObservedPlatform } from "../platform.js";
import { faultsOf, inAnswer, inBody, inEach } from "./define.js";

const endpoint = "GetOpenPositionsStreaming";
const operations = [endpoint] as const;
const usual: readonly ScopeName[] = ["one wallet", "another way to write"];

function stream(
  name: string,
  rule: RuleId,
  words: string,
  plant: (view: AnswerView, platform: ObservedPlatform) => Exchange | undefined,
  scopes: readonly ScopeName[] = usual,
  kind: FaultKind = "stream",
): FaultTemplate {
  return inAnswer(
    { name: `stream-${name}`, rule, kind, words: `the stream ${words}`, operations, scopes },
    (view, platform) => (view.answer.kind === "stream" ? plant(view, platform) : undefined),
  );
}

const inMessages = faultsOf(endpoint, inBody, { name: "stream", words: "the stream" });

/** Changes a stream's pace by a factor, keeping its jitter and number of messages. */
function paced(exchange: Exchange, factor: number): Exchange | undefined {
  const { frames = [] } = exchange;
  const [first] = frames;
  const last = frames.at(-1);
  if (!first || !last || frames.length < 3) return undefined;
  const gap = (last.at - first.at) / (frames.length - 1);
  const later = (index: number) => index * gap * (factor - 1);
  const made = frames.map((frame, index) => ({ ...frame, at: frame.at + later(index) }));
  const totalMs = exchange.timings.totalMs + later(frames.length - 1);
  return { ...exchange, frames: made, timings: { ...exchange.timings, totalMs } };
}

/** Which interval a request asks for, by the rule on the pace of the stream. */
const paces: readonly (readonly [
  name: string,
  rule: RuleId,
  words: string,
  where: (intervalMs: Json | undefined) => boolean,
])[] = [
  ["default", "get-open-positions-streaming.interval-default", "without an interval", (ms) => ms === undefined],
  ["zero", "get-open-positions-streaming.interval-zero", "with an interval of 0", (ms) => ms === 0],
  [
    "asked",
    "get-open-positions-streaming.interval",
    "with an interval",
    (ms) => typeof ms === "number" && ms >= streamIntervalMinMs && ms <= streamIntervalMaxMs,
  ],
  [
    "below",
    "get-open-positions-streaming.interval-clamped-up",
    "with an interval below 100",
    (ms) => typeof ms === "number" && ms !== 0 && ms < streamIntervalMinMs,
  ],
  [
    "above",
    "get-open-positions-streaming.interval-clamped-down",
    "with an interval above 60000",
    (ms) => typeof ms === "number" && ms > streamIntervalMaxMs,
  ],
];

const otherPaces = [
  ["half-as-often", "is half as fast as documented", 2],
  ["a-fifth-slower", "is a fifth slower than documented", 1.2],
  ["twice-as-often", "is twice as fast as documented", 0.5],
] as const;

const paceFaults: readonly FaultTemplate[] = paces.flatMap(([name, rule, words, where]) => [
  ...(name === "above" ? [] : otherPaces).map(([how, what, factor]) =>
    stream(
      `${name}-${how}`,
      rule,
      `${what} ${words}`,
      ({ exchange, request }) => (where(request.updateIntervalMs) ? paced(exchange, factor) : undefined),
      name === "default" ? ["one wallet"] : [],
    ),
  ),
  stream(
    `${name}-refused`,
    rule,
    `is refused ${words}`,
    ({ exchange, request }) => (where(request.updateIntervalMs) ? withError(exchange, "invalid_argument") : undefined),
    [],
    "refused",
  ),
]);

const ended = (exchange: Exchange, keep: number, end?: string): Exchange | undefined => {
  const frames = exchange.frames ?? [];
  if (frames.length <= keep) return undefined;
  const at = (frames[keep - 1]?.at ?? 0) + 1;
  return {
    ...exchange,
    frames: [...frames.slice(0, keep), ...(end === undefined ? [] : [{ at, flags: 2, data: end }])],
    ended: end === undefined ? "closed" : "end-frame",
  };
};

/** Faults of the stream. */
export const streamFaultTemplates: readonly FaultTemplate[] = [
  ...paceFaults,
  stream(
    "first-message-late",
    "get-open-positions-streaming.first-message",
    "waits before its first message",
    ({ exchange }) => withFrames(exchange, (frames) => frames.map((frame) => ({ ...frame, at: frame.at + 3_000 }))),
  ),
  stream(
    "ends-after-five",
    "get-open-positions-streaming.until-disconnect",
    "ends after five messages",
    ({ exchange }) => ended(exchange, 5, "{}"),
  ),
  stream(
    "ends-after-fifteen",
    "get-open-positions-streaming.until-disconnect",
    "ends after fifteen messages",
    ({ exchange }) => ended(exchange, 15, "{}"),
  ),
  stream(
    "closes-after-ten",
    "get-open-positions-streaming.until-disconnect",
    "closes the connection after ten messages",
    ({ exchange }) => ended(exchange, 10),
  ),
  stream(
    "fails-after-five",
    "get-open-positions-streaming.until-disconnect",
    "ends with internal after five messages",
    ({ exchange }) => ended(exchange, 5, '{"error":{"code":"internal","message":"broken"}}'),
  ),
  ...(
    [
      ["second-empty", "sends an empty second message", (index: number) => index === 1, () => true],
      ["later-empty", "sends empty messages after the first", (index: number) => index > 0, () => true],
      ["fifth-empty", "sends an empty message each fifth time", (index: number) => index % 5 === 4, () => true],
      [
        "one-lost-later",
        "loses a position after the first message",
        (index: number) => index > 0,
        (at: number) => at === 0,
      ],
      [
        "last-lost-each-third",
        "loses a position each third time",
        (index: number) => index % 3 === 2,
        (at: number, of: number) => at === of - 1,
      ],
      ["never-the-last", "never shows the oldest position", () => true, (at: number, of: number) => at === of - 1],
    ] as const
  ).map(([name, words, which, lost]) =>
    stream(
      name,
      "get-open-positions-streaming.full-snapshot",
      words,
      (view) =>
        withBodies(view, (body, message) => {
          const positions = listIn(body, "positions");
          const kept = positions.filter((_, at) => !lost(at, positions.length));
          return which(message) ? withField(body, "positions", kept) : body;
        }),
      usual,
      "row missing",
    ),
  ),
  inMessages(
    "foreign-position",
    "get-open-positions-streaming.owner",
    "foreign row",
    "shows another wallet's position",
    (body, { wallet }, { positions, open }) => {
      const shown = listIn(body, "positions");
      const foreign = positions.find(({ owner }) => owner !== wallet && open.size > 0);
      return wallet !== undefined && foreign && shown.length > 0
        ? withField(body, "positions", [...shown, foreign])
        : body;
    },
    [...usual, "two fields"],
  ),
  inMessages(
    "all-wallets",
    "get-open-positions-streaming.owner",
    "filter forgotten",
    "shows the positions of all wallets",
    (body, { wallet }, { positions }) =>
      wallet === undefined ? body : withField(body, "positions", positions.slice(0, 20)),
    ["one wallet", "two other fields"],
  ),
  inEach(
    "position",
    {
      name: "stream-without-references",
      rule: "get-open-positions-streaming.order-references",
      kind: "field missing",
      words: "the stream's positions have no references",
      operations,
      scopes: ["one wallet", "one market", "one side"],
    },
    (row) => (listIn(row, "associatedOrderIds").length > 0 ? withField(row, "associatedOrderIds", undefined) : row),
  ),
  inMessages(
    "closed-positions",
    "relations.open-positions-agree",
    "filter forgotten",
    "shows a closed position",
    (body, { wallet }, { positions, open }) => {
      const closed = positions.find((position) => position.owner === wallet && !open.has(keyOfRow(position)));
      return closed ? withField(body, "positions", [...listIn(body, "positions"), closed]) : body;
    },
    ["one wallet"],
  ),
  stream(
    "idle-ends",
    "get-open-positions-streaming.no-open-positions",
    "ends for a wallet without positions",
    ({ exchange, answer }) => (isIdle(answer) ? ended(exchange, 1, "{}") : undefined),
    [],
  ),
  stream(
    "idle-refused",
    "get-open-positions-streaming.no-open-positions",
    "is refused for a wallet without positions",
    ({ exchange, answer }) => (isIdle(answer) ? withError(exchange, "not_found") : undefined),
    [],
    "refused",
  ),
  stream(
    "idle-shows-another",
    "get-open-positions-streaming.no-open-positions",
    "shows another wallet's position for one without any",
    (view, { positions: [first] }) =>
      withBodies(view, (body) =>
        listIn(body, "positions").length === 0 && first ? withField(body, "positions", [first]) : body,
      ),
    [],
    "foreign row",
  ),
  stream("unknown-flag", "events.envelope", "marks messages as compressed", ({ exchange }) =>
    withFrames(exchange, (frames) => frames.map((frame) => (isMessage(frame) ? { ...frame, flags: 1 } : frame))),
  ),
  stream("cut-envelope", "events.envelope", "ends inside an envelope", ({ exchange }) => {
    const closed = ended(exchange, 2);
    const message = "the stream ended inside an envelope, after 3 bytes of it";
    return closed && { ...closed, framing: { kind: "truncated", message } };
  }),
  stream("not-json", "wire.json-object", "sends a message that is no JSON", ({ exchange }) =>
    withFrames(exchange, (frames) =>
      frames.map((frame, index) =>
        index === 2 && isMessage(frame) ? { ...frame, data: frame.data.slice(0, -1) } : frame,
      ),
    ),
  ),
  stream("as-plain-json", "wire.streaming-content-type", "has the content type of unary answers", ({ exchange }) =>
    withContentType(exchange, "application/json"),
  ),
  stream("without-content-type", "wire.streaming-content-type", "has no content type", ({ exchange }) =>
    withContentType(exchange, undefined),
  ),
];

function isIdle(answer: AnswerView["answer"]): boolean {
  return (
    answer.kind === "stream" &&
    answer.messages.length > 0 &&
    answer.messages.every((message) => listIn(message, "positions").length === 0)
  );
}
