/** Compares what two operations show of the same orders and positions (R14, R16), and of the same market (S9). */
import type { JsonObject } from "../connect/json.js";
import { orderStatuses, reduceOrderTypes, sides } from "../specification/enums.js";
import { groupBy } from "../specification/group-by.js";
import { pageLimitMax } from "../specification/limits.js";
import { linkedOrderKeys } from "./associated.js";
import { parseInstant } from "./instant.js";
import { combine, countOf, type Judgement, judgeThat, nothingSeen } from "./judgement.js";
import { areListed, type Expected } from "./listed.js";
import { inFirstMessage, type LocatedRow, rowPath, type ShownBody, shownPositions } from "./located-rows.js";
import { type OrderView, ordersOf, type PositionView } from "./read.js";
import {
  orderKey,
  type Precision,
  positionKey,
  precisionOf,
  type StoredDifference,
  storedOrderDifferences,
  storedPositionDifferences,
} from "./read-stored.js";
import type { Row } from "./which-rows.js";

/** Rows, and the operation that shows them, in words: `GetAllOrders with onlyOpen`. */
export interface OperationRows<Row> {
  readonly from: string;
  readonly rows: readonly LocatedRow<Row>[];
}

/** `listed` has every order that `other` shows (R14). Violations are in the answer that `listed` is from. */
export function listsOrdersOf(listed: OperationRows<OrderView>, other: OperationRows<OrderView>): Judgement {
  const inWords = (order: OrderView) => (order.status === "" ? "" : ` as ${order.status}`);
  const judgement = listsAll(
    { noun: "order", identity: orderKey, needed: "a wallet with orders" },
    listed,
    other,
    inWords,
  );
  return { ...judgement, violations: judgement.violations.map((violation) => ({ ...violation, lasting: true })) };
}

/** `listed` has every position that `other` shows (R14). Violations are in the answer that `listed` is from. */
export function listsPositionsOf(listed: OperationRows<PositionView>, other: OperationRows<PositionView>): Judgement {
  const positions = { noun: "position", identity: positionKey, needed: "a wallet with open positions" } as const;
  return listsAll(positions, listed, other);
}

function listsAll<Listed extends Row>(
  kind: Pick<Expected<Listed>, "noun" | "identity" | "needed">,
  listed: OperationRows<Listed>,
  other: OperationRows<Listed>,
  inWords: (row: Listed) => string = () => "",
): Judgement {
  const path = listed.rows[0]?.list ?? `${kind.noun}s`;
  const expected = (row: Listed) => `${kind.noun} ${kind.identity(row)}, which ${other.from} shows${inWords(row)}`;
  const places = new Map(other.rows.map((place) => [place.row, rowPath(place)]));
  return areListed({
    ...kind,
    rows: other.rows.map(({ row }) => row),
    listed: listed.rows.map(({ row }) => row),
    missing: (row) => ({ path, expected: expected(row), otherPath: places.get(row) }),
  });
}

/**
 * An answer of GetOrders has as many orders as GetAllOrders counts for the wallet's address (§4.4, R14). Where the second
 * answer, a page of GetAllOrders that is not full, lists as many as GetOrders, its count is what is wrong.
 */
export function orderCountAgrees(body: JsonObject, counted: number | undefined, page?: JsonObject): Judgement {
  if (counted === undefined) return nothingSeen("a count of the wallet's orders");
  const { length } = ordersOf(body);
  const isListedAlike = page !== undefined && length < pageLimitMax && ordersOf(page).length === length;
  const violation = isListedAlike
    ? {
        answer: 1,
        path: "pagination.totalCount",
        expected: `${length} (as many orders as GetOrders lists, and this page)`,
        seen: String(counted),
      }
    : {
        path: "orders",
        expected: `${countOf(counted, "order")}, as GetAllOrders counts for the wallet`,
        seen: countOf(length, "order"),
      };
  return judgeThat(length === counted, violation);
}

