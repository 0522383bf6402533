import fc from "fast-check";
import {
  mantissasBetweenSteps,
  negativeMantissas,
  sizesTakenForSteps,
  stepPowers,
  tickSizeOf,
} from "../src/arbitraries/ticks.js";
import type { JsonObject } from "../src/connect/json.js";
import {
  beforeOffset,
  defaultLeftOut,
  inDecimals,
  toTheEnd,
  wholeBook,
  withoutBuckets,
  withoutCount,
  withoutFlag,
  withoutIgnored,
  withoutOffset,
  writtenOut,
} from "../src/exploration/rewrites.js";
import { describeBook, sameDepth, sameTotal } from "../src/judge/book.js";
import {
  bestLevels,
  holdsRest,
  noLevelLeftOut,
  offsetsLeave,
  partsMakeWhole,
  showsWholeBook,
  usdNotional,
} from "../src/judge/book-request.js";
import { noCoarserThan, sameSizePerSide, tickSizeIs } from "../src/judge/buckets.js";
import { answersSwapped, combine, type Judgement } from "../src/judge/judgement.js";
import { sameAnswer } from "../src/judge/same-answer.js";
import { int32Max, orderBookLimitDefault } from "../src/spec/limits.js";
import {
  asNumber,
  type BookMarket,
  bookMarkets,
  bookRequest,
  bucketedRequest,
  depthLimit,
  fullestBook,
  isRefused,
  limitBeyond,
  needAcceptedStep,
  offsetBooks,
  offsetBooksBudget,
  steppedBooks,
  type TickMarket,
  tickMarkets,
  wideBuckets,
} from "../src/verdict/books.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";

