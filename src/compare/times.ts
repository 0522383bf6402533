/** Measures how long operations took to answer in a run, from the record of its exchanges. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openRecord } from "../evidence/read-record.js";
import type { StoredExchange } from "../evidence/stored-exchange.js";
import type { Results } from "../report/results.js";
import { recordFolders, runFiles } from "../report/write.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";

/** How long one operation took until its answer began; for the stream, until its first message. */
export interface OperationTimes {
  readonly operation: Endpoint;
  /** Answers that were timed. */
  readonly answers: number;
  /** Milliseconds. */
  readonly medianMs: number;
  /** Milliseconds within which 95 % of the answers began. */
  readonly p95Ms: number;
}

/** How long one operation took to answer in each run; null if that is not known. */
export interface TimesRow {
  readonly operation: Endpoint;
  readonly cells: readonly (Omit<OperationTimes, "operation"> | null)[];
}

/** How long one answer was waited for; undefined without an answer. */
interface AnswerWait {
  readonly endpoint: Endpoint;
  readonly waitMs: number | undefined;
}

/**
 * How long the operations of a run took to answer, without the time to connect. Of a run in rounds, the kept ones count.
 *
 * @returns undefined if the folder has no record
 * @throws RecordRefused if a record exists and cannot be read
 */
export function timesOfRun(dir: string, results: Results): readonly OperationTimes[] | undefined {
  const records = recordFolders(results)
    .map((folder) => join(dir, folder, runFiles.evidence))
    .filter((path) => existsSync(path));
  if (records.length === 0) return undefined;
  const waits: AnswerWait[] = [];
  for (const path of records) {
    const record = openRecord(path);
    for (const worker of record.workers) {
      for (const { exchange } of record.linesOf(worker)) {
        waits.push({ endpoint: exchange.request.endpoint, waitMs: waitOf(exchange) });
      }
    }
  }
  return timesOf(waits);
}

/** The median and the 95th percentile of waits in milliseconds, with operations in the order of the specification. */
export function timesOf(waits: readonly AnswerWait[]): readonly OperationTimes[] {
  return endpointNames.flatMap((operation) => {
    const ofOperation = waits.filter(({ endpoint }) => endpoint === operation);
    const sorted = ofOperation.flatMap(({ waitMs }) => waitMs ?? []).sort((a, b) => a - b);
    if (sorted.length === 0) return [];
    return [
      {
        operation,
        answers: sorted.length,
        medianMs: rounded(percentile(sorted, 0.5)),
        p95Ms: rounded(percentile(sorted, 0.95)),
      },
    ];
  });
}

/** The times of several runs by operation, without the operations that none of them timed. */
export function timesRows(runs: readonly (readonly OperationTimes[] | undefined)[]): readonly TimesRow[] {
  return endpointNames
    .map((operation) => ({
      operation,
      cells: runs.map((times = []) => {
        const found = times.find((each) => each.operation === operation);
        if (found === undefined) return null;
        const { operation: _, ...cell } = found;
        return cell;
      }),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== null));
}

/**
 * Milliseconds from sending the request to the head of its answer, or to a stream's first message; undefined without an
 * answer.
 */
export function waitOf({
  timings,
  response,
  frames,
  failure,
  throttled,
}: Pick<StoredExchange, "timings" | "response" | "frames" | "failure" | "throttled">): number | undefined {
  if (response === undefined || failure !== undefined || throttled) return undefined;
  const from = timings.sentMs ?? 0;
  if (frames === undefined) return Math.max(0, timings.headersMs - from);
  const [first] = frames;
  return first && Math.max(0, first.at);
}

/** The value that this share of the sorted values does not exceed. */
function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}

function rounded(milliseconds: number): number {
  return Number(milliseconds.toFixed(1));
}
