import type { RuleText } from "../rule.js";

const endpoints = ["GetOpenPositionsStreaming"] as const;

/** §6 Events. */
export const events = {
  "events.envelope": {
    section: "§6",
    statement:
      "The stream is a Connect server stream: each message is in a well-formed envelope that a Connect client reads.",
    level: "mandatory",
    endpoints,
    impact: "A Connect client breaks off at the first message.",
    rulings: ["W9"],
  },
  "events.plain-request": {
    section: "§6",
    statement: "What a plain JSON request to the streaming operation gets is left open.",
    level: "observation",
    endpoints,
    impact: "None by the text, which says that plain request/response explorers cannot use it.",
  },
  "events.end-of-stream": {
    section: "§6",
    statement: "How an error or the end shows inside a stream is left open.",
    level: "observation",
    endpoints,
    impact: "None by the text; a client should reconnect whatever the end looks like.",
  },
} as const satisfies Record<string, RuleText>;
