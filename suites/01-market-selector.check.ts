import type { CheckContext } from "../src/engine/context.js";
import { suite } from "../src/engine/define.js";
import { notTheCandlesOf } from "../src/judge/candles.js";
import { givesNoSuccess } from "../src/judge/connect-error.js";
import { holdsNothing, holdsOnlyMarket } from "../src/judge/markets.js";
import { candlesOf } from "../src/judge/read.js";
import { sameAnswer } from "../src/judge/same-answer.js";
import { selectorEndpoints } from "../src/specification/endpoints.js";
import { byId } from "../src/subjects/requests.js";
import { answersToWrongTypes } from "./support/any-operation.js";
import { compareWithBooksBySymbols } from "./support/books.js";
import { candlesOrNone } from "./support/candle-parts.js";
import { likeById } from "./support/equivalences.js";
import {
  beyondInt64,
  blankAssetSymbols,
  bothAlternatives,
  lookalikesOf,
  lookalikesWithOrders,
  negative,
  nonNumeric,
  symbolVariants,
  unknownIds,
  unknownSmallIds,
  unknownSymbolAnswers,
  unknownSymbols,
  withFieldsLeftOut,
  withNothingToFind,
} from "./support/faulty-selectors.js";
import {
  bringsData,
  isNotFound,
  marketAcceptedById,
  marketAcceptedBySymbol,
  recordSelections,
  refusedOr,
  selecting,
} from "./support/selectors.js";

/** The operations that require a selector (S3). */
const requiringEndpoints = ["GetOrderBook", "GetHistoricalPrices", "GetMarketConfigs"] as const;
/** The operations that resolve symbols (S8). */
const symbolEndpoints = ["GetOrders", "GetOrderBook", "GetMarketConfigs"] as const;

const lookalikes = "ids that look like a market's";
const smallOnes = "small ids";

