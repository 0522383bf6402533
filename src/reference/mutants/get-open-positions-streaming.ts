import { Code, ConnectError } from "@connectrpc/connect";
import { type MutableJsonObject, objectsAt } from "../json.js";
import { breaking, type CallContext, type Interceptors, type Mutant, on, type StreamTerms } from "../modification.js";
import { addressesOf, documented } from "../parameters.js";
import { walletOf } from "../resource-interceptors.js";
import { everyInterval, type Schedule } from "../schedule.js";

const rule = "get-open-positions-streaming";

/** Rules that judge the cadence of streams at intervals of 100 to 450 ms, whatever was requested. */
const everyCadence = [
  `${rule}.interval-default`,
  `${rule}.interval-zero`,
  `${rule}.interval`,
  `${rule}.interval-clamped-up`,
] as const;

/** Changes the interval for some requests; `requestedMs` is undefined when the field was omitted. */
function takesInterval(
  interval: (requestedMs: number | undefined, context: CallContext) => number | undefined,
): Interceptors["schedule"] {
  return ({ requestedMs }, context) => {
    const omitted = context.request.updateIntervalMs === undefined;
    const taken = interval(omitted ? undefined : requestedMs, context);
    return taken === undefined ? undefined : everyInterval(taken);
  };
}

/** Changes the interval for requests of one within the documented range. */
function takesIntervalInRange(interval: (requestedMs: number) => number | undefined): Interceptors["schedule"] {
  return takesInterval((requestedMs) => (inRange(requestedMs) ? interval(requestedMs) : undefined));
}

/** Refuses some requests. */
function refuses(
  test: (terms: StreamTerms, context: CallContext) => boolean,
  message: string,
  code = Code.InvalidArgument,
): Interceptors["schedule"] {
  return (terms, context) => {
    if (test(terms, context)) throw new ConnectError(message, code);
    return undefined;
  };
}

/** Changes the positions in each message. */
function lists(
  change: (positions: MutableJsonObject[], context: CallContext) => MutableJsonObject[],
): Interceptors["response"] {
  return on("GetOpenPositionsStreaming", (json, context) => ({
    ...json,
    positions: change(objectsAt(json, "positions"), context),
  }));
}

/** Keeps order references only on some positions, chosen by index. */
function refersToOrders(
  keeps: (position: number, positions: number, context: CallContext) => boolean,
): Interceptors["response"] {
  return lists((positions, context) => {
    for (const [index, position] of positions.entries()) {
      if (!keeps(index, positions.length, context)) delete position.associatedOrderIds;
    }
    return positions;
  });
}

/** Ends the stream after ten messages. */
function endsAfterTen(ending: Schedule["ending"]): Interceptors["schedule"] {
  return () => ({ messages: 10, ending });
}

function inRange(requestedMs: number | undefined): requestedMs is number {
  return requestedMs !== undefined && requestedMs >= 100 && requestedMs <= 60_000;
}

function openPositionsOf(context: CallContext): number {
  return walletOf(context).positions.filter(({ open }) => open).length;
}

/** Whether no wallet has more open positions. */
function isLargest(context: CallContext): boolean {
  const counts = [...context.dataset.wallets.values()].map(
    ({ positions }) => positions.filter(({ open }) => open).length,
  );
  return openPositionsOf(context) === Math.max(...counts);
}

function isKnown({ dataset, effective }: CallContext): boolean {
  return dataset.wallets.has(String(effective.address));
}

