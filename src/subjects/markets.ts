import { shuffled } from "../arbitraries/seed.js";
import type { ConfiguredMarket } from "../connect/target.js";
import { type MarketConfigView, marketConfigOf, marketIdOf, orderBookOf } from "../judge/read.js";
import { readId } from "../judge/read-values.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { findCandles } from "./candles.js";
import type { DiscoveryClient } from "./discovery-client.js";
import { countIn, type ListingPages } from "./listing-pages.js";
import { byId } from "./requests.js";
import type { MarketSubject, MarketSymbols, OrphanMarket, Subjects } from "./subjects.js";

/** Most markets that checks may use, and how many of them are those seen most often; the others vary with the seed. */
const examinedMarkets = 16;
const commonMarkets = 10;

/** Further markets to look up in GetMarketConfigs, since any of them may lack a configuration. */
const furtherMarkets = 50;

/** Most orphan markets to keep. */
const keptOrphans = 10;

/** Most ways to split one name to try. */
const triedSplits = 3;

interface MarketTrace {
  readonly marketId: string;
  /** The market's name on its orders and positions. */
  label: string;
  /** The first exchange that showed it. */
  exchange?: string;
  readonly known?: ConfiguredMarket;
  rows: number;
}

/** Looks up the markets that the pages showed, and the configured ones. */
export async function discoverMarkets(
  client: DiscoveryClient,
  pages: ListingPages,
  configured: readonly ConfiguredMarket[],
  anchor: string | undefined,
  seed: number,
): Promise<Pick<Subjects, "markets" | "orphanMarkets" | "otherMarkets">> {
  const all = tracesOf(pages, configured);
  const traces = choose(all, seed);
  const read = await Promise.all(traces.map((trace) => readConfig(client, trace)));
  // An absent operation knows no market, which says nothing about the markets.
  const works = read.every(({ unknown }) => !unknown) || (await knowsMarkets(client, read));
  const configs = works ? read : traces.map((trace): ReadConfig => ({ trace }));
  const present = configs.filter(({ unknown }) => !unknown);
  const marketIds = present.map(({ trace }) => trace.marketId);
  const others = all.filter((trace) => !traces.includes(trace)).sort(byRows);
  const [further, books, symbols, candles] = await Promise.all([
    Promise.all(others.slice(0, furtherMarkets).map((trace) => readConfig(client, trace))),
    Promise.all(marketIds.map((marketId) => readBook(client, marketId))),
    Promise.all(present.map(({ trace, config }) => findSymbols(client, trace, config))),
    findCandles(client, marketIds, anchor),
  ]);
  const markets = present.map(({ trace, config, exchange }, index): MarketSubject => {
    const provenance = trace.exchange ?? exchange;
    const bookOrders = books[index];
    return {
      marketId: trace.marketId,
      ...(provenance !== undefined && { provenance }),
      ...(config && namesNoOther(config, trace.marketId) && { name: config.marketName, ...decimalsIn(config) }),
      ...symbols[index],
      ...(bookOrders !== undefined && { bookOrders }),
      ...candles[index],
      rowsSeen: trace.rows,
    };
  });
  return {
    markets,
    orphanMarkets: [...configs, ...further].flatMap(({ orphan }) => (orphan ? [orphan] : [])).slice(0, keptOrphans),
    otherMarkets: further.flatMap(({ trace, config }) => (config ? [trace.marketId] : [])),
  };
}

function byRows(a: MarketTrace, b: MarketTrace): number {
  return b.rows - a.rows;
}

function tracesOf(pages: ListingPages, configured: readonly ConfiguredMarket[]): readonly MarketTrace[] {
  const traces = new Map<string, MarketTrace>();
  for (const known of configured) {
    const marketId = readId(known.marketId);
    traces.set(marketId, { marketId, label: "", known, rows: 0 });
  }
  for (const { row, exchange } of [...pages.orders, ...pages.positions]) {
    if (!/^[1-9]\d*$/.test(row.marketId)) continue;
    const { marketId } = row;
    const trace: MarketTrace = getOrInsert(traces, marketId, () => ({ marketId, label: "", rows: 0 }));
    trace.rows++;
    trace.exchange ??= exchange;
    trace.label ||= row.market;
  }
  return [...traces.values()];
}

/**
 * Chooses configured markets, then one whose label says that its metadata is gone (R7) and one named by its asset alone
 * (S8), then those seen most often, then others at random.
 */
function choose(traces: readonly MarketTrace[], seed: number): readonly MarketTrace[] {
  const sorted = [...traces].sort(byRows);
  const chosen = new Set(sorted.filter(({ known }) => known));
  const add = (trace: MarketTrace | undefined) => trace && chosen.add(trace);
  add(sorted.find(({ label, marketId }) => label === `MARKET-${marketId}`));
  add(sorted.find(({ label }) => label !== "" && splits(label).length === 0));
  for (const trace of sorted) if (chosen.size < commonMarkets) add(trace);
  for (const trace of shuffled(sorted, seed)) if (chosen.size < examinedMarkets) add(trace);
  return sorted.filter((trace) => chosen.has(trace)).slice(0, examinedMarkets);
}

