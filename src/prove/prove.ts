import { availableParallelism } from "node:os";
import type { Modification } from "../reference/modification.js";
import { findModification, isSameModification, mutants, variants } from "../reference/modifications.js";
import { listings } from "../reference/variants/listings.js";
import { listChecks } from "../run/suites.js";
import { catalogue, ruleById } from "../specification/catalogue/index.js";
import { endpoints } from "../specification/endpoints.js";
import { detections } from "./detections.js";
import { detectionMatrix, foundBroken, lostBy, type Matrix, type Trial } from "./matrix.js";
import { runJobs, type WorkerSlots } from "./pool.js";
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
  readonly signal?: AbortSignal;
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
const TIMING_TRIALS_AT_ONCE = 8;
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
  const started = performance.now();
  const { modifications, complete } = select(options);
  const seed = options.seed ?? 1;
  const jobs = modifications
    .flatMap((modification) => jobsFor(modification, seed, options.pairs ?? false))
    .map((job) => (options.rejudge ? { ...job, rejudge: true } : job));
  let done = 0;
  const run = (
    some: readonly TrialJob[],
    lanes: readonly WorkerSlots[],
    usage?: Usage,
    follow: (report: TrialReport) => readonly TrialJob[] = () => [],
  ) =>
    runJobs(some, lanes, {
      ...(usage ? { usage } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
      onReport(report) {
        options.onTrial?.(report, ++done, jobs.length);
        return follow(report);
      },
    });

  /** Makes the trials of some modifications again, whose reports replace the earlier ones. */
  const retried = async (
    reports: readonly TrialReport[],
    which: (trial: Trial) => boolean,
    make: (some: readonly TrialJob[]) => Promise<readonly TrialReport[]>,
  ): Promise<readonly TrialReport[]> => {
    const some = modifications.filter((modification) => which(trialOf(modification, reports)));
    const concerned = ({ modification }: TrialJob) => some.some((other) => isSameModification(modification, other));
    if (some.length === 0) return reports;
    return [...reports.filter(({ job }) => !concerned(job)), ...(await make(jobs.filter(concerned)))];
  };

  // The minute of the full profile runs beside all the rest. The reference server comes before the others: what the
  // checks ask of it tells which of them a modification can concern.
  const [long, short] = parted(jobs, (job) => job.profile === "full");
  const waiting = run(long, [{ slots: LONG_TRIALS_AT_ONCE, takes: () => true }]);
  const [plain, modified] = parted(short, (job) => job.modification === undefined);
  const first = await run(plain, shortLanes());
  const usage = first.length > 0 ? Object.assign({}, ...first.map((report) => report.usage)) : undefined;
  const timed = new Set(first.flatMap(({ job, usage: asked }) => (job.lane === "timing" ? Object.keys(asked) : [])));

  // Whether a modification concerns the stream's suite at all is known once the other suites have looked at it.
  const [timing, others] = parted(modified, (job) => job.lane === "timing");
  // What the stream's suite will want to see comes first, so that its waits do not come last.
  const bulk = parted(others, (job) => streams(job.modification)).flat();
  const follow = ({ job, preparation }: TrialReport): readonly TrialJob[] => {
    const wanted = preparation?.concerned?.some((name) => timed.has(name)) ?? true;
    if (job.lane === "timing" || !wanted) return [];
    return timing
      .filter((other) => isSameModification(other.modification, job.modification))
      .map((other) => ({ ...other, ...(preparation ? { preparation } : {}) }));
  };
  const once = [...first, ...(await run(bulk, shortLanes(), usage, follow)), ...(await waiting)];

  const rules = catalogue.filter(({ level }) => level === "mandatory" || level === "advisory");
  const checks = (await listChecks()).filter(({ kind }) => kind !== "observation").map(({ name }) => name);
  const matrixOf = (reports: readonly TrialReport[]) =>
    detectionMatrix(
      modifications.map((modification) => trialOf(modification, reports)),
      { rules, checks, detections, complete },
    );

  // A mutant that shows in no class of a field alone, or not where there is little data, may show in a quick run of its rule; so
  // may the mutants of a rule one of whose checks has found none.
  const notRed = new Set(matrixOf(once).neverRed.map((question) => question.split(": ")[0]));
  const inPairs = [...once, ...(await run(modifications.flatMap(ownChecksInPairs), shortLanes(), usage))];
  function ownChecksInPairs(modification: Modification | undefined): readonly TrialJob[] {
    const trial = trialOf(modification, once);
    if (modification?.kind !== "mutant" || !(isMissed(trial) || notRed.has(modification.breaks))) return [];
    const isMine = (job: TrialJob) => isSameModification(job.modification, modification) && job.profile === "quick";
    // A rule about answers in general is judged on those that all other checks get.
    if (ruleById(modification.breaks).endpoints.length > FEW_OPERATIONS) return jobs.filter(isMine).map(asInRuns);
    const own = checks.filter((name) => name.startsWith(`${modification.breaks} on `));
    const only = [...own, ...lostBy({ name: modification.name, foundBy: trial.red }, detections)];
    return jobs.filter(isMine).flatMap((job) => {
      const there = only.filter((name) => timed.size === 0 || timed.has(name) === (job.lane === "timing"));
      return there.length > 0 ? [{ ...asInRuns(job), only: there }] : [];
    });
  }
  // What could not be judged for lack of evidence or an answer in time is tried once more, now that the machine is quiet.
  const reports = await retried(
    inPairs,
    (trial) => isUndecided(trial, inPairs),
    (some) => run(some.map(asInRuns), quietLanes, usage),
  );
  return {
    matrix: matrixOf(reports),
    trials: modifications.length,
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    durationMs: Math.round(performance.now() - started),
    complete,
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

function shortLanes(): WorkerSlots[] {
  return [
    { slots: TIMING_TRIALS_AT_ONCE, takes: (job) => job.lane === "timing" },
    ...Array.from({ length: Math.max(1, availableParallelism()) }, () => ({
      slots: BULK_TRIALS_AT_ONCE,
      takes: (job: TrialJob) => job.lane === "bulk",
    })),
  ];
}

/** Whether a modification is likely to concern the stream: any freedom may, and a mutant of one of its rules will. */
function streams(modification: TrialJob["modification"]): boolean {
  const found = modification && findModification(modification.kind, modification.name);
  if (found?.kind !== "mutant") return true;
  return ruleById(found.breaks).endpoints.some((endpoint) => endpoints[endpoint].kind === "stream");
}

function parted<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

type Subject = Modification | undefined;

function select({ rules = [], mutants: names = [], variants: variantNames = [] }: ProveOptions): {
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
  if (modification === undefined || (modification.kind === "variant" && listings.includes(modification))) return {};
  return { orders: modification.kind === "mutant" ? FEW_ORDERS : VARIANT_ORDERS };
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