export default suite("§4.6 GetOrderBook", ({ check, invariant, observe, property, relation }) => {
  const sameBook = (why: string) => ({ holds: sameAnswer("GetOrderBook", why) });
  /** Requests that are rewritten where a field may be lost beside any other one. */
  const many = { quick: 8, full: 30 } as const;

  // tickSize: Bucket size. 0 disables bucketing.
  invariant("order-book.tick-size-zero");

  relation("order-book.tick-size-zero", {
    name: "like no tickSize",
    rewrite: defaultLeftOut("tickSize"),
    ...sameBook("a tickSize of 0 is an omitted one"),
  });

  property(
    "order-book.tick-size-zero",
    { name: "the underlying prices", runs: { quick: 2, full: 10 }, requestsPerRun: bracketBudget(1, 1) },
    (context) => ({ market: fc.constantFrom(...tickMarkets(context)), tickSize: fc.constantFrom(0, undefined) }),
    async ({ market, tickSize }, { bracket, call, verify, inconclusive }) => {
      const limit = depthLimit(market);
      const minimum = asNumber(tickSizeOf(1, 0, market.tickDecimals));
      const [plain, finest] = await bracket(
        () => call.getOrderBook(bookRequest(market, { limit, tickSize })),
        () => call.getOrderBook(bookRequest(market, { limit, tickSize: minimum })),
      );
      if (isRefused(finest)) inconclusive("needs a market that accepts its minimum tick as tickSize");
      verify(plain, finest).satisfies(noCoarserThan);
    },
  );

  // Otherwise a power-of-ten multiple of the market minimum tick (1 / 10^tickDecimals), for example 0.01, 0.1, 1, 10.
  check("order-book.tick-size-steps", { name: "every step of every market", requests: 0 }, async (context) => {
    for (const { answer } of await steppedBooks(context)) context.verify(answer).succeeds();
  });

  relation("order-book.tick-size-steps", {
    name: "in the other notation",
    rewrite: inDecimals,
    ...sameBook("another notation of the same bucket size"),
  });

  observe("order-book.tick-size-larger-steps", { requests: 3 }, async (context) => {
    const [market] = tickMarkets(context, 0);
    for (const power of [7, 9, 12]) {
      const { text, value } = tickSizeOf(1, power, market.tickDecimals, "decimal");
      const answer = await context.call.getOrderBook(bookRequest(market, { tickSize: asNumber({ text, value }) }));
      context.record(`tickSize ${text}, 10^${power} minimum ticks`, answer);
    }
  });

  // A value below the minimum tick is clamped up to it.
  invariant("order-book.tick-size-below-minimum");

  check("order-book.tick-size-below-minimum", { name: "telling sizes", requests: 4 }, async (context) => {
    const [market] = tickMarkets(context, 0);
    for (const fraction of [0.1, 0.5, 0.9, 0.000_000_03]) {
      const answer = await context.call.getOrderBook(
        bucketedRequest(market, tickSizeOf(fraction, 0, market.tickDecimals)),
      );
      context.verify(answer).satisfies((body) => clampedTo(body, market));
    }
  });

  // Any other value (not a power-of-ten step, or negative) fails with INVALID_ARGUMENT.
  check("order-book.tick-size-no-step", { name: "telling sizes", requests: 8 }, async (context) => {
    const [market] = tickMarkets(context, 0);
    for (const { mantissa, power } of sizesTakenForSteps) await refusesTick(context, market, power, mantissa);
  });

  property(
    "order-book.tick-size-no-step",
    { name: "any size", runs: { quick: 4, full: 60 } },
    (context) => ({
      market: fc.constantFrom(...tickMarkets(context, 0)),
      power: stepPowers,
      mantissa: mantissasBetweenSteps,
    }),
    ({ market, power, mantissa }, context) => refusesTick(context, market, power, mantissa),
  );

  check("order-book.tick-size-negative", { name: "telling sizes", requests: 4 }, async (context) => {
    const [market] = tickMarkets(context, 0);
    for (const mantissa of [-1, -0.5, -0.000_000_03, -10]) await refusesTick(context, market, 0, mantissa);
  });

  property(
    "order-book.tick-size-negative",
    { name: "any size", runs: { quick: 4, full: 30 } },
    (context) => ({
      market: fc.constantFrom(...tickMarkets(context, 0)),
      power: stepPowers,
      mantissa: negativeMantissas,
    }),
    ({ market, power, mantissa }, context) => refusesTick(context, market, power, mantissa),
  );

  // What bucketing does.
  invariant("order-book.bucket-spacing", "order-book.bucket-alignment");

  relation("order-book.bucketing-keeps-size", {
    // Few prices lie where buckets meet, and none need be among the best ones.
    from: wholeBook,
    rewrite: withoutBuckets,
    where: ({ sizeInUsd }) => !sizeInUsd,
    holds: (bucketed, plain) => answersSwapped(sameSizePerSide(plain, bucketed)),
    sample: many,
  });

  // sizeInUsd: true: level sizes in USD notional; false: underlying units.
  relation("order-book.size-in-usd", {
    rewrite: withoutFlag("sizeInUsd"),
    holds: (usd, units, { tick = 0 }) => answersSwapped(usdNotional(units, usd, tick)),
    sample: many,
  });

  // levels: Max price levels per side.
  invariant("order-book.levels-maximum");

  relation("order-book.levels-best", {
    rewrite: withoutCount("levels"),
    holds: (cut, full, { levels = 0 }) => answersSwapped(bestLevels(full, cut, levels)),
    sample: many,
  });

  // 0 or omitted returns all.
  relation("order-book.levels-zero", {
    name: "like no levels",
    rewrite: defaultLeftOut("levels"),
    ...sameBook("levels 0 and no levels both mean all"),
  });

  check("order-book.levels-zero", { requests: bracketBudget(1, 3) }, async (context) => {
    const { bracket, call, verify } = context;
    const market = fullestBook(context);
    const limit = depthLimit(market);
    const [omitted, [zero, ...others]] = await bracket(
      () => call.getOrderBook(bookRequest(market, { limit })),
      async () =>
        Promise.all([
          call.getOrderBook(bookRequest(market, { limit, levels: 0 })),
          call.getOrderBook(bookRequest(market, { limit, levels: limit })),
          call.getOrderBook(bookRequest(market, { limit, ...(await wideBuckets(context, market)) })),
        ]),
    );
    verify(omitted, zero).satisfies((all, same) => sameDepth(all, same, "levels 0 and no levels both mean all"));
    for (const other of others) if (!isRefused(other)) verify(omitted, other).satisfies(noLevelLeftOut);
  });

  // limit: Max underlying orders aggregated before building levels. Default 50.
  invariant(
    "order-book.limit-default",
    "order-book.limit-zero",
    "order-book.limit-per-side",
    "order-book.limit-per-book",
  );

  relation("order-book.limit-default", {
    name: "like a limit of 50",
    rewrite: writtenOut("limit", orderBookLimitDefault),
    ...sameBook("the default limit is 50"),
  });

  relation("order-book.limit-zero", {
    name: "like no limit",
    rewrite: defaultLeftOut("limit"),
    ...sameBook("a limit of 0 is an omitted one"),
  });

  check("order-book.limit-large", { name: "the largest limit", requests: 2 }, async (context) => {
    for (const market of bookMarkets(context).slice(0, 2)) await showsAll(context, market, int32Max);
  });

  property(
    "order-book.limit-large",
    { name: "any large limit", runs: { quick: 4, full: 20 } },
    (context) => ({
      market: fc.constantFrom(...bookMarkets(context)),
      limit: fc.oneof(fc.constantFrom(1_001, 5_000, 65_536, 1_000_000), fc.integer({ min: 1_001, max: int32Max })),
    }),
    ({ market, limit }, context) => showsAll(context, market, Math.max(limit, limitBeyond(market))),
  );

  // offset: Underlying orders skipped before aggregating.
  invariant("order-book.offset-skips-orders");

  relation("order-book.offset-skips-orders", {
    name: "the first ones and the others make the whole",
    from: toTheEnd,
    rewrite: withoutOffset,
    holds: (rest, whole) => answersSwapped(holdsRest(whole, rest)),
    sample: many,
  });

  check(
    "order-book.offset-skips-orders",
    { name: "with a limit beyond the book", requests: offsetBooksBudget },
    async (context) => {
      const books = await offsetBooks(context);
      context.verify(...books.map(({ answer }) => answer)).satisfies((...rests) =>
        offsetsLeave(
          books.flatMap(({ offset, limit, whole }, index) => {
            const rest = rests[index];
            return rest ? [{ rest, offset, limit, ...(whole ? { whole } : {}) }] : [];
          }),
        ),
      );
    },
  );

  relation("order-book.parts-make-whole", {
    from: toTheEnd,
    rewrite: beforeOffset,
    whole: withoutOffset,
    holds: (rest, first, _, whole) => partsMakeWhole(whole, first, rest),
  });

  relation("order-book.total-order-count", {
    name: "whatever the offset",
    rewrite: withoutOffset,
    holds: (skipped, whole) => answersSwapped(sameTotal(whole, skipped)),
  });

  // totalOrderCount: Accepted and ignored.
  const ignored = sameBook("a requested totalOrderCount is ignored");
  relation("order-book.total-order-count-ignored", {
    rewrite: withoutIgnored("totalOrderCount"),
    holds: (asked, plain) => combine([ignored.holds(asked, plain), answersSwapped(sameTotal(plain, asked))]),
  });

  observe("order-book.unsettled-counts", { requests: 6 }, async (context) => {
    const market = fullestBook(context);
    for (const fields of [
      { limit: -1 },
      { offset: -1 },
      { levels: -1 },
      { limit: int32Max + 1 },
      { offset: int32Max + 1 },
      { levels: int32Max + 1 },
    ]) {
      const answer = await context.call.getOrderBook(bookRequest(market, fields));
      const { outcome } = answer;
      context.record(JSON.stringify(fields), outcome.kind === "success" ? describeBook(outcome.body) : answer);
    }
  });
});

/** The market's minimum tick was applied (B10). */
function clampedTo(body: JsonObject, { tickDecimals }: TickMarket): Judgement {
  return tickSizeIs(body, tickSizeOf(1, 0, tickDecimals).value, "the minimum tick, to which smaller sizes are clamped");
}

/** A bucket size is refused where the step of the same power of ten is accepted. */
async function refusesTick(context: CheckContext, market: TickMarket, power: number, mantissa: number): Promise<void> {
  await needAcceptedStep(context, market, power);
  const tick = tickSizeOf(mantissa, power, market.tickDecimals);
  context.verify(await context.call.getOrderBook(bucketedRequest(market, tick))).failsWith("invalid_argument");
}

/** The whole book is aggregated. */
async function showsAll(context: CheckContext, market: BookMarket, limit: number): Promise<void> {
  const request = bookRequest(market, { limit, ...(await wideBuckets(context, market)) });
  context.verify(await context.call.getOrderBook(request)).satisfies((body) => showsWholeBook(body, limit));
}
