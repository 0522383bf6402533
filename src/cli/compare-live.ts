import { join, resolve } from "node:path";
import type { AnswerComparison, Both } from "../compare/answers.js";
import type { ComparedRun } from "../compare/comparison.js";
import { withBaseUrl } from "../config/config.js";
import type { Target } from "../connect/target.js";
import { strengthOf } from "../exploration/plan.js";
import { writeWhole } from "../files/write.js";
import { exitCodes } from "../report/exit-code.js";
import { commandFailureOf, UsageError } from "../report/failure.js";
import { type Progress, showProgress, silentProgress } from "../report/progress.js";
import type { Results } from "../report/results.js";
import { comparisonFile } from "../report/write.js";
import { executeOnce } from "../run/execute-once.js";
import { onInterruption } from "../run/interruption.js";
import type { RunListener } from "../run/listener.js";
import { plansFor, type RunFlags, type RunPlan } from "../run/plan.js";
import { inCommonFolder } from "../run/run-folder.js";

/** The options of `compare --live`, apart from its targets. */
export interface LiveFlags extends Pick<RunFlags, "config" | "profile" | "seed" | "tokenEnv" | "header" | "insecure"> {
  readonly out: string;
  readonly quiet?: true;
  readonly json?: true;
}

/** The result: two runs, and what a client would notice beyond their verdicts. */
export interface LiveComparison {
  readonly runs: readonly ComparedRun[];
  readonly answers: AnswerComparison;
}

/**
 * Executes a run against each of two targets, then sends both the same exploration. Writes what `page` renders to their folder.
 *
 * @param named base URLs, or names of targets in the configuration file
 * @returns what was found, or the exit code if a target could not be tested
 * @throws UsageError or ConfigurationError before anything is sent
 */
export async function compareLiveTargets(
  named: readonly string[],
  flags: LiveFlags,
  page: (found: LiveComparison, path: string) => string,
): Promise<LiveComparison | number> {
  const plans = await livePlans(named, flags);
  const isSilent = flags.quiet === true || flags.json === true;
  const progress = isSilent ? silentProgress : showProgress(process.stderr);
  const interruption = onInterruption();
  const { signal } = interruption;
  try {
    return await inCommonFolder(plans, async (folder) => {
      const runs: (ComparedRun & { readonly dir: string })[] = [];
      for (const plan of plans) {
        const results = await runOne(plan, progress, signal);
        if (typeof results === "number") return results;
        runs.push({ name: plan.name ?? "", results, dir: plan.settings.out });
      }
      const { compareLive } = await import("../compare/live/compare-live.js");
      const { withTimes } = await import("../compare/read-runs.js");
      const { profile, seed } = plans[0].settings;
      const answers = await compareLive({
        targets: [targetOf(plans[0]), targetOf(plans[1])],
        profile,
        seed,
        signal,
        strength: strengthOf[profile],
        results: runs.map(({ results }) => results) as unknown as Both<Results>,
        onPhase: (phase) => progress.phase(phase),
      });
      progress.end();
      if (signal.aborted) return exitCodes.interrupted;
      const found = { runs: runs.map((run) => withTimes(run).run), answers };
      if (folder) {
        const path = join(folder.path, comparisonFile);
        await writeWhole(join(folder.work, comparisonFile), page(found, path));
      }
      return found;
    });
  } finally {
    progress.end();
    interruption.dispose();
  }
}

/** Makes one of the two runs. Returns its results, or the exit code if it was interrupted or the target could not be tested. */
async function runOne(plan: RunPlan, progress: Progress, signal: AbortSignal): Promise<Results | number> {
  let failure: unknown;
  const listener: RunListener = {
    progress,
    concluded(_, why) {
      failure = why;
    },
    wrote() {},
    note: (text) => void process.stderr.write(`${text}\n`),
  };
  const results = await executeOnce(plan, listener, signal);
  if (failure !== undefined) {
    const { lines, exitCode } = commandFailureOf(failure);
    process.stderr.write(`${plan.name}: ${lines.join("\n")}\n`);
    return exitCode;
  }
  return signal.aborted ? exitCodes.interrupted : results;
}

/** The plans of two runs with the same seed, each in its own folder. */
async function livePlans(named: readonly string[], flags: LiveFlags): Promise<Both<RunPlan>> {
  const [one, other, ...more] = named;
  if (one === undefined || other === undefined || more.length > 0)
    throw new UsageError(
      "--live compares two targets: give two base URLs, or two names of targets in the configuration file",
    );
  if (one === other) throw new UsageError("--live compares two targets: both arguments name the same one");
  const first = await planFor(one, flags, undefined);
  const second = await planFor(other, flags, first.settings.seed);
  const inFolder = (plan: RunPlan, name: string): RunPlan => ({
    ...plan,
    name,
    settings: { ...plan.settings, out: join(resolve(flags.out), name) },
  });
  const [a, b] = [nameOf(one), nameOf(other)];
  return a === b ? [inFolder(first, `${a}-1`), inFolder(second, `${b}-2`)] : [inFolder(first, a), inFolder(second, b)];
}

async function planFor(target: string, { json: _, ...flags }: LiveFlags, seed: number | undefined): Promise<RunPlan> {
  const targetFlags = isUrl(target) ? { baseUrl: target, target: [] } : { target: [target] };
  const plans = await plansFor({
    suite: [],
    rule: [],
    reading: [],
    report: false,
    ...flags,
    ...targetFlags,
    ...(seed !== undefined && { seed }),
  });
  const [plan] = plans;
  if (plan === undefined) throw new UsageError(`there is no target ${target}`);
  return plan;
}

function isUrl(text: string): boolean {
  return /^(https?:\/\/|unix:|http\+unix:)/i.test(text);
}

/** The name of a target, which is also the name of its folder. */
function nameOf(target: string): string {
  const host = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  const text = host ? `${host.host}${host.pathname.replace(/\/$/, "")}` : target;
  return (
    text
      .replace(/^[a-z+]+:\/*/i, "")
      .replace(/[^\w.-]+/g, "-")
      .slice(0, 80) || "target"
  );
}

function targetOf({ settings }: RunPlan): Target {
  return withBaseUrl(settings, settings.target.baseUrl ?? "").target;
}
