/** Judges whether documented requests are answered as the specification says, whatever their fields combine. */
import { type JsonObjectInput, RawJson, stringify } from "../connect/json.js";
import { endsAsDocumented } from "../judge/connect-error.js";
import type { ShownBody, Snapshots } from "../judge/located-rows.js";
import { isStream } from "../specification/endpoints.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import type { CheckContext } from "./context.js";
import { askPlanned, type ExploredAnswer, explored, type PlannedAnswer } from "./explored.js";
import { parsedRequestOf } from "./invariant-judgement.js";
import { saysNoPrice } from "./no-price.js";
import { isOptionalField, shrinkRequest } from "./shrink.js";

/**
 * Asserts that no documented request gets `internal` or an answer that is not Connect, and that none is refused because of a
 * combination of its fields. A refusal caused by a single field is left to the rule on that field.
 */
export async function answeredAsDocumented(context: CheckContext): Promise<void> {
  const { endpoint, verify, subjects } = context;
  const { exchanges, interactions } = await explored(context, endpoint);
  context.tried(interactions);
  for (const { answer } of exchanges) verify(answer).meets(endsAsDocumented);
  const known = exchanges.map(({ answer }) => answer);
  const isUnexplained = (answer: AnswerOf<ShownBody>) =>
    isContentRefusal(answer) && !saysNoPrice(answer, known, subjects);
  const refused = exchanges.filter(({ answer }) => isUnexplained(answer));
  const classesOf = ({ planned: { row } }: ExploredAnswer) => Object.entries(row).map((each) => each.join(" "));
  const answered = new Set(exchanges.filter(({ answer }) => !isContentRefusal(answer)).flatMap(classesOf));
  // Prefer requests whose field classes were each answered elsewhere: no single class explains the refusal.
  const isCombined = (made: ExploredAnswer) => classesOf(made).every((name) => answered.has(name));
  const made = refused.find(isCombined) ?? refused[0];
  if (made === undefined) return;
  const unanswered: AnswerOf<ShownBody>[] = [];
  const { smallest } = await shrinkRequest(context, made, (answer) => {
    if (!isAnswered(answer)) unanswered.push(answer);
    return isUnexplained(answer);
  });
  const tried = [...exchanges, ...(await tryFieldsElsewhere(context, smallest, exchanges))];
  if (!isCombinationFailure(smallest, tried, subjects)) return;
  if (unanswered.length > 0) context.inconclusive("needs an answer to each part of a request that was refused");
  verify(...new Set([smallest, ...refused].map(({ answer }) => answer))).succeeds();
}

/** Maximum number of a refused request's fields that are tried in another request. */
const fieldsTriedElsewhere = 2;

/**
 * Tries each optional field of a refused request in another request that was answered. `offset` is skipped: it may be beyond
 * the end of one list but not of the other.
 */
async function tryFieldsElsewhere(
  context: CheckContext,
  { answer: { endpoint, request }, planned }: PlannedAnswer,
  exchanges: readonly ExploredAnswer[],
): Promise<readonly PlannedAnswer[]> {
  const fields = Object.keys(planned.body).filter((field) => field !== "offset" && isOptionalField(endpoint, field));
  const successful = exchanges.find(
    ({ answer }) => answer.outcome.kind === "success" && stringify(answer.request) !== stringify(request),
  );
  if (!successful || fields.length > fieldsTriedElsewhere) return [];
  return Promise.all(
    fields.map(async (field): Promise<PlannedAnswer> => {
      const elsewhere = { body: { ...successful.planned.body, [field]: planned.body[field] }, headers: {} };
      return { planned: elsewhere, answer: await askPlanned(context, endpoint, elsewhere) };
    }),
  );
}

/** Error codes that refuse a request because of its content. */
export const refusalCodes: readonly string[] = ["invalid_argument", "not_found", "out_of_range", "failed_precondition"];

/** Whether the answer refuses the request because of its content, rather than the operation or the rate of requests. */
export function isContentRefusal({ outcome, exchange }: AnswerOf<unknown>): boolean {
  return outcome.kind === "error" && !exchange.throttled && refusalCodes.includes(outcome.code);
}

/** Whether a server answered. A stream that was left before it sent anything may still have been refused. */
function isAnswered({ endpoint, outcome, exchange }: AnswerOf<ShownBody>): boolean {
  if (exchange.throttled || outcome.kind === "failure") return false;
  return outcome.kind !== "success" || !isStream(endpoint) || (outcome.body as Snapshots).messages.length > 0;
}

/**
 * Tells whether a refusal is due to a combination: the request has several unusual features, or all of its features and
 * subjects were answered elsewhere.
 */
export function isCombinationFailure(
  made: PlannedAnswer,
  exchanges: readonly PlannedAnswer[],
  subjects: Subjects,
): boolean {
  const answered = new Set(
    exchanges
      .filter(({ answer }) => answer.outcome.kind === "success" && isAnswered(answer))
      .flatMap((other) => [...featuresOf(other, subjects), ...subjectsOf(other, subjects)]),
  );
  const features = featuresOf(made, subjects);
  const all = [...features, ...subjectsOf(made, subjects)];
  return features.length > 1 || (all.length > 1 && all.every((feature) => answered.has(feature)));
}

/** Features of a request that a server may stumble over: its headers, its optional fields, and how it is written. */
function featuresOf({ answer, planned: { headers, notation } }: PlannedAnswer, subjects: Subjects): readonly string[] {
  const asked = parsedRequestOf(answer, subjects);
  const request = answer.request as JsonObjectInput;
  const optional = Object.entries(request).filter(
    ([field, value]) => value !== undefined && isOptionalField(answer.endpoint, field),
  );
  const writing = {
    bySymbols: asked?.bySymbols,
    padded: asked?.padded,
    recased: asked?.recased,
    inAnotherZone: typeof request.startTime === "string" && !request.startTime.endsWith("Z"),
  };
  return [
    ...Object.keys(headers),
    ...(notation ? [notation] : []),
    ...optional.map(([field, value]) => `${field} ${value instanceof RawJson ? value.text : JSON.stringify(value)}`),
    ...Object.entries(writing).flatMap(([name, is]) => (is === true ? [name] : [])),
  ];
}

/** The market, wallet and interval that a request is about. */
function subjectsOf({ answer }: PlannedAnswer, subjects: Subjects): readonly string[] {
  const { marketId, wallet, interval } = parsedRequestOf(answer, subjects) ?? {};
  return [`market ${marketId}`, `wallet ${wallet}`, `interval ${interval}`].filter(
    (subject) => !subject.endsWith("undefined"),
  );
}
