import { keptRows, type SampledRows } from "../connect/exchange.js";
import type { Sample } from "../connect/outcome.js";
import { wholeInFull } from "../specification/profile.js";
import type { AnswerOf } from "./answer.js";
import type { SampledAnswer } from "./result.js";
import { Inconclusive } from "./signals.js";

/** Fewer rows say too little of an answer for a rule to pass. */
const fewestRows = 100;

/** An answer of which only a sample is known. */
export type SampledAnswerOf<Body> = AnswerOf<Body> & { readonly outcome: Sample };

/** Whether only a sample of an answer is known. */
export function isSample<Body>(answer: AnswerOf<Body>): answer is SampledAnswerOf<Body> {
  return answer.outcome.kind === "sample";
}

/**
 * The body of a success, be it a sample; undefined without. Only answers with a JSON object for a body are sampled, so that a
 * sample's is what a success would have.
 */
export function bodyKnown<Body>(answer: AnswerOf<Body>): Body | undefined {
  if (answer.outcome.kind === "success") return answer.outcome.body;
  return isSample(answer) ? (answer.outcome.body as Body) : undefined;
}

/** What of an answer was read, array by array; nothing of one that is known as a whole. */
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

/** A sample shows nothing of what takes the whole answer, and nothing of the rows when there are but few in it. */
export function rejectSample(answer: AnswerOf<unknown>): void {
  const lack = whatASampleLacks(answer);
  if (lack !== undefined) throw new Inconclusive(lack);
}

/** That only a sample of an answer was read, and what would settle what it does not show; undefined of a whole one. */
export function whatASampleLacks(answer: AnswerOf<unknown>): string | undefined {
  return isSample(answer) ? `${sampleInWords(answer)}; ${remedy}` : undefined;
}

/** Why a sample does not let a rule on rows pass: a few large ones say too little. Undefined when there are enough. */
export function fewRows(answer: AnswerOf<unknown>): string | undefined {
  const isSmall = isSample(answer) && sampledOf(answer).every(({ read }) => read < fewestRows);
  return isSmall ? whatASampleLacks(answer) : undefined;
}

const remedy = `--profile full reads up to ${wholeInFull}, and would settle it`;

function sampleInWords(answer: SampledAnswerOf<unknown>): string {
  const size = `${(answer.outcome.bytes / 1024 / 1024).toFixed(1)} MB`;
  return `${answer.endpoint} answered with ${size}, of which a sample was read (${sampledOf(answer).map(rowsInWords).join(", ")})`;
}

/** A place in a sample as it is in the whole answer, and a remark that says so; as it is outside of sampled arrays. */
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

const kept = new WeakMap<SampledRows, readonly number[]>();

/** Asked again for each violation in a sample. */
function rowsKept(sample: SampledRows): readonly number[] {
  const known = kept.get(sample) ?? keptRows(sample);
  kept.set(sample, known);
  return known;
}
