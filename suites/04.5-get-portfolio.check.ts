import { suite } from "../src/engine/define.js";
import { inLowerCase, trimmed } from "../src/exploration/rewrites.js";

export default suite("§4.5 GetPortfolio", ({ equivalent, observe }) => {
  // owner (string, wallet address). §1: Every wallet-address input is trimmed of surrounding whitespace ...
  equivalent("get-portfolio.owner-trimmed", {
    rewrite: trimmed("owner"),
    why: "as for the address without blanks",
  });

  // ... and matched case-insensitively.
  equivalent("get-portfolio.owner-case-insensitive", {
    rewrite: inLowerCase("owner"),
    why: "as for the address in lower case",
  });

  // T6: GetPortfolio of an unknown wallet; R12: of a malformed address, or of none.
  observe("get-portfolio.unknown-wallet", async ({ call, record, subjects }) => {
    record("a wallet that nothing mentions", await call.getPortfolio({ owner: subjects.unknown.wallet }));
    record("a malformed address", await call.getPortfolio({ owner: "0x123" }));
    record("no address", await call.getPortfolio({}));
  });
});
