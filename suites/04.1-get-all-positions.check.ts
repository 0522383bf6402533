import { pageLimitsAboveCap, placesIn, smallPageLimits } from "../src/arbitraries/paging.js";
import type { JsonObject } from "../src/connect/json.js";
import { defaultLeftOut, writtenOut } from "../src/exploration/rewrites.js";
import { closedAreListed } from "../src/judge/closed-positions.js";
import { parseInstant, plusSeconds } from "../src/judge/instant.js";
import { newestFirst, newestFirstAcross } from "../src/judge/ordering.js";
import {
  allListed,
  continuesAt,
  joined,
  limitInForce,
  offsetInForce,
  pageOfSize,
  positionPage,
  positionRow,
  someRows,
  stillEnd,
  stillRows,
} from "../src/judge/paging.js";
import { ordersOf, portfolioOf, positionsOf } from "../src/judge/read.js";
import { sameAnswer } from "../src/judge/same-answer.js";
import { int32Max, pageLimitDefault, pageLimitMax } from "../src/spec/limits.js";
import { lacking } from "../src/subjects/hints.js";
import { listingsOf } from "../src/subjects/listings.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";
import { positionListing } from "../src/verdict/listings.js";

const noPositions = "needs a position in the listing";

const endStands = (body: JsonObject) => stillEnd(positionPage(body));
const rowsStand = (body: JsonObject) => stillRows(positionPage(body));

