import { expect, test } from "vitest";
import type { JsonObject } from "../../src/connect/json.js";
import type { StreamAnswer } from "../../src/engine/answer.js";
import { checkRun, success } from "../../src/engine/answers.fixture.js";
import { contextOn } from "../../src/engine/context.fixture.js";
import type { CheckContext } from "../../src/engine/context.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { judgeEach } from "../../src/judge/judgement.js";
import { positionJson } from "../../src/judge/rows.fixture.js";
import { verifyLastingDifferences, verifyStoredThroughout } from "./lasting-differences.js";

/** Differences between numbers in the same place, one by one. */
const judge = ({ sizes }: JsonObject, { sizes: others }: JsonObject) =>
  judgeEach(
    (sizes as readonly number[]).map((size, index) => ({ size, other: (others as readonly number[])[index], index })),
    ({ size, other, index }) =>
      size === other
        ? undefined
        : { path: `sizes[${index}]`, expected: String(other), seen: String(size), row: `${index} ${size} ${other}` },
    "sizes",
  );

/** Compares reads that show these sizes in turn, and gives what was found, and how often something was read. */
async function compare(shown: (read: number) => readonly number[], beside: (read: number) => readonly number[]) {
  const { verify, violations } = checkRun();
  const pauses: number[] = [];
  const context = { ...contextOn({}, () => ({})), verify, pause: async (ms: number) => void pauses.push(ms) };
  let reads = 0;
  let readsBeside = 0;
  await verifyLastingDifferences(
    [async () => success({ sizes: [...shown(reads++)] }), async () => success({ sizes: [...beside(readsBeside++)] })],
    judge,
    context as CheckContext,
  );
  return { paths: violations().map(({ message }) => message), reads };
}

test("a difference that every read shows is a violation, whatever else changes", async () => {
  const { paths, reads } = await compare(
    (read) => [5, read],
    (read) => [4, -read, 7],
  );
  expect(paths).toEqual(["sizes[0]: expected 4, got 5"]);
  expect(reads).toBeGreaterThan(3);
});

test("rows that agree pass at once", async () => {
  expect(
    await compare(
      () => [5],
      () => [5],
    ),
  ).toEqual({ paths: [], reads: 1 });
});

test("is inconclusive if each difference changes, or is not always there", async () => {
  await expect(
    compare(
      (read) => [read],
      () => [-1],
    ),
  ).rejects.toThrow(Inconclusive);
  await expect(
    compare(
      (read) => [read % 2, 5],
      () => [1, 5],
    ),
  ).rejects.toThrow("kept changing");
});

test("a value in the middle of a stream is wrong only if each later stream shows the first one again", async () => {
  const streamOf = (...margins: readonly number[]) => ({
    ...success({}),
    outcome: {
      kind: "success",
      body: {
        messages: margins.map((allocatedMargin, at) => ({
          at,
          body: { positions: [positionJson({ allocatedMargin })] },
        })),
      },
    },
  });
  const foundIn = async (later: (count: number) => number) => {
    const { verify, violations } = checkRun();
    let count = 0;
    const context = { verify, pause: async () => {}, listen: async () => streamOf(later(++count)) };
    const streams = [streamOf(2, 2, 4, 2), streamOf(2)] as unknown as readonly [StreamAnswer, StreamAnswer];
    await verifyStoredThroughout(context as unknown as CheckContext, "0x", ...streams);
    return violations().map(({ message }) => message.split(":")[0]);
  };
  expect(await foundIn(() => 2)).toEqual(["messages[2].positions[0].allocatedMargin"]);
  expect(await foundIn((count) => (count === 2 ? 4 : 2))).toEqual([]);
});
