import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../connect/json.js";
import { errorCode } from "../judge/connect-error.js";
import { type Judgement, show, type Violation } from "../judge/judgement.js";
import { errorInWords, hasSuccessStatus, isSuccess, noConnectAnswer, successInWords } from "../judge/whole-answer.js";
import { isStream } from "../specification/endpoints.js";
import type { AnswerOf } from "./answer.js";
import type { AssertionLog } from "./assertion-log.js";
import {
  isSample,
  knownBody,
  rejectSample,
  rowsInWords,
  sampledOf,
  sampleLimitation,
  tooFewRowsReason,
} from "./samples.js";
import { Halt, Inconclusive, TransportTrouble, Unimplemented } from "./signals.js";
import { valueAt } from "./value-at.js";

/** The bodies of several answers, in order. */
type Bodies<Answers extends readonly AnswerOf<unknown>[]> = {
  [Index in keyof Answers]: Answers[Index] extends AnswerOf<infer Body> ? Body : never;
};

/** A judgement made before, or a judge of bodies. */
type BodyJudge<Answers extends readonly AnswerOf<unknown>[]> = Judgement | ((...bodies: Bodies<Answers>) => Judgement);

/** Assertions on one place of a body. An absent value is read as the default that the caller passes as `absent` (W1). */
export interface PlaceAssertions {
  /** The value must equal `expected`; `reason` says where the expected value comes from. */
  equals(expected: Json, reason?: string): void;
  /** The value must pass the test; `expected` describes what it requires. */
  is(test: (value: Json | undefined) => boolean, expected: string): void;
}

/** Assertions on one or several answers. */
export interface AnswerAssertions<Answers extends readonly AnswerOf<unknown>[]> {
  /** Every answer must be a success: one assertion each. */
  succeeds(): void;
  /** Every answer must be an error with one of these codes, however the code is spelled: one assertion each (§7). */
  failsWith(...codes: readonly string[]): void;
  /** Every answer must be an error with any code, or a non-2xx answer, but never a success (E2, E6). */
  fails(): void;
  /** A place in the first answer's body, such as `pagination.limit`; `absent` is what an absent field means (W1). */
  at(path: string, absent?: Json): PlaceAssertions;
  /** Passes each complete answer, with its outcome, status and headers, to a judge. */
  meets(judge: (answer: AnswerOf<Bodies<Answers>[number]>) => Judgement): void;
  /**
   * Passes the bodies to a judge and records its judgement, or records a given judgement. An answer without a success has no
   * body: that is a violation, and the check ends.
   */
  satisfies(judge: BodyJudge<Answers>): void;
  /**
   * Like `satisfies`, for a rule that holds for an answer only if it holds for any subset of its rows, such as a rule on
   * each single row. A sample of a large answer is accepted, and a violation in it is a violation of the answer.
   */
  holdsForAnyRows(judge: BodyJudge<Answers>): void;
  /**
   * Like `satisfies`, for a rule that requires certain rows to exist. Rows in a sample exist; rows missing from a sample may
   * exist in the whole answer, so then the check is inconclusive.
   */
  holdsForSomeRows(judge: (...bodies: Bodies<Answers>) => Judgement): void;
  /** The body of the first answer. Not an assertion; without a success a violation is recorded and the check ends. */
  body(): Bodies<Answers>[0];
}

/** Starts assertions on answers: `verify(answer).at("pagination.limit").equals(50)`. */
export type Verify = <const Answers extends readonly AnswerOf<unknown>[]>(
  ...answers: Answers
) => AnswerAssertions<Answers>;

/**
 * Creates the `verify` of a check, which records all assertions in the check's log.
 *
 * @param onCompared called when several answers are judged together
 */
export function verifyInto(log: AssertionLog, onCompared: () => void = () => {}): Verify {
  return (...answers) => new LoggedVerification(answers, log, onCompared);
}

/** Records assertions on answers in a log. */
class LoggedVerification<const Answers extends readonly AnswerOf<unknown>[]> implements AnswerAssertions<Answers> {
  constructor(
    private readonly answers: Answers,
    private readonly log: AssertionLog,
    private readonly onCompared: () => void,
  ) {}

