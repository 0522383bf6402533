/** Compares what positions and orders say of their market with the market's configuration (R4, R6, R7, R16). */
import { getOrInsert } from "../specification/get-or-insert.js";
import { closedMarkPriceTolerance } from "../specification/limits.js";
import { computed, type Judgement, judgeEach, show, type Violation, withSearchedPlaces } from "./judgement.js";
import { type LocatedRow, type OrderRows, type PositionRows, rowPath, wrongField } from "./located-rows.js";
import type { MarketConfigView } from "./read.js";
import { positionKey } from "./read-stored.js";
import { halfUnit, nearlyEqual } from "./tolerance.js";

/**
 * Markets by id: the configuration, or only whether GetMarketConfigs knows the market. Markets for which neither is
 * certain are left out.
 */
export type Markets = ReadonlyMap<string, MarketConfigView | "known" | "unknown">;

interface MarketRow {
  readonly marketId: string;
  readonly market: string;
  readonly tickDecimals: number;
}

type MarketRows = readonly LocatedRow<MarketRow>[];

/** The rows whose market has a known configuration, each with it. */
function configured<Row extends { readonly marketId: string }>(
  rows: readonly LocatedRow<Row>[],
  markets: Markets,
): readonly { readonly shown: LocatedRow<Row>; readonly config: MarketConfigView }[] {
  return rows.flatMap((shown) => {
    const config = markets.get(shown.row.marketId);
    return typeof config === "object" ? [{ shown, config }] : [];
  });
}

/**
 * Completes a judgement on rows of markets that GetMarketConfigs does not know. If it is certain for every row whether
 * its market is known, all rows count as searched; otherwise `missing` names some of the uncertain markets.
 */
function withSearchedMarkets(
  rows: readonly LocatedRow<{ readonly marketId: string }>[],
  markets: Markets,
  found: Judgement,
) {
  const uncertain = new Set(rows.map(({ row }) => row.marketId).filter((marketId) => !markets.has(marketId)));
  if (uncertain.size === 0) return withSearchedPlaces(rows, found);
  const examples = [...uncertain].slice(0, 3).join(", ");
  return { ...found, missing: `${found.missing} (whether it knows market ${examples} was not seen)` };
}

const needsConfigured = "a row of a market whose configuration can be read";
const needsUnknown = (noun: string) => `a ${noun} of a market that GetMarketConfigs answers not_found for`;

/** The violation that a row carries the wrong name of its market. */
function wrongName(shown: LocatedRow<MarketRow>, expected: string): Violation {
  return { path: rowPath(shown, "market"), expected, seen: show(shown.row.market) };
}

/** `market` is the name that the market's configuration gives it (§2 Position, R7). */
export function marketNames(rows: MarketRows, markets: Markets): Judgement {
  return judgeEach(
    configured(rows, markets).filter(({ config }) => config.marketName !== ""),
    ({ shown, config }) =>
      shown.row.market === config.marketName
        ? undefined
        : wrongName(shown, `${show(config.marketName)} (marketName of market ${config.marketId})`),
    needsConfigured,
  );
}

/**
 * No row carries a name that leads to another market than its own (S9).
 *
 * @param marketIds the markets that names lead to
 */
export function namesOfOwnMarkets(rows: MarketRows, marketIds: ReadonlyMap<string, string>): Judgement {
  return judgeEach(
    rows.filter(({ row }) => marketIds.has(row.market)),
    (shown) => {
      const { market, marketId } = shown.row;
      const namedId = marketIds.get(market);
      const expected = `a name of market ${marketId}`;
      const seen = `${show(market)}, which leads to market ${namedId}`;
      return namedId === marketId ? undefined : { path: rowPath(shown, "market"), expected, seen };
    },
    "a row with the name of a market whose symbols are known",
  );
}

/** `market` of an order is the configured name (R7); a placeholder or an empty name is judged by {@link noPlaceholders}. */
export function orderMarketNames(orders: OrderRows, markets: Markets): Judgement {
  return marketNames(
    orders.filter(({ row }) => !isPlaceholder(row.market) && !isBlank(row.market)),
    markets,
  );
}

