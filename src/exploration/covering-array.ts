import { createRequire } from "node:module";
import { seedFor, shuffled } from "../arbitraries/seed.js";

// A CommonJS module. Node and Vite expose its exports differently.
const { make } = createRequire(import.meta.url)("covertable") as typeof import("covertable");

/** The fields of a request, each with the names of its equivalence classes. */
export type FieldClasses = Readonly<Record<string, readonly string[]>>;

/** One class of each field. */
export type ClassRow = Readonly<Record<string, string>>;

/**
 * Interaction strength, as in combinatorial testing: each class once (1), every pair of classes (2), or every triple (3).
 */
export type Strength = 1 | 2 | 3;

/** How many combinations of `strength` classes exist, and how many of them the rows cover. */
export interface Interactions {
  readonly strength: Strength;
  readonly covered: number;
  readonly of: number;
}

/**
 * A covering array: rows of classes in which every combination of `strength` classes from different fields occurs. The same
 * seed gives the same rows.
 */
export function coveringArray(fields: FieldClasses, strength: Strength, seed: number): readonly ClassRow[] {
  const length = Math.min(strength, Object.keys(fields).length);
  if (length === 0) return [{}];
  if (length === 1) return eachClassOnce(fields, seed);
  const factors = Object.fromEntries(Object.entries(fields).map(([name, classes]) => [name, [...classes]]));
  const rows = make(factors, { length, seed: String(seed) }).map((row) => ({ ...row }));
  return varyDontCares(rows, fields, strength, seed);
}

/**
 * Rows that still cover the same combinations. Where a field's class does not matter, covertable picks the first one, which
 * leaves the field out or writes it plainly. Another class, drawn by the seed, tests more.
 */
function varyDontCares(
  rows: readonly ClassRow[],
  fields: FieldClasses,
  strength: Strength,
  seed: number,
): readonly ClassRow[] {
  const groups = combinations(Object.keys(fields), strength);
  const keyOf = (row: ClassRow, group: readonly string[]) => JSON.stringify(group.map((name) => [name, row[name]]));
  const counts = new Map<string, number>();
  const count = (row: ClassRow, group: readonly string[], step: 1 | -1) =>
    counts.set(keyOf(row, group), (counts.get(keyOf(row, group)) ?? 0) + step);
  for (const row of rows) for (const group of groups) count(row, group, 1);
  return rows.map((original, index) => {
    let row = original;
    for (const [name, [first, ...others]] of Object.entries(fields)) {
      const ofField = groups.filter((group) => group.includes(name));
      const isDontCare = row[name] === first && ofField.every((group) => (counts.get(keyOf(row, group)) ?? 0) > 1);
      const [other] = shuffled(others, seedFor(seed, `${name} ${index}`));
      if (!isDontCare || other === undefined) continue;
      const changed = { ...row, [name]: other };
      for (const group of ofField) {
        count(row, group, -1);
        count(changed, group, 1);
      }
      row = changed;
    }
    return row;
  });
}

/** As many rows as the largest field has classes. */
function eachClassOnce(fields: FieldClasses, seed: number): readonly ClassRow[] {
  const inTurn = Object.entries(fields).map(([name, classes], at) => [name, shuffled(classes, seed + at)] as const);
  const rows = Math.max(...inTurn.map(([, classes]) => classes.length));
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(inTurn.map(([name, classes]) => [name, classes[row % classes.length] ?? ""])),
  );
}

/** Counts the combinations of `strength` classes that the rows cover, out of all that exist. */
export function interactionsOf(fields: FieldClasses, strength: Strength, rows: readonly ClassRow[]): Interactions {
  const groups = combinations(Object.keys(fields), Math.min(strength, Object.keys(fields).length));
  let [covered, of] = [0, 0];
  for (const group of groups) {
    of += group.reduce((count, name) => count * (fields[name]?.length ?? 0), 1);
    covered += new Set(rows.map((row) => JSON.stringify(group.map((name) => row[name])))).size;
  }
  return { strength, covered, of };
}

function combinations(names: readonly string[], size: number): readonly (readonly string[])[] {
  if (size === 0) return [[]];
  return names.flatMap((name, index) => combinations(names.slice(index + 1), size - 1).map((rest) => [name, ...rest]));
}
