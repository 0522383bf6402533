import type { Capture, StreamAnswer } from "./answer.js";
import { exchangeOf } from "./answers.fixture.js";

/** A stream that was watched: without any messages, unless `changes` gives some. */
export function captured(changes: Partial<Capture> = {}): StreamAnswer {
  const body: Capture = { messages: [], ended: "by-us", windowMs: 100, loopLagMs: 0, ...changes };
  return {
    endpoint: "GetOpenPositionsStreaming",
    request: {},
    exchange: exchangeOf(""),
    outcome: { kind: "success", body },
  };
}
