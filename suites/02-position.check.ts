import { suite } from "../src/engine/define.js";
import { hasNoOrderLinks, type KnownOrders } from "../src/judge/associated.js";
import type { Judgement } from "../src/judge/judgement.js";
import { additionalFields, type PositionRows, shownPositions } from "../src/judge/located-rows.js";
import {
  closedMarkPrices,
  type Markets,
  marketNames,
  rebatesWithoutMarket,
  tickDecimals,
} from "../src/judge/metadata.js";
import { leveragesAtOpening, notBeforeOpening, openingOrders } from "../src/judge/positions.js";
import { contestedTriggers, triggerPrices, triggerRules } from "../src/judge/triggers.js";
import type { RuleId } from "../src/specification/catalogue/index.js";
import { positionEndpoints } from "../src/specification/endpoints.js";
import { positionsWithOrders } from "./support/accounts.js";
import { judgeRowsAgainstMarkets, rebatesNow } from "./support/market-metadata.js";
import { answersOf, ordersAfter, readOpenAndClosed } from "./support/resources.js";
import { shownPositionsOf } from "./support/shown-rows.js";

export default suite("§2 Position", ({ check, observe, invariant }) => {
  /** Checks a rule on positions and the configurations of their markets. */
  const withMarkets = (rule: RuleId, judge: (positions: PositionRows, markets: Markets) => Judgement) => {
    for (const on of positionEndpoints) {
      check(rule, { on }, (context) =>
        judgeRowsAgainstMarkets(context, on, (body, markets) => judge(shownPositions(on, body), markets)),
      );
    }
  };

  /** Checks a rule on positions and the orders of their owners. */
  const withOrders = (rule: RuleId, judge: (positions: PositionRows, known: KnownOrders) => Judgement) => {
    for (const on of positionEndpoints) {
      check(rule, { on }, async (context) => {
        for (const { answer, known } of await positionsWithOrders(context, on)) {
          context.verify(answer).satisfies((body) => judge(shownPositions(on, body), known));
        }
      });
    }
  };

  // R14: a position is (positionId, marketId).
  invariant("position.identity");

  // positionId: On-chain position id; equals the id of the order that opened it.
  for (const on of positionEndpoints) {
    check("position.opening-order", { on }, async (context) => {
      for (const answer of await answersOf(context, on)) {
        const positions = shownPositions(on, context.bodyOf(answer));
        const ordersOf = await ordersAfter(context, positions, hasNoOrderLinks);
        context.verify(answer).satisfies(openingOrders(positions, ordersOf));
      }
    });
  }

  // timestamp: Time of the most recent event applied to the position (open, ...).
  withOrders("position.timestamp-not-before-opening", notBeforeOpening);

  // market: Human-readable market name.
  withMarkets("position.market-name", marketNames);

  // marginType: Only MARGIN_TYPE_ISOLATED exists; always that value.
  invariant("position.margin-type-isolated");

  // For a closed position, markPrice [is] still computed against live market data.
  check("position.closed-mark-price", async (context) => {
    for (const answer of await answersOf(context, "GetAllPositions")) {
      const openness = await readOpenAndClosed(context);
      context.verify(answer).satisfies((body) => closedMarkPrices(shownPositions("GetAllPositions", body), openness));
    }
  });

  // leverage: Leverage multiplier used at opening.
  withOrders("position.leverage-at-opening", leveragesAtOpening);

  // unrealizedPnl: Derived from markPrice vs entryPrice.
  invariant("position.unrealized-pnl-sign");

  // associatedOrders: Opening and reduce-only orders of the position.
  invariant("position.associated-orders-market", "position.associated-orders-owner");

  // associatedOrderIds: Lightweight identifiers of associated orders.
  invariant("position.associated-orders-agree");

  // tickDecimals: Market price precision used to convert raw on-chain prices.
  withMarkets("position.tick-decimals", tickDecimals);

  // effectiveSize: Currently always equal to nominalSize (ADL scaling is not implemented).
  invariant("position.effective-size");

  // estimatedRebate: Market's current cumulative revenue-per-unit for the position's side minus revenueSpent.
  for (const on of positionEndpoints) {
    check("position.estimated-rebate", { on }, (context) => rebatesNow(context, on));
  }

  // It is 0 when revenue data is not yet available and -1 when the market cannot be loaded.
  withMarkets("position.estimated-rebate-market-unavailable", rebatesWithoutMarket);

  // stopLossPrice: Trigger price derived from active reduce orders; 0 when none. takeProfitPrice: Same, for take-profit.
  for (const [rule, field] of triggerRules) {
    withOrders(rule, (positions, known) => triggerPrices(field, positions, known));
  }

  for (const on of positionEndpoints) {
    observe("position.trigger-price-choice", { on }, async (context) => {
      const readings = await positionsWithOrders(context, on);
      const contested = (["stopLossPrice", "takeProfitPrice"] as const).flatMap((field) => {
        const all = readings.flatMap(({ answer, known }) =>
          contestedTriggers(field, shownPositions(on, context.bodyOf(answer)), known),
        );
        return all.slice(0, 1).map(({ shown, active }) => ({ field, price: shown.row[field], active }));
      });
      context.required(contested[0], "needs a position with several active stop-loss or take-profit orders");
      for (const { field, price, active } of contested) {
        const prices = active.map(({ orderId, json }) => `${orderId} at ${json.triggerPrice ?? "an unknown price"}`);
        context.record(`${field} with ${active.length} active orders`, `${price}; ${prices.join(", ")}`);
      }
    });
  }

  // Additional position fields appearing in portfolio output: cashRoi, currentPnl, currentRoi (numbers).
  invariant("position.additional-field-types");

  for (const on of positionEndpoints) {
    observe("position.additional-fields", { on }, async (context) => {
      const rows = await shownPositionsOf(context, on);
      if (rows.length === 0) context.inconclusive(`needs a position in an answer of ${on}`);
      context.record("additional fields of a position", additionalFields(rows).join(", ") || "none");
    });
  }
});
