import { FileRefused } from "../files/refused.js";
import { UsageError } from "../report/failure.js";
import { type ResultsFile, readResultsFile } from "../report/read-results.js";

/**
 * Reads the results from the folder of a run that the user named.
 *
 * @throws UsageError if there are none
 * @throws RecordRefused if they are damaged, or of a version that is unknown here
 */
export async function readResultsIn(dir: string): Promise<ResultsFile> {
  try {
    return await readResultsFile(dir);
  } catch (error) {
    if (!(error instanceof FileRefused && error.missing)) throw error;
    throw new UsageError(`there is no run in ${dir === "" ? '""' : dir}: ${error.message}`);
  }
}