export default suite("§1 Market selector", ({ check, equivalent, observe, invariant, refusal }) => {
  const invalid = { field: "market", codes: ["invalid_argument"] } as const;

  // Object market with exactly one of two alternatives.
  for (const on of symbolEndpoints) {
    refusal("selector.both-alternatives", { on, ...invalid, values: bothAlternatives });
  }

  for (const on of selectorEndpoints) {
    refusal("selector.neither-alternative", { on, ...invalid, values: () => [{}] });

    observe("selector.null-alternative", { on }, async (context) => {
      const { marketId, symbols = context.subjects.unknown.symbols } = await marketAcceptedById(context, on);
      await recordSelections(context, on, {
        "marketId beside a null marketSymbol": { marketId, marketSymbol: null },
        "marketSymbol beside a null marketId": { marketId: null, marketSymbol: { ...symbols } },
      });
    });
  }

  // An invalid selector yields invalid_argument.
  for (const on of selectorEndpoints) {
    check("selector.wrong-type", { on }, async (context) => {
      context.verify(...(await answersToWrongTypes(context, "selector"))).meets(givesNoSuccess);
    });
  }

  // The selector is validated even if nothing would be found anyway: the wallet is unknown, or the range without prices.
  for (const on of ["GetOrders", "GetHistoricalPrices"] as const) {
    const name = "where nothing would be found";
    for (const [rule, selector] of [
      ["selector.zero-id", { marketId: "0" }],
      ["selector.non-numeric-id", { marketId: "abc" }],
      ["selector.neither-alternative", {}],
    ] as const) {
      check(rule, { on, name }, async (context) => {
        await marketAcceptedById(context, on);
        for (const request of withNothingToFind(context, on, selector)) {
          context.verify(await context.ask(on, request)).failsWith("invalid_argument");
        }
      });
    }
  }

  for (const on of requiringEndpoints) {
    refusal("selector.required", { on, ...invalid, values: () => [undefined] });

    // A server may apply defaults to everything when other fields are missing too.
    check("selector.required", { on, name: "beside other fields left out" }, async (context) => {
      await marketAcceptedById(context, on);
      for (const request of withFieldsLeftOut(context, on)) {
        context.verify(await context.ask(on, request)).failsWith("invalid_argument");
      }
    });
  }

  // by id: { marketId: string(int64 decimal) }. A non-zero numeric id is required.
  for (const on of selectorEndpoints) {
    refusal("selector.zero-id", { on, ...invalid, values: () => [{ marketId: "0" }] });
    refusal("selector.non-numeric-id", { on, ...invalid, values: nonNumeric });
    refusal("selector.id-beyond-int64", { on, ...invalid, values: beyondInt64 });
    refusal("selector.negative-id", { on, ...invalid, values: negative, codes: ["invalid_argument", "not_found"] });

    observe("selector.unsettled-id-forms", { on }, async (context) => {
      const { marketId } = await marketAcceptedById(context, on);
      await recordSelections(context, on, {
        "an id with blanks around it": { marketId: ` ${marketId} ` },
        "an id with leading zeros": { marketId: `00${marketId}` },
        "an id with a plus sign": { marketId: `+${marketId}` },
        "an id with an exponent": { marketId: `${marketId}e0` },
        "an id with a zero fraction": { marketId: `${marketId}.0` },
        "an id as a JSON number": { marketId: BigInt(marketId) },
      });
    });
  }

  // An unknown id never yields another market's data.
  for (const on of selectorEndpoints) {
    check("selector.unknown-id-other-market", { on, name: "an id of no market" }, async (context) => {
      await marketAcceptedById(context, on);
      for (const marketId of await unknownIds(context)) {
        const answer = await context.shared(on, selecting(context, on, { marketId }));
        refusedOr(context, answer, (body) => holdsNothing(marketId, on, body));
      }
    });

    check("selector.unknown-id-code", { on }, async (context) => {
      await marketAcceptedById(context, on);
      const { S4: reading } = context.readings;
      const mayBeEmpty = (on === "GetOrders" || on === "GetHistoricalPrices") && reading !== "not-found";
      for (const marketId of await unknownIds(context)) {
        const answer = await context.shared(on, selecting(context, on, { marketId }));
        if (bringsData(on, answer)) context.note("an unknown id was answered with data, which breaks another rule");
        else if (mayBeEmpty && (reading || answer.outcome.kind === "success")) context.verify(answer).succeeds();
        else context.verify(answer).failsWith("not_found");
      }
    });
  }

  for (const on of ["GetOrderBook", "GetMarketConfigs"] as const) {
    check("selector.unknown-id-other-market", { on, name: lookalikes }, async (context) => {
      await marketAcceptedById(context, on);
      for (const { id } of lookalikesOf(context.subjects)) {
        const answer = await context.ask(on, selecting(context, on, { marketId: id }));
        refusedOr(context, answer, (body) => holdsOnlyMarket(id, on, body));
      }
    });
  }

  check("selector.unknown-id-other-market", { on: "GetOrders", name: lookalikes }, async (context) => {
    for (const { id, address } of lookalikesWithOrders(context.subjects)) {
      const answer = await context.call.getOrders({ address, market: { marketId: id } });
      refusedOr(context, answer, (body) => holdsOnlyMarket(id, "GetOrders", body));
    }
  });

  check("selector.unknown-id-other-market", { on: "GetHistoricalPrices", name: lookalikes }, async (context) => {
    const on = "GetHistoricalPrices";
    await marketAcceptedById(context, on);
    for (const { id, of } of lookalikesOf(context.subjects)) {
      const original = await candlesOfMarket(context, of);
      const answer = await context.ask(on, selecting(context, on, { marketId: id }));
      refusedOr(context, answer, (body) => notTheCandlesOf(original, candlesOf(body)));
    }
  });

  // Any small id may belong to a market that was not seen, so an answer about the id itself is accepted.
  for (const on of symbolEndpoints) {
    check("selector.unknown-id-other-market", { on, name: smallOnes }, async (context) => {
      await marketAcceptedById(context, on);
      // The wallet with the most orders: they are most likely to include some of a wrong market.
      const ofMany = on === "GetOrders" && { address: context.subject("walletWithOrders").address };
      for (const marketId of unknownSmallIds(context)) {
        const answer = await context.ask(on, { ...selecting(context, on, { marketId }), ...ofMany });
        refusedOr(context, answer, (body) => holdsOnlyMarket(marketId, on, body));
      }
    });
  }

  check("selector.unknown-id-other-market", { on: "GetHistoricalPrices", name: smallOnes }, async (context) => {
    const on = "GetHistoricalPrices";
    await marketAcceptedById(context, on);
    for (const marketId of unknownSmallIds(context)) {
      const answer = await context.ask(on, selecting(context, on, { marketId }));
      if (!bringsData(on, answer)) refusedOr(context, answer, (body) => holdsNothing(marketId, on, body));
      // Candles name no market, and those of two markets may be alike.
      else if (isNotFound(await context.shared("GetMarketConfigs", byId({ marketId })))) {
        for (const { marketId: other } of context.subjects.markets) {
          const original = await candlesOfMarket(context, other);
          if (original.candles.length === 0) continue;
          refusedOr(context, answer, (body) => notTheCandlesOf(original, candlesOf(body)));
        }
      }
    }
  });

  // by symbol: { marketSymbol: { assetSymbol: string, quoteSymbol: string } }. Accepted by most endpoints.
  invariant("selector.by-symbol");

  for (const on of symbolEndpoints) {
    equivalent("selector.by-symbol", { on, ...likeById });
  }

  // Explored requests name only some markets by their symbols, and a book shows no other sign of a wrong market.
  check("selector.by-symbol", { on: "GetOrderBook", name: "in every market" }, (context) =>
    compareWithBooksBySymbols(context, sameAnswer("GetOrderBook", "as by id")),
  );

  for (const on of symbolEndpoints) {
    refusal("selector.unknown-symbol", {
      on,
      field: "market",
      ...unknownSymbols,
      ...unknownSymbolAnswers(on),
    });

    refusal("selector.blank-asset-symbol", { on, ...invalid, values: blankAssetSymbols });

    observe("selector.symbol-dressing", { on }, async (context) => {
      const { symbols } = await marketAcceptedBySymbol(context, on);
      await recordSelections(context, on, symbolVariants(symbols, context.seed));
    });

    observe("selector.symbol-without-quote", { on }, async (context) => {
      const { assetSymbol } = (await marketAcceptedBySymbol(context, on)).symbols;
      await recordSelections(context, on, {
        "an asset symbol without a quote symbol": { marketSymbol: { assetSymbol } },
      });
    });

    observe("selector.pair-name-as-asset-symbol", { on }, async (context) => {
      const { name, symbols } = await marketAcceptedBySymbol(context, on);
      const assetSymbol = name ?? `${symbols.assetSymbol}/${symbols.quoteSymbol}`;
      await recordSelections(context, on, {
        "a market's whole name as asset symbol": { marketSymbol: { assetSymbol } },
      });
    });
  }
});

/** A market's candles, as an ordinary request gets them; none unless it is a success. */
async function candlesOfMarket(context: CheckContext, marketId: string) {
  const on = "GetHistoricalPrices";
  return { marketId, candles: candlesOrNone(await context.shared(on, selecting(context, on, { marketId }))) };
}
