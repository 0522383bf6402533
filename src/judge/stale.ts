/**
 * Judges values that must move with the market (R17): `markPrice`, `unrealizedPnl` and a portfolio's `totalUnrealizedPnl`,
 * which are computed on every read. One that stays the same to the last digit while others show the price moving is stale.
 *
 * A conformant server is never blamed: its answers may be cached for a moment and its replicas a moment apart (P3), its
 * prices may move once, or back and forth, and a value may be rounded so coarsely that a move does not show.
 */
import { getOrInsert } from "../specification/get-or-insert.js";
import { groupBy } from "../specification/group-by.js";
import { cacheAgeMs, staleEvidence } from "../specification/limits.js";
import { type Judgement, nothingSeen, type Violation, withSearchedPlaces } from "./judgement.js";
import { type LocatedRow, type PositionEndpoint, rowPath } from "./located-rows.js";
import type { PositionView } from "./read.js";
import { positionKey } from "./read-stored.js";
import {
  during,
  type ImpliedValues,
  isEvidence,
  lastPlace,
  leastMove,
  movesRepeatedly,
  type PlacedValue,
  runsOfEqual,
  staleRun,
  type TimedValue,
  type ValueSeries,
} from "./value-series.js";

/** The positions that an answer, or a message of the stream, shows, and when it was made. */
export interface PositionSighting {
  readonly endpoint: PositionEndpoint;
  /** It was made between these two times, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly positions: readonly LocatedRow<PositionView>[];
  /** Only for a portfolio. */
  readonly owner?: string;
  readonly totalUnrealizedPnl?: number;
  /** Index of the answer that it is in, from 0. */
  readonly answer: number;
}

/** Everything that was read while the data moved. */
export interface PositionSightings {
  /** In chronological order for each operation. */
  readonly all: readonly PositionSighting[];
  /** Whether a position is known to be open: the mark price of one that is not may be off (R6). */
  readonly isOpen: (position: PositionView) => boolean;
  /** How late this machine may have noticed an answer, in milliseconds (T7). */
  readonly lagMs: number;
}

/**
 * The mark price of each position in an operation's answers moves as it does in other operations, also of closed ones (§2
 * Position, R17).
 */
export function staleMarkPrices(endpoint: PositionEndpoint, seen: PositionSightings): Judgement {
  const others = byEndpoint(seen.all).filter(([by]) => by !== endpoint);
  const series = seriesOf(endpoint, seen.all, "markPrice", ({ marketId }) =>
    others.map(([by, sightings]) => impliedBy(by, sightings, seen, [{ marketId, units: 1 }])),
  );
  return judge(endpoint, series, seen);
}

/**
 * The unrealized PnL of each position in an operation's answers moves with the mark price of its market, also of closed ones
 * (§2 Position, R17).
 */
export function stalePnls(endpoint: PositionEndpoint, seen: PositionSightings): Judgement {
  const all = byEndpoint(seen.all);
  const series = seriesOf(endpoint, seen.all, "unrealizedPnl", ({ marketId, nominalSize }) =>
    all.map(([by, sightings]) => impliedBy(by, sightings, seen, [{ marketId, units: nominalSize }])),
  );
  return judge(endpoint, series, seen);
}

/** The total of unrealized PnL in a portfolio moves with the mark prices of its positions (R17). */
export function staleTotals(seen: PositionSightings): Judgement {
  const portfolios = seen.all.filter(({ totalUnrealizedPnl }) => Number.isFinite(totalUnrealizedPnl));
  const byWallet = groupBy(portfolios, ({ owner }) => owner);
  return judge(
    "GetPortfolio",
    [...byWallet.values()].map((ofWallet) => totalOf(ofWallet, seen)),
    seen,
  );
}

/** The total in the portfolios of one wallet. */
function totalOf(portfolios: readonly PositionSighting[], seen: PositionSightings): ValueSeries {
  const all = byEndpoint(seen.all);
  const reads = portfolios.map(({ from, to, answer, totalUnrealizedPnl = Number.NaN }): PlacedValue => {
    return { from, to, answer, path: "portfolio.totalUnrealizedPnl", value: totalUnrealizedPnl };
  });
  return {
    endpoint: "GetPortfolio",
    field: "totalUnrealizedPnl",
    reads,
    implied: (someReads) => {
      const holdings = holdingsThroughout(
        portfolios.filter((_, index) => someReads.includes(reads[index] as PlacedValue)),
      );
      return holdings.length === 0 ? [] : all.map(([by, sightings]) => impliedBy(by, sightings, seen, holdings));
    },
    summands: Math.max(0, ...portfolios.map(({ positions }) => positions.length)),
  };
}

/** What all portfolios hold unchanged. Positions that open, close or change size in between move the total by themselves. */
function holdingsThroughout(portfolios: readonly PositionSighting[]): readonly Holding[] {
  const textOf = ({ row }: LocatedRow<PositionView>) =>
    `${positionKey(row)} ${row.side} ${row.nominalSize} ${row.entryPrice}`;
  const keysHeld = portfolios.map(({ positions }) => new Set(positions.map(textOf)));
  return (portfolios[0]?.positions ?? [])
    .filter((shown) => keysHeld.every((texts) => texts.has(textOf(shown))))
    .map(({ row: { marketId, side, nominalSize } }) => ({
      marketId,
      units: side === "SIDE_SHORT" ? -nominalSize : nominalSize,
    }));
}

