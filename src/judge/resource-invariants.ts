/** The invariants on single orders and positions, wherever they are shown (§2 Order, §2 Position). */
import type { RuleId } from "../specification/catalogue/index.js";
import { orderEndpoints, positionEndpoints } from "../specification/endpoints.js";
import type { Invariant } from "./invariant.js";
import type { Judgement } from "./judgement.js";
import {
  listedOrders,
  type OrderRows,
  type PositionEndpoint,
  type PositionRows,
  shownOrders,
  shownPositions,
} from "./located-rows.js";
import { placeholdersOfOwnMarkets } from "./metadata.js";
import {
  eachOrderOnce,
  initialNotionals,
  noInitialNotionals,
  noRebatesOnOpenings,
  sizesAddUp,
  sizesMatchStatus,
  thresholdNotionals,
} from "./orders.js";
import {
  associatedListsAgree,
  associatedMarkets,
  associatedOwners,
  eachPositionOnce,
  effectiveSizes,
  unrealizedPnlSigns,
} from "./positions.js";

export const resourceInvariants: readonly Invariant[] = [
  ...(["GetAllOrders", "GetOrders", "GetPortfolio"] as const).map(
    (endpoint): Invariant => ({
      rule: "order.identity",
      endpoint,
      judge: (body) => eachOrderOnce(listedOrders(endpoint, body)),
      ofAnyRows: true,
    }),
  ),
  ...ofOrders("order.market-fallback", placeholdersOfOwnMarkets),
  ...ofOrders("order.sizes-add-up", sizesAddUp),
  ...ofOrders("order.sizes-match-status", sizesMatchStatus),
  ...ofOrders("order.initial-notional", initialNotionals),
  ...ofOrders("order.initial-notional-reduce-only", noInitialNotionals),
  ...ofOrders("order.initial-margin-reduce-only", thresholdNotionals),
  ...ofOrders("order.rebates-opening", noRebatesOnOpenings),
  ...ofPositions("position.identity", eachPositionOnce),
  ...ofPositions("position.effective-size", effectiveSizes),
  ...ofPositions("position.unrealized-pnl-sign", unrealizedPnlSigns),
  ...ofPositions("position.associated-orders-market", associatedMarkets),
  ...ofPositions("position.associated-orders-owner", associatedOwners, ["GetAllPositions"]),
  ...ofPositions("position.associated-orders-agree", associatedListsAgree),
];

function ofOrders(rule: RuleId, judge: (orders: OrderRows) => Judgement): readonly Invariant[] {
  return orderEndpoints.map((endpoint) => ({
    rule,
    endpoint,
    judge: (body) => judge(shownOrders(endpoint, body)),
    ofAnyRows: true,
  }));
}

function ofPositions(
  rule: RuleId,
  judge: (positions: PositionRows) => Judgement,
  endpoints: readonly PositionEndpoint[] = positionEndpoints,
): readonly Invariant[] {
  return endpoints.map((endpoint) => ({
    rule,
    endpoint,
    judge: (body) => judge(shownPositions(endpoint, body)),
    ofAnyRows: true,
  }));
}
