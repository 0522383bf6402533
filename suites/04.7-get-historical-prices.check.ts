import type { JsonObject } from "../src/connect/json.js";
import { suite } from "../src/engine/define.js";
import { saysNoPrice } from "../src/engine/no-price.js";
import { requireUsable, usableAmong } from "../src/engine/usable.js";
import {
  containsPart,
  orderInWords,
  pricesInWords,
  rangeContainsParts,
  sameCandles,
  wholeCandlesWithin,
  withinRange,
} from "../src/judge/candles.js";
import { endsAsDocumented } from "../src/judge/connect-error.js";
import { plusSeconds } from "../src/judge/instant.js";
import { answersSwapped } from "../src/judge/judgement.js";
import { candlesOf } from "../src/judge/read.js";
import { readNumber } from "../src/judge/read-values.js";
import {
  acrossBoundaries,
  besideParts,
  candlesSince,
  earlyStarts,
  intoTheFuture,
  rangesLongAgo,
  withPrices,
} from "./support/candle-parts.js";
import {
  askCandles,
  candleAnswers,
  candleRequest,
  candleSample,
  candlesInWords,
  fractionalRange,
  rangeEnding,
  rangeOfTwoMarkets,
  rangesInOnePeriod,
} from "./support/candles.js";
import { likeIgnored, likeIgnoredLimit, likeInUtc } from "./support/equivalences.js";
import { limitedCandles, manyCandles, silentLimit } from "./support/long-candle-range.js";
import { marketAcceptedById, recordSelections } from "./support/selectors.js";