interface ReadConfig {
  readonly trace: MarketTrace;
  readonly config?: MarketConfigView;
  readonly exchange?: string;
  /** Whether GetMarketConfigs answered `not_found` for the market. */
  readonly unknown?: boolean;
  readonly orphan?: OrphanMarket;
}

/**
 * Reads the configuration of a market. A market that only the harness configuration names must exist, so `not_found` for it
 * is reported as a problem.
 */
async function readConfig(client: DiscoveryClient, trace: MarketTrace): Promise<ReadConfig> {
  const listed = trace.rows > 0;
  const { found, reply } = await client.ask("GetMarketConfigs", byId(trace), listed ? ["not_found"] : []);
  const config = found && marketConfigOf(found.body);
  if (found && config) return { trace, config, exchange: found.exchange };
  if (reply?.outcome.kind !== "error" || reply.outcome.code !== "not_found") return { trace };
  if (trace.exchange === undefined) return { trace, unknown: true };
  const orphan = { marketId: trace.marketId, provenance: trace.exchange, denial: reply.exchangeId };
  return { trace, unknown: true, orphan };
}

/** Whether GetMarketConfigs works: it returned a configuration, or it tells an invalid id from an unknown one (§7). */
async function knowsMarkets(client: DiscoveryClient, read: readonly ReadConfig[]): Promise<boolean> {
  if (read.some(({ config }) => config !== undefined)) return true;
  const { outcome } = await client.probe("GetMarketConfigs", byId({ marketId: "0" }));
  return outcome.kind === "error" && outcome.code === "invalid_argument";
}

async function readBook(client: DiscoveryClient, marketId: string): Promise<number | undefined> {
  const { found } = await client.ask("GetOrderBook", { ...byId({ marketId }), limit: 1 }, ["not_found"]);
  return countIn(found && orderBookOf(found.body)?.totalOrderCount);
}

/** Symbols from the configuration, or a split of the market's name that GetMarketIdByName confirms (S8). */
async function findSymbols(
  client: DiscoveryClient,
  trace: MarketTrace,
  config: MarketConfigView | undefined,
): Promise<Pick<MarketSubject, "symbols" | "symbolsFrom">> {
  const { known } = trace;
  if (known?.assetSymbol !== undefined) {
    const quote = known.quoteSymbol === undefined ? {} : { quoteSymbol: known.quoteSymbol };
    return { symbols: { assetSymbol: known.assetSymbol, ...quote }, symbolsFrom: "configuration" };
  }
  const fallback = trace.label === `MARKET-${trace.marketId}` ? "" : trace.label;
  const name = config?.marketName || fallback;
  if (name.trim() === "") return {};
  for (const symbols of [...splits(name).slice(0, triedSplits), { assetSymbol: name }, ...firstTwoParts(name)]) {
    const { found } = await client.ask("GetMarketIdByName", { ...symbols }, ["not_found", "invalid_argument"]);
    if (found && marketIdOf(found.body) === trace.marketId) return { symbols, symbolsFrom: "listing" };
  }
  return {};
}

/** Separators between symbols: anything but letters and digits. */
const separators = /[^\p{L}\p{N}]+/gu;

/** The first two parts of a longer name: the rest may be the kind of market, as in `BTC-USD-PERP`. */
function firstTwoParts(name: string): readonly Required<MarketSymbols>[] {
  const [assetSymbol = "", quoteSymbol = "", ...others] = name.trim().split(separators);
  return assetSymbol === "" || quoteSymbol === "" || others.length === 0 ? [] : [{ assetSymbol, quoteSymbol }];
}

/** All ways to split a name into asset and quote, at any separator; empty for a name without one. */
export function splits(name: string): readonly Required<MarketSymbols>[] {
  return [...name.matchAll(separators)].flatMap(({ 0: separator, index }) => {
    const assetSymbol = name.slice(0, index).trim();
    const quoteSymbol = name.slice(index + separator.length).trim();
    return assetSymbol === "" || quoteSymbol === "" ? [] : [{ assetSymbol, quoteSymbol }];
  });
}

/** Whether a configuration is not that of another market, whose name and decimals say nothing about this one. */
function namesNoOther(config: MarketConfigView, marketId: string): boolean {
  return config.marketId === marketId || config.marketId === "0";
}

/** Upper bound on decimals, in either direction: more than a double can represent. */
const mostDecimals = 400;

/** The price precision of a market, if it is a usable one. */
function decimalsIn({ tickDecimals }: MarketConfigView): Pick<MarketSubject, "tickDecimals"> {
  return Number.isInteger(tickDecimals) && Math.abs(tickDecimals) < mostDecimals ? { tickDecimals } : {};
}
