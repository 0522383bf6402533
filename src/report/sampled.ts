import type { SampledAnswer } from "../engine/result.js";
import { rowsInWords } from "../engine/samples.js";
import { countOf } from "../judge/judgement.js";
import { wholeInFull } from "../specification/profile.js";
import { checkEntriesOf, type Results } from "./results.js";

const megabyte = 1024 * 1024;

/** What readers should know about answers that were not read in full. */
export const samplingRemark = `judged are the rules that hold for any rows; --profile full reads answers up to ${wholeInFull}`;

/** The answers that were judged by a sample, one line per array: `GetOrders, 108.0 MB: 6,735 of 200,001 rows of orders`. */
export function sampledLines(results: Results): string[] {
  const sampled = new Map<string, SampledAnswer>();
  for (const { check } of checkEntriesOf(results)) {
    for (const answer of check.sampled ?? []) sampled.set(`${answer.exchange} ${answer.path}`, answer);
  }
  const alike = new Map<string, number>();
  for (const { endpoint, bytes, ...rows } of sampled.values()) {
    const line = `${endpoint}, ${(bytes / megabyte).toFixed(1)} MB: ${rowsInWords(rows)}`;
    alike.set(line, (alike.get(line) ?? 0) + 1);
  }
  return [...alike].map(([line, count]) => (count === 1 ? line : `${line} (${countOf(count, "answer")})`)).sort();
}
