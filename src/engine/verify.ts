import type { Json, JsonObject } from "../connect/json.js";
import { errorCode } from "../judge/connect-error.js";
import { type Judgement, show, type Violation } from "../judge/judgement.js";
import { errorInWords, isSuccess, successInWords } from "../judge/whole-answer.js";
import { endpoints } from "../specification/endpoints.js";
import type { AnswerOf } from "./answer.js";
import type { AssertionLog } from "./assertion-log.js";
import {
  bodyKnown,
  isSample,
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

/** Assertions on one place of a body. An absent value is read as the default that the caller passes as `absent` (W1). */
export interface Place {
  /** The value must equal `expected`; `reason` says where the expected value comes from. */
  equals(expected: Json, reason?: string): void;
  /** The value must pass the test; `expected` describes what it requires. */
  is(test: (value: Json | undefined) => boolean, expected: string): void;
}

/** Assertions on one or several answers. */
export interface Verification<Answers extends readonly AnswerOf<unknown>[]> {
  /** Every answer must be a success: one assertion each. */
  succeeds(): void;
  /** Every answer must be an error with one of these codes, however the code is spelled: one assertion each (§7). */
  failsWith(...codes: readonly string[]): void;
  /** Every answer must be an error with any code, or a non-2xx answer, but never a success (E2, E6). */
  fails(): void;
  /** A place in the first answer's body, such as `pagination.limit`; `absent` is what an absent field means (W1). */
  at(path: string, absent?: Json): Place;
  /** Passes each complete answer, with its outcome, status and headers, to a judge. */
  meets(judge: (answer: AnswerOf<Bodies<Answers>[number]>) => Judgement): void;
  /**
   * Passes the bodies to a judge and records its judgement, or records a given judgement. An answer without a success has no
   * body: that is a violation, and the check ends.
   */
  satisfies(judge: Judgement | ((...bodies: Bodies<Answers>) => Judgement)): void;
  /**
   * Like `satisfies`, for a rule that holds for an answer only if it holds for any subset of its rows, such as a rule on
   * each single row. A sample of a large answer is accepted, and a violation in it is a violation of the answer.
   */
  holdsForAnyRows(judge: Judgement | ((...bodies: Bodies<Answers>) => Judgement)): void;
  /**
   * Like `satisfies`, for a rule that requires certain rows to exist. Rows in a sample exist; rows missing from a sample may
   * exist in the whole answer, so then the check is inconclusive.
   */
  holdsForSomeRows(judge: (...bodies: Bodies<Answers>) => Judgement): void;
  /** The body of the first answer. Not an assertion; without a success a violation is recorded and the check ends. */
  body(): Bodies<Answers>[0];
}

/** Starts assertions on answers: `verify(answer).at("pagination.limit").equals(50)`. */
export type Verify = <const Answers extends readonly AnswerOf<unknown>[]>(...answers: Answers) => Verification<Answers>;

/**
 * Creates the `verify` of a check, which records all assertions in the check's log.
 *
 * @param onCompared called when several answers are judged together
 */
export function verifyInto(log: AssertionLog, onCompared: () => void = () => {}): Verify {
  return <const Answers extends readonly AnswerOf<unknown>[]>(...answers: Answers): Verification<Answers> => {
    const bodies = () => {
      answers.forEach(rejectSample);
      return rows();
    };
    /** The bodies, which may be samples. */
    const rows = () => answers.map((answer) => bodyOf(answer, log)) as unknown as Bodies<Answers>;
    /**
     * Runs a judge on the bodies, or takes a judgement made before. Bodies are read only for a judge, since large ones may
     * not be kept in parsed form.
     */
    const judgementBy = (judge: Judgement | ((...bodies: Bodies<Answers>) => Judgement)) => {
      if (typeof judge === "function") return judge(...rows());
      for (const answer of answers) requireBody(answer, log);
      return judge;
    };
    const each = (expected: string, conforms: (answer: AnswerOf<unknown>) => boolean) => {
      for (const answer of answers) {
        rejectTrouble(answer);
        log.examined(1);
        if (!conforms(answer))
          log.violation(answer, {
            path: "",
            expected,
            seen: answer.outcome.kind === "success" ? successInWords(answer) : describeOutcome(answer),
            row: `${expected}, not ${endOf(answer)}`,
          });
      }
    };
    /** The answer that a violation is in; falls back to the last one, so that a wrong index never loses a violation. */
    const ofJudged = ({ answer = 0 }: Violation) => answers[answer] ?? answers.at(-1);
    /** The other answer, if there are exactly two. */
    const comparedWith = (answer: AnswerOf<unknown>) =>
      answers.length === 2 ? answers.find(({ exchange }) => exchange !== answer.exchange) : undefined;
    const take = (
      { examined, violations, missing, searched }: Judgement,
      answerOf: (violation: Violation) => Answers[number] | undefined,
    ) => {
      log.examined(examined);
      for (const violation of violations) {
        const answer = answerOf(violation);
        if (answer) log.violation(answer, violation, comparedWith(answer));
      }
      if (examined > 0 || !missing || log.violated) return;
      // Rows missing from a sample may exist in the whole answer.
      const lack = answers.map(sampleLimitation).find((reason) => reason !== undefined);
      if (searched !== undefined && lack === undefined) log.noteSearched(missing, searched);
      else log.noteMissing(searched === undefined || lack === undefined ? `needs ${missing}` : lack);
    };
    return {
      succeeds() {
        answers.forEach(rejectUnreadable);
        each("a success", isSuccess);
      },
      failsWith: (...codes) =>
        each(`the error ${codes.join(" or ")}`, (answer) => codes.includes(errorCode(answer) ?? "")),
      fails: () => each("an error", isError),
      at(path, absent) {
        const [first] = answers;
        if (!first) throw new Error("verify() was given no answer");
        const value = valueAt(bodies()[0] as JsonObject, path) ?? absent;
        const assert = (holds: boolean, expected: string) => {
          log.examined(1);
          if (!holds) log.violation(first, { path, expected, seen: show(value) });
        };
        return {
          equals: (expected, reason) => assert(same(value, expected), show(expected) + (reason ? ` (${reason})` : "")),
          is: (test, expected) => assert(test(value), expected),
        };
      },
      meets(judge) {
        for (const answer of answers) {
          rejectTrouble(answer);
          take(judge(answer as AnswerOf<Bodies<Answers>[number]>), () => answer);
        }
      },
      satisfies(judge) {
        if (answers.length > 1) onCompared();
        answers.forEach(rejectSample);
        take(judgementBy(judge), ofJudged);
      },
      holdsForAnyRows(judge) {
        if (answers.length > 1) onCompared();
        const judgement = judgementBy(judge);
        const lack = answers.map(tooFewRowsReason).find((reason) => reason !== undefined);
        if (lack !== undefined && judgement.violations.length === 0) {
          log.noteMissing(lack);
          return;
        }
        for (const answer of answers) log.judged(answer);
        take(judgement, ofJudged);
      },
      holdsForSomeRows(judge) {
        if (answers.length > 1) onCompared();
        const judgement = judge(...rows());
        for (const answer of answers) log.judged(answer);
        if (judgement.violations.length > 0) answers.forEach(rejectSample);
        take(judgement, ofJudged);
      },
      body: () => bodies()[0] as Bodies<Answers>[0],
    };
  };
}

/** The body of a success or a sample. Anything else ends the check with the corresponding verdict. */
function bodyOf<Body>(answer: AnswerOf<Body>, log: AssertionLog): Body {
  requireBody(answer, log);
  return bodyKnown(answer) as Body;
}

/** Ends the check with the verdict that the answer stands for, unless it has a body. */
function requireBody(answer: AnswerOf<unknown>, log: AssertionLog): void {
  rejectTrouble(answer);
  rejectUnreadable(answer);
  if (answer.outcome.kind === "success" || isSample(answer)) return;
  log.violation(answer, { path: "", expected: "a success", seen: describeOutcome(answer), row: endOf(answer) });
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
  if (exchange.throttled)
    throw new Inconclusive(`${endpoint} asked for fewer requests; a lower --rate would settle it`);
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
      throw new Inconclusive(`${endpoint} answered with what the harness cannot take: ${outcome.message}`);
    case "too-large":
      throw new Inconclusive(`${endpoint} answered with more than the harness reads: ${outcome.message}`);
  }
}

