import { correctionOf } from "../config/errors.js";
import { isViolated } from "../engine/result.js";
import { endpointNames } from "../specification/endpoints.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import {
  type BaselineEntry,
  type BaselineOutcome,
  type BaselineReport,
  type EntryState,
  nameOfEntry,
  type Unlisted,
} from "./baseline-report.js";
import { type CheckEntry, type Results, type RuleEntry, rulesWith } from "./results.js";
import { ruleVerdict } from "./rule-verdict.js";

/** The part of an existing check that matters here. */
export interface ExistingCheck {
  readonly name: string;
  readonly rule: string;
  readonly endpoint: string;
}

/** Number of days for which an entry written by `--write-baseline` is valid. */
const recordedDays = 90;

/** The state of an entry, and the message that follows its name. */
type Judged = readonly [state: EntryState, message: string];

/** The states of entries on which the baseline does not hold. */
const failingStates: readonly EntryState[] = ["passes", "expired", "unknown"];

/**
 * Compares a run with its baseline. The result is green if exactly the listed rules fail: no violation is unlisted, and no
 * entry passes, is unknown or has expired. Entries that the run did not judge are reported but do not affect the result.
 * Violations of advisory rules, and entries for them, count only in a strict run.
 *
 * @param checks all checks that exist; an entry never counts as passing if one of its checks was left out, for example by
 *   the profile
 */
export function compareToBaseline(
  results: Results,
  file: string,
  entries: readonly BaselineEntry[],
  checks: readonly ExistingCheck[],
): BaselineReport {
  const outcomes = entries.map((entry) => outcomeOf(entry, results, checks));
  const isCovered = (rule: string, endpoint: string, name: string) =>
    outcomes.some((entry) => isListed(entry) && covers(entry, rule, { endpoint, name }));
  const unlisted = countedViolations(results).filter(
    ({ rule, endpoint, names }) => !names.every((name) => isCovered(rule, endpoint, name)),
  );
  const green = unlisted.length === 0 && outcomes.every(({ state }) => !failingStates.includes(state));
  return {
    file,
    green,
    entries: outcomes,
    unlisted: unlisted.map(({ rule, endpoint, verdict, names }) => {
      const isNarrowed = outcomes.some((entry) => entry.rule === rule && entry.check !== undefined);
      return {
        rule,
        endpoint,
        verdict,
        ...(isNarrowed && { checks: names.filter((name) => !isCovered(rule, endpoint, name)) }),
      };
    }),
  };
}

/** The problems of a baseline on a run, one line each; empty if it is green. */
export function baselineProblems({ entries, unlisted }: BaselineReport): string[] {
  return [
    ...unlisted.map(({ rule, endpoint, checks }) => {
      const what = checks?.map((check) => nameOfEntry({ check })) ?? [nameOfEntry({ rule, endpoint })];
      return `${what.join(" and ")} is violated and not listed: fix it, or add an entry`;
    }),
    ...entries.filter(({ state }) => failingStates.includes(state)).map(({ message }) => message),
  ];
}

/** The entry that makes the violations found by this check a known deviation, if there is one. */
export function knownDeviation(results: Results, rule: string, check: NamedCheck): BaselineOutcome | undefined {
  return results.baseline?.entries.find((entry) => entry.state === "known" && covers(entry, rule, check));
}

/** The part of a check that an entry can name. */
type NamedCheck = Pick<CheckEntry, "name" | "endpoint">;

/** The rules with this verdict that have a violation other than known deviations. These need action. */
export function unexpectedRules(results: Results, verdict: "fail" | "warn"): RuleEntry[] {
  const rules = rulesWith(results, verdict);
  if (results.baseline === undefined || (verdict === "warn" && !results.strict)) return rules;
  return rules.filter((rule) =>
    violated(rule, results).some((check) => knownDeviation(results, rule.id, check) === undefined),
  );
}

/**
 * Builds the smallest baseline on which the run is green: an entry for each rule that fails, or for each failing operation
 * if the rule fails only on some. Existing entries keep their reason and issue, and their date unless it has passed. Entries
 * that the run did not judge stay. All others are removed.
 *
 * @param renew whether expired entries get a new date; if not, the run is green except for those entries
 */
export function recordBaseline(
  results: Results,
  before: readonly BaselineEntry[],
  checks: readonly ExistingCheck[],
  renew = true,
): BaselineEntry[] {
  const today = dayOf(results);
  const expires = new Date(Date.parse(today) + recordedDays * 86_400_000).toISOString().slice(0, 10);
  const renewed = before
    .filter((entry) => ["known", "expired", "notJudged"].includes(outcomeOf(entry, results, checks).state))
    .map((entry) => (renew && entry.expires < today ? { ...entry, expires } : entry));
  const reason = `recorded by --write-baseline on ${today}`;
  const missing = compareToBaseline(results, "", renewed, checks).unlisted;
  const fresh = results.rules.flatMap(({ id, checks: ran }) => {
    const failing = [...new Set(missing.filter(({ rule }) => rule === id).map(({ endpoint }) => endpoint))];
    if (failing.length === 0) return [];
    const judged = new Set(ran.filter(({ verdict }) => verdict !== "unimplemented").map(({ endpoint }) => endpoint));
    const scopes = failing.length === judged.size ? [{}] : failing.map((endpoint) => ({ endpoint }));
    return scopes.map((scope) => ({ rule: id, ...scope, reason, ...requestOf(ran, scope), expires }));
  });
  return [...renewed, ...fresh];
}

