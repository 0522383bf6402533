import { Command } from "commander";
import { aligned } from "../report/aligned.js";
import type { CheckInfo } from "../session/suites.js";
import { type CatalogueRule, catalogue } from "../specification/catalogue/index.js";
import { profiles, readWhole } from "../specification/profile.js";
import { quotesOf } from "../specification/quotes.js";
import type { Rule } from "../specification/rule.js";
import { rulings } from "../specification/rulings.js";
import type { Section } from "../specification/sections.js";
import { print } from "./output.js";

/** A rule of the catalogue, or a user-defined rule, which quotes nothing. */
export type ListedRule = Rule & Pick<CatalogueRule, "quotes">;

/** One rule in the output of `rules --json`. */
export interface RuleListing extends Omit<ListedRule, "rulings" | "quotes"> {
  /** Words of the specification that the rule quotes, those of its own section first. */
  readonly quotes: readonly { readonly section: Section; readonly text: string }[];
  readonly reading: readonly { readonly ruling: string; readonly text: string }[];
  readonly checks: readonly Pick<CheckInfo, "name" | "endpoint" | "suite" | "kind" | "profile">[];
}

const help = `
Examples:
  perp-conformance rules
  perp-conformance rules --json > rules.json
  perp-conformance rules --suites suites/own.check.ts`;

/** `perp-conformance rules`: lists the catalogue, for human readers or as JSON. */
export function rulesCommand(): Command {
  return new Command("rules")
    .description("List the rules: what the specification demands, and which checks test it.")
    .option("--json", "print everything about every rule as JSON")
    .option("--suites <files...>", "your own suites, to list their rules as well (default: the configuration's)")
    .option("--config <file>", "configuration file (default: perp-conformance.json or .jsonc)")
    .addHelpText("after", help)
    .action(async ({ json, ...flags }: { json?: true; suites?: string[]; config?: string }) => {
      const { listChecks } = await import("../session/suites.js");
      const own = await ownRules(flags);
      const listing = listRules([...(await listChecks()), ...own.checks], own.rules);
      if (!json) return void process.stdout.write(rulesTable(listing));
      const { specification } = await import("../report/identity.js");
      print({
        format: "perp-conformance/rules",
        formatVersion: 1,
        specification: specification(),
        profiles: Object.fromEntries(profiles.map((profile) => [profile, { readWholeBytes: readWhole[profile] }])),
        rules: listing,
      } as const);
    });
}

/** The rules and checks of the user's own suites, as named on the command line or in the configuration file. */
export async function ownRules(flags: { readonly suites?: readonly string[]; readonly config?: string }) {
  const { ownSuiteFiles } = await import("../config/config.js");
  const files = ownSuiteFiles({ flags });
  if (files.length === 0) return { checks: [], rules: [] };
  const { loadOwnSuites } = await import("../run/own-suites.js");
  const { checks, rules } = await loadOwnSuites(files);
  return { checks, rules: rules.map((rule) => ({ ...rule, quotes: {} })) };
}

/** Every rule of the catalogue with its readings and checks, in the specification's order; then the user-defined rules. */
export function listRules(checks: readonly CheckInfo[], own: readonly ListedRule[] = []): RuleListing[] {
  return [...catalogue, ...own].map(({ rulings: cited = [], ...rule }) => {
    const ofRule = checks.filter((check) => check.rule === rule.id);
    return {
      ...rule,
      quotes: quotesOf(rule),
      reading: cited.map((ruling) => ({ ruling, text: rulings[ruling].reading })),
      checks: ofRule.map(({ name, endpoint, suite, kind, profile }) => ({ name, endpoint, suite, kind, profile })),
    };
  });
}

/** The rules as a table, one line each: id, level, number of checks, section, statement. */
export function rulesTable(listing: readonly RuleListing[]): string {
  const header = ["RULE", "LEVEL", "CHECKS", "SECTION", "STATEMENT"];
  const rows = listing.map(({ id, level, checks, section, statement }) => [
    id,
    level,
    String(checks.length),
    section,
    statement,
  ]);
  return `${aligned([header, ...rows])}\n`;
}
