import fc from "fast-check";
import { draw, shuffled } from "../src/arbitraries/seed.js";
import { blankForms, blankTexts, unknownPairs, unlistedPairs } from "../src/arbitraries/symbols.js";
import type { CheckContext } from "../src/engine/context.js";
import { suite } from "../src/engine/define.js";
import { usable } from "../src/engine/usable.js";
import { inItsOwnCase, trimmed } from "../src/exploration/rewrites.js";
import { findsAnother, marketIsNamed } from "../src/judge/markets.js";
import { marketIdOf } from "../src/judge/read.js";
import { pairedMarkets, symbolsOfMarkets, uncombinedTried } from "./support/selectors.js";

/** In how many markets to try the asset symbol without its last letter. */
const shortenedTried = 8;

export default suite("§4.9 GetMarketIdByName", ({ check, equivalent, observe, refusal }) => {
  // assetSymbol: Required; trimmed, case-insensitive. Blank fails with INVALID_ARGUMENT.
  const invalid = { field: "assetSymbol", codes: ["invalid_argument"] } as const;
  refusal("get-market-id-by-name.asset-symbol-required", { ...invalid, values: () => [undefined, ""] });
  // Not derived from an explored request, since nothing of one is left.
  check("get-market-id-by-name.asset-symbol-required", { name: "of nothing" }, async ({ call, verify }) => {
    verify(await call.getMarketIdByName({})).failsWith("invalid_argument");
  });

  refusal("get-market-id-by-name.asset-symbol-blank", {
    ...invalid,
    values: () => [...blankForms.filter((form) => form !== ""), blankTexts, blankTexts],
  });

  // A lookup of the quote symbol must not come before the validation.
  check("get-market-id-by-name.asset-symbol-blank", { name: "beside an unknown quote symbol" }, async (context) => {
    const [{ symbols }] = pairedMarkets(context);
    usable([await context.shared("GetMarketIdByName", { ...symbols })]);
    const { quoteSymbol } = context.subjects.unknown.symbols;
    context
      .verify(await context.call.getMarketIdByName({ assetSymbol: " ", quoteSymbol }))
      .failsWith("invalid_argument");
  });

  equivalent("get-market-id-by-name.asset-symbol-trimmed", {
    rewrite: trimmed("assetSymbol"),
    why: "as for the symbol without blanks",
  });

  equivalent("get-market-id-by-name.asset-symbol-case-insensitive", {
    rewrite: inItsOwnCase,
    why: "as for the symbol in its own case",
  });

  // quoteSymbol: Optional. When omitted, the lookup targets a market named exactly by the asset symbol alone, which may
  // not exist.
  check("get-market-id-by-name.quote-symbol-omitted", async (context) => {
    for (const { symbols } of pairedMarkets(context).slice(0, 8)) {
      usable([await context.shared("GetMarketIdByName", { ...symbols })]);
      await findsOnlyByAsset(context, { assetSymbol: symbols.assetSymbol }, ["not_found"]);
    }
  });

  // An empty symbol may count as omitted or as part of an unknown pair, but it must not match any other symbol.
  check("get-market-id-by-name.quote-symbol-omitted", { name: "an empty one" }, async (context) => {
    for (const { symbols } of pairedMarkets(context).slice(0, 2)) {
      usable([await context.shared("GetMarketIdByName", { ...symbols })]);
      await findsOnlyByAsset(context, { ...symbols, quoteSymbol: "" }, ["not_found", "invalid_argument"]);
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
    const { seed, subjects } = context;
    const { symbols, name } = draw(fc.constantFrom(...pairedMarkets(context)), seed);
    usable([await context.shared("GetMarketIdByName", { ...symbols })]);
    const { quoteSymbol } = subjects.unknown.symbols;
    const pairs = [
      ...unknownPairs(symbols, subjects.unknown.symbols, symbolsOfMarkets(subjects)),
      // S8 leaves a whole name open only if it stands alone.
      ...(name === undefined ? [] : [{ assetSymbol: name, quoteSymbol }]),
    ];
    for (const pair of pairs) {
      context.verify(await context.call.getMarketIdByName({ ...pair })).failsWith("not_found");
    }
  });

  check("get-market-id-by-name.unknown-pair", { name: "symbols of two markets" }, async (context) => {
    const { required, shared, subjects, verify } = context;
    const pairs = unlistedPairs(symbolsOfMarkets(subjects), uncombinedTried);
    required(pairs[0], "needs an asset and a quote symbol of two markets that no market combines");
    for (const pair of pairs) {
      const answer = await shared("GetMarketIdByName", { ...pair });
      if (answer.outcome.kind !== "success") verify(answer).failsWith("not_found");
      // The pair may name a market that was not discovered.
      else {
        const others = subjects.markets.filter(({ symbols }) => symbols !== undefined);
        for (const { marketId } of others) verify(answer).satisfies((body) => findsAnother(marketId, body));
      }
    }
  });

  check("get-market-id-by-name.unknown-pair", { name: "parts and patterns of symbols" }, async (context) => {
    const found = shuffled(pairedMarkets(context), context.seed).slice(0, shortenedTried);
    for (const [index, { marketId, symbols }] of found.entries()) {
      const { assetSymbol, quoteSymbol } = symbols;
      usable([await context.shared("GetMarketIdByName", { ...symbols })]);
      const shortened = assetSymbol.slice(0, -1);
      const patterns = [`${shortened}%`, `${shortened}_`, `${shortened}*`, `${shortened}.`];
      // None of these is the symbol of a known market. Whether they are valid symbols is left open.
      const odd = [
        withAccent(assetSymbol),
        withoutAccents(assetSymbol),
        `${shortened} ${assetSymbol.slice(-1)}`,
        `${shortened}'`,
        `${assetSymbol}\u00c9\u{1f4b0}`,
        assetSymbol.repeat(40).slice(0, 200),
      ];
      const parts = [shortened, ...(index === 0 ? [...patterns, ...odd] : [])];
      // A blank before a symbol of one letter is trimmed.
      const byAsset = parts
        .filter((text) => text.trim() !== assetSymbol)
        .map((part) => ({ assetSymbol: part, quoteSymbol }));
      const shortenedQuote = quoteSymbol.slice(0, -1);
      const byQuote = index > 0 || shortenedQuote === "" ? [] : [{ assetSymbol, quoteSymbol: shortenedQuote }];
      for (const pair of [...byAsset, ...byQuote]) {
        const answer = await context.call.getMarketIdByName({ ...pair });
        if (answer.outcome.kind === "success") {
          context.verify(answer).satisfies((body) => findsAnother(marketId, body));
        } else context.verify(answer).failsWith("not_found", "invalid_argument");
      }
    }
  });
});

/** The symbol with an accent on its first letter. */
function withAccent(symbol: string): string {
  const [first = "", ...others] = symbol;
  return `${first}\u0301${others.join("")}`.normalize("NFC");
}

/** The symbol without the accents of its letters; often the symbol itself. */
function withoutAccents(symbol: string): string {
  return symbol.normalize("NFD").replace(/\p{M}/gu, "");
}

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
  for (const answer of usable([config])) verify(answer).satisfies((body) => marketIsNamed(request.assetSymbol, body));
}

/** A pair of symbols that was seen to find its market. */
async function foundPair(context: CheckContext) {
  const [first] = pairedMarkets(context);
  const { symbols } = context.required(first, "needs a market whose asset and quote symbols are known");
  usable([await context.shared("GetMarketIdByName", { ...symbols })]);
  return symbols;
}
