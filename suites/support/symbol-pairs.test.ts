import { describe, expect, test } from "vitest";
import type { MarketSubject, Subjects } from "../../src/subjects/subjects.js";
import { marketsOfOneSymbol } from "./symbol-pairs.js";

const market = (marketId: string, name: string, symbols?: MarketSubject["symbols"]) => ({ marketId, name, symbols });
const btc = market("1", "BTC/USD", { assetSymbol: "BTC", quoteSymbol: "USD" });

/** The ids of the markets that are named by an asset symbol alone. */
const namedAlone = (...markets: readonly object[]) =>
  marketsOfOneSymbol({ markets } as unknown as Subjects).map(({ marketId }) => marketId);

describe("a market is named by its asset symbol alone (S8)", () => {
  test("if its name is one word, and the names of others are pairs", () => {
    expect(namedAlone(btc, market("2", "GOLD"))).toEqual(["2"]);
    expect(namedAlone(market("1", "SILVER"), market("2", "GOLD"))).toEqual([]);
  });

  test.each(["ethusd", "ETHUSD"])("but not if it may be a pair without a separator: %s", (name) => {
    expect(namedAlone(btc, market("2", name))).toEqual([]);
  });
});
