/** Which rules rely on what other rules are about: where both are violated, the others tell the cause. */
import { noConnectAnswer } from "../judge/whole-answer.js";
import { isRuleId, type RuleId } from "../specification/catalogue/index.js";
import { type RuleEntry, violationsOf } from "./results.js";

/** Rules that rely on something else in answers of the same operation, and the rules on that. */
const reliesWithinOperation: Readonly<Partial<Record<RuleId, readonly RuleId[]>>> = {
  "pagination.row-count": ["pagination.limit", "pagination.total-count"],
  "pagination.offset-beyond-end": ["pagination.total-count"],
  "get-all-orders.limit-default": ["pagination.total-count"],
  "get-all-orders.limit-zero": ["pagination.total-count"],
  "get-all-orders.limit-cap": ["pagination.total-count"],
  "get-all-positions.limit-default": ["pagination.total-count"],
  "get-all-positions.limit-zero": ["pagination.total-count"],
  "get-all-positions.limit-cap": ["pagination.total-count"],
  "order-book.offset-skips-orders": ["order-book.total-order-count"],
  "order-book.limit-large": ["order-book.total-order-count"],
  "order-book.page-size": ["order-book.total-order-count"],
  "get-orders.market-filter": ["get-orders.all-markets"],
  "get-orders.no-result-limit": ["get-orders.all-markets"],
  "get-orders.unknown-wallet": ["get-orders.owner"],
  "get-all-orders.unknown-wallet": ["get-all-orders.address-filter"],
  "relations.order-stored-state": [
    "get-orders.all-markets",
    "get-orders.no-result-limit",
    "relations.wallet-orders-agree",
  ],
};

/** The rules on which orders a position names. */
const ordersOfPosition: readonly RuleId[] = ["position.associated-orders-agree", "order-ref.names-an-order"];

/** Rules that rely on what any operation shows, such as a complete listing or a position's orders, and the rules on that. */
const reliesAcrossOperations: Readonly<Partial<Record<RuleId, readonly RuleId[]>>> = {
  "order-ref.names-an-order": [
    "get-orders.all-markets",
    "get-orders.no-result-limit",
    "relations.wallet-orders-agree",
    "position.associated-orders-agree",
  ],
  "relations.wallet-orders-agree": [
    "get-orders.all-markets",
    "get-orders.no-result-limit",
    "get-orders.owner",
    "get-all-orders.address-filter",
  ],
  "relations.open-orders-agree": [
    "get-all-orders.address-filter",
    "get-all-orders.only-open",
    "portfolio.nested-owners",
    "portfolio.orders-open-only",
  ],
  "relations.open-positions-agree": [
    "get-open-positions-streaming.owner",
    "get-open-positions-streaming.full-snapshot",
    "portfolio.nested-owners",
  ],
  "order.reduce-only-side": [...ordersOfPosition, "position.opening-order"],
  "order.reduce-only-leverage": [...ordersOfPosition, "position.opening-order"],
  "position.stop-loss-price": ordersOfPosition,
  "position.take-profit-price": ordersOfPosition,
  "position.identity": ["position.opening-order"],
  "position.timestamp-not-before-opening": ["position.opening-order"],
  "position.leverage-at-opening": ["position.opening-order"],
  "relations.position-stored-state": ["position.opening-order", "position.identity"],
};

/** The rules on what an error looks like. */
const errorRules: readonly RuleId[] = ["errors.shape", "errors.documented-outcome"];

/** Rules on the market that an answer names: another market's answer differs in much else from what was expected. */
const answeredMarketRules: readonly RuleId[] = ["order-book.market-id", "get-market-configs.market-id"];

/**
 * Whether the violation of a rule is a consequence of that of another one: it relies on what the other one found wrong. No
 * chain of consequences is a circle.
 */
export function isConsequenceOf(rule: RuleEntry, other: RuleEntry): boolean {
  const [id, otherId] = [rule.id, other.id];
  if (!isRuleId(id) || !isRuleId(otherId) || errorRules.includes(id)) return false;
  if (errorRules.includes(otherId)) return sawNoError(rule);
  if (answeredMarketRules.includes(otherId)) return !answeredMarketRules.includes(id) && sawOtherMarket(rule, other);
  if (reliesAcrossOperations[id]?.includes(otherId)) return true;
  const operations = new Set(violationsOf(other).map(({ operation }) => operation));
  return (
    reliesWithinOperation[id]?.includes(otherId) === true &&
    violationsOf(rule).every(({ operation }) => operations.has(operation))
  );
}

/** Whether a rule was violated by nothing but answers that are no Connect answers. */
function sawNoError(rule: RuleEntry): boolean {
  return violationsOf(rule).every(({ places }) => places.every(({ seen }) => seen.startsWith(noConnectAnswer)));
}

/**
 * Whether a rule was violated by nothing but answers to selectors that are answered with another market. That is known
 * where it happens to one selector, or to symbols only: where ids are concerned too, the id shown may be all that is wrong.
 */
function sawOtherMarket(rule: RuleEntry, marketRule: RuleEntry): boolean {
  const misread = new Set(
    violationsOf(marketRule).flatMap(({ request, otherRequests = [] }) => [request, ...otherRequests].map(selectorOf)),
  );
  const isKnown = misread.size === 1 || [...misread].every((selector) => selector.includes("assetSymbol"));
  return isKnown && violationsOf(rule).every(({ request }) => misread.has(selectorOf(request)));
}

/** The operation and the members of the selector in the text of a request, without whitespace and in one order. */
function selectorOf(request: string): string {
  const [, selector = ""] = /"market":\{(.*?)\}/.exec(request.replace(/\s/g, "")) ?? [];
  const members = selector.match(/"(?:marketId|assetSymbol|quoteSymbol)":[^,{}]*/g) ?? [];
  return [request.split(" ")[0], ...members.sort()].join();
}
