import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import { continuesAt, holdsRowsAt, tiesKeepOrder, tiesOf } from "./overlapping-pages.js";
import {
  effectiveLimit,
  joinPages,
  type Page,
  pageOf,
  stableEnd,
  stableRows,
  stableTotal,
  tiedWithRepeated,
} from "./page.js";
import {
  allListed,
  atMostLimit,
  emptyBeyondEnd,
  fullPage,
  listedBefore,
  listedLast,
  pageOfSize,
  paginationLimitIs,
  paginationOffsetIs,
  sameTotalCount,
  someRows,
  totalIsWhereRowsEnd,
} from "./paging.js";

/** A page of orders from letters: each is an order, and `times` says by small letters when it was made, the latest first. */
function page(orders: string, times = orders, pagination: JsonObject = {}): Page {
  const secondOf = (letter = "z") => String(59 - (letter.charCodeAt(0) - 97)).padStart(2, "0");
  const rows = [...orders].map((letter, index) => ({
    orderId: String(letter.charCodeAt(0)),
    marketId: "1",
    timestamp: `2025-01-01T00:00:${secondOf(times[index])}Z`,
  }));
  return pageOf("GetAllOrders", { orders: rows, pagination: { totalCount: "26", ...pagination } });
}

const rows = (count: number, pagination: JsonObject | undefined): Page =>
  pageOf("GetAllPositions", { positions: Array.from({ length: count }, () => ({})), pagination });

const violations = (judgement: { readonly violations: readonly unknown[] }) => judgement.violations.length;

describe("reading a page", () => {
  test("takes identity, owner and time of the rows of either listing", () => {
    const order = { orderId: "9007199254740993", marketId: 2, reduceOnly: true, owner: "0xAB", timestamp: "x" };
    expect(pageOf("GetAllOrders", { orders: [order] })).toEqual({
      field: "orders",
      rows: [{ key: "9007199254740993 of market 2 (reduce-only)", owner: "0xab", timestamp: { text: "x" } }],
      pagination: undefined,
      isLast: false,
    });
    expect(pageOf("GetAllPositions", { positions: [{ positionId: "7", marketId: "2" }] }).rows[0]?.key).toBe(
      "7 of market 2",
    );
  });
});

describe("pages as one", () => {
  const keys = (joint: Page) => joint.rows.map(({ key }) => String.fromCharCode(Number(key.split(" ")[0]))).join("");

  test("hold each row once", () => expect(keys(joinPages([page("abc"), page("cd"), page("de")]))).toBe("abcde"));

  test("end where the next one shows no row of those before", () => {
    expect(keys(joinPages([page("abc"), page("de"), page("ef")]))).toBe("abc");
    expect(keys(joinPages([page("")]))).toBe("");
  });

  test("need a first one", () => expect(() => joinPages([])).toThrow(RangeError));

  test("lack rows of one instant that change places between them, and are not blamed for it (P4)", () => {
    const first = page("abcd", "abbb", { offset: 0, limit: 4 });
    const shuffled = joinPages([first, page("cdfg", "bbbg", { offset: 3, limit: 4 })]);
    expect(keys(shuffled)).toBe("abcdfg");
    expect(allListed(page("e", "b").rows, shuffled, "rows").examined).toBe(0);
    expect(violations(allListed(page("X", "c").rows, shuffled, "rows"))).toBe(1);
    const isUnsettled = tiedWithRepeated(page("abcdb", "abbbb").rows);
    expect([..."acX"].map((letter) => isUnsettled(page(letter, letter === "a" ? "a" : "b").rows[0] as never))).toEqual([
      false,
      true,
      true,
    ]);
    // No row is there twice: one was left out.
    const leaky = joinPages([first, page("dfgh", "bbgh", { offset: 3, limit: 4 })]);
    expect(violations(allListed(page("e", "b").rows, leaky, "rows"))).toBe(1);
  });
});

