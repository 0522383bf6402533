import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { int64Max } from "../specification/limits.js";
import {
  formsBeyondInt64,
  idsBeyondInt64,
  lookalikeIds,
  negativeForms,
  negativeIds,
  nonNumericForms,
  nonNumericIds,
  smallIds,
} from "./selectors.js";

const runs = { seed: 1, numRuns: 500 };
const everyOf = (ids: fc.Arbitrary<string>, holds: (id: string) => boolean) =>
  fc.assert(
    fc.property(ids, (id) => {
      expect(holds(id), id).toBe(true);
    }),
    runs,
  );

describe("ids that must be refused", () => {
  test("are no number in any notation: nothing, letters, or a fraction (S2)", () => {
    const isNone = (id: string) => id.trim() === "" || /[a-z]/i.test(id) || Number(id) % 1 !== 0;
    everyOf(nonNumericIds("5"), isNone);
    expect(nonNumericForms("5").every(isNone)).toBe(true);
    expect(nonNumericForms("5")).toContain("5abc");
  });

  test("never have an exponent, which is left open (S2)", () => {
    everyOf(nonNumericIds("5"), (id) => !/^\d+e\d+$/i.test(id));
  });

  test("lie beyond int64, one of them at a market's id after wrapping around", () => {
    everyOf(idsBeyondInt64, (id) => BigInt(id) > int64Max);
    expect(formsBeyondInt64("7").every((id) => BigInt(id) > int64Max)).toBe(true);
    expect(formsBeyondInt64("7").map((id) => BigInt.asIntN(64, BigInt(id)))).toEqual([-int64Max - 1n, -1n, 0n, 7n]);
  });

  test("are negative, down to the least int64", () => {
    everyOf(negativeIds, (id) => BigInt(id) < 0n && BigInt(id) >= -int64Max - 1n);
    expect(negativeForms("7")).toEqual(["-0", "-1", "-9223372036854775808", "-7", "-18446744073709551609"]);
    expect(BigInt.asIntN(64, BigInt(negativeForms("7").at(-1) ?? ""))).toBe(7n);
  });
});

test("small ids are of one, two and three digits, and not among the known ones", () => {
  const known = new Set(["1", "2", "3", "4", "5", "6", "7", "8"]);
  fc.assert(
    fc.property(smallIds(known), ([one, two, three, ...others]) => {
      expect([one, two?.length, three?.length, others]).toEqual(["9", 2, 3, []]);
    }),
    runs,
  );
  expect(fc.sample(smallIds(new Set([...known, "9"])), runs)[0]).toHaveLength(2);
});

describe("ids that look like a market's", () => {
  test("are the same in their lowest 32 bits, the same JavaScript number, its beginning, or next to it, in turn", () => {
    expect(lookalikeIds(["1", "9007199254740993"])).toEqual([
      { id: "9007199254740992", of: "9007199254740993" },
      { id: "900719925474099", of: "9007199254740993" },
      { id: "4294967297", of: "1" },
      { id: "2", of: "1" },
      { id: "9007203549708289", of: "9007199254740993" },
      { id: "9007199254740994", of: "9007199254740993" },
    ]);
  });

  test("are left out where a market has them, and beyond int64", () => {
    expect(lookalikeIds(["9007199254740993", "9007199254740992"]).map(({ id }) => id)).not.toContain(
      "9007199254740992",
    );
    const idsOf = (...marketIds: readonly string[]) => lookalikeIds(marketIds).map(({ id }) => id);
    expect(idsOf("1", "4294967297")).toEqual(["429496729", "2", "8589934593", "4294967298"]);
    expect(idsOf(String(int64Max))).toEqual(["9223372036854775806", "922337203685477580"]);
    expect(idsOf("4", "42")).not.toContain("4");
  });
});
