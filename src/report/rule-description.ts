import type { Verdict } from "../engine/result.js";
import type { Level, Rule } from "../specification/rule.js";
import { type Ruling, rulings } from "../specification/rulings.js";

/** The Allure severity of a rule's checks, by its level. */
export const allureSeverities = {
  mandatory: "critical",
  advisory: "minor",
  observation: "trivial",
  unobservable: "trivial",
} as const satisfies Record<Level, string>;

/** The Allure tag of a check, by its verdict. */
export const allureTags: Readonly<Partial<Record<Verdict, string>>> = { warn: "advisory", observed: "observation" };

/**
 * Describes a rule next to one of its checks in Allure, as Markdown: where it is stated, how the text is read, and what a
 * client sees go wrong. For a pass, only the statement and the readings it rests on are given: the rest would be half of the
 * report.
 */
export function ruleDescription(
  { statement, section, level, impact }: Pick<Rule, "statement" | "section" | "level" | "impact">,
  readings: readonly { readonly ruling: string; readonly text: string }[],
  verdict: Verdict,
): string {
  const places: Readonly<Record<string, Ruling>> = rulings;
  const more =
    verdict === "pass"
      ? readings.map(({ ruling }) => `**Reading ${ruling}**, on ${places[ruling]?.place}.`)
      : [...readings.map(({ ruling, text }) => `**Reading ${ruling}.** ${text}`), `**When broken:** ${impact}`];
  return [`**${section}, ${level}.** ${statement}`, ...more].join("\n\n");
}