/** Servers that break one rule of §4.2. */
export const getOpenPositionsStreaming: readonly Mutant[] = [
  ...breaking("get-open-positions-streaming.address-trimmed", {
    "stream-address-not-trimmed": {
      summary: "The stream does not trim the address.",
      parameters: addressesOf("GetOpenPositionsStreaming", (input) => input.toLowerCase()),
    },
    "stream-address-trims-spaces-only": {
      summary: "The stream trims spaces from the address, but no tabs and no line breaks.",
      parameters: addressesOf("GetOpenPositionsStreaming", (input) => input.replace(/^ +| +$/g, "").toLowerCase()),
    },
    "stream-address-trimmed-at-the-start-only": {
      summary: "The stream trims the address at its start only.",
      parameters: addressesOf("GetOpenPositionsStreaming", (input) => input.trimStart().toLowerCase()),
    },
  }),

  ...breaking("get-open-positions-streaming.address-case-insensitive", {
    "stream-address-case-sensitive": {
      summary: "The stream matches the address case-sensitively.",
      parameters: addressesOf("GetOpenPositionsStreaming", (input) => input.trim()),
    },
    "stream-address-of-one-case-only": {
      summary: "The stream knows an address in lower case and in upper case, but not in mixed case.",
      parameters: addressesOf("GetOpenPositionsStreaming", (input) => {
        const digits = input.trim().slice(2);
        return digits === digits.toUpperCase() ? `0x${digits.toLowerCase()}` : input.trim();
      }),
    },
  }),

  ...breaking("get-open-positions-streaming.owner", {
    "stream-adds-another-wallets-position": {
      summary: "From the third message on the stream lists a position of another wallet too.",
      alsoFails: [`${rule}.full-snapshot`, "relations.open-positions-agree"],
      rows: {
        positions: (endpoint, rows, { messageIndex, dataset }) => {
          const owner = rows[0]?.owner;
          if (endpoint !== "GetOpenPositionsStreaming" || messageIndex < 2 || owner === undefined) return rows;
          const another = dataset.positions.find((position) => position.open && position.owner !== owner);
          return another ? [...rows, another] : rows;
        },
      },
    },
    "stream-owner-is-somebody-else": {
      summary: "Every fifth message of the stream names another owner on the wallet's last position.",
      alsoFails: [`${rule}.full-snapshot`, "relations.position-stored-state"],
      response: lists((positions, { messageIndex }) => {
        const last = positions.at(-1);
        if (last && messageIndex % 5 === 4) last.owner = `0x${"1".repeat(40)}`;
        return positions;
      }),
    },
  }),

  ...breaking("get-open-positions-streaming.interval-default", {
    "stream-default-500": {
      summary: "The stream's default update interval is 500 ms.",
      alsoFails: [`${rule}.interval-zero`],
      parameters: {
        streamInterval: (requestedMs) => (requestedMs === 0 ? 500 : documented.streamInterval(requestedMs)),
      },
    },
    "stream-default-300": {
      summary: "Without an update interval the stream takes 300 ms.",
      schedule: takesInterval((requestedMs) => (requestedMs === undefined ? 300 : undefined)),
    },
    "stream-default-100": {
      summary: "Without an update interval the stream takes the least one, 100 ms.",
      parameters: { streamInterval: (requestedMs) => Math.min(Math.max(requestedMs, 100), 60_000) },
    },
    "stream-only-when-changed": {
      summary: "The stream sends a message only when something changed.",
      alsoFails: everyCadence.slice(1),
      schedule: () => ({ skipUnchanged: true }),
    },
    "stream-falls-silent": {
      summary: "Without an update interval the stream stays open after its tenth message, but sends no more.",
      schedule: (_terms, { request }) =>
        request.updateIntervalMs === undefined
          ? { at: (index) => (index < 10 ? index * 250 : Number.POSITIVE_INFINITY) }
          : undefined,
    },
  }),

  ...breaking("get-open-positions-streaming.interval", {
    "stream-drifts": {
      summary: "Each gap between messages of the stream is 2 % longer than the one before.",
      alsoFails: everyCadence.filter((cadence) => cadence !== `${rule}.interval`),
      schedule: ({ effectiveMs }) => ({ at: (index) => effectiveMs * (index + 0.01 * index * index) }),
    },
    "stream-interval-ignored": {
      summary: "The stream takes every update interval in the range for the default one.",
      schedule: takesIntervalInRange(() => 250),
    },
    "stream-interval-in-whole-seconds": {
      summary: "The stream rounds update intervals in the range up to whole seconds.",
      schedule: takesIntervalInRange((requestedMs) => Math.ceil(requestedMs / 1_000) * 1_000),
    },
    "stream-interval-above-half-a-second-is-a-second": {
      summary: "The stream takes update intervals of more than half a second, up to a second, for a second.",
      schedule: takesIntervalInRange((requestedMs) => (requestedMs > 500 && requestedMs < 1_000 ? 1_000 : undefined)),
    },
    "stream-interval-capped-at-5-seconds": {
      summary: "The stream takes update intervals of 5 to 60 s for 5 s.",
      schedule: takesIntervalInRange((requestedMs) => Math.min(requestedMs, 5_000)),
    },
    "stream-interval-a-fifth-too-long": {
      summary: "The stream waits a fifth longer than an update interval in the range.",
      schedule: takesIntervalInRange((requestedMs) => requestedMs * 1.2),
    },
    "stream-of-the-largest-wallet-40-ms-late": {
      summary: "The stream of the wallet with the most open positions waits 40 ms longer than the update interval.",
      schedule: (terms, context) => (isLargest(context) ? everyInterval(terms.effectiveMs + 40) : undefined),
    },
    "stream-interval-of-nearly-a-second-a-fifth-too-long": {
      summary: "The stream waits a fifth longer than an update interval of 0.7 to 1 s.",
      schedule: takesIntervalInRange((requestedMs) =>
        requestedMs > 700 && requestedMs <= 1_000 ? requestedMs * 1.2 : undefined,
      ),
    },
    "stream-interval-of-seconds-a-fifth-too-long": {
      summary: "The stream waits a fifth longer than an update interval of 2 to 5 s.",
      schedule: takesIntervalInRange((requestedMs) =>
        requestedMs >= 2_000 && requestedMs < 5_000 ? requestedMs * 1.2 : undefined,
      ),
    },
    "stream-interval-above-two-seconds-in-whole-seconds": {
      summary: "The stream rounds update intervals of 2 to 20 s up to whole seconds.",
      schedule: takesIntervalInRange((requestedMs) =>
        requestedMs > 2_000 && requestedMs < 20_000 ? Math.ceil(requestedMs / 1_000) * 1_000 : undefined,
      ),
    },
    "stream-pauses-after-five": {
      summary:
        "The stream keeps its update interval in the range, but pauses for twenty of them after every five messages.",
      schedule: ({ requestedMs, effectiveMs }) =>
        inRange(requestedMs) ? { at: (index) => effectiveMs * (index + 20 * Math.floor(index / 5)) } : undefined,
    },
    "stream-leaves-out-every-fourth-message": {
      summary: "The stream leaves out every fourth message at update intervals in the range.",
      schedule: ({ requestedMs, effectiveMs }) =>
        inRange(requestedMs) ? { at: (index) => effectiveMs * (index + Math.floor(index / 3)) } : undefined,
    },
    "stream-leaves-out-every-third-message": {
      summary: "The stream leaves out every third message at update intervals in the range.",
      schedule: ({ requestedMs, effectiveMs }) =>
        inRange(requestedMs) ? { at: (index) => effectiveMs * (index + Math.floor(index / 2)) } : undefined,
    },
    "stream-interval-beyond-16-bits-is-the-least": {
      summary: "The stream takes update intervals that 16 bits do not hold, up to 60 s, for 100 ms.",
      schedule: takesIntervalInRange((requestedMs) => (requestedMs > 32_767 ? 100 : undefined)),
    },
    "stream-interval-capped-at-two-seconds": {
      summary: "The stream takes update intervals above 2 s, up to 60 s, for 2 s.",
      schedule: takesIntervalInRange((requestedMs) => (requestedMs > 2_000 ? 2_000 : undefined)),
    },
    "stream-interval-halved-from-five-seconds": {
      summary: "The stream takes half of an update interval of 5 to 60 s.",
      schedule: takesIntervalInRange((requestedMs) => (requestedMs >= 5_000 ? requestedMs / 2 : undefined)),
    },
    "stream-interval-of-half-a-minute-refused": {
      summary: "The stream refuses update intervals of 30 to 60 s, but for 60 s.",
      alsoFails: ["errors.documented-outcome"],
      schedule: refuses(
        ({ requestedMs }) => requestedMs >= 30_000 && requestedMs < 60_000,
        "updateIntervalMs must be less than 30000",
      ),
    },
    "stream-longest-interval-is-default": {
      summary: "The stream takes an update interval of exactly 60 s for the default one.",
      schedule: takesInterval((requestedMs) => (requestedMs === 60_000 ? 250 : undefined)),
    },
  }),

  ...breaking("get-open-positions-streaming.interval-zero", {
    "stream-zero-refused": {
      summary: "The stream refuses an update interval of 0.",
      schedule: refuses((_terms, { request }) => request.updateIntervalMs === 0, "updateIntervalMs must be positive"),
    },
    "stream-zero-is-the-longest": {
      summary: "The stream takes an update interval of 0 for the longest one.",
      schedule: takesInterval((requestedMs) => (requestedMs === 0 ? 60_000 : undefined)),
    },
    "stream-zero-floods": {
      summary: "The stream takes an update interval of 0 for no pause at all.",
      schedule: takesInterval((requestedMs) => (requestedMs === 0 ? 1 : undefined)),
    },
  }),

  ...breaking("get-open-positions-streaming.interval-clamped-up", {
    "stream-interval-not-clamped-up": {
      summary: "The stream takes update intervals below 100 ms as they are.",
      parameters: {
        streamInterval: (requestedMs) => (requestedMs === 0 ? 250 : Math.min(Math.max(requestedMs, 1), 60_000)),
      },
    },
    "stream-interval-clamped-to-50": {
      summary: "The stream clamps update intervals up to 50 ms.",
      parameters: {
        streamInterval: (requestedMs) => (requestedMs === 0 ? 250 : Math.min(Math.max(requestedMs, 50), 60_000)),
      },
    },
    "stream-small-interval-refused": {
      summary: "The stream refuses update intervals from 1 to 99 ms.",
      alsoFails: ["errors.documented-outcome"],
      schedule: refuses(({ requestedMs }) => requestedMs > 0 && requestedMs < 100, "updateIntervalMs is out of range"),
    },
    "stream-negative-interval-refused": {
      summary: "The stream refuses negative update intervals.",
      schedule: refuses(({ requestedMs }) => requestedMs < 0, "updateIntervalMs is out of range"),
    },
    "stream-negative-interval-is-default": {
      summary: "The stream takes negative update intervals for the default one.",
      parameters: { streamInterval: (requestedMs) => (requestedMs < 0 ? 250 : documented.streamInterval(requestedMs)) },
    },
    "stream-negative-interval-unsigned": {
      summary: "The stream reads negative update intervals as unsigned, and takes the longest one.",
      parameters: { streamInterval: (requestedMs) => documented.streamInterval(requestedMs >>> 0) },
    },
  }),

  ...breaking("get-open-positions-streaming.interval-clamped-down", {
    "stream-interval-not-clamped-down": {
      summary: "The stream takes update intervals above 60 s as they are.",
      profile: "full",
      parameters: { streamInterval: (requestedMs) => (requestedMs === 0 ? 250 : Math.max(requestedMs, 100)) },
    },
    "stream-interval-clamped-to-30-seconds": {
      summary: "The stream takes update intervals above 60 s for 30 s.",
      profile: "full",
      schedule: takesInterval((requestedMs) => ((requestedMs ?? 0) > 60_000 ? 30_000 : undefined)),
    },
    "stream-large-interval-overflows": {
      summary:
        "The stream's timer overflows for update intervals near the greatest int32, and messages come in a flood.",
      schedule: takesInterval((requestedMs) => ((requestedMs ?? 0) > 2_000_000_000 ? 1 : undefined)),
    },
    "stream-large-interval-in-16-bits": {
      summary: "The stream takes what 16 bits hold of update intervals above 65,535 ms.",
      schedule: takesInterval((requestedMs = 0) =>
        requestedMs > 0xffff ? Math.min(60_000, Math.max(100, requestedMs & 0xffff)) : undefined,
      ),
    },
    "stream-large-interval-refused": {
      summary: "The stream refuses update intervals above 60 s.",
      schedule: refuses(({ requestedMs }) => requestedMs > 60_000, "updateIntervalMs is out of range"),
    },
    "stream-large-interval-is-default": {
      summary: "The stream takes update intervals above 60 s for the default one.",
      schedule: takesInterval((requestedMs) => ((requestedMs ?? 0) > 60_000 ? 250 : undefined)),
    },
  }),

  ...breaking("get-open-positions-streaming.full-snapshot", {
    "stream-sends-diffs": {
      summary: "After a full first message the stream lists only what changed since the one before.",
      alsoFails: ["relations.open-positions-agree"],
      response: lists((positions, { messageIndex }) => (messageIndex === 0 ? positions : [])),
    },
    "stream-of-forty-positions-from-the-second-message-on": {
      summary: "From the second message on the stream lists the wallet's forty newest positions at most.",
      alsoFails: ["relations.open-positions-agree"],
      response: lists((positions, { messageIndex }) => (messageIndex > 0 ? positions.slice(0, 40) : positions)),
    },
    "stream-of-forty-positions-or-none": {
      summary: "From the second message on the stream of a wallet with more than forty positions lists nothing.",
      alsoFails: ["relations.open-positions-agree"],
      response: lists((positions, { messageIndex }) => (messageIndex > 0 && positions.length > 40 ? [] : positions)),
    },
    "stream-sends-one-position-at-a-time": {
      summary: "After a full first message the stream lists one position of the wallet in each message, in turn.",
      alsoFails: ["relations.open-positions-agree"],
      response: lists((positions, { messageIndex }) =>
        messageIndex === 0 ? positions : positions.filter((_, index) => index === messageIndex % positions.length),
      ),
    },
    "stream-first-message-empty": {
      summary: "The stream's first message lists nothing; the positions come with the second one.",
      alsoFails: ["relations.open-positions-agree"],
      response: lists((positions, { messageIndex }) => (messageIndex === 0 ? [] : positions)),
    },
    "stream-slow-messages-empty-in-turn": {
      summary: "Every second message lists nothing at update intervals of 700 ms and more.",
      response: lists((positions, { messageIndex, effective }) =>
        messageIndex % 2 === 1 && Number(effective.intervalMs) >= 700 ? [] : positions,
      ),
    },
    "stream-very-slow-messages-empty-after-the-first": {
      summary: "At update intervals above two seconds, every message but the first lists nothing.",
      response: lists((positions, { messageIndex, effective }) =>
        messageIndex > 0 && Number(effective.intervalMs) > 2_000 ? [] : positions,
      ),
    },
    "stream-drops-a-position-now-and-then": {
      summary: "Every tenth message of the stream lacks the wallet's last position.",
      alsoFails: ["relations.open-positions-agree"],
      response: lists((positions, { messageIndex }) => (messageIndex % 10 === 9 ? positions.slice(0, -1) : positions)),
    },
  }),

  ...breaking("get-open-positions-streaming.first-message", {
    "stream-first-message-late": {
      summary: "The stream's first message comes three seconds after the request.",
      schedule: ({ effectiveMs }) => ({ at: (index) => 3_000 + index * effectiveMs }),
    },
    "stream-first-message-of-the-largest-wallet-after-an-interval": {
      summary: "The stream of the wallet with the most open positions begins after one interval.",
      schedule: ({ effectiveMs }, { dataset, request }) => {
        const open = new Map<string, number>();
        for (const { owner } of dataset.positions.filter((position) => position.open)) {
          open.set(owner, (open.get(owner) ?? 0) + 1);
        }
        const [most] = [...open].sort(([, one], [, other]) => other - one)[0] ?? [];
        const isLargest = String(request.address).trim().toLowerCase() === most;
        return isLargest && effectiveMs >= 5_000 ? { at: (index) => (index + 1) * effectiveMs } : undefined;
      },
    },
    "stream-first-message-after-an-interval": {
      summary: "The stream's first message comes after one interval.",
      schedule: ({ effectiveMs }) => ({ at: (index) => (index + 1) * effectiveMs }),
    },
    "stream-first-message-after-a-sixth-of-an-interval": {
      summary: "The stream's first message comes after a sixth of its interval.",
      schedule: ({ effectiveMs }) => ({ at: (index) => (index + 1 / 6) * effectiveMs }),
    },
  }),

  ...breaking("get-open-positions-streaming.until-disconnect", {
    "stream-ends-after-ten": {
      summary: "The stream ends after ten messages.",
      alsoFails: ["get-open-positions-streaming.no-open-positions"],
      schedule: endsAfterTen("end-frame"),
    },
    "stream-fails-after-ten": {
      summary: "The stream ends with an error after ten messages.",
      alsoFails: ["get-open-positions-streaming.no-open-positions"],
      schedule: endsAfterTen({ code: Code.Unavailable, message: "the session has expired" }),
    },
    "stream-cut-after-ten": {
      summary: "The stream closes without an end-of-stream frame after ten messages.",
      alsoFails: ["get-open-positions-streaming.no-open-positions"],
      schedule: endsAfterTen("cut"),
    },
    "stream-reset-after-ten": {
      summary: "The stream's connection is reset after ten messages.",
      schedule: endsAfterTen("reset"),
    },
    "stream-ends-after-half-a-minute": {
      summary: "The stream ends after half a minute.",
      profile: "full",
      schedule: ({ effectiveMs }) => ({ messages: 1 + Math.floor(30_000 / effectiveMs) }),
    },
  }),

  ...breaking("get-open-positions-streaming.order-references", {
    "stream-without-order-references": {
      summary: "The stream's positions carry no order references.",
      response: refersToOrders(() => false),
    },
    "stream-order-references-at-first-only": {
      summary: "Only the stream's first message carries order references.",
      response: refersToOrders((_position, _positions, { messageIndex }) => messageIndex === 0),
    },
    "stream-last-position-without-order-references": {
      summary: "From the second message on the wallet's last position carries no order references.",
      response: refersToOrders(
        (position, positions, { messageIndex }) => messageIndex === 0 || position < positions - 1,
      ),
    },
  }),

  ...breaking("get-open-positions-streaming.no-open-positions", {
    "stream-unknown-wallet-not-found": {
      summary: "The stream of an unknown wallet fails with not_found.",
      alsoFails: ["errors.documented-outcome"],
      schedule: refuses((_terms, context) => !isKnown(context), "no such wallet", Code.NotFound),
    },
    "stream-unknown-wallet-ends": {
      summary: "The stream of an unknown wallet ends after its first message.",
      alsoFails: ["get-open-positions-streaming.until-disconnect"],
      schedule: (_terms, context) => (isKnown(context) ? undefined : { messages: 1 }),
    },
    "stream-unknown-wallet-gets-others-positions": {
      summary: "The stream of an unknown wallet lists positions of others.",
      alsoFails: ["get-open-positions-streaming.owner"],
      rows: {
        positions: (endpoint, rows, context) =>
          endpoint === "GetOpenPositionsStreaming" && !isKnown(context)
            ? context.dataset.positions.filter(({ open }) => open).slice(0, 3)
            : rows,
      },
    },
    "stream-without-open-positions-ends": {
      summary: "The stream of a known wallet ends when it has no open position.",
      alsoFails: ["get-open-positions-streaming.until-disconnect"],
      schedule: (_terms, context) => (isKnown(context) && openPositionsOf(context) === 0 ? { messages: 1 } : undefined),
    },
    "stream-without-open-positions-silent": {
      summary: "The stream of a known wallet without open positions stays open and sends nothing.",
      alsoFails: [`${rule}.first-message`],
      schedule: (_terms, context) =>
        isKnown(context) && openPositionsOf(context) === 0 ? { at: () => Number.POSITIVE_INFINITY } : undefined,
    },
  }),
];
