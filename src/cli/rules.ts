import { Command } from "commander";
import type { CheckInfo } from "../run/suites.js";
import { type CatalogueRule, catalogue } from "../specification/catalogue/index.js";
import { type Profile, profiles, readWhole } from "../specification/profile.js";
import { quotesOf } from "../specification/quotes.js";
import { rulings } from "../specification/rulings.js";
import type { Section } from "../specification/sections.js";

/** One rule as `rules --json` gives it. */
export interface RuleListing extends Omit<CatalogueRule, "rulings" | "quotes"> {
  /** Words of the specification that it carries, those of its own section first. */
  readonly quotes: readonly { readonly section: Section; readonly text: string }[];
  readonly reading: readonly { readonly ruling: string; readonly text: string }[];
  readonly checks: readonly Pick<CheckInfo, "name" | "endpoint" | "suite" | "kind" | "profile" | "requests">[];
  /** How many requests its checks send at most, in each profile. */
  readonly requests: Readonly<Record<Profile, number>>;
}

const help = `
Examples:
  perp-conformance rules
  perp-conformance rules --json > rules.json`;

/** `perp-conformance rules`: the catalogue, for people or as JSON. */
export function rulesCommand(): Command {
  return new Command("rules")
    .description("List the rules: what the specification asks for, and which checks look at it.")
    .option("--json", "everything about every rule, as JSON")
    .addHelpText("after", help)
    .action(async ({ json }: { json?: true }) => {
      const { listChecks } = await import("../run/suites.js");
      const listing = listRules(await listChecks());
      const { specification } = await import("../report/identity.js");
      const document = {
        format: "perp-conformance/rules",
        formatVersion: 1,
        specification: specification(),
        profiles: Object.fromEntries(profiles.map((profile) => [profile, { readWholeBytes: readWhole[profile] }])),
        rules: listing,
      };
      process.stdout.write(json ? `${JSON.stringify(document, undefined, 2)}\n` : rulesTable(listing));
    });
}

/** Every rule of the catalogue with its readings and checks, in the specification's order. */
export function listRules(checks: readonly CheckInfo[]): RuleListing[] {
  return catalogue.map(({ rulings: cited = [], ...rule }) => {
    const own = checks.filter((check) => check.rule === rule.id);
    const budget = (profile: Profile) =>
      own
        .filter((check) => profile === "full" || check.profile === "quick")
        .reduce((sum, check) => sum + check.requests[profile], 0);
    return {
      ...rule,
      quotes: quotesOf(rule),
      reading: cited.map((ruling) => ({ ruling, text: rulings[ruling].reading })),
      checks: own.map(({ name, endpoint, suite, kind, profile, requests }) => ({
        name,
        endpoint,
        suite,
        kind,
        profile,
        requests,
      })),
      requests: { quick: budget("quick"), full: budget("full") },
    };
  });
}

/** The rules as a table, a line each: id, level, number of checks, section, statement. */
export function rulesTable(listing: readonly RuleListing[]): string {
  const header = ["RULE", "LEVEL", "CHECKS", "SECTION", "STATEMENT"];
  const rows = listing.map(({ id, level, checks, section, statement }) => [
    id,
    level,
    String(checks.length),
    section,
    statement,
  ]);
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] ?? "").length)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join("  ");
  return `${[header, ...rows].map(line).join("\n")}\n`;
}