export default suite("§4.1 GetAllPositions", ({ check, property, invariant, relation }) => {
  invariant(
    "get-all-positions.limit-default",
    "get-all-positions.limit-zero",
    "get-all-positions.limit-cap",
    "get-all-positions.offset-default",
    "get-all-positions.sorted-by-timestamp",
  );
  relation(
    "get-all-positions.limit-default",
    { name: "like a limit of 50" },
    {
      rewrite: writtenOut("limit", pageLimitDefault),
      holds: sameAnswer("GetAllPositions", "the default limit is 50"),
      stable: rowsStand,
    },
  );
  relation(
    "get-all-positions.offset-default",
    { name: "like no offset" },
    {
      rewrite: defaultLeftOut("offset"),
      holds: sameAnswer("GetAllPositions", "an offset of 0 is an omitted one"),
      stable: rowsStand,
    },
  );

  // limit: Page size. Default 50 when omitted or zero.
  check("get-all-positions.limit-default", { requests: 2 * bracketBudget(1, 0) }, async ({ call, settled, verify }) => {
    for (const request of [{}, { offset: 1 }]) {
      verify(await settled(() => call.getAllPositions(request), endStands)).satisfies((body) =>
        pageOfSize(positionPage(body), request, "the default"),
      );
    }
  });

  check("get-all-positions.limit-zero", { requests: bracketBudget(1, 0) }, async ({ call, settled, verify }) => {
    verify(await settled(() => call.getAllPositions({ limit: 0 }), endStands)).satisfies((body) =>
      pageOfSize(positionPage(body), { limit: 0 }, "zero is an omitted limit"),
    );
  });

  // Values above 1000 are capped to 1000, not rejected.
  check("get-all-positions.limit-cap", { requests: 1 }, async ({ call, need, subjects, verify }) => {
    need(listingsOf(subjects, "GetAllPositions", pageLimitMax + 1)[0], "needs more than 1,000 positions");
    const request = { limit: pageLimitMax + 1 };
    verify(await call.getAllPositions(request)).satisfies((body) => pageOfSize(positionPage(body), request, "the cap"));
  });

  const capped = async (limit: number, { call, subjects, verify }: CheckContext) => {
    const offset = Math.max(0, (subjects.totals.positions ?? 0) - 3);
    const answer = await call.getAllPositions({ limit, offset });
    verify(answer).satisfies((body) => limitInForce(positionPage(body), pageLimitMax, "the cap"));
    verify(answer).satisfies((body) => someRows(positionPage(body), offset));
  };

  check("get-all-positions.limit-cap", { name: "at int32", requests: 1 }, (context) => capped(int32Max, context));

  property(
    "get-all-positions.limit-cap",
    { name: "where few rows are left", runs: { quick: 4, full: 30 } },
    { limit: pageLimitsAboveCap },
    ({ limit }, context) => capped(limit, context),
  );

  // offset: Rows to skip. Default 0.
  check("get-all-positions.offset-default", { requests: bracketBudget(1, 1) }, async ({ bracket, call, verify }) => {
    const [omitted, zero] = await bracket(
      () => call.getAllPositions({ limit: 6 }),
      () => call.getAllPositions({ limit: 6, offset: 0 }),
      rowsStand,
    );
    verify(omitted).satisfies((body) => offsetInForce(positionPage(body), 0));
    verify(omitted, zero).satisfies((a, b) => continuesAt(positionPage(a), positionPage(b), 0));
  });

  // positions: all wallets and markets,
  check("get-all-positions.all-wallets", async (context) => {
    const { portfolios, pages } = await positionListing(context);
    const open = portfolios.flatMap(({ answer }) => portfolioOf(context.given(answer))?.positions ?? []);
    context
      .verify(...pages)
      .satisfies((...bodies) =>
        allListed(open.map(positionRow), joined(bodies.map(positionPage)), "an open position in one of the portfolios"),
      );
  });

  // including closed,
  check("get-all-positions.closed-included", { requests: 6 }, async (context) => {
    const { ask, given, need, subjects, verify } = context;
    const { portfolios, pages } = await positionListing(context);
    const latest = need(parseInstant(subjects.totals.latestOrder ?? ""), lacking(subjects, "walletWithOrders"));
    const wallets = portfolios.filter(({ wallet }) => (wallet.orders ?? wallet.ordersSeen) <= 100);
    const histories = wallets.map(async ({ wallet, answer }) => ({
      owner: wallet.address,
      orders: ordersOf(given(await ask("GetOrders", { address: wallet.address }))),
      open: portfolioOf(given(answer))?.positions ?? [],
    }));
    const known = await Promise.all(histories);
    verify(...pages).satisfies((...bodies) => {
      const { rows, pagination } = joined(bodies.map(positionPage));
      const readDownTo = rows.length < (pagination?.totalCount ?? 0) ? rows.at(-1)?.timestamp.instant : undefined;
      return closedAreListed(known, bodies.flatMap(positionsOf), plusSeconds(latest, -60), readDownTo);
    });
  });

  // ordered by timestamp descending
  check("get-all-positions.sorted-by-timestamp", async ({ shared, verify }) => {
    verify(await shared("GetAllPositions", { limit: pageLimitMax })).satisfies((body) =>
      newestFirst("positions", positionsOf(body)),
    );
  });

  property(
    "get-all-positions.sorted-by-timestamp",
    { name: "on pages anywhere", runs: { quick: 4, full: 30 } },
    ({ subjects, need }) => {
      need(listingsOf(subjects, "GetAllPositions")[0], noPositions);
      return { place: placesIn(listingsOf(subjects, "GetAllPositions")), limit: smallPageLimits };
    },
    async ({ place: { offset }, limit }, { call, verify }) => {
      verify(await call.getAllPositions({ limit, offset })).satisfies((body) =>
        newestFirst("positions", positionsOf(body)),
      );
    },
  );

  check(
    "get-all-positions.sorted-by-timestamp",
    { name: "from page to page", requests: 3 * bracketBudget(1, 1) },
    async ({ bracket, call, subjects, verify }) => {
      const total = subjects.totals.positions ?? 0;
      const starts = new Set([0, Math.floor(total / 2), total - 60].map((start) => Math.max(0, start)));
      const readings = [...starts].map((offset) =>
        bracket(
          () => call.getAllPositions({ limit: 30, offset }),
          () => call.getAllPositions({ limit: 30, offset: offset + 30 }),
          rowsStand,
        ),
      );
      for (const [first, second] of await Promise.all(readings)) {
        verify(first).satisfies((body) => newestFirst("positions", positionsOf(body)));
        verify(first, second).satisfies((a, b) => newestFirstAcross(positionPage(a), positionPage(b)));
      }
    },
  );
});
