import { describe, expect, test } from "vitest";
import { errorAnswer } from "../../src/engine/answers.fixture.js";
import { AssertionLog } from "../../src/engine/assertion-log.js";
import { contextOn } from "../../src/engine/context.fixture.js";
import type { CheckContext } from "../../src/engine/context.js";
import { verifyInto } from "../../src/engine/verify.js";
import type { MarketSubject, Subjects } from "../../src/subjects/subjects.js";
import { foundAfterRefusals } from "./after-refusals.js";

const known = ["BTC", "ETH"].map((assetSymbol, index) => ({
  marketId: String(index + 1),
  symbols: { assetSymbol, quoteSymbol: "USD" },
})) as unknown as readonly MarketSubject[];

const subjects: Partial<Subjects> = {
  markets: known,
  unknown: { marketId: "99", wallet: "0x9", symbols: { assetSymbol: "NOPE", quoteSymbol: "NONE" } },
};

/** Lookups on a target where `isFound` says whether a market is found, and `idAfter` by which id, by the requests that came before. */
async function lookedUp(
  isFound: (asset: string, before: readonly string[]) => boolean,
  idAfter: (before: readonly string[]) => string = () => "1",
) {
  const log = new AssertionLog();
  const asked: string[] = [];
  const target = contextOn(
    subjects,
    (_endpoint, { assetSymbol, quoteSymbol }) => {
      const asset = String(assetSymbol);
      const exists = known.some(({ symbols }) => symbols?.assetSymbol === asset) && quoteSymbol === "USD";
      const found = exists && isFound(asset, asked);
      const marketId = idAfter(asked);
      asked.push(`${asset}/${quoteSymbol}`);
      return found ? { marketId } : errorAnswer("not_found");
    },
    "GetMarketIdByName",
  );
  const context = { ...target, verify: verifyInto(log), pause: async () => {} } as unknown as CheckContext;
  await foundAfterRefusals(context);
  return log;
}

describe("a market that is asked for after a refusal", () => {
  test("is found by a target that remembers nothing", async () => {
    expect((await lookedUp(() => true)).violated).toBe(false);
  });

  test("is not found by one that remembers refusals by the asset", async () => {
    const log = await lookedUp((asset, before) => before.at(-1) !== `${asset}/NONE`);
    expect(log.violated).toBe(true);
  });

  test("is not found by one that was asked for what does not exist before", async () => {
    expect((await lookedUp(() => false)).violated).toBe(true);
  });

  test("may have been delisted meanwhile", async () => {
    const log = await lookedUp((asset, before) => asset !== "BTC" || before.length === 0);
    expect(log.violated).toBe(false);
  });

  test("is the same as before", async () => {
    const another = (before: readonly string[]) => (before.at(-1)?.endsWith("/NONE") ? "2" : "1");
    expect((await lookedUp(() => true, another)).violated).toBe(true);
  });

  test("may have changed meanwhile, and changed back", async () => {
    const back = (before: readonly string[]) => (before.length === 2 ? "2" : "1");
    expect((await lookedUp(() => true, back)).violated).toBe(false);
  });
});
