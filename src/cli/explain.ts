import { Command } from "commander";
import { quote } from "../evidence/curl.js";
import { unknownOwnRule, unknownRule } from "../report/unknown-rule.js";
import type { CheckInfo } from "../session/suites.js";
import { isRuleId, ruleById } from "../specification/catalogue/index.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { quotesOf } from "../specification/quotes.js";
import { openRulingIds } from "../specification/readings.js";
import { type Ruling, type RulingId, rulings } from "../specification/rulings.js";
import { sectionHeading } from "../specification/sections.js";
import { dataNeeds } from "../subjects/data-needs.js";
import { print } from "./output.js";
import { type ListedRule, listRules, ownRules } from "./rules.js";

/** The part of a mutant (a deliberately broken server) that matters for a rule. */
export interface MutantInfo {
  readonly name: string;
  readonly summary: string;
  readonly breaks: string;
}

interface ExplainFlags {
  readonly json?: true;
  readonly suites?: string[];
  readonly config?: string;
}

const help = `
Examples:
  perp-conformance explain order-book.bucket-spacing
  perp-conformance explain order-book.bucket-spacing --json`;

/** `perp-conformance explain ID`: explains one rule in the detail that two engineers in a dispute need. */
export function explainCommand(): Command {
  return new Command("explain")
    .description("Explain one rule: its text, how it is read, and how it is checked.")
    .argument("<id>", "the rule's id, such as get-all-positions.limit-default")
    .option("--json", "print the same as JSON")
    .option("--suites <files...>", "your own suites, to explain one of their rules (default: the configuration's)")
    .option("--config <file>", "configuration file (default: perp-conformance.json or .jsonc)")
    .addHelpText("after", help)
    .action(async (id: string, { json, ...flags }: ExplainFlags) => {
      const own = isOwnRuleId(id) ? await ownRules(flags) : { checks: [], rules: [] };
      const rule = isRuleId(id) ? ruleById(id) : own.rules.find((each) => each.id === id);
      if (rule === undefined) {
        const ownIds = own.rules.map((each) => each.id);
        throw isOwnRuleId(id) ? unknownOwnRule(id, ownIds) : unknownRule(id);
      }
      const [{ listChecks }, { mutants }] = await Promise.all([
        import("../session/suites.js"),
        import("../reference/modifications.js"),
      ]);
      const checks = [...(await listChecks()), ...own.checks];
      if (json) print(explanation(rule, checks, mutants));
      else process.stdout.write(explain(rule, checks, mutants, flags));
    });
}

/** Everything known about a rule, for tools: what `rules --json` lists, and what only an explanation has. */
export function explanation(rule: ListedRule, checks: readonly CheckInfo[], mutants: readonly MutantInfo[]) {
  return {
    format: "perp-conformance/explanation",
    formatVersion: 1,
    rule: listRules(checks, isOwnRuleId(rule.id) ? [rule] : []).find(({ id }) => id === rule.id),
    readings: (rule.rulings ?? []).map((id) => ({ ruling: id, ...rulings[id] })),
    needs: dataNeeds(rule.id),
    mutants: mutants.filter(({ breaks }) => breaks === rule.id).map(({ name, summary }) => ({ name, summary })),
  } as const;
}

/** The explanation of a rule: statement, level, impact, readings with their alternatives, checks, mutants. */
export function explain(
  rule: ListedRule,
  checks: readonly CheckInfo[],
  mutants: readonly MutantInfo[],
  { suites = [], config }: Omit<ExplainFlags, "json"> = {},
): string {
  const checksOfRule = checks.filter((check) => check.rule === rule.id);
  const needs = dataNeeds(rule.id);
  const breaking = mutants.filter((mutant) => mutant.breaks === rule.id);
  const ownSuites = `${config === undefined ? "" : ` --config ${quote(config)}`}${suites.map((file) => ` --suites ${quote(file)}`).join("")}`;
  const paragraphs = [
    [rule.id, rule.statement],
    [
      `section    ${sectionHeading(rule.section)}`,
      `level      ${rule.level}: ${levelMeaning(rule)}`,
      `endpoints  ${rule.endpoints.join(", ")}`,
      `impact     ${rule.impact}`,
    ],
    quoteLines(rule),
    list(needs.length > 1 ? "Data that it needs, any of these" : "Data that it needs", needs, ({ what, named }) =>
      named === undefined ? what : `${what}; the configuration can name it under ${named}`,
    ),
    rule.mayBeAbsent === undefined
      ? []
      : ["Not applicable", `  where all of its operations were looked at, and none shows ${rule.mayBeAbsent}`],
    ...(rule.rulings ?? []).map(readingLines),
    list("Checks", checksOfRule, (check) => `${check.name} (${check.kind}, ${check.profile} profile)`),
    list("Servers that break it on purpose", breaking, (mutant) => `${mutant.name}: ${mutant.summary}`),
    checksOfRule.length === 0
      ? []
      : ["Run it alone", `  npx perp-conformance run --base-url URL --rule ${rule.id}${ownSuites}`],
  ];
  return `${paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** Maximum quotes shown. A rule on the types of fields has many. */
const maxQuotes = 10;

function quoteLines(rule: ListedRule): string[] {
  const quotes = quotesOf(rule);
  // User-defined rules quote nothing.
  if (quotes.length === 0) return [];
  const shown = quotes.slice(0, maxQuotes);
  const width = Math.max(...shown.map(({ section }) => section.length));
  const more = quotes.length - shown.length;
  return [
    "What it quotes from the specification",
    ...shown.map(({ section, text }) => `  ${section.padEnd(width)}  "${text}"`),
    ...(more > 0 ? [`  and ${more} more: see rules --json`] : []),
  ];
}

function levelMeaning({ level, reason }: ListedRule): string {
  switch (level) {
    case "mandatory":
      return "a violation makes the target non-conformant";
    case "advisory":
      return "a violation is a warning, and counts only with --strict";
    case "observation":
      return "the text leaves it open; what the target does is recorded and never judged";
    case "unobservable":
      return reason ?? "it cannot be observed from outside";
  }
}

function readingLines(id: RulingId): string[] {
  const { place, reading, alternatives = [] }: Ruling = rulings[id];
  const [first] = alternatives;
  const canBeChosen = first && (openRulingIds as readonly RulingId[]).includes(id);
  return [
    `Reading ${id}, on ${place}`,
    `  ${reading}`,
    ...alternatives.map((alternative) => `  - ${alternative.id}: ${alternative.reading}`),
    ...(canBeChosen ? [`  To accept only one of them: --reading ${id}=${first.id}`] : []),
  ];
}

function list<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `  - ${line(item)}`)];
}
