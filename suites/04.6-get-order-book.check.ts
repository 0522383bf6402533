import fc from "fast-check";
import {
  fractionsOfTick,
  mantissasBetweenSteps,
  negativeMantissas,
  notations,
  sizesTakenForSteps,
  stepPowers,
  tickSizeOf,
} from "../src/arbitraries/ticks.js";
import type { JsonObject } from "../src/connect/json.js";
import {
  defaultLeftOut,
  otherNotation,
  withoutBuckets,
  withoutCount,
  withoutFlag,
  withoutIgnored,
  withoutOffset,
  writtenOut,
} from "../src/exploration/rewrites.js";
import { describeBook, sameDepth, sameTotal } from "../src/judge/book.js";
import {
  atMostLevels,
  bestLevels,
  noLevelLeftOut,
  offsetLeaves,
  offsetLeavesSome,
  showsWholeBook,
  usdNotional,
  withinLimitPerBook,
  withinLimitPerSide,
} from "../src/judge/book-request.js";
import { bucketsAligned, bucketsSpaced, noCoarserThan, sameSizePerSide, tickSizeIs } from "../src/judge/buckets.js";
import type { Judgement } from "../src/judge/judgement.js";
import { answersSwapped } from "../src/judge/judgement.js";
import { sameAnswer } from "../src/judge/same-answer.js";
import { int32Max, orderBookLimitDefault } from "../src/spec/limits.js";
import {
  asNumber,
  type BookMarket,
  bookMarkets,
  bookRequest,
  bucketedBooks,
  bucketedRequest,
  depthLimit,
  fullestBook,
  fullRequests,
  fullRequestsBudget,
  isRefused,
  limitBeyond,
  needAcceptedStep,
  plainBooks,
  steppedBooks,
  type TickMarket,
  tickMarkets,
  wideBuckets,
} from "../src/verdict/books.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";

/** A field that is heeded alone may be lost beside another. */
const atOnce = "with every field at once";

