import { endpointNames } from "../endpoints.js";
import type { QuotingRule } from "../rule.js";

/** §8 Limits: only what no other section states; the limits of an operation are in its own section. */
export const limits = {
  "limits.rate-limit": {
    section: "§8",
    quotes: { "§8": ["Rate limits: not shown"] },
    statement: "How often requests may be made, and how a refusal shows, is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated; a client cannot plan its request rate.",
  },
  "limits.request-size": {
    section: "§8",
    quotes: { "§8": ["Maximum request size and concurrent stream count: not shown"] },
    statement: "How large a request may be is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated; the documented requests are small.",
  },
  "limits.concurrent-streams": {
    section: "§8",
    quotes: { "§8": ["Maximum request size and concurrent stream count: not shown"] },
    statement: "How many streams a client may hold open at once is left open.",
    level: "observation",
    endpoints: ["GetOpenPositionsStreaming"],
    impact: "None stated; a client that follows many wallets may be refused.",
  },
  "limits.timeout-elapsed": {
    section: "§8",
    quotes: {
      "§8": ["behavior when Connect-Timeout-Ms elapses: not shown"],
      "§4": ["request timeout in milliseconds"],
    },
    statement: "What happens when `Connect-Timeout-Ms` elapses is left open.",
    level: "observation",
    endpoints: endpointNames,
    impact: "None stated; a client has to keep its own deadline.",
    rulings: ["H2"],
  },
} as const satisfies Record<string, QuotingRule>;
