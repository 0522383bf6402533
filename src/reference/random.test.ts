import { expect, test } from "vitest";
import { instantOf, instantOfMs, timestampOf } from "./instant.js";
import { hash, mix, Random } from "./random.js";

const draw = (random: Random) => Array.from({ length: 20 }, () => random.next());

test("a seed and a label give one sequence, others give others", () => {
  expect(draw(new Random(1, "a"))).toEqual(draw(new Random(1, "a")));
  expect(draw(new Random(1, "a"))).not.toEqual(draw(new Random(2, "a")));
  expect(draw(new Random(1, "a"))).not.toEqual(draw(new Random(1, "b")));
});

test("numbers are spread evenly over their bounds", () => {
  const random = new Random(1);
  const counts = new Map<number, number>();
  for (let i = 0; i < 6_000; i++) {
    const number = random.integer(1, 6);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  for (const count of counts.values()) expect(count / 1_000).toBeCloseTo(1, 0);
  expect(() => random.pick([])).toThrow(RangeError);
});

test("hashes tell parts and their borders apart", () => {
  const hashes = [
    hash("ab", "c"),
    hash("a", "bc"),
    hash("abc"),
    hash("ab", 1),
    mix(hash("abc"), 1),
    mix(hash("abc"), 2),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("instants keep nanoseconds on their way to a timestamp and back", () => {
  const instant = 1_751_284_799_123_456_789n;
  expect(timestampOf(instant)).toMatchObject({ seconds: 1_751_284_799n, nanos: 123_456_789 });
  expect(instantOf(timestampOf(instant))).toBe(instant);
  expect(instantOfMs(1_751_284_799_123)).toBe(1_751_284_799_123_000_000n);
});
