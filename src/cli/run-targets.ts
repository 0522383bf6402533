import { relative } from "node:path";
import { conclusionLine, targetsTable, toQuietTerminal, toTerminal } from "../report/console.js";
import { exitCode, exitCodes, worstExitCode } from "../report/exit-code.js";
import { failureOf } from "../report/failure.js";
import { showProgress, silentProgress } from "../report/progress.js";
import type { Results } from "../report/results.js";
import { conclusionOf } from "../report/wording.js";
import { onInterruption } from "../run/interruption.js";
import type { RunListener } from "../run/listener.js";
import { inCommonFolder } from "../run/make-run.js";
import { plansFor, type RunFlags, type RunPlan } from "../run/plan.js";
import { makeRunOrSoak } from "../run/soak.js";
import { dryRun } from "./dry-run.js";
import { tellGithub } from "./github.js";

/**
 * Makes a run of each target as the command line asks, one after another, and says what it came to.
 *
 * @returns the exit code, the worst of those of the targets
 * @throws UsageError or ConfigurationError, before anything was sent
 */
export async function runTargets(flags: RunFlags): Promise<number> {
  const plans = await plansFor(flags);
  if (flags.dryRun) {
    process.stdout.write(`${plans.map(dryRun).join("\n\n")}\n`);
    return exitCodes.conformant;
  }
  for (const { overridden } of plans)
    if (overridden !== undefined)
      process.stderr.write(`--reference tests the embedded reference server, not what ${overridden} names\n`);
  const interruption = onInterruption();
  const { signal } = interruption;
  const made: Made[] = [];
  try {
    await inCommonFolder(plans, async () => {
      for (const plan of plans) {
        if (signal.aborted) break;
        const results = await makeRunOrSoak(plan, speakerFor(plan), signal);
        process.stdout.write(`${headingOf(plan)}${conclusionLine(results, style())}\n`);
        made.push({ name: plan.name ?? "", results, code: exitCode(results) });
      }
    });
  } finally {
    interruption.dispose();
  }
  const codes = made.map(({ code }) => code);
  const worst = worstExitCode(made.length < plans.length ? [exitCodes.interrupted, ...codes] : codes);
  if (plans.length > 1) process.stdout.write(`\n${targetsTable(made)}\n${lastLine(made, worst)}`);
  return worst;
}

/** Which of several targets the exit code is of; nothing when it is 0. */
function lastLine(made: readonly Made[], worst: number): string {
  if (worst === exitCodes.conformant) return "";
  const theirs = made.filter(({ code }) => code === worst);
  const why = theirs.map(({ name, results }) => `${name} is ${conclusionOf(results)}`);
  return `\nexit ${worst}: ${why.join(", ") || "interrupted"}\n`;
}

/** A run that was made, of the target of this name. */
interface Made {
  readonly name: string;
  readonly results: Results;
  readonly code: number;
}

/** Tells the user. A run that could not be made has nothing to show but the reason. */
function speakerFor({ name, flags: { quiet } }: RunPlan): RunListener {
  const heading = name === undefined || quiet ? "" : `== ${name}\n\n`;
  return {
    progress: quiet ? silentProgress : showProgress(process.stderr),
    concluded(results, failure) {
      const text = quiet ? toQuietTerminal(results) : toTerminal(results, style());
      if (failure !== undefined) process.stderr.write(`${heading}${failureOf(failure).lines.join("\n")}\n`);
      else if (text !== "") process.stdout.write(`${heading}${text}\n\n`);
      tellGithub(results, name);
    },
    wrote(what, path) {
      if (!quiet) process.stdout.write(`${what.padEnd(8)} ${shown(path)}\n`);
    },
    trouble: (text) => void process.stderr.write(`${text}\n`),
  };
}

function style(): { readonly color: boolean } {
  return { color: process.stdout.hasColors?.() ?? false };
}

/** What stands before the conclusion on one of several targets. */
function headingOf({ name }: RunPlan): string {
  return name === undefined ? "" : `${name}: `;
}

/** A path as it is shortest to type. */
function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}
