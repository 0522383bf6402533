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

/** What discovery knows of the candles of a market. */
export type KnownCandles = Pick<MarketSubject, "candles" | "latestTrade">;

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

/** Counts hourly candles in the week before `end`, and looks for the latest trade in ever shorter ones. */
async function probeMarket(client: DiscoveryClient, marketId: string, end: Instant): Promise<KnownCandles> {
  const read = async (interval: CandleInterval, startsAt: Instant, endsAt: Instant) => {
    const range = { startTime: formatInstant(startsAt), endTime: formatInstant(endsAt), interval };
    const { found } = await client.ask("GetHistoricalPrices", { ...byId({ marketId }), ...range }, ["not_found"]);
    return found && candlesOf(found.body);
  };
  const hours = await read("60", plusSeconds(end, -7 * daySeconds), end);
  if (!hours) return {};
  let latest = latestTraded(hours);
  for (const [length, interval] of [
    [candleIntervalSeconds["60"], "1"],
    [candleIntervalSeconds["1"], "1S"],
  ] as const) {
    if (!latest) break;
    const candles = await read(interval, latest, plusSeconds(latest, length - 1));
    latest = latestTraded(candles ?? []) ?? latest;
  }
  return { candles: hours.length, ...(latest && { latestTrade: formatInstant(latest) }) };
}

/** When the latest of the candles with a volume begins. */
function latestTraded(candles: readonly CandlestickView[]): Instant | undefined {
  return candles
    .flatMap(({ volume, timestamp: { instant } }) => (instant && volume > 0 ? instant : []))
    .sort(compareInstants)
    .at(-1);
}
