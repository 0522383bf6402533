import { suite } from "../src/engine/define.js";
import { requireUsable } from "../src/engine/usable.js";
import type { KnownOrders } from "../src/judge/associated.js";
import type { Judgement } from "../src/judge/judgement.js";
import { additionalFields, type OrderRows, shownOrders, shownPositions } from "../src/judge/located-rows.js";
import {
  type Markets,
  noPlaceholders,
  noStoredNames,
  orderMarketNames,
  placeholders,
  tickDecimals,
} from "../src/judge/metadata.js";
import { inheritedLeverages, inheritedSides } from "../src/judge/orders.js";
import { referenceIdsAre, referencesNameOrders } from "../src/judge/positions.js";
import type { PositionView } from "../src/judge/read.js";
import { judgeWireRule } from "../src/judge/wire-rule.js";
import type { RuleId } from "../src/specification/catalogue/index.js";
import { orderEndpoints, positionEndpoints } from "../src/specification/endpoints.js";
import { accountsOf, openPositionsIn, positionsWithOrders } from "./support/accounts.js";
import { answersInOrphanMarkets, judgeAgainstMarkets, judgeRowsAgainstMarkets } from "./support/market-metadata.js";
import { answersOf, knownOrdersIn, ordersAfter } from "./support/resources.js";
import { shownOrdersOf } from "./support/shown-rows.js";

export default suite("§2 Order", ({ check, observe, invariant }) => {
  /** Checks a rule on orders and the configurations of their markets. */
  const withMarkets = (rule: RuleId, judge: (orders: OrderRows, markets: Markets) => Judgement) => {
    for (const on of orderEndpoints) {
      check(rule, { on }, (context) =>
        judgeRowsAgainstMarkets(context, on, (body, markets) => judge(shownOrders(on, body), markets)),
      );
    }
  };

  /** Checks a rule on what a reduce-only order inherits, where a position links it to the order that opened it (R8). */
  const inherited = (
    rule: RuleId,
    judge: (orders: OrderRows, positions: readonly PositionView[], known: KnownOrders) => Judgement,
  ) => {
    for (const on of ["GetAllPositions", "GetPortfolio"] as const) {
      check(rule, { on }, async (context) => {
        for (const { answer, known } of await positionsWithOrders(context, on)) {
          context.verify(answer).satisfies((body) => {
            const positions = shownPositions(on, body).map(({ row }) => row);
            return judge(shownOrders(on, body), positions, known);
          });
        }
      });
    }
    check(rule, { on: "GetOrders" }, async (context) => {
      const [listing] = await answersOf(context, "GetAllPositions");
      const listed = listing ? shownPositions("GetAllPositions", context.bodyOf(listing)) : [];
      const accounts = await accountsOf(context);
      requireUsable(accounts.map(({ orders }) => orders));
      for (const account of accounts) {
        const positions = [...listed, ...openPositionsIn(context, account)]
          .map(({ row }) => row)
          .filter(({ owner }) => owner === account.wallet.address);
        const known = knownOrdersIn(account.orders);
        context.verify(account.orders).satisfies((body) => judge(shownOrders("GetOrders", body), positions, known));
      }
    });
  };

  // An order is uniquely identified by (orderId, marketId, reduceOnly).
  invariant("order.identity");

  // market: Market name; falls back to MARKET-<marketId> when metadata is unavailable.
  for (const [rule, judge] of [
    ["order.market-fallback", placeholders],
    ["order.market-fallback-stored-name", noStoredNames],
  ] as const) {
    for (const on of orderEndpoints) {
      check(rule, { on }, async (context) => {
        const answers = await answersInOrphanMarkets(context, on);
        await judgeAgainstMarkets(context, answers, (body, markets) => judge(shownOrders(on, body), markets));
      });
    }
  }
  withMarkets("order.market-fallback-only-then", noPlaceholders);
  withMarkets("order.market-name", orderMarketNames);

  // type: Only ORDER_TYPE_MARKET.
  invariant("order.type-market");

  // side: For reduce-only orders inherited from the opening order.
  inherited("order.reduce-only-side", inheritedSides);

  // leverage: Multiplier; for reduce-only orders inherited from the opening order when available.
  inherited("order.reduce-only-leverage", inheritedLeverages);

  // filledSize: Amount filled. unfilledSize: Amount remaining.
  invariant("order.sizes-add-up", "order.sizes-match-status");

  // canceled: Legacy; never populated by the server.
  invariant("order.canceled-never-set");

  // tickDecimals: Market price precision.
  withMarkets("order.tick-decimals", tickDecimals);

  // initialMargin: ... threshold-price notional.
  invariant("order.initial-margin-reduce-only");

  // rebates: Direct order-side rebates recorded for reduce fills.
  invariant("order.rebates-opening");

  // reduceOrderType: One of MANUAL, STOP_LOSS, TAKE_PROFIT, LIQUIDATION, ADL; empty for position-opening orders.
  invariant("order.reduce-order-type-values", "order.reduce-order-type-empty");

  // initialNotional: initialMargin multiplied by leverage for opening orders; 0 for reduce-only orders.
  invariant("order.initial-notional", "order.initial-notional-reduce-only");

  // Fields seen additionally: createdAt and updatedAt (timestamps), averageFillPrice, ... (numbers).
  invariant("order.additional-field-types");

  for (const on of orderEndpoints) {
    observe("order.additional-fields", { on }, async (context) => {
      const rows = await shownOrdersOf(context, on);
      if (rows.length === 0) context.inconclusive(`needs an order in an answer of ${on}`);
      context.record("additional fields of an order", additionalFields(rows).join(", ") || "none");
    });
  }

  // OrderRef: orderId, marketId: integer or string (int64).
  for (const on of positionEndpoints) {
    check("order-ref.id-form", { on }, async (context) => {
      for (const answer of await answersOf(context, on)) {
        context
          .verify(answer)
          .satisfies((body) => judgeWireRule("order-ref.id-form", on, body, "a reference to an order"));
        const { W5: reading } = context.readings;
        if (reading) context.verify(answer).satisfies((body) => referenceIdsAre(reading, shownPositions(on, body)));
      }
    });

    // Combine with marketId and reduceOnly to look up the full order.
    check("order-ref.names-an-order", { on }, async (context) => {
      for (const answer of await answersOf(context, on)) {
        const positions = shownPositions(on, context.bodyOf(answer));
        const ordersOf = await ordersAfter(context, positions, (row) => row.associatedOrderIds.length > 0);
        context.verify(answer).satisfies(referencesNameOrders(positions, ordersOf));
      }
    });
  }
});
