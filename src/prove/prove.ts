import { availableParallelism } from "node:os";
import { combined, namesIn } from "../reference/combined.js";
import type { Modification, Mutant, Variant } from "../reference/modification.js";
import { isSameModification, mutants, variants } from "../reference/modifications.js";
import { listings } from "../reference/variants/listings.js";
import { listChecks } from "../session/suites.js";
import { catalogue, ruleById } from "../specification/catalogue/index.js";
import { endpoints } from "../specification/endpoints.js";
import { detections } from "./detections.js";
import { groupsOf, tryGroup } from "./groups.js";
import { detectionMatrix, foundBroken, type Matrix, missedDetections, type Trial } from "./matrix.js";
import { Pool, type WorkerSlots } from "./pool.js";
import { fewOperations, redChecks, type TrialJob, type TrialReport, type Usage, verdictsOf } from "./trial.js";

/** Selects what to prove; everything when nothing is named. */
export interface ProveOptions {
  /** Only the mutants of these rules. */
  readonly rules?: readonly string[];
  readonly mutants?: readonly string[];
  readonly variants?: readonly string[];
  readonly seed?: number;
  /** Whether to try every modification with all pairs of classes, as in a quick run, rather than only where needed. */
  readonly pairs?: boolean;
  /** Whether to judge the exchanges of every trial again and require the same verdicts. */
  readonly rejudge?: boolean;
  /** Called after each trial. */
  readonly onTrial?: (report: TrialReport, done: number, total: number) => void;
}

/** The matrix, and the effort it took. */
export interface Proof {
  readonly matrix: Matrix;
  readonly trials: number;
  readonly requests: number;
  readonly durationMs: number;
  /** True when every mutant and every variant was tried. */
  readonly complete: boolean;
}

/** Name of the unmodified reference server among the variants: it must raise no alarm either. */
export const referenceName = "reference";

/** Stream trials mostly wait, so many fit into one thread without disturbing each other's timing. */
const timingTrialsAtOnce = 6;
/** Threads for stream trials: with a single one they would finish long after everything else. */
const timingThreads = 2;
/** Orders on a mutant's server in the first attempt. */
const fewOrders = 300;
/** Orders on a variant's server, except for listing variants, which differ most on full pages. */
const variantOrders = 600;
/** Trials of the full profile wait for a minute, all of them concurrently. */
const longTrialsAtOnce = 64;
/** One bulk trial keeps a thread busy; the others fill its waits. */
const bulkTrialsAtOnce = 4;

/** Runs the harness against mutants, variants and the reference server itself, and reports which mutants it killed. */
export async function prove(options: ProveOptions = {}): Promise<Proof> {
  const pools = { short: new Pool(shortLanes()), long: new Pool(longLanes), quiet: new Pool(quietLanes) };
  try {
    return await proveIn(pools, options);
  } finally {
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
  }
}

/** Thread pools: for ordinary trials, for those that wait for a minute, and for those that must not be disturbed. */
type Pools = Readonly<Record<"short" | "long" | "quiet", Pool>>;

/** What the reference server's trials reveal for all other trials. */
interface Known {
  readonly usage: Usage;
  /** The checks of the timing suites. */
  readonly timed: ReadonlySet<string>;
}

