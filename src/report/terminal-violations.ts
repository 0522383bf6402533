/** Violated rules on a terminal. */
import type { Endpoint } from "../specification/endpoints.js";
import { type CauseGroup, causesIn, oddOneOut } from "./causes.js";
import type { Results, RuleEntry, ViolationEntry } from "./results.js";
import { sanitize, sanitizeShort } from "./sanitize.js";
import { commandFor, comparedCommand, curlLine, sameCauseTitle, violationLines } from "./wording.js";
import { wrapped } from "./wrap.js";

/** Maximum length of text from the target on one line. */
export const maxLine = 240;

/** The same on the line of a rule that is not shown in detail. */
const maxRelated = 120;

/** Maximum causes of failures that are shown in detail. */
const maxAtLength = 12;

/** Maximum other requests that are shown with a violation. */
const maxOthers = 2;

/** How violated rules are printed. */
export interface ViolationStyle {
  /** Printed before the rule. */
  readonly badge: (rule: RuleEntry) => string;
  readonly paint: Readonly<Record<"expected" | "seen" | "label", (text: string) => string>>;
  readonly columns: number;
}

/** Width of the label column in the lines about a violation. */
const labelColumns = 14;

/** Lines that are meant to be copied are not wrapped. */
const neverWrapped: ReadonlySet<string> = new Set(["request", "compared to", "send again", "and compare", "run again"]);

/** The violated rules: the first dozen causes in detail, then one line for each remaining rule. */
export function violatedSections(
  results: Results,
  look: ViolationStyle,
  omit: ReadonlySet<string> = new Set(),
): string[] {
  const causes = causesIn(results).flatMap(({ place, rules }) => {
    const [first, ...others] = rules.filter(({ id }) => !omit.has(id));
    return first === undefined ? [] : [{ place, rules: [first, ...others] as const }];
  });
  const inShort = causes.slice(maxAtLength).flatMap(({ rules }) => rules);
  return [
    ...causes.slice(0, maxAtLength).map((cause) => violatedRules(cause, results, look)),
    inShort.map((rule) => relatedRuleLine(rule, look, "")).join("\n"),
  ];
}

/** The violated rules of one possible cause: the first in detail, the others in one line each. */
function violatedRules(
  { place, rules: [first, ...others] }: CauseGroup,
  results: Results,
  look: ViolationStyle,
): string {
  const related = others.map((rule) => relatedRuleLine(rule, look, "    "));
  const title = `  ${sameCauseTitle(others.length, sanitizeShort(place, maxLine))}:`;
  return [...violatedRule(first, results, look), ...(related.length > 0 ? [title, ...related] : [])].join("\n");
}

/** A rule with its first violation, and the other operations on which it is violated. */
export function violatedRule(rule: RuleEntry, results: Results, { badge, paint, columns }: ViolationStyle): string[] {
  const violations = rule.checks.flatMap(({ endpoint, message, violations = [] }) =>
    violations.map((violation) => ({ endpoint, message, violation })),
  );
  const odd = oddOneOut(rule);
  const first = simplest(violations, odd?.operation ?? violations[0]?.endpoint);
  const others = violations.filter((other) => other !== first);
  if (first === undefined) return [`${badge(rule)} ${rule.id}`];
  const compared = comparedCommand(first.violation);
  const elsewhere = [...new Set(others.map(({ endpoint }) => endpoint))].filter((other) => other !== first.endpoint);
  const also = elsewhere.length > 0 && odd === undefined ? `, also on ${elsewhere.join(", ")}` : "";
  const { exchange: _, ...described } = violationLines(rule, first.violation, maxLine);
  const lines = [
    ...Object.entries({
      ...described,
      ...(first.message !== undefined && { note: sanitizeShort(first.message, maxLine) }),
      "send again": curlLine(first.violation),
      ...(compared && { "and compare": curlLine(compared) }),
      "run again": sanitize(commandFor(results, rule)),
    }),
    ...otherRequests(first.violation, others).map((text) => ["also", text] as const),
  ];
  return [
    `${badge(rule)} ${wrapped(`${rule.id} on ${first.endpoint}${also}`, columns, "FAIL ".length)}`,
    ...lines.map(([name, text]) => {
      const shown = neverWrapped.has(name) ? text : wrapped(text, columns, labelColumns);
      const painted = name === "expected" || name === "seen" ? paint[name](shown) : shown;
      return `  ${paint.label(name.padEnd(labelColumns - 2))}${painted}`;
    }),
  ];
}

/** Of the violations on an operation, or of all if it has none, the one that the shortest request shows. */
function simplest<Shown extends { readonly endpoint: Endpoint; readonly violation: ViolationEntry }>(
  violations: readonly Shown[],
  operation: Endpoint | undefined,
): Shown | undefined {
  const length = ({ violation }: Shown) => violation.request.length;
  const ofOperation = violations.filter(({ endpoint }) => endpoint === operation);
  return (ofOperation.length > 0 ? ofOperation : [...violations]).sort((a, b) => length(a) - length(b))[0];
}

/** Other requests whose answers violate a rule: what they have in common with the first one tells the cause. */
function otherRequests(
  { request, operation, otherRequests = [] }: ViolationEntry,
  others: readonly { readonly violation: ViolationEntry }[],
): string[] {
  const alike = others.filter(({ violation }) => violation.operation === operation);
  const distinct = new Set([...otherRequests, ...alike.map(({ violation }) => violation.request)]);
  distinct.delete(request);
  return [...distinct]
    .sort((one, other) => one.length - other.length)
    .slice(0, maxOthers)
    .map((asked) => sanitizeShort(asked, maxLine));
}

/** One line for a rule that may be violated for the same cause as another one. */
export function relatedRuleLine(
  rule: RuleEntry,
  { badge, columns }: ViolationStyle,
  indent: string,
  remark = "",
): string {
  const [first] = rule.checks.flatMap(({ endpoint, violations = [] }) =>
    violations.map(({ message }) => `on ${endpoint}: ${sanitizeShort(message, maxRelated)}`),
  );
  const hanging = indent.length + 2;
  // The first line has less room: the badge comes before it.
  const text = wrapped(
    `${rule.id} ${first ?? ""}`.trimEnd() + remark,
    columns,
    hanging,
    indent.length + "FAIL ".length,
  );
  return `${indent}${badge(rule)} ${text}`;
}
