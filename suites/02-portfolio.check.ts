import { suite } from "../src/engine/define.js";
import { describeTotals } from "../src/judge/portfolio.js";
import { portfolioOf } from "../src/judge/read.js";
import { missingData } from "../src/subjects/hints.js";
import { walletWithOpenPositions } from "../src/subjects/select.js";

export default suite("§2 Portfolio", ({ observe, invariant }) => {
  // owner: string.
  invariant("portfolio.owner", "portfolio.nested-owners");

  // orders: array of Order (open orders only).
  invariant("portfolio.orders-open-only");

  // Formulas of the portfolio totals: not shown.
  observe("portfolio.totals", async (context) => {
    const { shared, subjects, bodyOf } = context;
    const wallet = context.required(
      walletWithOpenPositions(subjects),
      missingData(subjects, "walletWithOpenPositions"),
    );
    const portfolio = portfolioOf(bodyOf(await shared("GetPortfolio", { owner: wallet.address })));
    const totals = describeTotals(context.required(portfolio, "needs a portfolio"));
    for (const [total, seen] of Object.entries(totals)) context.record(total, seen);
  });
});