/** `tickDecimals` equals that of the market's configuration (R16). */
export function tickDecimals(rows: MarketRows, markets: Markets): Judgement {
  return judgeEach(
    configured(rows, markets).filter(
      ({ shown, config }) => Number.isFinite(shown.row.tickDecimals) && Number.isFinite(config.tickDecimals),
    ),
    ({ shown, config }) =>
      shown.row.tickDecimals === config.tickDecimals
        ? undefined
        : wrongField(shown, "tickDecimals", `${config.tickDecimals} (configuration of market ${config.marketId})`),
    needsConfigured,
  );
}

/** The orders of orphan markets: those that GetMarketConfigs answers `not_found` for. */
function inOrphanMarkets(orders: OrderRows, markets: Markets): OrderRows {
  return orders.filter(({ row }) => markets.get(row.marketId) === "unknown");
}

/**
 * If a market's metadata is unavailable, `market` of its orders is `MARKET-<marketId>`, or one stored name that all of
 * them share. It is never empty and never the placeholder of another market (R7).
 */
export function placeholders(orders: OrderRows, markets: Markets): Judgement {
  const inOrphans = inOrphanMarkets(orders, markets);
  const stored = new Map<string, Set<string>>();
  for (const { row } of inOrphans) {
    if (isPlaceholder(row.market) || isBlank(row.market)) continue;
    getOrInsert(stored, row.marketId, () => new Set()).add(row.market);
  }
  const found = judgeEach(
    inOrphans,
    (shown) => {
      const { market, marketId } = shown.row;
      const names = stored.get(marketId) ?? new Set();
      if (market === `MARKET-${marketId}` || (names.size === 1 && names.has(market))) return undefined;
      const reason = "GetMarketConfigs does not know the market";
      return wrongName(shown, `MARKET-${marketId} (${reason}), or one name on all of its orders`);
    },
    needsUnknown("row"),
  );
  return withSearchedMarkets(orders, markets, found);
}

/** A name of the form `MARKET-<id>` has the id of the order's own market, whether or not its metadata is available (R7). */
export function placeholdersOfOwnMarkets(orders: OrderRows): Judgement {
  return judgeEach(
    orders.filter(({ row }) => isPlaceholder(row.market)),
    (shown) => {
      const own = `MARKET-${shown.row.marketId}`;
      return shown.row.market === own ? undefined : wrongName(shown, `${own} or the name of its market`);
    },
    "an order that carries MARKET-<id>",
  );
}

/** If a market's metadata is unavailable, `market` of its orders is `MARKET-<marketId>`, not a stored name (R7). */
export function noStoredNames(orders: OrderRows, markets: Markets): Judgement {
  const found = judgeEach(
    inOrphanMarkets(orders, markets).filter(({ row }) => !isBlank(row.market)),
    (shown) =>
      isPlaceholder(shown.row.market)
        ? undefined
        : wrongName(shown, `MARKET-${shown.row.marketId} (GetMarketConfigs does not know the market)`),
    needsUnknown("row"),
  );
  return withSearchedMarkets(orders, markets, found);
}

/**
 * `market` of an order is a name while the market's metadata is available (R7): neither empty nor a placeholder, unless that
 * is the market's name.
 */
export function noPlaceholders(orders: OrderRows, markets: Markets): Judgement {
  return judgeEach(
    configured(orders, markets),
    ({ shown, config }) => {
      const { market } = shown.row;
      if ((!isPlaceholder(market) && !isBlank(market)) || market === config.marketName) return undefined;
      const name = show(config.marketName);
      return wrongName(shown, `a name, such as ${name} (GetMarketConfigs knows market ${config.marketId})`);
    },
    needsConfigured,
  );
}

/** Whether the name of a market is the one that orders carry while its metadata is unavailable (R7). */
export function isPlaceholder(market: string): boolean {
  return /^MARKET-\d+$/.test(market);
}

function isBlank(market: string): boolean {
  return market.trim() === "";
}

/** Values that are always allowed for `estimatedRebate`: 0 without revenue data, -1 if the market cannot be loaded (R4). */
function isPlaceholderRebate(estimatedRebate: number): boolean {
  return estimatedRebate === 0 || estimatedRebate === -1;
}

