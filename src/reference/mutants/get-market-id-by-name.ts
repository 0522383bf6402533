import { refuses } from "../conditional-interceptors.js";
import type { Dataset } from "../dataset/dataset.js";
import type { Market } from "../dataset/model.js";
import type { MutableJsonObject } from "../json.js";
import {
  breaking,
  type CallContext,
  type ErrorReply,
  type Interceptors,
  type Mutant,
  on,
  rulesOn,
  SubstituteResponse,
} from "../modification.js";
import { documented, type Parameters } from "../parameters.js";
import {
  folded,
  isOfAsset,
  isOfQuote,
  isUnknownPair,
  listedMarkets,
  marketNamed,
  readSymbols,
  type SelectorSymbols,
} from "../selector-interceptors.js";

const endpoint = "GetMarketIdByName";

/** Changes how symbols are normalized for comparison. */
function compareBy(fold: (symbol: string) => string): Partial<Parameters> {
  return { symbol: (actual, input) => (actual === endpoint ? fold(input) : documented.symbol(actual, input)) };
}

/** Looks up other symbols, or answers directly. */
function change(
  look: (
    symbols: SelectorSymbols,
    data: Dataset,
    json: MutableJsonObject,
  ) => MutableJsonObject | SubstituteResponse | undefined,
): Required<Interceptors>["request"] {
  return (actual, json, { dataset }) => {
    const symbols = actual === endpoint ? readSymbols(json) : undefined;
    return symbols && look(symbols, dataset, json);
  };
}

/** Replaces the error code for some symbols. */
function changeCode(
  code: string,
  picks: (symbols: SelectorSymbols, data: Dataset) => boolean,
): Required<Interceptors>["error"] {
  return (actual, error, { request, dataset }): ErrorReply | undefined => {
    const symbols = actual === endpoint ? readSymbols(request) : undefined;
    return symbols && picks(symbols, dataset) ? { ...error, json: { ...error.json, code } } : undefined;
  };
}

/** The symbols of the first listed market that passes a test. */
function first(data: Dataset, test: (market: Market) => boolean): MutableJsonObject | undefined {
  const market = listedMarkets(data).find(test);
  return market && { assetSymbol: market.assetSymbol, quoteSymbol: market.quoteSymbol };
}

/** The symbols of the first listed market of a quote symbol whose asset symbol starts with the given letters. */
function startingWith(start: string, quote: string, data: Dataset): MutableJsonObject | undefined {
  return first(data, (market) => folded(market.assetSymbol).startsWith(folded(start)) && isOfQuote(market, quote));
}

/** After a pair was not found, refuses all lookups of the same asset for `forMs` milliseconds. */
function remembersRefusals(forMs: number): Pick<Interceptors, "error" | "http"> {
  const until = new Map<string, number>();
  const keyOf = ({ headers, request }: CallContext) => `${headers.get("host")} ${folded(String(request.assetSymbol))}`;
  return {
    error: on(endpoint, ({ json }, call) => {
      if (json.code === "not_found") until.set(keyOf(call), call.now() + forMs);
      return undefined;
    }),
    http: refuses(endpoint, "not_found", (call) => call.now() < (until.get(keyOf(call)) ?? 0)),
  };
}

const spacesAround = /^ +| +$/g;

