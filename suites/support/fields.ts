/** Observations on how fields are written, where that is left open (W1, W10). */
import type { JsonObject } from "../../src/connect/json.js";
import type { Capture } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { exploredAnswers } from "../../src/engine/explored.js";
import { usable } from "../../src/engine/usable.js";
import { show } from "../../src/judge/judgement.js";
import { type FieldSurvey, surveyFields } from "../../src/judge/wire-fields.js";

/** How many answers are inspected. All answers of an operation show the same fields. */
const answersInspected = 8;

async function survey(context: CheckContext): Promise<FieldSurvey> {
  const { endpoint } = context;
  const answers = usable(await exploredAnswers(context, endpoint)).slice(0, answersInspected);
  const bodies = answers.flatMap((answer) => {
    const body = context.bodyOf(answer);
    return endpoint === "GetOpenPositionsStreaming"
      ? (body as Capture).messages.map((message) => message.body)
      : [body as JsonObject];
  });
  return surveyFields(endpoint, ...bodies);
}

/** Records how many documented fields are written out as defaults, and how many are left out (W1). */
export async function recordDefaults(context: CheckContext): Promise<void> {
  const { defaultsWritten, absent } = await survey(context);
  context.record("documented fields", `${defaultsWritten} written out as defaults, ${absent} left out`);
}

/** Records the fields that the specification does not list (W10). */
export async function recordUnlisted(context: CheckContext): Promise<void> {
  const { unlisted } = await survey(context);
  for (const [place, value] of unlisted) context.record(place, show(value));
  if (unlisted.size === 0) context.record("fields that the text does not list", "none");
}