  succeeds(): void {
    this.answers.forEach(rejectUnreadable);
    this.#each("a success", isSuccess);
  }

  failsWith(...codes: readonly string[]): void {
    this.#each(`the error ${codes.join(" or ")}`, (answer) => codes.includes(errorCode(answer) ?? ""));
  }

  fails(): void {
    this.#each("an error", isError);
  }

  at(path: string, absent?: Json): PlaceAssertions {
    const [first] = this.answers;
    if (!first) throw new Error("verify() was given no answer");
    const value = valueAt(this.body() as JsonObject, path) ?? absent;
    const assert = (holds: boolean, expected: string) => {
      this.log.addAssertions(1);
      if (!holds) this.log.addViolation(first, { path, expected, seen: show(value) });
    };
    return {
      equals: (expected, reason) => assert(same(value, expected), show(expected) + (reason ? ` (${reason})` : "")),
      is: (test, expected) => assert(test(value), expected),
    };
  }

  meets(judge: (answer: AnswerOf<Bodies<Answers>[number]>) => Judgement): void {
    for (const answer of this.answers) {
      rejectTrouble(answer);
      this.#take(judge(answer as AnswerOf<Bodies<Answers>[number]>), answer);
    }
  }

  satisfies(judge: BodyJudge<Answers>): void {
    this.#comparing();
    this.answers.forEach(rejectSample);
    this.#take(this.#judgementBy(judge));
  }

  holdsForAnyRows(judge: BodyJudge<Answers>): void {
    this.#comparing();
    const judgement = this.#judgementBy(judge);
    const limitation = this.answers.map(tooFewRowsReason).find((reason) => reason !== undefined);
    if (limitation !== undefined && judgement.violations.length === 0) {
      this.log.noteMissing(limitation);
      return;
    }
    for (const answer of this.answers) this.log.noteSample(answer);
    this.#take(judgement);
  }

  holdsForSomeRows(judge: (...bodies: Bodies<Answers>) => Judgement): void {
    this.#comparing();
    const judgement = this.#judgementBy(judge);
    for (const answer of this.answers) this.log.noteSample(answer);
    if (judgement.violations.length > 0) this.answers.forEach(rejectSample);
    this.#take(judgement);
  }

  body(): Bodies<Answers>[0] {
    this.answers.forEach(rejectSample);
    return this.#bodies()[0] as Bodies<Answers>[0];
  }

  /** The bodies, which may be samples. */
  #bodies(): Bodies<Answers> {
    for (const answer of this.answers) requireBody(answer, this.log);
    return this.answers.map(knownBody) as unknown as Bodies<Answers>;
  }

  #comparing(): void {
    if (this.answers.length > 1) this.onCompared();
  }

  /** Bodies are read only for a judge, since large ones may not be kept in parsed form. */
  #judgementBy(judge: BodyJudge<Answers>): Judgement {
    if (typeof judge === "function") return judge(...this.#bodies());
    for (const answer of this.answers) requireBody(answer, this.log);
    return judge;
  }

  #each(expected: string, conforms: (answer: AnswerOf<unknown>) => boolean): void {
    for (const answer of this.answers) {
      rejectTrouble(answer);
      this.log.addAssertions(1);
      if (conforms(answer)) continue;
      const seen = answer.outcome.kind === "success" ? successInWords(answer) : outcomeInWords(answer);
      this.log.addViolation(answer, { path: "", expected, seen, row: `${expected}, not ${endOf(answer)}` });
    }
  }

  /** Records a judgement on all answers, or on one of them. */
  #take({ examined, violations, missing, searched }: Judgement, judged?: AnswerOf<unknown>): void {
    this.log.addAssertions(examined);
    for (const violation of violations) {
      // A wrong index never loses a violation.
      const answer = judged ?? this.answers[violation.answer ?? 0] ?? this.answers.at(-1);
      if (answer) this.log.addViolation(answer, violation, this.#comparedWith(answer, violation));
    }
    if (examined > 0 || !missing || this.log.violated) return;
    // Rows missing from a sample may exist in the whole answer.
    const limitation = this.answers.map(sampleLimitation).find((reason) => reason !== undefined);
    if (searched !== undefined && limitation === undefined) this.log.noteSearched(missing, searched);
    else this.log.noteMissing(searched === undefined || limitation === undefined ? `needs ${missing}` : limitation);
  }

  /** The answer that shows what was expected, or else the other answers, if there are one or two. */
  #comparedWith(answer: AnswerOf<unknown>, { comparedAnswer }: Violation): readonly AnswerOf<unknown>[] {
    const others = comparedAnswer === undefined ? this.answers : this.answers.slice(comparedAnswer, comparedAnswer + 1);
    return others.length > 3 ? [] : others.filter(({ exchange }) => exchange !== answer.exchange);
  }
}

