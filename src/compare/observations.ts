/** Compares what runs observed where the specification leaves a choice. */
import type { Results } from "../report/results.js";
import {
  type ComparedRun,
  type ObservationCell,
  type ObservationDifference,
  type ObservationRow,
  observationDifferences,
} from "./comparison.js";

interface Observed {
  readonly rule: string;
  readonly check: string;
  readonly what: string;
  readonly seen: string;
}

/**
 * Compares the observations of all runs. Those in which the runs differ in what they do come first, then those that differ
 * in amounts or texts. Observations are matched by the words for what was looked at. If these contain amounts or ids, which
 * are specific to a target, the words without them are matched, in order.
 */
export function compareObservations(runs: readonly ComparedRun[]): readonly ObservationRow[] {
  const observed = runs.map(({ results }) => observationsOf(results));
  const checks = new Set(observed.flatMap((each) => each.map(({ check }) => check)));
  const rows = [...checks].flatMap((check) =>
    rowsOf(observed.map((each) => each.filter((one) => one.check === check))),
  );
  return observationDifferences.flatMap((difference) => rows.filter((row) => row.difference === difference));
}

function observationsOf({ rules }: Results): readonly Observed[] {
  return rules.flatMap(({ id, checks }) =>
    checks.flatMap(({ name, observations = [] }) =>
      observations.map(({ what, seen }) => ({ rule: id, check: name, what, seen })),
    ),
  );
}

/** The rows of one check: one for each thing that any run looked at. */
function rowsOf(runs: readonly (readonly Observed[])[]): readonly ObservationRow[] {
  const rows: (Observed | undefined)[][] = [];
  for (const [run, observations] of runs.entries()) {
    const left = new Set(observations);
    const place = (matches: (first: Observed, second: Observed) => boolean) => {
      for (const one of left) {
        const row = rows.find((cells) => {
          const other = cells.find((cell) => cell !== undefined);
          return other !== undefined && cells[run] === undefined && matches(one, other);
        });
        if (!row) continue;
        row[run] = one;
        left.delete(one);
      }
    };
    place((first, second) => first.what === second.what);
    place((first, second) => shapeOf(first.what) === shapeOf(second.what));
    for (const one of left) {
      const row = new Array<Observed | undefined>(runs.length).fill(undefined);
      row[run] = one;
      rows.push(row);
    }
  }
  return rows.flatMap((cells) => {
    const first = cells.find((cell) => cell !== undefined);
    if (!first) return [];
    const { rule, check, what } = first;
    return [{ rule, check, what, difference: differenceOf(cells), cells: cells.map((cell) => cellOf(cell, what)) }];
  });
}

function cellOf(observed: Observed | undefined, what: string): ObservationCell {
  if (!observed) return null;
  return { seen: observed.seen, ...(observed.what !== what && { what: observed.what }) };
}

function differenceOf(cells: readonly (Observed | undefined)[]): ObservationDifference {
  const seen = cells.flatMap((cell) => (cell ? [cell.seen] : []));
  const isMissing = seen.length < cells.length;
  const differs = (form: (text: string) => string) => new Set(seen.map(form)).size > 1;
  if (differs(shapeOf)) return "kind";
  if (isMissing) return "amounts";
  if (!differs((text) => text)) return "none";
  return seen.every((text) => elapsed.test(text)) ? "times" : "amounts";
}

/** A time that was measured in the run. How much of a stream was seen depends on it. */
const elapsed = /\bafter \d+(\.\d+)? ms\b/;

/** A text without what is specific to a target: numbers (except HTTP statuses), ids, quoted texts. Objects are amounts. */
export function shapeOf(text: string): string {
  if (text.startsWith("{")) return "{}";
  return text
    .replace(/"(?:[^"\\]|\\.)*"( \(\d+ characters\))?/g, '""')
    .replace(/0x[0-9a-f]+/gi, "#")
    .replace(/(?<!HTTP )-?\b\d+(\.\d+)?(e[+-]?\d+)?/gi, "#")
    .replace(/# ([a-z]+?)s\b/g, "# $1");
}
