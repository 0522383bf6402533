import { createRequire } from "node:module";
import { seedFor, shuffled } from "../arbitraries/seed.js";
import { classesWithoutEffect } from "../specification/request-fields.js";

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
  return varyDontCares(rows, fields, length, seed);
}

/**
 * Rows that cover the same combinations, and more of the next greater size. Where a field's class does not matter, covertable
 * picks the first one. Here it becomes the class with which most combinations meet that no row has, as far as their classes
 * have an effect; of equal ones, the seed decides.
 */
function varyDontCares(
  rows: readonly ClassRow[],
  fields: FieldClasses,
  strength: number,
  seed: number,
): readonly ClassRow[] {
  const names = Object.keys(fields);
  const covered = tallyOf(fields, combinations(names, strength));
  const beyond = tallyOf(fields, combinations(names, strength + 1));
  const varied = rows.map((row) => ({ ...row }));
  for (const row of varied) for (const tally of [covered, beyond]) tally.add(row, 1);
  for (const [index, row] of varied.entries()) {
    for (const [name, classes] of Object.entries(fields)) {
      if (covered.rarest(row, name) < 2) continue;
      for (const tally of [covered, beyond]) tally.add(row, -1, name);
      const drawn = shuffled(classes, seedFor(seed, `${name} ${index}`));
      const gains = drawn.map((each) => (hasEffect(each) ? 1 + beyond.gain({ ...row, [name]: each }, name) : 0));
      row[name] = drawn[gains.indexOf(Math.max(...gains))] ?? "";
      for (const tally of [covered, beyond]) tally.add(row, 1, name);
    }
  }
  return varied;
}

/** Whether a class may change an answer. */
function hasEffect(name: string): boolean {
  return !classesWithoutEffect.includes(name);
}

/** Counts in how many rows each combination of classes occurs. The combinations are of these groups of fields. */
function tallyOf(fields: FieldClasses, groups: readonly (readonly string[])[]) {
  const numbers = new Map(
    Object.entries(fields)
      .flatMap(([name, classes]) => classes.map((each) => `${name} ${each}`))
      .map((each, number) => [each, number]),
  );
  const counts = new Map<number, number>();
  const groupsOf = (name: string) => groups.filter((group) => group.includes(name));
  const ofField = new Map(Object.keys(fields).map((name) => [name, groupsOf(name)]));
  const keyOf = (row: ClassRow, group: readonly string[]) =>
    group.reduce((key, name) => key * numbers.size + (numbers.get(`${name} ${row[name]}`) ?? 0), 0);
  return {
    /** Counts the combinations of a row, or only those with one of its fields. */
    add(row: ClassRow, step: 1 | -1, name?: string) {
      for (const group of name === undefined ? groups : (ofField.get(name) ?? [])) {
        const key = keyOf(row, group);
        counts.set(key, (counts.get(key) ?? 0) + step);
      }
    },
    /** How often the rarest of a row's combinations with a field occurs. */
    rarest(row: ClassRow, name: string): number {
      return Math.min(...(ofField.get(name) ?? []).map((group) => counts.get(keyOf(row, group)) ?? 0));
    },
    /** How many of a row's combinations with a field occur in no counted row, leaving aside classes without effect. */
    gain(row: ClassRow, name: string): number {
      const fresh = (group: readonly string[]) =>
        group.every((each) => hasEffect(row[each] ?? "")) && !counts.get(keyOf(row, group));
      return (ofField.get(name) ?? []).filter(fresh).length;
    },
  };
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
