import { expect, test } from "vitest";
import { connectError, success } from "./answers.fixture.js";
import { bracket, bracketBudget, wholeBody } from "./bracket.js";
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
