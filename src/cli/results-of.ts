import { FileRefused } from "../files/refused.js";
import { UsageError } from "../report/failure.js";
import type { ResultsFile } from "../report/read-results.js";

/**
 * The results in the folder of a run that the user has named.
 *
 * @throws UsageError when there are none
 * @throws RecordRefused when they are damaged, or of a version that this one does not know
 */
export async function resultsOf(dir: string): Promise<ResultsFile> {
  const { readResultsFile } = await import("../report/read-results.js");
  try {
    return await readResultsFile(dir);
  } catch (error) {
    if (!(error instanceof FileRefused && error.missing)) throw error;
    throw new UsageError(`there is no run in ${dir}: ${error.message}`);
  }
}
