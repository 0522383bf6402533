import { availableParallelism } from "node:os";
import { combined } from "../reference/combined.js";
import type { Mutant, Variant } from "../reference/modification.js";
import { isSameModification } from "../reference/modifications.js";
import { catalogue, ruleById } from "../specification/catalogue/index.js";
import { isStream } from "../specification/endpoints.js";
import { detections } from "./detections.js";
import { groupsOf, tryGroup } from "./groups.js";
import { type ProofSelection, select, type TrialServer } from "./jobs.js";
import { detectionMatrix, type Matrix } from "./matrix.js";
import { Pool, type ThreadOptions } from "./pool.js";
import type { TrialJob, TrialReport } from "./trial-job.js";
import { judgedChecks, needsRetry, type Pools, type TrialOptions, Trials, trialOf } from "./trials.js";

/** Selects what to prove, everything when nothing is named, and how. */
export interface ProveOptions extends ProofSelection, TrialOptions {}

/** The matrix, and the effort it took. */
export interface Proof {
  readonly matrix: Matrix;
  readonly trials: number;
  readonly requests: number;
  readonly durationMs: number;
  /** True when every mutant and every variant was tried. */
  readonly complete: boolean;
}

/** Stream trials mostly wait, so many fit into one thread without disturbing each other's timing. */
const timingTrialsAtOnce = 6;
/** Threads for stream trials: with a single one they would finish long after everything else. */
const timingThreads = 2;
/** Trials of the full profile wait for a minute, all of them concurrently. */
const longTrialsAtOnce = 64;
/** One bulk trial keeps a thread busy; the others fill its waits. */
const bulkTrialsAtOnce = 4;

/** Runs the harness against mutants, variants and the reference server itself, and reports which mutants it killed. */
export async function prove(options: ProveOptions = {}): Promise<Proof> {
  const pools = { short: new Pool(shortThreads()), long: new Pool([longThread]), quiet: new Pool(quietThreads) };
  try {
    return await proveIn(pools, options);
  } finally {
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
  }
}

async function proveIn(pools: Pools, options: ProveOptions): Promise<Proof> {
  const started = performance.now();
  const { modifications, complete } = select(options);
  const variants = modifications.filter(isVariant);
  const [groups, alone] = partition(
    complete ? groupsOf(variants) : variants.map((variant) => [variant]),
    ({ length }) => length > 1,
  );
  const trials = new Trials(pools, options);
  const once = await tryOnce(trials, modifications, groups, alone.flat());

  const rules = catalogue.filter(({ level }) => level === "mandatory" || level === "advisory");
  const checks = await judgedChecks();
  const matrixOf = (reports: readonly TrialReport[]) => {
    const failingGroups = groups
      .map(combined)
      .filter(({ name }) => reports.some(({ job }) => job.modification?.name === name));
    const tried = [...modifications, ...failingGroups].map((modification) => trialOf(modification, reports));
    return detectionMatrix(tried, { rules, checks, detections, complete });
  };
  // Retry with pairs all mutants of a rule that has a check which kills none.
  const rulesToRetry = new Set(matrixOf(once).neverRed.map((check) => check.split(": ")[0]));
  const mutantsToRetry = modifications.filter(isMutant).filter(({ breaks }) => rulesToRetry.has(breaks));
  const inPairs = await Promise.all(mutantsToRetry.map((mutant) => trials.retryWithPairs(mutant, once)));
  return {
    matrix: matrixOf(await withRetries(trials, modifications, [...once, ...inPairs.flat()])),
    trials: modifications.length,
    requests: trials.requests,
    durationMs: Math.round(performance.now() - started),
    complete,
  };
}

/** The trials of all servers, variants in groups where they can be tried together. */
async function tryOnce(
  trials: Trials,
  modifications: readonly TrialServer[],
  groups: readonly (readonly Variant[])[],
  alone: readonly Variant[],
): Promise<readonly TrialReport[]> {
  const mutants = modifications.filter(isMutant);
  const plain = modifications.filter((modification) => modification === undefined);
  trials.expect([...plain, ...mutants, ...alone, ...groups.map(combined)]);
  for (const modification of modifications) trials.beginLong(modification);

  // The reference server's trials tell which checks a modification may affect. Groups need no such selection: they differ
  // everywhere.
  const unmodified = Promise.all(plain.map((server) => trials.run(server)));
  const together = groups.map((members) => tryGroup(members, (server) => trials.run(server)));
  trials.learn((await unmodified).flat());
  // Mutants of the stream come first, so that their waits do not come last.
  const others = [
    ...alone.map((variant) => trials.run(variant)),
    ...partition(mutants, breaksStream)
      .flat()
      .map((mutant) => trials.tryMutant(mutant)),
  ];
  return [
    await unmodified,
    await trials.longOf(undefined),
    await Promise.all(together),
    await Promise.all(others),
  ].flat(2);
}

/** The reports, with another trial in place of those that were inconclusive or got no answer in time. */
async function withRetries(
  trials: Trials,
  modifications: readonly TrialServer[],
  reports: readonly TrialReport[],
): Promise<readonly TrialReport[]> {
  const undecided = modifications.filter((modification) => needsRetry(trialOf(modification, reports), reports));
  const isDecided = ({ job }: TrialReport) => !undecided.some((other) => isSameModification(job.modification, other));
  const again = (await Promise.all(undecided.map((server) => trials.retryQuietly(server)))).flat();
  return [...reports.filter(isDecided), ...again];
}

function isMutant(server: TrialServer): server is Mutant {
  return server?.kind === "mutant";
}

function isVariant(server: TrialServer): server is Variant {
  return server?.kind === "variant";
}

/** One or two trials at a time per thread, so that nothing disturbs their timing. */
const quietThreads: readonly ThreadOptions[] = [
  { slots: 2, takes: (job) => job.lane === "timing" },
  { slots: 1, takes: (job) => job.lane === "bulk" },
];

const longThread: ThreadOptions = { slots: longTrialsAtOnce, takes: () => true };

function shortThreads(): ThreadOptions[] {
  return [
    ...Array.from({ length: timingThreads }, () => ({
      slots: timingTrialsAtOnce,
      takes: (job: TrialJob) => job.lane === "timing",
    })),
    ...Array.from({ length: Math.max(1, availableParallelism()) }, () => ({
      slots: bulkTrialsAtOnce,
      takes: (job: TrialJob) => job.lane === "bulk",
    })),
  ];
}

/** Whether a mutant breaks a rule of the stream. */
function breaksStream({ breaks }: Mutant): boolean {
  return ruleById(breaks).endpoints.some((endpoint) => isStream(endpoint));
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