async function proveIn(
  pools: Pools,
  { seed = 1, pairs = false, rejudge, onTrial, ...which }: ProveOptions,
): Promise<Proof> {
  const started = performance.now();
  const { modifications, complete } = select(which);
  const jobsOf = (modification: Subject): readonly TrialJob[] =>
    jobsFor(modification, seed, pairs).map((job) => (rejudge ? { ...job, rejudge } : job));
  const chosen = modifications.filter((modification) => modification !== undefined);
  const [mutated, varied] = [chosen.filter(isMutant), chosen.filter(isVariant)];
  const [groups, alone] = parted(
    complete ? groupsOf(varied) : varied.map((variant) => [variant]),
    ({ length }) => length > 1,
  );
  const plain = modifications.filter((modification) => modification === undefined);
  const total = [...plain, ...mutated, ...alone.flat(), ...groups.map(combined)].flatMap(jobsOf).length;
  let done = 0;
  let requests = 0;
  let known: Known | undefined;
  const make = async (pool: Pool, job: TrialJob): Promise<TrialReport> => {
    const report = await pool.trial(job, known?.usage);
    requests += report.requests;
    onTrial?.(report, ++done, total);
    return report;
  };

  // Trials of the full profile take a minute and run alongside everything else.
  const long = new Map(
    modifications.map((modification) => [
      modification,
      Promise.all(
        jobsOf(modification)
          .filter(isFull)
          .map((job) => make(pools.long, job)),
      ),
    ]),
  );

  /** Runs the trials of a server. The bulk trials come first and tell whether the timing suite is affected. */
  const runTrials = async (modification: Subject): Promise<readonly TrialReport[]> => {
    const [bulk, timing] = parted(
      jobsOf(modification).filter((job) => !isFull(job)),
      ({ lane }) => lane === "bulk",
    );
    const { timed } = known ?? {};
    const first = Promise.all(bulk.map((job) => make(pools.short, job)));
    const [preparation] = timed ? (await first).map((report) => report.preparation) : [];
    const wanted = !timed || (preparation?.concerned?.some((name) => timed.has(name)) ?? true);
    const then = wanted ? timing.map((job) => make(pools.short, { ...job, ...(preparation && { preparation }) })) : [];
    return [...(await first), ...(await Promise.all(then))].map(({ preparation: _, ...report }) => report);
  };

  const checks = (await listChecks()).filter(({ kind }) => kind !== "observation").map(({ name }) => name);
  const triedInPairs = new Set<Mutant>();
  /** Runs the checks of a mutant's rule, and those that missed it, with all pairs of classes and the full amount of data. */
  const retryWithPairs = (mutant: Mutant, reports: readonly TrialReport[]): Promise<readonly TrialReport[]> => {
    triedInPairs.add(mutant);
    const jobs = jobsOf(mutant)
      .filter((job) => !isFull(job))
      .map(withFullData);
    const makeAll = (some: readonly TrialJob[]) => Promise.all(some.map((job) => make(pools.short, job)));
    // A rule about answers in general is judged on the answers of all checks, so all must run.
    if (ruleById(mutant.breaks).endpoints.length > fewOperations) return makeAll(jobs);
    const own = checks.filter((name) => name.startsWith(`${mutant.breaks} on `));
    const only = [
      ...own,
      ...missedDetections({ name: mutant.name, foundBy: trialOf(mutant, reports).red }, detections),
    ];
    const isThere = (name: string, { lane }: TrialJob) => !known || known.timed.has(name) === (lane === "timing");
    return makeAll(
      jobs
        .map((job) => ({ ...job, only: only.filter((name) => isThere(name, job)) }))
        .filter((job) => job.only.length > 0),
    );
  };
  /** Tries a mutant, and again with all pairs and full data if it was missed: some faults show only there. */
  const tryMutant = async (mutant: Mutant): Promise<readonly TrialReport[]> => {
    const reports = [...(await runTrials(mutant)), ...((await long.get(mutant)) ?? [])];
    return isMissed(trialOf(mutant, reports)) ? [...reports, ...(await retryWithPairs(mutant, reports))] : reports;
  };

  // The reference server's trials tell which checks a modification may affect. Groups need no such selection: they differ
  // everywhere.
  const unmodified = Promise.all(plain.map(runTrials));
  const together = groups.map((members) => tryGroup(members, runTrials));
  known = knownFrom((await unmodified).flat());
  // Mutants of the stream come first, so that their waits do not come last.
  const others = [...alone.flat().map(runTrials), ...parted(mutated, streams).flat().map(tryMutant)];
  const once = [
    await unmodified,
    (await long.get(undefined)) ?? [],
    await Promise.all(together),
    await Promise.all(others),
  ].flat(2);

  const rules = catalogue.filter(({ level }) => level === "mandatory" || level === "advisory");
  const matrixOf = (reports: readonly TrialReport[]) => {
    const blamed = groups
      .map(combined)
      .filter(({ name }) => reports.some(({ job }) => job.modification?.name === name));
    const trials = [...modifications, ...blamed].map((modification) => trialOf(modification, reports));
    return detectionMatrix(trials, { rules, checks, detections, complete });
  };
  // Retry with pairs all mutants of a rule that has a check which found none.
  const notRed = new Set(matrixOf(once).neverRed.map((question) => question.split(": ")[0]));
  const missing = mutated.filter((mutant) => notRed.has(mutant.breaks) && !triedInPairs.has(mutant));
  const inPairs = [...once, ...(await Promise.all(missing.map((mutant) => retryWithPairs(mutant, once)))).flat()];

  // Retry what was inconclusive or got no answer in time, now that the machine is quiet.
  const undecided = modifications.filter((modification) => needsRetry(trialOf(modification, inPairs), inPairs));
  const isDecided = ({ job }: TrialReport) => !undecided.some((other) => isSameModification(job.modification, other));
  const again = await Promise.all(undecided.flatMap(jobsOf).map((job) => make(pools.quiet, withFullData(job))));
  return {
    matrix: matrixOf([...inPairs.filter(isDecided), ...again]),
    trials: modifications.length,
    requests,
    durationMs: Math.round(performance.now() - started),
    complete,
  };
}

