import { anyErrorObjectIs, errorObjectRules } from "../judge/connect-error.js";
import { invariantsOf } from "../judge/invariants.js";
import type { Judgement } from "../judge/judgement.js";
import type { ShownBody } from "../judge/shown.js";
import { hasConnectContentType, isOneJsonObject, messagesAreJsonObjects } from "../judge/whole-answer.js";
import { judgeWire } from "../judge/wire.js";
import { type RuleId, ruleById } from "../spec/catalogue/index.js";
import type { Endpoint } from "../spec/endpoints.js";
import type { Answer, AnswerOf, StreamAnswer } from "./answer.js";
import { type InvariantTerms, judgeInvariant } from "./invariant-judgement.js";
import { Ledger } from "./ledger.js";
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

  readonly #ledgers = new Map<string, { rule: RuleId; endpoint: Endpoint; ledger: Ledger }>();

  /** Judges the answer of a unary operation. */
  judge(answer: Answer): void {
    this.#take("wire.json-object", answer, isOneJsonObject(answer));
    if (answer.outcome.kind === "success" || answer.outcome.kind === "sample") {
      // What is wrong with any row is wrong with the answer; that rows which were passed over are right is not said.
      this.#take("wire.content-type", answer, hasConnectContentType(answer));
      this.#judge(answer, answer.outcome.body, "");
      this.#judgeInvariants(answer);
    } else {
      for (const [rule, judge] of errorObjectJudges) this.#take(rule, answer, judge(answer));
    }
  }

  /** Judges each message of a stream. */
  judgeStream(answer: StreamAnswer): void {
    if (answer.outcome.kind !== "success") return;
    this.#take("wire.streaming-content-type", answer, hasConnectContentType(answer));
    this.#take("wire.json-object", answer, messagesAreJsonObjects(answer));
    for (const [index, message] of answer.outcome.body.messages.entries()) {
      this.#judge(answer, message.body, `messages[${index}].`);
    }
    this.#judgeInvariants(answer);
  }

  /** Invariants whose data has to stand still are left to the checks, which read again before they blame. */
  #judgeInvariants(answer: AnswerOf<ShownBody>): void {
    if (!this.terms) return;
    for (const invariant of invariantsOf(answer.endpoint)) {
      const { rule, ofAnyRows, stable } = invariant;
      if (stable || (isSample(answer) && !ofAnyRows)) continue;
      const judgement = judgeInvariant(invariant, answer, this.terms);
      if (judgement) this.#take(rule, answer, judgement);
    }
  }

  #judge(answer: AnswerOf<unknown>, body: Parameters<typeof judgeWire>[1], prefix: string): void {
    for (const [rule, judgement] of judgeWire(answer.endpoint, body)) {
      if (!needsSubject.has(rule)) this.#take(rule, answer, judgement, prefix);
    }
  }

  #take(rule: RuleId, answer: AnswerOf<unknown>, { examined, violations }: Judgement, prefix = ""): void {
    if (examined === 0) return;
    const key = `${rule} ${answer.endpoint}`;
    let entry = this.#ledgers.get(key);
    if (!entry) {
      entry = { rule, endpoint: answer.endpoint, ledger: new Ledger() };
      this.#ledgers.set(key, entry);
    }
    entry.ledger.examined(examined);
    entry.ledger.judged(answer);
    for (const violation of violations) entry.ledger.violation(answer, { ...violation, path: prefix + violation.path });
  }

  /** What came of it: one result for each rule and endpoint that was seen. */
  results(curl: (answer: AnswerOf<unknown>) => string): CheckResult[] {
    return [...this.#ledgers.values()].map(({ rule, endpoint, ledger }) => {
      const findings = ledger.findings(curl);
      const level = ruleById(rule).level;
      return {
        rule,
        name: `${rule} on every answer of ${endpoint}`,
        endpoint,
        verdict: findings.length === 0 ? "pass" : level === "mandatory" ? "fail" : "warn",
        assertions: ledger.assertions,
        findings,
        ...(ledger.sampled.length > 0 ? { sampled: ledger.sampled } : {}),
        subjects: [],
        exchanges: findings.flatMap((finding) => finding.places.map((place) => place.exchange)),
        requests: 0,
        durationMs: 0,
      };
    });
  }
}