/** Ends the check with the verdict that the answer stands for, unless it is a success or a sample and so has a body. */
function requireBody(answer: AnswerOf<unknown>, log: AssertionLog): void {
  rejectTrouble(answer);
  rejectUnreadable(answer);
  if (answer.outcome.kind === "success" || isSample(answer)) return;
  log.addViolation(answer, { path: "", expected: "a success", seen: outcomeInWords(answer), row: endOf(answer) });
  throw new Halt(`no success from ${answer.endpoint}`);
}

/** How an answer ended, without the message text, which may vary each time. */
function endOf({ outcome }: AnswerOf<unknown>): string {
  return outcome.kind === "error" ? `the error ${outcome.code}` : outcome.kind;
}

/**
 * Ends the check if there is no answer, or the answer is `unimplemented`, which §7 allows: neither says anything about a
 * rule, so neither is a violation.
 */
export function rejectTrouble({ endpoint, outcome, exchange }: AnswerOf<unknown>): void {
  if (exchange.throttled) throw new Inconclusive(`${endpoint} throttled the harness; a lower --rate would settle it`);
  if (outcome.kind === "error" && outcome.code === "unimplemented") {
    throw new Unimplemented({ operation: endpoint, answered: `unimplemented: ${outcome.message}` });
  }
  if (outcome.kind !== "failure") return;
  switch (outcome.failure) {
    case "unreachable":
    case "timeout":
    case "aborted":
    case "given-up":
      throw new TransportTrouble(`${endpoint}: ${outcome.failure}: ${outcome.message}`);
    case "unrecorded":
      throw new Inconclusive(`${outcome.message}; a run with this version would settle it`);
    case "unsupported":
      throw new Inconclusive(`${endpoint} sent an answer that the harness does not support: ${outcome.message}`);
    case "too-large":
      throw new Inconclusive(`${endpoint} answered with more than the harness reads: ${outcome.message}`);
  }
}

/**
 * Ends the check as inconclusive on an unreadable 2xx answer. That it is unreadable violates `wire.json-object`, which is
 * judged on every answer, and must not fail every rule on the answer's content as well.
 */
function rejectUnreadable(answer: AnswerOf<unknown>): void {
  if (answer.outcome.kind === "malformed" && !isError(answer) && !isStream(answer.endpoint)) {
    throw new Inconclusive(`${answer.endpoint} gave ${outcomeInWords(answer)}, which cannot be judged`);
  }
}

function isError({ outcome, exchange }: AnswerOf<unknown>): boolean {
  if (outcome.kind === "error") return true;
  return outcome.kind === "malformed" && !hasSuccessStatus(exchange);
}

/** An answer in a few words: `a success`, `the error not_found: no such market`, `no Connect answer: HTML (HTTP 500)`. */
export function outcomeInWords(answer: AnswerOf<unknown>): string {
  const { outcome, exchange } = answer;
  const status = exchange.response ? ` (HTTP ${exchange.response.status})` : "";
  switch (outcome.kind) {
    case "success":
      return `a success${status}`;
    case "sample":
      return `a success${status}, of which a sample was read: ${sampledOf(answer).map(rowsInWords).join(", ")}`;
    case "error":
      return errorInWords(outcome.code, outcome.message, exchange);
    case "malformed":
      return `${noConnectAnswer}: ${outcome.reason}`;
    case "failure":
      return `no complete answer: ${outcome.failure}: ${outcome.message}`;
  }
}

function same(a: Json | undefined, b: Json): boolean {
  if (typeof a === "bigint" || typeof b === "bigint") return String(a) === String(b);
  return typeof a === "object" ? isDeepStrictEqual(a, b) : a === b;
}
