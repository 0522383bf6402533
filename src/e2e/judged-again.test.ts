import { describe, expect, test } from "vitest";
import type { Exchange } from "../connect/exchange.js";
import { changedVerdicts } from "../prove/changed-verdicts.js";
import { recordedTrial, verdictOn } from "../run/recorded-trial.fixture.js";
import type { RuleId } from "../specification/catalogue/index.js";

/** Mutants of every kind, each with the rule that it breaks. */
const mutants: readonly [kind: string, mutant: string, breaks: RuleId][] = [
  ["the type of all answers", "get-all-orders-as-text", "wire.content-type"],
  ["a connection that breaks, and is tried again", "weekly-candles-with-limit-reset", "errors.documented-outcome"],
  ["a generated request, shrunk", "order-book-page-size-is-the-total", "order-book.page-size"],
  ["a generated limit, shrunk", "get-all-positions-uncapped", "get-all-positions.limit-cap"],
  ["bracketed pages side by side", "order-pages-overlap-by-one", "pagination.offset-skips-rows"],
  ["an advisory rule", "ties-reversed-after-page-one", "pagination.tie-order"],
  ["request headers", "version-header-required", "protocol.connect-version-optional"],
  ["answers that checks share", "order-ref-rounded-to-double", "order-ref.names-an-order"],
  ["two operations that disagree", "get-orders-status-before-merge", "relations.order-stored-state"],
  ["frames of the stream", "stream-unknown-flag", "events.envelope"],
  ["the end of the stream", "stream-reset-after-ten", "get-open-positions-streaming.until-disconnect"],
];

/** How many orders a server has: more than the largest page holds where that counts, otherwise a few. */
const ordersFor = (rule: RuleId) => (rule === "get-all-positions.limit-cap" ? 2_700 : 200);

describe("judged again on what was exchanged", () => {
  test.each(mutants)("%s: %s is killed just the same", async (_kind, mutant, breaks) => {
    const { session, exchanges, results } = await recordedTrial(mutant, [breaks], { orders: ordersFor(breaks) });
    expect(["fail", "warn"]).toContain(verdictOn(breaks, results));
    expect(await changedVerdicts(session, exchanges, results)).toEqual([]);
  });

  test("a conformant server gets the same verdicts, also where checks wait for each other", async () => {
    const rules: RuleId[] = ["pagination.row-count", "order-book.levels-best", "relations.order-stored-state"];
    const { session, exchanges, results } = await recordedTrial("reference", rules);
    for (const rule of rules) expect(verdictOn(rule, results), rule).toBe("pass");
    expect(await changedVerdicts(session, exchanges, results)).toEqual([]);
  });
});

test("the pace of the stream is judged on the recorded times, and killed just the same", async () => {
  const rule = "get-open-positions-streaming.interval-default";
  const { session, exchanges, results } = await recordedTrial("stream-default-100", [rule]);
  // A busy machine may leave it undecided: then that is judged again.
  expect(["fail", "inconclusive"]).toContain(verdictOn(rule, results));
  expect(await changedVerdicts(session, exchanges, results)).toEqual([]);
});

describe("what cannot be judged again", () => {
  test("is told: an exchange that is missing, and an answer that is another one", async () => {
    const rule = "pagination.limit";
    const { session, exchanges, results } = await recordedTrial("reference", [rule]);
    expect(await changedVerdicts(session, new Map(), results)).toContainEqual(
      expect.objectContaining({
        rule,
        before: "pass",
        after: "inconclusive",
        message: expect.stringContaining("not in the record"),
      }),
    );
    const altered = [...exchanges].map(([id, exchange]): [string, Exchange] => {
      const { response } = exchange;
      const body = response?.body.replace('"limit":50', '"limit":49') ?? "";
      return [id, response ? { ...exchange, response: { ...response, body } } : exchange];
    });
    expect(await changedVerdicts(session, new Map(altered), results)).toContainEqual(
      expect.objectContaining({ rule, before: "pass", after: "fail" }),
    );
  });
});
