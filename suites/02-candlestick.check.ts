import { bodyWithinWick } from "../src/judge/candles.js";
import { candlesOf } from "../src/judge/read.js";
import { anyCandlesOf, candleReadingRequests } from "../src/verdict/candles.js";
import { suite } from "../src/verdict/define.js";

export default suite("§2 Candlestick", ({ check, invariant }) => {
  invariant("candlestick.low-high");

  // open, high, low, close: numbers.
  check("candlestick.low-high", { requests: candleReadingRequests }, async (context) => {
    for (const { answer } of await anyCandlesOf(context)) {
      context.verify(answer).holdsForAnyRows((body) => bodyWithinWick(candlesOf(body)));
    }
  });
});
