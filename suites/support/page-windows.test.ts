import { describe, expect, test } from "vitest";
import { pageBefore, pagesThrough, readBackwards } from "./page-windows.js";

const offsetsAndLimits = (rows: number, seed = 4) =>
  pagesThrough(rows, seed).map(({ offset, limit }) => [offset, limit]);

describe("a listing is read", () => {
  test("in one page if it fits in one", () => {
    expect(offsetsAndLimits(0)).toEqual([[0, 1_000]]);
    expect(offsetsAndLimits(1_000)).toEqual([[0, 1_000]]);
  });

  test("in full pages and small ones across their ends; the last one of three asks for fewer", () => {
    const two = [
      [0, 1_000],
      [970, 60],
      [1_000, 1_000],
    ];
    expect(offsetsAndLimits(1_001)).toEqual(two);
    expect(offsetsAndLimits(2_100)).toEqual([...two, [1_970, 60], [2_000, 995]]);
  });

  test("from its end to its start, and the pages are in order", async () => {
    const read: number[] = [];
    const pages = await readBackwards(pagesThrough(2_100, 4), async ({ offset }) => {
      read.push(offset);
      return offset as never;
    });
    expect(read).toEqual([2_000, 1_970, 1_000, 970, 0]);
    expect(pages.map(({ offset, answer }) => [offset, answer])).toEqual(read.toReversed().map((at) => [at, at]));
  });
});

test("the page before an offset holds rows on either side of it", () => {
  expect(pageBefore(0)).toEqual({ offset: 0, limit: 1_000 });
  expect(pageBefore(1_234)).toEqual({ offset: 1_000, limit: 1_000 });
  expect(pageBefore(2_000)).toEqual({ offset: 1_970, limit: 60 });
});
