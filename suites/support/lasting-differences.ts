/** Compares answers on a platform where some row changes all the time, or goes back and forth (P3). */
import type { AnswerOf, StreamAnswer } from "../../src/engine/answer.js";
import type { CheckContext } from "../../src/engine/context.js";
import { knownBody } from "../../src/engine/samples.js";
import type { Judgement, Violation } from "../../src/judge/judgement.js";
import { storedThroughout } from "../../src/judge/relations.js";
import { snapshotNow } from "./resources.js";

/**
 * Pauses between further reads of rows that differ, in milliseconds: uneven, so that what goes back and forth is not read at
 * the same turn each time.
 */
const pausesMs = [300, 700, 500];

/**
 * Reads two answers, and asserts that they agree apart from rows that change meanwhile. A difference that all of several reads
 * show, in both orders, is in a row that did not change.
 *
 * @param judge compares their bodies; each violation is of one `row`
 */
export async function verifyLastingDifferences<Body>(
  [readOne, readOther]: readonly [() => Promise<AnswerOf<Body>>, () => Promise<AnswerOf<Body>>],
  judge: (first: Body, second: Body) => Judgement,
  { inconclusive, pause, verify }: CheckContext,
): Promise<void> {
  const answers = [await readOne(), await readOther()] as const;
  const differencesIn = (first: AnswerOf<Body>, second: AnswerOf<Body>): ReadonlySet<Violation["row"]> => {
    const [body, besideIt] = [knownBody(first), knownBody(second)];
    return new Set(body && besideIt ? judge(body, besideIt).violations.map(({ row }) => row) : []);
  };
  let lasting = differencesIn(...answers);
  const differed = lasting.size > 0;
  for (const ms of pausesMs) {
    if (lasting.size === 0) break;
    await pause(ms);
    const second = await readOther();
    const again = differencesIn(await readOne(), second);
    lasting = new Set([...lasting].filter((row) => again.has(row)));
  }
  if (differed && lasting.size === 0)
    inconclusive("the rows that differed kept changing; a run while the data is stable would settle it");
  verify(...answers).holdsForAnyRows((first, second) => {
    const { violations, ...others } = judge(first, second);
    return { ...others, violations: violations.filter(({ row }) => lasting.has(row)) };
  });
}

/**
 * Asserts that all messages of a stream show the stored fields that its first message and that of a later stream show alike
 * (R16). If not, further streams must show the same.
 */
export async function verifyStoredThroughout(
  { listen, pause, verify }: CheckContext,
  address: string,
  stream: StreamAnswer,
  later: StreamAnswer,
): Promise<void> {
  const afterwards = [later];
  const [body, bodyLater] = [knownBody(stream), knownBody(later)];
  if (body && bodyLater && storedThroughout(body, bodyLater).violations.length > 0)
    for (const ms of pausesMs) {
      await pause(ms);
      afterwards.push(await snapshotNow({ listen }, address));
    }
  verify(stream, ...afterwards).satisfies(storedThroughout);
}
