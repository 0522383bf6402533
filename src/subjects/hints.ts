import type { Endpoint } from "../specification/endpoints.js";
import {
  anyMarket,
  closedPositions,
  marketNamedByAsset,
  marketsWithBook,
  marketsWithCandles,
  marketsWithSymbols,
  openPositions,
  openPositionsByTrigger,
  walletInTwoMarkets,
  walletWithFewOrders,
  walletWithManyOrders,
  walletWithMostOrders,
  walletWithOnlyClosedPositions,
  walletWithOpenOrders,
  walletWithOpenPositions,
  walletWithoutOpenPositions,
  walletWithReduceOnlyOrders,
} from "./select.js";
import type { BrokenOperation, Subjects } from "./subjects.js";

/** What checks may need: how to tell that it is there, and what would provide it if not. */
const needs = {
  market: {
    from: ["GetAllOrders", "GetAllPositions", "GetMarketConfigs"],
    find: anyMarket,
    hint: "a market: an order or a position that names one, or a marketId under subjects.markets in the configuration",
  },
  marketWithSymbols: {
    from: ["GetMarketConfigs", "GetMarketIdByName"],
    find: (found) => marketsWithSymbols(found)[0],
    hint: "a market whose asset and quote symbols are known: GetMarketIdByName confirmed no way to split a market name, so they are to be given under subjects.markets in the configuration",
  },
  marketNamedByAsset: {
    from: ["GetMarketConfigs", "GetMarketIdByName"],
    find: marketNamedByAsset,
    hint: "a market that is named by its asset symbol alone, or its assetSymbol without a quoteSymbol under subjects.markets in the configuration",
  },
  marketWithBook: {
    from: ["GetOrderBook"],
    find: (found) => marketsWithBook(found)[0],
    hint: "a market with orders in its book",
  },
  marketWithCandles: {
    from: ["GetHistoricalPrices"],
    find: (found) => marketsWithCandles(found)[0],
    hint: "a market with prices in the week before the latest activity",
  },
  orphanMarket: {
    from: ["GetAllOrders", "GetMarketConfigs"],
    find: ({ orphanMarkets }) => orphanMarkets[0],
    hint: "an order of a market that GetMarketConfigs answers not_found for",
  },
  walletWithOrders: {
    from: ["GetAllOrders"],
    find: walletWithMostOrders,
    hint: "a wallet with orders",
  },
  walletWithManyOrders: {
    from: ["GetAllOrders"],
    find: walletWithManyOrders,
    hint: "a wallet with more than 1,000 orders",
  },
  walletWithFewOrders: {
    from: ["GetAllOrders"],
    find: walletWithFewOrders,
    hint: "a wallet with 2 to 40 orders",
  },
  walletInTwoMarkets: {
    from: ["GetAllOrders"],
    find: walletInTwoMarkets,
    hint: "a wallet with orders in two markets",
  },
  walletWithOpenOrders: {
    from: ["GetAllOrders", "GetPortfolio"],
    find: walletWithOpenOrders,
    hint: "a wallet with an open order",
  },
  walletWithReduceOnlyOrders: {
    from: ["GetAllOrders"],
    find: walletWithReduceOnlyOrders,
    hint: "a wallet with a reduce-only order",
  },
  walletWithOpenPositions: {
    from: ["GetAllPositions", "GetPortfolio"],
    find: walletWithOpenPositions,
    hint: "a wallet with an open position",
  },
  walletWithoutOpenPositions: {
    from: ["GetPortfolio"],
    find: walletWithoutOpenPositions,
    hint: "a wallet whose portfolio lists no open position",
  },
  walletWithOnlyClosedPositions: {
    from: ["GetAllPositions", "GetPortfolio"],
    find: walletWithOnlyClosedPositions,
    hint: "a wallet that has had positions, all of them closed",
  },
  openPosition: {
    from: ["GetAllPositions", "GetPortfolio"],
    find: (found) => openPositions(found)[0],
    hint: "an open position",
  },
  closedPosition: {
    from: ["GetAllPositions", "GetPortfolio"],
    find: (found) => closedPositions(found)[0],
    hint: "a closed position: one that GetAllPositions lists and its owner's GetPortfolio does not",
  },
  positionWithStopLoss: {
    from: ["GetAllPositions", "GetPortfolio"],
    find: (found) => openPositionsByTrigger(found).stopLoss[0],
    hint: "an open position with an active stop-loss order",
  },
  positionWithTakeProfit: {
    from: ["GetAllPositions", "GetPortfolio"],
    find: (found) => openPositionsByTrigger(found).takeProfit[0],
    hint: "an open position with an active take-profit order",
  },
} as const satisfies Record<string, Need>;

interface Need {
  /** The operations that show it; their problems explain its absence. */
  readonly from: readonly Endpoint[];
  readonly find: (found: Subjects) => unknown;
  /** What would have to exist. */
  readonly hint: string;
}

/** The name of something that a check may need. */
export type NeedName = keyof typeof needs;

/** What meets a need. */
export type Needed<Name extends NeedName> = NonNullable<ReturnType<(typeof needs)[Name]["find"]>>;

/** The first subject that meets a need. */
export function findNeeded<Name extends NeedName>(subjects: Subjects, name: Name): Needed<Name> | undefined {
  return needs[name].find(subjects) as Needed<Name> | undefined;
}

/** A hint for everything that was not found: what would provide it, and what kept discovery from seeing it. */
export function hintsFor(subjects: Subjects): Partial<Record<NeedName, string>> {
  const absent = (Object.entries(needs) as [NeedName, Need][]).filter(([, { find }]) => find(subjects) === undefined);
  return Object.fromEntries(
    absent.map(([name, { from, hint }]) => {
      const problem = subjects.problems.find(({ endpoint }) => from.includes(endpoint));
      return [name, problem ? `${hint} (${problem.endpoint} answered ${problem.what})` : hint];
    }),
  );
}

/** Why a subject is missing. */
export interface MissingData {
  /** For instance `needs a closed position: …`. */
  readonly reason: string;
  /** The operation that would show it, if that operation does not work. */
  readonly blockedBy?: BrokenOperation;
}

/** Why something is missing: a need, by its name, or anything else, in words. */
export function missingData(subjects: Subjects, missing: string): MissingData {
  if (!Object.hasOwn(needs, missing)) return { reason: missing };
  const { from, hint } = needs[missing as NeedName];
  const data = missingFrom(subjects, `needs ${subjects.hints[missing] ?? hint}`, from);
  // If an operation is broken, the reason is reported with that operation, not here.
  return data.blockedBy ? { ...data, reason: `needs ${hint}` } : data;
}

/** Why something is missing that the operations in `from` would show. */
export function missingFrom(
  { broken }: Pick<Subjects, "broken">,
  reason: string,
  from: readonly Endpoint[],
): MissingData {
  const blockedBy = broken.find(({ operation }) => from.includes(operation));
  return { reason, ...(blockedBy && { blockedBy }) };
}

/** The data that an operation needs to give meaningful answers. */
export const needed = {
  GetAllPositions: "openPosition",
  GetOpenPositionsStreaming: "walletWithOpenPositions",
  GetAllOrders: "walletWithOrders",
  GetOrders: "walletWithOrders",
  GetPortfolio: "walletWithOpenPositions",
  GetOrderBook: "marketWithBook",
  GetHistoricalPrices: "marketWithCandles",
  GetMarketConfigs: "market",
  GetMarketIdByName: "marketWithSymbols",
} as const satisfies Record<Endpoint, NeedName>;
