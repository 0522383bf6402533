import { readFile } from "node:fs/promises";
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
