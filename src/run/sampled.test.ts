import { describe, expect, test } from "vitest";
import { interpret } from "../connect/interpret.js";
import { samplingLimits } from "../connect/row-sampler.js";
import type { CheckResult } from "../engine/result.js";
import { catalogue, type RuleId } from "../specification/catalogue/index.js";
import { judgedBy, recordedTrial, verdictOn } from "./recorded-trial.fixture.js";

/** A harness for which nearly every list is larger than memory. */
const forgetful = {
  bodyLimit: 12_000,
  sampling: { ...samplingLimits, between: 120_000, edge: 8_000, edgeRows: 30 },
};

/** One for which portfolios and candles are too, and whose samples have only a few rows. */
const moreForgetful = {
  bodyLimit: 3_000,
  sampling: { ...samplingLimits, between: 4_000, edge: 8_000, edgeRows: 5 },
};

/** The outcome of checks, sorted by name. Which places of all answers are shown depends on which answer came first. */
const told = (results: readonly CheckResult[]) =>
  results
    .map(({ name, verdict, assertions, message, violations }) => ({
      ...{ name, verdict, assertions, message },
      violations: name.includes(" on every answer of ") ? [] : violations.map((violation) => violation.message),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

/** Rules on the stream alone take their time, and streams are not sampled. */
const unaryRules = catalogue
  .filter(({ endpoints }) => endpoints.some((endpoint) => endpoint !== "GetOpenPositionsStreaming"))
  .map(({ id }) => id);

describe("answers of which a sample is read", () => {
  test("fail no conformant server, whatever the rule", async () => {
    const trial = await recordedTrial("reference", unaryRules, { settings: moreForgetful });
    const sampled = [...trial.exchanges.values()].filter((exchange) => interpret(exchange).kind === "sample");
    expect(new Set(sampled.map(({ request }) => request.endpoint)).size).toBeGreaterThan(3);
    const blamed = trial.results.filter(({ verdict }) => ["fail", "warn", "error"].includes(verdict));
    expect(told(blamed)).toEqual([]);
    // What takes whole lists is not settled, and the reason says what would settle it.
    const whole = trial.results.filter(({ message = "" }) =>
      message.includes("--profile full reads up to 128 MB and 500,000 rows whole"),
    );
    expect(new Set(whole.map(({ verdict }) => verdict))).toEqual(new Set(["inconclusive"]));
    expect(whole.map(({ rule }) => rule)).toContain("get-orders.all-markets");
  });

  test("settle rules that hold for any rows, and count only what was seen", async () => {
    const settled = [
      "get-orders.owner",
      "get-orders.sorted-by-timestamp",
      "get-orders.all-markets",
      "order.initial-notional",
      "order.market-name",
      "position.effective-size",
      "relations.order-stored-state",
    ] as const;
    const trial = await recordedTrial("reference", settled, { settings: forgetful });
    for (const rule of settled) expect(verdictOn(rule, trial.results)).toBe("pass");
    const [sorted] = trial.results.filter(({ name }) => name.startsWith("get-orders.sorted-by-timestamp"));
    expect(sorted?.message).toMatch(/a sample was judged: \d+ of \d+ rows of orders of GetOrders/);
    const read = sorted?.sampled?.map((sample) => sample.read) ?? [];
    expect(sorted?.assertions).toBeLessThan(read.reduce((sum, rows) => sum + rows, 0) + 1_000);
    expect(sorted?.assertions).toBeGreaterThan(100);
  });

  test.each<readonly [mutant: string, rule: RuleId, settings: typeof forgetful]>([
    ["get-orders-ascending", "get-orders.sorted-by-timestamp", moreForgetful],
    ["get-orders-market-ignored", "get-orders.market-filter", moreForgetful],
    ["order-tick-decimals-of-size", "order.tick-decimals", forgetful],
    ["initial-notional-is-the-margin", "order.initial-notional", forgetful],
    ["order-type-stop-for-triggers", "order.type-market", forgetful],
    ["portfolio-reduce-orders-of-the-vault", "portfolio.nested-owners", moreForgetful],
    ["portfolio-associated-orders-without-owner", "portfolio.nested-owners", moreForgetful],
    ["historical-prices-end-ignored", "get-historical-prices.range", moreForgetful],
  ])("show %s by %s, and what was seen is judged alike from the record", async (mutant, rule, settings) => {
    const trial = await recordedTrial(mutant, [rule], { settings });
    expect(verdictOn(rule, trial.results)).toMatch(/fail|warn/);
    // The first place may be in the smallest answer that shows it, which is known as a whole.
    const places = trial.results.flatMap(({ violations }) => violations.flatMap((violation) => violation.places));
    expect(places.some(({ seen }) => /\((row [\d,]+, )?in a sample of [\d,]+ of [\d,]+ rows/.test(seen))).toBe(true);
    expect(trial.results.some(({ sampled = [] }) => sampled.length > 0)).toBe(true);
    expect(told(await judgedBy(trial, {}))).toEqual(told(trial.results));
  });
});
