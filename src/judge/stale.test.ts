import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Judgement } from "./judgement.js";
import { type PositionEndpoint, shownPositions } from "./located-rows.js";
import { readPosition } from "./read.js";
import { positionJson } from "./rows.fixture.js";
import { type PositionSighting, type PositionSightings, staleMarkPrices, stalePnls, staleTotals } from "./stale.js";
import { lastPlace } from "./value-series.js";
import { cached, late, live, type View } from "./views.fixture.js";

/** A price, by milliseconds since the watch began. */
type Price = (ms: number) => number;

const frozen: View = () => 0;

const readAt = [0, 430, 1_120, 1_600, 2_250, 2_790, 3_380, 4_500, 5_620];
const messagesAt = Array.from({ length: 29 }, (_, index) => 200 * index);

interface Watched {
  readonly price: Price;
  readonly views?: Partial<Record<PositionEndpoint | "pnl" | "total", View>>;
  /** Decimals of PnL and of totals. */
  readonly decimals?: number;
  /** Decimals of the mark prices of unary operations, from which they compute PnL; those of the price when absent. */
  readonly unaryMarkDecimals?: number;
  /** Size of the long position; the short one has 1. */
  readonly size?: number;
  readonly until?: number;
}

/** What a watch shows of two positions of one market, a long and a short one. */
function watch({
  price: exact,
  views = {},
  decimals = 6,
  unaryMarkDecimals,
  size = 2.5,
  until = 6_000,
}: Watched): PositionSightings {
  const rounded = (number: number) => Number(number.toFixed(decimals));
  const sighting = (endpoint: PositionEndpoint, ms: number, answer: number): PositionSighting => {
    const isRounded = unaryMarkDecimals !== undefined && endpoint !== "GetOpenPositionsStreaming";
    const price: Price = (at) => (isRounded ? Number(exact(at).toFixed(unaryMarkDecimals)) : exact(at));
    const view = views[endpoint] ?? live;
    const mark = price(view(ms));
    const markOfPnl = views.pnl && endpoint === "GetPortfolio" ? price(views.pnl(ms)) : mark;
    const pnl = (side: number, size: number) => rounded(side * size * (markOfPnl - 90));
    const position = (positionId: string, side: string, nominalSize: number, unrealizedPnl: number) =>
      positionJson({ positionId, side, nominalSize, entryPrice: 90, markPrice: mark, unrealizedPnl });
    const positions = [position("7", "SIDE_LONG", size, pnl(1, size)), position("8", "SIDE_SHORT", 1, pnl(-1, 1))];
    const total = rounded((size - 1) * (price((views.total ?? view)(ms)) - 90));
    return {
      endpoint,
      from: ms,
      to: ms + 5,
      answer,
      positions: shownPositions("GetAllPositions", { positions }),
      ...(endpoint === "GetPortfolio" && { totalUnrealizedPnl: total }),
    };
  };
  const all = [
    ...messagesAt.map((ms) => sighting("GetOpenPositionsStreaming", ms, 0)),
    ...readAt.map((ms, index) => sighting("GetPortfolio", ms, 1 + index)),
    ...readAt.map((ms, index) => sighting("GetAllPositions", ms, 1 + readAt.length + index)),
  ];
  return { all: all.filter(({ from }) => from <= until), isOpen: () => true, lagMs: 10 };
}

/** A price that moves up and down by a few ticks of 0.01, faster and slower. */
const swinging: Price = (ms) => {
  const steps = Math.floor((ms + 9_000) / 50);
  return (10_000 + Math.trunc(12 * Math.sin(steps / 9) + 25 * Math.sin(steps / 101))) / 100;
};

const judges: Readonly<Record<string, (seen: PositionSightings) => Judgement>> = {
  "mark prices of GetPortfolio": (seen) => staleMarkPrices("GetPortfolio", seen),
  "mark prices of GetAllPositions": (seen) => staleMarkPrices("GetAllPositions", seen),
  "mark prices of the stream": (seen) => staleMarkPrices("GetOpenPositionsStreaming", seen),
  "PnL of GetPortfolio": (seen) => stalePnls("GetPortfolio", seen),
  "PnL of GetAllPositions": (seen) => stalePnls("GetAllPositions", seen),
  "PnL of the stream": (seen) => stalePnls("GetOpenPositionsStreaming", seen),
  totals: staleTotals,
};

