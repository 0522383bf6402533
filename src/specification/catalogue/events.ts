import type { QuotingRule } from "../rule.js";

const endpoints = ["GetOpenPositionsStreaming"] as const;

/** §6 Events. */
export const events = {
  "events.envelope": {
    section: "§6",
    quotes: { "§6": ["Connect server streaming, usable from Connect-capable clients"] },
    statement:
      "The stream is a Connect server stream: each message is in a well-formed envelope that a Connect client reads.",
    level: "mandatory",
    endpoints,
    impact: "A Connect client breaks off at the first message.",
    rulings: ["W9"],
  },
  "events.plain-request": {
    section: "§6",
    quotes: { "§6": ["not from plain request/response explorers"] },
    statement: "What a plain JSON request to the streaming operation gets is left open.",
    level: "observation",
    endpoints,
    impact: "None stated in the text, which says that plain request/response explorers cannot use it.",
  },
  "events.end-of-stream": {
    section: "§6",
    quotes: { "§6": ["Error or end-of-stream behavior inside a stream: not shown"] },
    statement: "How an error or the end shows inside a stream is left open.",
    level: "observation",
    endpoints,
    impact: "None stated; a client should reconnect whatever the end looks like.",
  },
} as const satisfies Record<string, QuotingRule>;
