/** Positions that open and close while a stream is watched (§4.2, T4). */
import { changeShownWithinMs } from "../specification/limits.js";
import { combine, countOf, type Judgement, judgeEach, type Violation } from "./judgement.js";
import { positionKey } from "./read-stored.js";
import type { Sighting } from "./stale.js";

/**
 * Every message lists the positions that are open (T4), also when one opens or closes after the stream was opened: what
 * GetPortfolio has listed, or has not listed any more, in several reads over more than 2.5 s, so does a message that came before
 * the last of these reads. What is so from beginning to end is for other rules.
 *
 * @param portfolios reads of the wallet's portfolio, in the order of time
 * @param messages messages of its stream, in the order of time, with the positions of this wallet alone
 */
export function openingsAndClosings(portfolios: readonly Sighting[], messages: readonly Sighting[]): Judgement {
  const reads = portfolios.map((read) => ({ ...read, keys: keysOf(read) }));
  const everListed = new Set(reads.flatMap(({ keys }) => [...keys]));
  const judgements = messages.map((message, index) => {
    const keys = keysOf(message);
    const next = reads.findIndex(({ from }) => from >= message.to);
    const settled = [...everListed].flatMap((key) => {
      const isListed = reads[next]?.keys.has(key) === true;
      let first = next;
      while (first > 0 && reads[first - 1]?.keys.has(key) === isListed) first--;
      const since = message.from - (reads[first]?.to ?? message.from);
      return next - first >= 2 && since > changeShownWithinMs ? [{ key, isListed, first, since }] : [];
    });
    return judgeEach(settled, ({ key, isListed, first, since }): Violation | undefined => {
      // It neither opened nor closed while it was watched.
      if (first === 0 || keys.has(key) === isListed) return undefined;
      const seconds = (since / 1000).toFixed(1);
      return {
        path: `messages[${index}].positions`,
        ...(isListed
          ? {
              expected: `position ${key}, which opened, and which GetPortfolio has listed for ${seconds} s`,
              seen: `${countOf(keys.size, "position")} without it`,
            }
          : {
              expected: `no position ${key}, which closed, and which GetPortfolio has not listed for ${seconds} s`,
              seen: "the position",
            }),
      };
    });
  });
  return {
    ...combine(judgements),
    missing: "portfolios and messages of a wallet with an open position, over more than 2.5 s",
  };
}

function keysOf({ positions }: Sighting): ReadonlySet<string> {
  return new Set(positions.map(({ row }) => positionKey(row)));
}
