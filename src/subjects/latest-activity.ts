import { compareInstants, type Instant, instantFromMillis, parseInstant, plusSeconds } from "../judge/instant.js";
import type { CandleInterval } from "../specification/enums.js";
import { candleIntervalSeconds } from "../specification/limits.js";
import type { MarketSubject, Subjects } from "./subjects.js";

/**
 * When the platform was last seen active, by its latest order or position: candles end there (§4.7). Without either it is
 * the time of discovery, so that rejudging a record uses the same requests.
 */
export function latestActivity({ totals }: Pick<Subjects, "totals">, nowMs = Date.now()): Instant {
  const { latestOrder, latestPosition, seenAt } = totals;
  const [latest] = instantsIn([latestOrder, latestPosition]).sort((a, b) => compareInstants(b, a));
  return latest ?? instantsIn([seenAt])[0] ?? instantFromMillis(nowMs);
}

/** How many intervals after the latest trade ranges of candles end, so that some include it and some end with it. */
const intervalsAfterTrade = 10;

/**
 * When ranges of a market's candles end: at the latest activity on the platform, or soon after the latest trade that candles
 * of the interval show, if that was earlier. A range of seconds or minutes would have no candle otherwise where a market
 * trades rarely. If the trade is later, they end with it: candles so short may be kept for a few hours only.
 */
export function endOfCandles(
  { latestTrades }: Pick<MarketSubject, "latestTrades">,
  active: Instant,
  interval: CandleInterval,
): Instant {
  const [trade] = instantsIn([latestTrades?.[interval]]);
  if (!trade) return active;
  const end = plusSeconds(trade, intervalsAfterTrade * candleIntervalSeconds[interval]);
  const latest = compareInstants(trade, active) > 0 ? trade : active;
  return compareInstants(end, latest) < 0 ? end : latest;
}

function instantsIn(texts: readonly (string | undefined)[]): Instant[] {
  return texts.flatMap((text) => (text === undefined ? [] : (parseInstant(text) ?? [])));
}
