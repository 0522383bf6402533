import { Code, ConnectError } from "@connectrpc/connect";
import { getOrInsert } from "../../specification/get-or-insert.js";
import {
  hasCapitals,
  hasTimeout,
  isPadded,
  lacksVersion,
  loses,
  marketAt,
  mistakesAddresses,
  noAddress,
  rewrites,
} from "../conditional-interceptors.js";
import type { Dataset } from "../dataset/dataset.js";
import type { PositionRecord } from "../dataset/model.js";
import { type MutableJsonObject, numberIn, objectsAt } from "../json.js";
import { breaking, type CallContext, type Interceptors, type Mutant, on } from "../modification.js";
import { positionRows } from "../resource-interceptors.js";
import { everyInterval } from "../schedule.js";

const operation = "GetOpenPositionsStreaming";
const rule = "get-open-positions-streaming";

/** Edits entries of messages in place. */
function edits(
  change: (position: MutableJsonObject, context: CallContext, index: number) => void,
): Required<Interceptors>["response"] {
  return on(operation, (json, context) => {
    for (const [index, position] of objectsAt(json, "positions").entries()) change(position, context, index);
    return json;
  });
}

/** The newest open position of another wallet. */
function foreignPosition({ dataset, effective }: CallContext): PositionRecord | undefined {
  return dataset.positions.find(({ open, owner }) => open && owner !== effective.address);
}

/** The market in which the fewest wallets have an open position. */
export function rarestMarket({ positions }: Pick<Dataset, "positions">): bigint | undefined {
  const holders = new Map<bigint, Set<string>>();
  for (const { open, owner, marketId } of positions)
    if (open) getOrInsert(holders, marketId, () => new Set()).add(owner);
  const [rarest] = [...holders].sort(([, a], [, b]) => a.size - b.size);
  return rarest?.[0];
}

/** A message schedule whose interval grows by `factor` after message `from`. */
function stretches(effectiveMs: number, from: number, factor: number): (index: number) => number {
  return (index) => effectiveMs * (index + Math.max(0, index - from) * (factor - 1));
}

function hasInterval({ updateIntervalMs }: MutableJsonObject): boolean {
  return typeof updateIntervalMs === "number" && updateIntervalMs > 0;
}

