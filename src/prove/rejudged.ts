import type { Exchange } from "../connect/exchange.js";
import type { CheckResult, Verdict } from "../engine/result.js";
import type { Strength } from "../exploration/covering-array.js";
import { openEnvironment } from "../session/open-environment.js";
import { inMemory, replayWire } from "../session/replay-wire.js";
import { runDirect } from "../session/run-direct.js";
import type { Session } from "../session/session-data.js";

/** A check that came to another verdict when its exchanges were judged again. */
export interface Rejudged {
  readonly rule: string;
  readonly name: string;
  /** Undefined for a check that had no result. */
  readonly before: Verdict | undefined;
  readonly after: Verdict | undefined;
  /** What the second judgement says. */
  readonly message: string;
}

/**
 * Makes the checks of a trial again, on what they exchanged instead of the network, and tells which of them come to another
 * verdict: none, when the exchanges are evidence of the verdicts.
 *
 * @param exchanges what the trial exchanged, by id; the checks were made by one worker
 * @param results what the checks came to, the wire rules on every answer included
 * @param strength how many fields of a request were explored together; what the profile says when absent
 */
export async function rejudgedTheSame(
  session: Session,
  exchanges: ReadonlyMap<string, Exchange>,
  results: readonly CheckResult[],
  strength?: Strength,
): Promise<readonly Rejudged[]> {
  const then = new Map(results.map((result) => [result.name, result]));
  const { recordDir: _, ...unrecorded } = session;
  const wire = replayWire(inMemory(exchanges));
  const environment = openEnvironment(unrecorded, "trial", { wire, still: true, strength });
  const again = await runDirect(unrecorded, environment, { concurrency: 1, only: (name) => then.has(name) });
  const now = new Map(again.results.map((result) => [result.name, result]));
  return [...new Map([...then, ...now]).values()]
    .map(({ rule, name }): Rejudged => {
      const after = now.get(name);
      const message = after?.message ?? after?.violations[0]?.message ?? "";
      return { rule, name, before: then.get(name)?.verdict, after: after?.verdict, message };
    })
    .filter(({ before, after }) => before !== after);
}
