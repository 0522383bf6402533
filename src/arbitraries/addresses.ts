import fc from "fast-check";

/**
 * Whitespace that surrounds an address (§1 "trimmed of surrounding whitespace"): what JSON takes for it too. What else counts as
 * whitespace differs from one standard library to the next.
 */
export const blank: fc.Arbitrary<string> = fc.constantFrom(" ", "\t", "\n", "\r");
const blanks = fc.array(blank, { maxLength: 6 }).map((characters) => characters.join(""));

/** The address with whitespace before it, after it, or on both sides. */
export function padded(address: string): fc.Arbitrary<string> {
  return fc
    .tuple(blanks, blanks)
    .filter(([before, after]) => before !== "" || after !== "")
    .map(([before, after]) => before + address + after);
}

/** The address with some of its letters, the `x` of its prefix included, in capitals; never as it was. */
export function recased(address: string): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.array(fc.boolean(), { minLength: address.length, maxLength: address.length }),
      // A single capital: shrinking ends here anyway, and a server that looks at some digits only shows.
      fc.nat({ max: address.length - 1 }).map((place) => Array.from(address, (_, index) => index === place)),
    )
    .map((capitals) => [...address].map((letter, at) => (capitals[at] ? letter.toUpperCase() : letter)).join(""))
    .filter((dressed) => dressed !== address);
}