/** Orders that both listings show have the same stored fields (R16). Violations are in the answer that `shown` is from. */
export function sameStoredOrders(shown: OperationRows<OrderView>, other: OperationRows<OrderView>): Judgement {
  return sameStored({ noun: "an order", identity: orderKey, differences: storedOrderDifferences }, shown, other);
}

/**
 * Positions that both listings show have the same stored fields (R16). Violations are in the answer that `shown` is from.
 */
export function sameStoredPositions(shown: OperationRows<PositionView>, other: OperationRows<PositionView>): Judgement {
  const differences: typeof storedPositionDifferences = (first, second, precisions) => [
    ...storedPositionDifferences(first, second, precisions),
    ...differentOrders(first, second),
  ];
  return sameStored({ noun: "a position", identity: positionKey, differences }, shown, other);
}

/**
 * An order that only one of two reads of a position names, if both name any. A position whose two lists differ breaks another
 * rule (R15).
 */
function differentOrders(first: PositionView, second: PositionView): readonly StoredDifference[] {
  const [firstKeys, secondKeys] = [linkedOrderKeys(first), linkedOrderKeys(second)];
  if (!hasOneSetOfOrders(first, firstKeys) || !hasOneSetOfOrders(second, secondKeys)) return [];
  const missing = [...secondKeys].find((key) => !firstKeys.has(key));
  const extra = [...firstKeys].find((key) => !secondKeys.has(key));
  const key = missing ?? extra;
  if (key === undefined) return [];
  const [named, none] = [`order ${key}`, `no order ${key}`];
  const field = first.associatedOrders.length > 0 ? "associatedOrders" : "associatedOrderIds";
  return [{ field, first: missing ? none : named, second: missing ? named : none }];
}

/** Whether a position names orders, in one of its lists or the same ones in both. */
function hasOneSetOfOrders({ associatedOrders, associatedOrderIds }: PositionView, all: ReadonlySet<string>): boolean {
  return (
    all.size > 0 && [associatedOrders, associatedOrderIds].every(({ length }) => length === 0 || length >= all.size)
  );
}

/**
 * If the first message of a stream and those of later streams show a position alike, all messages of the first stream show
 * it with the same stored fields (R16). Messages that name other orders of the position are skipped: an order came or went
 * meanwhile, and a trigger price may have changed back and forth with it (R3). Violations are in `stream`.
 */
export function storedThroughout(stream: ShownBody, ...afterwards: readonly ShownBody[]): Judgement {
  const from = "the first message, like one read afterwards,";
  const shown = shownPositions("GetOpenPositionsStreaming", stream);
  let alike = inFirstMessage(shown);
  for (const body of afterwards) {
    const later = inFirstMessage(shownPositions("GetOpenPositionsStreaming", body));
    const changed = sameStoredPositions({ from, rows: alike }, { from, rows: later }).violations.map(
      ({ path }) => path,
    );
    const inLater = new Set(later.map(({ row }) => keyWithOrders(row)));
    alike = alike.filter(
      (place) => inLater.has(keyWithOrders(place.row)) && !changed.some((path) => path.startsWith(rowPath(place, ""))),
    );
  }
  return sameStoredSnapshots({ from: "the stream", rows: shown }, { from, rows: alike });
}

/**
 * Like {@link sameStoredPositions}, for stream messages: compares positions only if both name the same orders (§4.2, R3).
 */
export function sameStoredSnapshots(shown: OperationRows<PositionView>, other: OperationRows<PositionView>): Judgement {
  const differences = storedPositionDifferences;
  return sameStored({ noun: "a position", identity: keyWithOrders, differences }, shown, other);
}

/** Identity of a position, and of the orders that it names. */
export function keyWithOrders(position: PositionView): string {
  return [positionKey(position), ...[...linkedOrderKeys(position)].sort()].join(" with ");
}

