import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keptRows, type SampledRows } from "./exchange.js";
import { RowSampler, type SamplingLimits, samplingLimits } from "./row-sampler.js";

const small: SamplingLimits = { ...samplingLimits, between: 1_000, edge: 400, edgeRows: 5 };

interface Sampled {
  readonly text: string;
  readonly samples: readonly SampledRows[];
  readonly refusal?: string;
}

/** Samples a text that comes in chunks of these lengths, over and over. */
function sample(text: string, limits = small, lengths: readonly number[] = [64]): Sampled {
  const bytes = Buffer.from(text);
  const sampler = new RowSampler(limits);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const end = at + (lengths[turn % lengths.length] ?? 1);
    const refusal = sampler.push(bytes.subarray(at, end));
    if (refusal !== undefined) return { text: "", samples: [], refusal };
    at = end;
  }
  const { bytes: kept, samples } = sampler.end();
  return { text: kept.toString(), samples };
}

/** The rows of a path in a value; of members with the same name the last one counts. */
const rowsAt = (value: unknown, path: string): unknown[] => {
  const rows = path
    .split(".")
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
  return Array.isArray(rows) ? rows : [];
};

/** A value with the rows of its sampled arrays taken away. */
function withoutRows(value: unknown, paths: readonly string[], at: readonly string[] = []): unknown {
  if (Array.isArray(value)) return paths.includes(at.join(".")) ? "rows" : value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutRows(member, paths, [...at, name])]),
  );
}

const order = (index: number) => ({ orderId: `${index}`, note: 'a "quoted" ] } , [ { \\ text, ü€😀' });

describe("a sample of rows", () => {
  test("keeps what is outside, the first rows, the last ones, and every so many-th between", () => {
    const body = { before: "[", orders: Array.from({ length: 500 }, (_, index) => order(index)), totalCount: 500 };
    const { text, samples } = sample(JSON.stringify(body));
    const [orders] = samples;
    expect(samples).toEqual([
      { path: "orders", rows: 500, first: expect.any(Number), every: 64, last: expect.any(Number) },
    ]);
    const kept = orders ? keptRows(orders) : [];
    expect(kept).toEqual(expect.arrayContaining([0, 1, 64, 448, 498, 499]));
    expect(JSON.parse(text)).toEqual({ ...body, orders: kept.map(order) });
  });

  test("of any JSON object in any chunks is that object, but for rows that it tells of", () => {
    const row = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.record({ text: fc.string({ unit: "binary" }), list: fc.array(fc.string(), { maxLength: 3 }) }),
    );
    const rows = fc.oneof(fc.array(row, { maxLength: 40 }), fc.array(fc.nat(), { minLength: 30, maxLength: 60 }));
    const name = fc.string({ minLength: 1 }).filter((text) => !text.includes(".") && text !== "__proto__");
    const { tree } = fc.letrec((tie) => ({
      tree: fc.dictionary(name, fc.oneof({ depthSize: "small" }, rows, fc.jsonValue({ maxDepth: 0 }), tie("tree"))),
    }));
    const chunks = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 6 });
    const blanks = fc.constantFrom("", " ", "\n\t");
    let sampled = 0;
    fc.assert(
      fc.property(tree, chunks, blanks, (value, lengths, blank) => {
        const text = JSON.stringify(value, undefined, blank);
        const found = sample(text, small, lengths);
        const kept: unknown = JSON.parse(found.text);
        const paths = found.samples.map(({ path }) => path);
        expect(withoutRows(kept, paths)).toEqual(withoutRows(JSON.parse(text), paths));
        for (const of of found.samples) {
          const all = rowsAt(JSON.parse(text), of.path);
          expect(of.rows).toBe(all.length);
          expect(rowsAt(kept, of.path)).toEqual(keptRows(of).map((index) => all[index]));
          sampled++;
        }
      }),
      { numRuns: 60 },
    );
    expect(sampled).toBeGreaterThan(10);
  });

  test("knows arrays by the objects around them, and looks into none of their rows", () => {
    const rows = Array.from({ length: 300 }, (_, index) => ({ index, nested: [{ deep: [1, 2, 3] }] }));
    const body = { portfolio: { "posi\u00e9\n": rows, orders: [] }, prices: Array.from({ length: 4_000 }, () => 7) };
    const { text, samples } = sample(JSON.stringify(body));
    expect(samples.map(({ path, rows: count }) => [path, count])).toEqual([
      ["portfolio.posi\u00e9\n", 300],
      ["prices", 4_000],
    ]);
    expect(JSON.parse(text).portfolio.orders).toEqual([]);
  });

  test.each([
    ["a text that ends within a row", (text: string) => text.slice(0, text.length / 2)],
    ["one that ends before its last bracket", (text: string) => text.slice(0, -1)],
    ["one with something after it", (text: string) => `${text} x`],
    ["a comma after the last row", (text: string) => text.replace("]}", ",]}")],
    ["a bracket too many", (text: string) => text.replace('"1"}', '"1"}}')],
  ])("is no JSON when the text is not: %s", (_, spoil) => {
    const text = JSON.stringify({ orders: Array.from({ length: 400 }, (__, index) => ({ id: String(index) })) });
    expect(() => JSON.parse(sample(spoil(text)).text)).toThrow(SyntaxError);
    expect(() => JSON.parse(sample(text).text)).not.toThrow();
  });

  test.each<[string, Partial<SamplingLimits>, RegExp]>([
    ["in all", { body: 10_000 }, /larger than the 10000 bytes of which a sample is read/],
    ["in one row", { row: 20 }, /a row of the body is larger than the 20 bytes/],
    ["outside of rows", { outside: 300 }, /more than the 300 bytes outside of rows/],
    ["in what is kept", { kept: 1_000 }, /a sample of the body is larger than the 1000 bytes/],
  ])("is refused when the text is too large %s", (_, limit, reason) => {
    const rows = Array.from({ length: 400 }, (__, index) => order(index));
    const text = JSON.stringify({ padding: "x".repeat(400), orders: rows, more: rows });
    expect(sample(text, { ...small, ...limit }).refusal).toMatch(reason);
    expect(sample(text).refusal).toBeUndefined();
  });

  test("takes no more memory for many small rows than for few large ones", () => {
    const { text, samples } = sample(
      JSON.stringify({ digits: Array.from({ length: 100_000 }, () => 1) }),
      small,
      [4096],
    );
    expect(text.length).toBeLessThan(small.between);
    expect(samples[0]?.rows).toBe(100_000);
  });
});
