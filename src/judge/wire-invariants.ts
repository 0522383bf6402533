/** The invariants on how fields are written (§1, §2). */
import { type RuleId, ruleById } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Invariant } from "./invariant.js";
import { withSearchedPlaces } from "./judgement.js";
import {
  type OrderEndpoint,
  type PositionEndpoint,
  placesOfOrders,
  type ShownBody,
  shownPositions,
} from "./located-rows.js";
import type { KnownSubjects, ParsedRequest } from "./parsed-request.js";
import { judgeWireRule } from "./wire-rule.js";

/** Rules on how fields are written, wherever they occur (§1). */
export const fieldRules = [
  "wire.owner-evm-address",
  "wire.owner-lowercase",
  "wire.result-present",
  "wire.nested-objects-present",
  "wire.container-type",
  "wire.string-type",
  "wire.boolean-type",
  "wire.integer-type",
  "wire.side-values",
  "wire.enum-values-written",
  "wire.int64-as-string",
  "wire.int64-decimal",
  "wire.number-type",
  "wire.timestamp-rfc3339",
  "wire.timestamp-letters",
  "wire.timestamp-present",
  "wire.no-null",
] as const satisfies readonly RuleId[];

/** Rules that need a known wallet: whether an unknown wallet or market brings a result object is left open (S4, R12). */
export const needsSubject: ReadonlySet<RuleId> = new Set(["wire.result-present", "wire.nested-objects-present"]);

/** Rules on how a field is written (§1, §2), each with the data that it needs to be judged. */
const writtenRules: readonly (readonly [rule: RuleId, missing?: string])[] = [
  ...fieldRules.map((rule) => [rule] as const),
  ["position.margin-type-isolated", "a position with the field"],
  ["position.additional-field-types", "a position with an additional field"],
  ["order.type-market", "an order with the field"],
  ["order.canceled-never-set", "an order with the field"],
  ["order.reduce-order-type-values", "an order with the field"],
  ["order.reduce-order-type-empty", "an order with the field"],
  ["order.additional-field-types", "an order with an additional field"],
];

/** Where a field that may be absent is looked for, by rule. */
const searched: Partial<Record<RuleId, (endpoint: Endpoint, body: ShownBody) => readonly unknown[]>> = {
  "position.additional-field-types": (endpoint, body) => shownPositions(endpoint as PositionEndpoint, body),
  "order.additional-field-types": (endpoint, body) => placesOfOrders(endpoint as OrderEndpoint, body),
};

export const wireInvariants: readonly Invariant[] = writtenRules.flatMap(([rule, missing]) =>
  ruleById(rule).endpoints.map((endpoint): Invariant => {
    const places = searched[rule];
    const judge = (body: ShownBody) => judgeWireRule(rule, endpoint, body, missing);
    return {
      rule,
      endpoint,
      judge: places ? (body) => withSearchedPlaces(places(endpoint, body), judge(body)) : judge,
      ofAnyRows: true,
      ofWire: true,
      ...(needsSubject.has(rule) && { where: isOfSubject }),
    };
  }),
);

function isOfSubject({ wallet }: ParsedRequest, { unknown }: KnownSubjects): boolean {
  return wallet !== unknown.wallet;
}
