import { Code, ConnectError } from "@connectrpc/connect";
import { type JsonObject, objectsAt } from "../json.js";
import { type CallContext, type Layers, type Mutant, on, type StreamTerms } from "../modification.js";
import { documented, type Parameters } from "../parameters.js";
import { everyInterval, type Schedule } from "../schedule.js";

const rule = "get-open-positions-streaming";

/** Rules that judge the cadence of streams with an interval of 100 to 450 ms, whatever was asked for. */
const everyCadence = [
  `${rule}.interval-default`,
  `${rule}.interval-zero`,
  `${rule}.interval`,
  `${rule}.interval-clamped-up`,
] as const;

/** A stream that takes addresses otherwise. */
function takesAddress(normalise: (input: string) => string): Partial<Parameters> {
  return {
    address: (endpoint, input) =>
      endpoint === "GetOpenPositionsStreaming" ? normalise(input) : documented.address(endpoint, input),
  };
}

/** A stream that takes some requested intervals for others; `requestedMs` is undefined when the field was left out. */
function takesInterval(
  interval: (requestedMs: number | undefined, context: CallContext) => number | undefined,
): Layers["schedule"] {
  return ({ requestedMs }, context) => {
    const omitted = context.request.updateIntervalMs === undefined;
    const taken = interval(omitted ? undefined : requestedMs, context);
    return taken === undefined ? undefined : everyInterval(taken);
  };
}

/** A stream that refuses some requests. */
function refuses(
  test: (terms: StreamTerms, context: CallContext) => boolean,
  message: string,
  code = Code.InvalidArgument,
): Layers["schedule"] {
  return (terms, context) => {
    if (test(terms, context)) throw new ConnectError(message, code);
    return undefined;
  };
}

/** A stream whose messages list other positions, by their index. */
function lists(change: (positions: JsonObject[], context: CallContext) => JsonObject[]): Layers["response"] {
  return on("GetOpenPositionsStreaming", (json: JsonObject, context: CallContext) => ({
    ...json,
    positions: change(objectsAt(json, "positions"), context),
  }));
}

/** A stream with other order references on its positions. */
function refersToOrders(
  keeps: (position: number, positions: number, context: CallContext) => boolean,
): Layers["response"] {
  return lists((positions, context) => {
    for (const [index, position] of positions.entries()) {
      if (!keeps(index, positions.length, context)) delete position.associatedOrderIds;
    }
    return positions;
  });
}

/** A stream that ends after its tenth message. */
function endsAfterTen(ending: Schedule["ending"]): Layers["schedule"] {
  return () => ({ messages: 10, ending });
}

function inRange(requestedMs: number | undefined): requestedMs is number {
  return requestedMs !== undefined && requestedMs >= 100 && requestedMs <= 60_000;
}

function openPositionsOf({ dataset, effective }: CallContext): number {
  return dataset.wallets.get(String(effective.address))?.positions.filter(({ open }) => open).length ?? 0;
}

function isKnown({ dataset, effective }: CallContext): boolean {
  return dataset.wallets.has(String(effective.address));
}

