import { countedReason, missingEvidence, ownRulesWith, problemsOfRun, violations } from "./conclusion.js";
import { type Results, rulesWith } from "./results.js";
import { baselineLines, mainReasonOf, rulesByReason } from "./wording.js";

/** The exit codes of `perp-conformance run`. */
export const exitCodes = {
  conformant: 0,
  notConformant: 1,
  /** Usage or configuration error. */
  usage: 2,
  /** The target could not be reached, nothing at the base URL is this API, or the harness broke. */
  broken: 3,
  /** Too little evidence for a conclusion. */
  undecided: 4,
  /** Interrupted by SIGINT or SIGTERM: 128 + SIGINT, the shell convention. */
  interrupted: 130,
} as const;

/** Most severe first. An interrupted run says least, and a violation holds whatever else went wrong. */
const bySeverity = [
  exitCodes.interrupted,
  exitCodes.notConformant,
  exitCodes.broken,
  exitCodes.undecided,
  exitCodes.conformant,
] as const;

/** The exit code of several runs together: interrupted, then not conformant, broken, undecided. */
export function worstExitCode(codes: readonly number[]): number {
  return bySeverity.find((code) => codes.includes(code)) ?? exitCodes.broken;
}

/** The exit code of a run and the reasons for it; no reasons if it is 0. */
export interface Ending {
  readonly code: number;
  readonly why: readonly string[];
}

/**
 * The exit code of a run and the reasons for it. An interruption comes first. Then come violations, which hold whatever else
 * went wrong, then a broken harness, then a lack of evidence. With a baseline, only unlisted violations count, and a
 * baseline that does not hold counts as a violation if the harness worked. User-defined rules count like those of the
 * specification: whoever adds one wants to hear about it.
 */
export function endingOf(results: Results): Ending {
  const { strict, baseline, incomplete, summary } = results;
  if (incomplete) return { code: exitCodes.interrupted, why: problemsOfRun(results) };
  const ownViolations = ownRulesWith(results, "fail") + (strict ? ownRulesWith(results, "warn") : 0);
  const violated = baseline
    ? countedReason(baseline.unlisted.length, "violation", "that the baseline does not list")
    : [...violations(results), ...countedReason(ownViolations, "rule", "of your own violated")];
  if (violated.length > 0) return { code: exitCodes.notConformant, why: violated };

  const broken = [
    ...problemsOfRun(results),
    ...countedReason(ownRulesWith(results, "error"), "rule", "of your own ended in an error"),
  ];
  if (broken.length > 0) return { code: exitCodes.broken, why: [...broken, ...mostFrequentError(results)] };
  if (baseline && !baseline.green) return { code: exitCodes.notConformant, why: baselineLines(results) };

  // No rule of the specification was to be judged, so the user-defined rules decide alone.
  const ownConclusive = ownRulesWith(results, "pass") + ownRulesWith(results, "warn");
  const why = summary.conclusiveness.judged === 0 && ownConclusive > 0 ? [] : missingEvidence(results);
  return { code: why.length > 0 ? exitCodes.undecided : exitCodes.conformant, why };
}

/** What most rules that ended in an error say, whatever the operation; none if no rule did. */
function mostFrequentError(results: Results): string[] {
  const errors = rulesWith(results, "error");
  const [most] = rulesByReason(errors, (rule) => mainReasonOf(rule).replace(/^Get\w+: /, ""));
  return most ? [`${errors.length === 1 ? "it says" : "most often"}: ${most.reason}`] : [];
}

/** The exit code of a run. */
export function exitCode(results: Results): number {
  return endingOf(results).code;
}