describe("a page of the effective size", () => {
  const judged = (count: number, request: object, limit: number, totalCount: number) =>
    violations(pageOfSize(rows(count, { limit, totalCount }), request, "the default"));

  test("says so and is so long", () => {
    expect(judged(50, {}, 50, 120)).toBe(0);
    expect(judged(1000, { limit: 1001 }, 1000, 1200)).toBe(0);
    expect(judged(20, { offset: 100 }, 50, 120)).toBe(0);
  });

  test("says another size, or is shorter or longer", () => {
    expect(judged(50, {}, 49, 120)).toBe(1);
    expect(judged(49, {}, 50, 120)).toBe(1);
    expect(judged(51, {}, 50, 120)).toBe(1);
    expect(judged(1001, { limit: 1001 }, 1001, 1200)).toBe(2);
  });

  test("may go on where the total has it end: the total is another rule's business", () => {
    expect(judged(50, {}, 50, 10)).toBe(0);
    expect(judged(5, {}, 50, 4)).toBe(0);
  });

  test("is not judged without a pagination object", () => {
    expect(pageOfSize(rows(50, undefined), {}, "").examined).toBe(0);
  });
});

describe("the limit in force", () => {
  test.each([
    [undefined, 50],
    [0, 50],
    [1, 1],
    [50, 50],
    [1000, 1000],
    [1001, 1000],
    [2_147_483_647, 1000],
  ])("a limit of %s comes to %i", (limit, effective) => expect(effectiveLimit(limit)).toBe(effective));

  test("is judged as a number, whatever its notation (W7 is another rule)", () => {
    expect(paginationLimitIs(rows(0, { limit: "50" }), 50, "the default")).toEqual({ examined: 1, violations: [] });
    expect(paginationLimitIs(rows(0, { limit: 49 }), 50, "the default").violations).toEqual([
      { path: "pagination.limit", expected: "50 (the default)", seen: "49" },
    ]);
  });

  test("is 0 when absent (W1), and unknown without a pagination object (P8)", () => {
    expect(violations(paginationLimitIs(rows(0, {}), 50, ""))).toBe(1);
    expect(paginationLimitIs(rows(0, undefined), 50, "").examined).toBe(0);
    expect(paginationLimitIs(rows(0, { limit: "many" }), 50, "").examined).toBe(0);
  });
});

test("the offset in force is the requested one", () => {
  expect(violations(paginationOffsetIs(rows(1, { offset: 7 }), 7))).toBe(0);
  expect(violations(paginationOffsetIs(rows(1, {}), 0))).toBe(0);
  expect(violations(paginationOffsetIs(rows(1, { offset: 8 }), 7))).toBe(1);
  expect(paginationOffsetIs(rows(1, undefined), 7).examined).toBe(0);
});

describe("the rows of a page", () => {
  test.each([
    [50, {}, 120, 0],
    [49, {}, 120, 1],
    [51, {}, 120, 1],
    [20, { offset: 100 }, 120, 0],
    [50, { offset: 100 }, 120, 1],
    [0, { offset: 120 }, 120, 0],
    [0, { offset: 500 }, 120, 0],
    [1, { offset: 500 }, 120, 1],
    [120, { limit: 5000 }, 120, 0],
    [1000, { limit: 1001 }, 1200, 0],
    [1001, { limit: 1001 }, 1200, 1],
  ])("%i of them for %o of %i", (count, request, totalCount, expected) => {
    expect(violations(fullPage(rows(count, { totalCount }), request))).toBe(expected);
  });

  test("are not judged without a total", () => {
    expect(fullPage(rows(3, undefined), {}).examined).toBe(0);
    expect(fullPage(rows(3, { totalCount: "three" }), {}).examined).toBe(0);
  });
});

describe("the total is where the rows end", () => {
  test.each([
    ["a full page leaves room for more", 2, { limit: 2, offset: 10 }, 12, 0],
    ["a full page shows that there are more", 2, { limit: 2, offset: 10 }, 11, 1],
    ["the last row is row totalCount", 1, { limit: 2, offset: 10 }, 11, 0],
    ["the total is too low", 1, { limit: 2, offset: 10 }, 10, 1],
    ["the total is too high", 1, { limit: 2, offset: 10 }, 12, 1],
    ["nothing comes after the end", 0, { limit: 2, offset: 10 }, 10, 0],
    ["nothing comes before the end", 0, { limit: 2, offset: 10 }, 11, 1],
    ["nothing is there at all", 0, {}, 0, 0],
    ["nothing is there, but the total says so", 0, {}, 1, 1],
  ])("%s", (_, count, request, totalCount, expected) => {
    expect(violations(totalIsWhereRowsEnd(rows(count, { totalCount }), request))).toBe(expected);
  });
});

