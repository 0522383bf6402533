import { join } from "node:path";
import type { OutputFolder } from "../files/output-folder.js";
import { historyFile } from "./allure-history.js";
import type { Results } from "./results.js";
import { reportPage, runFiles } from "./write.js";

/**
 * Completes Allure's raw results and, if it is wanted, makes the HTML report, with the history of earlier runs in the folder.
 *
 * @param ran names of the checks that already have raw results
 * @returns the page of the report, as a path within the folder; undefined if none is wanted
 */
export async function allureReport(
  results: Results,
  ran: ReadonlySet<string>,
  { path, work }: Pick<OutputFolder, "path" | "work">,
  wanted: boolean,
): Promise<string | undefined> {
  const resultsDir = join(work, runFiles.allureResults);
  const { writeExtraAllureResults } = await import("./allure-results.js");
  writeExtraAllureResults(resultsDir, results, ran);
  if (!wanted) return undefined;
  const { generateReport } = await import("./allure.js");
  await generateReport(results, resultsDir, join(work, runFiles.allureReport), join(path, historyFile));
  return reportPage;
}
