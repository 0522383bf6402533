import { expect, test } from "vitest";
import type { JsonObject } from "../../src/connect/json.js";
import { contextOn, type FakeTarget } from "../../src/engine/context.fixture.js";
import type { Judgement } from "../../src/judge/judgement.js";
import { orderJson, WALLET } from "../../src/judge/rows.fixture.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import { pagesMatchWalletOrders } from "./wallet-pages.js";

const count = 1_300;
const all = Array.from({ length: count }, (_, place) =>
  orderJson({
    orderId: String(place),
    timestamp: new Date(Date.UTC(2026, 0, 1) - place * 1_000).toISOString(),
    status: place % 10 === 0 ? "ORDER_STATUS_PENDING" : "ORDER_STATUS_CLOSED",
  }),
);
const open = all.filter((_, place) => place % 10 === 0);

/** A target with one wallet, which skips as many orders as a function makes of the offset. */
const listing =
  (skipped: (offset: number, limit: number) => number): FakeTarget =>
  (endpoint, { limit, offset = 0, onlyOpen }) => {
    if (endpoint === "GetOrders") return { orders: all };
    const rows = onlyOpen === true ? open : all;
    const from = skipped(Number(offset), Number(limit));
    return {
      orders: rows.slice(from, from + Number(limit)),
      pagination: { limit: Number(limit), offset: Number(offset), totalCount: String(rows.length) },
    };
  };

/** The number of violations on such a target, and what was asked for. */
async function judged(target: FakeTarget, seed = 1) {
  const wallets = [walletSubject(WALLET, { orders: count, openOrders: open.length })];
  const context = contextOn({ wallets }, target);
  const ask: typeof context.ask = async (endpoint, request = {}) => ({
    ...(await context.shared(endpoint, request)),
    request,
  });
  let violations = 0;
  const verify = (...answers: readonly { readonly outcome: { readonly body: JsonObject } }[]) => ({
    satisfies(judge: Judgement | ((...bodies: readonly JsonObject[]) => Judgement)) {
      const judgement = typeof judge === "function" ? judge(...answers.map(({ outcome }) => outcome.body)) : judge;
      violations += judgement.violations.length;
    },
  });
  await pagesMatchWalletOrders(
    Object.assign(context, { ask, verify, note: () => {}, runSeed: seed }) as typeof context,
  );
  return { violations, requests: context.requests };
}

test("pages all over the listing hold the rows that stand there in the whole list", async () => {
  const { violations, requests } = await judged(listing((offset) => offset));
  expect(violations).toBe(0);
  const pages = requests.filter((request) => request.startsWith("GetAllOrders"));
  expect(pages).toHaveLength(12 + 1 + 3);
  expect(pages.filter((page) => page.includes('"onlyOpen":true'))).toHaveLength(3);
  expect(pages).toContain(`GetAllOrders {"address":"${WALLET}","limit":1000,"offset":1000}`);
});

test.each([1, 2, 3])("a shift in one part of the listing is found with the seed %i", async (seed) => {
  const found = async (skipped: (offset: number, limit: number) => number) =>
    (await judged(listing(skipped), seed)).violations;
  expect(await found((offset) => (offset >= 100 && offset <= 200 ? offset - 1 : offset))).toBeGreaterThan(0);
  expect(await found((offset) => Math.min(offset, 1_000))).toBeGreaterThan(0);
  expect(await found((offset, limit) => (limit === 1_000 ? offset - 1 : offset))).toBeGreaterThan(0);
});

test("where other rules are broken, nothing is said", async () => {
  const short: FakeTarget = (endpoint, request) =>
    endpoint === "GetOrders" ? { orders: all.slice(1) } : listing((offset) => offset)(endpoint, request);
  const reversed: FakeTarget = (endpoint, request) =>
    endpoint === "GetOrders" ? { orders: all.toReversed() } : listing((offset) => offset)(endpoint, request);
  expect((await judged(short)).violations + (await judged(reversed)).violations).toBe(0);
});
