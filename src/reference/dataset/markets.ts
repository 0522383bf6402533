import { hash, Random } from "../random.js";
import type { DepthOrder, Market } from "./model.js";

/** A market with its first on-chain order id. Opening and reduce-only orders count separately from it. */
export interface ListedMarket {
  readonly market: Market;
  readonly firstOrderId: bigint;
}

interface MarketFacts {
  readonly id: bigint;
  readonly name: string;
  readonly symbols: readonly [asset: string, quote: string];
  readonly tickDecimals: number;
  readonly sizeDecimals: number;
  readonly price: number;
  readonly maxLeverage: number;
  readonly firstOrderId: bigint;
  readonly revenue?: readonly [long: number, short: number];
  readonly listed?: false;
}

// Some ids exceed 2^53, where neighbours share one double (W4). Two markets start their order ids at the same number, so
// that position ids repeat across markets (R14). GOLD is named by its asset alone (S8), EUR/USD has no revenue data yet, and
// the last market's metadata is gone (R7).
const facts: readonly MarketFacts[] = [
  {
    id: 1n,
    name: "BTC/USD",
    symbols: ["BTC", "USD"],
    tickDecimals: 1,
    sizeDecimals: 4,
    price: 97_123.4,
    maxLeverage: 50,
    firstOrderId: 9_007_199_254_740_993n,
    revenue: [812.25, 640.5],
  },
  {
    id: 2n,
    name: "ETH-USD",
    symbols: ["ETH", "USD"],
    tickDecimals: 2,
    sizeDecimals: 3,
    price: 3_456.78,
    maxLeverage: 50,
    firstOrderId: 1_000_001n,
    revenue: [41.75, 38.125],
  },
  {
    id: 9_007_199_254_740_993n,
    name: "SOL/USDC",
    symbols: ["SOL", "USDC"],
    tickDecimals: 3,
    sizeDecimals: 2,
    price: 187.432,
    maxLeverage: 25,
    firstOrderId: 1_000_001n,
    revenue: [2.5, 3.25],
  },
  {
    id: 9_007_199_254_740_995n,
    name: "DOGE/USD",
    symbols: ["DOGE", "USD"],
    tickDecimals: 5,
    sizeDecimals: 0,
    price: 0.38211,
    maxLeverage: 20,
    firstOrderId: 9_223_372_036_850_000_001n,
    revenue: [0.0125, 0.00975],
  },
  {
    id: 7n,
    name: "GOLD",
    symbols: ["GOLD", ""],
    tickDecimals: 2,
    sizeDecimals: 2,
    price: 2_651.35,
    maxLeverage: 20,
    firstOrderId: 9_007_199_254_740_985n,
    revenue: [12.5, 14.75],
  },
  {
    id: 18_014_398_509_481_985n,
    name: "NIKKEI/JPY",
    symbols: ["NIKKEI", "JPY"],
    tickDecimals: 0,
    sizeDecimals: 1,
    price: 38_512,
    maxLeverage: 10,
    firstOrderId: 1n,
    revenue: [210, 190],
  },
  {
    id: 12n,
    name: "EUR/USD",
    symbols: ["EUR", "USD"],
    tickDecimals: 5,
    sizeDecimals: 0,
    price: 1.08345,
    maxLeverage: 50,
    firstOrderId: 4_611_686_018_427_387_905n,
  },
  {
    id: 44n,
    name: "PEPE/USD",
    symbols: ["PEPE", "USD"],
    tickDecimals: 8,
    sizeDecimals: 0,
    price: 0.00012345,
    maxLeverage: 10,
    firstOrderId: 9_007_199_254_740_993n,
    revenue: [0.0000031, 0.0000027],
  },
  {
    id: 9_007_199_254_740_997n,
    name: "LUNA/USD",
    symbols: ["LUNA", "USD"],
    tickDecimals: 4,
    sizeDecimals: 1,
    price: 0.4711,
    maxLeverage: 5,
    firstOrderId: 501n,
    listed: false,
  },
];

/** Creates the platform's markets. They are the same for every seed except for their depth. */
export function createMarkets(seed: number): readonly ListedMarket[] {
  return facts.map((fact) => {
    const [longRevenue, shortRevenue] = fact.revenue ?? [0, 0];
    return {
      firstOrderId: fact.firstOrderId,
      market: {
        id: fact.id,
        name: fact.name,
        assetSymbol: fact.symbols[0],
        quoteSymbol: fact.symbols[1],
        listed: fact.listed ?? true,
        tickDecimals: fact.tickDecimals,
        sizeDecimals: fact.sizeDecimals,
        maxLeverage: fact.maxLeverage,
        maxTradeSize: 10 ** Math.max(2, Math.ceil(Math.log10(5_000_000 / fact.price))),
        creator: addressOf("creator", hash(fact.name)),
        maintenanceMarginRate: 0.4 / fact.maxLeverage / 2,
        tradeFeePct: 0.05,
        longRevenue,
        shortRevenue,
        markPrice: fact.price,
        basePrice: fact.price,
        depth: createDepth(fact, new Random(seed, `depth ${fact.name}`)),
      },
    };
  });
}

/** A lower-case EVM address, determined by label and number. */
export function addressOf(label: string, number: number): string {
  let digits = "";
  for (let i = 0; digits.length < 40; i++) digits += hash(label, number, i).toString(16).padStart(8, "0");
  return `0x${digits.slice(0, 40)}`;
}

/**
 * Creates 150 to 200 orders per side. They are dense near the mid price, so that several share a price or a bucket, and
 * sparse away from it, so that far more than 50 levels remain without bucketing.
 */
function createDepth(fact: MarketFacts, random: Random): DepthOrder[] {
  const mid = Math.round(fact.price * 10 ** fact.tickDecimals);
  const spread = Math.min(1_500, Math.floor(mid / 8));
  const lots = Math.max(1, Math.round((20_000 / fact.price) * 10 ** fact.sizeDecimals));
  const sideOf = (side: DepthOrder["side"]): DepthOrder[] =>
    Array.from({ length: random.integer(150, 200) }, () => ({
      side,
      ticks: mid + (side === "bid" ? -1 : 1) * (1 + Math.floor(random.next() ** 2 * spread)),
      size: random.integer(1, lots) / 10 ** fact.sizeDecimals,
    })).sort((a, b) => (side === "bid" ? b.ticks - a.ticks : a.ticks - b.ticks));
  return bestFirst(sideOf("bid"), sideOf("ask"));
}

/** Interleaves both sides: best bid, best ask, second-best bid, and so on. */
function bestFirst(bids: readonly DepthOrder[], asks: readonly DepthOrder[]): DepthOrder[] {
  const sequence: DepthOrder[] = [];
  for (let rank = 0; rank < Math.max(bids.length, asks.length); rank++) {
    for (const order of [bids[rank], asks[rank]]) if (order !== undefined) sequence.push(order);
  }
  return sequence;
}