/** Servers that break one rule of §4.2. */
export const getOpenPositionsStreaming: readonly Mutant[] = [
  {
    kind: "mutant",
    name: "stream-address-not-trimmed",
    summary: "The stream does not trim the address.",
    breaks: `${rule}.address-trimmed`,
    parameters: takesAddress((input) => input.toLowerCase()),
  },
  {
    kind: "mutant",
    name: "stream-address-trims-spaces-only",
    summary: "The stream trims spaces from the address, but no tabs and no line breaks.",
    breaks: `${rule}.address-trimmed`,
    parameters: takesAddress((input) => input.replace(/^ +| +$/g, "").toLowerCase()),
  },
  {
    kind: "mutant",
    name: "stream-address-trimmed-at-the-start-only",
    summary: "The stream trims the address at its start only.",
    breaks: `${rule}.address-trimmed`,
    parameters: takesAddress((input) => input.trimStart().toLowerCase()),
  },
  {
    kind: "mutant",
    name: "stream-address-case-sensitive",
    summary: "The stream matches the address with regard to case.",
    breaks: `${rule}.address-case-insensitive`,
    parameters: takesAddress((input) => input.trim()),
  },
  {
    kind: "mutant",
    name: "stream-address-of-one-case-only",
    summary: "The stream knows an address in lower case and in upper case, but not in mixed case.",
    breaks: `${rule}.address-case-insensitive`,
    parameters: takesAddress((input) => {
      const digits = input.trim().slice(2);
      return digits === digits.toUpperCase() ? `0x${digits.toLowerCase()}` : input.trim();
    }),
  },
  {
    kind: "mutant",
    name: "stream-adds-another-wallets-position",
    summary: "From the third message on the stream lists a position of another wallet too.",
    breaks: `${rule}.owner`,
    rows: {
      positions: (endpoint, rows, { messageIndex, dataset }) => {
        const owner = rows[0]?.owner;
        if (endpoint !== "GetOpenPositionsStreaming" || messageIndex < 2 || owner === undefined) return rows;
        const another = dataset.positions.find((position) => position.open && position.owner !== owner);
        return another ? [...rows, another] : rows;
      },
    },
  },
  {
    kind: "mutant",
    name: "stream-owner-is-somebody-else",
    summary: "Every fifth message of the stream names another owner on the wallet's last position.",
    breaks: `${rule}.owner`,
    alsoFails: [`${rule}.full-snapshot`, "relations.position-stored-state"],
    response: lists((positions, { messageIndex }) => {
      const last = positions.at(-1);
      if (last && messageIndex % 5 === 4) last.owner = `0x${"1".repeat(40)}`;
      return positions;
    }),
  },
  {
    kind: "mutant",
    name: "stream-default-500",
    summary: "The stream's default update interval is 500 ms.",
    breaks: `${rule}.interval-default`,
    alsoFails: [`${rule}.interval-zero`],
    parameters: { streamInterval: (requestedMs) => (requestedMs === 0 ? 500 : documented.streamInterval(requestedMs)) },
  },
  {
    kind: "mutant",
    name: "stream-default-300",
    summary: "Without an update interval the stream takes 300 ms.",
    breaks: `${rule}.interval-default`,
    schedule: takesInterval((requestedMs) => (requestedMs === undefined ? 300 : undefined)),
  },
  {
    kind: "mutant",
    name: "stream-default-100",
    summary: "Without an update interval the stream takes the least one, 100 ms.",
    breaks: `${rule}.interval-default`,
    parameters: { streamInterval: (requestedMs) => Math.min(Math.max(requestedMs, 100), 60_000) },
  },
  {
    kind: "mutant",
    name: "stream-only-when-changed",
    summary: "The stream sends a message only when something changed.",
    breaks: `${rule}.interval-default`,
    alsoFails: everyCadence.slice(1),
    schedule: () => ({ skipUnchanged: true }),
  },
  {
    kind: "mutant",
    name: "stream-falls-silent",
    summary: "Without an update interval the stream stays open after its tenth message, but sends no more.",
    breaks: `${rule}.interval-default`,
    schedule: (_terms, { request }) =>
      request.updateIntervalMs === undefined
        ? { at: (index) => (index < 10 ? index * 250 : Number.POSITIVE_INFINITY) }
        : undefined,
  },
  {
    kind: "mutant",
    name: "stream-drifts",
    summary: "Each gap between messages of the stream is 2 % longer than the one before.",
    breaks: `${rule}.interval`,
    alsoFails: everyCadence.filter((cadence) => cadence !== `${rule}.interval`),
    schedule: ({ effectiveMs }) => ({ at: (index) => effectiveMs * (index + 0.01 * index * index) }),
  },
  {
    kind: "mutant",
    name: "stream-zero-refused",
    summary: "The stream refuses an update interval of 0.",
    breaks: `${rule}.interval-zero`,
    schedule: refuses((_terms, { request }) => request.updateIntervalMs === 0, "updateIntervalMs must be positive"),
  },
  {
    kind: "mutant",
    name: "stream-zero-is-the-longest",
    summary: "The stream takes an update interval of 0 for the longest one.",
    breaks: `${rule}.interval-zero`,
    schedule: takesInterval((requestedMs) => (requestedMs === 0 ? 60_000 : undefined)),
  },
  {
    kind: "mutant",
    name: "stream-zero-floods",
    summary: "The stream takes an update interval of 0 for no pause at all.",
    breaks: `${rule}.interval-zero`,
    schedule: takesInterval((requestedMs) => (requestedMs === 0 ? 1 : undefined)),
  },
  {
    kind: "mutant",
    name: "stream-interval-ignored",
    summary: "The stream takes every update interval in the range for the default one.",
    breaks: `${rule}.interval`,
    schedule: takesInterval((requestedMs) => (inRange(requestedMs) ? 250 : undefined)),
  },
  {
    kind: "mutant",
    name: "stream-interval-in-whole-seconds",
    summary: "The stream rounds update intervals in the range up to whole seconds.",
    breaks: `${rule}.interval`,
    schedule: takesInterval((requestedMs) =>
      inRange(requestedMs) ? Math.ceil(requestedMs / 1_000) * 1_000 : undefined,
    ),
  },
  {
    kind: "mutant",
    name: "stream-interval-a-fifth-too-long",
    summary: "The stream waits a fifth longer than an update interval in the range.",
    breaks: `${rule}.interval`,
    schedule: takesInterval((requestedMs) => (inRange(requestedMs) ? requestedMs * 1.2 : undefined)),
  },
  {
    kind: "mutant",
    name: "stream-pauses-after-five",
    summary:
      "The stream keeps its update interval in the range, but pauses for twenty of them after every five messages.",
    breaks: `${rule}.interval`,
    schedule: ({ requestedMs, effectiveMs }) =>
      inRange(requestedMs) ? { at: (index) => effectiveMs * (index + 20 * Math.floor(index / 5)) } : undefined,
  },
  {
    kind: "mutant",
    name: "stream-interval-capped-at-two-seconds",
    summary: "The stream takes update intervals above 2 s, up to 60 s, for 2 s.",
    breaks: `${rule}.interval`,
    profile: "full",
    schedule: takesInterval((requestedMs) => (inRange(requestedMs) && requestedMs > 2_000 ? 2_000 : undefined)),
  },
  {
    kind: "mutant",
    name: "stream-interval-not-clamped-up",
    summary: "The stream takes update intervals below 100 ms as they are.",
    breaks: `${rule}.interval-clamped-up`,
    parameters: {
      streamInterval: (requestedMs) => (requestedMs === 0 ? 250 : Math.min(Math.max(requestedMs, 1), 60_000)),
    },
  },
  {
    kind: "mutant",
    name: "stream-interval-clamped-to-50",
    summary: "The stream clamps update intervals up to 50 ms.",
    breaks: `${rule}.interval-clamped-up`,
    parameters: {
      streamInterval: (requestedMs) => (requestedMs === 0 ? 250 : Math.min(Math.max(requestedMs, 50), 60_000)),
    },
  },
  {
    kind: "mutant",
    name: "stream-small-interval-refused",
    summary: "The stream refuses update intervals from 1 to 99 ms.",
    breaks: `${rule}.interval-clamped-up`,
    schedule: refuses(({ requestedMs }) => requestedMs > 0 && requestedMs < 100, "updateIntervalMs is out of range"),
  },
  {
    kind: "mutant",
    name: "stream-negative-interval-refused",
    summary: "The stream refuses negative update intervals.",
    breaks: `${rule}.interval-clamped-up`,
    schedule: refuses(({ requestedMs }) => requestedMs < 0, "updateIntervalMs is out of range"),
  },
  {
    kind: "mutant",
    name: "stream-negative-interval-is-default",
    summary: "The stream takes negative update intervals for the default one.",
    breaks: `${rule}.interval-clamped-up`,
    parameters: { streamInterval: (requestedMs) => (requestedMs < 0 ? 250 : documented.streamInterval(requestedMs)) },
  },
  {
    kind: "mutant",
    name: "stream-negative-interval-unsigned",
    summary: "The stream reads negative update intervals as unsigned, and takes the longest one.",
    breaks: `${rule}.interval-clamped-up`,
    parameters: { streamInterval: (requestedMs) => documented.streamInterval(requestedMs >>> 0) },
  },
  {
    kind: "mutant",
    name: "stream-interval-not-clamped-down",
    summary: "The stream takes update intervals above 60 s as they are.",
    breaks: `${rule}.interval-clamped-down`,
    profile: "full",
    parameters: { streamInterval: (requestedMs) => (requestedMs === 0 ? 250 : Math.max(requestedMs, 100)) },
  },
  {
    kind: "mutant",
    name: "stream-interval-clamped-to-30-seconds",
    summary: "The stream takes update intervals above 60 s for 30 s.",
    breaks: `${rule}.interval-clamped-down`,
    profile: "full",
    schedule: takesInterval((requestedMs) => ((requestedMs ?? 0) > 60_000 ? 30_000 : undefined)),
  },
  {
    kind: "mutant",
    name: "stream-large-interval-overflows",
    summary: "The stream's timer overflows for update intervals near the greatest int32, and messages come in a flood.",
    breaks: `${rule}.interval-clamped-down`,
    schedule: takesInterval((requestedMs) => ((requestedMs ?? 0) > 2_000_000_000 ? 1 : undefined)),
  },
  {
    kind: "mutant",
    name: "stream-large-interval-refused",
    summary: "The stream refuses update intervals above 60 s.",
    breaks: `${rule}.interval-clamped-down`,
    schedule: refuses(({ requestedMs }) => requestedMs > 60_000, "updateIntervalMs is out of range"),
  },
  {
    kind: "mutant",
    name: "stream-large-interval-is-default",
    summary: "The stream takes update intervals above 60 s for the default one.",
    breaks: `${rule}.interval-clamped-down`,
    schedule: takesInterval((requestedMs) => ((requestedMs ?? 0) > 60_000 ? 250 : undefined)),
  },
  {
    kind: "mutant",
    name: "stream-sends-diffs",
    summary: "After a full first message the stream lists only what changed since the one before.",
    breaks: `${rule}.full-snapshot`,
    response: lists((positions, { messageIndex }) => (messageIndex === 0 ? positions : [])),
  },
  {
    kind: "mutant",
    name: "stream-sends-one-position-at-a-time",
    summary: "After a full first message the stream lists one position of the wallet in each message, in turn.",
    breaks: `${rule}.full-snapshot`,
    response: lists((positions, { messageIndex }) =>
      messageIndex === 0 ? positions : positions.filter((_, index) => index === messageIndex % positions.length),
    ),
  },
  {
    kind: "mutant",
    name: "stream-first-message-empty",
    summary: "The stream's first message lists nothing; the positions come with the second one.",
    breaks: `${rule}.full-snapshot`,
    alsoFails: ["relations.open-positions-agree"],
    response: lists((positions, { messageIndex }) => (messageIndex === 0 ? [] : positions)),
  },
  {
    kind: "mutant",
    name: "stream-drops-a-position-now-and-then",
    summary: "Every tenth message of the stream lacks the wallet's last position.",
    breaks: `${rule}.full-snapshot`,
    response: lists((positions, { messageIndex }) => (messageIndex % 10 === 9 ? positions.slice(0, -1) : positions)),
  },
  {
    kind: "mutant",
    name: "stream-first-message-late",
    summary: "The stream's first message comes three seconds after the request.",
    breaks: `${rule}.first-message`,
    schedule: ({ effectiveMs }) => ({ at: (index) => 3_000 + index * effectiveMs }),
  },
  {
    kind: "mutant",
    name: "stream-first-message-after-an-interval",
    summary: "The stream's first message comes after one interval.",
    breaks: `${rule}.first-message`,
    schedule: ({ effectiveMs }) => ({ at: (index) => (index + 1) * effectiveMs }),
  },
  {
    kind: "mutant",
    name: "stream-first-message-after-a-sixth-of-an-interval",
    summary: "The stream's first message comes after a sixth of its interval.",
    breaks: `${rule}.first-message`,
    schedule: ({ effectiveMs }) => ({ at: (index) => (index + 1 / 6) * effectiveMs }),
  },
  {
    kind: "mutant",
    name: "stream-ends-after-ten",
    summary: "The stream ends after ten messages.",
    breaks: `${rule}.until-disconnect`,
    alsoFails: ["get-open-positions-streaming.no-open-positions"],
    schedule: endsAfterTen("end-frame"),
  },
  {
    kind: "mutant",
    name: "stream-fails-after-ten",
    summary: "The stream ends with an error after ten messages.",
    breaks: `${rule}.until-disconnect`,
    alsoFails: ["get-open-positions-streaming.no-open-positions"],
    schedule: endsAfterTen({ code: Code.Unavailable, message: "the session has expired" }),
  },
  {
    kind: "mutant",
    name: "stream-cut-after-ten",
    summary: "The stream closes without an end-of-stream frame after ten messages.",
    breaks: `${rule}.until-disconnect`,
    alsoFails: ["get-open-positions-streaming.no-open-positions"],
    schedule: endsAfterTen("cut"),
  },
  {
    kind: "mutant",
    name: "stream-reset-after-ten",
    summary: "The stream's connection is reset after ten messages.",
    breaks: `${rule}.until-disconnect`,
    schedule: endsAfterTen("reset"),
  },
  {
    kind: "mutant",
    name: "stream-ends-after-half-a-minute",
    summary: "The stream ends after half a minute.",
    breaks: `${rule}.until-disconnect`,
    profile: "full",
    schedule: ({ effectiveMs }) => ({ messages: 1 + Math.floor(30_000 / effectiveMs) }),
  },
  {
    kind: "mutant",
    name: "stream-without-order-references",
    summary: "The stream's positions carry no order references.",
    breaks: `${rule}.order-references`,
    response: refersToOrders(() => false),
  },
  {
    kind: "mutant",
    name: "stream-order-references-at-first-only",
    summary: "Only the stream's first message carries order references.",
    breaks: `${rule}.order-references`,
    response: refersToOrders((_position, _positions, { messageIndex }) => messageIndex === 0),
  },
  {
    kind: "mutant",
    name: "stream-last-position-without-order-references",
    summary: "From the second message on the wallet's last position carries no order references.",
    breaks: `${rule}.order-references`,
    response: refersToOrders((position, positions, { messageIndex }) => messageIndex === 0 || position < positions - 1),
  },
  {
    kind: "mutant",
    name: "stream-unknown-wallet-not-found",
    summary: "The stream of a wallet that nobody knows fails with not_found.",
    breaks: `${rule}.no-open-positions`,
    schedule: refuses((_terms, context) => !isKnown(context), "no such wallet", Code.NotFound),
  },
  {
    kind: "mutant",
    name: "stream-unknown-wallet-ends",
    summary: "The stream of a wallet that nobody knows ends after its first message.",
    breaks: `${rule}.no-open-positions`,
    alsoFails: ["get-open-positions-streaming.until-disconnect"],
    schedule: (_terms, context) => (isKnown(context) ? undefined : { messages: 1 }),
  },
  {
    kind: "mutant",
    name: "stream-unknown-wallet-gets-others-positions",
    summary: "The stream of a wallet that nobody knows lists positions of others.",
    breaks: `${rule}.no-open-positions`,
    alsoFails: ["get-open-positions-streaming.owner"],
    rows: {
      positions: (endpoint, rows, context) =>
        endpoint === "GetOpenPositionsStreaming" && !isKnown(context)
          ? context.dataset.positions.filter(({ open }) => open).slice(0, 3)
          : rows,
    },
  },
  {
    kind: "mutant",
    name: "stream-without-open-positions-ends",
    summary: "The stream of a known wallet ends when it has no open position.",
    breaks: `${rule}.no-open-positions`,
    alsoFails: ["get-open-positions-streaming.until-disconnect"],
    schedule: (_terms, context) => (isKnown(context) && openPositionsOf(context) === 0 ? { messages: 1 } : undefined),
  },
  {
    kind: "mutant",
    name: "stream-without-open-positions-silent",
    summary: "The stream of a known wallet without open positions stays open and sends nothing.",
    breaks: `${rule}.no-open-positions`,
    alsoFails: [`${rule}.first-message`],
    schedule: (_terms, context) =>
      isKnown(context) && openPositionsOf(context) === 0 ? { at: () => Number.POSITIVE_INFINITY } : undefined,
  },
];
