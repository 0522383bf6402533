import { createHash } from "node:crypto";
import type { JsonObject } from "../connect/json.js";
import { anyErrorObjectIs, errorCode, errorObjectRules, isConnectAnswer } from "../judge/connect-error.js";
import { invariantsOf } from "../judge/invariants.js";
import type { Judgement } from "../judge/judgement.js";
import { census, type EnumField, enumFields, mayBeLeftOut, showsEnums } from "../judge/omitted-enums.js";
import type { ShownBody } from "../judge/shown.js";
import { wellFormedEnvelopes } from "../judge/snapshots.js";
import { hasConnectContentType, isOneJsonObject, messagesAreJsonObjects } from "../judge/whole-answer.js";
import { wireJudgement } from "../judge/wire-rule.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import { levelUnder } from "../specification/readings.js";
import type { Level } from "../specification/rule.js";
import type { Answer, AnswerOf, StreamAnswer } from "./answer.js";
import { AssertionLog } from "./assertion-log.js";
import { askedBy, type InvariantTerms, judgeInvariant } from "./invariant-judgement.js";
import type { CheckResult } from "./result.js";
import { isSample } from "./samples.js";

/**
 * Not judged on every answer: whether a market or wallet that does not exist brings a result object is left open (S4,
 * R12). The wire suite judges it on subjects that do exist.
 */
const needsSubject: ReadonlySet<RuleId> = new Set(["wire.result-present", "wire.nested-objects-present"]);

const errorObjectJudges = errorObjectRules.map((rule) => [rule, anyErrorObjectIs(rule)] as const);

/**
 * The wire rules and the invariants on every answer of a run, whichever check asked for it. The suites look at chosen
 * answers; this catches what is wrong only on page three of somebody else's question.
 */
export class EveryAnswer {
  /** @param terms what invariants are judged with; none is judged without them */
  constructor(private readonly terms?: InvariantTerms) {}

  readonly #logs = new Map<string, { rule: RuleId; endpoint: Endpoint; log: AssertionLog }>();
  /** What was judged already: the same answer to the same request, sent again, says nothing new. */
  readonly #judged = new Set<string>();
  readonly #counted = new Map<string, { field: EnumField; endpoint: Endpoint; seen: Set<string>; log: AssertionLog }>();

  /** Judges the answer of a unary operation. */
  judge(answer: Answer): void {
    this.#take("wire.json-object", answer, isOneJsonObject(answer));
    if (answer.outcome.kind === "success" || answer.outcome.kind === "sample") {
      // What is wrong with any row is wrong with the answer; that rows which were passed over are right is not said.
      this.#take("wire.content-type", answer, hasConnectContentType(answer));
      const { request, response } = answer.exchange;
      const body = digestOf(response?.body ?? "");
      if (this.#isNew(answer.endpoint, body)) {
        this.#judge(answer, answer.outcome.body, "");
        this.#count(answer, answer.outcome.body);
      }
      if (this.#isNew(answer.endpoint, body, request.body)) this.#judgeInvariants(answer);
    } else {
      this.#take("wire.content-type", answer, hasConnectContentType(answer));
      for (const [rule, judge] of errorObjectJudges) this.#take(rule, answer, judge(answer));
      this.#judgeFailure(answer);
    }
  }

  /** Judges each message of a stream. */
  judgeStream(answer: StreamAnswer): void {
    if (answer.outcome.kind !== "success") {
      this.#judgeFailure(answer);
      return;
    }
    this.#take("wire.streaming-content-type", answer, hasConnectContentType(answer));
    this.#take("wire.json-object", answer, messagesAreJsonObjects(answer));
    const { frames = [] } = answer.exchange;
    const { problem } = answer.outcome.body;
    // Where a stream was cut off, that it was is for the checks, which watch again before they blame.
    const ofFrames = problem?.kind === "framing" ? {} : answer.outcome.body;
    this.#take("events.envelope", answer, wellFormedEnvelopes(frames)(ofFrames));
    for (const [index, message] of answer.outcome.body.messages.entries()) {
      if (!this.#isNew(answer.endpoint, digestOf(frames[message.frame]?.data ?? ""))) continue;
      this.#judge(answer, message.body, `messages[${index}].`);
      this.#count(answer, message.body, `messages[${index}].`);
    }
    this.#judgeInvariants(answer);
  }

  /** What is documented is not answered with `internal` (E5); a connection that breaks is for the checks. */
  #judgeFailure(answer: AnswerOf<unknown>): void {
    if (!this.terms || answer.exchange.throttled || errorCode(answer) !== "internal") return;
    if (askedBy(answer, this.terms.subjects)) this.#take("errors.documented-outcome", answer, isConnectAnswer(answer));
  }

  #isNew(...about: readonly string[]): boolean {
    const before = this.#judged.size;
    return this.#judged.add(about.join(" ")).size > before;
  }