export default suite("§4.7 GetHistoricalPrices", ({ check, equivalent, invariant, observe, refusal, relation }) => {
  // market: Only the marketId form is supported; a marketSymbol selector is not resolved and is treated as unset.
  refusal("get-historical-prices.symbol-selector", {
    field: "market",
    values: ({ symbols }, { unknown }) =>
      [symbols ?? {}, unknown.symbols].map((marketSymbol) => ({ marketSymbol: { ...marketSymbol } })),
    codes: ["invalid_argument"],
  });

  // S1: the symbol counts as unset, so the server may answer by the id or refuse.
  observe("get-historical-prices.both-alternatives", async (context) => {
    const on = "GetHistoricalPrices";
    const { marketId, symbols = context.subjects.unknown.symbols } = await marketAcceptedById(context, on);
    await recordSelections(context, on, {
      "a marketSymbol beside a marketId": { marketId, marketSymbol: { ...symbols } },
    });
  });

  // startTime: Start of range. endTime: End of range.
  invariant("get-historical-prices.range");

  equivalent("get-historical-prices.range", likeInUtc);

  // Timestamps are RFC 3339, with fractional seconds (§1): half a second is half a second with any number of digits.
  check("get-historical-prices.range", { name: "with fractions of a second" }, async (context) => {
    const [oneDigit, others] = await fractionalRange(context);
    requireUsable([oneDigit]);
    for (const other of others) {
      context
        .verify(oneDigit, other)
        .satisfies((first, body) => sameCandles(candlesOf(first), candlesOf(body), "as with a single digit"));
    }
  });

  check("get-historical-prices.range", { name: "of ranges in one hour or day" }, async (context) => {
    for (const { range, answer } of await rangesInOnePeriod(context)) {
      context.verify(answer).satisfies((body) => withinRange(range, candlesOf(body)));
    }
  });

  check("get-historical-prices.range", { name: "of one market right after another" }, async (context) => {
    const { range, afterAnother, longer } = await rangeOfTwoMarkets(context);
    requireUsable([longer]);
    const within = (body: JsonObject) => wholeCandlesWithin(range, candlesOf(body));
    context
      .verify(afterAnother, longer)
      .satisfies((body, ofLonger) => sameCandles(within(body), within(ofLonger), "as in an hour more"));
  });

  observe("get-historical-prices.empty-range", async (context) => {
    const { market, end } = await candleSample(context);
    const { startTime, endTime, interval } = rangeEnding(end, "60", 4);
    const ranges = {
      "a start after the end": { startTime: endTime, endTime: startTime, interval },
      "a start equal to the end": { startTime: endTime, endTime, interval },
    };
    for (const [what, range] of Object.entries(ranges)) {
      context.record(what, await context.call.getHistoricalPrices(candleRequest(market, range)), candlesInWords);
    }
  });

  observe("get-historical-prices.open-range", async (context) => {
    const ends = {
      "without a start": { startTime: undefined },
      "without an end": { endTime: undefined },
      "without either": { startTime: undefined, endTime: undefined },
    };
    for (const [what, omitted] of Object.entries(ends)) {
      context.record(`a range of months ${what}`, await askCandles(context, "1M", 12, omitted), candlesInWords);
    }
  });

  // limit: Accepted and ignored; no limit applied.
  equivalent("get-historical-prices.limit-ignored", likeIgnored("limit", "as without a limit"));

  // The other way round, so that every interval of every market is tried with a limit.
  equivalent("get-historical-prices.limit-ignored", likeIgnoredLimit);

  check("get-historical-prices.limit-ignored", { name: "of a long range" }, async (context) => {
    for (const { whole, part } of await limitedCandles(context)) {
      context.verify(whole, part).satisfies(containsPart);
    }
  });

  check("get-historical-prices.limit-ignored", { name: "without an interval" }, async (context) => {
    const { call, verify } = context;
    const { market, end } = await candleSample(context);
    const request = candleRequest(market, rangeEnding(plusSeconds(end, -2 * 3600), "60", 24), { interval: undefined });
    const limited = await call.getHistoricalPrices({ ...request, limit: 1 });
    const whole = await call.getHistoricalPrices(request);
    requireUsable([whole]);
    verify(whole, limited).satisfies((all, some) => sameCandles(candlesOf(all), candlesOf(some), "as without a limit"));
  });

  check("get-historical-prices.no-result-limit", async (context) => {
    const { whole, parts } = await manyCandles(context);
    context
      .verify(whole, ...parts)
      .satisfies((body, ...bodies) =>
        rangeContainsParts({ whole: candlesOf(body), parts: bodies.map(candlesOf) }, silentLimit),
      );
  });

  for (const end of ["tomorrow", "the year 9999"] as const) {
    check("get-historical-prices.no-result-limit", { name: `up to ${end}` }, async (context) => {
      const ranges = [await intoTheFuture(context, end)];
      for (const { whole, part } of withPrices(context, ranges, "needs a price in the range")) {
        requireUsable([whole]);
        context.verify(whole, part).satisfies(containsPart);
      }
    });
  }

  check("get-historical-prices.no-result-limit", { name: "across turns of the calendar" }, async (context) => {
    const ranges = await acrossBoundaries(context);
    for (const { whole, part } of withPrices(context, ranges, "needs a price in a range")) {
      context.verify(whole, part).satisfies(containsPart);
    }
  });

  check("get-historical-prices.no-result-limit", { name: "since early times" }, async (context) => {
    const ranges = await Promise.all(earlyStarts.map((start) => candlesSince(context, start)));
    const read = withPrices(context, ranges, "needs a price in the range");
    for (const { whole, part } of usableAmong(read, (range) => range.whole)) {
      context.verify(whole, part).satisfies(containsPart);
    }
  });

  // §7: whether such ranges are answered or refused is left open, but they must not cause a server failure.
  const longAgo = { on: "GetHistoricalPrices", name: "of ranges long ago" } as const;
  check("errors.documented-outcome", longAgo, async (context) => {
    const { market } = await candleSample(context);
    for (const range of rangesLongAgo) {
      context.verify(await context.call.getHistoricalPrices(candleRequest(market, range))).meets(endsAsDocumented);
    }
  });

  for (const part of besideParts) {
    relation("get-historical-prices.no-result-limit", {
      ...part,
      // A range without candles is worth a closer look.
      preferred: (whole) => candlesOf(whole).length === 0,
      holds: (part, whole) => answersSwapped(containsPart(whole, part)),
    });
  }

  observe("get-historical-prices.negative-limit", async (context) => {
    context.record("a limit of -1", await askCandles(context, "60", 24, { limit: -1 }), candlesInWords);
  });

  // interval: Candle interval. Supported values: 1S, 1, 60, 1D, 1W, 1M.
  check("get-historical-prices.intervals", async (context) => {
    const answers = (await candleSample(context)).answers.map(({ answer }) => answer);
    const accepted = answers.filter((answer) => !saysNoPrice(answer, answers, context.subjects));
    for (const answer of context.required(accepted[0] && accepted, "needs a price in a range")) {
      context.verify(answer).succeeds();
    }
  });

  invariant("get-historical-prices.interval-spacing");

  // Response: priceCandleSticks, prices, totalCount. Default interval when omitted: not shown.
  observe("get-historical-prices.default-interval", async (context) => {
    // Start short in case the default is seconds; try the longer range only if it is not.
    for (const hours of [2, 480]) {
      const answer = await askCandles(context, "60", hours, { interval: undefined });
      context.record(`${hours} hours without an interval`, answer, candlesInWords);
      if (answer.outcome.kind !== "success" || candlesOf(answer.outcome.body).length > 1) break;
    }
  });

  observe("get-historical-prices.unsupported-interval", async (context) => {
    for (const interval of ["5", "1H", "1s", "1m", "0", "candle"]) {
      context.record(`interval ${interval}`, await askCandles(context, "1", 10, { interval }), candlesInWords);
    }
  });

  observe("get-historical-prices.candle-order", async (context) => {
    for (const { range, answer } of await candleAnswers(context)) {
      const order = orderInWords(candlesOf(context.verify(answer).body()));
      if (order) context.record(`candles of ${range.interval}`, order);
    }
  });

  observe("get-historical-prices.total-count", async (context) => {
    for (const { range, answer } of await candleAnswers(context)) {
      const body = context.verify(answer).body();
      const counts = `${readNumber(body.totalCount)} with ${candlesOf(body).length} candles`;
      context.record(`totalCount, interval ${range.interval}`, counts);
    }
  });

  observe("get-historical-prices.prices-elements", async (context) => {
    for (const { range, answer } of await candleAnswers(context)) {
      context.record(`prices, interval ${range.interval}`, pricesInWords(context.verify(answer).body()));
    }
  });
});
