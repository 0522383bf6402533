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
import { detectionMatrix, foundBroken, lostBy, type Matrix, type Trial } from "./matrix.js";
import { Pool, type WorkerSlots } from "./pool.js";
import { FEW_OPERATIONS, redChecks, type TrialJob, type TrialReport, type Usage, verdictsOf } from "./trial.js";

/** What is to be proven; everything when nothing is named. */
export interface ProveOptions {
  /** Only the mutants of these rules. */
  readonly rules?: readonly string[];
  readonly mutants?: readonly string[];
  readonly variants?: readonly string[];
  readonly seed?: number;
  /** Whether every modification is tried with every pair of classes, as in a quick run, and not only where that is needed. */
  readonly pairs?: boolean;
  /** Whether every trial is judged once more from what was exchanged, to the same verdicts. */
  readonly rejudge?: boolean;
  /** Called as trials end. */
  readonly onTrial?: (report: TrialReport, done: number, total: number) => void;
}

/** The matrix, and what it took. */
export interface Proof {
  readonly matrix: Matrix;
  readonly trials: number;
  readonly requests: number;
  readonly durationMs: number;
  /** True when every mutant and every variant was tried. */
  readonly complete: boolean;
}

/** The name under which the reference server itself stands among the variants: it must raise no alarm either. */
export const REFERENCE = "reference";

/** Streams wait most of the time, so that many trials fit into one thread without disturbing each other's clocks. */
const TIMING_TRIALS_AT_ONCE = 6;
/** Threads for such trials: with one alone all else would end long before them. */
const TIMING_THREADS = 2;
/** Orders on the servers that break a rule, at first. */
const FEW_ORDERS = 300;
/** Orders on the servers that use a freedom, unless it is one of listings: those differ most where a page is full. */
const VARIANT_ORDERS = 600;
/** Trials of the full profile wait for a minute: all of them wait side by side. */
const LONG_TRIALS_AT_ONCE = 64;
/** One trial of the bulk suites keeps a thread busy; the others fill its waits. */
const BULK_TRIALS_AT_ONCE = 4;

/** Runs the harness against mutants, variants and the reference server itself, and says which mutants it killed. */
export async function prove(options: ProveOptions = {}): Promise<Proof> {
  const pools = { short: new Pool(shortLanes()), long: new Pool(longLanes), quiet: new Pool(quietLanes) };
  try {
    return await proveIn(pools, options);
  } finally {
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
  }
}

/** Threads for trials as they come, for those that wait for a minute, and for those that nothing may disturb. */
type Pools = Readonly<Record<"short" | "long" | "quiet", Pool>>;

/** What the trials of the reference server tell of those of other servers. */
interface Known {
  readonly usage: Usage;
  /** The checks of the suites that measure arrival times. */
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

  // The minute of the full profile runs beside all the rest.
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