/** A number of units of a market; negative for a short position in a total. */
interface Holding {
  readonly marketId: string;
  readonly units: number;
}

function judge(endpoint: PositionEndpoint, series: readonly ValueSeries[], seen: PositionSightings): Judgement {
  const allowance = { ageMs: cacheAgeMs + seen.lagMs, spreadMs: staleEvidence.spreadMs };
  const violations: Violation[] = [];
  let examined = 0;
  let moving = 0;
  let undecided = 0;
  for (const values of series) {
    const finest = Math.min(...values.reads.map(({ value }) => lastPlace(value)));
    const impliedByAll = values.implied(values.reads);
    const moves = (implied: ImpliedValues) =>
      movesRepeatedly(during(values.reads, implied.values), leastMove(finest, values, implied, impliedByAll));
    if (!impliedByAll.some(moves)) continue;
    moving++;
    if (!isEvidence(values.reads)) continue;
    const runs = runsOfEqual(values.reads);
    const violation = runs.map((run) => staleRun(run, values, allowance)).find((found) => found !== undefined);
    if (violation) violations.push(violation);
    // It stood still all the time, but the price may have come back to the same value at each read.
    if (!violation && runs.length === 1) undecided++;
    else examined++;
  }
  if (examined > 0) return { examined, violations };
  if (undecided > 0) return nothingSeen("a mark price that does not keep coming back to where it was");
  const { reads, spreadMs } = staleEvidence;
  const enough = `${reads} reads in ${spreadMs / 1000} s of a position`;
  if (moving > 0) return nothingSeen(`${enough} of a market whose mark price changes`);
  const places = series.length > 0 ? series : pricesAtRest(endpoint, seen);
  return withSearchedPlaces(places, nothingSeen("a mark price that changes for 2 s while it is watched"));
}

/**
 * The mark prices that an operation shows, including those of positions that are not judged; none if a price moves in any
 * operation.
 */
function pricesAtRest(endpoint: PositionEndpoint, { all }: PositionSightings): readonly ValueSeries[] {
  const pricesIn = (each: PositionEndpoint) => seriesOf(each, all, "markPrice", () => []);
  const moves = ({ reads }: ValueSeries) =>
    movesRepeatedly(reads, Math.min(...reads.map(({ value }) => lastPlace(value))));
  return byEndpoint(all).some(([each]) => pricesIn(each).some(moves)) ? [] : pricesIn(endpoint);
}

/** One series for each judged position of an operation. A new size or entry price starts a new series. */
function seriesOf(
  endpoint: PositionEndpoint,
  all: PositionSightings["all"],
  field: "markPrice" | "unrealizedPnl",
  impliedFor: (position: PositionView) => readonly ImpliedValues[],
): readonly ValueSeries[] {
  const byPosition = new Map<string, { readonly position: PositionView; readonly reads: PlacedValue[] }>();
  for (const { from, to, answer, positions, endpoint: of } of all) {
    if (of !== endpoint) continue;
    for (const shown of positions) {
      const { row } = shown;
      if (!Number.isFinite(row[field])) continue;
      const key = `${positionKey(row)} ${row.nominalSize} ${row.entryPrice}`;
      const { reads } = getOrInsert(byPosition, key, () => ({ position: row, reads: [] }));
      reads.push({ from, to, answer, path: rowPath(shown, field), value: row[field] });
    }
  }
  const impliedByKind = new Map<string, readonly ImpliedValues[]>();
  return [...byPosition.values()].map(({ position, reads }) => {
    const kind = `${position.marketId} ${field === "markPrice" ? "" : position.nominalSize}`;
    const implied = getOrInsert(impliedByKind, kind, () => impliedFor(position));
    return { endpoint, field, reads, implied: () => implied, ...(field === "markPrice" && { isExact: true }) };
  });
}

/**
 * What holdings are worth at the mark prices of an operation. Answers that lack a price for one of the markets are skipped.
 */
function impliedBy(
  operation: PositionEndpoint,
  sightings: readonly PositionSighting[],
  { isOpen }: PositionSightings,
  holdings: readonly Holding[],
): ImpliedValues {
  const finest = new Map<string, number>();
  const marketIds = new Set(holdings.map(({ marketId }) => marketId));
  const values = sightings.flatMap(({ from, to, positions }): TimedValue[] => {
    const marks = new Map<string, number>();
    for (const { row } of positions)
      if (marketIds.has(row.marketId) && !marks.has(row.marketId) && isOpen(row))
        marks.set(row.marketId, row.markPrice);
    let value = 0;
    for (const { marketId, units } of holdings) {
      const mark = marks.get(marketId) ?? Number.NaN;
      value += units * mark;
      finest.set(marketId, Math.min(finest.get(marketId) ?? Number.POSITIVE_INFINITY, lastPlace(mark)));
    }
    return Number.isFinite(value) ? [{ from, to, value }] : [];
  });
  // Rounding errors are independent of each other.
  const unit = Math.hypot(...holdings.map(({ marketId, units }) => units * (finest.get(marketId) ?? 0)));
  return { by: operation, values, unit };
}

function byEndpoint(
  all: readonly PositionSighting[],
): readonly (readonly [PositionEndpoint, readonly PositionSighting[]])[] {
  return [...groupBy(all, ({ endpoint }) => endpoint)];
}
