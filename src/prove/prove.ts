import { availableParallelism } from "node:os";
import type { Departure } from "../reference/departure.js";
import { mutants, variants } from "../reference/departures.js";
import { catalogue } from "../spec/catalogue/index.js";
import { detectionMatrix, type Matrix, type Trial } from "./matrix.js";
import { type Lane, runJobs } from "./pool.js";
import { type TrialJob, type TrialReport, verdictsOf } from "./trial.js";

/** What is to be proven; everything when nothing is named. */
export interface ProveOptions {
  /** Only the mutants of these rules. */
  readonly rules?: readonly string[];
  readonly mutants?: readonly string[];
  readonly variants?: readonly string[];
  readonly seed?: number;
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
const TIMING_TRIALS_AT_ONCE = 12;
/** Trials of the full profile wait for a minute: all of them wait side by side. */
const LONG_TRIALS_AT_ONCE = 64;
/** One trial of the bulk suites keeps a thread busy; the second one fills the first one's waits. */
const BULK_TRIALS_AT_ONCE = 2;

/** Runs the harness against mutants, variants and the reference server itself, and says what it caught. */
export async function prove(options: ProveOptions = {}): Promise<Proof> {
  const started = performance.now();
  const { departures, complete } = select(options);
  const jobs = departures.flatMap((departure) => jobsFor(departure, options.seed ?? 1));
  const lanes: Lane[] = [
    { slots: LONG_TRIALS_AT_ONCE, takes: (job) => job.profile === "full" },
    { slots: TIMING_TRIALS_AT_ONCE, takes: (job) => job.profile === "quick" && job.lane === "timing" },
    ...Array.from({ length: Math.max(1, availableParallelism()) }, () => ({
      slots: BULK_TRIALS_AT_ONCE,
      takes: (job: TrialJob) => job.lane === "bulk",
    })),
  ];
  let done = 0;
  const reports = await runJobs(
    jobs,
    lanes,
    (report) => options.onTrial?.(report, ++done, jobs.length),
    options.signal,
  );
  const trials = departures.map((departure) => trialOf(departure, reports));
  const proven = catalogue.filter(({ level }) => level === "mandatory" || level === "advisory");
  return {
    matrix: detectionMatrix(proven, trials, complete),
    trials: departures.length,
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    durationMs: Math.round(performance.now() - started),
    complete,
  };
}

type Subject = Departure | undefined;

function select({ rules = [], mutants: names = [], variants: variantNames = [] }: ProveOptions): {
  departures: Subject[];
  complete: boolean;
} {
  if (rules.length + names.length + variantNames.length === 0) {
    return { departures: [undefined, ...mutants, ...variants], complete: true };
  }
  return {
    departures: [
      ...mutants.filter(({ name, breaks }) => names.includes(name) || rules.includes(breaks)),
      ...variants.filter(({ name }) => variantNames.includes(name)),
      ...(variantNames.includes(REFERENCE) ? [undefined] : []),
    ],
    complete: false,
  };
}

/** Each departure is tried by all suites; one that only the full profile shows, by the stream's suite in that profile. */
function jobsFor(departure: Subject, seed: number): TrialJob[] {
  const named = departure ? { departure: { kind: departure.kind, name: departure.name } } : {};
  const full = departure?.kind === "mutant" ? departure.profile === "full" : departure === undefined;
  return [
    { ...named, lane: "bulk", profile: "quick", seed },
    { ...named, lane: "timing", profile: full ? "full" : "quick", seed },
  ];
}

function trialOf(departure: Subject, all: readonly TrialReport[]): Trial {
  const reports = all.filter(
    ({ job }) => job.departure?.name === departure?.name && job.departure?.kind === departure?.kind,
  );
  const trouble = reports.find((report) => report.trouble !== undefined)?.trouble;
  return {
    departure: departure ?? { name: REFERENCE, kind: "variant", summary: "The reference server as it is." },
    verdicts: verdictsOf(reports),
    ...(trouble === undefined ? {} : { trouble }),
  };
}