/** The judges that find something. */
function blaming(seen: PositionSightings): string[] {
  return Object.keys(judges).filter((name) => (judges[name]?.(seen).violations.length ?? 0) > 0);
}

describe("values that move with the market (R17)", () => {
  test("are judged where the price moves, and hold", () => {
    for (const [name, judge] of Object.entries(judges)) {
      expect(judge(watch({ price: swinging })), name).toMatchObject({ violations: [] });
      expect(judge(watch({ price: swinging })).examined, name).toBeGreaterThan(0);
    }
  });

  test.each([
    ["GetAllPositions", ["mark prices of GetAllPositions", "PnL of GetAllPositions"]],
    ["GetPortfolio", ["mark prices of GetPortfolio", "PnL of GetPortfolio", "totals"]],
  ] as const)("are stale where %s shows what was", (endpoint, stale) => {
    expect(blaming(watch({ price: swinging, views: { [endpoint]: frozen } }))).toEqual(stale);
  });

  test("are stale where the stream shows what was", () => {
    const seen = watch({ price: (ms) => swinging(3 * ms), views: { GetOpenPositionsStreaming: frozen } });
    expect(blaming(seen)).toContain("mark prices of the stream");
  });

  test("are each judged by itself", () => {
    expect(blaming(watch({ price: swinging, views: { pnl: frozen } }))).toEqual(["PnL of GetPortfolio"]);
    expect(blaming(watch({ price: swinging, views: { total: frozen } }))).toEqual(["totals"]);
  });

  test("are stale where the positions in the same answers move, be it slowly", () => {
    const slow: Price = (ms) => (10_001 + Math.floor((ms + 9_000) / 250)) / 100;
    expect(blaming(watch({ price: slow, views: { total: cached(3_000) } }))).toEqual(["totals"]);
    expect(blaming(watch({ price: slow, views: { total: cached(1_000) } }))).toEqual([]);
  });

  test("are shown with their place, what they show, and for how long", () => {
    const [violation] = staleMarkPrices(
      "GetPortfolio",
      watch({ price: swinging, views: { GetPortfolio: frozen } }),
    ).violations;
    expect(violation).toEqual({
      answer: 9,
      path: "positions[0].markPrice",
      expected: expect.stringMatching(
        /^a value that moves: by up to 0\.\d+ meanwhile, .* in GetOpenPositionsStreaming$/,
      ),
      seen: expect.stringMatching(/^[\d.]+ in each of 9 reads over 5\.6 s$/),
      row: "the same markPrice",
    });
  });

  test("need not have moved at rest, after one move, or in too short a time", () => {
    for (const [name, judge] of Object.entries(judges)) {
      const atRest = judge(watch({ price: () => 100.25 }));
      expect(atRest, name).toMatchObject({ examined: 0, missing: expect.stringContaining("changes for 2 s") });
      expect(atRest.searched, name).toBeGreaterThan(0);
      const once = watch({ price: (ms) => (ms < 900 ? 100.25 : 103.5), views: { GetPortfolio: frozen } });
      expect(judge(once), name).toMatchObject({ examined: 0, violations: [] });
      const short = watch({ price: swinging, views: { GetPortfolio: frozen }, until: 1_700 });
      expect(judge(short), name).toMatchObject({ examined: 0, violations: [] });
    }
  });

  test("need not have moved where only the last bits of a price differ from answer to answer (R1)", () => {
    const noisy: Price = (ms) => 97_123.45 * (1 + (1 + (Math.floor(ms / 200) % 7)) * Number.EPSILON);
    for (const endpoint of ["GetPortfolio", "GetAllPositions", "GetOpenPositionsStreaming"] as const)
      expect(blaming(watch({ price: noisy, views: { [endpoint]: frozen } })), endpoint).toEqual([]);
  });

  test("may not move where they are rounded more coarsely than the price moves", () => {
    const seen = watch({ price: (ms) => swinging(ms) / 1_000, decimals: 2, views: { pnl: frozen, total: frozen } });
    expect(blaming(seen)).toEqual([]);
  });

  test("may not move where they are computed from mark prices that are rounded in the same answers (R1)", () => {
    const price: Price = (ms) => 100.01 + swinging(ms) / 100_000;
    const fine = { price, size: 2.500001, decimals: 9 };
    expect(blaming(watch({ ...fine, unaryMarkDecimals: 2 }))).toEqual([]);
    expect(blaming(watch({ ...fine, views: { pnl: frozen } }))).toContain("PnL of GetPortfolio");
  });

  test("may be brought back by a price that moves to and fro", () => {
    const toAndFro: Price = (ms) => (Math.floor(ms / 300) % 2 === 0 ? 100.25 : 100.75);
    for (const views of [{ GetPortfolio: frozen }, { GetAllPositions: frozen }])
      expect(blaming(watch({ price: toAndFro, views }))).not.toContain("PnL of GetAllPositions");
    // That they stood still all the time shows nothing, then.
    expect(stalePnls("GetAllPositions", watch({ price: toAndFro, views: { GetAllPositions: frozen } }))).toMatchObject({
      examined: 0,
      missing: expect.stringContaining("coming back"),
    });
  });

  test("are stale if a price that moves to and fro never comes back to them", () => {
    const away: Price = (ms) => (ms <= 0 ? 103.25 : Math.floor(ms / 300) % 2 === 0 ? 100.25 : 100.75);
    expect(blaming(watch({ price: away, views: { GetPortfolio: frozen } }))).toContain("mark prices of GetPortfolio");
  });

  test("are not judged on positions that change their size", () => {
    const seen = watch({ price: swinging, views: { GetAllPositions: frozen } });
    let count = 0;
    const growing = seen.all.map((sighting) => {
      const positions = sighting.positions.map((shown) => {
        return { ...shown, row: readPosition({ ...shown.row.json, nominalSize: ++count }) };
      });
      return { ...sighting, positions };
    });
    expect(stalePnls("GetPortfolio", { ...seen, all: growing }).examined).toBe(0);
  });

  test("move on in positions that are not open any more", () => {
    const isOpen: PositionSightings["isOpen"] = ({ positionId }) => positionId !== "8";
    const seen = watch({ price: swinging, views: { GetAllPositions: frozen } });
    const paths = (judgement: Judgement) => judgement.violations.map(({ path }) => path);
    expect(paths(staleMarkPrices("GetAllPositions", { ...seen, isOpen }))).toContain("positions[1].markPrice");
    expect(paths(stalePnls("GetAllPositions", { ...seen, isOpen }))).toContain("positions[1].unrealizedPnl");
    expect(staleMarkPrices("GetAllPositions", { ...watch({ price: swinging }), isOpen }).violations).toEqual([]);
  });

  test("are never blamed on servers with caches and replicas, however the price moves", () => {
    const view = fc.oneof(
      fc.constant(live),
      fc.integer({ min: 0, max: 1_000 }).map(late),
      fc.integer({ min: 100, max: 1_000 }).map(cached),
    );
    const steps = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 200, maxLength: 200 });
    const price = fc
      .tuple(steps, fc.integer({ min: 40, max: 1_500 }), fc.constantFrom(0.01, 0.1, 5))
      .map(([moves, everyMs, tick]): Price => {
        let last = 10_000;
        const prices = moves.map((move) => (last += move));
        return (ms) => Number(((prices[Math.floor((ms + 2_000) / everyMs)] ?? 0) * tick).toFixed(2));
      });
    const views = fc.record({ GetPortfolio: view, GetAllPositions: view, GetOpenPositionsStreaming: view });
    fc.assert(
      fc.property(price, views, fc.constantFrom(0, 2, 6), (moving, seenBy, decimals) => {
        expect(blaming(watch({ price: moving, views: seenBy, decimals }))).toEqual([]);
      }),
      { seed: 7, numRuns: 150 },
    );
  });
});

describe("the last digit of a number", () => {
  test.each([
    [12.34, 0.01],
    [-0.5, 0.1],
    [1200, 100],
    [97_123, 1],
    [1e-7, 1e-7],
    [2.5e-7, 1e-8],
    [1e21, 1e21],
    [0.1 + 0.2, 3e-10],
    [0, 1],
    [Number.NaN, 1],
  ])("of %d counts %d", (value, place) => {
    expect(lastPlace(value)).toBeCloseTo(place, 12);
  });
});
