import type { RuleEntry } from "../report/results.js";

/**
 * The statuses, most severe first. A sentence that several rules quote has the most severe of their statuses, so that it
 * never counts as passed if part of it was not looked at.
 */
export const statuses = [
  "fail",
  "warned",
  "not-settled",
  "not-exercised",
  "unobservable",
  "pass",
  "observed",
  "excluded",
  "unchecked",
] as const;

/** What a run says about words of the specification. */
export type Status = (typeof statuses)[number];

/** The name of each status, and what it means. */
export const statusTexts: Readonly<Record<Status, { readonly name: string; readonly meaning: string }>> = {
  fail: { name: "failed", meaning: "the target does otherwise" },
  warned: { name: "warned", meaning: "the target does otherwise, where the text can be taken to allow it" },
  "not-settled": { name: "not settled", meaning: "a check ran and came to no conclusion" },
  "not-exercised": {
    name: "not exercised",
    meaning: "no check ran: left out of the run, or nothing there to check",
  },
  pass: { name: "passed", meaning: "checked on the target's own data, and found to hold" },
  observed: { name: "observed", meaning: "the text leaves it open; what the target does is recorded" },
  unobservable: { name: "unobservable", meaning: "stated, but not observable from outside" },
  excluded: { name: "not a requirement", meaning: "no rule covers it, for the reason given" },
  unchecked: { name: "covered by no rule", meaning: "no rule covers this text, so nothing checked it" },
};

/** The status of one rule in a run; `not-exercised` if the run does not know the rule. */
export function statusOf(rule: Pick<RuleEntry, "verdict" | "level"> | undefined): Status {
  switch (rule?.verdict) {
    case "fail":
    case "pass":
    case "observed":
      return rule.verdict;
    case "warn":
      return "warned";
    case "inconclusive":
    case "blocked":
    case "error":
      return "not-settled";
    case "notRun":
      return rule.level === "unobservable" ? "unobservable" : "not-exercised";
    case "notApplicable":
    case "unimplemented":
    case undefined:
      return "not-exercised";
  }
}

/** The most severe of some statuses; `unchecked` if there are none. */
export function mostSevere(candidates: Iterable<Status>): Status {
  const all = new Set(candidates);
  return statuses.find((status) => all.has(status)) ?? "unchecked";
}

/** Whether a status says that something is wrong, or may be. */
export function isProblem(status: Status): boolean {
  return status === "fail" || status === "warned" || status === "not-settled";
}
