import fc from "fast-check";
import { expect, test } from "vitest";
import { paddedAddresses, recased } from "./addresses.js";

const address = "0x00ab00cd00000000000000000000000000000000";
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) => fc.sample(arbitrary, { seed: 7, numRuns });

test("a padded address has whitespace around it, of every kind within the cases of one run", () => {
  const [before = [], after = [], both = []] = paddedAddresses(address).map((padded) => sample(padded, 4));
  for (const text of before) expect(text).toMatch(new RegExp(`^\\s+${address}$`));
  for (const text of after) expect(text).toMatch(new RegExp(`^${address}\\s+$`));
  for (const text of both) expect(text).toMatch(new RegExp(`^\\s+${address}\\s+$`));
  const dressed = [...before, ...after, ...both];
  expect(new Set(dressed.join("").replaceAll(address, ""))).toEqual(new Set(" \t\n\r"));
});

test("a recased address differs from the address in its case alone", () => {
  const dressed = sample(recased(address), 200);
  for (const text of dressed) {
    expect(text).not.toBe(address);
    expect(text.toLowerCase()).toBe(address);
  }
  expect(dressed.some((text) => text.startsWith("0X"))).toBe(true);
  expect(dressed.some((text) => text.startsWith("0x"))).toBe(true);
});
