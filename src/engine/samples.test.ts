import { describe, expect, test } from "vitest";
import type { SampledRows } from "../connect/exchange.js";
import type { JsonObject } from "../connect/json.js";
import { judgeEach } from "../judge/judgement.js";
import type { Answer } from "./answer.js";
import { answerWith, checkRun, errorAnswer, success } from "./answers.fixture.js";
import { bracket } from "./bracket.js";
import { wholeBody } from "./context.fixture.js";
import { EveryAnswer } from "./every-answer.js";
import { Inconclusive } from "./signals.js";
import { usable } from "./usable.js";

/** 1,000,000 rows, of which 200 at the start, 21 between and 3 at the end are there. */
const million: SampledRows = { path: "positions", rows: 1_000_000, first: 200, every: 50_000, last: 3 };
const rowsRead = 200 + 19 + 3;

/** A sample whose rows are numbers; the row at `odd` of the sample is another one. */
function sample(odd?: number, samples: SampledRows = million, count = rowsRead): Answer {
  const positions = Array.from({ length: count }, (_, index) => (index === odd ? -1 : 1));
  return answerWith(
    { kind: "sample", body: { positions, pagination: { limit: 7 } }, bytes: 600_000_000, samples: [samples] },
    200,
  );
}

const allOnes = (body: JsonObject) =>
  judgeEach(body.positions as number[], (row, index) =>
    row === 1 ? undefined : { path: `positions[${index}].size`, expected: "1", seen: String(row) },
  );
const noneThere = () => ({ examined: 1, violations: [{ path: "positions", expected: "a 2", seen: "none" }] });

describe("a sample", () => {
  test("is a success, and neither an error nor a whole body", () => {
    const { log, verify } = checkRun();
    verify(sample()).succeeds();
    expect(log.violated).toBe(false);
    for (const ask of [
      () => verify(sample()).at("pagination.limit").equals(7),
      () => verify(sample()).satisfies(allOnes),
      () => verify(success({}), sample()).satisfies(allOnes),
      () => verify(sample()).body(),
    ]) {
      expect(ask).toThrow(Inconclusive);
      expect(ask).toThrow(
        /572\.2 MB, of which a sample was read \(222 of 1,000,000 rows of positions\).*--profile full/,
      );
    }
    verify(sample()).fails();
    verify(sample()).failsWith("not_found");
    expect(log.violated).toBe(true);
  });

  test("lets a rule pass that holds for any rows; counted is what was seen", () => {
    const { log, verify } = checkRun();
    verify(sample()).holdsForAnyRows(allOnes);
    expect(log.violated).toBe(false);
    expect(log.assertions).toBe(rowsRead);
    expect(log.sampled).toEqual([
      expect.objectContaining({ path: "positions", rows: 1_000_000, read: rowsRead, bytes: 600_000_000 }),
    ]);
  });

  test.each([
    [3, 3],
    [199, 199],
    [200, 50_000],
    [218, 950_000],
    [219, 999_997],
    [221, 999_999],
  ])("shows what is amiss at its row %i in row %i of the answer", (inSample, inAnswer) => {
    const { verify, violations } = checkRun();
    verify(sample(inSample)).holdsForAnyRows(allOnes);
    const [violation] = violations();
    const row = (inAnswer + 1).toLocaleString("en-US");
    expect(violation?.message).toBe(
      `positions[${inAnswer}].size: expected 1, got -1 (row ${row}, in a sample of 222 of 1,000,000 rows of positions)`,
    );
    expect(violation?.pointer).toBe(`/positions/${inAnswer}/size`);
  });

  test("of a few rows lets nothing pass, but shows what is amiss", () => {
    const few: SampledRows = { path: "positions", rows: 60, first: 2, every: 64, last: 3 };
    const { log, verify } = checkRun();
    verify(sample(undefined, few, 5)).holdsForAnyRows(allOnes);
    expect([log.assertions, log.missing]).toEqual([0, expect.stringContaining("5 of 60 rows")]);
    verify(sample(4, few, 5)).holdsForAnyRows(allOnes);
    expect(log.violated).toBe(true);
  });

  test("shows that rows are there, and never that they are not", () => {
    const { log, verify } = checkRun();
    verify(sample()).holdsForSomeRows(allOnes);
    expect(log.assertions).toBe(rowsRead);
    expect(() => verify(sample()).holdsForSomeRows(noneThere)).toThrow(Inconclusive);
    expect(log.violated).toBe(false);
    verify(success({})).holdsForSomeRows(noneThere);
    expect(log.violated).toBe(true);
  });

  test("is usable where that is said, and settles nothing where it is not", () => {
    const whole = success({});
    expect(usable([sample(), whole])).toEqual([whole]);
    expect(usable([errorAnswer("internal"), sample()], "or samples")).toHaveLength(1);
    expect(() => usable([sample()])).toThrow(/a sample was read/);
  });

  test("stands still when the same rows hold the same", async () => {
    const readings = [sample(1), sample(2), sample(2), sample(2)];
    const [settled] = await bracket(
      async () => readings.shift() ?? sample(),
      async () => undefined,
      wholeBody as never,
    );
    expect(settled.outcome).toEqual(sample(2).outcome);
    expect(readings).toEqual([]);
  });

  test("is judged by the wire rules row by row, and not as a whole", () => {
    const every = new EveryAnswer({ subjects: { markets: [], wallets: [], unknown: { wallet: "" } }, readings: {} });
    const positions = Array.from({ length: rowsRead }, (_, index) => ({
      owner: index === 200 ? "0xA" : `0x${"a".repeat(40)}`,
    }));
    every.judge(answerWith({ kind: "sample", body: { positions }, bytes: 600_000_000, samples: [million] }, 200));
    const results = every.results(() => "curl");
    const [owner] = results.filter(({ rule }) => rule === "wire.owner-lowercase" || rule === "wire.owner-evm-address");
    expect(owner?.violations[0]?.places[0]).toMatchObject({ path: "positions[50000].owner" });
    expect(owner?.sampled).toHaveLength(1);
    expect(results.map(({ rule }) => rule)).not.toContain("wire.json-object");
    expect(results.map(({ rule }) => rule)).toContain("wire.content-type");
  });
});