  /** What is left out, and what is written out, of enums that have to be there: {@link settleLeftOut} has the say on it. */
  #count(answer: AnswerOf<unknown>, body: JsonObject, prefix = ""): void {
    if (!showsEnums(answer.endpoint)) return;
    for (const field of ["side", "status"] as const) {
      const { seen, left } = census(field, body);
      if (left.examined === 0) continue;
      const key = `${field} ${answer.endpoint}`;
      const counted = this.#counted.get(key) ?? {
        field,
        endpoint: answer.endpoint,
        seen: new Set(),
        log: new AssertionLog(),
      };
      this.#counted.set(key, counted);
      for (const value of seen) counted.seen.add(value);
      counted.log.examined(left.examined);
      for (const violation of left.violations) {
        counted.log.violation(answer, { ...violation, path: prefix + violation.path });
      }
    }
  }

  /** Invariants whose data has to stand still are left to the checks, which read again before they blame. */
  #judgeInvariants(answer: AnswerOf<ShownBody>): void {
    if (!this.terms) return;
    for (const invariant of invariantsOf(answer.endpoint)) {
      const { rule, ofAnyRows, ofWire, stable } = invariant;
      if (stable || (isSample(answer) && !ofAnyRows)) continue;
      const judgement = judgeInvariant(invariant, answer, this.terms);
      // What the wire rules say is taken already, and judged here for the checks while the body is at hand.
      if (judgement && !ofWire) this.#take(rule, answer, judgement);
    }
  }

  #judge(answer: AnswerOf<unknown>, body: JsonObject, prefix: string): void {
    for (const [rule, judgement] of wireJudgement(answer.endpoint, body)) {
      if (!needsSubject.has(rule)) this.#take(rule, answer, judgement, prefix);
    }
  }

  #take(rule: RuleId, answer: AnswerOf<unknown>, { examined, violations }: Judgement, prefix = ""): void {
    if (examined === 0) return;
    const key = `${rule} ${answer.endpoint}`;
    let entry = this.#logs.get(key);
    if (!entry) {
      entry = { rule, endpoint: answer.endpoint, log: new AssertionLog() };
      this.#logs.set(key, entry);
    }
    entry.log.examined(examined);
    entry.log.judged(answer);
    for (const violation of violations) entry.log.violation(answer, { ...violation, path: prefix + violation.path });
  }

  /** What came of it: one result for each rule and endpoint that was seen, and one for what may be left out of its rows. */
  results(curl: (answer: AnswerOf<unknown>) => string): CheckResult[] {
    const levelOf = (rule: RuleId) => levelUnder(this.terms?.readings ?? {}, rule);
    // Of a rule that a chosen reading leaves open, the rule's own check tells what was seen.
    const judged = [...this.#logs.values()]
      .filter(({ rule }) => levelOf(rule) !== "observation")
      .map(({ rule, endpoint, log }) => resultOf(rule, levelOf(rule), endpoint, log, curl));
    const counted = [...this.#counted.values()].map(({ field, endpoint, seen, log }) => {
      const { rule } = enumFields[field];
      const result = resultOf(rule, levelOf(rule), endpoint, log, curl);
      return { ...result, name: `${result.name}: left out nowhere`, seenValues: [...seen].sort() };
    });
    return [...judged, ...counted];
  }
}

function digestOf(text: string): string {
  return createHash("sha1").update(text).digest("base64");
}

function resultOf(
  rule: RuleId,
  level: Level,
  endpoint: Endpoint,
  log: AssertionLog,
  curl: (answer: AnswerOf<unknown>) => string,
): CheckResult {
  const violations = log.violations(curl);
  return {
    rule,
    name: `${rule} on every answer of ${endpoint}`,
    endpoint,
    verdict: violations.length === 0 ? "pass" : level === "mandatory" ? "fail" : "warn",
    assertions: log.assertions,
    violations,
    ...(log.sampled.length > 0 ? { sampled: log.sampled } : {}),
    subjects: [],
    exchanges: violations.flatMap((violation) => violation.places.map((place) => place.exchange)),
    requests: 0,
    durationMs: 0,
  };
}

/**
 * Settles what is left out of rows, once all answers of a run are known: where exactly one documented value of the field occurs
 * in none of them, that is the one that is left out, which is advisory and judged by itself (W2).
 *
 * @param also values that discovery has seen
 */
export function settleLeftOut(results: readonly CheckResult[], also: readonly string[] = []): CheckResult[] {
  const seen = new Set([...also, ...results.flatMap(({ seenValues = [] }) => seenValues)]);
  return results.map(({ seenValues, ...result }) => {
    const field = (["side", "status"] as const).find((name) => enumFields[name].rule === result.rule);
    const isExcused = seenValues !== undefined && field !== undefined && mayBeLeftOut(field, seen);
    return isExcused ? { ...result, verdict: "pass", violations: [], exchanges: [] } : result;
  });
}
