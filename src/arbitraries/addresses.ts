import fc from "fast-check";

/**
 * Whitespace around an address (§1 "trimmed of surrounding whitespace"): the characters that JSON counts as whitespace.
 * Standard libraries disagree on any others.
 */
export const blank: fc.Arbitrary<string> = fc.constantFrom(" ", "\t", "\n", "\r");
/** Mostly a few; sometimes more than a length limit that is checked before the text is trimmed would let pass. */
const blanks = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(blank, { minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.array(blank, { minLength: 30, maxLength: 80 }) },
  )
  .map((characters) => characters.join(""));

/** The address with whitespace before it, after it, and on both sides. */
export function paddedAddresses(address: string): readonly fc.Arbitrary<string>[] {
  return [
    blanks.map((before) => before + address),
    blanks.map((after) => address + after),
    fc.tuple(blanks, blanks).map(([before, after]) => before + address + after),
  ];
}

/** The address with some letters in upper case, possibly including the `x` of the prefix. Always differs from the input. */
export function recased(address: string): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.array(fc.boolean(), { minLength: address.length, maxLength: address.length }),
      // A single capital. Shrinking ends here anyway, and it exposes a server that only looks at some of the digits.
      fc.nat({ max: address.length - 1 }).map((place) => Array.from(address, (_, index) => index === place)),
    )
    .map((capitals) => [...address].map((letter, at) => (capitals[at] ? letter.toUpperCase() : letter)).join(""))
    .filter((dressed) => dressed !== address);
}
