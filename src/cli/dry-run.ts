import { countOf } from "../judge/judgement.js";
import type { RunPlan } from "../run/plan.js";
import { typicalRequests, type Workload, workloadOf } from "../run/workload.js";
import { selects } from "../session/session.js";
import { groupBy } from "../specification/group-by.js";
import type { Profile } from "../specification/profile.js";
import { dataInWords, dataNeeds } from "../subjects/data-needs.js";

/** What a run would check, and the maximum number of requests, as data. Nothing is sent. */
export function dryRunDocument({ name, checks, selection, settings }: RunPlan): Workload & DryRunTarget {
  const { profile, suites: ownSuites, target } = settings;
  return {
    ...(name !== undefined && { name }),
    ...(target.baseUrl !== undefined && { baseUrl: target.baseUrl }),
    profile,
    ...workloadOf(checks, { selection, profile, ownSuites }),
  };
}

/** The target and the profile of a dry run. */
interface DryRunTarget {
  /** Name of the target, if there are several. */
  readonly name?: string;
  /** Absent for the embedded reference server. */
  readonly baseUrl?: string;
  readonly profile: Profile;
}

/** What a run would check, and the maximum number of requests, as text for a terminal. Nothing is sent. */
export function dryRunText(plan: RunPlan): string {
  const { name, flags, settings } = plan;
  const { profile, suites: ownSuites, target } = settings;
  const { suites, total } = dryRunDocument(plan);
  const width = Math.max(...suites.map(({ title }) => title.length));
  return [
    `${name === undefined ? "" : `${name}: `}at most ${countOf(total, "request")}${flags.for === undefined ? "" : ` in each round, for ${flags.for / 1000} s,`} to ${target.baseUrl ?? "the embedded reference server"}`,
    `${profile} profile, ${pace(target)}`,
    "",
    ...suites.map(({ title, checks }) => `${title.padEnd(width)}  ${countOf(checks, "check")}`),
    ...ownSuites,
    "",
    "A run usually sends far fewer. The rest is headroom for reading again and for narrowing down a violation.",
    `All suites together send the reference server about ${typicalRequests[profile]} in this profile.`,
    ...dataNeeded(plan),
  ].join("\n");
}

/** The data that rules need, the most needed first. This tells before the run what would settle a rule. */
function dataNeeded({ checks, selection, settings: { profile } }: RunPlan): string[] {
  const judged = checks.filter(
    (check) => check.kind !== "observation" && selects({ selection, profile }, check, check.suite),
  );
  const rules = new Set(judged.map(({ rule }) => rule));
  const rulesByData = groupBy(rules, (rule) => dataNeeds(rule).map(dataInWords).join(", or "));
  rulesByData.delete("");
  if (rulesByData.size === 0) return [];
  return [
    "",
    "Data that rules need. If the listings do not show it, name it in the configuration, under the setting in brackets.",
    ...[...rulesByData]
      .sort(([, a], [, b]) => b.length - a.length)
      .flatMap(([needs, rules]) => [needs, ...wrapped(rules)]),
  ];
}

/** Wraps names into lines of about 120 characters. */
function wrapped(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last === undefined || last.length + name.length > 116) lines.push(`    ${name}`);
    else lines[lines.length - 1] = `${last}, ${name}`;
  }
  return lines;
}

function pace({ concurrency, rate }: RunPlan["settings"]["target"]): string {
  const atOnce = `${countOf(concurrency, "request")} at once`;
  return rate === undefined ? atOnce : `${atOnce}, ${rate} a second`;
}
