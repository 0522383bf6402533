import { activeOnly, describeTotals, ownersAre, portfolioOwner } from "../src/judge/portfolio.js";
import { portfolioOf } from "../src/judge/read.js";
import { listedOrders, shownOrders, shownPositions } from "../src/judge/shown.js";
import { lacking } from "../src/subjects/hints.js";
import { walletWithOpenPositions } from "../src/subjects/select.js";
import { suite } from "../src/verdict/define.js";
import { portfoliosOf } from "../src/verdict/resources.js";

export default suite("§2 Portfolio", ({ check, observe, invariant }) => {
  invariant("portfolio.owner", "portfolio.nested-owners", "portfolio.orders-open-only");

  // owner: string.
  check("portfolio.owner", { requests: 1 }, async (context) => {
    for (const { wallet, answer } of await portfoliosOf(context)) {
      context.verify(answer).holdsForAnyRows((body) => portfolioOwner(portfolioOf(body), wallet.address));
    }
  });

  check("portfolio.nested-owners", { requests: 1 }, async (context) => {
    for (const { wallet, answer } of await portfoliosOf(context)) {
      context.verify(answer).holdsForAnyRows((body) => {
        const rows = [...shownPositions("GetPortfolio", body), ...shownOrders("GetPortfolio", body)];
        return ownersAre(rows, wallet.address);
      });
    }
  });

  // orders: array of Order (open orders only).
  check("portfolio.orders-open-only", { requests: 1 }, async (context) => {
    for (const { answer } of await portfoliosOf(context)) {
      context.verify(answer).holdsForAnyRows((body) => activeOnly(listedOrders("GetPortfolio", body)));
    }
  });

  // Formulas of the portfolio totals: not shown.
  observe("portfolio.totals", { requests: 1 }, async (context) => {
    const { shared, subjects, given } = context;
    const wallet = context.need(walletWithOpenPositions(subjects), lacking(subjects, "walletWithOpenPositions"));
    const portfolio = portfolioOf(given(await shared("GetPortfolio", { owner: wallet.address })));
    const totals = describeTotals(context.need(portfolio, "needs a portfolio"));
    for (const [total, seen] of Object.entries(totals)) context.record(total, seen);
  });
});
