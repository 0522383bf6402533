import { createRequire } from "node:module";
import { seedFor, shuffled } from "../arbitraries/seed.js";

// A CommonJS module, whose exports node and vite hand out in different ways.
const { make } = createRequire(import.meta.url)("covertable") as typeof import("covertable");

/** The fields of a request, each with the names of its classes. */
export type FieldClasses = Readonly<Record<string, readonly string[]>>;

/** One class of each field. */
export type ClassRow = Readonly<Record<string, string>>;

/** How many fields are tried together: each class once, every pair of classes, or every triple. */
export type Strength = 1 | 2 | 3;

/** How many combinations of so many classes there are, and how many of them some rows hold. */
export interface Interactions {
  readonly strength: Strength;
  readonly covered: number;
  readonly of: number;
}

/**
 * Rows of classes in which every combination of `strength` classes of different fields occurs.
 * The same seed gives the same rows.
 */
export function coveringArray(fields: FieldClasses, strength: Strength, seed: number): readonly ClassRow[] {
  const names = Object.keys(fields);
  const length = Math.min(strength, names.length);
  if (length === 0) return [{}];
  if (length === 1) return eachClassOnce(fields, seed);
  const factors = Object.fromEntries(names.map((name) => [name, [...(fields[name] ?? [])]]));
  const rows = make(factors, { length, seed: String(seed) }).map((row) => ({ ...row }));
  return withoutNeedlessFirsts(rows, fields, strength, seed);
}

/**
 * Rows of the same combinations. Where any class would do, covertable takes the first one of a field, which leaves it out or writes it
 * plainly: one that the seed draws of the others shows more.
 */
function withoutNeedlessFirsts(
  rows: readonly ClassRow[],
  fields: FieldClasses,
  strength: Strength,
  seed: number,
): readonly ClassRow[] {
  const groups = combinations(Object.keys(fields), strength);
  const keyOf = (row: ClassRow, group: readonly string[]) => JSON.stringify(group.map((name) => [name, row[name]]));
  const counts = new Map<string, number>();
  const count = (row: ClassRow, group: readonly string[], by: 1 | -1) =>
    counts.set(keyOf(row, group), (counts.get(keyOf(row, group)) ?? 0) + by);
  for (const row of rows) for (const group of groups) count(row, group, 1);
  return rows.map((original, index) => {
    let row = original;
    for (const [name, [first, ...others]] of Object.entries(fields)) {
      const own = groups.filter((group) => group.includes(name));
      const isNeedless = row[name] === first && own.every((group) => (counts.get(keyOf(row, group)) ?? 0) > 1);
      const [other] = shuffled(others, seedFor(seed, `${name} ${index}`));
      if (!isNeedless || other === undefined) continue;
      const changed = { ...row, [name]: other };
      for (const group of own) {
        count(row, group, -1);
        count(changed, group, 1);
      }
      row = changed;
    }
    return row;
  });
}

/** As few rows as there are classes of the field that has most of them. */
function eachClassOnce(fields: FieldClasses, seed: number): readonly ClassRow[] {
  const inTurn = Object.entries(fields).map(([name, classes], at) => [name, shuffled(classes, seed + at)] as const);
  const rows = Math.max(...inTurn.map(([, classes]) => classes.length));
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(inTurn.map(([name, classes]) => [name, classes[row % classes.length] ?? ""])),
  );
}

/** Counts the combinations of `strength` classes that the rows hold, of all that there are. */
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
