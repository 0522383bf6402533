import type { Dataset } from "../dataset/dataset.js";
import type { Market } from "../dataset/model.js";
import type { JsonObject } from "../json.js";
import { Answer, type ErrorReply, type Layers, type Mutant } from "../modification.js";
import { documented, type Parameters } from "../parameters.js";
import { folded, marketNamed, readSymbols, type Symbols } from "../selector-layer.js";

const endpoint = "GetMarketIdByName";

/** Compares symbols in another way. */
function compareBy(fold: (symbol: string) => string): Partial<Parameters> {
  return { symbol: (actual, input) => (actual === endpoint ? fold(input) : documented.symbol(actual, input)) };
}

/** Looks other symbols up, or answers straight away. */
function change(
  look: (symbols: Symbols, data: Dataset, json: JsonObject) => JsonObject | Answer | undefined,
): Required<Layers>["request"] {
  return (actual, json, { dataset }) => {
    const symbols = actual === endpoint ? readSymbols(json) : undefined;
    return symbols && look(symbols, dataset, json);
  };
}

/** Sends another code with the errors to some symbols. */
function changeCode(code: string, picks: (symbols: Symbols, data: Dataset) => boolean): Required<Layers>["error"] {
  return (actual, error, { request, dataset }): ErrorReply | undefined => {
    const symbols = actual === endpoint ? readSymbols(request) : undefined;
    return symbols && picks(symbols, dataset) ? { ...error, json: { ...error.json, code } } : undefined;
  };
}

/** The first listed market that passes a test, as its symbols. */
function first({ markets }: Dataset, test: (market: Market) => boolean): JsonObject | undefined {
  const market = [...markets.values()].find((candidate) => candidate.listed && test(candidate));
  return market && { assetSymbol: market.assetSymbol, quoteSymbol: market.quoteSymbol };
}

const spacesAround = /^ +| +$/g;

