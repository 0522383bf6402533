import type { Mutant } from "../departure.js";
import { documented } from "../parameters.js";

/** Servers that break one rule of §4.6 or of §2 OrderBook. */
export const orderBook: readonly Mutant[] = [
  {
    kind: "mutant",
    name: "order-book-any-multiple-of-the-tick",
    summary: "GetOrderBook buckets by any multiple of the minimum tick, such as 2.",
    breaks: "order-book.tick-size-no-step",
    parameters: {
      bookStep: (tickSize, market) => {
        const ticks = Math.round(tickSize * 10 ** market.tickDecimals);
        return documented.bookStep(tickSize, market) ?? (ticks > 1 ? ticks : undefined);
      },
    },
  },
];