/** Streams that are wrong in a later message, for one wallet, or for a combination of request fields. */
export const streamInteractions: readonly Mutant[] = [
  ...breaking("get-open-positions-streaming.full-snapshot", {
    // later messages
    "stream-lacks-a-position-from-the-thirtieth-message-on": {
      summary: "From the thirtieth message on the stream leaves the wallet's oldest position out.",
      alsoFails: ["relations.open-positions-agree"],
      ...positionRows(operation, (rows, { messageIndex }) => (messageIndex >= 29 ? rows.slice(0, -1) : rows)),
    },
    "stream-lacks-a-position-at-long-intervals": {
      summary: "At intervals of more than a second the stream leaves out the newest position.",
      ...positionRows(operation, (rows, { request }) =>
        Number(request.updateIntervalMs ?? 0) > 1_000 ? rows.slice(1) : rows,
      ),
    },
    "stream-lacks-a-market-from-the-tenth-message-on": {
      summary: "From the tenth message on the stream leaves out the positions of the market that fewest wallets hold.",
      alsoFails: ["relations.open-positions-agree"],
      ...positionRows(operation, (rows, context) => {
        const market = context.messageIndex >= 9 ? rarestMarket(context.dataset) : undefined;
        return rows.filter(({ marketId }) => marketId !== market);
      }),
    },
    "stream-thirtieth-message-empty": {
      summary: "Every thirtieth message of the stream lists nothing.",
      alsoFails: ["relations.open-positions-agree"],
      ...positionRows(operation, (rows, { messageIndex }) => (messageIndex % 30 === 29 ? [] : rows)),
    },
  }),

  ...breaking("get-open-positions-streaming.owner", {
    "stream-tenth-message-lists-a-foreign-position": {
      summary:
        "The stream's tenth message, and no other, lists a position of another wallet in the place of the first.",
      alsoFails: [`${rule}.full-snapshot`, "relations.open-positions-agree"],
      ...positionRows(operation, (rows, context) => {
        const foreign = foreignPosition(context);
        return context.messageIndex === 9 && foreign && rows.length > 0 ? [foreign, ...rows.slice(1)] : rows;
      }),
    },
    "stream-neighbouring-address-is-the-known-one": {
      summary: "The stream does not look at the last digit of an address that it does not know.",
      alsoFails: ["get-open-positions-streaming.no-open-positions"],
      request: mistakesAddresses(operation, (address) => address.slice(0, -1)),
    },
  }),

  ...breaking("position.identity", {
    "stream-doubles-a-position-from-the-tenth-message-on": {
      summary: "From the tenth message on the stream lists the wallet's newest position twice.",
      alsoFails: [`${rule}.full-snapshot`, "relations.open-positions-agree"],
      ...positionRows(operation, (rows, { messageIndex }) =>
        messageIndex >= 9 ? [...rows.slice(0, 1), ...rows] : rows,
      ),
    },
  }),

  ...breaking("relations.position-stored-state", {
    "stream-margin-creeps-from-the-tenth-message-on": {
      summary:
        "From the tenth message on the stream adds up the margin of the wallet's newest position again and again.",
      response: edits((position, { messageIndex }, index) => {
        if (index > 0 || messageIndex < 9) return;
        position.allocatedMargin = numberIn(position, "allocatedMargin") * (1 + (messageIndex - 8) / 100);
      }),
    },
    "stream-size-of-one-market-halved-from-the-fifteenth-message-on": {
      summary: "From the fifteenth message on the stream halves the sizes of positions in the second market.",
      response: edits((position, { messageIndex, dataset }) => {
        if (messageIndex < 14 || position.marketId !== String(marketAt(dataset, 1)?.id)) return;
        position.nominalSize = numberIn(position, "nominalSize") / 2;
        position.effectiveSize = position.nominalSize;
      }),
    },
  }),

  ...breaking("position.stop-loss-price", {
    "stream-references-to-reduce-only-orders-lost-from-the-seventh-message-on": {
      summary: "From the seventh message on positions carry no references to reduce-only orders.",
      alsoFails: ["position.take-profit-price"],
      response: edits((position, { messageIndex }) => {
        if (messageIndex < 6) return;
        position.associatedOrderIds = objectsAt(position, "associatedOrderIds").filter(({ reduceOnly }) => !reduceOnly);
      }),
    },
  }),

  ...breaking("position.effective-size", {
    "stream-effective-size-lost-from-the-twentieth-message-on": {
      summary: "From the twentieth message on the stream leaves effectiveSize out.",
      response: edits((position, { messageIndex }) => {
        if (messageIndex >= 19) delete position.effectiveSize;
      }),
    },
  }),

  ...breaking("get-open-positions-streaming.order-references", {
    "stream-references-of-one-market-lost-from-the-tenth-message-on": {
      summary: "From the tenth message on positions of the first market carry no order references.",
      alsoFails: ["position.opening-order"],
      response: edits((position, { messageIndex, dataset }) => {
        const isMeant = position.marketId === String(marketAt(dataset, 0)?.id);
        if (isMeant && messageIndex >= 9) delete position.associatedOrderIds;
      }),
    },
  }),

  ...breaking("wire.owner-lowercase", {
    "stream-owner-with-checksum-from-the-tenth-message-on": {
      summary: "From the tenth message on the stream writes the owner with capitals.",
      alsoFails: [`${rule}.owner`],
      response: edits((position, { messageIndex }) => {
        if (messageIndex >= 9) position.owner = `0x${String(position.owner).slice(2).toUpperCase()}`;
      }),
    },
  }),

  ...breaking("get-open-positions-streaming.interval", {
    "stream-interval-slips-after-twelve-messages": {
      summary: "After twelve messages the stream's gaps are half as long again.",
      alsoFails: [`${rule}.interval-default`, `${rule}.interval-zero`, `${rule}.interval-clamped-up`],
      schedule: ({ effectiveMs }) => ({ at: stretches(effectiveMs, 12, 1.5) }),
    },
    "stream-falls-silent-after-thirty-messages": {
      summary: "The stream stays open after thirty messages, but sends no more.",
      alsoFails: [
        `${rule}.interval-default`,
        `${rule}.interval-zero`,
        `${rule}.interval-clamped-up`,
        `${rule}.until-disconnect`,
      ],
      schedule: ({ effectiveMs }) => ({
        at: (index) => (index < 30 ? index * effectiveMs : Number.POSITIVE_INFINITY),
      }),
    },
    "stream-interval-longer-for-an-address-with-capitals": {
      summary: "The stream takes four times the update interval that comes with an address that has capitals.",
      alsoFails: [`${rule}.address-case-insensitive`, `${rule}.interval-clamped-up`],
      schedule: ({ effectiveMs }, { request }) =>
        hasCapitals(request.address) && hasInterval(request) ? everyInterval(4 * effectiveMs) : undefined,
    },
    "stream-interval-lost-without-the-version-header": {
      summary: "Without Connect-Protocol-Version the stream ignores the update interval.",
      alsoFails: [`${rule}.interval-clamped-up`, `${rule}.interval-clamped-down`, "protocol.connect-version-optional"],
      request: loses(operation, "updateIntervalMs", (json, context) => hasInterval(json) && lacksVersion(context)),
    },
  }),

  ...breaking("get-open-positions-streaming.interval-default", {
    // Connect-Timeout-Ms and updateIntervalMs
    "stream-default-500-with-a-timeout": {
      summary: "Without an update interval, but with Connect-Timeout-Ms, the stream takes 500 ms.",
      schedule: ({ effectiveMs }, context) =>
        hasTimeout(context) && !hasInterval(context.request) ? everyInterval(2 * effectiveMs) : undefined,
    },
    // address and updateIntervalMs
    "stream-default-100-for-an-address-with-capitals": {
      summary: "Without an update interval, and with capitals in the address, the stream takes the least one, 100 ms.",
      alsoFails: [`${rule}.address-case-insensitive`],
      schedule: (_terms, { request }) =>
        hasCapitals(request.address) && !hasInterval(request) ? everyInterval(100) : undefined,
    },
  }),

  ...breaking("get-open-positions-streaming.until-disconnect", {
    "stream-ends-after-thirty-five-messages": {
      summary: "The stream ends after thirty-five messages.",
      schedule: () => ({ messages: 35 }),
    },
    "stream-ends-after-fifteen-messages-with-a-timeout": {
      summary: "With Connect-Timeout-Ms the stream ends after fifteen messages.",
      alsoFails: ["protocol.timeout-generous"],
      schedule: (_terms, context) => (hasTimeout(context) ? { messages: 15 } : undefined),
    },
  }),

  ...breaking("get-open-positions-streaming.no-open-positions", {
    "stream-without-open-positions-ends-after-fifteen-messages": {
      summary: "The stream of a wallet without open positions ends after fifteen messages.",
      alsoFails: [`${rule}.until-disconnect`],
      schedule: (_terms, { dataset, effective }) => {
        const wallet = dataset.wallets.get(String(effective.address));
        return wallet?.positions.some(({ open }) => open) ? undefined : { messages: 15 };
      },
    },
  }),

  ...breaking("relations.open-positions-agree", {
    // the wallet
    "stream-lists-ten-positions-at-most": {
      summary: "The stream lists a wallet's ten newest positions at most.",
      alsoFails: [`${rule}.full-snapshot`],
      ...positionRows(operation, (rows) => rows.slice(0, 10)),
    },
  }),

  ...breaking("get-open-positions-streaming.address-trimmed", {
    // fields together
    "stream-padded-address-unknown-with-an-interval": {
      summary: "The stream does not trim the address when an update interval is given.",
      alsoFails: ["relations.open-positions-agree"],
      request: rewrites(
        operation,
        (json) => isPadded(json.address) && hasInterval(json),
        (json) => ({ ...json, address: noAddress }),
      ),
    },
    "stream-padded-address-with-capitals-unknown": {
      summary: "The stream does not recognise an address that has both capitals and whitespace around it.",
      alsoFails: [`${rule}.address-case-insensitive`, "relations.open-positions-agree"],
      request: rewrites(
        operation,
        ({ address }) => isPadded(address) && hasCapitals(address),
        (json) => ({ ...json, address: noAddress }),
      ),
    },
  }),

  ...breaking("get-open-positions-streaming.address-case-insensitive", {
    "stream-address-with-capitals-loses-a-position-from-the-third-message-on": {
      summary: "From the third message on the stream leaves the oldest position out when the address has capitals.",
      alsoFails: [`${rule}.full-snapshot`, "relations.open-positions-agree"],
      ...positionRows(operation, (rows, { messageIndex, request }) =>
        messageIndex >= 2 && hasCapitals(request.address) ? rows.slice(0, -1) : rows,
      ),
    },
  }),

  ...breaking("errors.documented-outcome", {
    "stream-small-interval-refused-for-a-padded-address": {
      summary: "The stream refuses an update interval below 100 when there is whitespace around the address.",
      alsoFails: [`${rule}.address-trimmed`, "get-open-positions-streaming.interval-clamped-up"],
      schedule: ({ requestedMs }, { request }) => {
        if (requestedMs > 0 && requestedMs < 100 && isPadded(request.address)) {
          throw new ConnectError("updateIntervalMs is out of range", Code.InvalidArgument);
        }
        return undefined;
      },
    },
  }),
];
