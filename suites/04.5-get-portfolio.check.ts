import { padded, recased } from "../src/arbitraries/addresses.js";
import { combine } from "../src/judge/judgement.js";
import { portfolioOwner } from "../src/judge/portfolio.js";
import { portfolioOf } from "../src/judge/read.js";
import { listsOrdersOf, listsPositionsOf } from "../src/judge/relations.js";
import { listedOrders, shownPositions } from "../src/judge/shown.js";
import { portfolioState } from "../src/judge/stored-state.js";
import { lacking } from "../src/subjects/hints.js";
import { walletWithLetters, walletWithOpenPositions } from "../src/subjects/select.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";

/** The portfolio that is asked for with a dressed-up address is the one of the address as it is. */
async function samePortfolio({ bracket, call, given, verify }: CheckContext, address: string, dressed: string) {
  const [plain, answer] = await bracket(
    () => call.getPortfolio({ owner: address }),
    () => call.getPortfolio({ owner: dressed }),
    portfolioState,
  );
  const reference = given(plain);
  verify(answer).satisfies((body) =>
    combine([
      portfolioOwner(portfolioOf(body), address),
      listsPositionsOf(
        { from: "the dressed address", rows: shownPositions("GetPortfolio", body) },
        { from: "the plain address", rows: shownPositions("GetPortfolio", reference) },
      ),
      listsOrdersOf(
        { from: "the dressed address", rows: listedOrders("GetPortfolio", body) },
        { from: "the plain address", rows: listedOrders("GetPortfolio", reference) },
      ),
    ]),
  );
}

export default suite("§4.5 GetPortfolio", ({ property, observe }) => {
  const dressings = { runs: { quick: 6, full: 20 }, requestsPerRun: 3 };

  // owner (string, wallet address). §1: Every wallet-address input is trimmed of surrounding whitespace ...
  property(
    "get-portfolio.owner-trimmed",
    dressings,
    ({ need, subjects }) => {
      const wallet = need(walletWithOpenPositions(subjects), lacking(subjects, "walletWithOpenPositions"));
      return { owner: padded(wallet.address) };
    },
    ({ owner }, context) => samePortfolio(context, owner.trim(), owner),
  );

  // ... and matched case-insensitively.
  property(
    "get-portfolio.owner-case-insensitive",
    dressings,
    ({ need, subjects }) => {
      const wallet = need(walletWithLetters(subjects), lacking(subjects, "walletWithOpenPositions"));
      return { owner: recased(wallet.address) };
    },
    ({ owner }, context) => samePortfolio(context, owner.toLowerCase(), owner),
  );

  // T6: GetPortfolio of an unknown wallet, R12: of a malformed address, or of none.
  observe("get-portfolio.unknown-wallet", { requests: 3 }, async ({ call, record, subjects }) => {
    record("a wallet that nothing mentions", await call.getPortfolio({ owner: subjects.unknown.wallet }));
    record("a malformed address", await call.getPortfolio({ owner: "0x123" }));
    record("no address", await call.getPortfolio({}));
  });
});
