import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formsOf } from "./secret-forms.js";
import { SecretScanner } from "./secret-scanner.js";

const secret = "pk_live-51H.x+Q/9=aZ~t:7w";

const scan = (text: string, secrets = [secret], mayBeSplit = true) =>
  new SecretScanner(secrets.flatMap((each) => formsOf(each, mayBeSplit))).replace(text, "***");

const hex = (text: string) => Buffer.from(text).toString("hex");

describe("a secret is found", () => {
  test.each<[string, (text: string) => string]>([
    ["as it is", (text) => text],
    ["in capitals", (text) => text.toUpperCase()],
    ["in small letters", (text) => text.toLowerCase()],
    ["in base64", (text) => Buffer.from(text).toString("base64").replace(/=+$/, "")],
    ["in base64url", (text) => Buffer.from(text).toString("base64url")],
    ["in hexadecimal", hex],
    ["in hexadecimal of capitals", (text) => hex(text).toUpperCase()],
    ["escaped for a URL", encodeURIComponent],
    ["escaped for a URL in small letters", (text) => encodeURIComponent(text).toLowerCase()],
    ["escaped for a URL in whole", (text) => hex(text).replace(/../g, "%$&")],
    ["escaped for JSON", (text) => JSON.stringify(text).slice(1, -1)],
    ["escaped for JSON in whole", (text) => [...text].map((each) => `\\u00${hex(each)}`).join("")],
  ])("%s", (_, encode) => {
    expect(scan(`{"a":"${encode(secret)}","b":1}`)).toBe('{"a":"***","b":1}');
    expect(scan(encode(secret))).toBe("***");
  });

  test("in base64 of something that it is a part of, whatever stands around it", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (before, after) => {
        for (const encoding of ["base64", "base64url"] as const) {
          const encoded = Buffer.from(`${before}${secret}${after}`).toString(encoding);
          // Two bytes of a secret at most are left in what is not certain at its ends.
          const left = Buffer.from(scan(encoded).split("***").join("    "), encoding).toString("latin1");
          expect(left).not.toContain(secret.slice(2, 8));
          expect(scan(encoded)).toContain("***");
        }
      }),
    );
  });

  test("in two parts, in two fields or one after the other", () => {
    for (const at of [12, 13]) {
      const [first, second] = [secret.slice(0, at), secret.slice(at)];
      expect(scan(`{"a":"${first}","b":"${second}"}`)).toBe('{"a":"***","b":"***"}');
      expect(scan(`{"a":"${hex(first)}","b":"${hex(second).toUpperCase()}"}`)).toBe('{"a":"***","b":"***"}');
    }
  });

  test("wherever it is in a text, and however often", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("x", "é", '"', "7"), maxLength: 20 })), (texts) => {
        expect(scan(texts.join(secret))).toBe(texts.join("***"));
      }),
    );
  });

  test("beside others, and as a part of one", () => {
    const secrets = ["secret-number-1", "secret-number-1-and-more"];
    expect(scan("a secret-number-1-and-more b secret-number-1 c", secrets)).toBe("a *** b *** c");
  });
});

describe("what is no secret stays", () => {
  test("any other text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(scan(text)).toBe(text);
      }),
    );
  });

  test("a few characters of one, or one that nobody may split", () => {
    expect(scan(`"${secret.slice(0, 11)}"`)).toBe(`"${secret.slice(0, 11)}"`);
    const escapes = (text: string) => [...text].map((each) => `\\u00${hex(each)}`).join("");
    for (const encode of [escapes, (text: string) => hex(text).replace(/../g, "%$&")]) {
      expect(scan(encode(secret.slice(0, 11)))).toBe(encode(secret.slice(0, 11)));
      expect(scan(encode(secret.slice(0, 12)))).toBe("***");
    }
    expect(scan(`"${secret.slice(0, -1)}"`, [secret], false)).toBe(`"${secret.slice(0, -1)}"`);
  });

  test("digits that some part of it has as well", () => {
    const key = "key-123456789012345678";
    expect(scan('{"orderId":"123456789012345678"}', [key])).toBe('{"orderId":"123456789012345678"}');
    expect(scan(key, [key])).toBe("***");
  });

  test("what a secret that repeats itself is like is told soon", () => {
    expect(scan("a".repeat(200_000), ["a".repeat(500)])).toMatch(/^(\*\*\*)+$/);
  });
});
