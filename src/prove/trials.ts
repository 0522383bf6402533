import { isViolated } from "../engine/result.js";
import type { Mutant } from "../reference/modification.js";
import { isSameModification } from "../reference/modifications.js";
import { listChecks } from "../session/suites.js";
import { ruleById } from "../specification/catalogue/index.js";
import { detections } from "./detections.js";
import { isFull, jobsFor, referenceName, type TrialServer, withFullData } from "./jobs.js";
import { missedDetections, type Trial } from "./matrix.js";
import type { Pool } from "./pool.js";
import { failingChecks, fewOperations, verdictsOf } from "./trial.js";
import type { TrialJob, TrialReport, Usage } from "./trial-job.js";

/** Thread pools: for ordinary trials, for those that wait for a minute, and for those that must not be disturbed. */
export type Pools = Readonly<Record<"short" | "long" | "quiet", Pool>>;

/** How the trials of a proof are made. */
export interface TrialOptions {
  readonly seed?: number | undefined;
  /** Whether to try every modification with all pairs of classes, as in a quick run, rather than only where needed. */
  readonly pairs?: boolean | undefined;
  /** Whether to judge the exchanges of every trial again and require the same verdicts. */
  readonly rejudge?: boolean | undefined;
  /** Called after each trial. */
  readonly onTrial?: ((report: TrialReport, done: number, total: number) => void) | undefined;
}

/** What the reference server's trials reveal for all other trials. */
interface ReferenceUsage {
  readonly usage: Usage;
  /** The checks of the timing suites. */
  readonly timed: ReadonlySet<string>;
}

/** Makes the trials of a proof. */
export class Trials {
  requests = 0;
  readonly #long = new Map<TrialServer, Promise<readonly TrialReport[]>>();
  /** The mutants that were tried with all pairs of classes. */
  readonly #triedInPairs = new Set<Mutant>();
  #done = 0;
  #total = 0;
  #known: ReferenceUsage | undefined;

  constructor(
    private readonly pools: Pools,
    private readonly options: TrialOptions,
  ) {}

  /** Announces servers, for the number of trials that `onTrial` tells. */
  expect(servers: readonly TrialServer[]): void {
    this.#total += servers.flatMap((server) => this.#jobsOf(server)).length;
  }

  /** Begins a server's trials of the full profile, which take a minute and run alongside everything else. */
  beginLong(server: TrialServer): void {
    const jobs = this.#jobsOf(server).filter(isFull);
    this.#long.set(server, Promise.all(jobs.map((job) => this.#make(this.pools.long, job))));
  }

  /** The reports of a server's trials of the full profile, once they have ended. */
  async longOf(server: TrialServer): Promise<readonly TrialReport[]> {
    return (await this.#long.get(server)) ?? [];
  }

  /** Learns from the reference server's trials which checks a modification may affect; nothing if it was not tried. */
  learn(reports: readonly TrialReport[]): void {
    if (reports.length === 0) return;
    const measured = reports.filter(({ job }) => job.lane === "timing");
    this.#known = {
      usage: Object.assign({}, ...reports.map(({ usage }) => usage)),
      timed: new Set(measured.flatMap(({ usage }) => Object.keys(usage))),
    };
  }

