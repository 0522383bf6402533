import { expect, test } from "vitest";
import { ownersAre, portfolioOwner, totalsInWords } from "./portfolio.js";
import { readPortfolio } from "./read.js";
import { OTHER_WALLET, orderJson, orders, positionJson, positions, WALLET } from "./rows.fixture.js";

test("the portfolio is the requested wallet's (R13)", () => {
  expect(portfolioOwner(undefined, WALLET).examined).toBe(0);
  expect(portfolioOwner(readPortfolio({ owner: WALLET.toUpperCase() }), WALLET)).toEqual({
    examined: 1,
    violations: [],
  });
  expect(portfolioOwner(readPortfolio({ owner: OTHER_WALLET }), WALLET).violations).toHaveLength(1);
  expect(portfolioOwner(readPortfolio({}), WALLET).violations[0]).toMatchObject({
    path: "portfolio.owner",
    seen: '""',
  });
});

test("so is all that is in it", () => {
  expect(ownersAre([...positions(positionJson()), ...orders(orderJson())], WALLET)).toMatchObject({
    examined: 2,
    violations: [],
  });
  const mixed = orders(orderJson(), orderJson({ owner: OTHER_WALLET }));
  expect(ownersAre(mixed, WALLET).violations.map(({ path }) => path)).toEqual(["orders[1].owner"]);
});

test("how totals relate to what is listed is told in words (R11)", () => {
  const positionsOf = [positionJson({ allocatedMargin: 30 }), positionJson({ allocatedMargin: 12 })];
  const totals = {
    totalMargin: 42,
    totalUnrealizedPnl: 40,
    totalEquity: 100,
    totalProfit: 5,
    totalLoss: -3,
    totalRealizedPnl: 2,
  };
  expect(totalsInWords(readPortfolio({ positions: positionsOf, ...totals }))).toEqual({
    totalMargin: "42, equal to allocatedMargin of the positions",
    totalUnrealizedPnl: "40, equal to unrealizedPnl of the positions",
    totalEquity: "100, not the 82 of totalMargin and totalUnrealizedPnl",
    totalRealizedPnl: "2, equal to totalProfit less totalLoss",
  });
});
