import type { JsonObject } from "../connect/json.js";
import type { RuleId } from "../spec/catalogue/index.js";
import type { Endpoint } from "../spec/endpoints.js";
import { combine, type Judgement, nothingSeen } from "./judgement.js";
import type { ShownBody, Snapshots } from "./shown.js";
import { judgeWire, type WireJudgement } from "./wire.js";

/** Several rules are judged on one body; the schemas are applied once. */
const judged = new WeakMap<JsonObject, WireJudgement>();

/**
 * What the wire judge finds of one rule in an answer: the rules whose constraints the JSON Schemas carry, such as the
 * types and enum values of fields.
 */
export function judgeWireRule(rule: RuleId, endpoint: Endpoint, body: ShownBody): Judgement {
  if (endpoint !== "GetOpenPositionsStreaming") return inBody(rule, endpoint, body as JsonObject);
  const messages = (body as Snapshots).messages.map((message, index) => {
    const judgement = inBody(rule, endpoint, message.body);
    const violations = judgement.violations.map((found) => ({ ...found, path: `messages[${index}].${found.path}` }));
    return { ...judgement, violations };
  });
  return messages.length > 0 ? combine(messages) : nothingSeen(missing);
}

const missing = "an answer with a field that the rule is about";

function inBody(rule: RuleId, endpoint: Endpoint, body: JsonObject): Judgement {
  let found = judged.get(body);
  if (!found) {
    found = judgeWire(endpoint, body);
    judged.set(body, found);
  }
  return found.get(rule) ?? nothingSeen(missing);
}
