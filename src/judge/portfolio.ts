/** Judges whose portfolio it is, and what it lists (§2 Portfolio). */
import { type Judgement, judgeEach, judgeThat, nothingSeen, show } from "./judgement.js";
import { type LocatedRow, rowPath } from "./located-rows.js";
import type { PortfolioView, PositionView } from "./read.js";
import { nearlyEqual } from "./tolerance.js";

/** The portfolio's `owner` is the requested wallet (R13). The wire rules cover how the address is written. */
export function portfolioOwner(portfolio: PortfolioView | undefined, wallet: string): Judgement {
  if (!portfolio) return nothingSeen("a portfolio");
  return judgeThat(portfolio.owner.toLowerCase() === wallet, {
    path: "portfolio.owner",
    expected: `${wallet} (the requested wallet)`,
    seen: show(portfolio.owner),
  });
}

/** Every position and order in a portfolio, including associated orders, belongs to the requested wallet (R13). */
export function ownersAre(rows: readonly LocatedRow<{ readonly owner: string }>[], wallet: string): Judgement {
  return judgeEach(
    rows,
    (shown) =>
      shown.row.owner.toLowerCase() === wallet
        ? undefined
        : { path: rowPath(shown, "owner"), expected: `${wallet} (the requested wallet)`, seen: show(shown.row.owner) },
    "a portfolio with a position or an order",
  );
}

/** How the totals relate to what the portfolio lists, in words. Only observed, since the text gives no formula (R11). */
export function totalsInWords(portfolio: PortfolioView): Readonly<Record<string, string>> {
  const { positions, totalMargin, totalUnrealizedPnl, totalRealizedPnl, totalEquity, totalProfit, totalLoss } =
    portfolio;
  const sumOf = (amount: (position: PositionView) => number) =>
    positions.reduce((total, position) => total + amount(position), 0);
  const beside = (total: number, other: number, what: string) =>
    `${total}, ${nearlyEqual(total, other) ? "equal to" : `not the ${other} of`} ${what}`;
  return {
    totalMargin: beside(
      totalMargin,
      sumOf(({ allocatedMargin }) => allocatedMargin),
      "allocatedMargin of the positions",
    ),
    totalUnrealizedPnl: beside(
      totalUnrealizedPnl,
      sumOf(({ unrealizedPnl }) => unrealizedPnl),
      "unrealizedPnl of the positions",
    ),
    totalEquity: beside(totalEquity, totalMargin + totalUnrealizedPnl, "totalMargin and totalUnrealizedPnl"),
    totalRealizedPnl: beside(totalRealizedPnl, totalProfit - Math.abs(totalLoss), "totalProfit less totalLoss"),
  };
}
