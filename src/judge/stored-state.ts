/** Stored state of answers as comparable text: what must not change between the two readings of a bracket (P3, R16). */
import type { JsonObject } from "../connect/json.js";
import type { Endpoint } from "../specification/endpoints.js";
import { pageOf, stableRows } from "./paging.js";
import { ordersOf, portfolioOf, positionsOf } from "./read.js";
import { canonicalStored, storedOrderText, storedPositionText } from "./read-stored.js";
import type { ShownBody, Snapshots } from "./shown.js";

/** The positions and orders of a portfolio, in whatever order they are listed. */
export function portfolioState(body: JsonObject): string {
  const { positions = [], orders = [] } = portfolioOf(body) ?? {};
  return unordered([...positions.map(storedPositionText), ...orders.map(storedOrderText)]);
}

/** The orders of GetOrders, or of a page of GetAllOrders, in whatever order they are listed. */
export function ordersState(body: JsonObject): string {
  return unordered(ordersOf(body).map(storedOrderText));
}

/** The positions of snapshots of the stream, in whatever order they are listed. */
export function snapshotState(body: ShownBody): string {
  return eachSnapshot(body, (message) => unordered(positionsOf(message).map(storedPositionText)));
}

/**
 * What an answer of an operation holds of what is compared where two requests mean the same; undefined where that is all of it.
 * The order of rows counts only where pages depend on it.
 */
export function comparedState(endpoint: Endpoint): ((body: ShownBody) => string) | undefined {
  const states: Partial<Record<Endpoint, (body: JsonObject) => string>> = {
    GetAllPositions: (body) => stableRows(pageOf("GetAllPositions", body)),
    GetAllOrders: (body) => stableRows(pageOf("GetAllOrders", body)),
    GetOrders: ordersState,
    GetPortfolio: portfolioState,
  };
  const state = states[endpoint];
  if (endpoint === "GetOpenPositionsStreaming") return snapshotState;
  return state && ((body) => state(body as JsonObject));
}

/** All that an answer holds, be it the body of a unary operation, one message of the stream, or what was seen of the stream. */
export function storedState(body: ShownBody): string {
  return eachSnapshot(body, canonicalStored);
}

/** When messages came, and how many of them that hold the same, depends on how long the stream was watched. */
function eachSnapshot(body: ShownBody, state: (message: JsonObject) => string): string {
  const bodies = isWatched(body) ? body.messages.map((message) => message.body) : [body];
  const states = bodies.map(state);
  return states.filter((text, index) => index === 0 || text !== states[index - 1]).join("\n\n");
}

function isWatched(body: ShownBody): body is Snapshots {
  return Array.isArray(body.messages);
}

function unordered(texts: readonly string[]): string {
  return [...texts].sort().join("\n");
}
