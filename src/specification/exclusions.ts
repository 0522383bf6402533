import type { RulingId } from "./rulings.js";
import type { Section } from "./sections.js";

/** Statements of the specification that no rule covers, and why. */
export interface Exclusion {
  readonly section: Section;
  /** Verbatim words of the statements. */
  readonly quotes: readonly string[];
  /** Why they do not bind a server. */
  readonly reason: string;
  readonly rulings?: readonly RulingId[];
}

/** Reasons that apply to a whole kind of statement. */
const reasons = {
  scope: "It says what the document covers, not what a server does.",
  notShown: "Nothing is stated: there is nothing to break and nothing to record.",
  freedom: "It allows something and demands nothing.",
  advice: "It is addressed to clients.",
} as const;

/** The statements that no rule covers, in the specification's order. Everything else is quoted by rules. */
export const exclusions: readonly Exclusion[] = [
  {
    section: "§1",
    quotes: [
      "covers the read-only query interface",
      "the only document and covers all nine parts",
      "exposes data about a perpetual-futures trading platform",
      "Clients look up markets and prices",
    ],
    reason: reasons.scope,
  },
  {
    section: "§1",
    quotes: ["{base_url}"],
    reason: "It is for the harness to join prefix and path; the server's part is to answer there.",
    rulings: ["W11"],
  },
  {
    section: "§1",
    quotes: ["Order placement, cancellation, margin changes and every other write operation: not shown"],
    reason: reasons.notShown,
  },
  {
    section: "§2 Position",
    quotes: ["Legacy field mirrored from on-chain events; not meaningful at position level"],
    reason: "The field is declared meaningless, so beyond its type no value of it can be wrong.",
  },
  {
    section: "§2 Order",
    quotes: ["Both kinds share this shape, so some numeric fields differ in meaning"],
    reason: "What differs is stated field by field below.",
  },
  { section: "§2 Order", quotes: ["not necessarily the fill price"], reason: reasons.freedom },
  { section: "§4.2", quotes: ["associatedOrders may be empty"], reason: reasons.freedom },
  { section: "§4.5", quotes: ["the call is heavier than single lookups"], reason: reasons.advice },
  { section: "§5", quotes: ["Token issuance, lifetime and scopes: not shown"], reason: reasons.notShown },
  {
    section: "§6",
    quotes: ["The only push mechanism shown is the server-streaming GetOpenPositionsStreaming"],
    reason: reasons.scope,
  },
  { section: "§6", quotes: ["Webhooks or other event feeds: not shown"], reason: reasons.notShown },
  { section: "§7", quotes: ["retry or report if persistent"], reason: reasons.advice },
  {
    section: "§7",
    quotes: ["unimplemented | Endpoint is not functional yet"],
    reason: "It allows an operation to be missing; its rules then get the verdict unimplemented.",
  },
  { section: "§9", quotes: ["Deprecation policy: not shown"], reason: reasons.notShown },
];
