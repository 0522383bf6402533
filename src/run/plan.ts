import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type NamedSettings, resolveTargets } from "../config/config.js";
import type { Settings } from "../config/settings.js";
import type { Flags } from "../config/sources.js";
import { workFolder } from "../files/output-folder.js";
import { readBaseline } from "../report/baseline-file.js";
import type { BaselineEntry } from "../report/baseline-report.js";
import { UsageError } from "../report/failure.js";
import { runFolder } from "../report/write.js";
import type { Selection } from "../session/session-data.js";
import { type CheckInfo, listChecks } from "../session/suites.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import type { Readings } from "../specification/readings.js";
import type { Shard } from "../specification/shard.js";
import { checkSuiteFiles, loadOwnSuites } from "./own-suites.js";
import { readingsOf, selectionOf, titleOf } from "./selection.js";

/** Command-line flags of `run`. */
export interface RunFlags extends Flags {
  /** Names of targets in the configuration file; empty for all of them. */
  readonly target: readonly string[];
  /** The shard of the run to make here. */
  readonly shard?: Shard;
  /** File to write the known deviations to; true if none was named. */
  readonly writeBaseline?: string | true;
  /** Whether to leave entries that still hold as they are, including their last day, and to report each change. */
  readonly update?: true;
  readonly quiet?: true;
  /** How to show progress; by default as a line. */
  readonly progress?: "line" | "ndjson" | "none";
  /** Whether to print the results as JSON to standard output, and nothing else. */
  readonly json?: true;
  readonly dryRun?: true;
  /** Whether to measure power: plants faults into the recorded answers, to see which ones the run would have detected. */
  readonly power?: true;
}

/** The flags of `run`; those in {@link Settings.run} are completed from the environment and the configuration file. */
export interface PlanFlags extends RunFlags {
  readonly suite: readonly string[];
  readonly rule: readonly string[];
  readonly reading: readonly string[];
  readonly report: boolean;
}

/** The plan of a run: everything that is fixed before the first request. */
export interface RunPlan {
  /** The name of the target, if there are several. */
  readonly name?: string;
  readonly flags: PlanFlags;
  /** The user's settings; without a base URL if the embedded server is to be tested. */
  readonly settings: Settings;
  /** The setting that names another server, overridden by `--reference`. */
  readonly overridden?: string;
  readonly checks: readonly CheckInfo[];
  /** The checks of user suites, if these had to be loaded to resolve the selection. */
  readonly ownChecks?: readonly CheckInfo[];
  readonly selection: Selection;
  readonly readings: Readings;
  /** Minimum time to watch streams, in milliseconds, if longer than usual. */
  readonly streamWatchMs?: number;
  /** The known deviations; absent if no baseline was named. */
  readonly baseline?: readonly BaselineEntry[];
}

/**
 * Plans one run for each target that the command line asks for, in the order of the configuration file.
 *
 * @throws UsageError or ConfigurationError
 */
export async function plansFor(flags: RunFlags): Promise<RunPlan[]> {
  const targets = resolveTargets({ flags }, flags.target);
  checkCombinations(flags, targets);
  const checks = await listChecks();
  const titles = checks.map(({ suite }) => suite);
  const plans: RunPlan[] = [];
  for (const { name, settings, overridden } of targets) {
    const completed = completedFlags(flags, settings);
    const { rule, suite, baseline } = completed;
    const asksForOwn = rule.some(isOwnRuleId) || suite.some((each) => titleOf(each, titles) === undefined);
    if (!asksForOwn) checkSuiteFiles(settings.suites);
    const own = asksForOwn ? (await loadOwnSuites(settings.suites)).checks : [];
    plans.push({
      name,
      overridden,
      flags: completed,
      settings,
      checks,
      ...(own.length > 0 && { ownChecks: own }),
      selection: selectionOf({ ...completed, suites: settings.suites }, [...checks, ...own]),
      readings: readingsOf(completed),
      ...(baseline !== undefined && !isYetToBeWritten(baseline, flags) && { baseline: readBaseline(baseline) }),
    });
  }
  return plans;
}

/** @throws UsageError for flags that cannot be used together, or need another one, and for a reserved name of a target */
function checkCombinations(flags: RunFlags, targets: readonly NamedSettings[]): void {
  if (targets.length > 1 && flags.writeBaseline !== undefined)
    throw new UsageError("--write-baseline writes the deviations of one target: choose it with --target");
  if (flags.update && flags.writeBaseline === undefined) throw new UsageError("--update needs --write-baseline");
  if (flags.shard && targets.some(({ settings }) => settings.drawnSeed))
    throw new UsageError("--shard needs --seed: all shards of a run share one seed");
  if (flags.shard && targets.some(({ settings }) => settings.run.forMs !== undefined))
    throw new UsageError("--for and --shard cannot be used together: a shard is run only once");
  const reserved = targets.find(({ name = "" }) => [...runFolder.names, workFolder].includes(name));
  if (reserved)
    throw new UsageError(`a target cannot be called ${reserved.name}: its folder would be taken for a part of a run`);
}

/** Whether the baseline does not exist yet and this run is to write it. */
function isYetToBeWritten(baseline: string, { writeBaseline: named }: RunFlags): boolean {
  if (named === undefined || existsSync(baseline)) return false;
  return named === true || resolve(named) === resolve(baseline);
}

/** The command-line flags, completed from the environment and the configuration file. */
function completedFlags(flags: RunFlags, { run: { readings, forMs, ...others } }: Settings): PlanFlags {
  return { ...flags, ...others, reading: readings, for: forMs };
}
