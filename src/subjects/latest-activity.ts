import { compareInstants, type Instant, instantFromMillis, parseInstant } from "../judge/instant.js";
import type { Subjects } from "./subjects.js";

/** When the platform was last seen active, by its latest order or position: candles end there (§4.7). Else it is now. */
export function latestActivity({ totals }: Pick<Subjects, "totals">, nowMs = Date.now()): Instant {
  const [latest] = [totals.latestOrder, totals.latestPosition]
    .flatMap((text) => (text === undefined ? [] : (parseInstant(text) ?? [])))
    .sort((a, b) => compareInstants(b, a));
  return latest ?? instantFromMillis(nowMs);
}
