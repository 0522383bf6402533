import { namesNoOrders } from "../src/judge/associated.js";
import { type Judgement, soughtIn } from "../src/judge/judgement.js";
import {
  closedMarkPrices,
  estimatedRebates,
  impliedRevenues,
  type Markets,
  marketNames,
  rebatesWithoutMarket,
  tickDecimals,
} from "../src/judge/metadata.js";
import {
  associatedListsAgree,
  associatedMarkets,
  associatedOwners,
  contestedTriggers,
  eachPositionOnce,
  effectiveSizes,
  leveragesAtOpening,
  notBeforeOpening,
  openingOrders,
  triggerPrices,
  unrealizedPnlSigns,
} from "../src/judge/positions.js";
import type { PositionView } from "../src/judge/read.js";
import { additionalFields, type PositionEndpoint, type Shown, shownPositions } from "../src/judge/shown.js";
import { judgeWireRule } from "../src/judge/wire-rule.js";
import type { RuleId } from "../src/spec/catalogue/index.js";
import { positionEndpoints } from "../src/spec/endpoints.js";
import { positionsWithOrders } from "../src/verdict/accounts.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import { suite } from "../src/verdict/define.js";
import { marketsAround, marketsNow, marketsNowBudget } from "../src/verdict/market-metadata.js";
import {
  answersOf,
  anyRowsOf,
  opennessAround,
  opennessBudget,
  ordersAfter,
  ordersAfterBudget,
  positionsNow,
} from "../src/verdict/resources.js";

type Positions = readonly Shown<PositionView>[];

