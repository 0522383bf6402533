import { type MutableJsonObject, objectAt } from "../json.js";
import type { CallContext, HttpReply, Variant } from "../modification.js";
import { editPositions } from "../resource-interceptors.js";

/** How long an answer is cached, in milliseconds. */
const keptMs = 1_000;

/** How long a margin that goes back and forth stays where it is, in milliseconds. */
const toAndFroMs = 700;

/** Cached answers, by server, operation and request. */
const kept = new Map<string, { readonly at: number; readonly reply: HttpReply }>();

/**
 * Returns a cached answer to the same request from the last second, if any. GetPortfolio is documented as uncached (§4.5).
 */
function cached(endpoint: string, reply: HttpReply, { headers, now, request }: CallContext): HttpReply {
  if (endpoint === "GetPortfolio" || reply.status !== 200) return reply;
  const key = `${headers.get("host")} ${endpoint} ${JSON.stringify(request)}`;
  const known = kept.get(key);
  if (known && now() - known.at < keptMs) return known.reply;
  if (kept.size > 500) kept.clear();
  kept.set(key, { at: now(), reply });
  return reply;
}

/** Rounds number fields of an object to integers, in place. */
function rounded(json: MutableJsonObject | undefined, ...fields: readonly string[]): void {
  for (const field of fields) if (json?.[field] !== undefined) json[field] = Math.round(Number(json[field]));
}

/** Conformant servers whose data change, and whose answers do not all reflect the same moment (P3). */
export const moving: readonly Variant[] = [
  {
    kind: "variant",
    name: "data-moving",
    summary: "Prices, orders and positions change several times a second (P3).",
    server: { churn: true },
  },
  {
    kind: "variant",
    name: "answers-cached-for-a-second",
    summary: "Answers but those of GetPortfolio are kept for a second while the data change (P3).",
    server: { churn: true },
    http: cached,
  },
  {
    kind: "variant",
    name: "replicas-half-a-second-apart",
    summary: "Two replicas answer in turn while the data change, one of them half a second late (P3).",
    server: { churn: true, replicaLagMs: 500 },
  },
  {
    kind: "variant",
    name: "moving-pnl-in-whole-units",
    summary: "PnL is rounded to whole quote units, in which small moves of the price do not show (R1, R17).",
    server: { churn: true },
    response: (endpoint, json, context) => {
      editPositions((position) => rounded(position, "unrealizedPnl", "currentPnl"))(endpoint, json, context);
      rounded(objectAt(json, "portfolio"), "totalUnrealizedPnl", "totalEquity");
      return json;
    },
  },
  {
    kind: "variant",
    name: "margins-moving",
    summary: "The margins of open positions change all the time (R16).",
    server: { churn: true, marginChanges: true, orders: 150 },
  },
  {
    kind: "variant",
    name: "margins-moving-in-replicas-two-seconds-apart",
    summary: "Margins change all the time, and two replicas answer in turn, one of them two seconds late (P3, R16).",
    server: { churn: true, marginChanges: true, orders: 150, replicaLagMs: 2_000 },
  },
  {
    kind: "variant",
    name: "margins-to-and-fro",
    summary:
      "Margins go back and forth between two values, and answers but those of GetPortfolio are kept for a second (P3).",
    server: { churn: true, orders: 150 },
    response: editPositions((position, { now }) => {
      if (Math.floor(now() / toAndFroMs) % 2 === 1) position.allocatedMargin = 2 * Number(position.allocatedMargin);
    }),
    http: cached,
  },
];
