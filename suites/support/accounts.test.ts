import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/connect/json.js";
import { errorAnswer } from "../../src/engine/answers.fixture.js";
import { contextOn, type FakeTarget } from "../../src/engine/context.fixture.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { OTHER_WALLET, orderJson, positionJson, WALLET } from "../../src/judge/rows.fixture.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import type { PositionSubject } from "../../src/subjects/subjects.js";
import { accountsOf, listedAccounts, openOrdersIn, positionsWithOrders } from "./accounts.js";

const wallets = [
  walletSubject(WALLET, { orders: 2, openPositions: 2, markets: ["1"] }),
  walletSubject(OTHER_WALLET, { orders: 2, openPositions: 1 }),
];
const page = (orders: readonly JsonObject[], totalCount = orders.length) => ({
  orders,
  pagination: { totalCount: String(totalCount) },
});

/** A target that shows the position 7 and the order 7 of whoever asks. */
const plain: FakeTarget = (endpoint, { owner, address }) => {
  const asked = { owner: owner ?? address ?? "" };
  if (endpoint === "GetPortfolio")
    return { portfolio: { positions: [positionJson(asked)], orders: [orderJson(asked)] } };
  if (endpoint === "GetOpenPositionsStreaming") return { positions: [positionJson(asked)] };
  return endpoint === "GetAllOrders" ? page([orderJson(asked)]) : { orders: [orderJson(asked)] };
};

/** The same, but the portfolio of one wallet changes all the time. */
function restless(wallet: string): FakeTarget {
  let read = 0;
  return (endpoint, request) =>
    endpoint === "GetPortfolio" && request.owner === wallet
      ? { portfolio: { positions: [positionJson({ positionId: String(++read) })] } }
      : plain(endpoint, request);
}

describe("accounts", () => {
  test("are what four operations say of a wallet between two equal reads of its portfolio (P3)", async () => {
    const context = contextOn({ wallets }, plain);
    const [account, ...others] = await accountsOf(context);
    expect(account?.wallet.address).toBe(WALLET);
    expect(others).toHaveLength(1);
    expect(
      context.requests.filter((request) => request.includes(WALLET)).map((request) => request.split(" ")[0]),
    ).toEqual(["GetPortfolio", "GetOpenPositionsStreaming", "GetOrders", "GetAllOrders", "GetPortfolio"]);
    expect(account && openOrdersIn(account)).toMatchObject({ from: "GetAllOrders with onlyOpen", rows: [{}] });
  });

  test("of a wallet that does not stand still are left out, unless there is no other", async () => {
    const accounts = await accountsOf(contextOn({ wallets }, restless(WALLET)));
    expect(accounts.map(({ wallet }) => wallet.address)).toEqual([OTHER_WALLET]);
    await expect(accountsOf(contextOn({ wallets: wallets.slice(0, 1) }, restless(WALLET)))).rejects.toThrow(
      Inconclusive,
    );
  });

  test("give positions the orders that they refer to", async () => {
    const [first] = await positionsWithOrders(contextOn({ wallets }, plain), "GetOpenPositionsStreaming");
    expect(first?.answer.endpoint).toBe("GetOpenPositionsStreaming");
    expect([...(first?.known.keys() ?? [])]).toEqual(["7 of market 1 (opening)"]);
    const [listing] = await positionsWithOrders(contextOn({ wallets }, plain), "GetAllPositions");
    expect(listing?.known.size).toBe(0);
  });

  test("without any success end the check", async () => {
    const refuses: FakeTarget = () => errorAnswer("internal");
    await expect(positionsWithOrders(contextOn({ wallets }, refuses), "GetPortfolio")).rejects.toThrow(Inconclusive);
  });
});

describe("wallets in the listing", () => {
  const rest = { marketId: "1", stopLossPrice: 0, takeProfitPrice: 0, associated: 1, provenance: "x" };
  const held = (positionId: string, owner: string): PositionSubject => ({ positionId, owner, state: "open", ...rest });
  const listing = Array.from({ length: 600 }, (_, place) =>
    positionJson({ positionId: String(place), owner: place === 5 || place >= 400 ? WALLET : OTHER_WALLET }),
  );

  test("are read where the most of their open positions are", async () => {
    const open = [5, 400, 410, 520].map((place) => held(String(place), WALLET));
    const context = contextOn({ wallets, positions: open }, () => ({ positions: listing }));
    expect(await listedAccounts(context)).toHaveLength(1);
    expect(context.requests).toContain('GetAllPositions {"limit":150,"offset":385}');
  });

  test("are needed", async () => {
    await expect(listedAccounts(contextOn({ wallets }, () => ({ positions: listing })))).rejects.toThrow(Inconclusive);
  });
});
