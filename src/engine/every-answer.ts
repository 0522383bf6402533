import type { JsonObject } from "../connect/json.js";
import { anyErrorObjectIs, endsAsDocumented, errorCode, errorObjectRules } from "../judge/connect-error.js";
import { bodyDigest, shortDigest } from "../judge/digest.js";
import { invariantsOf } from "../judge/invariants.js";
import type { Judgement } from "../judge/judgement.js";
import type { ShownBody } from "../judge/located-rows.js";
import { enumFieldNames, enumFields, mayBeOmitted, showsEnums, surveyEnum } from "../judge/omitted-enums.js";
import { wellFormedEnvelopes } from "../judge/snapshots.js";
import { hasConnectContentType, holdsOneJsonObject, messagesAreJsonObjects } from "../judge/whole-answer.js";
import { needsSubject } from "../judge/wire-invariants.js";
import { wireJudgement } from "../judge/wire-rule.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { isStream } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { levelUnder } from "../specification/readings.js";
import type { Answer, AnswerOf, StreamAnswer } from "./answer.js";
import { AssertionLog, logOf, type RuleLog } from "./assertion-log.js";
import { type InvariantTerms, judgeInvariant, parsedRequestOf } from "./invariant-judgement.js";
import type { Repetitions } from "./repetitions.js";
import type { CheckResult } from "./result.js";
import { isSample } from "./samples.js";

const errorObjectJudges = errorObjectRules.map((rule) => [rule, anyErrorObjectIs(rule)] as const);

/**
 * Judges the wire rules and the invariants on every answer of a run, whichever check asked for it. Suites look at
 * selected answers only; this also catches violations in all the others.
 */
export class EveryAnswer {
  /**
   * @param terms what invariants are judged with
   * @param repetitions compares the answers to the same request
   */
  constructor(
    private readonly terms: InvariantTerms,
    private readonly repetitions?: Repetitions,
  ) {}

  readonly #logs = new Map<string, RuleLog>();
  /** Digests of what was judged already: the same answer to the same request says nothing new. */
  readonly #judged = new Set<string>();
  readonly #counted = new Map<string, RuleLog & { readonly seen: Set<string> }>();

  /** Judges the answer of a unary operation. */
  judge(answer: Answer): void {
    this.repetitions?.add(answer);
    this.#take("wire.json-object", answer, holdsOneJsonObject(answer));
    this.#take("wire.content-type", answer, hasConnectContentType(answer));
    if (answer.outcome.kind === "success" || answer.outcome.kind === "sample") {
      // A violation in a sampled row is a violation of the answer. Rows that were skipped are not claimed to be right.
      const { request, response } = answer.exchange;
      const body = response ? bodyDigest(response) : "";
      if (this.#isNew(answer.endpoint, body)) this.#judgeBody(answer, answer.outcome.body);
      if (this.#isNew(answer.endpoint, body, request.body)) this.#judgeInvariants(answer);
    } else {
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
    // A stream that was cut off is left to the checks, which watch again before they report a violation.
    const ofFrames = problem?.kind === "framing" ? {} : answer.outcome.body;
    this.#take("events.envelope", answer, wellFormedEnvelopes(frames)(ofFrames));
    for (const [index, message] of answer.outcome.body.messages.entries()) {
      if (!this.#isNew(answer.endpoint, shortDigest(frames[message.frame]?.data ?? ""))) continue;
      this.#judgeBody(answer, message.body, `messages[${index}].`);
    }
    this.#judgeInvariants(answer);
  }

  /**
   * A documented request must not be answered with `internal`, an HTTP 500 that is no Connect error, or a connection that
   * breaks at each attempt (E5). Other answers that are not Connect may come from a proxy, and streams that break are
   * watched again: both are left to the checks.
   */
  #judgeFailure(answer: AnswerOf<unknown>): void {
    if (answer.exchange.throttled || !isCrash(answer)) return;
    if (parsedRequestOf(answer, this.terms.subjects))
      this.#take("errors.documented-outcome", answer, endsAsDocumented(answer));
  }

  #isNew(...parts: readonly string[]): boolean {
    const before = this.#judged.size;
    return this.#judged.add(parts.join(" ")).size > before;
  }

  /**
   * Counts required enum values that are omitted and those that are present; {@link excuseOmittedEnum} decides on them at
   * the end.
   */
  #count(answer: AnswerOf<unknown>, body: JsonObject, prefix: string): void {
    if (!showsEnums(answer.endpoint)) return;
    for (const field of enumFieldNames) {
      const { seen, omitted } = surveyEnum(field, body);
      if (omitted.examined === 0) continue;
      const { endpoint } = answer;
      const { rule } = enumFields[field];
      const key = `${rule} ${endpoint}`;
      const make = () => ({ rule, endpoint, seen: new Set<string>(), log: new AssertionLog() });
      const counted = getOrInsert(this.#counted, key, make);
      for (const value of seen) counted.seen.add(value);
      counted.log.addAssertions(omitted.examined);
      for (const violation of omitted.violations) {
        counted.log.addViolation(answer, { ...violation, path: prefix + violation.path });
      }
    }
  }

  /** Judges the invariants. Those that need unchanging data are left to the checks, which read again before they report. */
  #judgeInvariants(answer: AnswerOf<ShownBody>): void {
    for (const invariant of invariantsOf(answer.endpoint)) {
      const { rule, ofAnyRows, ofWire, stable } = invariant;
      if (stable || (isSample(answer) && !ofAnyRows)) continue;
      const judgement = judgeInvariant(invariant, answer, this.terms);
      // Results of wire rules are recorded already. They are judged here only to cache the judgement for the checks
      // while the body is in memory.
      if (judgement && !ofWire) this.#take(rule, answer, judgement);
    }
  }

  #judgeBody(answer: AnswerOf<unknown>, body: JsonObject, prefix = ""): void {
    for (const [rule, judgement] of wireJudgement(answer.endpoint, body)) {
      if (!needsSubject.has(rule)) this.#take(rule, answer, judgement, prefix);
    }
    this.#count(answer, body, prefix);
  }

