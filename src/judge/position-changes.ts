/** Judges positions that open or close while a wallet is watched, in its stream and its portfolio (§4.2, §4.5, T4). */
import { cacheAgeMs, changeShownWithinMs } from "../specification/limits.js";
import { combine, type Judgement, judgeEach, lackingIt, type Violation } from "./judgement.js";
import { positionKey } from "./read-stored.js";
import type { PositionSighting } from "./stale.js";

/**
 * Every message and every portfolio lists the positions that are open (T4), also those that open or close during the
 * watch. Once one operation lists a position, or does not list it, in several successive reads, the other one must do the
 * same in answers made more than 2.5 s after the first of these reads and before the last. A listed position must stay
 * listed a moment longer: it may have closed, which replicas learn a moment apart (P3). Positions that do not change
 * during the watch are judged by other rules.
 *
 * @param reference the reads of one operation, in chronological order
 * @param judged the reads of the other operation, with only the positions of this wallet
 */
export function positionChangesAgree(
  reference: readonly PositionSighting[],
  judged: readonly PositionSighting[],
): Judgement {
  const reads = reference.map((read) => ({ ...read, keys: keysOf(read) }));
  const referenceEndpoint = reference[0]?.endpoint;
  const everListed = new Set(reads.flatMap(({ keys }) => [...keys]));
  const staysListed = (key: string, after: number) => {
    const later = reads.filter(({ from }) => from >= after);
    const end = later.findIndex(({ from }) => from >= after + cacheAgeMs);
    return end >= 0 && later.slice(0, end + 1).every(({ keys }) => keys.has(key));
  };
  const judgements = judged.map((sighting, index) => {
    const keys = keysOf(sighting);
    const next = reads.findIndex(({ from }) => from >= sighting.to);
    const settled = [...everListed].flatMap((key) => {
      const isListed = reads[next]?.keys.has(key) === true;
      let first = next;
      while (first > 0 && reads[first - 1]?.keys.has(key) === isListed) first--;
      const since = sighting.from - (reads[first]?.to ?? sighting.from);
      const mayHaveClosed = isListed && !keys.has(key) && !staysListed(key, sighting.to);
      const isSettled = next - first >= 2 && since > changeShownWithinMs && !mayHaveClosed;
      return isSettled ? [{ key, isListed, first, since }] : [];
    });
    const place =
      sighting.endpoint === "GetPortfolio"
        ? { path: "portfolio.positions", answer: index }
        : { path: `messages[${index}].positions` };
    return judgeEach(settled, ({ key, isListed, first, since }): Violation | undefined => {
      // It neither opened nor closed during the watch.
      if (first === 0 || keys.has(key) === isListed) return undefined;
      const seconds = (since / 1000).toFixed(1);
      const expected = isListed
        ? `position ${key}, which opened, and which ${referenceEndpoint} has listed for ${seconds} s`
        : `no position ${key}, which closed, and which ${referenceEndpoint} has not listed for ${seconds} s`;
      return { ...place, expected, seen: isListed ? lackingIt(keys.size, "position") : "the position" };
    });
  });
  return combine(judgements, "portfolios and messages of a wallet with an open position, over more than 2.5 s");
}

function keysOf({ positions }: PositionSighting): ReadonlySet<string> {
  return new Set(positions.map(({ row }) => positionKey(row)));
}
