import { readFile } from "node:fs/promises";
import { z } from "zod";
import { writeWhole } from "../files/write.js";

/** The file in the folder of a run that Allure keeps earlier runs in, a line each. It outlives the run. */
export const historyFile = "allure-history.jsonl";

/** What Allure keeps of a result in an earlier run, and does not show. */
const notShown: ReadonlySet<string> = new Set(["labels", "trace", "fullName", "reportLinks"]);

/** Runs that the history goes back. */
export const HISTORY_RUNS = 10;

/**
 * Drops what Allure cannot read, such as the half line of a run that was killed, so that an old file costs no new report;
 * and what its page does not show, which is most of it.
 *
 * @throws when the file is there and cannot be read or written
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
    return JSON.stringify(run, (key, value) => (notShown.has(key) ? undefined : value));
  } catch {
    return undefined;
  }
}

/** An earlier run, as the history has it. */
export interface EarlierRun {
  /** What it was called: its conclusion, profile, target and labels. */
  readonly name: string;
  /** Wall clock, RFC 3339. */
  readonly startedAt: string;
  /** What its checks came to, in Allure's words, by the name of the check. */
  readonly statuses: ReadonlyMap<string, string>;
}

/** The earlier runs of a tidy history, the latest first; none when there is no such file. */
export async function earlierRuns(path: string): Promise<readonly EarlierRun[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text
    .split("\n")
    .flatMap((line) => parsed(line) ?? [])
    .sort((one, other) => other.timestamp - one.timestamp)
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

/** Since when some checks have failed. */
export interface FailingSince {
  /** The first of the runs without a break in which one of them failed; absent when that is this one. */
  readonly run?: EarlierRun;
  /** How many runs that were, this one included. */
  readonly runs: number;
}

/**
 * Since when at least one of these checks has failed in each run.
 *
 * @param runs earlier runs, the latest first
 * @returns undefined when no earlier run has any of the checks
 */
export function failingSince(checks: readonly string[], runs: readonly EarlierRun[]): FailingSince | undefined {
  const having = runs.filter(({ statuses }) => checks.some((check) => statuses.has(check)));
  if (having.length === 0) return undefined;
  const firstHealthy = having.findIndex(({ statuses }) => !checks.some((check) => statuses.get(check) === "failed"));
  const failing = firstHealthy === -1 ? having : having.slice(0, firstHealthy);
  const run = failing.at(-1);
  return { ...(run ? { run } : {}), runs: failing.length + 1 };
}
