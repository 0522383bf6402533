import type { Exchange } from "../connect/exchange.js";
import type { CheckResult, Verdict } from "../engine/result.js";
import type { Strength } from "../exploration/covering-array.js";
import { openEnvironment } from "../session/open-environment.js";
import { inMemory, replayTransport } from "../session/replay-transport.js";
import { runDirect } from "../session/run-direct.js";
import type { Session } from "../session/session-data.js";

/** A check whose verdict changed when its exchanges were judged again. */
export interface ChangedVerdict {
  readonly rule: string;
  readonly name: string;
  /** Undefined when the check had no result. */
  readonly before: Verdict | undefined;
  readonly after: Verdict | undefined;
  /** The message of the second verdict. */
  readonly message: string;
}

/**
 * Executes the checks of a trial again, replaying their exchanges instead of using the network, and returns those whose
 * verdict changed. There are none when the exchanges are evidence of the verdicts.
 *
 * @param exchanges the trial's exchanges by id; one worker must have run all the checks
 * @param results the results of the checks, including the wire rules on every answer
 * @param strength number of request fields explored together; the profile's when absent
 */
export async function changedVerdicts(
  session: Session,
  exchanges: ReadonlyMap<string, Exchange>,
  results: readonly CheckResult[],
  strength?: Strength,
): Promise<readonly ChangedVerdict[]> {
  const resultsBefore = new Map(results.map((result) => [result.name, result]));
  const { recordDir: _, ...unrecorded } = session;
  const transport = replayTransport(inMemory(exchanges));
  const environment = openEnvironment(unrecorded, "trial", { transport, still: true, lagMs: 0, strength });
  const again = await runDirect(unrecorded, environment, { concurrency: 1, only: (name) => resultsBefore.has(name) });
  const now = new Map(again.results.map((result) => [result.name, result]));
  return [...new Map([...resultsBefore, ...now]).values()]
    .map(({ rule, name }): ChangedVerdict => {
      const after = now.get(name);
      const message = after?.message ?? after?.violations[0]?.message ?? "";
      return { rule, name, before: resultsBefore.get(name)?.verdict, after: after?.verdict, message };
    })
    .filter(({ before, after }) => before !== after);
}
