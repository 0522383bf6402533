/** Stored state of answers as comparable text: what must not change between the two readings of a bracket (P3, R16). */
import type { JsonObject } from "../connect/json.js";
import { ordersOf, portfolioOf } from "./read.js";
import { storedOrderText, storedPositionText } from "./read-stored.js";
import { type ShownBody, shownPositions } from "./shown.js";

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
  const positions = shownPositions("GetOpenPositionsStreaming", body);
  return unordered(positions.map(({ list, row }) => `${list} ${storedPositionText(row)}`));
}

function unordered(texts: readonly string[]): string {
  return [...texts].sort().join("\n");
}
