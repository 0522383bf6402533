import { beforeAll, expect, test } from "vitest";
import { resolveTarget } from "../../config/config.js";
import { stringify } from "../../connect/json.js";
import { startReferenceServer } from "../../reference/server.js";
import { openSession } from "../../session/session.js";
import { endpointNames } from "../../specification/endpoints.js";
import type { Subjects } from "../../subjects/subjects.js";
import { commonSubjects, pairedRequests } from "./requests.js";

let subjects: Subjects;
let others: Subjects;

beforeAll(async () => {
  const server = await startReferenceServer({ orders: 120 });
  try {
    const { target } = resolveTarget({ flags: { baseUrl: server.url }, env: {} });
    ({ subjects } = await openSession({ target, profile: "quick", seed: 1 }));
  } finally {
    await server.close();
  }
  // The same platform with other wallets, and with symbols and ticks of its own.
  others = {
    ...subjects,
    wallets: subjects.wallets.map((wallet) => ({ ...wallet, address: wallet.address.replace(/^0x./, "0x9") })),
    markets: subjects.markets.map((market) => ({
      ...market,
      symbols: { assetSymbol: `X${market.marketId}`, quoteSymbol: "XXX" },
      tickDecimals: (market.tickDecimals ?? 0) + 1,
    })),
  };
});

test("targets that know the same are sent the same requests, to all operations", () => {
  const common = commonSubjects([subjects, subjects]);
  expect([common.areAll, common.subjects.wallets.length]).toEqual([true, subjects.wallets.length]);
  const requests = pairedRequests([subjects, subjects], common, 1, 1);
  expect(requests.filter(({ same }) => !same)).toEqual([]);
  expect(new Set(requests.map(({ endpoint }) => endpoint))).toEqual(new Set(endpointNames));
  expect(requests.map(({ requests: [one] }) => stringify(one.body))).toEqual(
    pairedRequests([subjects, subjects], common, 1, 1).map(({ requests: [one] }) => stringify(one.body)),
  );
});

test("targets of other data are also asked the same of their own, and nothing that only one knows", () => {
  const common = commonSubjects([subjects, others]);
  expect(common.areAll).toBe(false);
  expect(common.subjects.wallets).toEqual([]);
  expect(common.subjects.markets.map(({ marketId }) => marketId)).toEqual(
    subjects.markets.map(({ marketId }) => marketId),
  );
  expect(common.subjects.markets.filter((market) => market.symbols ?? market.tickDecimals)).toEqual([]);
  const requests = pairedRequests([subjects, others], common, 1, 1);
  const ownWallets = new Set(others.wallets.map(({ address }) => address));
  for (const { endpoint, same, requests: both, unusual } of requests.filter(
    ({ endpoint }) => endpoint === "GetPortfolio",
  )) {
    if (unusual) continue;
    expect([endpoint, same]).toEqual(["GetPortfolio", false]);
    const [one, other] = both.map(({ body }) => String(body.owner).trim().toLowerCase());
    expect([ownWallets.has(other ?? ""), ownWallets.has(one ?? "")]).toEqual([true, false]);
  }
  expect(requests.filter(({ endpoint, same }) => endpoint === "GetAllPositions" && !same)).toEqual([]);
});

test("what is at fault is told of each such request", () => {
  const requests = pairedRequests([subjects, subjects], commonSubjects([subjects, subjects]), 1, 1);
  const kinds = new Set(requests.flatMap(({ unusual }) => unusual?.kind ?? []));
  expect(kinds).toContain("a market id of zero");
  expect(kinds).toContain("a count as a string");
});
