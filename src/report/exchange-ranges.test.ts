import fc from "fast-check";
import { expect, test } from "vitest";
import { toRanges, withoutRanges, withRanges } from "./exchange-ranges.js";
import { checkResult, resultsOf } from "./run.fixture.js";

const resultsWithExchanges = (exchanges: readonly string[]) =>
  resultsOf({ results: [checkResult("sample.pass", "pass", { exchanges })] });
const exchangesOf = (results: ReturnType<typeof resultsOf>) =>
  results.rules.flatMap(({ checks }) => checks.flatMap(({ exchanges }) => exchanges));

test("exchanges in a row are one range, for each that they were made for", () => {
  const names = ["a on X#shared-2", "b#9", "a on X#shared-1", "a on X#shared-3", "a on X#7", "b#12", "b#10", "odd"];
  expect(toRanges(names)).toEqual(["a on X#shared-1..3", "b#9..10,12", "a on X#7", "odd"]);
});

test("results have the same exchanges again, whatever they are called", () => {
  const stem = fc.constantFrom("a on X#", "a on X: 1..2#", "b#shared-", "round 2#x-", "", "\n#");
  const name = fc.oneof(
    fc.tuple(stem, fc.integer({ min: 0, max: 30 })).map(([text, number]) => `${text}${number}`),
    fc.constantFrom("odd", "", "a#007", "a#1.5", "discovery/1"),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name), (names) => {
      const again = exchangesOf(withoutRanges(withRanges(resultsWithExchanges(names))));
      expect([...again].sort()).toEqual([...names].sort());
    }),
  );
});

test.each(["a#1..999999999", "a#3..2", "a#3..3", "a#1,3..2", "a#1..2..3"])("%s is no range", (name) => {
  expect(() => withoutRanges(resultsWithExchanges([name]))).toThrow(RangeError);
});
