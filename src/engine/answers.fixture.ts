import type { Exchange } from "../connect/exchange.js";
import { type JsonObject, stringify } from "../connect/json.js";
import type { Outcome } from "../connect/outcome.js";
import type { Answer } from "./answer.js";
import { AssertionLog } from "./assertion-log.js";
import { verifyInto } from "./verify.js";

let count = 0;

/** An exchange as tests need it: complete, but about nothing in particular. */
export function exchangeOf(body: string, status = 200): Exchange {
  return {
    id: `exchange-${++count}`,
    request: {
      endpoint: "GetAllPositions",
      method: "POST",
      url: "http://127.0.0.1/position_service.v1.PositionService/GetAllPositions",
      headers: [["Content-Type", "application/json"]],
      body: "{}",
    },
    startedAt: "2026-01-01T00:00:00Z",
    timings: { headersMs: 1, totalMs: 1 },
    response: { status, headers: [["content-type", "application/json"]], body, bytes: body.length },
  };
}

/** An answer with a given outcome. */
export function answerWith(outcome: Outcome, status?: number): Answer {
  const body = outcome.kind === "success" || outcome.kind === "error" ? stringify(outcome.body) : "";
  return {
    endpoint: "GetAllPositions",
    request: {},
    exchange: exchangeOf(body, status ?? (outcome.kind === "success" ? 200 : 400)),
    outcome,
  };
}

/** A successful answer with a given body. */
export function success(body: JsonObject): Answer {
  return answerWith({ kind: "success", body });
}

/** A Connect error with a given code. */
export function errorAnswer(code: string): Answer {
  return answerWith({ kind: "error", code, message: "no", body: { code, message: "no" } });
}

/** An answer that did not come. */
export function failure(kind: Extract<Outcome, { kind: "failure" }>["failure"]): Answer {
  return answerWith({ kind: "failure", failure: kind, message: "gone" });
}

/** Assertions without a check, with the log that they are recorded in. */
export function checkRun() {
  const log = new AssertionLog();
  return { log, verify: verifyInto(log), violations: () => log.violations(() => "curl") };
}
