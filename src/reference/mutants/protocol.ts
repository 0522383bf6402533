import type { JsonObject } from "../json.js";
import type { HttpReply, Mutant } from "../modification.js";

/** A Connect error as a complete reply. */
function refusal(status: number, code: string, message: string): HttpReply {
  return {
    status,
    headers: { "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ code, message })),
  };
}

const version = "connect-protocol-version";
const timeout = "connect-timeout-ms";
const stream = "GetOpenPositionsStreaming";

/** Servers that break one rule of §4 on request headers. */
export const protocol: readonly Mutant[] = [
  // Connect-Protocol-Version: Only value 1; default 1 if omitted.
  {
    kind: "mutant",
    name: "version-header-required",
    summary: "Requests without Connect-Protocol-Version are refused.",
    breaks: "protocol.connect-version-optional",
    alsoFails: ["get-all-positions.limit-zero", "errors.documented-outcome"],
    intercept: ({ headers }, { endpoint }) =>
      endpoint !== stream && !headers.has(version)
        ? refusal(400, "invalid_argument", "missing required header: Connect-Protocol-Version")
        : undefined,
  },
  {
    kind: "mutant",
    name: "stream-version-header-required",
    summary: "The stream does not open without Connect-Protocol-Version.",
    breaks: "protocol.connect-version-optional",
    alsoFails: ["errors.documented-outcome"],
    intercept: ({ headers }, { endpoint }) =>
      endpoint === stream && !headers.has(version) ? { status: 415, headers: {}, body: Buffer.from("") } : undefined,
  },
  {
    kind: "mutant",
    name: "positions-of-version-0-without-version-header",
    summary: "Without Connect-Protocol-Version GetAllPositions ignores the limit, as a former version did.",
    breaks: "protocol.connect-version-optional",
    alsoFails: ["pagination.limit", "pagination.total-count", "pagination.row-count", "get-all-positions.limit-cap"],
    request: (endpoint, json, { headers }) =>
      endpoint === "GetAllPositions" && !headers.has(version) ? { ...json, limit: 0 } : undefined,
  },
  {
    kind: "mutant",
    name: "unknown-errors-without-version-header",
    summary: "Without Connect-Protocol-Version every error has the code unknown.",
    breaks: "protocol.connect-version-optional",
    error: (_endpoint, error, { headers }) =>
      headers.has(version) ? undefined : { ...error, json: { ...error.json, code: "unknown" } },
  },

  // Connect-Timeout-Ms: Request timeout in milliseconds.
  {
    kind: "mutant",
    name: "timeout-in-nanoseconds",
    summary: "GetPortfolio takes Connect-Timeout-Ms for nanoseconds, so that it elapses at once.",
    breaks: "protocol.timeout-generous",
    intercept: ({ headers }, { endpoint }) =>
      endpoint === "GetPortfolio" && headers.has(timeout)
        ? refusal(504, "deadline_exceeded", "the operation timed out")
        : undefined,
  },
  {
    kind: "mutant",
    name: "timeout-above-a-minute-refused",
    summary: "Connect-Timeout-Ms above 60000 is refused.",
    breaks: "protocol.timeout-generous",
    alsoFails: ["errors.documented-outcome"],
    intercept: ({ headers }) =>
      Number(headers.get(timeout) ?? 0) > 60_000
        ? refusal(400, "invalid_argument", "Connect-Timeout-Ms must not exceed 60000")
        : undefined,
  },
  {
    kind: "mutant",
    name: "candles-cut-short-by-a-timeout",
    summary: "With Connect-Timeout-Ms, whatever it is, GetHistoricalPrices returns the first candle alone.",
    breaks: "protocol.timeout-generous",
    alsoFails: ["get-historical-prices.no-result-limit"],
    rows: {
      candles: (candles, { headers }) => (headers.has(timeout) ? candles.slice(0, 1) : candles),
    },
  },
  {
    kind: "mutant",
    name: "stream-empty-with-a-timeout",
    summary: "With Connect-Timeout-Ms the stream lists no positions.",
    breaks: "protocol.timeout-generous",
    response: (endpoint, _json, { headers }): JsonObject | undefined =>
      endpoint === stream && headers.has(timeout) ? { positions: [] } : undefined,
  },
];
