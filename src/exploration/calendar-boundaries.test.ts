import fc from "fast-check";
import { expect, test } from "vitest";
import { boundariesWithin, lastClockChange, startsOfPeriods, yearStartsWithin } from "./calendar-boundaries.js";

const seconds = (text: string) => Date.parse(text) / 1000;
const within = (from: string, to: string) =>
  boundariesWithin(seconds(from), seconds(to)).map((turn) => new Date(turn * 1000).toISOString().slice(0, 10));

test("the last turn of each kind is found: of a year, of a month, of summer time, and a leap day", () => {
  expect(within("2020-06-01", "2024-02-29")).toEqual(["2024-01-01", "2024-02-01", "2023-10-29"]);
  expect(within("2023-12-01", "2024-03-01")).toEqual(["2024-01-01", "2024-02-01", "2024-02-29"]);
  expect(within("2024-06-01", "2025-06-20")).toEqual(["2025-01-01", "2025-06-01", "2025-03-30"]);
  expect(within("2024-06-01", "2025-02-20")).toEqual(["2025-01-01", "2025-02-01", "2024-10-27"]);
  expect(within("2025-03-30", "2025-03-31")).toEqual(["2025-03-30"]);
  expect(within("2025-03-31", "2025-04-01")).toEqual([]);
  expect(within("2025-03-31", "2025-04-02")).toEqual(["2025-04-01"]);
});

test("years, months and days begin at midnight in UTC", () => {
  const beginnings = startsOfPeriods(seconds("2024-03-15T13:14:15Z")).map((time) =>
    new Date(time * 1000).toISOString(),
  );
  expect(beginnings).toEqual(["2024-01-01T00:00:00.000Z", "2024-03-01T00:00:00.000Z", "2024-03-15T00:00:00.000Z"]);
});

test("clocks are changed at one o'clock", () => {
  const change = (latest: string) => new Date(lastClockChange(seconds(latest)) * 1000).toISOString();
  expect(change("2024-04-05T00:00:00Z")).toBe("2024-03-31T01:00:00.000Z");
  expect(change("2024-03-31T01:00:00Z")).toBe("2024-03-31T01:00:00.000Z");
  expect(change("2024-03-31T00:59:59Z")).toBe("2023-10-29T01:00:00.000Z");
});

test("the years within a range are found, the last ones first", () => {
  const years = (from: string, to: string) =>
    yearStartsWithin(seconds(from), seconds(to)).map((year) => new Date(year * 1000).getUTCFullYear());
  expect(years("2021-01-01", "2024-01-01")).toEqual([2023, 2022, 2021]);
  expect(years("2021-01-02", "2024-01-02")).toEqual([2024, 2023, 2022]);
  expect(years("2024-03-01", "2024-05-01")).toEqual([]);
  expect(years("1990-01-01", "2024-05-01")).toEqual([2024, 2023, 2022, 2021, 2020]);
});

test("all of them are at or after the one time and before the other", () => {
  fc.assert(
    fc.property(fc.nat(4_000_000_000), fc.integer({ min: 1, max: 100_000_000 }), (from, length) => {
      for (const turn of boundariesWithin(from, from + length)) {
        expect(turn >= from && turn < from + length).toBe(true);
        expect(turn % 86_400).toBe(0);
      }
    }),
  );
});
