import type { CheckContext } from "../src/engine/context.js";
import { suite } from "../src/engine/define.js";
import { requireUsable } from "../src/engine/usable.js";
import { doesNotResolveTo, findsMarketNamed, marketIsNamed } from "../src/judge/markets.js";
import { marketIdOf } from "../src/judge/read.js";
import { likeInItsOwnCase, likeSymbolWithoutBlanks } from "./support/equivalences.js";
import { pairedMarkets } from "./support/selectors.js";
import {
  blankSymbols,
  foundPair,
  marketsMisspelled,
  marketsOfOneSymbol,
  pairsOfNoMarket,
  uncombinedPairs,
} from "./support/symbol-pairs.js";

export default suite("§4.9 GetMarketIdByName", ({ check, equivalent, observe, refusal }) => {
  // assetSymbol: Required; trimmed, case-insensitive. Blank fails with INVALID_ARGUMENT.
  const invalid = { field: "assetSymbol", codes: ["invalid_argument"] } as const;
  refusal("get-market-id-by-name.asset-symbol-required", { ...invalid, values: () => [undefined, ""] });
  // Not derived from an explored request, since nothing of one is left.
  check("get-market-id-by-name.asset-symbol-required", { name: "of nothing" }, async ({ call, verify }) => {
    verify(await call.getMarketIdByName({})).failsWith("invalid_argument");
  });

  refusal("get-market-id-by-name.asset-symbol-blank", { ...invalid, values: () => blankSymbols });

  // A lookup of the quote symbol must not come before the validation.
  check("get-market-id-by-name.asset-symbol-blank", { name: "beside an unknown quote symbol" }, async (context) => {
    await foundPair(context);
    const { quoteSymbol } = context.subjects.unknown.symbols;
    context
      .verify(await context.call.getMarketIdByName({ assetSymbol: " ", quoteSymbol }))
      .failsWith("invalid_argument");
  });

  equivalent("get-market-id-by-name.asset-symbol-trimmed", likeSymbolWithoutBlanks);

  equivalent("get-market-id-by-name.asset-symbol-case-insensitive", likeInItsOwnCase);

  // quoteSymbol: Optional. When omitted, the lookup targets a market named exactly by the asset symbol alone, which may
  // not exist.
  check("get-market-id-by-name.quote-symbol-omitted", async (context) => {
    for (const market of pairedMarkets(context).slice(0, 8)) {
      const { assetSymbol } = await foundPair(context, market);
      await findsOnlyByAsset(context, { assetSymbol }, ["not_found"]);
    }
    for (const { marketId, assetSymbol } of marketsOfOneSymbol(context.subjects)) {
      const answer = await context.shared("GetMarketIdByName", { assetSymbol });
      context.verify(answer).meets(findsMarketNamed(assetSymbol, marketId));
    }
  });

  // An empty symbol may count as omitted or as part of an unknown pair, but it must not match any other symbol.
  check("get-market-id-by-name.quote-symbol-omitted", { name: "an empty one" }, async (context) => {
    for (const market of pairedMarkets(context).slice(0, 2)) {
      const { assetSymbol } = await foundPair(context, market);
      await findsOnlyByAsset(context, { assetSymbol, quoteSymbol: "" }, ["not_found", "invalid_argument"]);
    }
  });

  observe("get-market-id-by-name.quote-symbol-dressing", async (context) => {
    const { assetSymbol, quoteSymbol } = await foundPair(context);
    const variants = {
      "a quote symbol in lower case": quoteSymbol.toLowerCase(),
      "a quote symbol with blanks around it": ` ${quoteSymbol}\t`,
      "a quote symbol in lower case with blanks around it": ` ${quoteSymbol.toLowerCase()}\t`,
      "a blank quote symbol": " ",
    };
    for (const [what, variant] of Object.entries(variants)) {
      context.record(what, await context.call.getMarketIdByName({ assetSymbol, quoteSymbol: variant }));
    }
    const alone = context.subjects.markets.find(({ symbols }) => symbols && symbols.quoteSymbol === undefined);
    if (alone) {
      const answer = await context.call.getMarketIdByName({ ...alone.symbols, quoteSymbol: "" });
      context.record("an empty quote symbol for a market named by its asset symbol alone", answer);
    }
  });

  // Unknown asset/quote combination fails with NOT_FOUND.
  check("get-market-id-by-name.unknown-pair", { name: "symbols of no market" }, async (context) => {
    for (const pair of await pairsOfNoMarket(context)) {
      context.verify(await context.call.getMarketIdByName({ ...pair })).failsWith("not_found");
    }
  });

  check("get-market-id-by-name.unknown-pair", { name: "symbols of two markets" }, async (context) => {
    const { shared, subjects, verify } = context;
    for (const pair of uncombinedPairs(context)) {
      const answer = await shared("GetMarketIdByName", { ...pair });
      if (answer.outcome.kind !== "success") verify(answer).failsWith("not_found");
      // The pair may name a market that was not discovered.
      else {
        const others = subjects.markets.filter(({ symbols }) => symbols !== undefined);
        for (const { marketId } of others) verify(answer).satisfies((body) => doesNotResolveTo(marketId, body));
      }
    }
  });

  check("get-market-id-by-name.unknown-pair", { name: "parts and patterns of symbols" }, async (context) => {
    for (const { market, pairs } of marketsMisspelled(context)) {
      await foundPair(context, market);
      for (const pair of pairs) {
        const answer = await context.call.getMarketIdByName({ ...pair });
        if (answer.outcome.kind === "success") {
          context.verify(answer).satisfies((body) => doesNotResolveTo(market.marketId, body));
        } else context.verify(answer).failsWith("not_found", "invalid_argument");
      }
    }
  });
});

/** Asserts that an asset symbol without a quote symbol finds the market named by it alone, or none. */
async function findsOnlyByAsset(
  { call, shared, verify }: CheckContext,
  request: { readonly assetSymbol: string; readonly quoteSymbol?: string },
  codes: readonly string[],
): Promise<void> {
  const alone = await call.getMarketIdByName({ ...request });
  if (alone.outcome.kind !== "success") {
    verify(alone).failsWith(...codes);
    return;
  }
  const config = await shared("GetMarketConfigs", { market: { marketId: marketIdOf(alone.outcome.body) } });
  requireUsable([config]);
  verify(alone, config).satisfies((found, named) => marketIsNamed(request.assetSymbol, found, named));
}
