import { beforeAll, describe, expect, test } from "vitest";
import { resolveTarget } from "../config/config.js";
import { type JsonObjectInput, stringify } from "../connect/json.js";
import { parseRequest } from "../judge/parsed-request.js";
import { startReferenceServer } from "../reference/server.js";
import { openSession } from "../session/session.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import { int32Max, pageLimitMax } from "../specification/limits.js";
import type { MarketSymbols, Subjects } from "../subjects/subjects.js";
import { planFor } from "./plan.js";

let subjects: Subjects;

beforeAll(async () => {
  const server = await startReferenceServer();
  try {
    const { target } = resolveTarget({ flags: { baseUrl: server.url }, env: {} });
    ({ subjects } = await openSession({ target, profile: "quick", seed: 1 }));
  } finally {
    await server.close();
  }
});

const plan = (endpoint: Endpoint, seed = 1) => planFor(endpoint, { subjects, strength: 2, seed });
const bodies = (endpoint: Endpoint, seed = 1) => plan(endpoint, seed).requests.map(({ body }) => stringify(body));

describe.each(endpointNames)("the requests of %s", (endpoint) => {
  test("try every pair of classes", () => {
    const { interactions } = plan(endpoint);
    expect(interactions.covered).toBe(interactions.of);
    expect(interactions.of).toBeGreaterThan(0);
  });

  test("are documented ones, whatever the seed", () => {
    for (const seed of [1, 2, 3]) {
      for (const body of bodies(endpoint, seed)) expect(parseRequest(endpoint, body, subjects), body).toBeDefined();
    }
  });

  test("are the same for the same seed, and others for another", () => {
    expect(bodies(endpoint)).toEqual(bodies(endpoint));
    expect(bodies(endpoint, 2)).not.toEqual(bodies(endpoint));
  });
});

test.each([1, 2, 3])("the alternatives of a class take turns, so that each is used in every run: seed %i", (seed) => {
  const limits = plan("GetAllOrders", seed).requests.map(({ body }) => body.limit);
  expect(limits).toEqual(expect.arrayContaining([1, pageLimitMax, pageLimitMax + 1, int32Max]));
  const timeouts = plan("GetOrderBook", seed).requests.map(({ headers }) => headers["Connect-Timeout-Ms"]);
  expect(timeouts).toEqual(expect.arrayContaining(["30000", "120000", "3600000", String(int32Max)]));
});

test.each([1, 2, 3])("most triples of classes with an effect meet where every pair does: seed %i", (seed) => {
  const rows = plan("GetOrderBook", seed).requests.map(({ row }) => row);
  const fields = ["sizeInUsd", "offset", "levels", "notation", "selector"];
  const triples = fields.flatMap((a, at) =>
    fields.slice(at + 1).flatMap((b, next) => fields.slice(at + next + 2).map((c) => [a, b, c])),
  );
  const met = rows.flatMap((row) => triples.map((names) => names.map((name) => `${name} ${row[name]}`)));
  const withEffect = met.filter((triple) => !triple.some((each) => /omitted|zero$|false|decimal|more than/.test(each)));
  // One class of sizeInUsd, three of offset and of levels, two of notation and of selector.
  const all = 9 + 6 + 6 + 6 + 6 + 4 + 18 + 18 + 12 + 12;
  expect(new Set(withEffect.map((triple) => triple.join(", "))).size).toBeGreaterThan(0.85 * all);
});

test("the largest wallet and every market take part in every run", () => {
  const [most] = [...subjects.wallets].sort((a, b) => (b.orders ?? 0) - (a.orders ?? 0));
  for (const seed of [1, 2, 3]) {
    expect(bodies("GetOrders", seed).join().toLowerCase()).toContain(most?.address);
    for (const { marketId } of subjects.markets) {
      expect(bodies("GetMarketConfigs", seed).join()).toContain(`"${marketId}"`);
    }
  }
});