export default suite("§2 Position", ({ check, observe, invariant }) => {
  invariant(
    "position.identity",
    "position.effective-size",
    "position.unrealized-pnl-sign",
    "position.associated-orders-market",
    "position.associated-orders-owner",
    "position.associated-orders-agree",
  );

  /** A rule on what positions say of themselves, wherever they are shown. */
  const everywhere = (
    rule: RuleId,
    judge: (positions: Positions) => Judgement,
    endpoints: readonly PositionEndpoint[] = positionEndpoints,
  ) => {
    for (const endpoint of endpoints) {
      check(rule, { on: endpoint, requests: 1 }, async (context) => {
        for (const answer of await anyRowsOf(context, endpoint)) {
          context.verify(answer).holdsForAnyRows((body) => judge(shownPositions(endpoint, body)));
        }
      });
    }
  };

  /** A rule on how a field is written, wherever positions are shown. */
  const written = (rule: RuleId) => {
    for (const endpoint of positionEndpoints) {
      check(rule, { on: endpoint, requests: 1 }, async (context) => {
        for (const answer of await anyRowsOf(context, endpoint)) {
          context
            .verify(answer)
            .holdsForAnyRows((body) => judgeWireRule(rule, endpoint, body, "a position with the field"));
        }
      });
    }
  };

  /** A rule on positions and the configurations of their markets. */
  const withMarkets = (rule: RuleId, judge: (positions: Positions, markets: Markets) => Judgement) => {
    for (const endpoint of positionEndpoints) {
      check(rule, { on: endpoint, requests: 1 }, async (context) => {
        const answers = await anyRowsOf(context, endpoint);
        const markets = await marketsAround(context);
        for (const answer of answers) {
          context.verify(answer).holdsForAnyRows((body) => judge(shownPositions(endpoint, body), markets));
        }
      });
    }
  };

  // R14: a position is (positionId, marketId).
  for (const endpoint of positionEndpoints) {
    check("position.identity", { on: endpoint, requests: 1 }, async (context) => {
      for (const answer of await answersOf(context, endpoint)) {
        context.verify(answer).satisfies((body) => eachPositionOnce(shownPositions(endpoint, body)));
      }
    });
  }

  // positionId: On-chain position id; equals the id of the order that opened it.
  for (const endpoint of positionEndpoints) {
    check("position.opening-order", { on: endpoint, requests: ordersAfterBudget }, async (context) => {
      for (const answer of await answersOf(context, endpoint)) {
        const positions = shownPositions(endpoint, context.given(answer));
        const ordersOf = await ordersAfter(context, positions, namesNoOrders);
        context.verify(answer).satisfies(() => openingOrders(positions, ordersOf));
      }
    });
  }

  // timestamp: Time of the most recent event applied to the position (open, ...).
  for (const endpoint of positionEndpoints) {
    check("position.timestamp-not-before-opening", { on: endpoint, requests: 1 }, async (context) => {
      for (const { answer, known } of await positionsWithOrders(context, endpoint)) {
        context.verify(answer).satisfies((body) => notBeforeOpening(shownPositions(endpoint, body), known));
      }
    });
  }

  // market: Human-readable market name.
  withMarkets("position.market-name", marketNames);

  // marginType: Only MARGIN_TYPE_ISOLATED exists; always that value.
  written("position.margin-type-isolated");

  // For a closed position, markPrice [is] still computed against live market data.
  check("position.closed-mark-price", { requests: opennessBudget }, async (context) => {
    for (const answer of await answersOf(context, "GetAllPositions")) {
      const openness = await opennessAround(context);
      context.verify(answer).satisfies((body) => closedMarkPrices(shownPositions("GetAllPositions", body), openness));
    }
  });

  // leverage: Leverage multiplier used at opening.
  for (const endpoint of positionEndpoints) {
    check("position.leverage-at-opening", { on: endpoint, requests: 1 }, async (context) => {
      for (const { answer, known } of await positionsWithOrders(context, endpoint)) {
        context.verify(answer).satisfies((body) => leveragesAtOpening(shownPositions(endpoint, body), known));
      }
    });
  }

  // unrealizedPnl: Derived from markPrice vs entryPrice.
  everywhere("position.unrealized-pnl-sign", unrealizedPnlSigns);

  // associatedOrders: Opening and reduce-only orders of the position.
  everywhere("position.associated-orders-market", associatedMarkets);
  everywhere("position.associated-orders-owner", associatedOwners, ["GetAllPositions"]);

  // associatedOrderIds: Lightweight identifiers of associated orders.
  everywhere("position.associated-orders-agree", associatedListsAgree);

  // tickDecimals: Market price precision used to convert raw on-chain prices.
  withMarkets("position.tick-decimals", tickDecimals);

  // effectiveSize: Currently always equal to nominalSize (ADL scaling is not implemented).
  everywhere("position.effective-size", effectiveSizes);

  // estimatedRebate: Market's current cumulative revenue-per-unit for the position's side minus revenueSpent.
  for (const endpoint of positionEndpoints) {
    check(
      "position.estimated-rebate",
      { on: endpoint, requests: bracketBudget(1, marketsNowBudget) },
      async (context) => {
        const [answer, markets] = await context.bracket(
          () => positionsNow(context, endpoint),
          () => marketsNow(context),
          (body) => impliedRevenues(shownPositions(endpoint, body)),
        );
        context.given(answer);
        context.verify(answer).satisfies((body) => estimatedRebates(shownPositions(endpoint, body), markets));
      },
    );
  }

  // It is 0 when revenue data is not yet available and -1 when the market cannot be loaded.
  withMarkets("position.estimated-rebate-market-unavailable", rebatesWithoutMarket);

  // stopLossPrice: Trigger price derived from active reduce orders; 0 when none. takeProfitPrice: Same, for take-profit.
  for (const endpoint of positionEndpoints) {
    for (const [rule, field] of [
      ["position.stop-loss-price", "stopLossPrice"],
      ["position.take-profit-price", "takeProfitPrice"],
    ] as const) {
      check(rule, { on: endpoint, requests: 1 }, async (context) => {
        for (const { answer, known } of await positionsWithOrders(context, endpoint)) {
          context.verify(answer).satisfies((body) => triggerPrices(field, shownPositions(endpoint, body), known));
        }
      });
    }

    observe("position.trigger-price-choice", { on: endpoint, requests: 1 }, async (context) => {
      const readings = await positionsWithOrders(context, endpoint);
      const contested = (["stopLossPrice", "takeProfitPrice"] as const).flatMap((field) => {
        const all = readings.flatMap(({ answer, known }) =>
          contestedTriggers(field, shownPositions(endpoint, context.given(answer)), known),
        );
        return all.slice(0, 1).map(({ shown, active }) => ({ field, price: shown.row[field], active }));
      });
      context.need(contested[0], "needs a position with several active stop-loss or take-profit orders");
      for (const { field, price, active } of contested) {
        const prices = active.map(({ orderId, json }) => `${orderId} at ${json.triggerPrice ?? "an unknown price"}`);
        context.record(`${field} with ${active.length} active orders`, `${price}; ${prices.join(", ")}`);
      }
    });
  }

  // Additional position fields appearing in portfolio output: cashRoi, currentPnl, currentRoi (numbers).
  for (const endpoint of positionEndpoints) {
    const rule = "position.additional-field-types";
    check(rule, { on: endpoint, requests: 1 }, async (context) => {
      for (const answer of await anyRowsOf(context, endpoint)) {
        context.verify(answer).holdsForAnyRows((body) => {
          const found = judgeWireRule(rule, endpoint, body, "a position with an additional field");
          return soughtIn(shownPositions(endpoint, body), found);
        });
      }
    });
  }

  for (const endpoint of positionEndpoints) {
    observe("position.additional-fields", { on: endpoint, requests: 1 }, async (context) => {
      const answers = await answersOf(context, endpoint);
      const rows = answers.flatMap((answer) => shownPositions(endpoint, context.given(answer)));
      if (rows.length === 0) context.inconclusive("needs a position");
      context.record("additional fields of a position", additionalFields(rows).join(", ") || "none");
    });
  }
});
