import { suite } from "../src/engine/define.js";
import { likeInLowerCase, likeWithoutBlanks } from "./support/equivalences.js";

export default suite("§4.5 GetPortfolio", ({ equivalent, observe }) => {
  // owner (string, wallet address). §1: Every wallet-address input is trimmed of surrounding whitespace ...
  equivalent("get-portfolio.owner-trimmed", likeWithoutBlanks("owner"));

  // ... and matched case-insensitively.
  equivalent("get-portfolio.owner-case-insensitive", likeInLowerCase("owner"));

  // T6: GetPortfolio of an unknown wallet; R12: of a malformed address, or of none.
  observe("get-portfolio.unknown-wallet", async ({ call, record, subjects }) => {
    record("a wallet that nothing mentions", await call.getPortfolio({ owner: subjects.unknown.wallet }));
    record("a malformed address", await call.getPortfolio({ owner: "0x123" }));
    record("no address", await call.getPortfolio({}));
  });
});