  #take(rule: RuleId, answer: AnswerOf<unknown>, { examined, violations }: Judgement, prefix = ""): void {
    if (examined === 0) return;
    const { endpoint } = answer;
    const log = logOf(this.#logs, rule, endpoint);
    log.addAssertions(examined);
    log.noteSample(answer);
    for (const violation of violations) log.addViolation(answer, { ...violation, path: prefix + violation.path });
  }

  /** The results so far: one for each rule and endpoint seen, plus one for each enum field whose values may be omitted. */
  results(curl: (answer: AnswerOf<unknown>) => string): CheckResult[] {
    // For a rule that the chosen reading leaves open, the rule's own check reports what was seen.
    const judged = [...this.#logs.values()]
      .filter(({ rule }) => levelUnder(this.terms.readings, rule) !== "observation")
      .map((each) => this.#resultOf(each, curl));
    const counted = [...this.#counted.values()].map((each) => {
      const result = this.#resultOf(each, curl);
      return { ...result, name: `${result.name}: left out nowhere`, seenValues: [...each.seen].sort() };
    });
    return [...judged, ...counted, ...this.#repeated(curl)];
  }

  /**
   * The contradictions between answers to the same request. They count only if no answer of the whole run shows that data
   * moved. If one does, the only result carries `moved` to where the results of all workers are merged, which drops it.
   */
  #repeated(curl: (answer: AnswerOf<unknown>) => string): CheckResult[] {
    const { moved = false } = this.repetitions ?? {};
    const sign = { rule: "pagination.row-count", endpoint: "GetAllOrders", log: new AssertionLog() } as const;
    const found = moved ? [sign] : (this.repetitions?.found() ?? []);
    return found.map((each) => {
      const result = this.#resultOf(each, curl);
      const message = "the same request is not always answered alike: send it several times";
      return { ...result, name: `${result.name}: to the same request`, message, moved };
    });
  }

  #resultOf({ rule, endpoint, log }: RuleLog, curl: (answer: AnswerOf<unknown>) => string): CheckResult {
    const violations = log.violations(curl);
    const violated = levelUnder(this.terms.readings, rule) === "mandatory" ? "fail" : "warn";
    return {
      rule,
      name: `${rule} on every answer of ${endpoint}`,
      endpoint,
      verdict: violations.length === 0 ? "pass" : violated,
      assertions: log.assertions,
      violations,
      ...(log.sampled.length > 0 && { sampled: log.sampled }),
      subjects: [],
      exchanges: violations.flatMap((violation) => violation.places.map((place) => place.exchange)),
      requests: 0,
      durationMs: 0,
    };
  }
}

/** Whether an answer shows that the server failed on the request. */
function isCrash(answer: AnswerOf<unknown>): boolean {
  const { endpoint, exchange, outcome } = answer;
  if (errorCode(answer) === "internal") return true;
  if (outcome.kind === "malformed") return exchange.response?.status === 500;
  return outcome.kind === "failure" && outcome.failure === "reset" && !isStream(endpoint);
}

/**
 * Settles omitted enum values once all answers of a run are known. If exactly one documented value of a field never
 * occurs, it is taken to be the omitted one, and the omission is excused: it is advisory and has a rule of its own
 * (W2).
 *
 * @param also values seen by discovery
 */
export function excuseOmittedEnum(results: readonly CheckResult[], also: readonly string[]): CheckResult[] {
  const seen = new Set([...also, ...results.flatMap(({ seenValues = [] }) => seenValues)]);
  return results.map(({ seenValues, ...result }) => {
    const field = enumFieldNames.find((name) => enumFields[name].rule === result.rule);
    const isExcused = seenValues !== undefined && field !== undefined && mayBeOmitted(field, seen);
    return isExcused ? { ...result, verdict: "pass", violations: [], exchanges: [] } : result;
  });
}
