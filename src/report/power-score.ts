/** The mutation score of a run on its target's own data. */
export interface PowerScore {
  /** Faults that the run would have detected. */
  readonly killed: number;
  /** Faults that change its answers but would have gone undetected. */
  readonly survived: number;
  /** Faults that do not show in its data. */
  readonly notExercised: number;
}

/** The share of killed faults among those that show in the data, in percent; undefined if none do. */
export function killedPercent({ killed, survived }: PowerScore): number | undefined {
  return killed + survived === 0 ? undefined : (100 * killed) / (killed + survived);
}

/** The share in words, rounded down, so that only a score without survivors says 100 %: `98.7 %`. */
export function killedShare(score: PowerScore): string {
  const percent = killedPercent(score);
  return percent === undefined ? "none shown" : `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;
}

/** A score in one line: `98.7 % of 1029 planted faults would have been detected, 54 more need other data`. */
export function powerLine(score: PowerScore): string {
  const exercised = score.killed + score.survived;
  if (exercised === 0) return "no planted fault changes an answer of this run";
  const share = `${killedShare(score)} of ${exercised} planted faults would have been detected`;
  return score.notExercised === 0 ? share : `${share}, ${score.notExercised} more need other data`;
}