/**
 * Ends the check as inconclusive on an unreadable 2xx answer. That it is unreadable violates `wire.json-object`, which is
 * judged on every answer, and must not fail every rule on the answer's content as well.
 */
function rejectUnreadable(answer: AnswerOf<unknown>): void {
  const status = answer.exchange.response?.status ?? 0;
  if (answer.outcome.kind !== "malformed" || status < 200 || status > 299) return;
  if (endpoints[answer.endpoint].kind === "unary") {
    throw new Inconclusive(`${answer.endpoint} gave ${describeOutcome(answer)}, which cannot be judged`);
  }
}

function isError({ outcome, exchange }: AnswerOf<unknown>): boolean {
  if (outcome.kind === "error") return true;
  const status = exchange.response?.status ?? 0;
  return outcome.kind === "malformed" && (status < 200 || status > 299);
}

/** An answer in a few words: `a success`, `the error not_found: no such market`, `no Connect answer: HTML (HTTP 500)`. */
export function describeOutcome(answer: AnswerOf<unknown>): string {
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
      return `no Connect answer: ${outcome.reason}`;
    case "failure":
      return `no complete answer: ${outcome.failure}: ${outcome.message}`;
  }
}

function same(a: Json | undefined, b: Json): boolean {
  if (typeof a === "bigint" || typeof b === "bigint") return String(a) === String(b);
  return typeof a === "object" || typeof b === "object" ? JSON.stringify(a) === JSON.stringify(b) : a === b;
}
