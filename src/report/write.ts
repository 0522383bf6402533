import { dirname, join, relative, resolve, sep } from "node:path";
import { toHarEntry } from "../evidence/har.js";
import { openRecord } from "../evidence/read-record.js";
import type { FolderPlan } from "../files/output-folder.js";
import { writeWhole, writeWholeSync } from "../files/write.js";
import { historyFile } from "./allure-history.js";
import { withRanges } from "./exchange-ranges.js";
import { toJunit } from "./junit.js";
import { exchangesOf, type Results, violationsOf } from "./results.js";
import { resultsToMarkdown } from "./summary.js";

/** The files of a run, in the folder that `--out` names. */
export const runFiles = {
  results: "results.json",
  junit: "junit.xml",
  summary: "summary.md",
  har: "evidence.har",
  /** The record that `evidence.har` is made from. It can be judged again. */
  evidence: "evidence",
  allureResults: "allure-results",
  allureReport: "allure-report",
  /** For a merged run: the results and evidence of each shard. */
  shards: "shards",
  /** For a run that went on for a set time: the rounds that are kept, each as a run of its own. */
  rounds: "rounds",
} as const;

/** The page of the report, as a path within the folder of the run. */
export const reportPage = join(runFiles.allureReport, "index.html");

/** The address of a file, relative to a page that links to it. */
export function relativeUrl(page: string, file: string): string {
  return relative(dirname(resolve(page)), resolve(file))
    .split(sep)
    .map(encodeURIComponent)
    .join("/");
}

/** The folder of a shard, within the folder of the merged run. */
export function shardFolder(index: number): string {
  return `${runFiles.shards}/${index}`;
}

/** The folder of a round within the folder of the run. */
export function roundFolder(index: number): string {
  return `${runFiles.rounds}/${index}`;
}

/**
 * The folders within a run's that have its exchanges: those of its shards, those of the rounds that were kept, or the run's
 * own, an empty path.
 */
export function recordFolders({ shards, rounds }: Pick<Results, "shards" | "rounds">): readonly string[] {
  if (shards) return shards.map(({ index }) => shardFolder(index));
  return rounds?.filter(({ kept }) => kept).map(({ index }) => roundFolder(index)) ?? [""];
}

/** The page that compares the runs of several targets, in their common folder. */
export const comparisonFile = "comparison.html";

/** The folder of a run. All {@link runFiles} are replaced together, so that reports and results are of the same run. */
export const runFolder: FolderPlan = {
  kind: "run",
  names: [...Object.values(runFiles), comparisonFile],
  keeps: [historyFile],
};

/**
 * Writes `results.json`, then `junit.xml` and `summary.md`. Each is written completely or not at all.
 *
 * @throws if a file cannot be written
 */
export async function writeReports(out: string, results: Results): Promise<void> {
  await writeWhole(join(out, runFiles.results), textOf(results));
  await Promise.all([
    writeWhole(join(out, runFiles.junit), toJunit(results)),
    writeWhole(join(out, runFiles.summary), resultsToMarkdown(results)),
  ]);
}

/**
 * Writes `evidence.har` from the record of a run, or from those of its shards. It lists every exchange, with the bodies of
 * those answers that a violation names or that did not come to their end. The other bodies are only in the record. Only the
 * time of each exchange is held in memory.
 *
 * @param records the records, and what the exchanges of each are called in the results
 * @throws RecordRefused if a record cannot be read
 * @throws if the file cannot be written
 */
export async function writeHar(
  out: string,
  results: Results,
  records: readonly { readonly dir: string; readonly nameOf: (id: string) => string }[] = [
    { dir: join(out, runFiles.evidence), nameOf: (id) => id },
  ],
): Promise<void> {
  const named = new Set(results.rules.flatMap(violationsOf).flatMap(exchangesOf));
  const entries: { readonly startedAt: number; readonly read: () => object }[] = [];
  for (const { dir, nameOf } of records) {
    const record = openRecord(dir);
    for (const worker of record.workers) {
      for (const { exchange, ...place } of record.linesOf(worker)) {
        const read = () => {
          const stored = record.lineAt(worker, place);
          const id = nameOf(stored.id);
          const isWhole = named.has(id) || stored.failure !== undefined || stored.framing !== undefined;
          return toHarEntry({ ...stored, id }, isWhole ? "body" : "size");
        };
        entries.push({ startedAt: Date.parse(exchange.startedAt), read });
      }
    }
  }
  entries.sort((a, b) => a.startedAt - b.startedAt);
  await writeWhole(join(out, runFiles.har), textOfHar(entries, results));
}

function* textOfHar(entries: readonly { readonly read: () => object }[], { harness }: Results): Generator<string> {
  const log = { version: "1.2", creator: harness, comment: "bodies that are left out are in the evidence" };
  yield `{"log":${JSON.stringify(log).slice(0, -1)},"entries":[`;
  for (const [index, { read }] of entries.entries()) yield `${index === 0 ? "" : ",\n"}${JSON.stringify(read())}`;
  yield "]}}\n";
}

/**
 * Writes `results.json` alone and synchronously: the results so far of a run that may be killed.
 *
 * @throws if the file cannot be written
 */
export function writeResults(out: string, results: Results): void {
  writeWholeSync(join(out, runFiles.results), textOf(results));
}

/** The JSON with each rule on a line of its own, for readers and `grep`. Within a string the quotes would be escaped. */
function textOf(results: Results): string {
  return `${JSON.stringify(withRanges(results)).replaceAll('{"id":', '\n{"id":')}\n`;
}
