import type { Verdict } from "../engine/result.js";
import { quote } from "../evidence/curl.js";
import type { Interactions } from "../exploration/covering-array.js";
import { countOf } from "../judge/judgement.js";
import { isStream } from "../specification/endpoints.js";
import { groupBy } from "../specification/group-by.js";
import { baselineProblems } from "./baseline.js";
import { type CauseGroup, type OddOneOut, oddOneOut } from "./causes.js";
import { limitations } from "./conclusion.js";
import { publishedPower } from "./published-power.js";
import { type Conclusion, type Results, type RuleEntry, reportedVerdicts, type ViolationEntry } from "./results.js";
import { sanitize, sanitizeShort } from "./sanitize.js";

/** Maximum length of requests and commands. Only hand-written ones are longer. */
const maxRequest = 2_000;
const maxCommand = 8_000;

/** Maximum length of a reason in one line. */
const maxReason = 400;

/** Name and version of the implementation that was tested; undefined if it has no name. */
export function implementationOf({ target: { implementation } }: Results): string | undefined {
  const { name, version } = implementation ?? {};
  return name === undefined ? undefined : [name, version].filter((part) => part !== undefined).join(" ");
}

/** The conclusion of a run, for people. */
export function conclusionInWords({ incomplete, rules, summary }: Results): string {
  if (!incomplete && rules.length > 0 && summary.verdicts.notRun === rules.length) return "NOT TESTED";
  return conclusionWords[summary.conclusion];
}

const conclusionWords: Readonly<Record<Conclusion, string>> = {
  conformant: "CONFORMANT",
  "not-conformant": "NOT CONFORMANT",
  undecided: "UNDECIDED",
};

/** Why a run came to its conclusion, and what limits it; empty if it holds for everything in the profile. */
export function qualificationOf(results: Results): string {
  return joinReasons([...results.summary.reasons, ...baselineLines(results)]);
}

/** What limits a conclusion; empty if it holds for everything in the profile. */
export function limitationsLine(results: Results): string {
  return joinReasons([...limitations(results, results.summary.conformant), ...baselineLines(results)]);
}

/** Reasons in one line. They may contain text from the target. */
export function joinReasons(reasons: readonly string[]): string {
  return reasons.map((reason) => sanitizeShort(reason, maxReason)).join("; ");
}

/** Whether the baseline holds, in one line; none without a baseline. */
export function baselineLines({ baseline }: Results): string[] {
  if (baseline === undefined) return [];
  if (!baseline.green) return [`the baseline does not hold: ${countOf(baselineProblems(baseline).length, "problem")}`];
  const known = baseline.entries.filter(({ state }) => state === "known").length;
  return [known === 0 ? "the baseline holds" : `the baseline holds: ${countOf(known, "known deviation")} and no other`];
}

/** The combinations that were tried: `812 of 812 pairs of field classes in 9 operations`; empty if none were. */
export function combinationsLine(interactions: readonly Interactions[]): string {
  return ([2, 3] as const)
    .map((strength) => ({ strength, tried: interactions.filter((entry) => entry.strength === strength) }))
    .filter(({ tried }) => tried.length > 0)
    .map(({ strength, tried }) => {
      const sum = (member: "covered" | "of") => tried.reduce((total, entry) => total + entry[member], 0);
      const what = strength === 2 ? "pairs" : "triples";
      return `${sum("covered")} of ${sum("of")} ${what} of field classes in ${countOf(tried.length, "operation")}`;
    })
    .join(", ");
}

/** What headings of rules that are not applicable say about them. */
export const nothingToJudge = "these rules are about something optional, and the target has none of it";

/** Each verdict in words, as reports use it of rules: `12 passed`. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  pass: "passed",
  fail: "failed",
  warn: "with warnings",
  inconclusive: "inconclusive",
  blocked: "blocked",
  notApplicable: "not applicable",
  unimplemented: "unimplemented",
  observed: "observed",
  notRun: "not run",
  error: "in error",
};

/**
 * The counts of a run in one line: `112 rules passed, 1 failed, 18 not run (unobservable)`. Verdicts without rules are
 * omitted.
 */
