import fc from "fast-check";
import { paddedAddress } from "../src/arbitraries/addresses.js";
import { draw } from "../src/arbitraries/seed.js";
import {
  formsBeyondInt64,
  idsBeyondInt64,
  type Lookalike,
  lookalikeIds,
  negativeForms,
  negativeIds,
  nonNumericForms,
  nonNumericIds,
  smallIds,
} from "../src/arbitraries/selectors.js";
import { blankForms, blankTexts, type SymbolPair, unknownPairs } from "../src/arbitraries/symbols.js";
import type { JsonObject, JsonObjectInput } from "../src/connect/json.js";
import type { CheckContext } from "../src/engine/context.js";
import { suite } from "../src/engine/define.js";
import type { InvalidValue } from "../src/engine/refusals.js";
import { selectedById } from "../src/exploration/rewrites.js";
import { notTheCandlesOf } from "../src/judge/candles.js";
import { givesNoSuccess } from "../src/judge/connect-error.js";
import { holdsNothing, onlyOf } from "../src/judge/markets.js";
import { candlesOf } from "../src/judge/read.js";
import { selectorEndpoints } from "../src/specification/endpoints.js";
import { int64Max } from "../src/specification/limits.js";
import type { Readings } from "../src/specification/readings.js";
import { missingData } from "../src/subjects/hints.js";
import { marketsWithSymbols, walletWithMostOrders, walletWithOrdersIn } from "../src/subjects/select.js";
import type { MarketSubject, Subjects } from "../src/subjects/subjects.js";
import { answersToWrongTypes } from "./support/any-operation.js";
import {
  bringsData,
  confirmedUnlistedPairs,
  describeSelection,
  isNotFound,
  marketAcceptedById,
  marketAcceptedBySymbol,
  refusedOr,
  selecting,
  symbolsOfMarkets,
} from "./support/selectors.js";

/** The operations that require a selector (S3). */
const requiringEndpoints = ["GetOrderBook", "GetHistoricalPrices", "GetMarketConfigs"] as const;
/** The operations that resolve symbols (S8). */
const symbolEndpoints = ["GetOrders", "GetOrderBook", "GetMarketConfigs"] as const;

/** The error codes that may refuse an unknown pair of symbols, by reading (S5). */
const unknownSymbolCodes = {
  "not-found": ["not_found"],
  "invalid-argument": ["invalid_argument"],
  "empty-success": ["invalid_argument", "not_found"],
} as const;

/** Allows an empty list of orders instead of a refusal, unless another reading was chosen (S5). */
function emptySuccess({ S5: chosen }: Readings) {
  const mayBeEmpty = (chosen ?? "empty-success") === "empty-success";
  return mayBeEmpty
    ? { holds: (body: JsonObject) => holdsNothing("GetOrders", body), only: chosen !== undefined }
    : undefined;
}

const lookalikes = "ids that look like a market's";
const smallOnes = "small ids";

