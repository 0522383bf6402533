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

/** What the user asked of a run beyond conformance. */
export interface Demands {
  /** The least share of judged rules, in percent, that must have come to a conclusion. */
  readonly requireConclusive?: number;
}

/**
 * The exit code of a run. A violation is said first, since it holds whatever else went wrong; then a broken harness;
 * then a lack of evidence, which a run without a single conclusive rule always has. With a baseline, a violation is one
 * that is not listed, and a baseline that does not hold counts as one when the harness worked.
 */
export function exitCode(results: Results, demands: Demands = {}): number {
  const { strict, baseline } = results;
  const { verdicts, conclusiveness } = results.summary;
  if (results.incomplete) return exitCodes.interrupted;
  const failed = baseline ? baseline.unlisted.some(({ verdict }) => verdict === "fail") : verdicts.fail > 0;
  if (failed) return exitCodes.notConformant;
  if (verdicts.error > 0 || results.problems.length > 0) return exitCodes.broken;
  if (baseline ? !baseline.green : strict && verdicts.warn > 0) return exitCodes.notConformant;

  const { conclusive, judged } = conclusiveness;
  const demanded = ((demands.requireConclusive ?? 0) / 100) * judged;
  return conclusive === 0 || conclusive < demanded ? exitCodes.inconclusive : exitCodes.conformant;
}
