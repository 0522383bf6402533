import type { JsonObject } from "../connect/json.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { type Endpoint, isStream } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { combine, type Judgement, nothingSeen } from "./judgement.js";
import type { ShownBody, Snapshots } from "./located-rows.js";
import { judgeWire, type WireJudgement } from "./wire.js";

/** Caches the wire judgement of a body: several rules are judged on it, but the schemas are applied once. */
const judged = new WeakMap<JsonObject, WireJudgement>();

/**
 * Judges an answer by one wire rule. Wire rules are those whose constraints are in the JSON Schemas, such as the types
 * and enum values of fields.
 *
 * @param missing the data that it takes to judge the rule
 */
export function judgeWireRule(
  rule: RuleId,
  endpoint: Endpoint,
  body: ShownBody,
  missing = "an answer with a field that the rule applies to",
): Judgement {
  const inBody = (json: JsonObject) => wireJudgement(endpoint, json).get(rule) ?? nothingSeen(missing);
  if (!isStream(endpoint)) return inBody(body as JsonObject);
  const messages = (body as Snapshots).messages.map((message, index) => {
    const judgement = inBody(message.body);
    const violations = judgement.violations.map((found) => ({ ...found, path: `messages[${index}].${found.path}` }));
    return { ...judgement, violations };
  });
  return messages.length > 0 ? combine(messages) : nothingSeen(missing);
}

/** The wire judgement of a body, computed once. */
export function wireJudgement(endpoint: Endpoint, body: JsonObject): WireJudgement {
  return getOrInsert(judged, body, () => judgeWire(endpoint, body));
}
