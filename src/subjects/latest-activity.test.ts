import { describe, expect, test } from "vitest";
import { formatInstant, instantFromMillis } from "../judge/instant.js";
import type { CandleInterval } from "../specification/enums.js";
import { endOfCandles, latestActivity } from "./latest-activity.js";

const latest = (totals: Parameters<typeof latestActivity>[0]["totals"]) =>
  formatInstant(latestActivity({ totals }, Date.UTC(2026, 0, 1)));

test("the platform was last active at its latest order or position, whichever is later", () => {
  expect(latest({ latestOrder: "2025-05-01T10:00:00.5Z", latestPosition: "2025-05-01T11:00:00+02:00" })).toBe(
    "2025-05-01T10:00:00.5Z",
  );
  expect(latest({ latestPosition: "2025-05-01T11:00:00.000000001Z" })).toBe("2025-05-01T11:00:00.000000001Z");
});

test("a platform without orders and positions is looked at as of its discovery, or now", () => {
  expect(latest({ latestOrder: "yesterday", seenAt: "2025-12-31T00:00:00Z" })).toBe("2025-12-31T00:00:00Z");
  expect(latest({})).toBe("2026-01-01T00:00:00Z");
  expect(latest({ latestOrder: "yesterday" })).toBe("2026-01-01T00:00:00Z");
});

describe("ranges of candles", () => {
  const active = instantFromMillis(Date.UTC(2026, 0, 1));
  const endAfter = (trade: string, interval: CandleInterval) =>
    formatInstant(endOfCandles({ latestTrades: { [interval]: trade } }, active, interval));

  test("end soon after the latest trade, but not after the latest activity", () => {
    expect(endAfter("2025-12-31T20:00:00Z", "1S")).toBe("2025-12-31T20:00:10Z");
    expect(endAfter("2025-12-31T20:00:00Z", "1")).toBe("2025-12-31T20:10:00Z");
    expect(endAfter("2025-12-31T20:00:00Z", "60")).toBe("2026-01-01T00:00:00Z");
    expect(formatInstant(endOfCandles({}, active, "1S"))).toBe("2026-01-01T00:00:00Z");
  });

  test("end with a trade after the latest activity", () => {
    expect(endAfter("2026-02-01T20:00:00Z", "1S")).toBe("2026-02-01T20:00:00Z");
  });
});
