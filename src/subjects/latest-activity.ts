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
 * When ranges of a market's candles end: at the latest activity on the platform, or soon after the market's latest trade, if
 * that was earlier. A range of seconds or minutes would have no candle otherwise where a market trades rarely.
 */
export function endOfCandles(
  market: Pick<MarketSubject, "latestTrade">,
  active: Instant,
  interval: CandleInterval,
): Instant {
  const [trade] = instantsIn([market.latestTrade]);
  const end = trade && plusSeconds(trade, intervalsAfterTrade * candleIntervalSeconds[interval]);
  return end && compareInstants(end, active) < 0 ? end : active;
}

function instantsIn(texts: readonly (string | undefined)[]): Instant[] {
  return texts.flatMap((text) => (text === undefined ? [] : (parseInstant(text) ?? [])));
}
