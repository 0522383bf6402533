/** Refusals: rules on requests that are valid except for one fault (§7). */
import fc from "fast-check";
import { draw, seedFor, shuffled } from "../arbitraries/seed.js";
import type { JsonInput, JsonObject } from "../connect/json.js";
import type { PlannedRequest } from "../exploration/planned-request.js";
import type { Judgement } from "../judge/judgement.js";
import type { ShownBody } from "../judge/located-rows.js";
import { isOfUnknownWallet } from "../judge/parsed-request.js";
import type { Profile } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import type { MarketSubject, Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import type { CheckContext } from "./context.js";
import { askPlanned, explored, unexplored } from "./explored.js";
import { parsedRequestOf } from "./invariant-judgement.js";
import { mostDiverse } from "./relation-pairs.js";
import { shrinkRequest } from "./shrink.js";

/** An invalid value of a request field; undefined omits the field. */
export type InvalidValue = JsonInput | undefined | fc.Arbitrary<JsonInput>;

/** What an operation must refuse. */
export interface Refusal {
  /** The request field that holds the invalid value. */
  readonly field: string;
  /** Invalid values of the field, each sent in its own request. They may depend on the market that the request is about. */
  readonly values: (market: MarketSubject, subjects: Subjects) => readonly InvalidValue[];
  /** Further invalid values that must be looked up first. */
  readonly lookedUp?: (context: CheckContext) => Promise<readonly InvalidValue[]>;
  /** The documented error codes; they may depend on the readings of the run. */
  readonly codes: ErrorCodes | ((readings: Readings) => ErrorCodes);
  /** A success accepted instead, depending on the readings of the run; undefined if every invalid value must be refused. */
  readonly instead?: (readings: Readings) => Success | undefined;
}

/** A success in place of a refusal: what it must hold, and whether only that is accepted. */
interface Success {
  readonly holds: (body: JsonObject) => Judgement;
  readonly only: boolean;
}

type ErrorCodes = readonly [string, ...string[]];

/** How often each invalid value is tried, by profile: each time in another request, with values drawn again. */
const rounds: Readonly<Record<Profile, number>> = { quick: 1, full: 4 };

/** Fewest requests that a refusal sends, over all its values: enough to cover most classes of the other fields. */
const requestsAtLeast = 6;

/**
 * Asserts that invalid values are refused. Each is put into an explored request that was answered, so that it can only
 * be refused for this fault. An invalid value that is accepted is tried again with fewer fields, and reported with the
 * smallest request that shows it.
 */
export async function assertRefused(refusal: Refusal, context: CheckContext) {
  const { field, lookedUp, codes } = refusal;
  const { endpoint, profile, seed, subjects, verify, readings } = context;
  const others = (await lookedUp?.(context)) ?? [];
  const { exchanges } = await explored(context, endpoint);
  const sound = exchanges.flatMap(({ planned, answer }) => {
    const asked = answer.outcome.kind === "success" ? parsedRequestOf(answer, subjects) : undefined;
    const market = subjects.markets.find(({ marketId }) => marketId === asked?.marketId);
    const isKnown = asked !== undefined && !isOfUnknownWallet(asked, subjects);
    const invalid = market && isKnown ? [...refusal.values(market, subjects), ...others] : [];
    return invalid.length > 0 ? [{ planned, invalid }] : [];
  });
  const inOrder = shuffled(sound, seed);
  const first = context.required(inOrder[0], unexplored(context, "to a request in which a value can be made invalid"));
  const count = first.invalid.length;
  // With only one or two values, each is put into every chosen request.
  const few = count <= 2;
  const size = few ? requestsAtLeast * count : Math.max(rounds[profile] * count, requestsAtLeast);
  const chosen = mostDiverse(inOrder, few ? requestsAtLeast : size);
  const faulty = Array.from({ length: size }, (_, at) => {
    const { planned, invalid } = chosen[at % chosen.length] ?? first;
    const turn = few ? Math.floor(at / chosen.length) : at;
    const chosenValue = invalid[turn % invalid.length];
    const value = chosenValue instanceof fc.Arbitrary ? draw(chosenValue, seedFor(seed, String(at))) : chosenValue;
    // No unusual headers: their effects are judged by the rules on headers.
    return { body: { ...planned.body, [field]: value }, headers: {} } satisfies PlannedRequest;
  });
  const answers = await Promise.all(
    faulty.map(async (planned) => ({ planned, answer: await askPlanned(context, endpoint, planned) })),
  );
  const instead = refusal.instead?.(readings);
  const documented = typeof codes === "function" ? codes(readings) : codes;
  const judge = (answer: AnswerOf<ShownBody>) => {
    const succeeds = instead?.only || answer.outcome.kind === "success";
    if (instead && succeeds) verify(answer).satisfies((body) => instead.holds(body as JsonObject));
    else verify(answer).failsWith(...documented);
  };
  const isAccepted = ({ outcome }: AnswerOf<ShownBody>) =>
    outcome.kind === "success" && (instead?.holds(outcome.body as JsonObject).violations.length ?? 1) > 0;
  const accepted = answers.find(({ answer }) => isAccepted(answer));
  if (accepted) judge((await shrinkRequest(context, accepted, isAccepted, { kept: field })).smallest.answer);
  for (const { answer } of answers) judge(answer);
}
