import type { Exchange } from "../connect/exchange.js";
import { appliesTo, type Invariant } from "../judge/invariant.js";
import type { Judgement } from "../judge/judgement.js";
import type { ShownBody } from "../judge/located-rows.js";
import { type KnownSubjects, type ParsedRequest, parseRequest } from "../judge/parsed-request.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import type { Readings } from "../specification/readings.js";
import type { AnswerOf } from "./answer.js";
import { knownBody } from "./samples.js";

/** What invariants are judged with: the same for all answers of a run. */
export interface InvariantTerms {
  readonly subjects: KnownSubjects;
  readonly readings: Readings;
}

/**
 * Cached judgements. An answer is judged when it arrives and again by the checks that explored it. Entries are freed
 * together with their exchange.
 */
const judged = new WeakMap<
  Exchange,
  { readonly asked: ParsedRequest | undefined; readonly by: Map<Invariant, CachedJudgement> }
>();

/**
 * Judgements with more violations are not cached but repeated on demand: tens of thousands of bad rows per answer would
 * take gigabytes.
 */
const violationsKept = 1_000;

/** A judgement and the readings it was made under: a record may be judged under several. */
interface CachedJudgement {
  readonly judgement: Judgement;
  readonly readings: Readings;
}

/** What a request asked for; undefined unless the request is documented (see {@link parseRequest}). */
export function parsedRequestOf(answer: AnswerOf<unknown>, known: KnownSubjects): ParsedRequest | undefined {
  return judgedOf(answer, known).asked;
}

/** Judges an invariant on an answer; undefined if it does not apply or there is no body. */
export function judgeInvariant(
  invariant: Invariant,
  answer: AnswerOf<ShownBody>,
  { subjects, readings }: InvariantTerms,
): Judgement | undefined {
  const { asked, by } = judgedOf(answer, subjects);
  if (!asked || !appliesTo(invariant, asked, subjects)) return undefined;
  const before = by.get(invariant);
  if (before?.readings === readings) return before.judgement;
  const body = knownBody(answer);
  if (!body) return undefined;
  const sentAt = Date.parse(answer.exchange.startedAt);
  const judgement = invariant.judge(body, { asked, known: subjects, readings, sentAt });
  if (judgement.violations.length <= violationsKept) by.set(invariant, { judgement, readings });
  return judgement;
}

function judgedOf({ endpoint, exchange }: AnswerOf<unknown>, known: KnownSubjects) {
  return getOrInsert(judged, exchange, () => ({
    asked: parseRequest(endpoint, exchange.request.body, known),
    by: new Map<Invariant, CachedJudgement>(),
  }));
}
