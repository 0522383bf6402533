/**
 * Judges stored values that change while positions are watched (§2 Position, R16): what one operation shows to change does
 * not stand still in another.
 */
import { getOrInsert } from "../specification/get-or-insert.js";
import { groupBy } from "../specification/group-by.js";
import { cacheAgeMs, changeShownWithinMs, numberTolerance } from "../specification/limits.js";
import { memoize } from "../specification/memoize.js";
import { millisOf } from "./instant.js";
import { type Judgement, judgeEach, type Violation } from "./judgement.js";
import { type PositionEndpoint, rowPath } from "./located-rows.js";
import type { PositionView } from "./read.js";
import { type Precision, positionKey, precisionOf } from "./read-stored.js";
import type { PositionSighting, PositionSightings } from "./stale.js";
import {
  type Allowance,
  isEvidence,
  type PlacedValue,
  runsOfEqual,
  staleRun,
  type ValueSeries,
} from "./value-series.js";

/** Stored fields that may change while a position is open. */
const changingFields = [
  "timestamp",
  "nominalSize",
  "effectiveSize",
  "entryPrice",
  "allocatedMargin",
  "leverage",
  "stopLossPrice",
  "takeProfitPrice",
] as const satisfies readonly (keyof PositionView)[];

type ChangingField = (typeof changingFields)[number];

/**
 * A position is shown in its current stored state (§2 Position, R16), also while it changes. If another operation shows a
 * stored value of it change at least twice over 2 s, a value that stays the same all the while is not current.
 *
 * Where data move, a plain difference between two answers counts only if it is found again (P3), and it never is if the value
 * keeps changing. Here the same old value is found in at least five reads, over more time than a cache or a replica explains
 * (2.5 s, and as much again as a cache may add). Values that go back and forth may come back at each read: that must be
 * improbable, as for prices (R17).
 */
export function standingFields(endpoint: PositionEndpoint, { all, lagMs }: PositionSightings): Judgement {
  const shownBy = valuesOf(all);
  const judged = shownBy.find(({ by }) => by === endpoint);
  const others = shownBy.filter(({ by }) => by !== endpoint);
  const allowance: Allowance = { ageMs: changeShownWithinMs + lagMs, spreadMs: changeShownWithinMs + cacheAgeMs };
  const series = judged ? seriesOf(judged, others).filter(({ reads }) => isEvidence(reads, allowance.spreadMs)) : [];
  return judgeEach(
    series,
    (values): Violation | undefined => {
      const runs = runsOfEqual(values.reads).map((run) => staleRun(run, values, allowance));
      return runs.find((violation) => violation !== undefined);
    },
    "a position that two operations show while it is watched",
  );
}

/** The values that an operation shows of each stored field: by field, and by position. */
interface ShownValues {
  readonly by: PositionEndpoint;
  readonly fields: ReadonlyMap<ChangingField, ReadonlyMap<string, readonly PlacedValue[]>>;
  readonly precision: Precision;
}

const valuesOf = memoize((all: PositionSightings["all"]): readonly ShownValues[] =>
  [...groupBy(all, ({ endpoint }) => endpoint)].map(([by, sightings]) => valuesIn(by, sightings)),
);

function valuesIn(by: PositionEndpoint, sightings: readonly PositionSighting[]): ShownValues {
  const fields = new Map<ChangingField, Map<string, PlacedValue[]>>();
  for (const { from, to, answer, positions } of sightings)
    for (const shown of positions)
      for (const field of changingFields) {
        const { value, text } = storedValue(shown.row, field);
        if (!Number.isFinite(value)) continue;
        const ofField = getOrInsert(fields, field, () => new Map<string, PlacedValue[]>());
        const reads = getOrInsert(ofField, positionKey(shown.row), () => []);
        reads.push({ from, to, answer, path: rowPath(shown, field), value, text });
      }
  const rows = sightings.flatMap(({ positions }) => positions.map(({ row }) => row));
  return { by, fields, precision: precisionOf(rows) };
}

/** A stored value as a number, and as the answer shows it; a timestamp in seconds since 1970. */
function storedValue(position: PositionView, field: ChangingField): { readonly value: number; readonly text: string } {
  if (field !== "timestamp") return { value: position[field], text: String(position[field]) };
  const { instant, text } = position.timestamp;
  return { value: instant ? millisOf(instant) / 1000 : Number.NaN, text };
}

/** Finer differences between timestamps are not considered, in seconds. */
const leastSeconds = 0.001;

/** How far the values of a field may be rounded, up or down together: one unit of the last digit shown (R1, R16). */
function placeOf(field: ChangingField, { roundingOf, timeDigits }: Precision, values: readonly PlacedValue[]): number {
  if (field === "timestamp") return Math.max(10 ** -timeDigits, leastSeconds);
  const largest = values.reduce((most, { value }) => Math.max(most, Math.abs(value)), 0);
  return Math.max(2 * roundingOf(field), numberTolerance.relative * largest);
}

/** One series for each stored value that the judged operation shows, and others as well. */
function seriesOf({ by, fields, precision }: ShownValues, others: readonly ShownValues[]): readonly ValueSeries[] {
  return [...fields].flatMap(([field, positions]) =>
    [...positions].flatMap(([key, reads]): ValueSeries[] => {
      const implied = others.flatMap((other) => {
        const values = other.fields.get(field)?.get(key);
        return values ? [{ by: other.by, values, unit: placeOf(field, other.precision, values) }] : [];
      });
      if (implied.length === 0) return [];
      const unit = field === "timestamp" ? " s" : "";
      const expected = (range: number, elsewhere: PositionEndpoint) =>
        `the current value, which changes by up to ${range}${unit} meanwhile in ${elsewhere}`;
      const place = placeOf(field, precision, reads);
      return [{ endpoint: by, field, reads, implied: () => implied, isExact: true, place, expected }];
    }),
  );
}
