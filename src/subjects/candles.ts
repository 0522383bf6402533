/** Where candles are found: how many a market has, and when it last traded (§4.7). */
import {
  compareInstants,
  formatInstant,
  type Instant,
  instantFromMillis,
  parseInstant,
  plusSeconds,
} from "../judge/instant.js";
import { type CandlestickView, candlesOf } from "../judge/read.js";
import type { CandleInterval } from "../specification/enums.js";
import { candleIntervalSeconds, daySeconds } from "../specification/limits.js";
import type { DiscoveryClient } from "./discovery-client.js";
import { byId } from "./requests.js";
import type { MarketSubject } from "./subjects.js";

/** How many markets are asked for candles at first; the others are asked only if these have none. */
const probedAtFirst = 3;

/** Where candles of seconds and minutes are looked for, in seconds before now, if there are none around an older trade. */
const lately = { "1S": 600, "1": 7_200 } as const;

/** What discovery knows of the candles of a market. */
export type KnownCandles = Pick<MarketSubject, "candles" | "latestTrades">;

/** Looks for candles of the first markets, and of the others if these have none; in the order of `marketIds`. */
export async function findCandles(
  client: DiscoveryClient,
  marketIds: readonly string[],
  anchor: string | undefined,
): Promise<readonly KnownCandles[]> {
  const end = (anchor === undefined ? undefined : parseInstant(anchor)) ?? instantFromMillis(Date.now());
  const probe = (ids: readonly string[]) => Promise.all(ids.map((marketId) => probeMarket(client, marketId, end)));
  const first = await probe(marketIds.slice(0, probedAtFirst));
  return first.some(({ candles = 0 }) => candles > 0)
    ? first
    : [...first, ...(await probe(marketIds.slice(probedAtFirst)))];
}

/**
 * Counts hourly candles in the week before `end`, and looks for the latest trade in ever shorter ones: within the latest
 * longer one, or else lately, since short candles may be kept for a few hours only.
 */
async function probeMarket(client: DiscoveryClient, marketId: string, end: Instant): Promise<KnownCandles> {
  const read = async (interval: CandleInterval, startsAt: Instant, endsAt: Instant) => {
    const range = { startTime: formatInstant(startsAt), endTime: formatInstant(endsAt), interval };
    const { found } = await client.ask("GetHistoricalPrices", { ...byId({ marketId }), ...range }, ["not_found"]);
    return found && candlesOf(found.body);
  };
  const hours = await read("60", plusSeconds(end, -7 * daySeconds), end);
  if (!hours) return {};
  const latestTrades: Partial<Record<CandleInterval, string>> = {};
  let latest = latestTraded(hours);
  if (latest) latestTrades["60"] = formatInstant(latest);
  for (const [longer, interval] of [
    ["60", "1"],
    ["1", "1S"],
  ] as const) {
    const within = latest && (await read(interval, latest, plusSeconds(latest, candleIntervalSeconds[longer] - 1)));
    const now = instantFromMillis(Date.now());
    latest =
      latestTraded(within ?? []) ??
      latestTraded((await read(interval, plusSeconds(now, -lately[interval]), now)) ?? []);
    if (latest) latestTrades[interval] = formatInstant(latest);
  }
  return { candles: hours.length, latestTrades };
}

/** When the latest of the candles with a volume begins. */
function latestTraded(candles: readonly CandlestickView[]): Instant | undefined {
  return candles
    .flatMap(({ volume, timestamp: { instant } }) => (instant && volume > 0 ? instant : []))
    .sort(compareInstants)
    .at(-1);
}