/** How a baseline differs from the previous one, one line each: entries added, removed (and why), expired and kept. */
export function baselineChanges(
  before: readonly BaselineEntry[],
  after: readonly BaselineEntry[],
  results: Results,
  checks: readonly ExistingCheck[],
): string[] {
  const had = new Set(before.map(nameOfEntry));
  const has = new Set(after.map(nameOfEntry));
  const added = after.filter((entry) => !had.has(nameOfEntry(entry)));
  const removed = before.filter((entry) => !has.has(nameOfEntry(entry)));
  const kept = after.filter((entry) => had.has(nameOfEntry(entry)));
  const expired = kept.filter(({ expires }) => expires < dayOf(results));
  return [
    ...added.map((entry) => `added ${nameOfEntry(entry)}, until ${entry.expires}`),
    ...removed.map((entry) => {
      const name = nameOfEntry(entry);
      const why = outcomeOf(entry, results, checks).message.slice(name.length + 1);
      return `removed ${name}: it ${why.replace(/: (correct|remove).*$/, "")}`;
    }),
    ...expired.map(
      (entry) => `kept ${nameOfEntry(entry)}, which expired on ${entry.expires}: fix it, or renew the entry`,
    ),
    `${kept.length} kept, ${added.length} added, ${removed.length} removed`,
  ];
}

/** The request that shows the violation of a rule; the shortest one if there are several. */
function requestOf(
  checks: readonly CheckEntry[],
  { endpoint }: Pick<BaselineEntry, "endpoint">,
): Pick<BaselineEntry, "request"> {
  const mine = checks.filter((check) => endpoint === undefined || check.endpoint === endpoint);
  const words = mine.flatMap(({ violations = [] }) => violations.map(({ request }) => request));
  const [request] = words.sort((a, b) => a.length - b.length);
  return request === undefined ? {} : { request };
}

function outcomeOf(entry: BaselineEntry, results: Results, checks: readonly ExistingCheck[]): BaselineOutcome {
  const [state, message] =
    entry.rule === undefined
      ? judgedByOperation(entry, results, checks)
      : judgedByRule({ ...entry, rule: entry.rule }, results, checks);
  return { ...entry, state, message: `${nameOfEntry(entry)} ${message}` };
}

/** Judges an entry that names only an operation: it covers every check on it that counts. */
function judgedByOperation(entry: BaselineEntry, results: Results, checks: readonly ExistingCheck[]): Judged {
  const names: readonly string[] = endpointNames;
  if (!names.includes(entry.endpoint ?? "")) {
    const suggestion = didYouMean(correctionOf(entry.endpoint ?? "", names));
    return ["unknown", `is not an operation${suggestion}: correct the entry, or remove it`];
  }
  const judged = results.rules.filter(({ level }) => level === "mandatory" || (results.strict && level === "advisory"));
  const ran = judged.flatMap((rule) => checksOf(rule, entry));
  const ids = new Set(judged.map(({ id }) => id));
  const existing = checks.filter(({ rule }) => ids.has(rule));
  // Among so many rules, some always concern things that this target does not have.
  const applicable = ran.filter(({ verdict }) => verdict !== "notApplicable");
  return judgedByChecks(entry, results, { ran: applicable, existing, whyNoneRan: "none of its checks ran" });
}

function judgedByRule(
  entry: BaselineEntry & { readonly rule: string },
  results: Results,
  checks: readonly ExistingCheck[],
): Judged {
  const rule = results.rules.find(({ id }) => id === entry.rule);
  if (rule === undefined && isOwnRuleId(entry.rule)) {
    return ["notJudged", "is a rule of your own that no suite of this run has judged: its entry stays"];
  }
  const wrong = invalidRuleReason(entry, rule, results);
  if (rule === undefined || wrong !== undefined) return ["unknown", `${wrong}: correct the entry, or remove it`];
  if (rule.level === "advisory" && !results.strict) {
    return ["notJudged", "is advisory: its entry counts only with --strict"];
  }
  // The catalogue's checks do not include those of own rules.
  const unknownCheck = invalidCheckReason(entry, [
    ...checks,
    ...rule.checks.map((each) => ({ ...each, rule: rule.id })),
  ]);
  if (unknownCheck !== undefined) return ["unknown", `${unknownCheck}: correct the entry, or remove it`];
  const whyNoneRan = rule.reason ?? "none of its checks ran";
  return judgedByChecks(entry, results, { ran: checksOf(rule, entry), existing: checks, whyNoneRan });
}

