import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeWhole } from "../files/write.js";

/** File in the run folder where Allure keeps earlier runs, one per line. It is kept from run to run. */
export const historyFile = "allure-history.jsonl";

/** Fields that Allure stores for the results of earlier runs but never reads again. */
const unusedFields: ReadonlySet<string> = new Set([
  "labels",
  "trace",
  "fullName",
  "reportLinks",
  "historyId",
  "environment",
  "url",
]);

/** Number of earlier runs kept in the history. */
export const historyRuns = 10;

/**
 * Removes lines that Allure cannot parse, such as the partial line of a killed run, so that an old file does not break the
 * new report. Also removes the fields that Allure's page does not show, which make up most of the file.
 *
 * @throws if the file exists but cannot be read or written
 */
export async function tidyHistory(path: string): Promise<void> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return;
  const tidy = text
    .split("\n")
    .flatMap((line) => slim(line) ?? [])
    .map((line) => `${line}\n`)
    .join("");
  if (tidy !== text) await writeWhole(path, tidy);
}

function slim(line: string): string | undefined {
  try {
    const run = JSON.parse(line) as { testResults?: unknown; knownTestCaseIds?: unknown } | null;
    if (typeof run?.testResults !== "object" || !Array.isArray(run.knownTestCaseIds)) return undefined;
    return JSON.stringify(run, (key, value) => (unusedFields.has(key) ? undefined : value));
  } catch {
    return undefined;
  }
}

/** An earlier run, as stored in the history. */
export interface EarlierRun {
  /** Display name: conclusion, profile, target and labels. */
  readonly name: string;
  /** Wall clock, RFC 3339. */
  readonly startedAt: string;
  /** The Allure status of each check, by check name. */
  readonly statuses: ReadonlyMap<string, string>;
}

/** Reads the earlier runs from a tidied history, newest first. Returns none if the file cannot be read. */
export async function earlierRuns(path: string): Promise<readonly EarlierRun[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text
    .split("\n")
    .flatMap((line) => parsed(line) ?? [])
    .sort((a, b) => b.timestamp - a.timestamp)
    .map(({ name, timestamp, testResults }) => ({
      name,
      startedAt: new Date(timestamp).toISOString(),
      statuses: new Map(Object.values(testResults).map((result) => [result.name, result.status])),
    }));
}

const historyLine = z.object({
  name: z.string(),
  timestamp: z.number().min(0).max(8.64e15),
  testResults: z.record(z.string(), z.object({ name: z.string(), status: z.string() })),
});

function parsed(line: string): z.infer<typeof historyLine> | undefined {
  try {
    return historyLine.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/**
 * Finds since when at least one of these checks has failed in every run.
 *
 * @param runs earlier runs, newest first
 * @returns the earlier run in which the current streak of failing runs began, if any, and the number of runs in the streak,
 *   including the current one; undefined if no earlier run has any of the checks
 */
export function failingSince(
  checks: readonly string[],
  runs: readonly EarlierRun[],
): { readonly run: EarlierRun | undefined; readonly runs: number } | undefined {
  const having = runs.filter(({ statuses }) => checks.some((check) => statuses.has(check)));
  if (having.length === 0) return undefined;
  const firstHealthy = having.findIndex(({ statuses }) => !checks.some((check) => statuses.get(check) === "failed"));
  const failing = firstHealthy === -1 ? having : having.slice(0, firstHealthy);
  return { run: failing.at(-1), runs: failing.length + 1 };
}
