import { describe, expect, test } from "vitest";
import type { Exchange } from "../connect/exchange.js";
import type { Verdict } from "../engine/result.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { openRulingIds, parseReadings, type Readings } from "../specification/readings.js";
import { judgedBy, type RecordedTrial, recordedTrial, verdictOn } from "./recorded-trial.fixture.js";

/** A server, a rule, its verdict where every alternative is accepted, and under each alternative. */
const cases: readonly [
  modification: string,
  rule: RuleId,
  standard: Verdict,
  under: Readonly<Record<string, Verdict>>,
][] = [
  ["reference", "order-ref.id-form", "pass", { "W5=string": "pass", "W5=integer": "fail" }],
  ["order-ref-ids-as-numbers", "order-ref.id-form", "pass", { "W5=string": "fail", "W5=integer": "pass" }],
  ["reference", "selector.unknown-id-code", "pass", { "S4=not-found": "fail", "S4=empty-success": "fail" }],
  ["get-orders-unknown-id-not-found", "selector.unknown-id-code", "pass", { "S4=not-found": "pass" }],
  ["historical-prices-unknown-id-no-candles", "selector.unknown-id-code", "pass", { "S4=empty-success": "pass" }],
  [
    "reference",
    "selector.unknown-symbol",
    "pass",
    { "S5=not-found": "pass", "S5=invalid-argument": "fail", "S5=empty-success": "fail" },
  ],
  [
    "selector-unknown-symbols-invalid",
    "selector.unknown-symbol",
    "pass",
    { "S5=not-found": "fail", "S5=invalid-argument": "pass" },
  ],
  [
    "get-orders-unknown-symbols-match-nothing",
    "selector.unknown-symbol",
    "pass",
    { "S5=not-found": "fail", "S5=empty-success": "pass" },
  ],
  [
    "ties-reversed-after-page-one",
    "pagination.tie-order",
    "warn",
    { "P4=stable-ties": "fail", "P4=any-order": "observed" },
  ],
  ["reference", "pagination.offset-beyond-end", "pass", { "P6=requested-offset": "pass", "P6=clamped-offset": "fail" }],
  [
    "offset-beyond-end-clamped",
    "pagination.offset-beyond-end",
    "pass",
    { "P6=requested-offset": "fail", "P6=clamped-offset": "pass" },
  ],
  ["reference", "get-all-orders.address-blank", "observed", { "P7=omitted": "pass", "P7=refused": "fail" }],
  ["blank-address-refused", "get-all-orders.address-blank", "observed", { "P7=omitted": "fail", "P7=refused": "pass" }],
  ["reference", "errors.malformed-address", "observed", { "R12=refused": "fail", "R12=empty-success": "pass" }],
  [
    "malformed-addresses-refused",
    "errors.malformed-address",
    "observed",
    { "R12=refused": "pass", "R12=empty-success": "fail" },
  ],
  ["reference", "order-book.page-size", "pass", { "B1=effective-limit": "fail", "B1=orders-aggregated": "pass" }],
  [
    "order-book-page-size-is-the-limit",
    "order-book.page-size",
    "pass",
    { "B1=effective-limit": "pass", "B1=orders-aggregated": "fail" },
  ],
  [
    "order-book-limit-counts-per-side",
    "order-book.limit-per-book",
    "warn",
    { "B2=per-book": "fail", "B2=per-side": "observed" },
  ],
  ["order-book-limit-counts-per-side", "order-book.limit-default", "pass", { "B2=per-book": "fail" }],
  ["reference", "order-book.levels-sorted", "pass", { "B4=best-first": "pass", "B4=best-last": "fail" }],
  [
    "order-book-worst-price-first",
    "order-book.levels-sorted",
    "pass",
    { "B4=best-first": "fail", "B4=best-last": "pass" },
  ],
  ["reference", "order-book.level-count", "pass", { "B5=level-count": "pass", "B5=requested-levels": "fail" }],
  [
    "order-book-levels-echoed",
    "order-book.level-count",
    "pass",
    { "B5=level-count": "fail", "B5=requested-levels": "pass" },
  ],
  [
    "order-book-buckets-labelled-by-their-middle",
    "order-book.bucket-alignment",
    "warn",
    { "B8=multiples": "fail", "B8=middles": "observed" },
  ],
];

/** Each server is asked once, for all the rules that are looked at on it. */
const trials = new Map<string, Promise<RecordedTrial>>();

function trialOn(modification: string): Promise<RecordedTrial> {
  const rules = cases.filter(([name]) => name === modification).map(([, rule]) => rule);
  const trial = trials.get(modification) ?? recordedTrial(modification, rules, { orders: 200 });
  trials.set(modification, trial);
  return trial;
}

describe("under a chosen reading", () => {
  test.each(cases)("%s gets a different verdict on %s", async (modification, rule, standard, under) => {
    const trial = await trialOn(modification);
    const verdicts: Record<string, Verdict> = {};
    for (const line of Object.keys(under)) {
      verdicts[line] = verdictOn(rule, await judgedBy(trial, parseReadings([line])));
    }
    expect({ standard: verdictOn(rule, trial.results), under: verdicts }).toEqual({ standard, under });
  });
});

test("a stream that was asked for an interval of zero gets a different verdict by the pace that it keeps", async () => {
  const rule = "get-open-positions-streaming.interval-zero";
  const trial = await recordedTrial("reference", [rule]);
  const verdicts = async (everyMs: number) => {
    const paced = { ...trial, exchanges: new Map([...trial.exchanges].map(([id, it]) => [id, atPace(it, everyMs)])) };
    const readings: Readings[] = [{}, { T3: "zero-is-250" }, { T3: "zero-is-100" }];
    return Promise.all(readings.map(async (chosen) => verdictOn(rule, await judgedBy(paced, chosen))));
  };
  expect(await verdicts(250)).toEqual(["pass", "pass", "fail"]);
  expect(await verdicts(100)).toEqual(["pass", "fail", "pass"]);
});

/** The same stream as if its messages had come at a steady pace: what this machine was busy with does not matter. */
function atPace(exchange: Exchange, everyMs: number): Exchange {
  const { frames, timings } = exchange;
  if (!frames) return exchange;
  const totalMs = frames.length * everyMs;
  return {
    ...exchange,
    frames: frames.map((frame, index) => ({ ...frame, at: 5 + index * everyMs, lagMs: 0 })),
    timings: { ...timings, sentMs: 0, headersMs: 5, totalMs },
    loopLagMs: 0,
  };
}

test("every ruling that leaves a choice changes some verdict", () => {
  const chosen = cases.flatMap(([, , , under]) => Object.keys(under).map((line) => line.split("=")[0]));
  expect(new Set([...chosen, "T3"])).toEqual(new Set(openRulingIds));
});
