import type { Verdict } from "../verdict/result.js";
import type { Results } from "./results.js";

/** The exit codes of `perp-conformance run`. */
export const exitCodes = {
  conformant: 0,
  notConformant: 1,
  /** Usage or configuration error. */
  usage: 2,
  /** The target could not be reached, or the harness broke. */
  broken: 3,
  /** Too few rules came to a conclusion. */
  inconclusive: 4,
  /** Interrupted by SIGINT or SIGTERM: 128 + SIGINT, as shells have it. */
  interrupted: 130,
} as const;

/** From the gravest: what was cut short says least; a violation holds whatever else went wrong. */
const byGravity = [
  exitCodes.interrupted,
  exitCodes.usage,
  exitCodes.notConformant,
  exitCodes.broken,
  exitCodes.inconclusive,
  exitCodes.conformant,
] as const;

/** The exit code of several runs together: interrupted, then not conformant, then broken, then inconclusive. */
export function worstExitCode(codes: readonly number[]): number {
  return byGravity.find((code) => codes.includes(code)) ?? exitCodes.broken;
}

/** What the user asked of a run beyond conformance. */
export interface Demands {
  /** The least share of judged rules, in percent, that must have come to a conclusion. */
  readonly requireConclusive?: number;
}

/**
 * The exit code of a run. A violation is said first, since it holds whatever else went wrong; then a broken harness;
 * then a lack of evidence, which a run without a single conclusive rule always has. With a baseline, a violation is one
 * that is not listed, and a baseline that does not hold counts as one when the harness worked. Rules of the user's own count
 * as the specification's do: whoever adds one wants to hear of it.
 */
export function exitCode(results: Results, demands: Demands = {}): number {
  const { strict, baseline } = results;
  const { verdicts, conclusiveness, own } = results.summary;
  const count = (verdict: Verdict) => verdicts[verdict] + (own?.[verdict] ?? 0);
  if (results.incomplete) return exitCodes.interrupted;
  const failed = baseline ? baseline.unlisted.some(({ verdict }) => verdict === "fail") : count("fail") > 0;
  if (failed) return exitCodes.notConformant;
  if (count("error") > 0 || results.problems.length > 0) return exitCodes.broken;
  if (baseline ? !baseline.green : strict && count("warn") > 0) return exitCodes.notConformant;

  const { conclusive, judged } = conclusiveness;
  const demanded = ((demands.requireConclusive ?? 0) / 100) * judged;
  const ownConclusive = (own?.pass ?? 0) + (own?.warn ?? 0);
  // Nothing of the specification was to be judged: then what the user's own rules say is all there is.
  if (judged === 0 && ownConclusive > 0) return exitCodes.conformant;
  return conclusive === 0 || conclusive < demanded ? exitCodes.inconclusive : exitCodes.conformant;
}
