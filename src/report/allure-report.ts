import { join } from "node:path";
import { historyFile } from "./allure-history.js";
import type { Results } from "./results.js";
import { runFiles } from "./write.js";

/**
 * Completes Allure's raw results and generates the HTML report if it is wanted.
 *
 * @param made names of the checks that already have raw results
 * @param out folder of the raw results and the report
 * @param home folder that holds the history of earlier runs
 */
export async function allureReport(
  results: Results,
  made: ReadonlySet<string>,
  out: string,
  wanted: boolean,
  home: string,
): Promise<string | undefined> {
  const resultsDir = join(out, runFiles.allureResults);
  const { writeExtraAllureResults } = await import("./allure-results.js");
  writeExtraAllureResults(resultsDir, results, made);
  if (!wanted) return undefined;
  const { generateReport } = await import("./allure.js");
  return await generateReport(results, resultsDir, join(out, runFiles.allureReport), join(home, historyFile));
}