export default suite("§1 Market selector", ({ check, equivalent, observe, invariant, refusal }) => {
  const invalid = { field: "market", codes: ["invalid_argument"] } as const;
  /** Selectors with an invalid id. */
  const byIds = (of: (marketId: string) => readonly (string | fc.Arbitrary<string>)[]) => ({
    ...invalid,
    values: ({ marketId }: MarketSubject) =>
      of(marketId).map((id) => (typeof id === "string" ? { marketId: id } : id.map((text) => ({ marketId: text })))),
  });

  // Object market with exactly one of two alternatives.
  for (const on of symbolEndpoints) {
    refusal("selector.both-alternatives", {
      on,
      ...invalid,
      values: ({ marketId, symbols }, subjects) => {
        const { unknown } = subjects;
        const other = marketsWithSymbols(subjects).find((market) => market.marketId !== marketId);
        const ids = [marketId, unknown.marketId, "0", ""];
        const pairs = [other?.symbols, unknown.symbols, { ...symbols, assetSymbol: unknown.symbols.assetSymbol }, {}];
        return [
          ...ids.map((id) => ({ marketId: id, marketSymbol: { ...(symbols ?? unknown.symbols) } })),
          ...pairs.flatMap((pair) => (pair ? [{ marketId, marketSymbol: { ...pair } }] : [])),
          { marketId: unknown.marketId, marketSymbol: { ...unknown.symbols } },
        ];
      },
    });
  }

  for (const on of selectorEndpoints) {
    refusal("selector.neither-alternative", { on, ...invalid, values: () => [{}] });

    observe("selector.null-alternative", { on }, async (context) => {
      const { marketId, symbols = context.subjects.unknown.symbols } = await marketAcceptedById(context, on);
      const selectors = {
        "marketId beside a null marketSymbol": { marketId, marketSymbol: null },
        "marketSymbol beside a null marketId": { marketId: null, marketSymbol: { ...symbols } },
      };
      for (const [what, selector] of Object.entries(selectors)) {
        const answer = await context.ask(on, selecting(context, on, selector));
        context.record(what, describeSelection(on, answer));
      }
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
        for (const request of withNothingToFind(context, selecting(context, on, selector))) {
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
      for (const request of withFieldsLeftOut(selecting(context, on, undefined))) {
        context.verify(await context.ask(on, request)).failsWith("invalid_argument");
      }
    });
  }

  // by id: { marketId: string(int64 decimal) }. A non-zero numeric id is required.
  for (const on of selectorEndpoints) {
    refusal("selector.zero-id", { on, ...byIds(() => ["0"]) });
    refusal("selector.non-numeric-id", { on, ...byIds((id) => [...nonNumericForms(id), nonNumericIds(id)]) });
    refusal("selector.id-beyond-int64", { on, ...byIds((id) => [...formsBeyondInt64(id), idsBeyondInt64]) });
    refusal("selector.negative-id", {
      on,
      ...byIds((id) => [...negativeForms(id), negativeIds]),
      codes: ["invalid_argument", "not_found"],
    });

    observe("selector.unsettled-id-forms", { on }, async (context) => {
      const { marketId } = await marketAcceptedById(context, on);
      const forms = {
        "with blanks around it": ` ${marketId} `,
        "with leading zeros": `00${marketId}`,
        "with a plus sign": `+${marketId}`,
        "with an exponent": `${marketId}e0`,
        "with a zero fraction": `${marketId}.0`,
        "as a JSON number": BigInt(marketId),
      };
      for (const [what, form] of Object.entries(forms)) {
        const answer = await context.ask(on, selecting(context, on, { marketId: form }));
        context.record(`an id ${what}`, describeSelection(on, answer));
      }
    });
  }

  // An unknown id never yields another market's data.
  for (const on of selectorEndpoints) {
    check("selector.unknown-id-other-market", { on, name: "an id of no market" }, async (context) => {
      await marketAcceptedById(context, on);
      for (const marketId of unknownIds(context.subjects)) {
        const answer = await context.shared(on, selecting(context, on, { marketId }));
        refusedOr(context, answer, (body) => holdsNothing(on, body));
      }
    });

    check("selector.unknown-id-code", { on }, async (context) => {
      await marketAcceptedById(context, on);
      const { S4: reading } = context.readings;
      const mayBeEmpty = (on === "GetOrders" || on === "GetHistoricalPrices") && reading !== "not-found";
      for (const marketId of unknownIds(context.subjects)) {
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
        refusedOr(context, answer, (body) => onlyOf(id, on, body));
      }
    });
  }

  check("selector.unknown-id-other-market", { on: "GetOrders", name: lookalikes }, async (context) => {
    for (const { id, of } of lookalikesOf(context.subjects)) {
      const wallet = walletWithOrdersIn(context.subjects, of);
      if (!wallet) continue;
      const answer = await context.call.getOrders({ address: wallet.address, market: { marketId: id } });
      refusedOr(context, answer, (body) => onlyOf(id, "GetOrders", body));
    }
  });

  check("selector.unknown-id-other-market", { on: "GetHistoricalPrices", name: lookalikes }, async (context) => {
    const on = "GetHistoricalPrices";
    await marketAcceptedById(context, on);
    for (const { id, of } of lookalikesOf(context.subjects)) {
      const original = await context.shared(on, selecting(context, on, { marketId: of }));
      const candles = original.outcome.kind === "success" ? candlesOf(original.outcome.body) : [];
      const answer = await context.ask(on, selecting(context, on, { marketId: id }));
      refusedOr(context, answer, (body) => notTheCandlesOf({ marketId: of, candles }, candlesOf(body)));
    }
  });

  // Any small id may belong to a market that was not seen, so an answer about the id itself is accepted.
  for (const on of symbolEndpoints) {
    check("selector.unknown-id-other-market", { on, name: smallOnes }, async (context) => {
      await marketAcceptedById(context, on);
      for (const marketId of unknownSmallIds(context)) {
        const request = selecting(context, on, { marketId });
        const answer = await context.ask(on, on === "GetOrders" ? { ...request, ...ofManyOrders(context) } : request);
        refusedOr(context, answer, (body) => onlyOf(marketId, on, body));
      }
    });
  }

  check("selector.unknown-id-other-market", { on: "GetHistoricalPrices", name: smallOnes }, async (context) => {
    const on = "GetHistoricalPrices";
    await marketAcceptedById(context, on);
    for (const marketId of unknownSmallIds(context)) {
      const answer = await context.ask(on, selecting(context, on, { marketId }));
      if (!bringsData(on, answer)) refusedOr(context, answer, (body) => holdsNothing(on, body));
      // Candles name no market, and those of two markets may be alike.
      else if (isNotFound(await context.shared("GetMarketConfigs", { market: { marketId } }))) {
        for (const { marketId: other } of context.subjects.markets) {
          const original = await context.shared(on, selecting(context, on, { marketId: other }));
          const candles = original.outcome.kind === "success" ? candlesOf(original.outcome.body) : [];
          if (candles.length === 0) continue;
          refusedOr(context, answer, (body) => notTheCandlesOf({ marketId: other, candles }, candlesOf(body)));
        }
      }
    }
  });

  // by symbol: { marketSymbol: { assetSymbol: string, quoteSymbol: string } }. Accepted by most endpoints.
  invariant("selector.by-symbol");

  for (const on of symbolEndpoints) {
    equivalent("selector.by-symbol", { on, name: "like the id", rewrite: selectedById, why: "as by id" });
  }

  for (const on of symbolEndpoints) {
    refusal("selector.unknown-symbol", {
      on,
      field: "market",
      values: ({ symbols }, subjects) =>
        symbols?.quoteSymbol === undefined
          ? []
          : unknownPairs(
              { ...symbols, quoteSymbol: symbols.quoteSymbol },
              subjects.unknown.symbols,
              symbolsOfMarkets(subjects),
            ).map(asSelector),
      lookedUp: async (context) => (await confirmedUnlistedPairs(context)).map(asSelector),
      codes: ({ S5 }) => unknownSymbolCodes[S5 ?? "empty-success"],
      ...(on === "GetOrders" && { instead: emptySuccess }),
    });

    refusal("selector.blank-asset-symbol", {
      on,
      ...invalid,
      values: ({ symbols }) =>
        symbols?.quoteSymbol === undefined
          ? []
          : [symbols.quoteSymbol, undefined].flatMap((quote) =>
              [undefined, ...blankForms, blankTexts].map((blank) => asSymbols(blank, quote)),
            ),
    });

    observe("selector.symbol-dressing", { on }, async (context) => {
      const { assetSymbol, quoteSymbol } = (await marketAcceptedBySymbol(context, on)).symbols;
      const blanksAround = draw(paddedAddress(assetSymbol), context.seed);
      const variants = {
        "both symbols in lower case": {
          assetSymbol: assetSymbol.toLowerCase(),
          quoteSymbol: quoteSymbol.toLowerCase(),
        },
        "both symbols in lower case with blanks around them": {
          assetSymbol: ` ${assetSymbol.toLowerCase()}\t`,
          quoteSymbol: ` ${quoteSymbol.toLowerCase()}\t`,
        },
        "blanks around the asset symbol": { assetSymbol: blanksAround, quoteSymbol },
        "blanks around the quote symbol": { assetSymbol, quoteSymbol: ` ${quoteSymbol}\t` },
      };
      for (const [what, marketSymbol] of Object.entries(variants)) {
        const answer = await context.ask(on, selecting(context, on, { marketSymbol }));
        context.record(what, describeSelection(on, answer));
      }
    });

    observe("selector.symbol-without-quote", { on }, async (context) => {
      const { assetSymbol } = (await marketAcceptedBySymbol(context, on)).symbols;
      const answer = await context.ask(on, selecting(context, on, { marketSymbol: { assetSymbol } }));
      context.record("an asset symbol without a quote symbol", describeSelection(on, answer));
    });

    observe("selector.pair-name-as-asset-symbol", { on }, async (context) => {
      const { name, symbols } = await marketAcceptedBySymbol(context, on);
      const assetSymbol = name ?? `${symbols.assetSymbol}/${symbols.quoteSymbol}`;
      const answer = await context.ask(on, selecting(context, on, { marketSymbol: { assetSymbol } }));
      context.record("a market's whole name as asset symbol", describeSelection(on, answer));
    });
  }
});

/** A selector by symbols with a faulty asset symbol. */
function asSymbols(
  assetSymbol: string | undefined | fc.Arbitrary<string>,
  quoteSymbol: string | undefined,
): InvalidValue {
  const selector = (text: string | undefined) => ({ marketSymbol: { assetSymbol: text, quoteSymbol } });
  return assetSymbol instanceof fc.Arbitrary ? assetSymbol.map(selector) : selector(assetSymbol);
}

function asSelector(symbols: SymbolPair): InvalidValue {
  return { marketSymbol: { ...symbols } };
}

/** Ids that appear in no answer: one far from all others, and the largest possible one. */
function unknownIds({ markets, orphanMarkets, unknown }: Subjects): readonly string[] {
  const known = new Set([...markets, ...orphanMarkets].map(({ marketId }) => marketId));
  return [unknown.marketId, String(int64Max)].filter((id) => !known.has(id));
}

/** Ids that could be mistaken for those of markets, as many as one check asks for. */
function lookalikesOf({ markets }: Subjects): readonly Lookalike[] {
  return lookalikeIds(markets.map(({ marketId }) => marketId)).slice(0, 8);
}

/** Small ids that none of the discovered markets has. */
function unknownSmallIds({ subjects, seed, required }: CheckContext): readonly string[] {
  const { markets, orphanMarkets, otherMarkets } = subjects;
  const known = [...[...markets, ...orphanMarkets].map(({ marketId }) => marketId), ...otherMarkets];
  const ids = draw(smallIds(new Set(known)), seed);
  required(ids[0], "needs an id below 1000 that no market has");
  return ids;
}

/** The wallet with the most orders, which are most likely to include some of a wrong market. */
function ofManyOrders({ subjects, required }: CheckContext): JsonObjectInput {
  return { address: required(walletWithMostOrders(subjects), missingData(subjects, "walletWithOrders")).address };
}

/** Days on which no market has prices. */
const daysWithoutPrices = ["1990-01-01", "2100-01-01"] as const;

/** The request about a wallet that does not exist, or about ranges that hold no prices. */
function withNothingToFind(
  { subjects }: { readonly subjects: Subjects },
  request: JsonObjectInput,
): readonly JsonObjectInput[] {
  if (request.address !== undefined) return [{ ...request, address: subjects.unknown.wallet }];
  return daysWithoutPrices.map((day) => ({ ...request, startTime: `${day}T00:00:00Z`, endTime: `${day}T12:00:00Z` }));
}

/** The request without each of its fields in turn, and without all of them. */
function withFieldsLeftOut(request: JsonObjectInput): readonly JsonObjectInput[] {
  const names = Object.keys(request).filter((name) => request[name] !== undefined);
  const withoutOne = names.map((omitted) =>
    Object.fromEntries(Object.entries(request).filter(([name]) => name !== omitted)),
  );
  return [...(names.length > 1 ? withoutOne : []), {}];
}
