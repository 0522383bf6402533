/** Judges single positions and their associated orders (§2 Position, §2 OrderRef). */
import type { AlternativeId } from "../specification/readings.js";
import { hasNoOrderLinks, type KnownOrders, linkedOrderKeys, openingKey, openingOrderOf } from "./associated.js";
import { mostDigitsShown, surelyBefore } from "./instant.js";
import { combine, type Judgement, judgeEach, show, type Violation, withSearchedPlaces } from "./judgement.js";
import { type LocatedRow, type PositionRows, rowPath, wrongField } from "./located-rows.js";
import type { OrderRefView, PositionView } from "./read.js";
import { orderKey, positionKey } from "./read-stored.js";
import { readObjects } from "./read-values.js";
import { halfUnit, nearlyEqual } from "./tolerance.js";

/** Looks up the orders of a wallet by its address; undefined if they were not read. */
export type OrderLookup = (owner: string) => KnownOrders | undefined;

/** Each position occurs once in each list: no two share `positionId` and `marketId` (R14). */
export function eachPositionOnce(positions: PositionRows): Judgement {
  return eachOnce(positions, ({ row }) => positionKey(row), "each position once");
}

/** No two rows of one list share an identity. */
export function eachOnce<Row>(
  rows: readonly LocatedRow<Row>[],
  identity: (shown: LocatedRow<Row>) => string,
  expected: string,
): Judgement {
  const firsts = new Map<string, string>();
  const repeats = (shown: LocatedRow<Row>): Violation | undefined => {
    const key = identity(shown);
    const inList = `${shown.list} ${key}`;
    const first = firsts.get(inList);
    if (first !== undefined) return { path: rowPath(shown), expected, seen: `${key} again, first in ${first}` };
    firsts.set(inList, rowPath(shown));
    return undefined;
  };
  // A list of one cannot repeat anything.
  return judgeEach(rows.length > 1 ? rows : [], repeats, "two rows in one answer");
}

/** The possible rounding of a field, from the decimals that all rows of the answer show (R1). */
export function fieldRounding<Field extends string>(
  rows: readonly { readonly row: Readonly<Record<Field, number>> }[],
  field: Field,
): number {
  return halfUnit(rows.map(({ row }) => row[field]));
}

/** `effectiveSize` equals `nominalSize` (§2 Position, R1). */
export function effectiveSizes(positions: PositionRows): Judgement {
  const readable = positions.filter(
    ({ row }) => Number.isFinite(row.effectiveSize) && Number.isFinite(row.nominalSize),
  );
  const rounding = [fieldRounding(positions, "effectiveSize"), fieldRounding(positions, "nominalSize")];
  return judgeEach(
    readable,
    (shown) => {
      const { effectiveSize, nominalSize } = shown.row;
      if (nearlyEqual(effectiveSize, nominalSize, { rounding })) return undefined;
      return wrongField(shown, "effectiveSize", `${nominalSize} (= nominalSize)`);
    },
    "a position",
  );
}

/** A profit or loss below this may have been rounded to zero, in quote units. */
const roundedAway = 1;

/** `unrealizedPnl` has the sign that mark price, entry price and side give (R5). */
export function unrealizedPnlSigns(positions: PositionRows): Judgement {
  const rounding = [fieldRounding(positions, "markPrice"), fieldRounding(positions, "entryPrice")];
  const withGain = positions.filter(
    ({ row }) =>
      expectedGain(row) !== 0 &&
      !lacksMarkPrice(row) &&
      !nearlyEqual(row.markPrice, row.entryPrice, { rounding }) &&
      Number.isFinite(row.unrealizedPnl),
  );
  return judgeEach(
    withGain,
    (shown) => {
      const { side, markPrice, entryPrice, unrealizedPnl } = shown.row;
      const gain = expectedGain(shown.row);
      const zero = unrealizedPnl === 0 && Math.abs(gain) < roundedAway;
      if (zero || Math.sign(unrealizedPnl) === Math.sign(gain)) return undefined;
      const sign = gain > 0 ? "a profit" : "a loss";
      return wrongField(shown, "unrealizedPnl", `${sign} (${side}, markPrice ${markPrice}, entryPrice ${entryPrice})`);
    },
    "a position whose markPrice differs from its entryPrice",
  );
}

