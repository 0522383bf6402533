import type { DetectionPower } from "../report/published-power.js";
import type { Matrix } from "./matrix.js";

/** Computes the detection power from a matrix. */
export function detectionPower({ rules, mutants, variants }: Matrix): DetectionPower {
  const mandatory = rules.filter(({ level }) => level === "mandatory");
  const proven = ({ killed }: Matrix["rules"][number]) => killed.length > 0;
  return {
    rules: rules.length,
    rulesProven: rules.filter(proven).length,
    mandatory: mandatory.length,
    mandatoryProven: mandatory.filter(proven).length,
    mandatoryAlone: mandatory.filter(({ killedAlone }) => killedAlone).length,
    mutants: mutants.length,
    mutantsKilled: mutants.filter(({ killed }) => killed).length,
    variants: variants.length,
    falsePositives: variants.reduce((sum, { falsePositives }) => sum + falsePositives.length, 0),
  };
}