export function countsLine(results: Results): string {
  const { verdicts, own } = results.summary;
  const unobservable = results.rules.filter(({ level }) => level === "unobservable").length;
  const notRun = verdicts.notRun === unobservable ? "not run (unobservable)" : verdictWords.notRun;
  const words = { ...verdictWords, notRun };
  const line = (counts: Readonly<Record<Verdict, number>>) =>
    reportedVerdicts
      .filter((verdict) => counts[verdict] > 0)
      .map((verdict, at) => `${at === 0 ? countOf(counts[verdict], "rule") : counts[verdict]} ${words[verdict]}`)
      .join(", ");
  return `${line(verdicts) || "no rule"}${own ? `; own: ${line(own)}` : ""}`;
}

const { mutants, mutantsKilled, mandatory, mandatoryProven, variants, falsePositives } = publishedPower;

/** The published figures on what this version of the harness detects, and on its false positives. */
export const detectionPowerLine = [
  `${mutantsKilled} of ${countOf(mutants, "mutant")} killed`,
  `${mandatoryProven} of ${countOf(mandatory, "mandatory rule")} proven`,
  `${countOf(falsePositives, "false positive")} on ${countOf(variants, "conformant server")}`,
].join("; ");

/** The command that repeats a run, with its selection. */
export function commandOf({ command, selection: { rules, suites, shard } }: Results): string {
  const each = (flag: string, values: readonly string[]) =>
    values.map((value) => ` --${flag} ${quote(value)}`).join("");
  const part = shard === undefined ? "" : ` --shard ${shard.index}/${shard.count}`;
  return `${command}${each("rule", rules)}${each("suite", suites)}${part}`;
}

/**
 * The command that repeats a single rule of a run, with the same seed. If the run had several rounds, that is the seed of
 * the round that shows what was found. `--for` is kept, with 30 s, only for streams, which have to be watched for longer.
 */
export function commandFor({ command }: Results, rule: Pick<RuleEntry, "id" | "checks">): string {
  const shown = rule.checks.find(({ round }) => round !== undefined);
  const seeded = shown?.round === undefined ? command : command.replace(/ --seed \S+/, ` --seed ${shown.round.seed}`);
  const watches = shown !== undefined && isStream(shown.endpoint);
  const again = shown === undefined ? seeded : seeded.replace(/ --for \S+/, watches ? " --for 30s" : "");
  return `${again} --rule ${rule.id}`;
}

/** A violation in a few lines, in reading order. Text from the target is sanitized and shortened. */
export interface ViolationLines {
  readonly requirement: string;
  /** The request whose answer shows the violation, in full. Very long values in it were shortened before. */
  readonly request: string;
  /** The request with the other answer, if two answers were compared. */
  readonly "compared to"?: string;
  readonly expected: string;
  readonly seen: string;
  readonly where: string;
  /** Which rows of the answer show it. */
  readonly rows?: string;
  /** The object that holds the place, with the place first. */
  readonly excerpt?: string;
  /** Which of several operations differs from the others, in words. */
  readonly suspect?: string;
  /** The name of the exchange in the evidence. */
  readonly exchange: string;
}

/**
 * Describes a violation in a few lines: the requirement, the request, what was expected and seen at the first place of its
 * answer, and where that is.
 *
 * @param maxLength maximum length of text that the target can influence, in characters
 */
