import { hash } from "node:crypto";
import type { Endpoint } from "../endpoints.js";
import type { Level, QuotingRule, Rule } from "../rule.js";
import { type Section, sectionNames } from "../sections.js";
import { authentication } from "./authentication.js";
import { candlestick } from "./candlestick.js";
import { errors } from "./errors.js";
import { events } from "./events.js";
import { getAllOrders } from "./get-all-orders.js";
import { getAllPositions } from "./get-all-positions.js";
import { getHistoricalPrices } from "./get-historical-prices.js";
import { getMarketConfigs } from "./get-market-configs.js";
import { getMarketIdByName } from "./get-market-id-by-name.js";
import { getOpenPositionsStreaming } from "./get-open-positions-streaming.js";
import { getOrders } from "./get-orders.js";
import { getPortfolio } from "./get-portfolio.js";
import { limits } from "./limits.js";
import { marketConfig } from "./market-config.js";
import { order } from "./order.js";
import { orderBook } from "./order-book.js";
import { orderRef } from "./order-ref.js";
import { otherOperations } from "./other-operations.js";
import { pagination } from "./pagination.js";
import { portfolio } from "./portfolio.js";
import { position } from "./position.js";
import { protocol } from "./protocol.js";
import { relations } from "./relations.js";
import { selector } from "./selector.js";
import { states } from "./states.js";
import { versioning } from "./versioning.js";
import { wire } from "./wire.js";

/** A rule whose level and operations are known to the compiler. */
interface TypedRule<L extends Level, E extends Endpoint> extends QuotingRule {
  readonly level: L;
  readonly endpoints: readonly E[];
}

/** Forgets the literal types of texts, which would be most of the package's type declarations. */
function typed<const T extends Readonly<Record<string, QuotingRule>>>(
  rules: T,
): { readonly [Id in keyof T]: TypedRule<T[Id]["level"], T[Id]["endpoints"][number]> } {
  return rules;
}

const texts = typed({
  ...wire,
  ...selector,
  ...position,
  ...order,
  ...orderRef,
  ...pagination,
  ...portfolio,
  ...orderBook,
  ...candlestick,
  ...marketConfig,
  ...states,
  ...protocol,
  ...getAllPositions,
  ...getOpenPositionsStreaming,
  ...getAllOrders,
  ...getOrders,
  ...getPortfolio,
  ...getHistoricalPrices,
  ...getMarketConfigs,
  ...getMarketIdByName,
  ...otherOperations,
  ...authentication,
  ...events,
  ...errors,
  ...limits,
  ...versioning,
  ...relations,
});

type Texts = typeof texts;

/** The permanent id of a rule, such as `get-all-positions.limit-default`. */
export type RuleId = keyof Texts;

/** The ids of the rules at the given levels, such as those that a mutant can break. */
export type RuleIdAt<L extends Level> = { [Id in RuleId]: Texts[Id]["level"] extends L ? Id : never }[RuleId];

/** A rule of the catalogue, with its id as a literal type. */
export interface CatalogueRule extends Rule, QuotingRule {
  readonly id: RuleId;
}

/** All rules, in the specification's order; within a section, relations between operations come last. */
export const catalogue: readonly CatalogueRule[] = (Object.keys(texts) as RuleId[])
  .map((id): CatalogueRule => ({ id, ...texts[id] }))
  .sort((a, b) => sectionNames.indexOf(a.section) - sectionNames.indexOf(b.section));

const byId: ReadonlyMap<string, CatalogueRule> = new Map(catalogue.map((rule) => [rule.id, rule]));

/** Whether a string is the id of a rule. */
export function isRuleId(id: string): id is RuleId {
  return byId.has(id);
}

/** The rule with the given id; throws a `RangeError` when there is none. */
export function ruleById(id: RuleId): CatalogueRule {
  const rule = byId.get(id);
  if (!rule) throw new RangeError(`there is no rule "${id}"`);
  return rule;
}

/** The rules of a section, in order. */
export function rulesOf(section: Section): readonly CatalogueRule[] {
  return catalogue.filter((rule) => rule.section === section);
}

/**
 * SHA-256, in hexadecimal, of everything that affects verdicts: the id, section, statement, level, rulings and `mayBeAbsent`
 * of all rules. Two runs with the same digest judged the same rules. The order of rules and the wording of impacts and
 * reasons do not count.
 */
export function catalogueDigest(rules: readonly Rule[] = catalogue): string {
  const lines = rules.map(({ id, section, statement, level, rulings = [], mayBeAbsent }) =>
    JSON.stringify([id, section, statement, level, [...rulings].sort(), ...(mayBeAbsent ? [mayBeAbsent] : [])]),
  );
  return hash("sha256", lines.sort().join("\n"));
}