/** The checks that an entry is judged by. */
interface ChecksOfEntry {
  /** The covered checks that ran and apply. */
  readonly ran: readonly CheckEntry[];
  /** All checks that may be covered, whether they ran or not. */
  readonly existing: readonly ExistingCheck[];
  /** Why none of them ran, if that is so. */
  readonly whyNoneRan: string;
}

/** Judges an entry by the checks that it covers. */
function judgedByChecks(entry: BaselineEntry, results: Results, checks: ChecksOfEntry): Judged {
  const expired = entry.expires < dayOf(results);
  const { verdict } = ruleVerdict(checks.ran);
  if (isViolated(verdict)) {
    const issue = entry.issue === undefined ? "" : `, ${entry.issue}`;
    return expired
      ? ["expired", `is still violated, and its entry expired on ${entry.expires}: fix it, or renew the entry`]
      : ["known", `is a known deviation until ${entry.expires}: ${entry.reason}${issue}`];
  }
  const open = unsettledReason(entry, checks);
  if (open === undefined) return ["passes", "passes now: remove its entry"];
  return expired
    ? ["expired", `was not settled (${open}), and its entry expired on ${entry.expires}: renew or remove it`]
    : ["notJudged", `was not settled (${open}): its entry stays`];
}

/** What is wrong with the rule or operation that an entry names: it does not exist, or it cannot fail. */
function invalidRuleReason(
  entry: BaselineEntry & { readonly rule: string },
  rule: RuleEntry | undefined,
  { rules }: Results,
): string | undefined {
  const ids = rules.map(({ id }) => id);
  if (rule === undefined) return `is not a rule${didYouMean(correctionOf(entry.rule, ids))}`;
  const endpoints: readonly string[] = rule.endpoints;
  if (entry.endpoint !== undefined && !endpoints.includes(entry.endpoint)) {
    return `names an operation that the rule is not about (it is about ${endpoints.join(", ")})`;
  }
  return rule.level === "mandatory" || rule.level === "advisory" ? undefined : `is never judged (${rule.level})`;
}

/** What is wrong with the check that an entry names, if anything. */
function invalidCheckReason({ rule, check }: BaselineEntry, checks: readonly ExistingCheck[]): string | undefined {
  const names = checks.filter((each) => each.rule === rule).map(({ name }) => name);
  if (check === undefined || names.includes(check)) return undefined;
  const near = correctionOf(check, names);
  return `is not a check of ${rule}${didYouMean(near && JSON.stringify(near))}`;
}

function didYouMean(near: string | undefined): string {
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}

/** Why the run does not show that a deviation is gone; undefined if it does. */
function unsettledReason(entry: BaselineEntry, { ran, existing, whyNoneRan }: ChecksOfEntry): string | undefined {
  if (ran.length === 0) return whyNoneRan;
  const open = ran.find(({ verdict }) => verdict !== "pass");
  if (open) return `${open.name}: ${open.verdict}`;
  const names = new Set(ran.map(({ name }) => name));
  const left = existing.find(
    ({ name, rule: id, endpoint }) => covers(entry, id, { endpoint, name }) && !names.has(name),
  );
  return left ? `${left.name}: did not run` : undefined;
}

/** Whether an entry covers violations that are still there, expired or not. These are not reported again as unlisted. */
function isListed({ state }: BaselineOutcome): boolean {
  return state === "known" || state === "expired";
}

function covers(entry: BaselineEntry, rule: string, check: Pick<ExistingCheck, "name" | "endpoint">): boolean {
  return (
    (entry.rule === undefined || entry.rule === rule) &&
    (entry.endpoint === undefined || entry.endpoint === check.endpoint) &&
    (entry.check === undefined || entry.check === check.name)
  );
}

/** The violations that count against the run: those of mandatory rules, and in a strict run those of advisory ones. */
function countedViolations(results: Results): (Unlisted & { readonly names: readonly string[] })[] {
  const rules = [...rulesWith(results, "fail"), ...(results.strict ? rulesWith(results, "warn") : [])];
  return rules.flatMap((rule) => {
    const checks = violated(rule, results);
    return [...new Set(checks.map(({ endpoint }) => endpoint))].map((endpoint) => ({
      rule: rule.id,
      endpoint,
      verdict: rule.verdict,
      names: checks.filter((check) => check.endpoint === endpoint).map(({ name }) => name),
    }));
  });
}

function violated({ checks }: RuleEntry, { strict }: Results): CheckEntry[] {
  return checks.filter(({ verdict }) => verdict === "fail" || (strict && verdict === "warn"));
}

function checksOf({ id, checks }: RuleEntry, entry: BaselineEntry): readonly CheckEntry[] {
  return checks.filter((check) => covers(entry, id, check));
}

/** The day of the run, UTC. */
function dayOf({ finishedAt }: Results): string {
  return finishedAt.slice(0, 10);
}
