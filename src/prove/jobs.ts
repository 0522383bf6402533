import { namesIn } from "../reference/combined.js";
import type { Modification, Variant } from "../reference/modification.js";
import { mutants, variants } from "../reference/modifications.js";
import { listings } from "../reference/variants/listings.js";
import type { TrialJob } from "./trial-job.js";

/** Name of the unmodified reference server among the variants: no rule may fail on it either. */
export const referenceName = "reference";

/** Orders on a mutant's server in the first attempt. */
const fewOrders = 300;
/** Orders on a variant's server, except for listing variants, which differ most on full pages. */
const variantOrders = 600;

/** Which servers to prove; all when nothing is named. */
export interface ProofSelection {
  /** Only the mutants of these rules. */
  readonly rules?: readonly string[];
  readonly mutants?: readonly string[];
  readonly variants?: readonly string[];
}

/** The server of a trial: a modification of the reference server, or the reference server itself. */
export type TrialServer = Modification | undefined;

/** The servers to prove, and whether these are all of them. */
export function select({ rules = [], mutants: mutantNames = [], variants: variantNames = [] }: ProofSelection): {
  modifications: TrialServer[];
  complete: boolean;
} {
  if (rules.length + mutantNames.length + variantNames.length === 0) {
    return { modifications: [undefined, ...mutants, ...variants], complete: true };
  }
  return {
    modifications: [
      ...mutants.filter(({ name, breaks }) => mutantNames.includes(name) || rules.includes(breaks)),
      ...variants.filter(({ name }) => variantNames.includes(name)),
      ...(variantNames.includes(referenceName) ? [undefined] : []),
    ],
    complete: false,
  };
}

/**
 * The jobs of a modification: all suites. The timing suites run in the full profile instead if only that reveals a mutant,
 * and in both profiles on the reference server.
 */
export function jobsFor(modification: TrialServer, seed: number, pairs: boolean): TrialJob[] {
  const named = modification ? { modification: { kind: modification.kind, name: modification.name } } : {};
  const full = modification?.kind === "mutant" ? modification.profile === "full" : modification === undefined;
  // Nearly all mutants show with one request field at a time and little data.
  const strength = modification && !pairs ? { strength: 1 as const } : {};
  const orders = pairs ? {} : ordersFor(modification);
  const timing: TrialJob = { ...named, lane: "timing", profile: "quick", seed, ...strength };
  return [
    { ...named, lane: "bulk", profile: "quick", seed, ...strength, ...orders },
    ...(full ? [{ ...timing, profile: "full" as const }] : []),
    ...(full && modification ? [] : [timing]),
  ];
}

function ordersFor(modification: TrialServer): Pick<TrialJob, "orders"> {
  if (modification === undefined || (modification.kind === "variant" && isOfListings(modification))) return {};
  return { orders: modification.kind === "mutant" ? fewOrders : variantOrders };
}

function isOfListings({ name }: Variant): boolean {
  return listings.some((listing) => namesIn(name).includes(listing.name));
}

/** Whether a job is of the full profile, whose trials take a minute. */
export function isFull({ profile }: TrialJob): boolean {
  return profile === "full";
}

/** The job with the full data and request combinations of a run. */
export function withFullData({ strength: _, orders: __, ...job }: TrialJob): TrialJob {
  return job;
}
