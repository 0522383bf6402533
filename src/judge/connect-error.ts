/** Judges errors (§7): the error object of an answer, and what must be an error. */
import { inWireForm } from "../connect/error-code.js";
import { type JsonObject, parseJsonObject } from "../connect/json.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { isStream } from "../specification/endpoints.js";
import { type ConnectCode, connectCodes } from "../specification/enums.js";
import { failed, type Judgement, judgeThat, nothingSeen, passed } from "./judgement.js";
import {
  errorInWords,
  hasSuccessStatus,
  isSuccess,
  noAnswerInWords,
  successInWords,
  type WholeAnswer,
} from "./whole-answer.js";
import { judgeError } from "./wire.js";

/** The rules on the error object itself. */
export const errorObjectRules = [
  "errors.shape",
  "errors.code-lowercase",
  "errors.code-known",
] as const satisfies readonly RuleId[];
export type ErrorObjectRule = (typeof errorObjectRules)[number];

/** The JSON object of an error, even if it is not a valid Connect error; undefined if there is none (E2). */
export function errorObject({ exchange, outcome }: WholeAnswer): JsonObject | undefined {
  if (outcome.kind === "error") return outcome.body;
  const { status = 200, body = "" } = exchange.response ?? {};
  if (outcome.kind !== "malformed" || (status >= 200 && status < 400)) return undefined;
  return parseJsonObject(body);
}

const codesByNumber = Object.keys(connectCodes) as ConnectCode[];

/**
 * The code of an error in its wire form; undefined if there is none. An error that has a number for a code, or no message,
 * breaks only the rule on that.
 */
export function errorCode(answer: WholeAnswer): string | undefined {
  const code = errorObject(answer)?.code;
  if (typeof code === "number") return codesByNumber[code - 1];
  return typeof code === "string" ? inWireForm(code) : undefined;
}

/** Applies a rule on the error object to an answer whose request must fail (§7, E1, E2, E4). */
export function errorObjectIs(rule: ErrorObjectRule): (answer: WholeAnswer) => Judgement {
  return (answer) => {
    const error = errorObject(answer);
    if (error && rule === "errors.shape" && answer.exchange.response?.invalidUtf8) {
      return failed({ expected: "JSON text in UTF-8", seen: "bytes that are not UTF-8" });
    }
    const judgement = error && judgeError(answer.endpoint, error).get(rule);
    return judgement ?? nothingSeen(`an error of ${answer.endpoint}`);
  };
}

/**
 * Like {@link errorObjectIs}, for any request. An error body without a `code` is not treated as a Connect error, since a
 * web framework may have written it before the operation saw the request (E5).
 */
export function anyErrorObjectIs(rule: ErrorObjectRule): (answer: WholeAnswer) => Judgement {
  const judge = errorObjectIs(rule);
  return (answer) => {
    const isAttempt = errorObject(answer)?.code !== undefined;
    return isAttempt ? judge(answer) : nothingSeen(`a Connect error of ${answer.endpoint}`);
  };
}

/**
 * A request whose outcome is documented gets a Connect answer that is not `internal` (E5). An unreadable 2xx answer and a
 * faulty error object break other rules.
 */
export function endsAsDocumented(answer: WholeAnswer): Judgement {
  const { outcome, exchange } = answer;
  const expected = "a success, or an error that says what is wrong with the request";
  if (errorCode(answer) === "internal") {
    return failed({ expected, seen: errorInWords("internal", errorObject(answer)?.message, exchange) });
  }
  if (outcome.kind === "success" || outcome.kind === "sample" || outcome.kind === "error") return passed;
  if (errorObject(answer) !== undefined) return passed;
  if (outcome.kind === "malformed" && hasSuccessStatus(exchange)) return nothingSeen("an answer that can be read");
  return failed({ expected, seen: noAnswerInWords(outcome) });
}

/** A malformed body or a wrong type is never answered with a success (E6). A broken connection is not a success. */
export function givesNoSuccess(answer: WholeAnswer): Judgement {
  const { endpoint, exchange, outcome } = answer;
  if (isSuccess(answer)) return failed({ expected: "an error", seen: successInWords(answer) });
  // A stream opens with 200 before anything else is known.
  const isUnreadable = outcome.kind === "malformed" && hasSuccessStatus(exchange) && !isStream(endpoint);
  return isUnreadable ? failed({ expected: "an error", seen: outcome.reason }) : passed;
}

/** The Connect error for a malformed body or a wrong type has the code `invalid_argument` (E6). */
export function codeIsInvalidArgument(answer: WholeAnswer): Judgement {
  const code = errorCode(answer);
  if (code === undefined) return nothingSeen(`a Connect error of ${answer.endpoint}`);
  return judgeThat(code === "invalid_argument", { path: "code", expected: "invalid_argument", seen: code });
}

/** The id of a known market is valid: a plain request with it does not get `invalid_argument` (§1, §7). */
export function idIsValid(answer: WholeAnswer): Judgement {
  const code = errorCode(answer);
  const expected = "no invalid_argument: the market is known, and only its id is given";
  return judgeThat(code !== "invalid_argument", { path: "code", expected, seen: code ?? "a success" });
}

/** A malformed body or a wrong type is refused with a Connect error, not with HTML, an empty body or a reset (E5). */
export function refusesWithConnectError(answer: WholeAnswer): Judgement {
  const { outcome } = answer;
  if (outcome.kind === "success" || outcome.kind === "sample") return nothingSeen("an error");
  if (outcome.kind === "error" || errorObject(answer)?.code !== undefined) return passed;
  return failed({ expected: "a Connect error", seen: noAnswerInWords(outcome) });
}