/** Servers that break one rule of §4.9. */
export const getMarketIdByName: readonly Mutant[] = [
  // assetSymbol: Required; trimmed, case-insensitive. Blank fails with INVALID_ARGUMENT.
  {
    kind: "mutant",
    name: "name-lookup-empty-asset-not-found",
    summary: "GetMarketIdByName looks an empty asset symbol up and answers not_found.",
    breaks: "get-market-id-by-name.asset-symbol-required",
    alsoFails: ["errors.malformed-request-code"],
    error: changeCode("not_found", ({ asset }) => asset === ""),
  },
  {
    kind: "mutant",
    name: "name-lookup-omitted-asset-first-of-quote",
    summary: "GetMarketIdByName finds the first market of a quote symbol when the asset symbol is omitted.",
    breaks: "get-market-id-by-name.asset-symbol-required",
    request: change(({ quote }, data, json) =>
      json.assetSymbol === undefined ? first(data, ({ quoteSymbol }) => quoteSymbol === quote) : undefined,
    ),
  },
  {
    kind: "mutant",
    name: "name-lookup-empty-request-id-zero",
    summary: "GetMarketIdByName answers a request without any symbol with the id 0.",
    breaks: "get-market-id-by-name.asset-symbol-required",
    request: change((_symbols, _data, json) =>
      Object.keys(json).length === 0 ? new Answer({ marketId: "0" }) : undefined,
    ),
  },
  {
    kind: "mutant",
    name: "name-lookup-blank-asset-not-found",
    summary: "GetMarketIdByName looks a blank asset symbol up and answers not_found.",
    breaks: "get-market-id-by-name.asset-symbol-blank",
    error: changeCode("not_found", ({ asset }) => asset !== "" && asset.trim() === ""),
  },
  {
    kind: "mutant",
    name: "name-lookup-tab-as-asset-not-found",
    summary: "GetMarketIdByName takes only spaces for blank: it looks a tab up and answers not_found.",
    breaks: "get-market-id-by-name.asset-symbol-blank",
    error: changeCode("not_found", ({ asset }) => asset.trim() === "" && asset.includes("\t")),
  },
  {
    kind: "mutant",
    name: "name-lookup-blank-asset-alone-not-found",
    summary: "GetMarketIdByName answers not_found to a blank asset symbol without a quote symbol.",
    breaks: "get-market-id-by-name.asset-symbol-blank",
    error: changeCode("not_found", ({ asset, quote }) => asset !== "" && asset.trim() === "" && quote === ""),
  },
  {
    kind: "mutant",
    name: "name-lookup-asset-not-trimmed",
    summary: "GetMarketIdByName looks asset symbols up with the blanks around them.",
    breaks: "get-market-id-by-name.asset-symbol-trimmed",
    parameters: compareBy((symbol) => symbol.toLowerCase()),
  },
  {
    kind: "mutant",
    name: "name-lookup-trims-spaces-only",
    summary: "GetMarketIdByName trims spaces, but neither tabs nor line ends.",
    breaks: "get-market-id-by-name.asset-symbol-trimmed",
    parameters: compareBy((symbol) => symbol.replace(spacesAround, "").toLowerCase()),
  },
  {
    kind: "mutant",
    name: "name-lookup-trimmed-at-the-start-only",
    summary: "GetMarketIdByName trims asset symbols at their start only.",
    breaks: "get-market-id-by-name.asset-symbol-trimmed",
    parameters: compareBy((symbol) => symbol.trimStart().toLowerCase()),
  },
  {
    kind: "mutant",
    name: "name-lookup-trimmed-at-the-end-only",
    summary: "GetMarketIdByName trims asset symbols at their end only.",
    breaks: "get-market-id-by-name.asset-symbol-trimmed",
    parameters: compareBy((symbol) => symbol.trimEnd().toLowerCase()),
  },
  {
    kind: "mutant",
    name: "name-lookup-case-sensitive",
    summary: "GetMarketIdByName distinguishes capitals and small letters.",
    breaks: "get-market-id-by-name.asset-symbol-case-insensitive",
    parameters: compareBy((symbol) => symbol.trim()),
  },
  {
    kind: "mutant",
    name: "name-lookup-of-one-case-only",
    summary: "GetMarketIdByName finds symbols in capitals and in small letters, but not mixed.",
    breaks: "get-market-id-by-name.asset-symbol-case-insensitive",
    parameters: compareBy((symbol) => {
      const trimmed = symbol.trim();
      return trimmed === trimmed.toUpperCase() ? trimmed.toLowerCase() : trimmed;
    }),
  },
  {
    kind: "mutant",
    name: "name-lookup-first-letter-of-any-case",
    summary: "GetMarketIdByName takes the first letter of a symbol in any case, the others as they are.",
    breaks: "get-market-id-by-name.asset-symbol-case-insensitive",
    parameters: compareBy((symbol) => symbol.trim().replace(/^./, (letter) => letter.toLowerCase())),
  },

  // quoteSymbol: Optional. When omitted, the lookup targets a market named exactly by the asset symbol alone.
  {
    kind: "mutant",
    name: "name-lookup-quote-defaults-to-usd",
    summary: "GetMarketIdByName takes an omitted quote symbol for USD.",
    breaks: "get-market-id-by-name.quote-symbol-omitted",
    request: change(({ asset, quote }, data, json) =>
      quote === "" && marketNamed(data, { asset, quote: "USD" }) ? { ...json, quoteSymbol: "USD" } : undefined,
    ),
  },
  {
    kind: "mutant",
    name: "name-lookup-first-market-of-the-asset",
    summary: "GetMarketIdByName finds the first market of the asset when the quote symbol is omitted.",
    breaks: "get-market-id-by-name.quote-symbol-omitted",
    request: change(({ asset, quote }, data) =>
      quote === "" && asset.trim() !== ""
        ? first(data, ({ assetSymbol }) => folded(assetSymbol) === folded(asset))
        : undefined,
    ),
  },
  {
    kind: "mutant",
    name: "name-lookup-omitted-quote-invalid",
    summary: "GetMarketIdByName answers invalid_argument when no market is named by the asset symbol alone.",
    breaks: "get-market-id-by-name.quote-symbol-omitted",
    error: changeCode("invalid_argument", ({ quote }) => quote === ""),
  },

  // Unknown asset/quote combination fails with NOT_FOUND.
  {
    kind: "mutant",
    name: "name-lookup-unknown-pair-invalid",
    summary: "GetMarketIdByName answers invalid_argument to an unknown pair.",
    breaks: "get-market-id-by-name.unknown-pair",
    error: changeCode("invalid_argument", ({ quote }) => quote !== ""),
  },
  {
    kind: "mutant",
    name: "name-lookup-unknown-pair-id-zero",
    summary: "GetMarketIdByName answers an unknown pair with the id 0.",
    breaks: "get-market-id-by-name.unknown-pair",
    request: change((symbols, data) =>
      symbols.asset.trim() !== "" && symbols.quote !== "" && !marketNamed(data, symbols)
        ? new Answer({ marketId: "0" })
        : undefined,
    ),
  },
  {
    kind: "mutant",
    name: "name-lookup-quote-ignored",
    summary: "GetMarketIdByName finds a market by its asset symbol, whatever the quote symbol is.",
    breaks: "get-market-id-by-name.unknown-pair",
    request: change(({ asset, quote }, data) =>
      quote === "" ? undefined : first(data, ({ assetSymbol }) => folded(assetSymbol) === folded(asset)),
    ),
  },
  {
    kind: "mutant",
    name: "name-lookup-each-symbol-by-itself",
    summary: "GetMarketIdByName finds a market of the asset when any market has the quote.",
    breaks: "get-market-id-by-name.unknown-pair",
    request: change(({ asset, quote }, data) => {
      const hasQuote = [...data.markets.values()].some(
        ({ listed, quoteSymbol }) => listed && folded(quoteSymbol) === folded(quote),
      );
      if (quote === "" || !hasQuote || marketNamed(data, { asset, quote })) return undefined;
      return first(data, (market) => market.quoteSymbol !== "" && folded(market.assetSymbol) === folded(asset));
    }),
  },
  {
    kind: "mutant",
    name: "name-lookup-by-the-start-of-the-asset",
    summary: "GetMarketIdByName finds a market by the start of its asset symbol.",
    breaks: "get-market-id-by-name.unknown-pair",
    request: change(({ asset, quote }, data) =>
      quote === "" || asset.trim() === ""
        ? undefined
        : first(
            data,
            (market) =>
              folded(market.assetSymbol).startsWith(folded(asset)) && folded(market.quoteSymbol) === folded(quote),
          ),
    ),
  },
  {
    kind: "mutant",
    name: "name-lookup-by-pattern",
    summary: "GetMarketIdByName takes a percent sign in a symbol for any letters.",
    breaks: "get-market-id-by-name.unknown-pair",
    request: change(({ asset, quote }, data) => {
      const [start = "", ...rest] = asset.split("%");
      if (rest.length === 0 || start.trim() === "") return undefined;
      return first(
        data,
        (market) =>
          folded(market.assetSymbol).startsWith(folded(start)) && folded(market.quoteSymbol) === folded(quote),
      );
    }),
  },
  {
    kind: "mutant",
    name: "name-lookup-unknown-pair-first-market",
    summary: "GetMarketIdByName finds the first market for an unknown asset of a known quote.",
    breaks: "get-market-id-by-name.unknown-pair",
    request: change((symbols, data) =>
      symbols.asset.trim() === "" || marketNamed(data, symbols)
        ? undefined
        : first(data, ({ quoteSymbol }) => quoteSymbol !== "" && folded(quoteSymbol) === folded(symbols.quote)),
    ),
  },
];
