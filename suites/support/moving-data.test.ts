import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/connect/json.js";
import { errorAnswer } from "../../src/engine/answers.fixture.js";
import { contextOn, type FakeTarget } from "../../src/engine/context.fixture.js";
import { Inconclusive } from "../../src/engine/signals.js";
import { positionJson, WALLET } from "../../src/judge/rows.fixture.js";
import type { Endpoint } from "../../src/specification/endpoints.js";
import { walletSubject } from "../../src/subjects/fake-target.fixture.js";
import { messagesSeen, portfoliosSeen, sightingsOf, watchedWallets, watchMovingData } from "./moving-data.js";

const wallets = [walletSubject(WALLET, { openPositions: 1 })];

const shows: FakeTarget = (endpoint) => {
  const positions = [positionJson({ owner: WALLET })];
  return endpoint === "GetPortfolio" ? { portfolio: { positions, totalUnrealizedPnl: 3 } } : { positions };
};

interface Portfolio {
  readonly positions?: readonly { markPrice: number }[];
}

/** As `target` answers, but each answer has another mark price. */
function moving(target: FakeTarget): FakeTarget {
  let markPrice = 100;
  return (endpoint, request) => {
    const body = structuredClone(target(endpoint, request)) as Portfolio & { portfolio?: Portfolio };
    markPrice++;
    for (const position of body.portfolio?.positions ?? body.positions ?? []) position.markPrice = markPrice;
    return body as JsonObject;
  };
}

/** What is asked of each operation. */
function counts(requests: readonly string[]): Record<string, number> {
  const endpoints = requests.map((request) => request.split(" ")[0] ?? "");
  return Object.fromEntries(
    [...new Set(endpoints)].map((name) => [name, endpoints.filter((of) => of === name).length]),
  );
}

/** A context in which no time passes. */
const on = (target: FakeTarget, broken: JsonObject[] = []) =>
  Object.assign(contextOn({ wallets, broken: broken as never[] }, target), { pause: async () => {} });

describe("a watch of moving data", () => {
  test("reads the portfolio and the listing a few times, and the stream once", async () => {
    const context = on(shows);
    const watch = await watchMovingData(context);
    expect(counts(context.requests)).toEqual({ GetOpenPositionsStreaming: 1, GetPortfolio: 12, GetAllPositions: 9 });
    expect(portfoliosSeen(watch)).toHaveLength(12);
    expect(messagesSeen(watch)).toHaveLength(1);
    const { answers, seen } = sightingsOf(watch);
    expect(answers).toHaveLength(21);
    expect(seen.all.map(({ answer }) => answers[answer]?.endpoint)).toEqual(seen.all.map(({ endpoint }) => endpoint));
    expect(seen.all[1]).toMatchObject({ endpoint: "GetPortfolio", totalUnrealizedPnl: 3 });
    expect(seen.all.every(({ positions }) => positions.every(({ row }) => seen.isOpen(row)))).toBe(true);
  });

  test("has streams and, where data move, portfolios of other wallets beside it, for further markets", async () => {
    const other = `0x${"b".repeat(40)}`;
    const rest = { positionId: "1", state: "open", associated: 0, provenance: "portfolio" } as const;
    const triggers = { stopLossPrice: 0, takeProfitPrice: 0 };
    const positions = [WALLET, other].map((owner, at) => ({ owner, marketId: `${1 + at}`, ...triggers, ...rest }));
    const known = [...wallets, walletSubject(other, { openPositions: 1 })];
    const contextWith = (target: FakeTarget) =>
      Object.assign(contextOn({ wallets: known, positions }, target), { pause: async () => {} });
    const still = contextWith(shows);
    await watchMovingData(still);
    expect(counts(still.requests)).toMatchObject({ GetOpenPositionsStreaming: 2, GetPortfolio: 12 });

    const context = contextWith(moving(shows));
    const watch = await watchMovingData(context);
    expect(counts(context.requests)).toMatchObject({ GetOpenPositionsStreaming: 2, GetPortfolio: 18 });
    expect(context.requests.filter((request) => request.includes(other))).toHaveLength(7);
    expect(sightingsOf(watch).answers).toHaveLength(28);
    expect(messagesSeen(watch)).toHaveLength(1);
  });

  test("reads a further page of the listing if the open positions are there", async () => {
    const rest = {
      state: "open",
      associated: 0,
      provenance: "portfolio",
      stopLossPrice: 0,
      takeProfitPrice: 0,
    } as const;
    const positions = [{ positionId: "7", marketId: "1", owner: WALLET, ...rest }];
    const closed = Array.from({ length: 200 }, (_, at) => positionJson({ owner: "0x01", positionId: `${100 + at}` }));
    const target: FakeTarget = (endpoint, request) =>
      endpoint === "GetAllPositions"
        ? { positions: [...closed, positionJson({ owner: WALLET, positionId: "7" })] }
        : shows(endpoint, request);
    const context = Object.assign(contextOn({ wallets, positions }, moving(target)), { pause: async () => {} });
    expect((await watchMovingData(context)).furtherListings).toHaveLength(6);
    expect(context.requests.filter((request) => request.includes("offset"))).toHaveLength(6);
  });

  test("does not ask again for what is refused, nor for what does not exist", async () => {
    const refused = on((endpoint, request) =>
      endpoint === "GetPortfolio" ? errorAnswer("internal") : shows(endpoint, request),
    );
    await watchMovingData(refused);
    expect(counts(refused.requests)).toMatchObject({ GetPortfolio: 1, GetAllPositions: 9 });

    const operation: Endpoint = "GetAllPositions";
    const absent = on(shows, [{ operation, kind: "absent", answered: "404" }]);
    await watchMovingData(absent);
    expect(counts(absent.requests)).toEqual({ GetOpenPositionsStreaming: 1, GetPortfolio: 12 });
  });

  test("goes on with wallets that opened positions meanwhile", async () => {
    let listings = 0;
    const opening = on((endpoint, request) => {
      if (endpoint !== "GetAllPositions" || ++listings < 4) return shows(endpoint, request);
      const opened = ["0x01", "0x02", "0x03", "0x04"].map((owner, index) =>
        positionJson({ owner, positionId: `9${index}` }),
      );
      return { positions: [...opened, positionJson({ owner: WALLET })] };
    });
    const [, ...others] = await watchedWallets(opening);
    expect(others.map(({ address }) => address)).toEqual(["0x01", "0x02", "0x03"]);
    expect(others.map(({ portfolios, listings }) => [portfolios.length, listings.length])).toEqual([
      [14, 0],
      [14, 0],
      [14, 0],
    ]);
    expect(await watchedWallets(on(shows))).toHaveLength(1);
  });

  test("leaves aside what the stream shows of other wallets", async () => {
    const positions = [positionJson({ owner: WALLET }), positionJson({ owner: "0x01" })];
    const context = on((endpoint, request) =>
      endpoint === "GetOpenPositionsStreaming" ? { positions } : shows(endpoint, request),
    );
    const [message] = messagesSeen(await watchMovingData(context));
    expect(message?.positions.map(({ row }) => row.owner)).toEqual([WALLET]);
  });

  test("needs a wallet with an open position", async () => {
    await expect(watchMovingData(contextOn({}, shows))).rejects.toThrow(Inconclusive);
  });
});