test("a page that is full by a lower limit of its own does not say where the rows end", () => {
  const short = rows(2, { limit: 2, totalCount: 26 });
  expect(violations(totalIsWhereRowsEnd(short, { limit: 50 }))).toBe(0);
  expect(violations(totalIsWhereRowsEnd(rows(1, { limit: 2, totalCount: 26 }), { limit: 50 }))).toBe(1);
});

test("the oldest rows are on the last page, but those of its first second need not be", () => {
  const last = page("xyz", "xyz", { limit: 50 });
  const known = page("ayzq", "ayzz").rows;
  expect(listedLast(known, last, "").violations).toMatchObject([{ expected: expect.stringMatching(/^order 113 /) }]);
  expect(listedLast(page("y", "y").rows, last, "").examined).toBe(0);
  expect(listedLast(known, page("xyz", "xyz", { limit: 3 }), "").examined).toBe(0);
});

test("totals of pages of one listing are the same, as numbers or as strings", () => {
  const first = rows(1, { totalCount: 12 });
  expect(sameTotalCount(first, [rows(2, { totalCount: "12" }), rows(2, { totalCount: 12 })])).toMatchObject({
    examined: 2,
    violations: [],
  });
  expect(sameTotalCount(first, [rows(2, { totalCount: 12 }), rows(2, { totalCount: 2 })]).violations).toMatchObject([
    { path: "pagination.totalCount", expected: "12 (as on the other page)", seen: "2", answer: 2 },
  ]);
  expect(sameTotalCount(first, [rows(2, undefined)]).examined).toBe(0);
});

describe("a page beyond the end", () => {
  test("is empty and echoes the offset, or how many records could be skipped (P6)", () => {
    expect(violations(emptyBeyondEnd(rows(0, { offset: 99, totalCount: 5 }), 99))).toBe(0);
    expect(violations(emptyBeyondEnd(rows(0, { offset: 5, totalCount: 5 }), 99))).toBe(0);
    expect(violations(emptyBeyondEnd(rows(0, { totalCount: 0 }), 99))).toBe(0);
  });

  test("shows rows, or another offset", () => {
    expect(violations(emptyBeyondEnd(rows(1, { offset: 99, totalCount: 5 }), 99))).toBe(1);
    expect(violations(emptyBeyondEnd(rows(0, { totalCount: 5 }), 99))).toBe(1);
  });

  test("is nothing to judge when the listing has grown past the offset", () => {
    expect(emptyBeyondEnd(rows(1, { offset: 99, totalCount: 100 }), 99).examined).toBe(0);
  });
});

