import fc from "fast-check";
import {
  blankForms,
  blankTexts,
  hasCase,
  paddedForms,
  recasedForms,
  uncombinedPairs,
  unknownPairs,
} from "../src/arbitraries/symbols.js";
import { inItsOwnCase, trimmed } from "../src/exploration/rewrites.js";
import { findsAnother, findsTheSame, isNamed } from "../src/judge/markets.js";
import { marketIdOf } from "../src/judge/read.js";
import { sameAnswer } from "../src/judge/same-answer.js";
import type { Symbols } from "../src/subjects/subjects.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";
import {
  type NamedMarket,
  namedMarkets,
  pairedMarkets,
  refusedOr,
  symbolsOfMarkets,
} from "../src/verdict/selectors.js";
import { usable } from "../src/verdict/usable.js";

/** The edges are checked one by one; what else there is, by a few samples of it. */
const runs = { quick: 2, full: 30 };

export default suite("§4.9 GetMarketIdByName", ({ check, property, observe, relation }) => {
  // assetSymbol: Required; trimmed, case-insensitive. Blank fails with INVALID_ARGUMENT.
  check("get-market-id-by-name.asset-symbol-required", async (context) => {
    const { quoteSymbol } = await foundPair(context);
    for (const request of [{ quoteSymbol }, { assetSymbol: "", quoteSymbol }, {}, { assetSymbol: "" }]) {
      context.verify(await context.call.getMarketIdByName(request)).failsWith("invalid_argument");
    }
  });

  check("get-market-id-by-name.asset-symbol-blank", { name: "each kind", requests: 10 }, async (context) => {
    const { quoteSymbol } = await foundPair(context);
    for (const assetSymbol of blankForms.filter((form) => form !== "")) {
      for (const request of [{ assetSymbol, quoteSymbol }, { assetSymbol }]) {
        context.verify(await context.call.getMarketIdByName(request)).failsWith("invalid_argument");
      }
    }
  });

  property(
    "get-market-id-by-name.asset-symbol-blank",
    { name: "any blanks", runs },
    async (context) => {
      const { quoteSymbol } = await foundPair(context);
      return { assetSymbol: blankTexts, quoteSymbol: fc.constantFrom(quoteSymbol, undefined) };
    },
    async (request, { call, verify }) => {
      verify(await call.getMarketIdByName({ ...request })).failsWith("invalid_argument");
    },
  );

  relation("get-market-id-by-name.asset-symbol-trimmed", {
    name: "in every combination",
    rewrite: trimmed("assetSymbol"),
    holds: sameAnswer("GetMarketIdByName", "as for the symbol without blanks"),
  });

  relation("get-market-id-by-name.asset-symbol-case-insensitive", {
    name: "in every combination",
    rewrite: inItsOwnCase,
    holds: sameAnswer("GetMarketIdByName", "as for the symbol in its own case"),
  });

  check("get-market-id-by-name.asset-symbol-trimmed", { name: "each side", requests: 10 }, async (context) => {
    for (const { symbols } of namedMarkets(context).slice(0, 1)) {
      for (const assetSymbol of paddedForms(symbols.assetSymbol)) await verifyFinds(context, symbols, assetSymbol);
    }
  });

  check("get-market-id-by-name.asset-symbol-case-insensitive", { name: "each case", requests: 10 }, async (context) => {
    for (const { symbols } of marketsWithLetters(context).slice(0, 1)) {
      for (const assetSymbol of recasedForms(symbols.assetSymbol)) await verifyFinds(context, symbols, assetSymbol);
    }
  });

  // quoteSymbol: Optional. When omitted, the lookup targets a market named exactly by the asset symbol alone, which may
  // not exist.
  check("get-market-id-by-name.quote-symbol-omitted", { requests: 18 }, async (context) => {
    for (const { symbols } of pairedMarkets(context).slice(0, 8)) {
      const { assetSymbol } = symbols;
      usable([await context.shared("GetMarketIdByName", { ...symbols })]);
      const alone = await context.call.getMarketIdByName({ assetSymbol });
      if (alone.outcome.kind !== "success") {
        context.verify(alone).failsWith("not_found");
        continue;
      }
      const marketId = marketIdOf(alone.outcome.body);
      const config = await context.shared("GetMarketConfigs", { market: { marketId } });
      for (const answer of usable([config])) context.verify(answer).satisfies((body) => isNamed(assetSymbol, body));
    }
  });

  observe("get-market-id-by-name.quote-symbol-dressing", {}, async (context) => {
    const { assetSymbol, quoteSymbol } = await foundPair(context);
    const dresses = {
      "a quote symbol in lower case": quoteSymbol.toLowerCase(),
      "a quote symbol with blanks around it": ` ${quoteSymbol}\t`,
      "a blank quote symbol": " ",
    };
    for (const [what, dress] of Object.entries(dresses)) {
      context.record(what, await context.call.getMarketIdByName({ assetSymbol, quoteSymbol: dress }));
    }
  });

  // Unknown asset/quote combination fails with NOT_FOUND.
  check("get-market-id-by-name.unknown-pair", { name: "symbols of no market", requests: 20 }, async (context) => {
    for (const { symbols } of pairedMarkets(context).slice(0, 1)) {
      usable([await context.shared("GetMarketIdByName", { ...symbols })]);
      for (const pair of unknownPairs(symbols, context.subjects.unknown.symbols)) {
        context.verify(await context.call.getMarketIdByName({ ...pair })).failsWith("not_found");
      }
    }
  });

  check("get-market-id-by-name.unknown-pair", { name: "symbols of two markets", requests: 1 }, async (context) => {
    const { call, need, subjects, verify } = context;
    const [pair] = uncombinedPairs(symbolsOfMarkets(subjects), 1);
    const answer = await call.getMarketIdByName({
      ...need(pair, "needs an asset and a quote symbol of two markets that no market combines"),
    });
    // A market that was not discovered may go by the two.
    const others = subjects.markets.filter(({ symbols }) => symbols?.quoteSymbol !== undefined);
    if (answer.outcome.kind !== "success") verify(answer).failsWith("not_found");
    else for (const { marketId } of others) verify(answer).satisfies((body) => findsAnother(marketId, body));
  });

  check(
    "get-market-id-by-name.unknown-pair",
    { name: "parts and patterns of symbols", requests: 18 },
    async (context) => {
      for (const { marketId, symbols } of pairedMarkets(context).slice(0, 2)) {
        const { assetSymbol, quoteSymbol } = symbols;
        usable([await context.shared("GetMarketIdByName", { ...symbols })]);
        const shortened = assetSymbol.slice(0, -1);
        for (const part of [shortened, `${shortened}%`, `${shortened}_`, `${shortened}*`]) {
          const answer = await context.call.getMarketIdByName({ assetSymbol: part, quoteSymbol });
          refusedOr(context, answer, (body) => findsAnother(marketId, body));
        }
      }
    },
  );
});

/** A market's pair of symbols, once it was seen to be found by them. */
async function foundPair(context: CheckContext) {
  const [first] = pairedMarkets(context);
  const { symbols } = context.need(first, "needs a market whose asset and quote symbols are known");
  usable([await context.shared("GetMarketIdByName", { ...symbols })]);
  return symbols;
}

/** The markets that are found by a symbol with letters; without any the check is inconclusive. */
function marketsWithLetters(context: CheckContext): readonly NamedMarket[] {
  const markets = namedMarkets(context).filter(({ symbols }) => hasCase(symbols.assetSymbol));
  context.need(markets[0], "needs a market with letters in its asset symbol");
  return markets;
}

/** Another form of its asset symbol finds the market that the plain symbols find. */
async function verifyFinds(context: CheckContext, plain: Symbols, assetSymbol: string): Promise<void> {
  const [found] = usable([await context.shared("GetMarketIdByName", { ...plain })]);
  const answer = await context.call.getMarketIdByName({ ...plain, assetSymbol });
  if (found) context.verify(found, answer).satisfies(findsTheSame);
}
