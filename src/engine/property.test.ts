import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { success } from "./answers.fixture.js";
import { AssertionLog } from "./assertion-log.js";
import type { CheckContext } from "./context.js";
import { propertyRun } from "./property.js";
import { Inconclusive, TransportTrouble } from "./signals.js";
import type { CheckRun } from "./suite.js";
import { verifyInto } from "./verify.js";

/** A check run without a target: checks assert on what they make up. */
function checkRunWith(seed: number): CheckRun & { context: CheckContext } {
  const contextOn = (log: AssertionLog) =>
    ({ verify: verifyInto(log), seed, profile: "quick" }) as unknown as CheckContext;
  const log = new AssertionLog();
  return { context: contextOn(log), log, contextOn };
}

const limit = { limit: fc.integer({ min: 0, max: 5000 }) };
const capped =
  (cap: number) =>
  async ({ limit: asked }: { limit: number }, { verify }: CheckContext) => {
    verify(success({ limit: Math.min(asked, cap) }))
      .at("limit")
      .equals(Math.min(asked, 1000));
  };

describe("a property", () => {
  test("that holds makes its assertions and finds nothing", async () => {
    const checkRun = checkRunWith(1);
    await propertyRun({ runs: { quick: 20, full: 20 } }, limit, capped(1000))(checkRun);
    expect(checkRun.log.assertions).toBe(20);
    expect(checkRun.log.violated).toBe(false);
    expect(checkRun.counterexample).toBeUndefined();
  });

  test("that does not hold is shrunk to the smallest request, which the seed reproduces", async () => {
    const run = async () => {
      const checkRun = checkRunWith(7);
      await propertyRun({ runs: { quick: 50, full: 50 } }, limit, capped(999))(checkRun);
      return checkRun;
    };
    const checkRun = await run();
    expect(checkRun.counterexample?.values).toBe('{"limit":1000}');
    expect(checkRun.log.violations(() => "").map(({ count }) => count)).toEqual([1]);
    expect((await run()).counterexample).toEqual(checkRun.counterexample);
  });

  test("is shrunk in a bounded number of cases", async () => {
    let cases = 0;
    const checkRun = checkRunWith(7);
    await propertyRun(
      { runs: { quick: 50, full: 50 } },
      { text: fc.string({ minLength: 500, maxLength: 1_000 }) },
      async (_, { verify }) => {
        cases++;
        verify(success({ limit: 1 }))
          .at("limit")
          .equals(2);
      },
    )(checkRun);
    expect(checkRun.counterexample).toBeDefined();
    expect(cases).toBeLessThanOrEqual(50 + 30);
  });

  test("whose cases are all inconclusive asserts nothing", async () => {
    const checkRun = checkRunWith(1);
    await propertyRun({}, limit, async () => {
      throw new Inconclusive("no wallet");
    })(checkRun);
    expect(checkRun.log.assertions).toBe(0);
    expect(checkRun.log.missing).toBe("no wallet");
  });

  test("stops at trouble with the target, which is no counterexample", async () => {
    const checkRun = checkRunWith(1);
    let cases = 0;
    const run = propertyRun({}, limit, async () => {
      cases++;
      throw new TransportTrouble("gone");
    });
    await expect(run(checkRun)).rejects.toThrow(TransportTrouble);
    expect(cases).toBe(1);
    expect(checkRun.counterexample).toBeUndefined();
  });

  test("that breaks by a fault of its own is no counterexample either", async () => {
    const checkRun = checkRunWith(1);
    const run = propertyRun({}, limit, async () => {
      throw new TypeError("a bug of ours");
    });
    await expect(run(checkRun)).rejects.toThrow(TypeError);
    expect(checkRun.counterexample).toBeUndefined();
  });
});
