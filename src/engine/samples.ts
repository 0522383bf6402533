import { keptRows, type SampledRows } from "../connect/exchange.js";
import type { Sample } from "../connect/outcome.js";
import { memoize } from "../specification/memoize.js";
import { wholeInFull } from "../specification/profile.js";
import type { AnswerOf } from "./answer.js";
import type { SampledAnswer } from "./result.js";
import { Inconclusive } from "./signals.js";

/** Fewest sampled rows that let a rule pass. */
const fewestRows = 100;

/** An answer that was only sampled. */
export type SampledAnswerOf<Body> = AnswerOf<Body> & { readonly outcome: Sample };

/** Whether an answer was only sampled. */
export function isSample<Body>(answer: AnswerOf<Body>): answer is SampledAnswerOf<Body> {
  return answer.outcome.kind === "sample";
}

/**
 * The body of a success or of a sample; undefined otherwise. Only answers whose body is a JSON object are sampled, so a
 * sample's body has the type of a success.
 */
export function knownBody<Body>(answer: AnswerOf<Body>): Body | undefined {
  if (answer.outcome.kind === "success") return answer.outcome.body;
  return isSample(answer) ? (answer.outcome.body as Body) : undefined;
}

/** What was read of each sampled array of an answer; empty for a complete answer. */
export function sampledOf(answer: AnswerOf<unknown>): readonly SampledAnswer[] {
  if (!isSample(answer)) return [];
  const { endpoint, exchange, outcome } = answer;
  const { bytes } = outcome;
  return outcome.samples.map((sample) => {
    const { path, rows } = sample;
    return { exchange: exchange.id, endpoint, bytes, path, rows, read: rowsKept(sample).length };
  });
}

/** A sampled array in words: `6,218 of 200,000 rows of orders`. */
export function rowsInWords({ path, rows, read }: Pick<SampledAnswer, "path" | "rows" | "read">): string {
  return `${inDigits(read)} of ${inDigits(rows)} rows of ${path}`;
}

/** Ends the check as inconclusive if the answer is only a sample: for rules that need the whole answer. */
export function rejectSample(answer: AnswerOf<unknown>): void {
  const limitation = sampleLimitation(answer);
  if (limitation !== undefined) throw new Inconclusive(limitation);
}

/** The reason why a sample does not settle a rule, and what would; undefined for a complete answer. */
export function sampleLimitation(answer: AnswerOf<unknown>): string | undefined {
  return isSample(answer) ? `${sampleInWords(answer)}; ${remedy}` : undefined;
}

/**
 * Why a sample has too few rows for a rule on rows to pass; undefined if it has enough. A few very large rows do not count
 * as enough.
 */
export function tooFewRowsReason(answer: AnswerOf<unknown>): string | undefined {
  const isSmall = isSample(answer) && sampledOf(answer).every(({ read }) => read < fewestRows);
  return isSmall ? sampleLimitation(answer) : undefined;
}

const remedy = `--profile full reads up to ${wholeInFull}, and would settle it`;

function sampleInWords(answer: SampledAnswerOf<unknown>): string {
  const size = `${(answer.outcome.bytes / 1024 / 1024).toFixed(1)} MB`;
  return `${answer.endpoint} answered with ${size}, of which a sample was read (${sampledOf(answer).map(rowsInWords).join(", ")})`;
}

/**
 * Converts a path within a sample to the path in the whole answer, with a remark that says so. Paths outside of sampled
 * arrays stay as they are.
 */
export function placeInWhole(
  answer: AnswerOf<unknown>,
  path: string,
): { readonly path: string; readonly remark: string } {
  const samples: readonly SampledRows[] = isSample(answer) ? answer.outcome.samples : [];
  for (const sample of samples) {
    const inWords = `in a sample of ${rowsInWords({ ...sample, read: rowsKept(sample).length })}`;
    if (path === sample.path) return { path, remark: ` (${inWords})` };
    const [, place, rest = ""] = path.startsWith(`${sample.path}[`)
      ? (/^\[(\d+)\](.*)$/s.exec(path.slice(sample.path.length)) ?? [])
      : [];
    const index = place === undefined ? undefined : rowsKept(sample)[Number(place)];
    if (index !== undefined) {
      return { path: `${sample.path}[${index}]${rest}`, remark: ` (row ${inDigits(index + 1)}, ${inWords})` };
    }
  }
  return { path, remark: "" };
}

function inDigits(count: number): string {
  return count.toLocaleString("en-US");
}

/** Cached, since it is needed for each violation in a sample. */
const rowsKept = memoize((sample: SampledRows): readonly number[] => keptRows(sample));
