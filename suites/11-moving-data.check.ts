import type { AnswerOf } from "../src/engine/answer.js";
import type { CheckContext } from "../src/engine/context.js";
import { suite } from "../src/engine/define.js";
import { requireUsable, usable } from "../src/engine/usable.js";
import type { Judgement } from "../src/judge/judgement.js";
import type { PositionEndpoint, ShownBody } from "../src/judge/located-rows.js";
import { upToDateOrders } from "../src/judge/order-changes.js";
import { positionChangesAgree } from "../src/judge/position-changes.js";
import { type PositionSightings, staleMarkPrices, stalePnls, staleTotals } from "../src/judge/stale.js";
import { standingFields } from "../src/judge/standing-fields.js";
import { positionEndpoints } from "../src/specification/endpoints.js";
import { changingOrders, orderLists } from "./support/changing-orders.js";
import {
  messagesSeen,
  portfoliosSeen,
  sightingsOf,
  type Watch,
  watchedWallets,
  watchMovingData,
} from "./support/moving-data.js";

/** The answers of an operation while a wallet was watched. */
function answersOn(
  endpoint: PositionEndpoint,
  { portfolios, listings, streams }: Watch,
): readonly AnswerOf<ShownBody>[] {
  if (endpoint === "GetOpenPositionsStreaming") return streams.slice(0, 1);
  return endpoint === "GetPortfolio" ? portfolios : listings;
}

/** Judges a rule on values that move with the market by what a watch showed (R17). */
async function moves(
  context: CheckContext,
  endpoint: PositionEndpoint,
  judge: (seen: PositionSightings) => Judgement,
): Promise<void> {
  judgeWatch(context, endpoint, await watchMovingData(context), judge);
}

function judgeWatch(
  context: CheckContext,
  endpoint: PositionEndpoint,
  watch: Watch,
  judge: (seen: PositionSightings) => Judgement,
): void {
  requireUsable(answersOn(endpoint, watch));
  const { answers, seen } = sightingsOf(watch);
  context.verify(...answers).satisfies(judge(seen));
}

export default suite(
  "Moving data",
  ({ check }) => {
    // §2 markPrice: Current mark price. unrealizedPnl: recomputed on every read. For a closed position, [they] are still
    // computed against live market data.
    for (const on of positionEndpoints) {
      check("position.mark-price-current", { on }, (context) =>
        moves(context, on, (seen) => staleMarkPrices(on, seen)),
      );

      check("position.unrealized-pnl-recomputed", { on }, (context) =>
        moves(context, on, (seen) => stalePnls(on, seen)),
      );
    }

    // §4.5: Totals are recomputed on every request (no caching).
    check("get-portfolio.totals-not-cached", async (context) => {
      const watch = await watchMovingData(context);
      judgeWatch(context, "GetPortfolio", watch, staleTotals);
      const larger = { ...watch, portfolios: watch.largerPortfolios };
      if (larger.portfolios.length > 0) judgeWatch(context, "GetPortfolio", larger, staleTotals);
    });

    // §4.2: a full snapshot of the wallet's open positions (T4).
    check("get-open-positions-streaming.full-snapshot", { name: "as positions open and close" }, async (context) => {
      for (const watch of await watchedWallets(context)) {
        requireUsable(watch.portfolios);
        const [stream] = usable(watch.streams.slice(0, 1));
        // The portfolios show it for long enough, so no second attempt is needed.
        if (stream) context.verify(stream).satisfies(positionChangesAgree(portfoliosSeen(watch), messagesSeen(watch)));
      }
    });

    // §4.5: positions lists open items only.
    check(
      "relations.open-positions-agree",
      { on: "GetPortfolio", name: "as positions open and close" },
      async (context) => {
        for (const watch of await watchedWallets(context)) {
          const portfolios = usable(watch.portfolios);
          if (messagesSeen(watch).length === 0) continue;
          const judgement = positionChangesAgree(messagesSeen(watch), portfoliosSeen(watch));
          const shown = portfolios[judgement.violations[0]?.answer ?? 0];
          // The messages show it for long enough, so no second attempt is needed.
          if (shown) context.verify(shown).satisfies(judgement);
        }
      },
    );

    // §2 Position: Current stored state of a position.
    for (const on of positionEndpoints) {
      check("relations.position-stored-state", { on, name: "as positions change" }, async (context) => {
        for (const watch of await watchedWallets(context)) {
          // Each value is read repeatedly already, so no second attempt is needed.
          if (answersOn(on, watch).length > 0) judgeWatch(context, on, watch, (seen) => standingFields(on, seen));
        }
      });
    }

    // §2 Order: Current stored state. §4.4: Latest stored state of each order of the wallet.
    for (const on of orderLists) {
      check("relations.order-stored-state", { on, name: "as orders change" }, async (context) => {
        for (const { answers, reads } of await changingOrders(context)) {
          requireUsable(answers.filter(({ endpoint }) => endpoint === on));
          const judgement = upToDateOrders(on, reads);
          const shown = answers[judgement.violations[0]?.answer ?? 0];
          // The orders were read repeatedly already, so no second attempt is needed.
          if (shown) context.verify(shown).satisfies(judgement);
        }
      });
    }
  },
  "timing",
);
