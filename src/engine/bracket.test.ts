import { describe, expect, test } from "vitest";
import type { JsonObject } from "../connect/json.js";
import { connectError, success } from "./answers.fixture.js";
import { bracket, bracketBudget, reversedBracket, wholeBody } from "./bracket.js";
import { Inconclusive } from "./signals.js";

const stable = wholeBody;

test("gives both readings when A holds still", async () => {
  const [a, b] = await bracket(
    async () => success({ n: 1 }),
    async () => "between",
    stable,
  );
  expect(a.outcome).toMatchObject({ kind: "success", body: { n: 1 } });
  expect(b).toBe("between");
});

test("tries again while A changes, and gives the first pair of readings that hold", async () => {
  const readings = [1, 2, 3, 3];
  let between = 0;
  const [a, b] = await bracket(
    async () => success({ n: readings.shift() ?? 0 }),
    async () => ++between,
    stable,
  );
  expect(a.outcome).toMatchObject({ body: { n: 3 } });
  expect(b).toBe(2);
});

test("is inconclusive when the data never holds still, within its budget (P3)", async () => {
  let requests = 0;
  const reading = bracket(
    async () => success({ n: ++requests }),
    async () => ++requests,
    stable,
  );
  await expect(reading).rejects.toThrow(Inconclusive);
  expect(requests).toBeLessThanOrEqual(bracketBudget(1, 1));
});

test("hands an error back at once, for the check to judge", async () => {
  const [a] = await bracket(
    async () => connectError("internal"),
    async () => 0,
    stable,
  );
  expect(a.outcome).toMatchObject({ kind: "error", code: "internal" });
});

describe("in the other order", () => {
  const inTurn = (values: readonly number[]) => {
    const left = [...values];
    return async () => success({ n: left.shift() ?? 0 });
  };
  const reversed = (a: readonly number[], b: readonly number[]) =>
    reversedBracket(inTurn(a), inTurn(b), stable, (body) => wholeBody(body as JsonObject));

  test("B holds still around A, wherever its answers are", async () => {
    const [a, b] = await reversed([7], [1, 1]);
    expect([a.outcome, b.outcome]).toMatchObject([{ body: { n: 7 } }, { body: { n: 1 } }]);
    const readB = inTurn([1, 2, 2, 2]);
    const several = async () => ({ all: [await readB(), await readB()] });
    await expect(reversedBracket(inTurn([7]), several, stable, () => "")).resolves.toBeDefined();
  });

  test("tries again while B changes, and gives up in the end (P3)", async () => {
    const [a] = await reversed([7, 8], [1, 2, 3, 3]);
    expect(a.outcome).toMatchObject({ body: { n: 8 } });
    await expect(reversed([1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8])).rejects.toThrow(Inconclusive);
  });

  test("holds A against itself where there is nothing else", async () => {
    const alone = (...values: number[]) =>
      reversedBracket(
        inTurn(values),
        async () => {},
        stable,
        () => "",
      );
    expect((await alone(1, 2, 3, 3))[0].outcome).toMatchObject({ body: { n: 3 } });
    await expect(alone(1, 2, 3, 4, 5, 6, 7, 8)).rejects.toThrow(Inconclusive);
  });
});