/** Whether there is no mark price: the market of the position cannot be loaded (§2 Position, `estimatedRebate`). */
function lacksMarkPrice({ markPrice, estimatedRebate }: PositionView): boolean {
  return markPrice === 0 && estimatedRebate === -1;
}

/** The price move in the position's favour times its size; 0 if unknown. */
function expectedGain({ side, markPrice, entryPrice, nominalSize }: PositionView): number {
  const direction = side === "SIDE_LONG" ? 1 : side === "SIDE_SHORT" ? -1 : 0;
  const gain = direction * (markPrice - entryPrice) * nominalSize;
  return Number.isFinite(gain) && nominalSize > 0 ? gain : 0;
}

/**
 * `positionId` is the id of the order that opened the position: its lists name an opening order of that id and market. If
 * both are empty, the owner's orders contain it (R2).
 */
export function openingOrders(positions: PositionRows, ordersOf: OrderLookup = () => undefined): Judgement {
  const linked = positions.filter(({ row }) => !hasNoOrderLinks(row) || ordersOf(row.owner) !== undefined);
  return judgeEach(
    linked,
    (shown) => {
      const { row } = shown;
      const namesNone = hasNoOrderLinks(row);
      const orderKeys = namesNone ? new Set(ordersOf(row.owner)?.keys()) : linkedOrderKeys(row);
      if (orderKeys.has(openingKey(row))) return undefined;
      const source = namesNone ? `the orders of ${row.owner}` : `the associated orders: ${[...orderKeys].join(", ")}`;
      const expected = `the orderId of an opening order of market ${row.marketId} among ${source}`;
      return { ...wrongField(shown, "positionId", expected), row: positionKey(row) };
    },
    "a position with associated orders, or whose owner's orders can be read",
  );
}

/** `leverage` is that of the opening order (R1, R2). */
export function leveragesAtOpening(positions: PositionRows, known?: KnownOrders): Judgement {
  const judged = positions.flatMap((shown) => {
    const opening = openingOrderOf(shown.row, known);
    const readable = opening && Number.isFinite(opening.leverage) && Number.isFinite(shown.row.leverage);
    return readable ? [{ shown, opening }] : [];
  });
  const rounding = [fieldRounding(positions, "leverage"), halfUnit(judged.map(({ opening }) => opening.leverage))];
  return judgeEach(
    judged,
    ({ shown, opening }) => {
      const { leverage } = shown.row;
      if (nearlyEqual(leverage, opening.leverage, { rounding })) return undefined;
      const expected = `${opening.leverage} (that of the opening order ${opening.orderId})`;
      const row = `${positionKey(shown.row)} ${leverage} ${opening.leverage}`;
      return { ...wrongField(shown, "leverage", expected), row };
    },
    "a position whose opening order is shown",
  );
}

/** `timestamp` is not before that of the order that opened the position, compared at the coarser precision (R18). */
export function notBeforeOpening(positions: PositionRows, known?: KnownOrders): Judgement {
  const judged = positions.flatMap((shown) => {
    const opened = openingOrderOf(shown.row, known)?.timestamp;
    return opened?.instant && shown.row.timestamp.instant ? [{ shown, opened, since: opened.instant }] : [];
  });
  const digits = Math.min(
    mostDigitsShown(judged.map(({ shown }) => shown.row.timestamp)),
    mostDigitsShown(judged.map(({ opened }) => opened)),
  );
  return judgeEach(
    judged,
    ({ shown, opened, since }) => {
      const { instant, text } = shown.row.timestamp;
      if (!instant || !surelyBefore(instant, since, digits)) return undefined;
      return {
        path: rowPath(shown, "timestamp"),
        expected: `not before ${opened.text} (that of the opening order ${shown.row.positionId})`,
        seen: text,
        row: `${positionKey(shown.row)} ${text}`,
      };
    },
    "a position whose opening order is shown",
  );
}