describe("a page in the middle of a longer one", () => {
  const window = page("abcdefgh");

  test("goes on where it says", () => {
    expect(continuesAt(window, page("cdef"), 2)).toMatchObject({ examined: 4, violations: [] });
    expect(continuesAt(window, page("ghijk"), 6)).toMatchObject({ examined: 2, violations: [] });
  });

  test("starts one row early, one late, or from the top", () => {
    expect(violations(continuesAt(window, page("bcde"), 2))).toBe(4);
    expect(violations(continuesAt(window, page("defg"), 2))).toBe(4);
    expect(violations(continuesAt(window, page("abcd"), 2))).toBe(4);
  });

  test("differs in another way at each place: a listing that moves differs alike at others (P3)", () => {
    const found = (whole: string, part: string) =>
      new Set(continuesAt(page(whole), page(part), 0).violations.map(({ row }) => row));
    const before = found("bcde", "cdef");
    expect(found("bcde", "cdef")).toEqual(before);
    expect([...found("abcd", "bcde")].filter((row) => before.has(row))).toEqual([]);
  });

  test("shows another row of the same time", () => {
    expect(continuesAt(window, page("cXef", "cdef"), 2).violations).toMatchObject([
      {
        answer: 1,
        path: "orders[1]",
        expected: expect.stringContaining("100 of market 1 (opening)"),
        seen: expect.stringContaining("88 of market 1"),
      },
    ]);
  });

  test("may order ties as it likes, but not put a row of its own in their place (P4)", () => {
    const tied = page("abcdefgh", "abcccfgh");
    expect(violations(continuesAt(tied, page("bdecf", "bcccf"), 1))).toBe(0);
    expect(violations(continuesAt(tied, page("bdeXf", "bcccf"), 1))).toBe(1);
  });

  test("says nothing about which rows of a tie are on it, when others lie beyond its edge", () => {
    const tied = page("abcdefgh", "abcccfgh");
    expect(continuesAt(tied, page("cef", "ccf"), 3)).toMatchObject({ examined: 1, violations: [] });
    expect(continuesAt(page("abcd", "aaaa"), page("xyz", "aaa"), 1)).toMatchObject({ examined: 0, violations: [] });
    expect(violations(continuesAt(page("abcd", "abcc"), page("bcX", "bcc"), 1))).toBe(0);
  });

  test("is compared by identity, and by times at the coarser precision (R16, W8)", () => {
    const at = (...rows: (readonly [orderId: string, timestamp: string])[]) =>
      pageOf("GetAllOrders", { orders: rows.map(([orderId, timestamp]) => ({ orderId, timestamp })) });
    const long = at(["1", "2025-01-01T00:00:02.0000001Z"], ["2", "2025-01-01T00:00:01Z"]);
    const onPage = (orderId: string, timestamp: string) => continuesAt(long, at([orderId, timestamp]), 0);
    expect(onPage("1", "2025-01-01T02:00:02.0000001+02:00")).toMatchObject({ examined: 1, violations: [] });
    // Another time of the same row breaks the rule on its stored state.
    expect(onPage("1", "2025-01-01T00:00:02Z")).toMatchObject({ examined: 1, violations: [] });
    expect(violations(onPage("3", "2025-01-01T00:00:02.0000002Z"))).toBe(1);
    expect(violations(onPage("3", "2025-01-01T00:00:02Z"))).toBe(0);
  });

  test("has nothing to compare without times, or without rows in common", () => {
    expect(continuesAt(rows(3, {}), rows(2, {}), 1).examined).toBe(0);
    expect(continuesAt(window, page("xyz"), 8)).toMatchObject({
      examined: 0,
      missing: "orders with timestamps of their own that two pages show",
    });
  });
});

describe("a page beside a whole list of another operation", () => {
  test("holds the rows that stand there", () => {
    expect(holdsRowsAt(page("abcdefgh"), page("cdef"), 2)).toMatchObject({ examined: 4, violations: [] });
    expect(violations(holdsRowsAt(page("abcdefgh"), page("bcde"), 2))).toBe(4);
  });

  test("may show rows of the same time in another order (P4)", () => {
    const tied = page("abcd", "abbd");
    expect(holdsRowsAt(tied, page("acbd", "abbd"), 0)).toMatchObject({ examined: 2, violations: [] });
  });
});

describe("ties", () => {
  const tied = page("abcdefgh", "abcccfhh");

  test("are found with their borders", () => {
    expect(tiesOf(tied)).toEqual([
      { from: 2, to: 5 },
      { from: 6, to: 8 },
    ]);
    expect(tiesOf(page("abc"))).toEqual([]);
    expect(tiesOf(page(""))).toEqual([]);
    expect(tiesOf(rows(3, {}))).toEqual([]);
  });

  test("keep their order from page to page", () => {
    expect(tiesKeepOrder(tied, page("defgh", "ccfhh"), 3)).toMatchObject({ examined: 4, violations: [] });
    expect(violations(tiesKeepOrder(tied, page("edfgh", "ccfhh"), 3))).toBe(2);
    expect(violations(tiesKeepOrder(tied, page("cefgh", "ccfhh"), 3))).toBe(1);
  });

  test("are all that is looked at, and only in their own places", () => {
    expect(tiesKeepOrder(page("abcd"), page("cb"), 1).examined).toBe(0);
    expect(tiesKeepOrder(tied, page("cdefgh", "cccfhh"), 3)).toMatchObject({ examined: 0, violations: [] });
  });
});