export default suite("§4.6 GetOrderBook", ({ check, property, observe, invariant, relation }) => {
  invariant(
    "order-book.tick-size-zero",
    "order-book.tick-size-below-minimum",
    "order-book.bucket-spacing",
    "order-book.bucket-alignment",
    "order-book.levels-maximum",
    "order-book.limit-default",
    "order-book.limit-zero",
    "order-book.limit-per-side",
    "order-book.limit-per-book",
    "order-book.limit-large",
    "order-book.offset-skips-orders",
  );
  const sameBook = (why: string) => ({ holds: sameAnswer("GetOrderBook", why) });
  const more = { quick: 8, full: 30 };
  relation(
    "order-book.tick-size-steps",
    { name: "in the other notation" },
    {
      rewrite: otherNotation,
      ...sameBook("another notation of the same bucket size"),
    },
  );
  relation(
    "order-book.tick-size-zero",
    { name: "like no tickSize" },
    {
      rewrite: defaultLeftOut("tickSize"),
      ...sameBook("a tickSize of 0 is an omitted one"),
    },
  );
  relation(
    "order-book.bucketing-keeps-size",
    { name: "in every combination" },
    {
      rewrite: withoutBuckets,
      where: ({ levels = 0, sizeInUsd }) => levels === 0 && !sizeInUsd,
      holds: (bucketed, plain) => answersSwapped(sameSizePerSide(plain, bucketed)),
      sample: more,
    },
  );
  relation(
    "order-book.size-in-usd",
    { name: "in every combination" },
    {
      rewrite: withoutFlag("sizeInUsd"),
      holds: (usd, units, { tick = 0 }) => answersSwapped(usdNotional(units, usd, tick)),
      sample: more,
    },
  );
  relation(
    "order-book.levels-best",
    { name: "in every combination" },
    {
      rewrite: withoutCount("levels"),
      holds: (cut, full, { levels = 0 }) => answersSwapped(bestLevels(full, cut, levels)),
      sample: more,
    },
  );
  relation(
    "order-book.levels-zero",
    { name: "like no levels" },
    {
      rewrite: defaultLeftOut("levels"),
      ...sameBook("levels 0 and no levels both mean all"),
    },
  );
  relation(
    "order-book.limit-default",
    { name: "like a limit of 50, in every combination" },
    {
      rewrite: writtenOut("limit", orderBookLimitDefault),
      ...sameBook("the default limit is 50"),
    },
  );
  relation(
    "order-book.limit-zero",
    { name: "like no limit" },
    {
      rewrite: defaultLeftOut("limit"),
      ...sameBook("a limit of 0 is an omitted one"),
    },
  );
  relation(
    "order-book.total-order-count-ignored",
    { name: "in every combination" },
    {
      rewrite: withoutIgnored("totalOrderCount"),
      ...sameBook("a requested totalOrderCount is ignored"),
    },
  );
  relation(
    "order-book.total-order-count",
    { name: "whatever the offset" },
    {
      rewrite: withoutOffset,
      holds: (skipped, whole) => answersSwapped(sameTotal(whole, skipped)),
    },
  );

  // tickSize: Bucket size. 0 disables bucketing.
  check("order-book.tick-size-zero", { name: "the answer's tickSize", requests: 2 }, async (context) => {
    for (const { answer } of await plainBooks(context)) {
      context.verify(answer).satisfies((body) => tickSizeIs(body, 0, "bucketing is off"));
    }
    for (const market of bookMarkets(context, 0).slice(0, 2)) {
      const answer = await context.call.getOrderBook(bookRequest(market, { tickSize: 0, limit: 10 }));
      context.verify(answer).satisfies((body) => tickSizeIs(body, 0, "0 disables bucketing"));
    }
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

  property(
    "order-book.tick-size-steps",
    { name: "in any notation", runs: { quick: 6, full: 30 } },
    (context) => ({ market: fc.constantFrom(...tickMarkets(context, 0)), power: stepPowers, notation: notations }),
    async ({ market, power, notation }, { call, verify }) => {
      const tickSize = asNumber(tickSizeOf(1, power, market.tickDecimals, notation));
      verify(await call.getOrderBook(bookRequest(market, { limit: 10, tickSize }))).succeeds();
    },
  );

  observe("order-book.tick-size-larger-steps", { requests: 3 }, async (context) => {
    const [market] = tickMarkets(context, 0);
    for (const power of [7, 9, 12]) {
      const { text, value } = tickSizeOf(1, power, market.tickDecimals, "decimal");
      const answer = await context.call.getOrderBook(bookRequest(market, { tickSize: asNumber({ text, value }) }));
      context.record(`tickSize ${text}, 10^${power} minimum ticks`, answer);
    }
  });

  // A value below the minimum tick is clamped up to it.
  check("order-book.tick-size-below-minimum", { name: "telling sizes", requests: 4 }, async (context) => {
    const [market] = tickMarkets(context, 0);
    for (const fraction of [0.1, 0.5, 0.9, 0.000_000_03]) {
      const answer = await context.call.getOrderBook(
        bucketedRequest(market, tickSizeOf(fraction, 0, market.tickDecimals)),
      );
      context.verify(answer).satisfies((body) => clampedTo(body, market));
    }
  });

  property(
    "order-book.tick-size-below-minimum",
    { name: "any size", runs: { quick: 4, full: 40 } },
    (context) => ({
      market: fc.constantFrom(...tickMarkets(context, 0)),
      fraction: fractionsOfTick,
      notation: notations,
    }),
    async ({ market, fraction, notation }, { call, verify }) => {
      const fine = tickSizeOf(fraction, 0, market.tickDecimals, notation);
      verify(await call.getOrderBook(bucketedRequest(market, fine))).satisfies((body) => clampedTo(body, market));
    },
  );

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
  check("order-book.bucket-spacing", { requests: 0 }, async (context) => {
    for (const { tick, answer } of await bucketedBooks(context)) {
      context.verify(answer).satisfies((body) => bucketsSpaced(body, tick));
    }
  });

  check("order-book.bucket-alignment", { requests: 0 }, async (context) => {
    for (const { tick, answer } of await bucketedBooks(context)) {
      context.verify(answer).satisfies((body) => bucketsAligned(body, tick));
    }
  });

  property(
    "order-book.bucketing-keeps-size",
    { runs: { quick: 2, full: 20 }, requestsPerRun: bracketBudget(1, 3) },
    (context) => ({ market: fc.constantFrom(...tickMarkets(context)) }),
    async ({ market }, { bracket, call, verify }) => {
      const limit = depthLimit(market);
      const ticks = [1, 2, 4].map((power) => asNumber(tickSizeOf(1, power, market.tickDecimals)));
      const [plain, bucketed] = await bracket(
        () => call.getOrderBook(bookRequest(market, { limit })),
        () => Promise.all(ticks.map((tickSize) => call.getOrderBook(bookRequest(market, { limit, tickSize })))),
      );
      for (const answer of bucketed) if (!isRefused(answer)) verify(plain, answer).satisfies(sameSizePerSide);
    },
  );

  // sizeInUsd: true: level sizes in USD notional; false: underlying units.
  property(
    "order-book.size-in-usd",
    { name: "without bucketing", runs: { quick: 3, full: 10 }, requestsPerRun: bracketBudget(1, 1) },
    (context) => ({ market: fc.constantFrom(...bookMarkets(context)), sizeInUsd: fc.constantFrom(false, undefined) }),
    async ({ market, sizeInUsd }, { bracket, call, verify }) => {
      const limit = depthLimit(market);
      const [units, usd] = await bracket(
        () => call.getOrderBook(bookRequest(market, { limit, sizeInUsd })),
        () => call.getOrderBook(bookRequest(market, { limit, sizeInUsd: true })),
      );
      verify(units, usd).satisfies((inUnits, inUsd) => usdNotional(inUnits, inUsd));
    },
  );

  property(
    "order-book.size-in-usd",
    { name: "with bucketing", runs: { quick: 2, full: 10 }, requestsPerRun: bracketBudget(1, 1) },
    (context) => ({ market: fc.constantFrom(...tickMarkets(context)), power: fc.constantFrom(0, 1, 2) }),
    async ({ market, power }, { bracket, call, verify, inconclusive }) => {
      const { text, value } = tickSizeOf(1, power, market.tickDecimals);
      const fields = { limit: 100, tickSize: asNumber({ text, value }) };
      const [units, usd] = await bracket(
        () => call.getOrderBook(bookRequest(market, fields)),
        () => call.getOrderBook(bookRequest(market, { ...fields, sizeInUsd: true })),
      );
      if (isRefused(units)) inconclusive(`needs a market that accepts 10^${power} minimum ticks as tickSize`);
      verify(units, usd).satisfies((inUnits, inUsd) => usdNotional(inUnits, inUsd, value));
    },
  );

  // levels: Max price levels per side.
  check("order-book.levels-maximum", { name: "with bucketing", requests: 2 }, async (context) => {
    const [market] = tickMarkets(context);
    for (const levels of [1, 3]) {
      const answer = await context.call.getOrderBook(bookRequest(market, { levels, tickSize: tenTicks(market) }));
      context.verify(answer).satisfies((body) => atMostLevels(body, levels));
    }
  });

  check("order-book.levels-maximum", { name: atOnce, requests: fullRequestsBudget }, async (context) => {
    for (const { levels, answer } of await fullRequests(context)) {
      context.verify(answer).satisfies((body) => atMostLevels(body, levels));
    }
  });

  check("order-book.levels-maximum", { name: "telling numbers", requests: 2 }, async (context) => {
    for (const levels of [1, 11]) await keepsTo(context, levels);
  });

  property(
    "order-book.levels-maximum",
    { name: "any number", runs: { quick: 2, full: 30 } },
    { levels: fc.integer({ min: 1, max: 60 }) },
    ({ levels }, context) => keepsTo(context, levels),
  );

  check("order-book.levels-best", { requests: bracketBudget(2, 4) }, async (context) => {
    const { bracket, call, verify } = context;
    const [market] = tickMarkets(context);
    for (const fields of [{ limit: depthLimit(market) }, { limit: depthLimit(market), tickSize: tenTicks(market) }]) {
      const counts = [1, 2, 7];
      const [full, cuts] = await bracket(
        () => call.getOrderBook(bookRequest(market, fields)),
        () => Promise.all(counts.map((levels) => call.getOrderBook(bookRequest(market, { ...fields, levels })))),
      );
      if (isRefused(full)) continue;
      for (const [index, levels] of counts.entries()) {
        const cut = cuts[index];
        if (cut) verify(full, cut).satisfies((fullBody, cutBody) => bestLevels(fullBody, cutBody, levels));
      }
    }
  });

  // 0 or omitted returns all.
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
  check("order-book.limit-default", { name: "at most 50 orders", requests: 0 }, async (context) => {
    const withinLimit = context.readings.B2 === "per-book" ? withinLimitPerBook : withinLimitPerSide;
    for (const market of bookMarkets(context).slice(0, 3)) {
      const answer = await context.shared("GetOrderBook", bookRequest(market));
      context.verify(answer).satisfies((body) => withinLimit(body, undefined));
    }
  });

  check("order-book.limit-default", { name: atOnce, requests: fullRequestsBudget }, async (context) => {
    for (const { limit, offset, answer } of await fullRequests(context)) {
      if (limit === undefined) context.verify(answer).satisfies((body) => withinLimitPerSide(body, limit, offset));
    }
  });

  check("order-book.limit-default", { name: "like a limit of 50", requests: bracketBudget(1, 1) }, async (context) => {
    const market = fullestBook(context, 51);
    const [omitted, fifty] = await context.bracket(
      () => context.call.getOrderBook(bookRequest(market)),
      () => context.call.getOrderBook(bookRequest(market, { limit: 50 })),
    );
    context
      .verify(fifty, omitted)
      .satisfies((asked, byDefault) => sameDepth(asked, byDefault, "as with a limit of 50"));
  });

  check("order-book.limit-zero", { requests: bracketBudget(1, 1) }, async (context) => {
    const market = fullestBook(context, 51);
    const [omitted, zero] = await context.bracket(
      () => context.call.getOrderBook(bookRequest(market)),
      () => context.call.getOrderBook(bookRequest(market, { limit: 0 })),
    );
    context
      .verify(omitted, zero)
      .satisfies((byDefault, asked) => sameDepth(byDefault, asked, "a limit of 0 is an omitted one"));
  });

  check("order-book.limit-per-side", { name: "telling limits", requests: 3 }, async (context) => {
    const market = fullestBook(context, 3);
    for (const limit of [1, 51, 100].filter((limit) => 2 * limit < market.bookOrders)) {
      const answer = await context.call.getOrderBook(bookRequest(market, { limit }));
      context.verify(answer).satisfies((body) => withinLimitPerSide(body, limit));
    }
  });

  property(
    "order-book.limit-per-side",
    { name: "any limit", runs: { quick: 4, full: 40 } },
    (context) => ({ limit: fc.integer({ min: 1, max: Math.floor((fullestBook(context, 3).bookOrders - 1) / 2) }) }),
    async ({ limit }, context) => {
      const market = fullestBook(context, 3);
      const fields = { limit, ...(await wideBuckets(context, market)) };
      const answer = await context.call.getOrderBook(bookRequest(market, fields));
      context.verify(answer).satisfies((body) => withinLimitPerSide(body, limit));
    },
  );

  check("order-book.limit-per-book", { requests: 4 }, async (context) => {
    for (const market of bookMarkets(context, 8).slice(0, 2)) {
      for (const limit of [7, 100]) {
        const answer = await context.call.getOrderBook(bookRequest(market, { limit }));
        context.verify(answer).satisfies((body) => withinLimitPerBook(body, limit));
      }
    }
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
  property(
    "order-book.offset-skips-orders",
    { name: "with a limit beyond the book", runs: { quick: 4, full: 30 } },
    (context) => ({
      market: fc.constantFrom(...bookMarkets(context)),
      left: fc.oneof(fc.constantFrom(1, 2, 50), fc.integer({ min: 1, max: 50 })),
      beside: fc.constantFrom({}, { sizeInUsd: true }),
    }),
    async ({ market, left, beside }, context) => {
      const counts = { limit: market.bookOrders + 50, offset: Math.max(0, market.bookOrders - left) };
      const request = bookRequest(market, { ...counts, ...(await wideBuckets(context, market)), ...beside });
      context.verify(await context.call.getOrderBook(request)).satisfies((body) => offsetLeaves(body, counts));
    },
  );

  check("order-book.offset-skips-orders", { name: "before aggregating", requests: 2 }, async (context) => {
    for (const market of bookMarkets(context, 52).slice(0, 2)) {
      const offset = Math.max(50, Math.floor(market.bookOrders / 2));
      const answer = await context.call.getOrderBook(bookRequest(market, { offset }));
      context.verify(answer).satisfies((body) => offsetLeavesSome(body, offset));
    }
  });

  // totalOrderCount: Accepted and ignored.
  check("order-book.total-order-count-ignored", { requests: bracketBudget(1, 3) }, async (context) => {
    const { bracket, call, verify } = context;
    const market = fullestBook(context);
    const counts = [7, market.bookOrders + 1, int32Max];
    const [without, others] = await bracket(
      () => call.getOrderBook(bookRequest(market)),
      () => Promise.all(counts.map((totalOrderCount) => call.getOrderBook(bookRequest(market, { totalOrderCount })))),
    );
    for (const other of others) {
      verify(without, other).satisfies(sameTotal);
      verify(without, other).satisfies((ignored, sent) =>
        sameDepth(ignored, sent, "a requested totalOrderCount is ignored"),
      );
    }
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

/** Ten minimum ticks as a bucket size. */
function tenTicks({ tickDecimals }: { readonly tickDecimals: number }) {
  return asNumber(tickSizeOf(1, 1, tickDecimals));
}

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

/** No side has more levels than asked for. */
async function keepsTo(context: CheckContext, levels: number): Promise<void> {
  const market = fullestBook(context);
  const answer = await context.call.getOrderBook(bookRequest(market, { limit: depthLimit(market), levels }));
  context.verify(answer).satisfies((body) => atMostLevels(body, levels));
}
