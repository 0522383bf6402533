/**
 * Finds the positions and orders in answers. Operations show the same resources in different places, so judges of
 * resources work on rows that carry their place.
 */
import type { JsonObject } from "../connect/json.js";
import type { orderEndpoints, positionEndpoints } from "../specification/endpoints.js";
import type { Judgement, Violation } from "./judgement.js";
import { type OrderView, ordersOf, type PositionView, portfolioOf, positionsOf } from "./read.js";

/** A row of an answer, and the array that it is in: `orders`, `positions[3].associatedOrders`. */
export interface LocatedRow<Row> {
  readonly list: string;
  readonly index: number;
  readonly row: Row;
}

/** The orders of an answer. */
export type OrderRows = readonly LocatedRow<OrderView>[];

/** The positions of an answer. */
export type PositionRows = readonly LocatedRow<PositionView>[];

/** An operation that shows positions (§4.1, §4.2, §4.5). */
export type PositionEndpoint = (typeof positionEndpoints)[number];

/** An operation that shows whole orders (§4.1, §4.3 to §4.5). */
export type OrderEndpoint = (typeof orderEndpoints)[number];

/** What was seen of the stream. Each message is a snapshot; `at` is when it came, in milliseconds after the request. */
export interface Snapshots {
  readonly messages: readonly { readonly body: JsonObject; readonly at?: number }[];
}

/** The content of an answer: the body of a unary operation, or the messages of the stream. */
export type ShownBody = JsonObject | Snapshots;

/** The rows in the first stream message that shows any. */
export function inFirstMessage<Row>(places: readonly LocatedRow<Row>[]): readonly LocatedRow<Row>[] {
  return places.filter(({ list }) => list === places[0]?.list);
}

/**
 * How many messages of a stream it takes to show the first violation; undefined if it is in no message. While data moves,
 * two reads are more likely to agree if they have fewer messages.
 */
export function messagesShowing({ violations: [first] }: Judgement): number | undefined {
  const index = /^messages\[(\d+)\]/.exec(first?.path ?? "")?.[1];
  return index === undefined ? undefined : Number(index) + 1;
}

/** The place of a row, or of one of its fields: `positions[3].effectiveSize`. */
export function rowPath({ list, index }: LocatedRow<unknown>, field = ""): string {
  return `${list}[${index}]${field === "" ? "" : `.${field}`}`;
}

/** The violation that a field of a row is not what the rule requires; `expected` says what that is. */
export function wrongField<Row>(shown: LocatedRow<Row>, field: keyof Row & string, expected: string): Violation {
  return { path: rowPath(shown, field), expected, seen: String(shown.row[field]) };
}

/** The positions that an answer shows; for the stream, those of all messages. */
export function shownPositions(endpoint: PositionEndpoint, body: ShownBody): PositionRows {
  switch (endpoint) {
    case "GetAllPositions":
      return rowsIn("positions", positionsOf(body as JsonObject));
    case "GetPortfolio":
      return rowsIn("portfolio.positions", portfolioOf(body as JsonObject)?.positions ?? []);
    case "GetOpenPositionsStreaming":
      return (body as Snapshots).messages.flatMap((message, index) =>
        rowsIn(`messages[${index}].positions`, positionsOf(message.body)),
      );
  }
}

/** The orders that an answer lists directly, not those within positions. */
export function listedOrders(endpoint: OrderEndpoint, body: ShownBody): OrderRows {
  switch (endpoint) {
    case "GetAllPositions":
      return [];
    case "GetAllOrders":
    case "GetOrders":
      return rowsIn("orders", ordersOf(body as JsonObject));
    case "GetPortfolio":
      return rowsIn("portfolio.orders", portfolioOf(body as JsonObject)?.orders ?? []);
  }
}

/** All orders that an answer shows: those that it lists, and those associated with its positions. */
export function shownOrders(endpoint: OrderEndpoint, body: ShownBody): OrderRows {
  const associated = positionsBesideOrders(endpoint, body).flatMap((position) =>
    rowsIn(rowPath(position, "associatedOrders"), position.row.associatedOrders),
  );
  return [...listedOrders(endpoint, body), ...associated];
}

/** All places where an answer could show an order: its orders, and its positions without orders. */
export function placesOfOrders(endpoint: OrderEndpoint, body: ShownBody): readonly LocatedRow<unknown>[] {
  const positions = positionsBesideOrders(endpoint, body);
  return [...shownOrders(endpoint, body), ...positions.filter(({ row }) => row.associatedOrders.length === 0)];
}

function positionsBesideOrders(endpoint: OrderEndpoint, body: ShownBody): PositionRows {
  return endpoint === "GetAllPositions" || endpoint === "GetPortfolio" ? shownPositions(endpoint, body) : [];
}

/** The names of row fields that the tables of §2 do not list, sorted, each once. No view has them (W10). */
export function additionalFields(rows: readonly LocatedRow<{ readonly json: JsonObject }>[]): readonly string[] {
  const names = rows.flatMap(({ row }) => Object.keys(row.json).filter((name) => !(name in row)));
  return [...new Set(names)].sort();
}

/** The rows of an array, each with its place. */
export function rowsIn<Row>(list: string, rows: readonly Row[]): readonly LocatedRow<Row>[] {
  return rows.map((row, index) => ({ list, index, row }));
}
