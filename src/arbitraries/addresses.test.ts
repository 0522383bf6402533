import fc from "fast-check";
import { expect, test } from "vitest";
import { paddedAddress, recased } from "./addresses.js";

const address = "0x00ab00cd00000000000000000000000000000000";
const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) => fc.sample(arbitrary, { seed: 7, numRuns });

test("a padded address has whitespace around it, of every kind within the cases of one run", () => {
  const dressed = sample(paddedAddress(address), 6);
  for (const text of dressed) {
    expect(text).not.toBe(address);
    expect(text.trim()).toBe(address);
  }
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
