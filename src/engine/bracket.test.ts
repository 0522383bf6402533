import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import { errorAnswer, success } from "./answers.fixture.js";
import { bracket, spreadBracket, steadyBracket } from "./bracket.js";
import { wholeBody } from "./context.fixture.js";
import { Inconclusive } from "./signals.js";

const stable = wholeBody;

test("gives both reads when A holds still", async () => {
  const [a, b] = await bracket(
    async () => success({ n: 1 }),
    async () => "between",
    stable,
  );
  expect(a.outcome).toMatchObject({ kind: "success", body: { n: 1 } });
  expect(b).toBe("between");
});

test("tries again while A changes, and gives the first pair of reads that hold", async () => {
  const reads = [1, 2, 3, 3];
  let between = 0;
  const [a, b] = await bracket(
    async () => success({ n: reads.shift() ?? 0 }),
    async () => ++between,
    stable,
  );
  expect(a.outcome).toMatchObject({ body: { n: 3 } });
  expect(b).toBe(2);
});

test("is inconclusive when the data never holds still, after a few attempts (P3)", async () => {
  let requests = 0;
  const read = bracket(
    async () => success({ n: ++requests }),
    async () => ++requests,
    stable,
  );
  await expect(read).rejects.toThrow(Inconclusive);
  expect(requests).toBeLessThanOrEqual(12);
});

test("hands an error back at once, for the check to judge", async () => {
  const [a] = await bracket(
    async () => errorAnswer("internal"),
    async () => 0,
    stable,
  );
  expect(a.outcome).toMatchObject({ kind: "error", code: "internal" });
});

describe("shows that the data moved", () => {
  const page = (totalCount: number) => async () => success({ pagination: { totalCount } });
  const moved = async (...reads: Parameters<typeof bracket<JsonObject, unknown>>) => {
    let motions = 0;
    const [readA, readB, state] = reads;
    await bracket(readA, readB, state, () => motions++);
    return motions;
  };

  test("by another total of the same listing, and by reads that do not hold", async () => {
    expect(await moved(page(7), page(7), stable)).toBe(0);
    expect(await moved(page(7), page(8), stable)).toBe(1);
    expect(await moved(page(7), async () => [await page(7)(), await page(8)()], stable)).toBe(1);
    const reads = [1, 2, 3, 3];
    const changing = async () => success({ n: reads.shift() ?? 0 });
    expect(await moved(changing, async () => 0, stable)).toBe(1);
  });
});

describe("in a last look", () => {
  const spread = async (reads: readonly number[]) => {
    const left = [...reads];
    const pauses: number[] = [];
    const read = async () => success({ n: left.shift() ?? 0 });
    const answers = await spreadBracket(read, read, stable, async (ms) => void pauses.push(ms));
    return { pauses, seen: answers.map(({ outcome }) => outcome) };
  };

  test("reads are further apart than a short cache lasts, and are made once (P3)", async () => {
    const { pauses, seen } = await spread([1, 2, 1]);
    expect(seen).toMatchObject([{ body: { n: 1 } }, { body: { n: 2 } }]);
    expect(pauses.every((ms) => ms > 1_000)).toBe(true);
    expect(pauses).toHaveLength(2);
    await expect(spread([1, 2, 3])).rejects.toThrow(Inconclusive);
  });
});

describe("in a later look", () => {
  const inTurn = (values: readonly number[]) => {
    const left = [...values];
    return async () => success({ n: left.shift() ?? 0 });
  };
  const steady = (a: readonly number[], b: readonly number[]) => steadyBracket(inTurn(a), inTurn(b), stable);

  test("both hold still, each read twice in a row, and B once more, wherever its answers are", async () => {
    const [a, b] = await steady([7, 7], [1, 1, 1]);
    expect([a.outcome, b.outcome]).toMatchObject([{ body: { n: 7 } }, { body: { n: 1 } }]);
    const readB = inTurn([1, 2, 1, 2, 1, 2]);
    const several = async () => ({ all: [await readB(), await readB()] });
    await expect(steadyBracket(inTurn([7, 7]), several, stable)).resolves.toBeDefined();
  });

  test.each([
    ["B changes around A", [7, 7], [1, 1, 2]],
    ["every other answer is a moment behind", [7, 8], [1, 2, 1]],
    ["A changes meanwhile", [7, 8], [1, 1, 1]],
  ])("is made again while %s", async (_, a, b) => {
    const [again] = await steady([...a, 9, 9], [...b, 3, 3, 3]);
    expect(again.outcome).toMatchObject({ body: { n: 9 } });
    await expect(steady([...a, ...a], [...b, ...b])).rejects.toThrow(Inconclusive);
  });

  test("is given up after a few attempts, whatever is read more often", async () => {
    for (const [ofA, ofB, atMost] of [
      [1, 1, 12],
      [1, 3, 22],
      [3, 1, 28],
      [1, 0, 8],
    ] as const) {
      let requests = 0;
      const read = (count: number) => async () => {
        requests += count;
        return success({ n: requests });
      };
      await expect(steadyBracket(read(ofA), read(ofB), stable)).rejects.toThrow();
      expect(requests).toBeLessThanOrEqual(atMost);
    }
  });
});
