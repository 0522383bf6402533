import { padded, recased } from "../src/arbitraries/addresses.js";
import { inLowerCase, trimmed } from "../src/exploration/rewrites.js";
import { recognised } from "../src/judge/portfolio.js";
import { portfolioOf } from "../src/judge/read.js";
import { sameAnswer } from "../src/judge/same-answer.js";
import { portfolioState } from "../src/judge/stored-state.js";
import { lacking } from "../src/subjects/hints.js";
import { walletsWithOpenPositions } from "../src/subjects/select.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";

/** A wallet with open positions, by which its portfolio is known. */
function dressedWallet({ subjects, need }: CheckContext): string {
  const wallet = walletsWithOpenPositions(subjects).find(({ hasLetters }) => hasLetters);
  return need(wallet, lacking(subjects, "walletWithOpenPositions")).address;
}

/** Asked for with a dressed-up address, GetPortfolio gives the wallet's own portfolio. */
async function recognises(owner: string, context: CheckContext): Promise<void> {
  const { call, given, inconclusive, verify } = context;
  const wallet = dressedWallet(context);
  const answer = await call.getPortfolio({ owner });
  if (answer.outcome.kind === "success" && !portfolioOf(answer.outcome.body)?.positions.length) {
    const plain = portfolioOf(given(await call.getPortfolio({ owner: wallet })));
    if (!plain?.positions.length)
      inconclusive("the wallet's positions were closed meanwhile; another run would settle it");
  }
  verify(answer).holdsForSomeRows((body) => recognised(portfolioOf(body), wallet));
}

export default suite("§4.5 GetPortfolio", ({ property, observe, relation }) => {
  relation(
    "get-portfolio.owner-trimmed",
    { name: "in every combination" },
    {
      rewrite: trimmed("owner"),
      holds: sameAnswer("GetPortfolio", "as for the address without blanks"),
      stable: portfolioState,
    },
  );
  relation(
    "get-portfolio.owner-case-insensitive",
    { name: "in every combination" },
    {
      rewrite: inLowerCase("owner"),
      holds: sameAnswer("GetPortfolio", "as for the address in lower case"),
      stable: portfolioState,
    },
  );

  const dressing = { runs: { quick: 5, full: 30 }, requestsPerRun: 2 } as const;

  // owner (string, wallet address). §1: Every wallet-address input is trimmed of surrounding whitespace ...
  property(
    "get-portfolio.owner-trimmed",
    dressing,
    (context) => ({ owner: padded(dressedWallet(context)) }),
    ({ owner }, context) => recognises(owner, context),
  );

  // ... and matched case-insensitively.
  property(
    "get-portfolio.owner-case-insensitive",
    dressing,
    (context) => ({ owner: recased(dressedWallet(context)) }),
    ({ owner }, context) => recognises(owner, context),
  );

  // T6: GetPortfolio of an unknown wallet; R12: of a malformed address, or of none.
  observe("get-portfolio.unknown-wallet", { requests: 3 }, async ({ call, record, subjects }) => {
    record("a wallet that nothing mentions", await call.getPortfolio({ owner: subjects.unknown.wallet }));
    record("a malformed address", await call.getPortfolio({ owner: "0x123" }));
    record("no address", await call.getPortfolio({}));
  });
});
