import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareInstants,
  digitsShown,
  formatInstant,
  hasUsualNotation,
  type Instant,
  instantFromMillis,
  millisOf,
  parseInstant,
  plusSeconds,
  sameInstant,
  surelyBefore,
} from "./instant.js";

function instant(text: string): Instant {
  const parsed = parseInstant(text);
  if (!parsed) throw new Error(`not an instant: ${text}`);
  return parsed;
}

function order(a: string, b: string): number {
  return Math.sign(compareInstants(instant(a), instant(b)));
}

describe("parseInstant", () => {
  test.each([
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.1Z",
    "2026-01-02T03:04:05.123456789012345678901234567890Z",
    "2026-01-02T03:04:05+00:00",
    "2026-01-02T03:04:05-00:00",
    "2026-01-02T03:04:05.5+23:59",
    "2024-02-29T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "2016-12-31T23:59:60Z",
    "2017-01-01T01:59:60+02:00",
    "2026-01-02t03:04:05z",
    "2026-01-02 03:04:05Z",
  ])("reads %s", (text) => {
    expect(parseInstant(text)).toBeDefined();
  });

  test.each([
    "",
    "2026-01-02",
    "2026-01-02T03:04:05",
    "2026-01-02T03:04Z",
    "2026-01-02T03:04:05.Z",
    "2026-01-02T03:04:05,5Z",
    "2026-01-02T03:04:05+0200",
    "2026-01-02T03:04:05+02",
    "2026-01-02T03:04:05 Z",
    "2026-01-02_03:04:05Z",
    " 2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05Z\n",
    "26-01-02T03:04:05Z",
    "+12026-01-02T03:04:05Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-02T24:00:00Z",
    "2026-01-02T03:60:00Z",
    "2026-01-02T03:04:61Z",
    "2026-01-02T03:04:60Z",
    "2026-01-02T03:04:05+24:00",
    "2026-01-02T03:04:05+02:60",
    "1767323045",
    "Fri, 02 Jan 2026 03:04:05 GMT",
  ])("refuses %j", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test("knows the usual notation from the tolerated ones (W8)", () => {
    expect(hasUsualNotation("2026-01-02T03:04:05Z")).toBe(true);
    expect(hasUsualNotation("2026-01-02T03:04:05.5+02:00")).toBe(true);
    expect(hasUsualNotation("2026-01-02t03:04:05Z")).toBe(false);
    expect(hasUsualNotation("2026-01-02T03:04:05z")).toBe(false);
    expect(hasUsualNotation("2026-01-02 03:04:05Z")).toBe(false);
  });
});

describe("compareInstants", () => {
  test("sees digits far below the nanosecond", () => {
    expect(order("2026-01-02T03:04:05.1234567890123Z", "2026-01-02T03:04:05.1234567890124Z")).toBe(-1);
    expect(order("2026-01-02T03:04:05.000000000001Z", "2026-01-02T03:04:05Z")).toBe(1);
  });

  test("takes .5, .50 and .500 for the same, and .5 for later than .49", () => {
    expect(order("2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05.500Z")).toBe(0);
    expect(order("2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05.49Z")).toBe(1);
    expect(order("2026-01-02T03:04:05.0Z", "2026-01-02T03:04:05Z")).toBe(0);
  });

  test("compares across offsets", () => {
    expect(order("2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05Z")).toBe(0);
    expect(order("2026-01-01T23:30:00-05:30", "2026-01-02T05:00:00z")).toBe(0);
    expect(order("2026-01-02T03:04:05+02:00", "2026-01-02T02:00:00Z")).toBe(-1);
  });

  test("puts a leap second after the second before it and before the next day", () => {
    expect(order("2016-12-31T23:59:60.1Z", "2016-12-31T23:59:59.999Z")).toBe(1);
    expect(order("2016-12-31T23:59:60.999Z", "2017-01-01T00:00:00Z")).toBe(-1);
    expect(order("2016-12-31T23:59:60.5Z", "2017-01-01T01:59:60.5+02:00")).toBe(0);
  });

  test("agrees with arithmetic on arbitrary instants, digits and offsets", () => {
    const written = fc.record({
      seconds: fc.integer({ min: -62_000_000_000, max: 253_000_000_000 }),
      nanos: fc.integer({ min: 0, max: 999_999_999 }),
      digits: fc.integer({ min: 9, max: 14 }),
      offsetMinutes: fc.integer({ min: -1439, max: 1439 }),
    });
    fc.assert(
      fc.property(written, written, (a, b) => {
        const exact = (value: typeof a) => BigInt(value.seconds) * 1_000_000_000n + BigInt(value.nanos);
        const difference = exact(a) - exact(b);
        expect(order(write(a), write(b))).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });

  function write(value: { seconds: number; nanos: number; digits: number; offsetMinutes: number }): string {
    const local = new Date((value.seconds + value.offsetMinutes * 60) * 1000).toISOString().slice(0, -5);
    const minutes = Math.abs(value.offsetMinutes);
    const two = (part: number) => String(part).padStart(2, "0");
    const offset = `${value.offsetMinutes < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
    return `${local}.${String(value.nanos).padStart(9, "0").padEnd(value.digits, "0")}${offset}`;
  }
});

describe("precision (R16)", () => {
  const shown = (time: string) => ({ instant: instant(`2026-01-02T${time}`), digits: digitsShown(time) });
  const isSame = (one: string, other: string) => sameInstant(shown(one), shown(other));

  test("an instant is the same when the other one is rounded or cut off", () => {
    for (const other of ["03:04:59.999Z", "03:05:00Z", "03:05:00.000Z", "03:04:59.99968Z"]) {
      expect(isSame("03:04:59.999678Z", other)).toBe(true);
      expect(isSame(other, "03:04:59.999678Z")).toBe(true);
    }
    expect(isSame("03:04:59.999678Z", "03:04:59.998Z")).toBe(false);
    expect(isSame("03:04:59.999678Z", "03:05:00.001Z")).toBe(false);
    expect(isSame("03:04:59.999678Z", "03:04:59.999679Z")).toBe(false);
  });

  test("what was rounded up may be cut off elsewhere, but not where as many digits are shown", () => {
    expect(isSame("03:04:34.040Z", "03:04:34.03Z")).toBe(true);
    expect(isSame("03:05:00.000Z", "03:04:59Z")).toBe(true);
    expect(isSame("03:04:34.041Z", "03:04:34.03Z")).toBe(false);
    expect(isSame("03:04:34.040Z", "03:04:34.02Z")).toBe(false);
    expect(isSame("03:04:34.040Z", "03:04:34.05Z")).toBe(false);
    expect(isSame("03:04:34.04Z", "03:04:34.03Z")).toBe(false);
  });

  test("one is surely before another when more than a unit lies between them", () => {
    const isBefore = (a: string, b: string, digits: number) =>
      surelyBefore(instant(`2026-01-02T03:04:${a}Z`), instant(`2026-01-02T03:04:${b}Z`), digits);
    expect(isBefore("05.123", "05.123999", 3)).toBe(false);
    expect(isBefore("05.123", "05.124", 3)).toBe(false);
    expect(isBefore("05.123", "05.125", 3)).toBe(true);
    expect(isBefore("05.125", "05.123", 3)).toBe(false);
    expect(isBefore("05.123456788", "05.123456789", 9)).toBe(true);
    expect(isBefore("05.123456789", "05.123456789", 9)).toBe(false);
    expect(isBefore("05", "06", 0)).toBe(false);
    expect(isBefore("05", "07", 0)).toBe(true);
  });
});

describe("conversions", () => {
  test("milliseconds survive the way to an instant and back", () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_000_000_000_000, max: 253_000_000_000_000 }), (milliseconds) => {
        expect(millisOf(instantFromMillis(milliseconds))).toBe(milliseconds);
        expect(millisOf(instant(new Date(milliseconds).toISOString()))).toBe(milliseconds);
      }),
    );
  });

  test("each instant has one canonical text, which reads as the same instant", () => {
    expect(formatInstant(instant("2026-01-02t05:04:05.12300+02:00"))).toBe("2026-01-02T03:04:05.123Z");
    expect(formatInstant(instant("2017-01-01T01:59:60.50+02:00"))).toBe("2016-12-31T23:59:60.5Z");
    expect(formatInstant(instant("1969-12-31T23:59:59Z"))).toBe("1969-12-31T23:59:59Z");
    expect(formatInstant(instant("0099-01-01T00:00:00Z"))).toBe("0099-01-01T00:00:00Z");
  });

  test("plusSeconds keeps the fraction", () => {
    expect(formatInstant(plusSeconds(instant("2026-01-02T03:04:05.0000000001Z"), 60))).toBe(
      "2026-01-02T03:05:05.0000000001Z",
    );
  });
});
