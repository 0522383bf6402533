import type { Matrix } from "./matrix.js";

/** The figures of a proof: what is published. */
export interface DetectionPower {
  readonly rules: number;
  readonly rulesProven: number;
  readonly mandatory: number;
  readonly mandatoryProven: number;
  /** Mandatory rules with a mutant that only this rule's checks catch. */
  readonly mandatoryAlone: number;
  readonly mutants: number;
  readonly mutantsCaught: number;
  readonly variants: number;
  readonly alarms: number;
}

/** The figures of a matrix. */
export function detectionPower({ rules, mutants, variants }: Matrix): DetectionPower {
  const mandatory = rules.filter(({ level }) => level === "mandatory");
  const proven = ({ caught }: Matrix["rules"][number]) => caught.length > 0;
  return {
    rules: rules.length,
    rulesProven: rules.filter(proven).length,
    mandatory: mandatory.length,
    mandatoryProven: mandatory.filter(proven).length,
    mandatoryAlone: mandatory.filter(({ caughtAlone }) => caughtAlone).length,
    mutants: mutants.length,
    mutantsCaught: mutants.filter(({ caught }) => caught).length,
    variants: variants.length,
    alarms: variants.reduce((sum, { alarms }) => sum + alarms.length, 0),
  };
}