test("a wallet is asked for in a market in which it has orders, where the classes leave a choice", () => {
  const [busy, ...rest] = subjects.wallets.filter(({ markets }) => markets.length > 0);
  const spread = rest.map((wallet, index) => ({
    ...wallet,
    markets: [subjects.markets[index % subjects.markets.length]?.marketId ?? ""],
  }));
  const wallets = [...(busy ? [busy] : []), ...spread];
  const { requests } = planFor("GetOrders", { subjects: { ...subjects, wallets }, strength: 2, seed: 1 });
  const others = requests.filter(({ row }) => row.wallet === "some orders" && row.market?.startsWith("market "));
  expect(others.length).toBeGreaterThan(4);
  for (const { body } of others) {
    const asked = parseRequest("GetOrders", stringify(body), { ...subjects, wallets });
    const wallet = wallets.find(({ address }) => address === asked?.wallet);
    expect(wallet?.markets).toContain(asked?.marketId);
  }
});

test.each([
  ["GetMarketIdByName", "assetSymbol"],
  ["GetAllOrders", "address"],
  ["GetOrders", "address"],
  ["GetPortfolio", "owner"],
  ["GetOpenPositionsStreaming", "address"],
] as const)("blanks meet lower, upper and mixed case in %s", (endpoint, field) => {
  const cases = [1, 2, 3].map((seed) => {
    const texts = plan(endpoint, seed).requests.map(({ body }) => String(body[field] ?? "").replace(/^(\s*)0x/, "$1"));
    const padded = texts.filter((text) => text !== text.trim());
    const isUpper = (text: string) => text === text.toUpperCase();
    const isLower = (text: string) => text === text.toLowerCase();
    return [isUpper, isLower, (text: string) => !isUpper(text) && !isLower(text)].map((is) => padded.some(is));
  });
  expect(cases).toEqual(cases.map(() => [true, true, true]));
});

test("a plain request follows each refused one", () => {
  const { afterRefusals } = planFor("GetOrderBook", { subjects, strength: 2, seed: 1 });
  expect(afterRefusals.length).toBeGreaterThan(3);
  for (const { body, after } of afterRefusals) {
    expect(parseRequest("GetOrderBook", stringify(body), subjects)).toBeDefined();
    expect(stringify(after?.body ?? {})).not.toBe(stringify(body));
  }
});

test("one field after another is changed, each time beside the same plain request", () => {
  const { changes } = planFor("GetOrderBook", { subjects, strength: 2, seed: 1 });
  expect(changes.length).toBeGreaterThan(10);
  for (const [index, { row, after }] of changes.entries()) {
    const plain = changes.slice(0, index).findLast((earlier) => earlier.after === undefined);
    if (!after || row === plain?.row) continue;
    expect(after).toBe(plain);
    expect(Object.keys(row).filter((field) => row[field] !== plain?.row[field])).toHaveLength(1);
  }
});

test("the plain request follows again on one that sets a field which it leaves out", () => {
  const { changes } = planFor("GetOrderBook", { subjects, strength: 2, seed: 1 });
  const again = changes.flatMap(({ after, body }) =>
    after ? Object.keys(after.body).filter((name) => after.body[name] !== undefined && body[name] === undefined) : [],
  );
  expect([...new Set(again)].sort()).toEqual(["levels", "limit", "offset", "sizeInUsd", "tickSize", "totalOrderCount"]);
});

test("markets that have a symbol in common are asked for one right after the other", () => {
  const symbolsOf = ({ body }: { readonly body: JsonObjectInput }) => body as unknown as MarketSymbols;
  const { changes } = plan("GetMarketIdByName");
  const plainRows = changes.filter(({ after }) => !after).map(({ row }) => row);
  const pairs = changes.flatMap(({ after, body, row }) =>
    after && plainRows.includes(row) ? [[symbolsOf(after), symbolsOf({ body })] as const] : [],
  );
  expect(pairs.length).toBeGreaterThan(0);
  for (const [one, other] of pairs)
    expect(one.assetSymbol === other.assetSymbol).not.toBe(one.quoteSymbol === other.quoteSymbol);
});

test("a platform without wallets is asked for one that nobody knows", () => {
  const empty = { ...subjects, wallets: [] };
  const { requests, changes } = planFor("GetOrders", { subjects: empty, strength: 2, seed: 1 });
  expect(requests.length).toBeGreaterThan(0);
  expect(changes.length).toBeGreaterThan(0);
});

test("nothing is planned where there is no subject", () => {
  const none = { ...subjects, markets: [] };
  expect(planFor("GetOrderBook", { subjects: none, strength: 2, seed: 1 }).requests).toEqual([]);
});