/** Servers that break one rule of §4.9. */
export const getMarketIdByName: readonly Mutant[] = [
  ...breaking("errors.documented-outcome", {
    "name-lookup-remembers-refusals-by-the-asset": {
      summary: "GetMarketIdByName finds nothing for an asset for a second once a pair with it was not found.",
      alsoFails: rulesOn("GetMarketIdByName"),
      ...remembersRefusals(1_000),
    },
  }),

  ...breaking("get-market-id-by-name.asset-symbol-required", {
    // assetSymbol: Required; trimmed, case-insensitive. Blank fails with INVALID_ARGUMENT.
    "name-lookup-empty-asset-not-found": {
      summary: "GetMarketIdByName looks an empty asset symbol up and answers not_found.",
      alsoFails: ["errors.malformed-request-code"],
      error: changeCode("not_found", ({ asset }) => asset === ""),
    },
    "name-lookup-omitted-asset-first-of-quote": {
      summary: "GetMarketIdByName finds the first market of a quote symbol when the asset symbol is omitted.",
      request: change(({ quote }, data, json) =>
        json.assetSymbol === undefined ? first(data, ({ quoteSymbol }) => quoteSymbol === quote) : undefined,
      ),
    },
    "name-lookup-empty-request-id-zero": {
      summary: "GetMarketIdByName answers a request without any symbol with the id 0.",
      request: change((_symbols, _data, json) =>
        Object.keys(json).length === 0 ? new SubstituteResponse({ marketId: "0" }) : undefined,
      ),
    },
  }),

  ...breaking("get-market-id-by-name.asset-symbol-blank", {
    "name-lookup-unknown-quote-before-blank-asset": {
      summary: "GetMarketIdByName looks the quote symbol up before it finds the asset symbol blank.",
      error: changeCode(
        "not_found",
        ({ asset, quote }, { markets }) =>
          asset.trim() === "" && ![...markets.values()].some((market) => isOfQuote(market, quote)),
      ),
    },
    "name-lookup-blank-asset-not-found": {
      summary: "GetMarketIdByName looks a blank asset symbol up and answers not_found.",
      error: changeCode("not_found", ({ asset }) => asset !== "" && asset.trim() === ""),
    },
    "name-lookup-tab-as-asset-not-found": {
      summary: "GetMarketIdByName takes only spaces for blank: it looks a tab up and answers not_found.",
      error: changeCode("not_found", ({ asset }) => asset.trim() === "" && asset.includes("\t")),
    },
    "name-lookup-blank-asset-alone-not-found": {
      summary: "GetMarketIdByName answers not_found to a blank asset symbol without a quote symbol.",
      error: changeCode("not_found", ({ asset, quote }) => asset !== "" && asset.trim() === "" && quote === ""),
    },
  }),

  ...breaking("get-market-id-by-name.asset-symbol-trimmed", {
    "name-lookup-asset-not-trimmed": {
      summary: "GetMarketIdByName looks asset symbols up with the whitespace around them.",
      parameters: compareBy((symbol) => symbol.toLowerCase()),
    },
    "name-lookup-trims-spaces-only": {
      summary: "GetMarketIdByName trims spaces, but neither tabs nor line ends.",
      parameters: compareBy((symbol) => symbol.replace(spacesAround, "").toLowerCase()),
    },
    "name-lookup-trimmed-at-the-start-only": {
      summary: "GetMarketIdByName trims asset symbols at their start only.",
      alsoFails: ["errors.documented-outcome"],
      parameters: compareBy((symbol) => symbol.trimStart().toLowerCase()),
    },
    "name-lookup-trimmed-at-the-end-only": {
      summary: "GetMarketIdByName trims asset symbols at their end only.",
      alsoFails: ["errors.documented-outcome"],
      parameters: compareBy((symbol) => symbol.trimEnd().toLowerCase()),
    },
  }),

  ...breaking("get-market-id-by-name.asset-symbol-case-insensitive", {
    "name-lookup-case-sensitive": {
      summary: "GetMarketIdByName distinguishes upper case and lower case.",
      parameters: compareBy((symbol) => symbol.trim()),
    },
    "name-lookup-of-one-case-only": {
      summary: "GetMarketIdByName finds symbols in upper case and in lower case, but not in mixed case.",
      alsoFails: ["errors.documented-outcome"],
      parameters: compareBy((symbol) => {
        const trimmed = symbol.trim();
        return trimmed === trimmed.toUpperCase() ? trimmed.toLowerCase() : trimmed;
      }),
    },
    "name-lookup-first-letter-of-any-case": {
      summary: "GetMarketIdByName takes the first letter of a symbol in any case, the others as they are.",
      parameters: compareBy((symbol) => symbol.trim().replace(/^./, (letter) => letter.toLowerCase())),
    },
  }),

  ...breaking("get-market-id-by-name.quote-symbol-omitted", {
    // quoteSymbol: Optional. When omitted, the lookup targets a market named exactly by the asset symbol alone.
    "name-lookup-quote-defaults-to-usd": {
      summary: "GetMarketIdByName takes an omitted quote symbol for USD.",
      request: change(({ asset, quote }, data, json) =>
        quote === "" && marketNamed(data, { asset, quote: "USD" }) ? { ...json, quoteSymbol: "USD" } : undefined,
      ),
    },
    "name-lookup-first-market-of-the-asset": {
      summary: "GetMarketIdByName finds the first market of the asset when the quote symbol is omitted.",
      request: change(({ asset, quote }, data) =>
        quote === "" && asset.trim() !== "" ? first(data, (market) => isOfAsset(market, asset)) : undefined,
      ),
    },
    "name-lookup-empty-quote-matches-any": {
      summary: "GetMarketIdByName finds the first market of the asset when the quote symbol is empty, not omitted.",
      request: change(({ asset }, data, { quoteSymbol }) =>
        quoteSymbol === "" && asset.trim() !== "" ? first(data, (market) => isOfAsset(market, asset)) : undefined,
      ),
    },
    "name-lookup-never-without-quote": {
      summary:
        "GetMarketIdByName finds no market without a quote symbol, not even one named by the asset symbol alone.",
      request: change(({ asset, quote }, _, json) =>
        quote === "" && asset.trim() !== "" ? { ...json, quoteSymbol: "NONE" } : undefined,
      ),
    },
    "name-lookup-omitted-quote-invalid": {
      summary: "GetMarketIdByName answers invalid_argument when no market is named by the asset symbol alone.",
      error: changeCode("invalid_argument", ({ quote }) => quote === ""),
    },
  }),

  ...breaking("get-market-id-by-name.unknown-pair", {
    // Unknown asset/quote combination fails with NOT_FOUND.
    "name-lookup-unknown-pair-invalid": {
      summary: "GetMarketIdByName answers invalid_argument to an unknown pair.",
      error: changeCode("invalid_argument", ({ quote }) => quote !== ""),
    },
    "name-lookup-long-symbols-invalid": {
      summary: "GetMarketIdByName refuses asset symbols of more than 20 characters.",
      error: changeCode("invalid_argument", ({ asset, quote }) => asset.length > 20 && quote !== ""),
    },
    "name-lookup-unknown-pair-id-zero": {
      summary: "GetMarketIdByName answers an unknown pair with the id 0.",
      request: change((symbols, data) =>
        symbols.quote !== "" && isUnknownPair(symbols, data) ? new SubstituteResponse({ marketId: "0" }) : undefined,
      ),
    },
    "name-lookup-quote-ignored": {
      summary: "GetMarketIdByName finds a market by its asset symbol, whatever the quote symbol is.",
      request: change(({ asset, quote }, data) =>
        quote === "" ? undefined : first(data, (market) => isOfAsset(market, asset)),
      ),
    },
    "name-lookup-whole-name-whatever-the-quote": {
      summary:
        "GetMarketIdByName finds a market by its whole name in place of the asset symbol, whatever the quote symbol is.",
      request: change(({ asset, quote }, data) =>
        quote === "" ? undefined : first(data, ({ name }) => folded(name) === folded(asset)),
      ),
    },
    "name-lookup-each-symbol-by-itself": {
      summary: "GetMarketIdByName finds a market of the asset when any market has the quote.",
      request: change(({ asset, quote }, data) => {
        const isKnownQuote = listedMarkets(data).some((market) => isOfQuote(market, quote));
        if (quote === "" || !isKnownQuote || marketNamed(data, { asset, quote })) return undefined;
        return first(data, (market) => market.quoteSymbol !== "" && isOfAsset(market, asset));
      }),
    },
    "name-lookup-without-accents": {
      summary: "GetMarketIdByName compares asset symbols without their accents.",
      request: change(({ asset, quote }, data) => {
        const plain = folded(asset.normalize("NFD").replace(/\p{M}/gu, ""));
        if (quote === "" || plain === folded(asset)) return undefined;
        return first(data, (market) => isOfAsset(market, plain) && isOfQuote(market, quote));
      }),
    },
    "name-lookup-by-the-start-of-the-asset": {
      summary: "GetMarketIdByName finds a market by the start of its asset symbol.",
      request: change(({ asset, quote }, data) =>
        quote === "" || asset.trim() === "" ? undefined : startingWith(asset, quote, data),
      ),
    },
    "name-lookup-by-the-first-five-letters": {
      summary: "GetMarketIdByName finds a market by the first five letters of its asset symbol.",
      request: change(({ asset, quote }, data) =>
        quote === "" || asset.trim().length < 5 ? undefined : startingWith(asset, quote, data),
      ),
    },
    "name-lookup-by-pattern": {
      summary: "GetMarketIdByName takes a percent sign in a symbol for any letters.",
      request: change(({ asset, quote }, data) => {
        const [start = "", ...rest] = asset.split("%");
        if (rest.length === 0 || start.trim() === "") return undefined;
        return startingWith(start, quote, data);
      }),
    },
    "name-lookup-by-regular-expression": {
      summary: "GetMarketIdByName takes an asset symbol for a regular expression.",
      request: change(({ asset, quote }, data) => {
        if (quote === "" || !/^[\w.]*\.[\w.]*$/.test(asset)) return undefined;
        const pattern = new RegExp(`^${folded(asset)}$`);
        return first(data, (market) => pattern.test(folded(market.assetSymbol)) && isOfQuote(market, quote));
      }),
    },
    "name-lookup-by-both-symbols-in-one": {
      summary: "GetMarketIdByName finds a market by the letters of both symbols, wherever the quote begins.",
      request: change(({ asset, quote }, data) =>
        quote === "" || asset.trim() === "" || marketNamed(data, { asset, quote })
          ? undefined
          : first(
              data,
              ({ assetSymbol, quoteSymbol }) =>
                quoteSymbol !== "" && folded(assetSymbol + quoteSymbol) === folded(asset.trim() + quote),
            ),
      ),
    },
    "name-lookup-first-letter-of-the-quote-in-the-asset": {
      summary:
        "GetMarketIdByName finds a market as well when the asset symbol ends with the first letter of the quote.",
      request: change(({ asset, quote }, data) =>
        first(
          data,
          ({ assetSymbol, quoteSymbol }) =>
            quoteSymbol !== "" &&
            folded(asset) === folded(assetSymbol + quoteSymbol.slice(0, 1)) &&
            folded(quote) === folded(quoteSymbol.slice(1)),
        ),
      ),
    },
    "name-lookup-blanks-inside-removed": {
      summary: "GetMarketIdByName removes all whitespace from the asset symbol, also those inside.",
      request: change(({ asset, quote }, data) =>
        /\S\s+\S/.test(asset)
          ? first(data, (market) => isOfAsset(market, asset.replaceAll(/\s/g, "")) && isOfQuote(market, quote))
          : undefined,
      ),
    },
    "name-lookup-unknown-pair-first-market": {
      summary: "GetMarketIdByName finds the first market for an unknown asset of a known quote.",
      request: change((symbols, data) =>
        isUnknownPair(symbols, data)
          ? first(data, (market) => market.quoteSymbol !== "" && isOfQuote(market, symbols.quote))
          : undefined,
      ),
    },
  }),
];