/** Every associated order, and every reference to one, is of the position's own market (§2 Position). */
export function associatedMarkets(positions: PositionRows): Judgement {
  const judgements = positions.flatMap((shown) =>
    (["associatedOrders", "associatedOrderIds"] as const).map((list) =>
      judgeEach<OrderRefView>(shown.row[list], ({ marketId }, index) =>
        marketId === shown.row.marketId
          ? undefined
          : {
              path: `${rowPath(shown, list)}[${index}].marketId`,
              expected: `${shown.row.marketId} (the position's market)`,
              seen: marketId,
            },
      ),
    ),
  );
  return combine(judgements, "a position with associated orders");
}

/** Every associated order has the position's owner (§2 Position). The wire rules cover how the address is written. */
export function associatedOwners(positions: PositionRows): Judgement {
  const judgements = positions.map((shown) =>
    judgeEach(shown.row.associatedOrders, (order, index) =>
      order.owner.toLowerCase() === shown.row.owner.toLowerCase()
        ? undefined
        : {
            path: `${rowPath(shown, "associatedOrders")}[${index}].owner`,
            expected: `${shown.row.owner} (the position's owner)`,
            seen: order.owner,
          },
    ),
  );
  return withSearchedPlaces(positions, combine(judgements, "a position with associatedOrders"));
}

/** If both lists are non-empty, they name the same orders, each once (R15). */
export function associatedListsAgree(positions: PositionRows): Judgement {
  const both = positions.filter(({ row }) => row.associatedOrders.length > 0 && row.associatedOrderIds.length > 0);
  const found = judgeEach(
    both,
    (shown) => {
      const orders = shown.row.associatedOrders.map(orderKey).sort();
      const ids = shown.row.associatedOrderIds.map(orderKey).sort();
      const distinct = new Set([...orders, ...ids]).size;
      if (distinct === orders.length && distinct === ids.length) return undefined;
      return {
        path: rowPath(shown, "associatedOrderIds"),
        expected: `the orders of associatedOrders, each once (${orders.join(", ")})`,
        seen: ids.join(", "),
      };
    },
    "a position with both associatedOrders and associatedOrderIds",
  );
  return withSearchedPlaces(positions, found);
}

/** Every reference names an order that the owner's orders contain (§2 OrderRef, R13, R14). */
export function referencesNameOrders(positions: PositionRows, ordersOf: OrderLookup): Judgement {
  const judgements = positions.map((shown) => {
    const orders = ordersOf(shown.row.owner);
    return judgeEach(orders ? shown.row.associatedOrderIds : [], (reference, index) =>
      orders?.has(orderKey(reference))
        ? undefined
        : {
            path: `${rowPath(shown, "associatedOrderIds")}[${index}]`,
            expected: `an order of ${shown.row.owner}, as GetOrders or GetAllOrders lists it`,
            seen: `orderId ${reference.orderId}, marketId ${reference.marketId}, reduceOnly ${reference.reduceOnly}`,
          },
    );
  });
  return combine(judgements, "a reference to an order, and the owner's orders");
}

/** All ids in order references have the JSON type of the chosen reading (W5). */
export function referenceIdsAre(reading: AlternativeId<"W5">, positions: PositionRows): Judgement {
  const expected = reading === "string" ? "a decimal string" : "a JSON integer";
  const judgements = positions.map((shown) => {
    const ids = readObjects(shown.row.json.associatedOrderIds).flatMap((reference, index) =>
      ["orderId", "marketId"].map((field) => ({
        path: `${rowPath(shown, "associatedOrderIds")}[${index}].${field}`,
        id: reference[field],
      })),
    );
    return judgeEach(
      ids.filter(({ id }) => id !== undefined),
      ({ path, id }) =>
        (typeof id === "string") === (reading === "string") ? undefined : { path, expected, seen: show(id) },
    );
  });
  return combine(judgements, "a reference to an order");
}
