import fc from "fast-check";
import { padded } from "../src/arbitraries/addresses.js";
import { blankTexts, hasCase, recasedSymbol, unknownPairs } from "../src/arbitraries/symbols.js";
import { findsAnother, findsTheSame, isNamed } from "../src/judge/markets.js";
import { marketIdOf } from "../src/judge/read.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";
import { type NamedMarket, namedMarkets, pairedMarkets, refusedOr } from "../src/verdict/selectors.js";
import { usable } from "../src/verdict/usable.js";

export default suite("§4.9 GetMarketIdByName", ({ check, property, observe }) => {
  // assetSymbol: Required; trimmed, case-insensitive. Blank fails with INVALID_ARGUMENT.
  check("get-market-id-by-name.asset-symbol-required", async (context) => {
    const { quoteSymbol } = await foundPair(context);
    for (const request of [{ quoteSymbol }, { assetSymbol: "", quoteSymbol }, {}, { assetSymbol: "" }]) {
      context.verify(await context.call.getMarketIdByName(request)).failsWith("invalid_argument");
    }
  });

  property(
    "get-market-id-by-name.asset-symbol-blank",
    { runs: { quick: 8, full: 30 } },
    async (context) => {
      const { quoteSymbol } = await foundPair(context);
      return { assetSymbol: blankTexts, quoteSymbol: fc.constantFrom(quoteSymbol, undefined) };
    },
    async (request, { call, verify }) => {
      verify(await call.getMarketIdByName({ ...request })).failsWith("invalid_argument");
    },
  );

  property(
    "get-market-id-by-name.asset-symbol-trimmed",
    {},
    (context) => ({ symbols: dressed(namedMarkets(context), padded) }),
    async ({ symbols: { plain, other } }, { call, shared, verify }) => {
      const [found] = usable([await shared("GetMarketIdByName", plain)]);
      if (found) verify(found, await call.getMarketIdByName(other)).satisfies(findsTheSame);
    },
  );

  property(
    "get-market-id-by-name.asset-symbol-case-insensitive",
    {},
    (context) => {
      const markets = namedMarkets(context).filter(({ symbols }) => hasCase(symbols.assetSymbol));
      context.need(markets[0], "needs a market with letters in its asset symbol");
      return { symbols: dressed(markets, recasedSymbol) };
    },
    async ({ symbols: { plain, other } }, { call, shared, verify }) => {
      const [found] = usable([await shared("GetMarketIdByName", plain)]);
      if (found) verify(found, await call.getMarketIdByName(other)).satisfies(findsTheSame);
    },
  );

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
  property(
    "get-market-id-by-name.unknown-pair",
    { name: "symbols of no market" },
    async (context) => ({ pair: unknownPairs(await foundPair(context), context.subjects.unknown.symbols) }),
    async ({ pair }, { call, verify }) => {
      verify(await call.getMarketIdByName({ ...pair })).failsWith("not_found");
    },
  );

  check(
    "get-market-id-by-name.unknown-pair",
    { name: "parts and patterns of symbols", requests: 18 },
    async (context) => {
      for (const { marketId, symbols } of pairedMarkets(context).slice(0, 4)) {
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

/** A market's symbols as they are, and with another form of its asset symbol. */
function dressed(markets: readonly NamedMarket[], dress: (symbol: string) => fc.Arbitrary<string>) {
  return fc
    .constantFrom(...markets)
    .chain(({ symbols }) =>
      dress(symbols.assetSymbol).map((assetSymbol) => ({ plain: { ...symbols }, other: { ...symbols, assetSymbol } })),
    );
}
