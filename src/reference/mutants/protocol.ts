import { jsonReply } from "../endpoint-handler.js";
import { breaking, type Mutant, on } from "../modification.js";

const version = "connect-protocol-version";
const timeout = "connect-timeout-ms";
const stream = "GetOpenPositionsStreaming";

/** Servers that break one rule of §4 on request headers. */
export const protocol: readonly Mutant[] = [
  ...breaking("protocol.connect-version-optional", {
    // Connect-Protocol-Version: Only value 1; default 1 if omitted.
    "version-header-required": {
      summary: "Requests without Connect-Protocol-Version are refused.",
      alsoFails: ["get-all-positions.limit-zero", "errors.documented-outcome"],
      intercept: ({ headers }, { endpoint }) =>
        endpoint !== stream && !headers.has(version)
          ? jsonReply(400, { code: "invalid_argument", message: "missing required header: Connect-Protocol-Version" })
          : undefined,
    },
    "stream-version-header-required": {
      summary: "The stream does not open without Connect-Protocol-Version.",
      alsoFails: ["errors.documented-outcome"],
      intercept: ({ headers }, { endpoint }) =>
        endpoint === stream && !headers.has(version) ? { status: 415, headers: {}, body: Buffer.from("") } : undefined,
    },
    "positions-of-version-0-without-version-header": {
      summary: "Without Connect-Protocol-Version GetAllPositions ignores the limit, as a former version did.",
      alsoFails: ["pagination.limit", "pagination.total-count", "pagination.row-count", "get-all-positions.limit-cap"],
      request: on("GetAllPositions", (json, { headers }) => (headers.has(version) ? undefined : { ...json, limit: 0 })),
    },
    "unknown-errors-without-version-header": {
      summary: "Without Connect-Protocol-Version every error has the code unknown.",
      error: (_endpoint, error, { headers }) =>
        headers.has(version) ? undefined : { ...error, json: { ...error.json, code: "unknown" } },
    },
  }),

  ...breaking("protocol.timeout-generous", {
    // Connect-Timeout-Ms: Request timeout in milliseconds.
    "timeout-in-nanoseconds": {
      summary: "GetPortfolio takes Connect-Timeout-Ms for nanoseconds, so that it elapses at once.",
      intercept: ({ headers }, { endpoint }) =>
        endpoint === "GetPortfolio" && headers.has(timeout)
          ? jsonReply(504, { code: "deadline_exceeded", message: "the operation timed out" })
          : undefined,
    },
    "timeout-above-a-minute-refused": {
      summary: "Connect-Timeout-Ms above 60000 is refused.",
      alsoFails: ["errors.documented-outcome"],
      intercept: ({ headers }) =>
        Number(headers.get(timeout) ?? 0) > 60_000
          ? jsonReply(400, { code: "invalid_argument", message: "Connect-Timeout-Ms must not exceed 60000" })
          : undefined,
    },
    "timeout-of-an-hour-refused": {
      summary: "Connect-Timeout-Ms of an hour or more is refused.",
      alsoFails: ["errors.documented-outcome"],
      intercept: ({ headers }) =>
        Number(headers.get(timeout) ?? 0) >= 3_600_000
          ? jsonReply(400, { code: "invalid_argument", message: "Connect-Timeout-Ms must be less than an hour" })
          : undefined,
    },
    "candles-cut-short-by-a-timeout": {
      summary: "With Connect-Timeout-Ms, whatever it is, GetHistoricalPrices returns the first candle alone.",
      alsoFails: ["get-historical-prices.no-result-limit"],
      rows: {
        candles: (candles, { headers }) => (headers.has(timeout) ? candles.slice(0, 1) : candles),
      },
    },
    "stream-empty-with-a-timeout": {
      summary: "With Connect-Timeout-Ms the stream lists no positions.",
      response: on(stream, (_json, { headers }) => (headers.has(timeout) ? { positions: [] } : undefined)),
    },
    "stream-ends-at-a-tenth-of-its-timeout": {
      summary: "The stream ends when a tenth of Connect-Timeout-Ms is over.",
      schedule: ({ effectiveMs }, { headers }) => {
        const timeoutMs = headers.get(timeout);
        return timeoutMs === null ? undefined : { messages: 1 + Math.floor(Number(timeoutMs) / 10 / effectiveMs) };
      },
    },
  }),
];
