import { compareInstants, type Instant, instantFromMillis, parseInstant } from "../judge/instant.js";
import type { Subjects } from "./subjects.js";

/**
 * When the platform was last seen active, by its latest order or position: candles end there (§4.7). Without either it is
 * the time of discovery, so that rejudging a record uses the same requests.
 */
export function latestActivity({ totals }: Pick<Subjects, "totals">, nowMs = Date.now()): Instant {
  const { latestOrder, latestPosition, seenAt } = totals;
  const [latest] = instantsIn([latestOrder, latestPosition]).sort((a, b) => compareInstants(b, a));
  return latest ?? instantsIn([seenAt])[0] ?? instantFromMillis(nowMs);
}

function instantsIn(texts: readonly (string | undefined)[]): Instant[] {
  return texts.flatMap((text) => (text === undefined ? [] : (parseInstant(text) ?? [])));
}
