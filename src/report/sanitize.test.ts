import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText, hostileText } from "./run.fixture.js";
import { sanitize, sanitizeLines, sanitizeShort } from "./sanitize.js";

describe("a text from the target", () => {
  test.each([
    ["an escape sequence", "\u001b[31mred", "\\x1b[31mred"],
    ["a C1 control", "\u009b31m", "\\x9b31m"],
    ["line breaks", "a\r\nb", "a\\r\\nb"],
    ["a right-to-left override", "\u202egnp", "\\u202egnp"],
    ["half an emoji", "\ud83d!", "\\ud83d!"],
    ["an invisible tag", "\u{e0041}", "\\u{e0041}"],
    ["what XML forbids", "\u0000\ufffe", "\\x00\\ufffe"],
    ["letters, symbols and whole emoji", "Ünïcödé → 😀", "Ünïcödé → 😀"],
  ])("with %s is shown", (_, text, shown) => {
    expect(sanitize(text)).toBe(shown);
  });

  test("is one printable line, always", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(sanitize(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        expect(sanitize(sanitize(text))).toBe(sanitize(text));
      }),
    );
  });

  test("may keep its line breaks, and nothing else", () => {
    expect(sanitizeLines("a\n\u001bb")).toBe("a\n\\x1bb");
  });

  test("is cut to a length, and says so", () => {
    expect(sanitizeShort("abcdef", 6)).toBe("abcdef");
    expect(sanitizeShort("abcdefg", 6)).toBe("abcde…");
    expect(sanitizeShort("😀".repeat(9), 4)).toBe("😀😀😀…");
    expect(sanitizeShort("expected 2.5, got 2.4321", 22)).toBe("expected 2.5, got…");
    expect(sanitizeShort(`a ${"b".repeat(100)}`, 50)).toBe(`a ${"b".repeat(47)}…`);
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 50 }), (text, length) => {
        expect([...sanitizeShort(text + hostileText, length)].length).toBeLessThanOrEqual(length);
      }),
    );
  });
});
