import fc from "fast-check";
import { pageLimits, placesBeyond, placesIn, smallPageLimits } from "../src/arbitraries/paging.js";
import { isJsonObject, type JsonObject, rawJson } from "../src/connect/json.js";
import {
  continuesAt,
  emptyBeyondEnd,
  fullPage,
  limitInForce,
  offsetInForce,
  type PageRequest,
  pageInWords,
  pageOf,
  sameTotal,
  stillEnd,
  stillRows,
  stillTotal,
  tiesKeepOrder,
  tiesOf,
  totalForm,
  totalIsWhereRowsEnd,
} from "../src/judge/paging.js";
import { pagedEndpoints } from "../src/spec/endpoints.js";
import { int32Max, pageLimitMax } from "../src/spec/limits.js";
import { type Listing, listingsOf } from "../src/subjects/listings.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";
import { usable } from "../src/verdict/usable.js";
import { partsMakeTheWhole, wholeListingBudget } from "../src/verdict/whole-listing.js";

const few = { quick: 3, full: 30 };
const fewer = { quick: 2, full: 30 };

export default suite("§2 PaginationInfo", ({ check, property, observe, invariant }) => {
  invariant(
    "pagination.present",
    "pagination.limit",
    "pagination.offset",
    "pagination.row-count",
    "pagination.total-count-decimal-string",
    "pagination.total-count-integer",
    "pagination.offset-beyond-end",
  );

  for (const on of pagedEndpoints) {
    const page = (body: JsonObject) => pageOf(on, body);
    const endStands = (body: JsonObject) => stillEnd(page(body));
    const totalStands = (body: JsonObject) => stillTotal(page(body));
    const rowsStand = (body: JsonObject) => stillRows(page(body));
    /** Listings of this operation with records to page through. */
    const listings = ({ subjects, need }: CheckContext, atLeast = 1): readonly Listing[] => {
      const found = listingsOf(subjects, on, atLeast);
      need(found[0], `needs ${atLeast} records that ${on} lists`);
      return found;
    };

    check("pagination.present", { on, requests: 8 }, async ({ ask, verify, subjects }) => {
      const requests = [
        {},
        { limit: 1, offset: 1 },
        { limit: 5, offset: int32Max },
        ...listingsOf(subjects, on).map(({ filter }) => ({ ...filter, limit: 1 })),
      ];
      for (const answer of usable(await Promise.all(requests.map((request) => ask(on, request))))) {
        verify(answer).at("pagination").is(isJsonObject, "a pagination object");
      }
    });

    // limit: Effective page size after defaulting and capping; may exceed the number of rows returned.
    check("pagination.limit", { on, name: "of full pages", requests: 5 }, async ({ ask, shared, verify }) => {
      const largest = shared(on, { limit: pageLimitMax });
      const sizes = [1, 49, 50, 51];
      const answers = await Promise.all(sizes.map((limit) => ask(on, { limit })));
      for (const [index, answer] of answers.entries()) {
        verify(answer).satisfies((body) => limitInForce(page(body), sizes[index] ?? 0, "as requested"));
      }
      verify(await largest).satisfies((body) => limitInForce(page(body), pageLimitMax, "as requested"));
    });

    property(
      "pagination.limit",
      { on, name: "where few rows are left", runs: fewer },
      ({ subjects }) => ({ limit: pageLimits, listing: fc.constantFrom(...listingsOf(subjects, on, 0)) }),
      async ({ limit, listing }, { ask, verify }) => {
        verify(await ask(on, { ...listing.filter, limit, offset: Math.max(0, listing.total - 3) })).satisfies((body) =>
          limitInForce(page(body), limit, "as requested"),
        );
      },
    );

    // offset: Number of matching records skipped.
    property(
      "pagination.offset",
      { on, runs: few },
      (context) => ({ place: placesIn(listings(context)), limit: fc.integer({ min: 2, max: 9 }) }),
      async ({ place: { listing, offset }, limit }, { ask, verify }) => {
        verify(await ask(on, { ...listing.filter, offset, limit })).satisfies((body) =>
          offsetInForce(page(body), offset),
        );
      },
    );

    check(
      "pagination.offset-skips-rows",
      { on, name: "pages are parts of the whole", requests: wholeListingBudget },
      (context) => partsMakeTheWhole(on, context),
    );

    check(
      "pagination.offset-skips-rows",
      { on, name: "page two continues page one", requests: bracketBudget(1, 2) },
      async (context) => {
        const { ask, bracket, verify } = context;
        const [{ total } = { total: 0 }] = listings(context, 2);
        const size = Math.min(50, Math.floor(total / 2));
        const [both, seconds] = await bracket(
          () => ask(on, { limit: 2 * size, offset: 0 }),
          () => Promise.all([ask(on, { limit: size, offset: size }), ask(on, { offset: size })]),
          rowsStand,
        );
        for (const second of seconds) {
          verify(both, second).satisfies((window, body) => continuesAt(page(window), page(body), size));
        }
      },
    );

    check(
      "pagination.offset-skips-rows",
      { on, name: "around rows 50, 1000 and the last", requests: 3 * bracketBudget(1, 1) },
      async (context) => {
        const { ask, bracket, verify } = context;
        const [{ total } = { total: 0 }] = listings(context, 10);
        const borders = [50, 1000, total - 2].filter((border) => border >= 5 && border < total);
        const pages = borders.map((border) =>
          bracket(
            () => ask(on, { limit: 10, offset: border - 5 }),
            () => ask(on, { limit: 5, offset: border + 1 }),
            rowsStand,
          ),
        );
        for (const [window, next] of await Promise.all(pages)) {
          verify(window, next).satisfies((longer, body) => continuesAt(page(longer), page(body), 6));
        }
      },
    );

    property(
      "pagination.offset-skips-rows",
      { on, runs: { quick: 3, full: 25 }, requestsPerRun: bracketBudget(1, 2) },
      (context) => ({
        place: placesIn(listings(context, 2)),
        skips: fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 18 })),
      }),
      async ({ place: { listing, offset }, skips }, { ask, bracket, verify }) => {
        const start = Math.max(0, offset - 10);
        const [window, pages] = await bracket(
          () => ask(on, { ...listing.filter, limit: 20, offset: start }),
          () => Promise.all(skips.map((skip) => ask(on, { ...listing.filter, limit: 10, offset: start + skip + 1 }))),
          rowsStand,
        );
        for (const [index, skip] of skips.entries()) {
          const next = pages[index];
          if (next) verify(window, next).satisfies((longer, body) => continuesAt(page(longer), page(body), skip + 1));
        }
      },
    );

    check("pagination.tie-order", { on, requests: 2 * bracketBudget(1, 2) }, async (context) => {
      const { ask, bracket, shared, verify, need } = context;
      const ties = tiesOf(page(verify(await shared(on, { limit: pageLimitMax })).body()));
      const last = need(ties.at(-1), `needs two rows with equal timestamps among the first ${pageLimitMax} of ${on}`);
      const windows = [
        // Anchored at the start, so that an order that depends on the offset shows.
        ...ties
          .slice(0, 1)
          .filter(({ to }) => to <= 200)
          .map((tie) => ({ ...tie, start: 0 })),
        { ...last, start: Math.max(0, last.from - 3) },
      ];
      const readings = windows.map(async ({ from, to, start }) => {
        const [window, pages] = await bracket(
          () => ask(on, { offset: start, limit: to - start + 2 }),
          () =>
            Promise.all([
              ask(on, { offset: from + 1, limit: to - from + 2 }),
              ask(on, { offset: start, limit: from - start + 1 }),
            ]),
          rowsStand,
        );
        return { window, after: pages[0], before: pages[1], skipped: from + 1 - start };
      });
      for (const { window, after, before, skipped } of await Promise.all(readings)) {
        verify(window, after).satisfies((longer, body) => tiesKeepOrder(page(longer), page(body), skipped));
        verify(window, before).satisfies((longer, body) => tiesKeepOrder(page(longer), page(body), 0));
      }
    });

    property(
      "pagination.row-count",
      { on, runs: few, requestsPerRun: bracketBudget(1, 0) },
      (context) => ({ place: placesIn(listings(context)), limit: smallPageLimits }),
      async ({ place: { listing, offset }, limit }, { ask, settled, verify }) => {
        verify(await settled(() => ask(on, { ...listing.filter, limit, offset }), endStands)).satisfies((body) =>
          fullPage(page(body), { limit, offset }),
        );
      },
    );

    check("pagination.row-count", { on, name: "of large pages", requests: 1 }, async (context) => {
      const { ask, shared, verify } = context;
      listings(context, pageLimitMax);
      const [most, some] = await Promise.all([shared(on, { limit: pageLimitMax }), ask(on, { limit: 510 })]);
      verify(most).satisfies((body) => fullPage(page(body), { limit: pageLimitMax }));
      verify(some).satisfies((body) => fullPage(page(body), { limit: 510 }));
    });

    // totalCount: Total matching records across all pages.
    property(
      "pagination.total-count",
      { on, name: "is the same on every page", runs: fewer, requestsPerRun: bracketBudget(1, 1) },
      (context) => ({ place: placesIn(listings(context)), limit: fc.integer({ min: 2, max: 20 }) }),
      async ({ place: { listing, offset }, limit }, { ask, bracket, verify }) => {
        const [first, other] = await bracket(
          () => ask(on, { ...listing.filter, limit: 1, offset: 0 }),
          () => ask(on, { ...listing.filter, limit, offset }),
          totalStands,
        );
        verify(first, other).satisfies((a, b) => sameTotal(page(a), [page(b)]));
      },
    );

    check(
      "pagination.total-count",
      { on, name: "is where the rows end", requests: 5 * bracketBudget(1, 0) },
      async (context) => {
        const { ask, settled, verify } = context;
        const ends = listings(context).map(async ({ filter, total }) => {
          const request = { limit: 2, offset: total - 1 };
          return { request, answer: await settled(() => ask(on, { ...filter, ...request }), endStands) };
        });
        for (const { request, answer } of await Promise.all(ends)) {
          verify(answer).satisfies((body) => totalIsWhereRowsEnd(page(body), request));
        }
      },
    );

    // totalCount: integer (decimal string in order-list output)
    check(
      on === "GetAllOrders" ? "pagination.total-count-decimal-string" : "pagination.total-count-integer",
      { requests: 7 },
      async ({ ask, shared, verify, subjects }) => {
        const requests = listingsOf(subjects, on).map(({ filter }) => ({ ...filter, limit: 1, offset: 1 }));
        const answers = [shared(on, { limit: pageLimitMax }), ...requests.map((request) => ask(on, request))];
        for (const answer of await Promise.all(answers)) verify(answer).satisfies((body) => totalForm(on, body));
      },
    );

    const beyondEnd = async (listing: Listing, request: PageRequest, { ask, verify, readings }: CheckContext) => {
      verify(await ask(on, { ...listing.filter, ...request })).satisfies((body) =>
        emptyBeyondEnd(page(body), request.offset ?? 0, readings.P6),
      );
    };

    check("pagination.offset-beyond-end", { on, name: "at int32", requests: 5 }, async (context) => {
      for (const listing of listingsOf(context.subjects, on, 0)) {
        await beyondEnd(listing, { limit: pageLimitMax, offset: int32Max }, context);
      }
    });

    property(
      "pagination.offset-beyond-end",
      { on, runs: few },
      ({ subjects }) => ({ place: placesBeyond(listingsOf(subjects, on, 0)), limit: pageLimits }),
      ({ place: { listing, offset }, limit }, context) => beyondEnd(listing, { limit, offset }, context),
    );

    observe("pagination.negative-values", { on, requests: 4 }, async ({ ask, record }) => {
      for (const request of [
        { limit: -1 },
        { limit: -int32Max - 1 },
        { offset: -1 },
        { limit: 1, offset: -int32Max - 1 },
      ]) {
        const answer = await ask(on, request);
        record(
          JSON.stringify(request),
          answer.outcome.kind === "success" ? pageInWords(page(answer.outcome.body)) : answer,
        );
      }
    });

    observe("pagination.beyond-int32", { on, requests: 4 }, async ({ ask, record }) => {
      for (const field of ["limit", "offset"]) {
        for (const value of [String(int32Max + 1), "1e20"]) {
          const answer = await ask(on, { [field]: rawJson(value) });
          const seen = answer.outcome.kind === "success" ? pageInWords(page(answer.outcome.body)) : answer;
          record(`${field} ${value}`, seen);
        }
      }
    });
  }
});
