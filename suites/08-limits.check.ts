import { rawJson } from "../src/connect/json.js";
import { suite } from "../src/engine/define.js";
import { walletWithOpenPositions } from "../src/subjects/select.js";

/** Requests sent at once, and streams held open at once: enough to hit a tight limit, too few to be a load. */
const requestsAtOnce = 3;
const streamsAtOnce = 2;
const largeRequestBytes = 256 * 1024;

export default suite("§8 Limits", ({ observe }) => {
  // Rate limits: not shown.
  observe("limits.rate-limit", { on: "GetAllPositions" }, async ({ call, record }) => {
    const burst = Array.from({ length: requestsAtOnce }, () => call.getAllPositions({ limit: 1 }));
    const answers = await Promise.all(burst);
    const refused = answers.find(({ outcome }) => outcome.kind !== "success");
    record(
      `${requestsAtOnce} requests at once`,
      refused ?? `all of them answered; headers ${limitHeaders(answers[0]?.exchange.response?.headers ?? [])}`,
    );
  });

  // Maximum request size and concurrent stream count: not shown.
  observe("limits.request-size", { on: "GetAllPositions" }, async ({ call, record }) => {
    const padded = rawJson(`{"limit":1${" ".repeat(largeRequestBytes)}}`);
    record(`a request of ${largeRequestBytes / 1024} KB, nearly all of it blanks`, await call.getAllPositions(padded));
  });

  observe("limits.concurrent-streams", { on: "GetOpenPositionsStreaming" }, async ({ listen, record, subjects }) => {
    const address = walletWithOpenPositions(subjects)?.address ?? subjects.unknown.wallet;
    const streams = Array.from({ length: streamsAtOnce }, () =>
      listen({ address, updateIntervalMs: 100 }, { messages: 3, ms: 3000 }),
    );
    const refused = (await Promise.all(streams)).find(({ outcome }) => outcome.kind !== "success");
    record(`${streamsAtOnce} streams at once`, refused ?? "all of them opened");
  });

  // Server behavior when Connect-Timeout-Ms elapses: not shown.
  observe("limits.timeout-elapsed", { on: "GetAllPositions" }, async ({ call, record }) => {
    const headers = { "Connect-Timeout-Ms": "1" };
    record("a page of 1000 within 1 ms", await call.getAllPositions({ limit: 1000 }, { headers }));
  });
});

/** The headers that announce a rate limit, by their common names. */
function limitHeaders(headers: readonly (readonly [name: string, value: string])[]): string {
  const limits = headers.filter(([name]) => /^(x-)?ratelimit|^retry-after$/i.test(name));
  return limits.length === 0 ? "announce no limit" : limits.map(([name, value]) => `${name}: ${value}`).join(", ");
}
