import type { Exchange } from "../connect/exchange.js";
import { interpret } from "../connect/interpret.js";
import { type JsonInput, parseJson } from "../connect/json.js";
import type { EveryAnswer } from "../engine/every-answer.js";
import { openRecord } from "../evidence/read-record.js";
import { isStream } from "../specification/endpoints.js";
import { largestBody } from "../specification/profile.js";
import type { OpenEnvironment } from "./open-environment.js";
import type { Session } from "./session-data.js";

/** The name under which discovery records its exchanges. */
export const discoveryRecord = "discovery";

/**
 * Judges the successes of discovery, the first answers of a run, by the rules on every answer, in the environment of one
 * worker. Its other answers are to probes of what exists. Without a record there is nothing to judge.
 */
export function judgeDiscovery({ recordDir, profile }: Session, { everyAnswer }: OpenEnvironment): void {
  if (recordDir === undefined) return;
  const record = openRecord(recordDir, largestBody[profile]);
  if (!record.workers.includes(discoveryRecord)) return;
  for (const exchange of record.exchangesOf(discoveryRecord)) judgeSuccess(exchange, everyAnswer);
}

function judgeSuccess(exchange: Exchange, everyAnswer: EveryAnswer): void {
  const { endpoint, body } = exchange.request;
  const outcome = interpret(exchange);
  if (isStream(endpoint) || outcome.kind !== "success") return;
  const parsed = parseJson(body);
  const request: JsonInput = "value" in parsed ? parsed.value : body;
  everyAnswer.judge({ endpoint, request, exchange, outcome });
}