interface Comparison<Row> {
  readonly noun: string;
  readonly identity: (row: Row) => string;
  readonly differences: (
    first: Row,
    second: Row,
    precisions: readonly [Precision, Precision],
  ) => readonly StoredDifference[];
}

function sameStored<Row extends OrderView | PositionView>(
  { noun, identity, differences }: Comparison<Row>,
  shown: OperationRows<Row>,
  other: OperationRows<Row>,
): Judgement {
  const known = new Map(other.rows.map((place) => [identity(place.row), place]));
  const [precisionIn, precisionInOther] = [precisions(shown.rows), precisions(other.rows)];
  const judgements = shown.rows.flatMap((place): Judgement[] => {
    const counterpart = known.get(identity(place.row));
    if (counterpart === undefined) return [];
    const violations = differences(place.row, counterpart.row, [precisionIn(place), precisionInOther(counterpart)])
      .filter((difference) => isStateDifference(place.row, difference))
      .map(({ field, first, second }) => ({
        path: rowPath(place, field),
        expected: `${asSent(counterpart.row, field) ?? (second || '""')} (as ${other.from} shows it)`,
        seen: asSent(place.row, field) ?? (first || '""'),
        row: `${identity(place.row)} ${differenceIn(place.row, { field, first, second })}`,
        otherPath: rowPath(counterpart, field),
      }));
    return [{ examined: 1, violations }];
  });
  return combine(judgements, `${noun} that both ${shown.from} and ${other.from} show`);
}

/** A time of a row in the notation in which it was sent; undefined for other fields. */
function asSent(row: OrderView | PositionView, field: string): string | undefined {
  return field === "timestamp" ? row.timestamp.text : undefined;
}

/**
 * Identifies a difference when both answers are read again (P3). The time of a position's latest event never goes back: where
 * the older one is shown again, there was no later event, whatever the other answer shows meanwhile.
 */
function differenceIn(row: OrderView | PositionView, { field, first, second }: StoredDifference): string {
  if ("positionId" in row && field === "timestamp") return first < second ? first : second;
  return `${first} ${second}`;
}

/**
 * The precision of the rows like a given one: of its list, of the orders within all positions of its answer, or of its
 * message of a stream (R1, R16).
 */
function precisions<Row extends OrderView | PositionView>(rows: readonly LocatedRow<Row>[]) {
  const kindOf = ({ list }: LocatedRow<Row>) => list.replace(/positions\[\d+\]/, "positions[]");
  const measured = new Map<string, Precision>();
  for (const [kind, places] of groupBy(rows, kindOf)) measured.set(kind, precisionOf(places.map(({ row }) => row)));
  return (place: LocatedRow<Row>): Precision => measured.get(kindOf(place)) ?? precisionOf([]);
}

/** Fields that other rules check within each operation, so that one fault fails one rule. */
const fixedElsewhere = new Set(["canceled", "type", "marginType", "effectiveSize"]);

/** The documented values of enum fields. A read with another value breaks a wire rule instead. */
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  side: sides,
  status: orderStatuses,
  reduceOrderType: reduceOrderTypes,
};

/** Whether a difference is in the state itself, not in how one of the reads is written. */
function isStateDifference(row: OrderView | PositionView, { field, first, second }: StoredDifference): boolean {
  if (fixedElsewhere.has(field) || (field === "initialNotional" && row.reduceOnly)) return false;
  if (field === "owner") return first.toLowerCase() !== second.toLowerCase();
  if (field === "timestamp") return parseInstant(first) !== undefined && parseInstant(second) !== undefined;
  const values = valuesOf[field];
  if (values) return values.includes(first) && values.includes(second);
  return first !== "NaN" && second !== "NaN";
}

/** A name of market `marketId`, or its symbols, resolves to that market (S9). */
export function resolvesTo(marketId: string, resolved: string): Judgement {
  const expected = `${marketId || '""'} (the market that goes by this name)`;
  return judgeThat(resolved === marketId, { path: "marketId", expected, seen: resolved });
}
