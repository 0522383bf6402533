import { ConfigurationError } from "./config/errors.js";
import type { Flags } from "./config/sources.js";
import type { Results } from "./report/results.js";
import type { RunFlags, RunPlan } from "./run/plan.js";

/**
 * The options of a run: those of `perp-conformance run`, in camel case. As for the command, missing options come from the
 * environment (`CONFORMANCE_*`), then the configuration file, then defaults.
 */
export interface RunOptions extends Flags, Partial<Omit<RunFlags, keyof Flags | "quiet" | "progress" | "json">> {
  /** Ends the run early. Its results so far are written and returned, marked as incomplete. */
  readonly signal?: AbortSignal;
}

/** The results of one of several targets. */
export interface TargetResults {
  /** The target's name in the configuration file; absent when there is only one. */
  readonly name?: string;
  readonly results: Results;
}

/**
 * Executes a run as `perp-conformance run` does, but prints nothing. The target comes from `baseUrl`, the environment or the
 * configuration file; `reference: true` tests the embedded reference server. The files of the run are written to `out`.
 *
 * If a target cannot be reached, the results say so in `problems`. `exitCode(results)` is what the command would end with.
 *
 * @throws ConfigurationError or UsageError for options that cannot be used, before anything is sent
 */
export async function run(options: RunOptions = {}): Promise<Results> {
  const plans = await planRuns(options);
  const [plan] = plans;
  if (plan === undefined || plans.length > 1) {
    const names = plans.map(({ name }) => name).join(", ");
    throw new ConfigurationError([`there are several targets (${names}): choose one with target, or use runTargets`]);
  }
  return inCommonFolder(plans, () => execute(plan, options));
}

/** Executes a run of each target of the configuration file, one after another, until `signal` ends them (see {@link run}). */
export async function runTargets(options: RunOptions = {}): Promise<TargetResults[]> {
  const plans = await planRuns(options);
  const all: TargetResults[] = [];
  await inCommonFolder(plans, async () => {
    for (const plan of plans) {
      if (options.signal?.aborted) break;
      const results = await execute(plan, options);
      all.push({ ...(plan.name !== undefined && { name: plan.name }), results });
    }
  });
  return all;
}

// The code that executes runs is loaded on demand: a suite that imports this module does not need it.
async function planRuns({ signal: _, ...flags }: RunOptions): Promise<RunPlan[]> {
  const { plansFor } = await import("./run/plan.js");
  return plansFor({ target: [], ...flags });
}

async function inCommonFolder<T>(plans: readonly RunPlan[], executeAll: () => Promise<T>): Promise<T> {
  const folders = await import("./run/run-folder.js");
  return folders.inCommonFolder(plans, executeAll);
}

async function execute(plan: RunPlan, { signal = new AbortController().signal }: RunOptions): Promise<Results> {
  const { silentListener } = await import("./run/listener.js");
  const { executeRun } = await import("./run/execute-run.js");
  return executeRun(plan, silentListener, signal);
}
