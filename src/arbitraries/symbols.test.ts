import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  blankForms,
  blankTexts,
  hasCase,
  inOneCase,
  recasedSymbol,
  type SymbolPair,
  shortenedPairs,
  unknownPairs,
  unlistedPairs,
} from "./symbols.js";

describe("symbols in another dress", () => {
  test("blanks are nothing but whitespace", () => {
    fc.assert(
      fc.property(blankTexts, (text) => {
        expect(text).toMatch(/^\s+$/);
      }),
      { seed: 1, numRuns: 200 },
    );
    expect(blankForms.map((form) => form.trim())).toEqual(blankForms.map(() => ""));
  });

  test("another case is never the case that it was", () => {
    fc.assert(
      fc.property(recasedSymbol("1000Pepe"), (form) => {
        expect(form).not.toBe("1000Pepe");
        expect(form.toLowerCase()).toBe("1000pepe");
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test("a symbol without letters has no case", () => {
    expect(hasCase("1000")).toBe(false);
    expect(hasCase("1000x")).toBe(true);
  });

  test.each(["\u00df", "\u0130", "\u017f", "\u212a"])(
    "%s stays as it is: not every server folds its case alike",
    (letter) => {
      expect(hasCase(letter)).toBe(false);
      expect(inOneCase(`a${letter}`)).toEqual([`A${letter}`]);
      fc.assert(
        fc.property(recasedSymbol(`a${letter}`), (form) => form === `A${letter}`),
        { seed: 1, numRuns: 20 },
      );
    },
  );

  test("one case is upper or lower case, whichever the symbol is not in", () => {
    expect(["Pepe", "PEPE", "pepe", "1000"].map(inOneCase)).toEqual([["PEPE", "pepe"], ["pepe"], ["PEPE"], []]);
  });
});

test("pairs that no market combines are of known symbols, and each comes once", () => {
  const pair = (assetSymbol: string, quoteSymbol: string) => ({ assetSymbol, quoteSymbol });
  const known = [pair("BTC", "USD"), pair("ETH", "USD"), pair("btc", "EUR")];
  const turned = [pair("USD", "BTC"), pair("USD", "ETH")];
  expect(unlistedPairs(known, 5)).toEqual([...turned, pair("ETH", "EUR")]);
  expect(unlistedPairs([pair("BTC", "USD"), pair("ETH", "EUR")], 3).at(-1)).toEqual(pair("BTC", "EUR"));
  expect(unlistedPairs(known.slice(0, 2), 5)).toEqual(turned);
  expect(unlistedPairs([pair("BTC", "ETH"), pair("eth", "btc")], 5)).toEqual([pair("BTC", "btc"), pair("eth", "ETH")]);
});

test("pairs close to an existing one come first, those of each likeness in turn", () => {
  const pair = (assetSymbol: string, quoteSymbol: string) => ({ assetSymbol, quoteSymbol });
  const known = [
    pair("BTC", "USDC"),
    pair("ETH", "USDC"),
    pair("SOL", "usd"),
    pair("XAU", "SOL"),
    pair("DOGE", "USDT"),
  ];
  const close = unlistedPairs(known, 8).slice(0, 4);
  expect(close).toEqual([pair("BTC", "usd"), pair("SOL", "USDC"), pair("BTC", "USDT"), pair("ETH", "usd")]);
  expect(unlistedPairs([pair("PEPE", "USD"), pair("1000PEPE", "EUR")], 2)[0]).toEqual(pair("PEPE", "EUR"));
});

test("a shortened pair lacks the last letter of one symbol or has a wildcard there, and is no other market's", () => {
  const pair = (assetSymbol: string, quoteSymbol: string) => ({ assetSymbol, quoteSymbol });
  const known = pair("BTC", "USDC");
  const byAsset = [pair("BT", "USDC"), pair("BT_", "USDC"), pair("BT%", "USDC")];
  expect(shortenedPairs(known, [known])).toEqual([pair("BTC", "USD"), ...byAsset]);
  expect(shortenedPairs(known, [known, pair("btc", "usd")])).toEqual(byAsset);
  expect(shortenedPairs(pair("X", "Y"), [])).toEqual([]);
});

test("an unknown pair is never the known one, and has an unknown part or another seam", () => {
  const known = { assetSymbol: "BTC", quoteSymbol: "USD" };
  const unknown = { assetSymbol: "ZQA", quoteSymbol: "QZB" };
  const pairs = unknownPairs(known, unknown, [known]);
  expect(pairs).toContainEqual({ assetSymbol: "BTC", quoteSymbol: "QZB" });
  expect(pairs).toContainEqual({ assetSymbol: "BTCZQA", quoteSymbol: "USD" });
  const seams = [
    { assetSymbol: "BT", quoteSymbol: "CUSD" },
    { assetSymbol: "BTCU", quoteSymbol: "SD" },
  ];
  expect(pairs).toEqual(expect.arrayContaining(seams));
  const isSeam = ({ assetSymbol, quoteSymbol }: SymbolPair) => assetSymbol + quoteSymbol === "BTCUSD";
  for (const { assetSymbol, quoteSymbol } of pairs.filter((pair) => !isSeam(pair)))
    expect(assetSymbol + quoteSymbol).toMatch(/ZQA|QZB/);
  expect(unknownPairs(known, unknown, [known, { assetSymbol: "bt", quoteSymbol: "cusd" }])).not.toContainEqual(
    seams[0],
  );
});