  /** Runs the trials of a server. The bulk trials come first and tell whether the timing suite is affected. */
  async run(server: TrialServer): Promise<readonly TrialReport[]> {
    const short = this.#jobsOf(server).filter((job) => !isFull(job));
    const timing = short.filter(({ lane }) => lane === "timing");
    const { timed } = this.#known ?? {};
    const bulk = Promise.all(
      short.filter(({ lane }) => lane === "bulk").map((job) => this.#make(this.pools.short, job)),
    );
    const [preparation] = timed ? (await bulk).map((report) => report.preparation) : [];
    const isAffected = preparation?.affected?.some((name) => timed?.has(name)) ?? true;
    const isWanted = !timed || (isAffected && !preparation?.hasSameStreams);
    const timingReports = isWanted ? timing.map((job) => this.#make(this.pools.short, { ...job, preparation })) : [];
    return [...(await bulk), ...(await Promise.all(timingReports))].map(({ preparation: _, ...report }) => report);
  }

  /** Tries a mutant, and again with all pairs and full data if it survived: some faults show only there. */
  async tryMutant(mutant: Mutant): Promise<readonly TrialReport[]> {
    const reports = [...(await this.run(mutant)), ...(await this.longOf(mutant))];
    return hasSurvived(trialOf(mutant, reports))
      ? [...reports, ...(await this.retryWithPairs(mutant, reports))]
      : reports;
  }

  /**
   * Runs the checks of a mutant's rule, and those that it survived unexpectedly, with all pairs of classes and the full
   * amount of data; once for each mutant.
   */
  async retryWithPairs(mutant: Mutant, reports: readonly TrialReport[]): Promise<readonly TrialReport[]> {
    if (this.#triedInPairs.has(mutant)) return [];
    this.#triedInPairs.add(mutant);
    const jobs = this.#jobsOf(mutant)
      .filter((job) => !isFull(job))
      .map(withFullData);
    const makeAll = (wanted: readonly TrialJob[]) =>
      Promise.all(wanted.map((job) => this.#make(this.pools.short, job)));
    // A rule about answers in general is judged on the answers of all checks, and a fault that comes and goes shows in
    // repeated ones, so all must run.
    const needsAll = mutant.intermittent === true || ruleById(mutant.breaks).endpoints.length > fewOperations;
    if (needsAll) return makeAll(jobs);
    const ofRule = (await judgedChecks()).filter((name) => name.startsWith(`${mutant.breaks} on `));
    const missed = missedDetections({ name: mutant.name, foundBy: trialOf(mutant, reports).failingChecks }, detections);
    const timed = this.#known?.timed;
    const isThere = (name: string, { lane }: TrialJob) => !timed || timed.has(name) === (lane === "timing");
    return makeAll(
      jobs
        .map((job) => ({ ...job, only: [...ofRule, ...missed].filter((name) => isThere(name, job)) }))
        .filter((job) => job.only.length > 0),
    );
  }

  /** Makes the trials of a server once more, with full data and one at a time, now that the machine is quiet. */
  async retryQuietly(server: TrialServer): Promise<readonly TrialReport[]> {
    return Promise.all(this.#jobsOf(server).map((job) => this.#make(this.pools.quiet, withFullData(job))));
  }

  #jobsOf(server: TrialServer): readonly TrialJob[] {
    const { seed = 1, pairs = false, rejudge } = this.options;
    return jobsFor(server, seed, pairs).map((job) => (rejudge ? { ...job, rejudge } : job));
  }

  async #make(pool: Pool, job: TrialJob): Promise<TrialReport> {
    const report = await pool.trial(job, this.#known?.usage);
    this.requests += report.requests;
    this.options.onTrial?.(report, ++this.#done, this.#total);
    return report;
  }
}

/** The names of all checks that judge. */
export async function judgedChecks(): Promise<readonly string[]> {
  return (await listChecks()).filter(({ kind }) => kind !== "observation").map(({ name }) => name);
}

/** The outcome of the trials of a server. */
export function trialOf(modification: TrialServer, all: readonly TrialReport[]): Trial {
  const reports = all.filter(({ job }) => isSameModification(job.modification, modification));
  const trouble = reports.find((report) => report.trouble !== undefined)?.trouble;
  return {
    modification: modification ?? { name: referenceName, kind: "variant", summary: "The reference server as it is." },
    verdicts: verdictsOf(reports),
    failingChecks: failingChecks(reports),
    differing: reports.flatMap((report) => report.differing ?? []),
    trouble,
  };
}

/** Whether a mutant's rule is not violated, or it survived a check that is known to kill it. */
function hasSurvived({ modification, verdicts, failingChecks: foundBy }: Trial): boolean {
  if (modification.breaks === undefined) return false;
  const missed = missedDetections({ name: modification.name, foundBy }, detections).length > 0;
  return missed || !isViolated(verdicts.get(modification.breaks)?.verdict);
}

/**
 * Whether a trial must be retried: the mutant's rule is undecided or passed although one of its checks was inconclusive, or
 * any rule ended in an error or the trial failed. Otherwise a rule that passed or failed is never retried.
 */
export function needsRetry({ modification, verdicts, trouble }: Trial, reports: readonly TrialReport[]): boolean {
  if (trouble !== undefined || [...verdicts.values()].some(({ verdict }) => verdict === "error")) return true;
  if (modification.breaks === undefined) return false;
  const verdict = verdicts.get(modification.breaks)?.verdict ?? "notRun";
  if (verdict === "pass") return leavesOpen(modification, reports);
  return verdict === "inconclusive" || verdict === "notRun";
}

/** Whether a check of the mutant's rule was inconclusive. */
function leavesOpen({ name, breaks }: Trial["modification"], reports: readonly TrialReport[]): boolean {
  return reports
    .filter(({ job }) => job.modification?.kind === "mutant" && job.modification.name === name)
    .some(({ results }) => results.some(({ rule, verdict }) => rule === breaks && verdict === "inconclusive"));
}
