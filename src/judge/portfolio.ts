/** Whose portfolio it is, and what it lists (§2 Portfolio). */
import { activeOrderStatuses } from "../spec/enums.js";
import { type Judgement, judgeEach, nothingSeen, show } from "./judgement.js";
import type { OrderView, PortfolioView } from "./read.js";
import { placeOf, type Shown } from "./shown.js";

/** The portfolio's `owner` is the requested wallet (R13); how the address is written is for the wire rules. */
export function portfolioOwner(portfolio: PortfolioView | undefined, wallet: string): Judgement {
  if (!portfolio) return nothingSeen("a portfolio");
  if (portfolio.owner.toLowerCase() === wallet) return { examined: 1, violations: [] };
  const expected = `${wallet} (the requested wallet)`;
  return { examined: 1, violations: [{ path: "portfolio.owner", expected, seen: show(portfolio.owner) }] };
}

/** Every position and order in a portfolio, associated orders too, is the requested wallet's (R13). */
export function ownersAre(rows: readonly Shown<{ readonly owner: string }>[], wallet: string): Judgement {
  return judgeEach(
    rows,
    (shown) =>
      shown.row.owner.toLowerCase() === wallet
        ? undefined
        : { path: placeOf(shown, "owner"), expected: `${wallet} (the requested wallet)`, seen: show(shown.row.owner) },
    "a portfolio with a position or an order",
  );
}

/** The orders that a portfolio lists are of active status (§2 Portfolio, §3). */
export function activeOnly(orders: readonly Shown<OrderView>[]): Judgement {
  const active: readonly string[] = activeOrderStatuses;
  return judgeEach(
    // An unreadable status is for the rule on its values.
    orders.filter(({ row }) => row.status !== ""),
    (shown) =>
      active.includes(shown.row.status)
        ? undefined
        : { path: placeOf(shown, "status"), expected: `one of ${active.join(", ")}`, seen: shown.row.status },
    "a portfolio with an open order",
  );
}
