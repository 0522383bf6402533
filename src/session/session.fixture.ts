import { noSubjects } from "../subjects/subjects.js";
import type { Session } from "./session-data.js";

/** A session on a platform without any subjects. */
export function sessionOf(change: Partial<Session> = {}): Session {
  return {
    target: {
      baseUrl: "http://127.0.0.1:8080",
      transport: "http1",
      tls: { insecure: false },
      timeoutMs: 10_000,
      concurrency: 16,
      known: { markets: [], wallets: [] },
      secrets: { headers: [] },
    },
    subjects: noSubjects({
      marketId: "987654321",
      wallet: `0x${"9".repeat(40)}`,
      symbols: { assetSymbol: "NO", quoteSymbol: "NONE" },
    }),
    profile: "quick",
    seed: 1,
    readings: {},
    selection: { rules: [], suites: [] },
    startedAt: "2026-01-01T00:00:00.000Z",
    notImplemented: [],
    discovery: { count: 0, streams: 0, bytesReceived: 0, successes: {} },
    ...change,
  };
}
