import { shortJson } from "./short-json.js";

/** One place at which an answer departs from a rule. */
export interface Violation {
  /** Place in the body, such as `positions[17].effectiveSize`; empty for the answer as a whole. */
  readonly path: string;
  /** What the rule asks for at that place, readable: `2.5 (= nominalSize)`. */
  readonly expected: string;
  /** What was there, readable: `2.4`. */
  readonly seen: string;
  /** Which of the judged answers, counted from 0; the first one when omitted. */
  readonly answer?: number;
  /**
   * The row that it is about, by its identity, and what differs of it, where that may move within the answer or `expected` and
   * `seen` tell more than the difference: by it the same difference is found again (P3).
   */
  readonly row?: string;
}

/** What a judge found: how much real data it looked at, and where that departs from the rule. */
export interface Judgement {
  /** How many assertions were made on real data. Zero means that nothing was seen, and is never a pass. */
  readonly examined: number;
  readonly violations: readonly Violation[];
  /** What would have to be there to examine more; becomes the reason of an inconclusive verdict. */
  readonly missing?: string;
  /**
   * In how many places what is `missing` was looked for; only where it may be absent by the text, so that its absence is no
   * lack of evidence. Zero where there was no place to look in.
   */
  readonly searched?: number;
}

/** A judgement with nothing examined. `missing` says what data would have settled the rule. */
export function nothingSeen(missing: string): Judgement {
  return { examined: 0, violations: [], missing };
}

/** The judgement on something that may be absent by the text, and that was looked for in these places. */
export function soughtIn(places: readonly unknown[], judgement: Judgement): Judgement {
  return { ...judgement, searched: places.length };
}

/** Several judgements as one. */
export function combine(judgements: Iterable<Judgement>): Judgement {
  let examined = 0;
  let missing: string | undefined;
  let searched: number | undefined;
  const violations: Violation[] = [];
  for (const judgement of judgements) {
    examined += judgement.examined;
    violations.push(...judgement.violations);
    missing ??= judgement.missing;
    if (judgement.searched !== undefined) searched = (searched ?? 0) + judgement.searched;
  }
  return {
    examined,
    violations,
    ...(missing === undefined ? {} : { missing }),
    ...(searched === undefined ? {} : { searched }),
  };
}

/** A judgement on two answers, for whoever has them in the other order. */
export function answersSwapped(judgement: Judgement): Judgement {
  const violations = judgement.violations.map((violation) => ({
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

/** A number that a judge computed, without the noise of binary fractions: `12.8928`, not `12.892800000000001`. */
export function computed(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** A value as it is shown in a message: JSON, shortened where it is long, with `bigint` digits kept. */
export function show(value: unknown, maxLength = 80): string {
  if (value === undefined) return "nothing";
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return "a number that no double holds";
  return typeof value === "bigint" ? value.toString() : shortJson(value, maxLength);
}
