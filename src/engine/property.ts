import fc from "fast-check";
import type { Profile } from "../specification/profile.js";
import { AssertionLog } from "./assertion-log.js";
import type { CheckContext } from "./context.js";
import { sampleSize } from "./sample-size.js";
import { Halt, Inconclusive } from "./signals.js";
import type { CheckRun } from "./suite.js";

/** Named arbitraries that a property is checked on. */
export type Arbitraries = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** The values that named arbitraries generate. */
export type Generated<A extends Arbitraries> = { [Name in keyof A]: A[Name] extends fc.Arbitrary<infer T> ? T : never };

/** How many cases a property-based check runs. */
export interface PropertyRuns {
  /** Number of generated cases; by default 10 in the quick profile and 40 in the full one. */
  readonly runs?: Readonly<Record<Profile, number>>;
}

const defaultRuns = { quick: 10, full: 40 } as const satisfies Record<Profile, number>;
/** Cases that shrinking may try on top of the generated ones. */
const shrinkCases = 30;

/** The run function of a property-based check. */
export function propertyRun<A extends Arbitraries>(
  options: PropertyRuns,
  arbitraries: A | ((context: CheckContext) => A | Promise<A>),
  run: (values: Generated<A>, context: CheckContext) => Promise<void>,
): (checkRun: CheckRun) => Promise<void> {
  const runs = options.runs ?? defaultRuns;
  return async (checkRun) => {
    const { context } = checkRun;
    let casesLeft = runs[context.profile] + shrinkCases;
    const named = typeof arbitraries === "function" ? await arbitraries(context) : arbitraries;
    let smallest: { log: AssertionLog; values: Generated<A> } | undefined;
    let stopped: { reason: unknown } | undefined;

    const property = fc.asyncProperty(fc.record(named), async (generated) => {
      const values = generated as Generated<A>;
      if (stopped || casesLeft-- <= 0) return;
      const log = new AssertionLog();
      try {
        await run(values, checkRun.contextOn(log));
      } catch (signal) {
        if (fc.PreconditionFailure.isFailure(signal)) throw signal;
        if (signal instanceof Inconclusive) log.noteMissing(signal.message);
        else if (!(signal instanceof Halt)) {
          stopped = { reason: signal };
          return;
        }
      }
      if (!log.violated) {
        checkRun.log.absorb(log);
        return;
      }
      smallest = { log, values };
      throw new Error("the property does not hold");
    });

    const outcome = await fc.check(property, {
      seed: context.seed,
      numRuns: sampleSize(runs[context.profile], context),
    });
    if (smallest) {
      checkRun.log.absorb(smallest.log);
      checkRun.counterexample = {
        values: fc.stringify(smallest.values),
        shrinks: outcome.numShrinks,
        seed: context.seed,
      };
    } else if (stopped) throw stopped.reason;
    else if (outcome.failed) throw outcome.errorInstance ?? new Error("the property could not be run");
  };
}