function isFull({ profile }: TrialJob): boolean {
  return profile === "full";
}

function isMutant(modification: Modification): modification is Mutant {
  return modification.kind === "mutant";
}

function isVariant(modification: Modification): modification is Variant {
  return modification.kind === "variant";
}

/** The usage and timing checks from the reference server's trials; undefined when it was not tried. */
function knownFrom(reports: readonly TrialReport[]): Known | undefined {
  if (reports.length === 0) return undefined;
  const measured = reports.filter(({ job }) => job.lane === "timing");
  return {
    usage: Object.assign({}, ...reports.map(({ usage }) => usage)),
    timed: new Set(measured.flatMap(({ usage }) => Object.keys(usage))),
  };
}

/** Whether a mutant's rule was not found broken, or a check missed what it is known to find. */
function isMissed({ modification, verdicts, red }: Trial): boolean {
  if (modification.breaks === undefined) return false;
  const lost = missedDetections({ name: modification.name, foundBy: red }, detections).length > 0;
  return lost || !foundBroken(verdicts.get(modification.breaks)?.verdict);
}

/** The job with the full data and request combinations of a run. */
function withFullData({ strength: _, orders: __, ...job }: TrialJob): TrialJob {
  return job;
}

/** One or two trials at a time per lane, so that nothing disturbs their timing. */
const quietLanes: readonly WorkerSlots[] = [
  { slots: 2, takes: (job) => job.lane === "timing" },
  { slots: 1, takes: (job) => job.lane === "bulk" },
];

/**
 * Whether a trial must be retried: the mutant's rule is undecided or passed although one of its checks was inconclusive, or
 * any rule ended in an error or the trial failed. Otherwise a rule that passed or failed is never retried.
 */
function needsRetry({ modification, verdicts, trouble }: Trial, reports: readonly TrialReport[]): boolean {
  const own = modification.breaks === undefined ? undefined : (verdicts.get(modification.breaks)?.verdict ?? "notRun");
  const unsure = own === "pass" && leavesOpen(modification, reports);
  const open = own === "inconclusive" || own === "error" || own === "notRun" || unsure;
  return open || trouble !== undefined || [...verdicts.values()].some(({ verdict }) => verdict === "error");
}

/** Whether a check of the mutant's rule was inconclusive. */
function leavesOpen({ name, breaks }: Trial["modification"], reports: readonly TrialReport[]): boolean {
  return reports
    .filter(({ job }) => job.modification?.kind === "mutant" && job.modification.name === name)
    .some(({ results }) => results.some(({ rule, verdict }) => rule === breaks && verdict === "inconclusive"));
}

const longLanes: readonly WorkerSlots[] = [{ slots: longTrialsAtOnce, takes: () => true }];

function shortLanes(): WorkerSlots[] {
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
function streams({ breaks }: Mutant): boolean {
  return ruleById(breaks).endpoints.some((endpoint) => endpoints[endpoint].kind === "stream");
}

function parted<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

type Subject = Modification | undefined;

function select({
  rules = [],
  mutants: names = [],
  variants: variantNames = [],
}: Pick<ProveOptions, "rules" | "mutants" | "variants">): {
  modifications: Subject[];
  complete: boolean;
} {
  if (rules.length + names.length + variantNames.length === 0) {
    return { modifications: [undefined, ...mutants, ...variants], complete: true };
  }
  return {
    modifications: [
      ...mutants.filter(({ name, breaks }) => names.includes(name) || rules.includes(breaks)),
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
function jobsFor(modification: Subject, seed: number, pairs: boolean): TrialJob[] {
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

function ordersFor(modification: Subject): Pick<TrialJob, "orders"> {
  if (modification === undefined || (modification.kind === "variant" && isOfListings(modification))) return {};
  return { orders: modification.kind === "mutant" ? fewOrders : variantOrders };
}

function isOfListings({ name }: Variant): boolean {
  return listings.some((listing) => namesIn(name).includes(listing.name));
}

function trialOf(modification: Subject, all: readonly TrialReport[]): Trial {
  const reports = all.filter(({ job }) => isSameModification(job.modification, modification));
  const trouble = reports.find((report) => report.trouble !== undefined)?.trouble;
  return {
    modification: modification ?? { name: referenceName, kind: "variant", summary: "The reference server as it is." },
    verdicts: verdictsOf(reports),
    red: redChecks(reports),
    differing: reports.flatMap((report) => report.differing ?? []),
    ...(trouble === undefined ? {} : { trouble }),
  };
}
