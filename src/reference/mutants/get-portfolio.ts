import { refuses } from "../conditional-interceptors.js";
import { breaking, type Mutant } from "../modification.js";
import { addressesOf } from "../parameters.js";
import { editPortfolio } from "../resource-interceptors.js";

/** Changes how GetPortfolio normalizes the owner, still writing it in lower case. Other addresses are read as documented. */
function owner(read: (input: string) => string): Pick<Mutant, "parameters" | "response"> {
  return {
    parameters: addressesOf("GetPortfolio", read),
    response: editPortfolio((portfolio) => {
      if (portfolio.owner) portfolio.owner = String(portfolio.owner).toLowerCase();
    }),
  };
}

/** Servers that break one rule of §4.5. */
export const getPortfolio: readonly Mutant[] = [
  ...breaking("get-portfolio.owner-trimmed", {
    "portfolio-owner-measured-before-it-is-trimmed": {
      summary: "GetPortfolio refuses an owner of more than 64 characters, whitespace included.",
      http: refuses("GetPortfolio", "invalid_argument", ({ request }) => String(request.owner).length > 64),
    },
    "portfolio-owner-not-trimmed": {
      summary: "GetPortfolio takes whitespace around the owner for a part of it.",
      alsoFails: ["portfolio.owner"],
      ...owner((input) => input.toLowerCase()),
    },
    "portfolio-owner-trimmed-of-spaces-alone": {
      summary: "GetPortfolio trims spaces around the owner, but neither tabs nor line breaks.",
      alsoFails: ["portfolio.owner"],
      ...owner((input) => input.replace(/^ +| +$/g, "").toLowerCase()),
    },
    "portfolio-owner-trimmed-at-the-end-alone": {
      summary: "GetPortfolio trims whitespace after the owner, but not before it.",
      alsoFails: ["portfolio.owner"],
      ...owner((input) => input.trimEnd().toLowerCase()),
    },
  }),

  ...breaking("get-portfolio.owner-case-insensitive", {
    "portfolio-owner-case-sensitive": {
      summary: "GetPortfolio knows wallets by their lower-case address alone.",
      ...owner((input) => input.trim()),
    },
    "portfolio-owner-in-capitals-refused": {
      summary: "GetPortfolio knows wallets by a lower-case or an upper-case address, but not by a mixed one.",
      ...owner((input) => {
        const digits = input.trim().slice(2);
        return digits === digits.toUpperCase() ? input.trim().toLowerCase() : input.trim();
      }),
    },
  }),
];
