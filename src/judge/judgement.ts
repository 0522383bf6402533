import { shortJson } from "./short-json.js";

/** One place where an answer violates a rule. */
export interface Violation {
  /** Place in the body, such as `positions[17].effectiveSize`; empty for the answer as a whole. */
  readonly path: string;
  /** What the rule requires there, in words: `2.5 (= nominalSize)`. */
  readonly expected: string;
  /** What the answer has there, in words: `2.4`. */
  readonly seen: string;
  /** Index of the judged answer that it is in, from 0; the first one when omitted. */
  readonly answer?: number;
  /** Index of the judged answer that shows what was expected; all others when omitted. */
  readonly comparedAnswer?: number;
  /** Place in the answer that shows what was expected, such as that of the row which is missing here. */
  readonly otherPath?: string;
  /**
   * Identifies the difference, by its row and values, so that it is recognized when the request is repeated (P3). Set if
   * the row may move within the answer, or if `expected` and `seen` say more than the difference. Several rows are recognized
   * one by one.
   */
  readonly row?: string | readonly string[];
  /**
   * Set if changing data explains the difference only once: found again after a pause, it counts (P3). An order that was there
   * before is not lost, and does not open again.
   */
  readonly lasting?: true;
}

/** What a judge found: how much real data it examined, and where that violates the rule. */
export interface Judgement {
  /** How many assertions were made on real data. Zero means that nothing was seen, and is never a pass. */
  readonly examined: number;
  readonly violations: readonly Violation[];
  /** The data that it would take to examine more. Becomes the reason of an inconclusive verdict. */
  readonly missing?: string;
  /**
   * In how many places `missing` was looked for; zero if there was no such place. Set only for data that the text allows
   * to be absent, so that its absence is not a lack of evidence.
   */
  readonly searched?: number;
}

/** A judgement with nothing examined. `missing` says what data would have settled the rule. */
export function nothingSeen(missing: string): Judgement {
  return { examined: 0, violations: [], missing };
}

/** Whether a judge examined something, and found nothing wrong. */
export function foundCorrect(judgement: Judgement | undefined): boolean {
  return judgement !== undefined && judgement.examined > 0 && judgement.violations.length === 0;
}

/** A violation of one assertion. Without a `path` it is about the whole answer. */
type Failure = Omit<Violation, "path"> & { readonly path?: string };

/** One assertion that holds. */
export const passed: Judgement = { examined: 1, violations: [] };

/** One assertion that does not hold. */
export function failed(violation: Failure): Judgement {
  return { examined: 1, violations: [{ path: "", ...violation }] };
}

/** One assertion, with the violation to report if it does not hold. */
export function judgeThat(holds: boolean, violation: Failure): Judgement {
  return holds ? passed : failed(violation);
}

/** Adds the number of places that were searched for something that the text allows to be absent. */
export function withSearchedPlaces(places: readonly unknown[], judgement: Judgement): Judgement {
  return { ...judgement, searched: places.length };
}

/** Merges several judgements into one. It lacks `missing`, or else what the first of them lacks. */
export function combine(judgements: Iterable<Judgement>, missing?: string): Judgement {
  let examined = 0;
  let lacking = missing;
  let searched: number | undefined;
  const violations: Violation[] = [];
  for (const judgement of judgements) {
    examined += judgement.examined;
    // Not spread into one call: there may be hundreds of thousands.
    for (const violation of judgement.violations) violations.push(violation);
    lacking ??= judgement.missing;
    if (judgement.searched !== undefined) searched = (searched ?? 0) + judgement.searched;
  }
  return {
    examined,
    violations,
    ...(lacking !== undefined && { missing: lacking }),
    ...(searched !== undefined && { searched }),
  };
}

/** A judgement on two answers, with the answers swapped. */
export function answersSwapped(judgement: Judgement): Judgement {
  const violations = judgement.violations.map(({ comparedAnswer: _, ...violation }) => ({
    ...violation,
    answer: violation.answer === 1 ? 0 : 1,
  }));
  return { ...judgement, violations };
}

/** Applies a test to each item and collects the violations that it returns; each item is one assertion. */
export function judgeEach<T>(
  items: Iterable<T>,
  test: (item: T, index: number) => Violation | undefined,
  missing?: string,
): Judgement {
  let examined = 0;
  const violations: Violation[] = [];
  for (const item of items) {
    const violation = test(item, examined);
    examined++;
    if (violation) violations.push(violation);
  }
  return missing === undefined ? { examined, violations } : { examined, violations, missing };
}

/** `1 row`, `2 rows`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What was seen of a list that lacks a row: `12 orders without it`, or `no orders`. */
export function lackingIt(count: number, noun: string): string {
  return count === 0 ? `no ${noun}s` : `${countOf(count, noun)} without it`;
}

/** A computed number as text, without floating-point noise: `12.8928`, not `12.892800000000001`. */
export function computed(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** A value as shown in messages: JSON, shortened if it is long, with all digits of a `bigint`. */
export function show(value: unknown, maxLength = 80): string {
  if (value === undefined) return "nothing";
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return "a number that no double holds";
  return typeof value === "bigint" ? value.toString() : shortJson(value, maxLength);
}