test("a page short of the end has some rows, whatever its limit", () => {
  expect(someRows(rows(1, { totalCount: 12 }), 9)).toEqual({ examined: 1, violations: [] });
  expect(someRows(rows(0, { totalCount: 12 }), 9).violations).toMatchObject([{ path: "positions", seen: "no rows" }]);
  expect(someRows(rows(0, { totalCount: 12 }), 11).examined).toBe(0);
  expect(someRows(rows(0, undefined), 0).examined).toBe(0);
});

describe("the rows of a page", () => {
  test.each([
    [{ limit: 3 }, 3],
    [{}, 50],
    [{ limit: 0 }, 50],
    [{ limit: 2_000 }, 1_000],
  ])("are no more than %o comes to", (request, most) => {
    expect(atMostLimit(rows(most, undefined), request)).toMatchObject({ examined: 1, violations: [] });
    expect(violations(atMostLimit(rows(most + 1, undefined), request))).toBe(1);
  });
});

describe("rows that were seen elsewhere", () => {
  test("later than the page are due where they are older than its newest row", () => {
    const part = page("bcd", "bcd", { totalCount: "26", limit: 3 });
    expect(listedBefore(page("a").rows, part, "rows")).toMatchObject({ examined: 0, missing: "rows" });
    expect(listedBefore(page("X", "b").rows, part, "rows").examined).toBe(0);
    expect(violations(listedBefore(page("X", "c").rows, part, "rows"))).toBe(1);
    expect(listedBefore(page("c").rows, part, "rows")).toMatchObject({ examined: 1, violations: [] });
  });

  const whole = { limit: 50, totalCount: "4" };

  test("are listed", () => {
    expect(allListed(page("bd").rows, page("abcd", "abcd", whole), "rows")).toMatchObject({
      examined: 2,
      violations: [],
    });
  });

  test("are missing from a whole listing, whatever their time", () => {
    const judgement = allListed(page("bz").rows, page("abcd", "abcd", whole), "rows");
    expect(judgement.violations).toMatchObject([
      { path: "orders", expected: expect.stringContaining("122 of market 1 (opening)") },
    ]);
  });

  test("are missing from a part of the listing only when they are newer than its last row", () => {
    const part = page("acd");
    expect(violations(allListed(page("b").rows, part, "rows"))).toBe(1);
    expect(allListed(page("e").rows, part, "rows")).toMatchObject({ examined: 0, missing: "rows" });
    expect(allListed(page("X", "d").rows, part, "rows").examined).toBe(0);
    // A page as long as its limit may be followed by others, whatever the total says.
    const full = page("acd", "acd", { limit: 3, totalCount: "3" });
    expect(allListed(page("e").rows, full, "rows").examined).toBe(0);
  });
});

test("stillness is told by the rows, their times and the total, not by what else changes", () => {
  const [first, second] = [page("ab"), page("ab", "ac")];
  expect(stableRows(first)).toBe(stableRows(page("ab")));
  expect(stableRows(first)).not.toBe(stableRows(second));
  expect(stableTotal(first)).toBe(stableTotal(second));
  expect(stableTotal(first)).not.toBe(stableTotal(page("ab", "ab", { totalCount: "27" })));
});

test("the total need not stand still where a full page lies well before the end", () => {
  const end = (count: number, totalCount: number, offset = 0) =>
    stableEnd(rows(count, { limit: 50, offset, totalCount }));
  expect(end(50, 100)).toBe(end(50, 101));
  expect(end(50, 50)).not.toBe(end(50, 51));
  expect(end(49, 100)).not.toBe(end(49, 101));
  expect(end(20, 120, 100)).not.toBe(end(20, 121, 100));
  expect(stableEnd(rows(50, undefined))).toBe(stableEnd(rows(49, undefined)));
});
