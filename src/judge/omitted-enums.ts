/**
 * Enums that must be in each row, unless a server leaves out the value that its encoding calls zero: which one that is the
 * text does not say, so that it takes the whole run to tell (W2).
 */
import type { JsonObject } from "../connect/json.js";
import type { Endpoint } from "../specification/endpoints.js";
import { orderStatuses, sides } from "../specification/enums.js";
import { type Judgement, judgeEach } from "./judgement.js";
import { asObject, readObjects } from "./read-values.js";

/** The enums of several values, each with the rule on them. */
export const enumFields = {
  side: { rule: "wire.side-values", values: sides },
  status: { rule: "states.order-status-values", values: orderStatuses },
} as const;
export type EnumField = keyof typeof enumFields;

/** The rows of an answer, or of one message of the stream, that have the field. */
function rowsWith(field: EnumField, body: JsonObject): readonly { readonly path: string; readonly json: JsonObject }[] {
  const placed = (list: string, value: JsonObject[string]) =>
    readObjects(value).map((json, index) => ({ path: `${list}[${index}]`, json }));
  const portfolio = asObject(body.portfolio);
  const positions = [...placed("positions", body.positions), ...placed("portfolio.positions", portfolio?.positions)];
  return [
    ...(field === "side" ? positions : []),
    ...placed("orders", body.orders),
    ...placed("portfolio.orders", portfolio?.orders),
    ...positions.flatMap(({ path, json }) => placed(`${path}.associatedOrders`, json.associatedOrders)),
  ];
}

/** The values of the field that an answer shows, and the rows in which it is absent. */
export function census(
  field: EnumField,
  body: JsonObject,
): { readonly seen: ReadonlySet<string>; readonly left: Judgement } {
  const rows = rowsWith(field, body);
  const values = rows.map(({ json }) => json[field]);
  const left = judgeEach(rows, ({ path, json }) =>
    json[field] === undefined
      ? {
          path: `${path}.${field}`,
          expected: "a value (none may be left out, unless exactly one of the documented ones occurs in no answer)",
          seen: "nothing",
        }
      : undefined,
  );
  return { seen: new Set(values.filter((value) => typeof value === "string")), left };
}

/**
 * Whether rows without the field may have the value that the encoding calls zero: exactly one of the documented values was seen
 * nowhere.
 */
export function mayBeLeftOut(field: EnumField, seen: ReadonlySet<string>): boolean {
  return enumFields[field].values.filter((value) => !seen.has(value)).length === 1;
}

/** The field is in each row of some answers in which all of its documented values occur (W2): then none of them is left out. */
export function writtenOutWhereAllOccur(field: EnumField, bodies: readonly JsonObject[], body: JsonObject): Judgement {
  const seen = new Set(bodies.flatMap((one) => [...census(field, one).seen]));
  const { left } = census(field, body);
  const isSettled = enumFields[field].values.every((value) => seen.has(value));
  return isSettled ? left : { ...left, violations: [] };
}

/** Operations that show rows with such a field. */
export function showsEnums(endpoint: Endpoint): boolean {
  return endpointsWithRows.includes(endpoint);
}

const endpointsWithRows: readonly Endpoint[] = [
  "GetAllPositions",
  "GetOpenPositionsStreaming",
  "GetAllOrders",
  "GetOrders",
  "GetPortfolio",
];