/** `estimatedRebate` is the revenue per unit of the position's side minus `revenueSpent`, unless 0 or -1 (R4). */
export function estimatedRebates(positions: PositionRows, markets: Markets): Judgement {
  const judged = configured(positions, markets).flatMap(({ shown, config }) => {
    const { side, revenueSpent, estimatedRebate } = shown.row;
    const revenue =
      side === "SIDE_LONG" ? config.longRevenue : side === "SIDE_SHORT" ? config.shortRevenue : Number.NaN;
    const readable = Number.isFinite(revenue) && Number.isFinite(revenueSpent) && Number.isFinite(estimatedRebate);
    return readable && !isPlaceholderRebate(estimatedRebate) ? [{ shown, revenue }] : [];
  });
  const rounding = [
    halfUnit(positions.map(({ row }) => row.estimatedRebate)),
    halfUnit(positions.map(({ row }) => row.revenueSpent)),
    halfUnit(judged.map(({ revenue }) => revenue)),
  ];
  const found = judgeEach(
    judged,
    ({ shown, revenue }) => {
      const { side, revenueSpent, estimatedRebate } = shown.row;
      const expected = revenue - revenueSpent;
      if (nearlyEqual(estimatedRebate, expected, { magnitude: revenue, rounding })) return undefined;
      const field = side === "SIDE_LONG" ? "longRevenue" : "shortRevenue";
      const difference = `${computed(expected)} (${field} ${revenue} of GetMarketConfigs - revenueSpent ${revenueSpent}; side ${side})`;
      return wrongField(shown, "estimatedRebate", difference);
    },
    "a position with a rebate other than 0 and -1, of a market whose configuration can be read",
  );
  const onlyPlaceholders = positions.every(({ row }) => isPlaceholderRebate(row.estimatedRebate));
  return onlyPlaceholders ? withSearchedPlaces(positions, found) : found;
}

/** The revenues per unit that rebates imply, as comparable text. It changes only if the markets' revenues do. */
export function impliedRevenues(positions: PositionRows): string {
  const revenues = positions
    .filter(({ row }) => !isPlaceholderRebate(row.estimatedRebate))
    .map(({ row }) => `${row.marketId} ${row.side} ${(row.estimatedRebate + row.revenueSpent).toPrecision(7)}`);
  return [...new Set(revenues)].sort().join("\n");
}

/** `estimatedRebate` is -1, or 0, when GetMarketConfigs does not know the market (R4). */
export function rebatesWithoutMarket(positions: PositionRows, markets: Markets): Judgement {
  const found = judgeEach(
    positions.filter(({ row }) => markets.get(row.marketId) === "unknown" && Number.isFinite(row.estimatedRebate)),
    (shown) =>
      isPlaceholderRebate(shown.row.estimatedRebate)
        ? undefined
        : wrongField(shown, "estimatedRebate", "-1, or 0 (GetMarketConfigs does not know the market)"),
    needsUnknown("position"),
  );
  return withSearchedMarkets(positions, markets, found);
}

/** Identities of the positions of an answer that are certainly open, and of those that are certainly closed (R10). */
export interface Openness {
  readonly open: ReadonlySet<string>;
  readonly closed: ReadonlySet<string>;
}

/** A closed position's `markPrice` is within 1 % of that of the open positions of its market in the same answer (R6). */
export function closedMarkPrices(positions: PositionRows, { open, closed }: Openness): Judgement {
  const live = new Map<string, { lowest: number; highest: number }>();
  for (const { row } of positions) {
    if (!open.has(positionKey(row)) || !Number.isFinite(row.markPrice)) continue;
    const { lowest, highest } = live.get(row.marketId) ?? { lowest: row.markPrice, highest: row.markPrice };
    live.set(row.marketId, { lowest: Math.min(lowest, row.markPrice), highest: Math.max(highest, row.markPrice) });
  }
  return judgeEach(
    positions.filter(
      ({ row }) => closed.has(positionKey(row)) && live.has(row.marketId) && Number.isFinite(row.markPrice),
    ),
    (shown) => {
      const { marketId, markPrice } = shown.row;
      const { lowest = markPrice, highest = markPrice } = live.get(marketId) ?? {};
      const margin = closedMarkPriceTolerance;
      if (markPrice >= lowest * (1 - margin) && markPrice <= highest * (1 + margin)) return undefined;
      const seenOpen = lowest === highest ? String(lowest) : `${lowest} to ${highest}`;
      const expected = `within 1 % of ${seenOpen} (markPrice of the open positions of market ${marketId})`;
      return wrongField(shown, "markPrice", expected);
    },
    "a closed position and an open one of the same market in one answer",
  );
}
