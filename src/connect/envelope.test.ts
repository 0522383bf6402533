import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EnvelopeDecoder, encodeEnvelope, endStreamFlag } from "./envelope.js";

const chunked = fc.record({
  messages: fc.array(
    fc.record({
      text: fc.string({ unit: "grapheme" }),
      flags: fc.constantFrom(0, 1, 4, 0x80),
    }),
  ),
  cuts: fc.array(fc.nat(40)),
});

describe("EnvelopeDecoder", () => {
  test("gives back what was encoded, however it is cut into chunks", () => {
    fc.assert(
      fc.property(chunked, ({ messages, cuts }) => {
        const bytes = Buffer.concat(messages.map(({ text, flags }) => encodeEnvelope(text, flags)));
        const decoder = new EnvelopeDecoder(1_000_000);
        const decoded = [];
        let at = 0;
        for (const cut of [...cuts, bytes.length]) {
          decoded.push(...decoder.push(bytes.subarray(at, at + cut)));
          at += cut;
        }
        expect(decoder.end()).toBeUndefined();
        expect(decoded.map(({ flags, payload }) => ({ text: payload.toString(), flags }))).toEqual(messages);
      }),
    );
  });

  test("gives an envelope with its last byte, not later", () => {
    const decoder = new EnvelopeDecoder(100);
    const bytes = encodeEnvelope("{}");
    expect(decoder.push(bytes.subarray(0, 6))).toEqual([]);
    expect(decoder.push(bytes.subarray(6))).toHaveLength(1);
    expect(decoder.push(encodeEnvelope(""))).toHaveLength(1);
  });

  test("reads a large envelope in small chunks", () => {
    const text = "x".repeat(1_000_000);
    const bytes = encodeEnvelope(text);
    const decoder = new EnvelopeDecoder(text.length);
    const envelopes = [];
    for (let at = 0; at < bytes.length; at += 10) envelopes.push(...decoder.push(bytes.subarray(at, at + 10)));
    expect(envelopes.map(({ payload }) => payload.toString() === text)).toEqual([true]);
  });

  test("accepts the largest payload that is allowed, and none that is larger", () => {
    expect(new EnvelopeDecoder(2).push(encodeEnvelope("{}"))).toHaveLength(1);
    const decoder = new EnvelopeDecoder(1);
    expect(decoder.push(encodeEnvelope("{}"))).toEqual([]);
    expect(decoder.problem?.kind).toBe("oversized");
  });

  test("the first problem is final", () => {
    const decoder = new EnvelopeDecoder(100);
    decoder.push(encodeEnvelope("{}", endStreamFlag));
    expect(decoder.ended).toBe(true);
    expect(decoder.problem).toBeUndefined();
    decoder.push(Buffer.from("x"));
    const { problem } = decoder;
    expect(problem?.kind).toBe("after-end");
    expect(decoder.push(encodeEnvelope("{}"))).toEqual([]);
    expect(decoder.end()).toBe(problem);
  });
});
