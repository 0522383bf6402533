import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonInput, jsonNotations, parseJson, parseJsonObject, rawJson, stringify, toPlain } from "./json.js";

describe("parseJson", () => {
  test("gives what JSON.parse gives, large integers apart", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const parsed = parseJson(text);
        expect("value" in parsed && toPlain(parsed.value)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("gives back every integer that was written, whatever stands around it", () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(fc.bigInt(), fc.string(), fc.boolean(), fc.constant(null), fc.array(tie("value")), tie("object")),
      object: fc.dictionary(fc.string(), tie("value")),
    })).object as fc.Arbitrary<Record<string, bigint>>;
    fc.assert(
      fc.property(value, (object) => {
        const text = stringify(object);
        const parsed = parseJson(text);
        expect("value" in parsed && stringify(parsed.value)).toBe(text);
      }),
    );
  });

  test.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["-9223372036854775808", -9223372036854775808n],
    ["18446744073709551615", 18446744073709551615n],
    ["0.12345678901234567890", 0.12345678901234568],
    ["12345678901234567890.5", 12345678901234567000],
    ["12345678901234567890e1", 123456789012345680000],
    ["1e-7", 1e-7],
    ["50.0", 50],
    ["9007199254740993.0", 9007199254740993n],
    ["-9007199254740993.000", -9007199254740993n],
    ["9007199254740993.50", 9007199254740994],
    ["-0", -0],
  ])("reads %s", (text, value) => {
    expect(parseJson(text)).toEqual({ value });
    // Beside a large integer another parser is at work.
    expect(parseJson(`[${text},12345678901234567890]`)).toEqual({ value: [value, 12345678901234567890n] });
  });

  test("takes no digits in strings for integers", () => {
    const text = String.raw`{"a\\":"1234567890123456789","b\"12345678901234567890":1}`;
    expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
  });

  test.each(["", '{"id":12345678901234567890,'])("of members with the same name the last one counts: %s", (large) => {
    expect(parseJson(`${large || "{"}"a":1,"a":2}`)).toMatchObject({ value: { a: 2 } });
  });

  test("a member named __proto__ is a member, and changes no prototype", () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":12345678901234567890}}']) {
      const value = parseJsonObject(text) ?? {};
      expect(Object.keys(value)).toEqual(["__proto__"]);
      expect(value.x).toBeUndefined();
    }
  });

  test.each([
    ["", /Unexpected end/],
    ['{"a":', /Unexpected end/],
    ['{"a":12345678901234567890', /end of object/],
    ["\ufeff{}", /byte order mark/],
    ["{}{}", /after JSON/],
    ["01", /./],
    ["NaN", /./],
    [`[${"[".repeat(100_000)}`, /deeper than 1000/],
    ['{"a":'.repeat(100_000), /deeper than 1000/],
    ["9".repeat(5_000), /5000 digits/],
  ])("tells why a text is not JSON (case %#)", (text, reason) => {
    expect(parseJson(text)).toEqual({ error: expect.stringMatching(reason) });
  });

  test("reads an integer of a thousand digits", () => {
    const digits = "9".repeat(1_000);
    expect(parseJson(digits)).toEqual({ value: BigInt(digits) });
  });
});

describe("stringify", () => {
  test("writes what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(stringify(value as null)).toBe(JSON.stringify(value));
      }),
    );
  });

  test("writes large integers, raw notations, and leaves out what is undefined", () => {
    expect(
      stringify({ id: 18446744073709551615n, limit: rawJson("1e1"), market: undefined, list: [rawJson("-0")] }),
    ).toBe('{"id":18446744073709551615,"limit":1e1,"list":[-0]}');
    expect(stringify(rawJson('{"limit":'))).toBe('{"limit":');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])(
    "refuses %s, which JSON.stringify would quietly change",
    (value) => {
      expect(() => stringify({ value })).toThrow(RangeError);
    },
  );
});

test("toPlain turns large integers into numbers, everywhere", () => {
  expect(toPlain({ a: [1n, { b: 9007199254740993n }], c: "1", d: null })).toEqual({
    a: [1, { b: 9007199254740992 }],
    c: "1",
    d: null,
  });
});

describe.each([undefined, ...jsonNotations])("a text written %s", (notation) => {
  test("means the same", () => {
    const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__"));
    fc.assert(
      fc.property(values, (value) => {
        expect(JSON.parse(stringify(value as JsonInput, notation))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

test("notations differ in blanks, line breaks, escapes and the order of members", () => {
  const value = { a: "x", b: [1, rawJson("1e1")], c: {} };
  expect(jsonNotations.map((notation) => stringify(value, notation))).toEqual([
    '{\n  "a": "x",\n  "b": [\n    1,\n    1e1\n  ],\n  "c": {}\n}\n',
    '{"a": "x", "b": [1, 1e1], "c": {}}',
    '{"\\u0061":"\\u0078","\\u0062":[1,1e1],"\\u0063":{}}',
    '{"c":{},"b":[1,1e1],"a":"x"}',
  ]);
});
