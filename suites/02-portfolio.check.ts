import { suite } from "../src/engine/define.js";
import { totalsInWords } from "../src/judge/portfolio.js";
import { portfolioOf } from "../src/judge/read.js";

export default suite("§2 Portfolio", ({ observe, invariant }) => {
  // owner: string.
  invariant("portfolio.owner", "portfolio.nested-owners");

  // orders: array of Order (open orders only).
  invariant("portfolio.orders-open-only");

  // Formulas of the portfolio totals: not shown.
  observe("portfolio.totals", async ({ bodyOf, record, required, shared, subject }) => {
    const { address } = subject("walletWithOpenPositions");
    const portfolio = portfolioOf(bodyOf(await shared("GetPortfolio", { owner: address })));
    const totals = totalsInWords(required(portfolio, "needs a portfolio"));
    for (const [total, seen] of Object.entries(totals)) record(total, seen);
  });
});
