import { expect, test } from "vitest";
import { type JsonObject, stringify } from "../connect/json.js";
import { trimmed } from "../exploration/rewrites.js";
import type { Judgement } from "../judge/judgement.js";
import type { MarketSubject, Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import { success } from "./answers.fixture.js";
import { contextOn, type FakeTarget } from "./context.fixture.js";
import type { CheckContext } from "./context.js";
import { assertRefused } from "./refusals.js";
import { asRelation, type Relation } from "./relation.js";
import { mostDiverse } from "./relation-pairs.js";
import { holdsBetween } from "./relations.js";

const on = "GetMarketIdByName";
const names = ["BTC", "ETH", "SOL"];
const markets = names.map((assetSymbol, index): MarketSubject => {
  return { marketId: String(index + 1), symbols: { assetSymbol, quoteSymbol: "USD" } } as MarketSubject;
});

/** A context that keeps what was asserted, on a target that looks markets up by their names. */
function lookup(idOf: (symbol: string) => string, alsoAsk: readonly string[] = []) {
  const found: Judgement[] = [];
  const shown: string[][] = [];
  const target: FakeTarget = (_, request) => {
    const answer = success({ marketId: idOf(String(request.assetSymbol)) });
    const { exchange } = answer;
    return { ...answer, exchange: { ...exchange, request: { ...exchange.request, body: stringify(request) } } };
  };
  const unknown = { marketId: "9", wallet: `0x${"9".repeat(40)}`, symbols: { assetSymbol: "X", quoteSymbol: "Y" } };
  const asked = contextOn({ markets, unknown, totals: {} } as Partial<Subjects>, target, on);
  const readings = new Map<string, Promise<unknown>>();
  const context = {
    ...asked,
    alsoAsk,
    runSeed: 7,
    seed: 1,
    strength: 2,
    sharedRead(name: string, read: (words: unknown) => Promise<unknown>) {
      const known = readings.get(name) ?? read(asked);
      readings.set(name, known);
      return known;
    },
    verify: (...answers: AnswerOf<JsonObject>[]) => ({
      satisfies(judge: Judgement | ((...bodies: JsonObject[]) => Judgement)) {
        const bodies = answers.flatMap(({ outcome }) => (outcome.kind === "success" ? [outcome.body] : []));
        const judgement = typeof judge === "function" ? judge(...bodies) : judge;
        found.push(judgement);
        if (judgement.violations.length > 0) shown.push(answers.map(({ exchange }) => exchange.request.body));
      },
      failsWith(...codes: string[]) {
        const accepted = answers.filter(({ outcome }) => outcome.kind === "success");
        const violations = accepted.map(() => ({ path: "", expected: codes.join(" or "), seen: "a success" }));
        found.push({ examined: answers.length, violations });
      },
    }),
  };
  return { context: context as unknown as CheckContext, requests: asked.requests, found, shown };
}

const idByName = (text: string) => String(names.indexOf(text.trim().toUpperCase()) + 1);
const trimming = asRelation(on, { rewrite: trimmed("assetSymbol"), why: "as for the symbol without whitespace" });

const isPadded = (request: string) => {
  const { assetSymbol } = JSON.parse(request.slice(on.length));
  // A blank one is no symbol, and refused.
  return assetSymbol.trim() !== "" && assetSymbol !== assetSymbol.trim();
};

test("every explored answer is held against the plainest way to ask, which is asked once", async () => {
  const { context, requests, found } = lookup(idByName);
  await holdsBetween(trimming, context);
  const explored = new Set(requests.filter(isPadded));
  expect(explored.size).toBeGreaterThan(5);
  expect(found.length).toBeGreaterThanOrEqual(explored.size);
  expect(found.flatMap(({ violations }) => violations)).toEqual([]);
  const before = requests.length;
  await holdsBetween(trimming, context);
  expect(requests).toHaveLength(before);
});

test("a deviation of one market under one way to write it is asked again as it was meant, and found", async () => {
  const { context, found } = lookup((text) => (/^\s*ETH\s+$/.test(text) ? "3" : idByName(text)));
  await holdsBetween(trimming, context);
  const violations = found.flatMap((judgement) => judgement.violations);
  expect(violations.length).toBeGreaterThan(0);
  for (const { path, expected, seen } of violations)
    expect([path, expected, seen]).toEqual(["marketId", "2 (as for the symbol without whitespace)", "3"]);
});

test("a disagreement is shown first by the smallest requests that still show it", async () => {
  const { context, shown } = lookup((text) => (/^\s+ETH\s*$/i.test(text) ? "3" : idByName(text)));
  await holdsBetween(trimming, context);
  const [smallest, original] = shown;
  const { assetSymbol, quoteSymbol } = JSON.parse(smallest?.[0] ?? "");
  expect([assetSymbol.trim(), quoteSymbol]).toEqual(["ETH", "USD"]);
  expect(assetSymbol).toMatch(/^\s/);
  expect(original?.[0]).not.toBe(smallest?.[0]);
});

test("of a few requests those are chosen whose answers have most to show", async () => {
  const judgedOn = async (preferred?: Relation["preferred"]) => {
    const judged: unknown[] = [];
    const holds: Relation["holds"] = (_, { marketId }) => {
      judged.push(marketId);
      return { examined: 1, violations: [] };
    };
    const relation = { ...trimming, holds, sample: { quick: 2, full: 2 }, ...(preferred && { preferred }) };
    await holdsBetween(relation, lookup(idByName).context);
    return new Set(judged);
  };
  for (const id of ["1", "2", "3"]) expect(await judgedOn(({ marketId }) => marketId === id)).toEqual(new Set([id]));
  expect((await judgedOn()).size).toBe(2);
});

test("the request by which a known deviation shows is made and judged, whatever is drawn", async () => {
  const words = `${on} {"assetSymbol":" \\t eth","quoteSymbol":"USD"}`;
  const idOf = (text: string) => (text === " \t eth" ? "3" : idByName(text));
  const drawn = lookup(idOf);
  await holdsBetween(trimming, drawn.context);
  expect(drawn.found.flatMap(({ violations }) => violations)).toEqual([]);
  const also = lookup(idOf, [words, "GetPortfolio {}", "no request"]);
  await holdsBetween(trimming, also.context);
  expect(also.requests).toContain(words);
  expect(also.found.flatMap(({ violations }) => violations).length).toBeGreaterThan(0);
});

test("a value that has to be refused is put into explored requests, and shown by the smallest that is answered", async () => {
  const refusal = { field: "assetSymbol", values: () => ["?"], codes: ["not_found"] } as const;
  const { context, requests, found } = lookup((text) => (text === "?" ? "9" : idByName(text)));
  await assertRefused(refusal, context);
  expect(found.flatMap(({ violations }) => violations)[0]).toMatchObject({ expected: "not_found", seen: "a success" });
  expect(requests.filter((request) => request.includes('"?"')).length).toBeGreaterThanOrEqual(6);
});

test("those are chosen that show most classes, and among equals the preferred one", () => {
  const all = ["a x", "a x", "b x", "a y", "b y"].map((text, index) => {
    const [one = "", two = ""] = text.split(" ");
    return { index, planned: { row: { one, two }, body: {}, headers: {} } };
  });
  expect(mostDiverse(all, 2).map(({ index }) => index)).toEqual([0, 4]);
  expect(mostDiverse(all, 1, ({ index }) => (index === 2 ? 1 : 0)).map(({ index }) => index)).toEqual([2]);
  expect(mostDiverse(all, 9)).toHaveLength(5);
});