  /** Makes the trials of a server. Whether it concerns the streams' suite is known once the other suites have looked at it. */
  const tryOut = async (modification: Subject): Promise<readonly TrialReport[]> => {
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
  /** Makes the own checks of a mutant in every pair of classes, and on as much data as a run has. */
  const tryInPairs = (mutant: Mutant, reports: readonly TrialReport[]): Promise<readonly TrialReport[]> => {
    triedInPairs.add(mutant);
    const jobs = jobsOf(mutant)
      .filter((job) => !isFull(job))
      .map(asInRuns);
    const makeAll = (some: readonly TrialJob[]) => Promise.all(some.map((job) => make(pools.short, job)));
    // A rule about answers in general is judged on those that all other checks get.
    if (ruleById(mutant.breaks).endpoints.length > FEW_OPERATIONS) return makeAll(jobs);
    const own = checks.filter((name) => name.startsWith(`${mutant.breaks} on `));
    const only = [...own, ...lostBy({ name: mutant.name, foundBy: trialOf(mutant, reports).red }, detections)];
    const isThere = (name: string, { lane }: TrialJob) => !known || known.timed.has(name) === (lane === "timing");
    return makeAll(
      jobs
        .map((job) => ({ ...job, only: only.filter((name) => isThere(name, job)) }))
        .filter((job) => job.only.length > 0),
    );
  };
  /** A mutant that shows in no class of a field alone, or not where there is little data, may show in a quick run of its rule. */
  const tryMutant = async (mutant: Mutant): Promise<readonly TrialReport[]> => {
    const reports = [...(await tryOut(mutant)), ...((await long.get(mutant)) ?? [])];
    return isMissed(trialOf(mutant, reports)) ? [...reports, ...(await tryInPairs(mutant, reports))] : reports;
  };

  // What the checks ask of the reference server tells which of them a modification can concern. Groups differ from it everywhere.
  const unmodified = Promise.all(plain.map(tryOut));
  const together = groups.map((members) => tryGroup(members, tryOut));
  known = knownFrom((await unmodified).flat());
  // What the streams' suite will want to see comes first, so that its waits do not come last.
  const others = [...alone.flat().map(tryOut), ...parted(mutated, streams).flat().map(tryMutant)];
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
  // So may the mutants of a rule one of whose checks has found none.
  const notRed = new Set(matrixOf(once).neverRed.map((question) => question.split(": ")[0]));
  const missing = mutated.filter((mutant) => notRed.has(mutant.breaks) && !triedInPairs.has(mutant));
  const inPairs = [...once, ...(await Promise.all(missing.map((mutant) => tryInPairs(mutant, once)))).flat()];

  // What could not be judged for lack of evidence or an answer in time is tried once more, now that the machine is quiet.
  const undecided = modifications.filter((modification) => isUndecided(trialOf(modification, inPairs), inPairs));
  const isDecided = ({ job }: TrialReport) => !undecided.some((other) => isSameModification(job.modification, other));
  const again = await Promise.all(undecided.flatMap(jobsOf).map((job) => make(pools.quiet, asInRuns(job))));
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

/** What the checks of the reference server asked, and which of them measure; undefined when it was not tried. */
function knownFrom(reports: readonly TrialReport[]): Known | undefined {
  if (reports.length === 0) return undefined;
  const measured = reports.filter(({ job }) => job.lane === "timing");
  return {
    usage: Object.assign({}, ...reports.map(({ usage }) => usage)),
    timed: new Set(measured.flatMap(({ usage }) => Object.keys(usage))),
  };
}

/** Whether the rule that a mutant breaks was not found broken, or a check did not find what it is known to find. */
function isMissed({ modification, verdicts, red }: Trial): boolean {
  if (modification.breaks === undefined) return false;
  const lost = lostBy({ name: modification.name, foundBy: red }, detections).length > 0;
  return lost || !foundBroken(verdicts.get(modification.breaks)?.verdict);
}

/** The job with as much data and as many requests as a run has. */
function asInRuns({ strength: _, orders: __, ...job }: TrialJob): TrialJob {
  return job;
}

/** A modification at a time in each lane: nothing disturbs its clocks. */
const quietLanes: readonly WorkerSlots[] = [
  { slots: 2, takes: (job) => job.lane === "timing" },
  { slots: 1, takes: (job) => job.lane === "bulk" },
];

/**
 * Whether a trial left open what it should have shown: the rule that a mutant breaks has no verdict for lack of evidence, or
 * something came to no verdict because of trouble. Also when it passed although one of its checks saw too little. Apart from
 * that a rule that was judged, and passed or failed, is never tried again.
 */
function isUndecided({ modification, verdicts, trouble }: Trial, reports: readonly TrialReport[]): boolean {
  const own = modification.breaks === undefined ? undefined : (verdicts.get(modification.breaks)?.verdict ?? "notRun");
  const unsure = own === "pass" && leavesOpen(modification, reports);
  const open = own === "inconclusive" || own === "error" || own === "notRun" || unsure;
  return open || trouble !== undefined || [...verdicts.values()].some(({ verdict }) => verdict === "error");
}

/** Whether a check of the rule that a mutant breaks came to no conclusion. */
function leavesOpen({ name, breaks }: Trial["modification"], reports: readonly TrialReport[]): boolean {
  return reports
    .filter(({ job }) => job.modification?.kind === "mutant" && job.modification.name === name)
    .some(({ results }) => results.some(({ rule, verdict }) => rule === breaks && verdict === "inconclusive"));
}

const longLanes: readonly WorkerSlots[] = [{ slots: LONG_TRIALS_AT_ONCE, takes: () => true }];

function shortLanes(): WorkerSlots[] {
  return [
    ...Array.from({ length: TIMING_THREADS }, () => ({
      slots: TIMING_TRIALS_AT_ONCE,
      takes: (job: TrialJob) => job.lane === "timing",
    })),
    ...Array.from({ length: Math.max(1, availableParallelism()) }, () => ({
      slots: BULK_TRIALS_AT_ONCE,
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
      ...(variantNames.includes(REFERENCE) ? [undefined] : []),
    ],
    complete: false,
  };
}

/** Each modification is tried by all suites, and by the stream's in the full profile as well where only that shows it. */
function jobsFor(modification: Subject, seed: number, pairs: boolean): TrialJob[] {
  const named = modification ? { modification: { kind: modification.kind, name: modification.name } } : {};
  const full = modification?.kind === "mutant" ? modification.profile === "full" : modification === undefined;
  // Nearly all mutants show in a class of a field alone, and on little data.
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
  return { orders: modification.kind === "mutant" ? FEW_ORDERS : VARIANT_ORDERS };
}

function isOfListings({ name }: Variant): boolean {
  return listings.some((listing) => namesIn(name).includes(listing.name));
}

function trialOf(modification: Subject, all: readonly TrialReport[]): Trial {
  const reports = all.filter(({ job }) => isSameModification(job.modification, modification));
  const trouble = reports.find((report) => report.trouble !== undefined)?.trouble;
  return {
    modification: modification ?? { name: REFERENCE, kind: "variant", summary: "The reference server as it is." },
    verdicts: verdictsOf(reports),
    red: redChecks(reports),
    differing: reports.flatMap((report) => report.differing ?? []),
    ...(trouble === undefined ? {} : { trouble }),
  };
}
