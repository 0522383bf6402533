import { type Flags, resolveTargets } from "../config/config.js";
import type { Settings } from "../config/settings.js";
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
import { loadOwnSuites } from "./own-suites.js";
import { readingsOf, selectionOf, titleOf } from "./selection.js";

/** What `run` is told on the command line. */
export interface RunFlags extends Flags {
  /** Names of targets in the configuration file; all of them when empty. */
  readonly target: readonly string[];
  /** The part of the run that is made here. */
  readonly shard?: Shard;
  /** Where to write the known deviations; true when no file was named. */
  readonly writeBaseline?: string | true;
  /** Whether entries that still hold stay as they are, their last day included, and each change is told. */
  readonly update?: true;
  readonly quiet?: true;
  /** How progress is shown; a line when absent. */
  readonly progress?: "line" | "ndjson" | "none";
  /** Whether the results go to the standard output as JSON, and nothing else does. */
  readonly json?: true;
  readonly dryRun?: true;
  /** Plants faults into the answers of the run, and tells which of them it would have detected. */
  readonly power?: true;
}

/** What a run is told, whoever said it: the command line, the environment or the configuration file. */
export interface PlanFlags extends RunFlags {
  readonly suite: readonly string[];
  readonly rule: readonly string[];
  readonly reading: readonly string[];
  readonly report: boolean;
}

/** A run as it was asked for: everything that is fixed before the first request. */
export interface RunPlan {
  /** Which of several targets it is about. */
  readonly name?: string;
  readonly flags: PlanFlags;
  /** As the user gave them: without base URL when the embedded server is tested. */
  readonly settings: Settings;
  /** What names another server, which `--reference` goes before. */
  readonly overridden?: string;
  readonly checks: readonly CheckInfo[];
  /** The checks of suites of the user's own, where these had to be loaded to know what was asked for. */
  readonly ownChecks?: readonly CheckInfo[];
  readonly selection: Selection;
  readonly readings: Readings;
  /** How long streams are watched at least, in milliseconds, where that is longer than usual. */
  readonly streamWatchMs?: number;
  /** The known deviations; absent when no baseline was named. */
  readonly baseline?: readonly BaselineEntry[];
}

/**
 * What the command line asks for: the plan of one run for each target, in the order of the configuration file.
 *
 * @throws UsageError or ConfigurationError
 */
export async function plansFor(flags: RunFlags): Promise<RunPlan[]> {
  const targets = resolveTargets({ flags }, flags.target);
  if (targets.length > 1 && flags.writeBaseline !== undefined)
    throw new UsageError("--write-baseline writes the deviations of one target: choose it with --target");
  if (flags.update && flags.writeBaseline === undefined)
    throw new UsageError("--update says how --write-baseline writes: give both");
  if (flags.shard && targets.some(({ settings }) => settings.drawnSeed))
    throw new UsageError("--shard needs --seed: all parts of a run have the same one");
  if (flags.shard && targets.some(({ settings }) => settings.gate?.forMs !== undefined))
    throw new UsageError("--for and --shard exclude each other: a part of a run is made once");
  const reserved = targets.find(({ name = "" }) => [...runFolder.names, workFolder].includes(name));
  if (reserved)
    throw new UsageError(`a target cannot be called ${reserved.name}: its folder would be taken for a part of a run`);
  const checks = await listChecks();
  const titles = checks.map(({ suite }) => suite);
  const plans: RunPlan[] = [];
  for (const { name, settings, overridden } of targets) {
    const settled = settledFlags(flags, settings);
    const { rule, suite } = settled;
    const asksForOwn = rule.some(isOwnRuleId) || suite.some((each) => titleOf(each, titles) === undefined);
    const own = asksForOwn ? (await loadOwnSuites(settings.suites)).checks : [];
    plans.push({
      ...(name === undefined ? {} : { name }),
      ...(overridden === undefined ? {} : { overridden }),
      flags: settled,
      settings,
      checks,
      ...(own.length > 0 ? { ownChecks: own } : {}),
      selection: selectionOf({ ...settled, suites: settings.suites }, [...checks, ...own]),
      readings: readingsOf(settled),
      ...(settled.baseline === undefined ? {} : { baseline: readBaseline(settled.baseline) }),
    });
  }
  return plans;
}

/** The command line, completed by what the environment and the configuration file say. */
function settledFlags(flags: RunFlags, { gate }: Settings): PlanFlags {
  const { readings = [], suite = [], rule = [], report = true, forMs, ...others } = gate ?? {};
  return { ...flags, ...others, suite, rule, reading: readings, report, for: forMs };
}
