import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { copyRecord } from "../evidence/copy-record.js";
import { RecordRefused } from "../evidence/folder.js";
import { makeFolder, writeWhole, writing } from "../files/write.js";
import { allureReport } from "../report/allure-report.js";
import { verdictFacts } from "../report/assemble-results.js";
import { readBaseline } from "../report/baseline-file.js";
import { conclusionLine, resultsToTerminal, toQuietTerminal } from "../report/console.js";
import { copyAllureResults } from "../report/copied-allure.js";
import { withRanges } from "../report/exchange-ranges.js";
import { exitCode } from "../report/exit-code.js";
import { UsageError } from "../report/failure.js";
import type { Results } from "../report/results.js";
import { runFiles, shardFolder, writeHar, writeReports } from "../report/write.js";
import { openBaseline } from "../run/baseline.js";
import { mergedExchangeId, mergeShards } from "../run/merge.js";
import { isOfThisHarness, rejudgeEvidence } from "../run/rejudge.js";
import { openRunFolder } from "../run/run-folder.js";
import { recheck } from "../session/recheck.js";
import { listChecks } from "../session/suites.js";
import { annotatedByGithub, reportToGithub } from "./github.js";
import { print, wantsColor } from "./output.js";
import { readResultsIn } from "./results-of.js";

/** The options of `merge`. */
export interface MergeFlags {
  readonly out: string;
  readonly requireConclusive?: number;
  readonly baseline?: string;
  /** False when `--no-report` was given. */
  readonly report: boolean;
  readonly quiet?: true;
  readonly json?: true;
}

/**
 * Merges shards into one run, and prints its results.
 *
 * @returns the exit code
 */
export async function mergeAndPrint(dirs: readonly string[], flags: MergeFlags): Promise<number> {
  const out = resolve(flags.out);
  const shards = await Promise.all(dirs.map((dir) => readShard(dir, out)));
  const checks = await listChecks();
  const tell = (what: string, path: string) => {
    if (!flags.quiet && !flags.json) process.stdout.write(`${what.padEnd(8)} ${path}\n`);
  };
  const listed = flags.baseline === undefined ? undefined : readBaseline(flags.baseline);
  const compare = openBaseline(flags, listed, checks, {
    wrote: tell,
    note: (text) => process.stderr.write(`${text}\n`),
  });
  const merged = mergeShards(
    shards.map((shard) => shard.results),
    verdictFacts(shards[0]?.results.readings ?? {}, checks),
    flags.requireConclusive,
  );
  // One after the other: judging a shard again takes as much memory as the run did.
  for (const shard of shards) await rejectAltered(shard);
  const { folder, notes, withChanges } = await openRunFolder(out);
  try {
    const results = withChanges(await compare(merged));
    const { work } = folder;
    for (const note of notes) process.stderr.write(`${note}\n`);
    const { records, allureFiles } = await copyShards(shards, work, results);
    await writeReports(work, results);
    await writeHar(work, results, records);
    const page = await allureReport(results, allureFiles, folder, flags.report);
    await folder.commit();
    printMerged(results, flags, () => {
      if (page) tell("report", join(out, page));
      tell("results", join(out, runFiles.results));
    });
    return exitCode(results);
  } finally {
    await folder.close();
  }
}

/** Copies the results, the evidence and Allure's files of the shards into the folder of the merged run. */
async function copyShards(shards: readonly ShardFolder[], work: string, results: Results) {
  const records: { dir: string; nameOf: (id: string) => string }[] = [];
  const allureFiles = new Set<string>();
  for (const { dir, index, text } of shards) {
    const part = join(work, shardFolder(index));
    await makeFolder(part);
    await writeWhole(join(part, runFiles.results), text);
    if (existsSync(join(dir, runFiles.evidence))) {
      await writing(part, async () => copyRecord(join(dir, runFiles.evidence), join(part, runFiles.evidence)));
      records.push({ dir: join(part, runFiles.evidence), nameOf: (id) => mergedExchangeId(index, id) });
    }
    const from = join(dir, runFiles.allureResults);
    const to = join(work, runFiles.allureResults);
    for (const name of await writing(to, async () => copyAllureResults(from, to, results))) allureFiles.add(name);
  }
  return { records, allureFiles };
}

/** Prints the results of the merged run; `reportFiles` names its files. */
function printMerged(results: Results, { json, quiet }: MergeFlags, reportFiles: () => void): void {
  if (json) {
    reportToGithub(results, { annotate: "stderr" });
    print(withRanges(results));
    return;
  }
  const style = { color: wantsColor(process.stdout) };
  const text = quiet
    ? toQuietTerminal(results)
    : resultsToTerminal(results, { ...style, omit: annotatedByGithub(results) });
  if (text !== "") process.stdout.write(`${text}\n\n`);
  reportToGithub(results);
  reportFiles();
  process.stdout.write(`${conclusionLine(results, style)}\n`);
}

interface ShardFolder {
  readonly dir: string;
  readonly index: number;
  readonly results: Results;
  /** The content of its results file. */
  readonly text: Buffer;
}

/** Reads a shard. It must have been made by this version of the harness, with the same rules. */
async function readShard(dir: string, out: string): Promise<ShardFolder> {
  const { results, text } = await readResultsIn(dir);
  if (isReplaced(dir, out))
    throw new UsageError(`${dir} is among what merging replaces in ${out}: choose another --out`);
  if (!isOfThisHarness(results))
    throw new UsageError(`${dir} was made by version ${results.harness.version} with other rules: merge with that one`);
  return { dir, index: results.selection.shard?.index ?? 0, results, text };
}

/**
 * Rejects a shard whose results do not follow from its evidence. A shard that broke off may lack it: no run with it is
 * conformant.
 */
async function rejectAltered({ dir, results }: ShardFolder): Promise<void> {
  const brokeOff = results.incomplete === true || results.problems.length > 0;
  const [contradiction] = brokeOff && !results.evidence ? [] : await recheck(dir, results, rejudgeEvidence);
  if (contradiction !== undefined) throw new RecordRefused(`${dir}: ${contradiction}`);
}

/** Whether a folder is the output folder, or is in it under a name that merging replaces. */
function isReplaced(dir: string, out: string): boolean {
  const [name = ""] = relative(out, resolve(dir)).split(/[\\/]/);
  return name === "" || (Object.values(runFiles) as string[]).includes(name);
}
