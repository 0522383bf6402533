import { describe, expect, test } from "vitest";
import { type PositionEndpoint, shownPositions } from "./located-rows.js";
import { positionJson } from "./rows.fixture.js";
import type { PositionSighting, PositionSightings } from "./stale.js";
import { standingFields } from "./standing-fields.js";
import { cached, late, live, type View } from "./views.fixture.js";

/** A stored value, by milliseconds since the watch began. */
type Stored = (ms: number) => number;

const frozen: View = () => -5_000;

const readAt = [0, 430, 1_120, 1_600, 2_250, 2_790, 3_380, 3_940, 4_500, 5_060, 5_620];
const messagesAt = Array.from({ length: 30 }, (_, index) => 200 * index);

interface Watched {
  readonly stored: Stored;
  readonly views?: Partial<Record<PositionEndpoint, View>>;
  /** Decimals of an operation's answers. */
  readonly decimals?: Partial<Record<PositionEndpoint, number>>;
  /** What the value is. */
  readonly field?: "allocatedMargin" | "stopLossPrice" | "timestamp";
}

/** What a watch shows of one position. */
function watch({ stored, views = {}, decimals = {}, field = "allocatedMargin" }: Watched): PositionSightings {
  const sighting = (endpoint: PositionEndpoint, ms: number, answer: number): PositionSighting => {
    const value = Number(stored((views[endpoint] ?? live)(ms)).toFixed(decimals[endpoint] ?? 2));
    const shown = field === "timestamp" ? new Date(1_767_225_600_000 + value).toISOString() : value;
    const positions = [positionJson({ [field]: shown })];
    const from = 10_000 + ms;
    return { endpoint, from, to: from + 5, answer, positions: shownPositions("GetAllPositions", { positions }) };
  };
  const all = [
    ...messagesAt.map((ms) => sighting("GetOpenPositionsStreaming", ms, 0)),
    ...readAt.map((ms, index) => sighting("GetPortfolio", ms, 1 + index)),
    ...readAt.map((ms, index) => sighting("GetAllPositions", ms, 20 + index)),
  ];
  return { all, isOpen: () => true, lagMs: 10 };
}

const endpoints = ["GetAllPositions", "GetOpenPositionsStreaming", "GetPortfolio"] as const;

/** The operations that are found to show what was. */
function blamed(seen: PositionSightings): PositionEndpoint[] {
  return endpoints.filter((endpoint) => standingFields(endpoint, seen).violations.length > 0);
}

/** Grows by 1.37 every 900 ms. */
const growing: Stored = (ms) => 100.25 + 1.37 * Math.floor((ms + 9_000) / 900);

describe("stored values that change (R16)", () => {
  test.each(endpoints)("are not current where %s shows what was", (endpoint) => {
    expect(blamed(watch({ stored: growing, views: { [endpoint]: frozen } }))).toEqual([endpoint]);
  });

  test("are not current from the first message on", () => {
    const seen = watch({ stored: growing, views: { GetOpenPositionsStreaming: () => 0 } });
    expect(blamed(seen)).toEqual(["GetOpenPositionsStreaming"]);
  });

  test("are shown with their place, what they show, and for how long", () => {
    const seen = watch({ stored: growing, views: { GetAllPositions: frozen } });
    expect(standingFields("GetAllPositions", seen).violations).toEqual([
      {
        answer: 30,
        path: "positions[0].allocatedMargin",
        expected: "the current value, which changes by up to 8.22 meanwhile in GetOpenPositionsStreaming",
        seen: "105.73 in each of 11 reads over 5.6 s",
        row: "the same allocatedMargin",
      },
    ]);
  });

  test("may be the time of the latest event", () => {
    const eventTime: Stored = (ms) => 900 * Math.floor(ms / 900);
    const seen = watch({ stored: eventTime, field: "timestamp", views: { GetPortfolio: frozen } });
    expect(standingFields("GetPortfolio", seen).violations).toMatchObject([
      {
        path: "positions[0].timestamp",
        expected: expect.stringMatching(/by up to [\d.]+ s meanwhile/),
        seen: expect.stringMatching(/^2025-12-31T23:59:54\.600Z in each of 11 reads/),
      },
    ]);
  });

  test("are current in caches and replicas that are a moment behind", () => {
    const views: readonly View[] = [live, late(1_000), late(2_400), cached(1_000), cached(2_400)];
    for (const stored of [growing, (ms: number) => growing(4 * ms)])
      for (const endpoint of endpoints)
        for (const view of views) expect(blamed(watch({ stored, views: { [endpoint]: view } }))).toEqual([]);
  });

  test("may come back to where they were", () => {
    const toAndFro: Stored = (ms) => (Math.floor((ms + 9_000) / 350) % 4 === 0 ? 95.5 : 0);
    for (const endpoint of endpoints)
      expect(blamed(watch({ stored: toAndFro, field: "stopLossPrice", views: { [endpoint]: frozen } }))).toEqual([]);
  });

  test("may change less than an operation shows", () => {
    const seen = watch({
      stored: (ms) => growing(ms) / 20,
      views: { GetPortfolio: frozen },
      decimals: { GetPortfolio: 0 },
    });
    expect(blamed(seen)).toEqual([]);
  });

  test("need not have changed at rest, or after one change", () => {
    expect(blamed(watch({ stored: () => 100.25 }))).toEqual([]);
    const once: Stored = (ms) => (ms < 1_000 ? 100.25 : 150.5);
    expect(blamed(watch({ stored: once, views: { GetPortfolio: frozen } }))).toEqual([]);
  });

  test("are judged only where another operation shows the position", () => {
    const { all, ...rest } = watch({ stored: growing });
    expect(standingFields("GetPortfolio", { all, ...rest }).examined).toBeGreaterThan(0);
    const alone = all.filter(({ endpoint }) => endpoint === "GetPortfolio");
    expect(standingFields("GetPortfolio", { all: alone, ...rest })).toMatchObject({
      examined: 0,
      missing: expect.stringContaining("two operations show"),
    });
  });
});
