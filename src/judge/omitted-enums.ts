/**
 * Judges enums that must be present in every row, unless the server omits the value that its encoding treats as zero. The
 * text does not say which value that is, so it takes the whole run to tell (W2).
 */
import type { JsonObject } from "../connect/json.js";
import { type Endpoint, orderEndpoints, positionEndpoints } from "../specification/endpoints.js";
import { orderStatuses, sides } from "../specification/enums.js";
import { type Judgement, judgeEach } from "./judgement.js";
import { asObject, readObjects } from "./read-values.js";

/** The enums with several values, each with its rule. */
export const enumFields = {
  side: { rule: "wire.side-values", values: sides },
  status: { rule: "states.order-status-values", values: orderStatuses },
} as const;
export type EnumField = keyof typeof enumFields;

export const enumFieldNames = Object.keys(enumFields) as readonly EnumField[];

/** The rows of an answer, or of one message of the stream, that must have the field. */
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
export function surveyEnum(
  field: EnumField,
  body: JsonObject,
): { readonly seen: ReadonlySet<string>; readonly omitted: Judgement } {
  const rows = rowsWith(field, body);
  const values = rows.map(({ json }) => json[field]);
  const omitted = judgeEach(rows, ({ path, json }) =>
    json[field] === undefined
      ? {
          path: `${path}.${field}`,
          expected: "a value (none may be left out, unless exactly one of the documented ones occurs in no answer)",
          seen: "nothing",
        }
      : undefined,
  );
  return { seen: new Set(values.filter((value) => typeof value === "string")), omitted };
}

/**
 * Whether rows without the field may have the value that the encoding treats as zero: true if exactly one of the
 * documented values was never seen.
 */
export function mayBeOmitted(field: EnumField, seen: ReadonlySet<string>): boolean {
  return enumFields[field].values.filter((value) => !seen.has(value)).length === 1;
}

/** If all documented values of the field occur in `bodies`, none is omitted, so every row of `body` has the field (W2). */
export function presentIfAllValuesOccur(field: EnumField, bodies: readonly JsonObject[], body: JsonObject): Judgement {
  const seen = new Set(bodies.flatMap((answerBody) => [...surveyEnum(field, answerBody).seen]));
  const { omitted } = surveyEnum(field, body);
  const allOccur = enumFields[field].values.every((value) => seen.has(value));
  return allOccur ? omitted : { ...omitted, violations: [] };
}

/** Whether an operation shows rows with such a field. */
export function showsEnums(endpoint: Endpoint): boolean {
  return endpointsWithRows.has(endpoint);
}

const endpointsWithRows: ReadonlySet<Endpoint> = new Set([...positionEndpoints, ...orderEndpoints]);
