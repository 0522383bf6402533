/** Stored state of answers as comparable text: what must not change between the two reads of a bracket (P3, R16). */
import type { JsonObject } from "../connect/json.js";
import { type Endpoint, isStream } from "../specification/endpoints.js";
import { memoize } from "../specification/memoize.js";
import { shortDigest } from "./digest.js";
import type { ShownBody, Snapshots } from "./located-rows.js";
import { pageOf, stableRows } from "./page.js";
import { ordersOf, portfolioOf, positionsOf } from "./read.js";
import { canonicalState, positionState, storedOrderText } from "./read-stored.js";

/** The positions and orders of a portfolio, independent of list order. */
export function portfolioState(body: JsonObject): string {
  const { positions = [], orders = [] } = portfolioOf(body) ?? {};
  return unordered([...positions.map(positionState), ...orders.map(storedOrderText)]);
}

/** The orders of GetOrders, or of a page of GetAllOrders, independent of list order. */
export function ordersState(body: JsonObject): string {
  return unordered(ordersOf(body).map(storedOrderText));
}

/** The positions in the snapshots of the stream, independent of list order. */
export function snapshotState(body: ShownBody): string {
  return eachSnapshot(body, (message) => unordered(positionsOf(message).map(positionState)));
}

/**
 * The part of an operation's answers that is compared between requests that mean the same; undefined if that is
 * everything. The order of rows counts only where pages depend on it.
 */
export function comparedState(endpoint: Endpoint): ((body: ShownBody) => string) | undefined {
  const states: Partial<Record<Endpoint, (body: JsonObject) => string>> = {
    GetAllPositions: (body) => stableRows(pageOf("GetAllPositions", body)),
    GetAllOrders: (body) => stableRows(pageOf("GetAllOrders", body)),
    GetOrders: ordersState,
    GetPortfolio: portfolioState,
  };
  const state = states[endpoint];
  if (isStream(endpoint)) return snapshotState;
  return state && ((body) => state(body as JsonObject));
}

/**
 * The stored state of a whole answer as short text: the body of a unary operation, one message of the stream, or all messages
 * seen.
 */
export function storedState(body: ShownBody): string {
  return eachSnapshot(body, storedDigest);
}

/** The digest of a stored state. A body that is received again is usually the same object. */
const storedDigest = memoize((body: JsonObject) => shortDigest(canonicalState(body)));

/** The state of each message, without repeats in a row: how many there are depends on how long the stream was watched. */
function eachSnapshot(body: ShownBody, state: (message: JsonObject) => string): string {
  const bodies = isWatched(body) ? body.messages.map((message) => message.body) : [body];
  // Equal messages in a row are usually one object, since their text is parsed once.
  const states = bodies.filter((message, index) => message !== bodies[index - 1]).map(state);
  return states.filter((text, index) => index === 0 || text !== states[index - 1]).join("\n\n");
}

function isWatched(body: ShownBody): body is Snapshots {
  return Array.isArray(body.messages);
}

function unordered(texts: readonly string[]): string {
  return [...texts].sort().join("\n");
}