export function violationLines(rule: RuleEntry, violation: ViolationEntry, maxLength: number): ViolationLines {
  const first = violation.places[0];
  const short = (text: string) => sanitizeShort(text, maxLength);
  const others = violation.count - 1;
  const odd = oddOneOut(rule);
  const place = violation.path === "" ? "the answer" : `${violation.path} of the answer`;
  const elsewhere = others > 0 && violation.rows === undefined ? `, and ${countOf(others, "other place")}` : "";
  const level = rule.level === "advisory" ? " (advisory: the text does not state it)" : "";
  return {
    requirement: sanitize(`${rule.section}: ${rule.statement}${level}`),
    request: sanitizeShort(violation.request, maxRequest),
    ...(violation.comparedWith && { "compared to": comparedInWords(violation.comparedWith) }),
    expected: short(first?.expected ?? rule.statement),
    seen: short(first?.seen ?? violation.message),
    where: short(`${place}${elsewhere}`),
    ...(violation.rows !== undefined && { rows: short(violation.rows) }),
    ...(violation.path !== "" && showsPlace(violation.excerpt) && { excerpt: short(violation.excerpt) }),
    ...(odd && { suspect: oddInWords(odd) }),
    exchange: short(violation.exchange),
  };
}

/** The answer that a violation was compared to: its request, and the place that shows what was expected. */
export function comparedInWords({ request, path }: NonNullable<ViolationEntry["comparedWith"]>): string {
  const short = sanitizeShort(request, maxRequest);
  return path === undefined ? short : `${short}, at ${sanitizeShort(path, maxRequest)}`;
}

function oddInWords({ operation, others }: OddOneOut): string {
  return `${operation}: it differs from ${others.join(" and from ")}, which were not seen to differ from each other`;
}

/** {@link violationLines} with their labels: `expected: 2.5`. */
export function labelledLines(...of: Parameters<typeof violationLines>): string[] {
  return Object.entries(violationLines(...of)).map(([label, line]) => `${label}: ${line}`);
}

/** Whether an excerpt shows a place: one that is a list is cut after its first rows. */
function showsPlace(excerpt: string): boolean {
  return excerpt !== "" && !/^\{"[^"]*":\[/.test(excerpt);
}

/** A command for a shell, in full or not at all: part of a command must never be pasted. */
export function curlLine({ curl }: { readonly curl: string }): string {
  return curl.length <= maxCommand ? sanitize(curl) : `a command of ${curl.length} characters: see results.json`;
}

/** The command that requests the answer which a violation was compared to, if it is another one. */
export function comparedCommand({ curl, comparedWith }: ViolationEntry): { readonly curl: string } | undefined {
  const comparedCurl = comparedWith?.curl;
  return comparedCurl === undefined || comparedCurl === curl ? undefined : { curl: comparedCurl };
}

/** Says that other rules may fail for the same cause as this one. Only the first rule of the cause names them all. */
export function sameCauseLine({ id }: Pick<RuleEntry, "id">, { place, rules: [first, ...others] }: CauseGroup): string {
  if (id !== first.id) return sanitize(`may fail for the same cause as ${first.id}, at ${place}`);
  return sanitize(`${sameCauseTitle(others.length, place)}: ${others.map((rule) => rule.id).join(", ")}`);
}

/** `2 other rules may fail for the same cause, at orders[*].status of GetOrders`. */
export function sameCauseTitle(others: number, place: string): string {
  return `${countOf(others, "other rule")} may fail for the same cause, at ${place}`;
}

/** Groups rules by what was said about them, the most common reason first. */
export function rulesByReason(
  rules: readonly RuleEntry[],
  reasonOf: (rule: RuleEntry) => string,
): { readonly reason: string; readonly rules: readonly RuleEntry[] }[] {
  return [...groupBy(rules, reasonOf)]
    .map(([reason, members]) => ({ reason, rules: members }))
    .sort((a, b) => b.rules.length - a.rules.length);
}

/** What the checks behind a rule's verdict said, without repetitions. */
export function reasonOf(rule: RuleEntry): string {
  return reasonsOf(rule).join("; ");
}

/** The first of these reasons. */
export function mainReasonOf(rule: RuleEntry): string {
  return reasonsOf(rule)[0] ?? "";
}

function reasonsOf(rule: RuleEntry): string[] {
  const messages = rule.checks
    .filter((check) => check.verdict === rule.verdict)
    .map((check) => check.violations?.[0]?.message ?? check.message ?? "no reason given");
  return messages.length > 0 ? [...new Set(messages)] : [rule.note ?? ""];
}
