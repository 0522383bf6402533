import { createRequire } from "node:module";

/** The published figures of a proof of detection power. */
export interface DetectionPower {
  readonly rules: number;
  readonly rulesProven: number;
  readonly mandatory: number;
  readonly mandatoryProven: number;
  /** Mandatory rules with a mutant that only their own checks kill. */
  readonly mandatoryAlone: number;
  readonly mutants: number;
  readonly mutantsKilled: number;
  readonly variants: number;
  readonly falsePositives: number;
}

/** The figures of the last complete proof. Written by `npm run pin`. */
export const publishedPower: DetectionPower = createRequire(import.meta.url)("./published-power.json");
