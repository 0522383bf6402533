import type { JsonObject } from "../connect/json.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import { combine, type Judgement, nothingSeen } from "./judgement.js";
import type { ShownBody, Snapshots } from "./shown.js";
import { judgeWire, type WireJudgement } from "./wire.js";

/** Several rules are judged on one body; the schemas are applied once. */
const judged = new WeakMap<JsonObject, WireJudgement>();

/**
 * What the wire judge finds of one rule in an answer: the rules whose constraints the JSON Schemas carry, such as the
 * types and enum values of fields.
 *
 * @param missing what would have to be there for the rule to be judged
 */
export function judgeWireRule(
  rule: RuleId,
  endpoint: Endpoint,
  body: ShownBody,
  missing = "an answer with a field that the rule speaks of",
): Judgement {
  const inBody = (one: JsonObject) => wireJudgement(endpoint, one).get(rule) ?? nothingSeen(missing);
  if (endpoint !== "GetOpenPositionsStreaming") return inBody(body as JsonObject);
  const messages = (body as Snapshots).messages.map((message, index) => {
    const judgement = inBody(message.body);
    const violations = judgement.violations.map((found) => ({ ...found, path: `messages[${index}].${found.path}` }));
    return { ...judgement, violations };
  });
  return messages.length > 0 ? combine(messages) : nothingSeen(missing);
}

/** What the wire judge finds in a body; found once. */
export function wireJudgement(endpoint: Endpoint, body: JsonObject): WireJudgement {
  let found = judged.get(body);
  if (!found) {
    found = judgeWire(endpoint, body);
    judged.set(body, found);
  }
  return found;
}
