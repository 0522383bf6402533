/** Values that were read repeatedly, and whether they stood still while the market moved. */
import { staleEvidence } from "../specification/limits.js";
import type { Violation } from "./judgement.js";
import type { PositionEndpoint } from "./located-rows.js";

/** A value, and when it was shown: between these two times, in milliseconds since 1970. */
export interface TimedValue {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** One read of a value, and its place. */
export interface PlacedValue extends TimedValue {
  readonly answer: number;
  readonly path: string;
  /** How the answer shows it, if not as the number. */
  readonly text?: string;
}

/** The values that another operation implies: by its mark prices, or by what it shows of the same position. */
export interface ImpliedValues {
  readonly by: PositionEndpoint;
  readonly values: readonly TimedValue[];
  /** How far rounding may move the implied value: one unit of the last digit. */
  readonly unit: number;
}

/** A value that was read repeatedly. */
export interface ValueSeries {
  readonly endpoint: PositionEndpoint;
  readonly field: string;
  readonly reads: readonly PlacedValue[];
  /** The values that the market implies during the given reads. */
  readonly implied: (reads: readonly PlacedValue[]) => readonly ImpliedValues[];
  /** True if the implied values are the value itself; otherwise they only show how it moves. */
  readonly isExact?: true;
  /** How many rounded numbers it is the sum of; 1 when absent. */
  readonly summands?: number;
  /** The place value of the last digit that the operation shows; that of each value when absent. */
  readonly place?: number;
  /** What the value should have done meanwhile, in words; to move by the mark prices when absent. */
  readonly expected?: (range: number, by: PositionEndpoint) => string;
}

/** What a conformant server may do to a value, in milliseconds. */
export interface Allowance {
  /** How old an answer may be. */
  readonly ageMs: number;
  /** How long a value may stay the same while it changes elsewhere. */
  readonly spreadMs: number;
}

/**
 * If a value is shown less precisely than the prices, a move of fewer units of its last digit may not show: it may be
 * rounded to steps of 5 or 2.5.
 */
const unitsOfCoarseSteps = 5;

/** How far apart reads must be, in milliseconds, to show different moments. GetPortfolio is not cached (P3, §4.5). */
const apartMs = { GetPortfolio: 500, GetAllPositions: 900, GetOpenPositionsStreaming: 900 } as const;

/** A value is stale if the probability that recurring prices brought the same value each time is below this. */
const leastChance = 1e-3;

/** The violation in a run of equal reads, if the value moved elsewhere meanwhile and chance does not explain them. */
export function staleRun(
  run: readonly PlacedValue[],
  series: ValueSeries,
  { ageMs, spreadMs }: Allowance,
): Violation | undefined {
  const last = run.at(-1);
  if (last === undefined || !isEvidence(run, spreadMs)) return undefined;
  const { expected = movesByMarkPrices } = series;
  const impliedByAll = series.implied(run);
  for (const implied of impliedByAll) {
    const least = leastMove(series.place ?? lastPlace(last.value), series, implied, impliedByAll);
    const meanwhile = during(run, implied.values);
    if (!movesRepeatedly(meanwhile, least)) continue;
    const values = meanwhile.map(({ value }) => value);
    const terms = { slack: least, ageMs, apartMs: apartMs[series.endpoint] };
    const candidates = series.isExact ? [last.value] : shownAround(run[0] ?? last, implied.values, ageMs);
    const mayRecur = candidates.some((value) => chanceOf(value, run, implied.values, terms) >= leastChance);
    if (mayRecur && !(implied.by === series.endpoint && movesInEachRead(run, implied.values, least))) continue;
    const range = Number((Math.max(...values) - Math.min(...values)).toPrecision(3));
    const { answer, path } = last;
    return {
      answer,
      path,
      expected: expected(range, implied.by),
      seen: `${last.text ?? last.value} in each of ${run.length} reads over ${(spread(run) / 1000).toFixed(1)} s`,
      row: `the same ${series.field}`,
    };
  }
  return undefined;
}

function movesByMarkPrices(range: number, by: PositionEndpoint): string {
  return `a value that moves: by up to ${range} meanwhile, by the mark prices in ${by}`;
}

/**
 * Two operations that round the same number to the same digit, one of them down, are at most one unit apart: less than this
 * many.
 */
const unitsApart = 1.5;

/**
 * How far a value must move before it shows. If the operation rounds its own mark prices more coarsely than another one, it
 * may also compute the value from the rounded ones (R1).
 *
 * @param implied the values that show the move
 * @param impliedByAll the values that all operations imply
 */
export function leastMove(
  place: number,
  { endpoint, summands = 1, isExact }: ValueSeries,
  { unit }: ImpliedValues,
  impliedByAll: readonly ImpliedValues[],
): number {
  if (isExact && place <= unit) return unitsApart * unit;
  const ownUnit = impliedByAll.find(({ by }) => by === endpoint)?.unit ?? 0;
  const ofRoundedMarks = ownUnit > unit ? unitsOfCoarseSteps * ownUnit : 0;
  const units = place > unit ? unitsOfCoarseSteps : 1;
  return Math.max(ofRoundedMarks, Math.max(units, summands) * place) + unit;
}

/** Whether there are enough reads, over enough time, to tell (R17). */
export function isEvidence(reads: readonly TimedValue[], spreadMs: number = staleEvidence.spreadMs): boolean {
  return reads.length >= staleEvidence.reads && spread(reads) >= spreadMs;
}

/** The least time that the reads span, in milliseconds. */
function spread(reads: readonly TimedValue[]): number {
  return (reads.at(-1)?.from ?? 0) - (reads[0]?.to ?? 0);
}

/** The values that were shown between the first read and the last. */
export function during(reads: readonly TimedValue[], values: readonly TimedValue[]): readonly TimedValue[] {
  const [from, to] = [reads[0]?.from ?? 0, reads.at(-1)?.to ?? 0];
  return values.filter((value) => value.to >= from && value.from <= to);
}

/**
 * Whether values change at least twice by more than the slack, with enough time between the first and the last change (R17).
 */
export function movesRepeatedly(values: readonly TimedValue[], slack: number): boolean {
  let [reference] = values;
  let before = reference;
  let start: number | undefined;
  let changes = 0;
  let moved = 0;
  for (const value of values) {
    if (reference && before && Math.abs(value.value - reference.value) > slack) {
      changes++;
      start ??= before.to;
      moved = value.from - start;
      reference = value;
    }
    before = value;
  }
  return changes > 1 && moved >= staleEvidence.spreadMs;
}

/**
 * The chance that each read has the value by coincidence, because prices come back to it. A cache or a replica may
 * show a value from any time around the read (P3). Reads close together may be of the same moment and count as one.
 *
 * Chances in several markets are not multiplied. Markets often move together, and an old cache is old for all of them at once,
 * so what is improbable in each of ten markets may be one coincidence. More markets help because each can convict by itself.
 */
function chanceOf(
  value: number,
  reads: readonly TimedValue[],
  shown: readonly TimedValue[],
  { slack, ageMs, apartMs }: { readonly slack: number; readonly ageMs: number; readonly apartMs: number },
): number {
  let chance = 1;
  let before = Number.NEGATIVE_INFINITY;
  for (const [index, { from, to }] of reads.entries()) {
    if (from - before < apartMs) continue;
    before = from;
    // The first read only sets the value.
    if (index === 0) continue;
    const around = shownAround({ from, to }, shown, ageMs);
    const alike = around.filter((other) => Math.abs(other - value) <= slack);
    // Other values may have occurred unseen between two reads.
    chance *= (alike.length + 1) / (around.length + 2);
  }
  return chance;
}

/**
 * Whether the answers that show a value also show that it should have moved: at enough of the reads it differs from what it
 * was at the first one. No cache and no chance explains that, since both are in one answer.
 */
function movesInEachRead(reads: readonly TimedValue[], shown: readonly TimedValue[], slack: number): boolean {
  const values = reads.map(({ from, to }) => shown.find((other) => other.from === from && other.to === to)?.value);
  const first = values[0] ?? Number.NaN;
  const moved = values.filter((value = Number.NaN) => Math.abs(value - first) > slack);
  return moved.length >= staleEvidence.reads - 1;
}

/** Splits reads into runs of the same value. */
export function runsOfEqual(reads: readonly PlacedValue[]): readonly (readonly PlacedValue[])[] {
  const runs: PlacedValue[][] = [];
  for (const read of reads) {
    const run = runs.at(-1);
    if (run?.[0]?.value === read.value) run.push(read);
    else runs.push([read]);
  }
  return runs;
}

/**
 * Differences below this share of a value are noise of floating-point arithmetic, such as a mark price that a server
 * computes again for each position (R1).
 */
const arithmeticNoise = 1e-9;

/**
 * The place value of the last digit that is not zero: 0.01 for 12.34, 100 for 1200. If a number is rounded to a power of
 * ten, this is at least that power. Digits that may be noise do not count. It is 1 for zero, whose precision is unknown.
 */
export function lastPlace(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return 1;
  const [, digits = "", exponent = "0"] = /^-?([\d.]+)(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const [whole = "", fraction = ""] = digits.split(".");
  const places = fraction === "" ? whole.length - whole.replace(/0+$/, "").length : -fraction.length;
  return Math.max(Number(`1e${places + Number(exponent)}`), Math.abs(value) * arithmeticNoise);
}

/** The values that were shown within `ageMs` milliseconds before or after a read. */
function shownAround(
  { from, to }: Pick<TimedValue, "from" | "to">,
  shown: readonly TimedValue[],
  ageMs: number,
): readonly number[] {
  return shown.filter((other) => other.to >= from - ageMs && other.from <= to + ageMs).map(({ value }) => value);
}
