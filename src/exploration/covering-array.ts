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

/** How often the rows are gone through. More would hardly let more combinations meet. */
const passes = 2;

/**
 * Rows that cover the same combinations, and more of the next greater size. Where a field's class does not matter, covertable
 * picks the first one. Here it becomes the class with which most combinations meet that no row has; of equal ones, the seed
 * decides.
 */
function varyDontCares(
  rows: readonly ClassRow[],
  fields: FieldClasses,
  strength: number,
  seed: number,
): readonly ClassRow[] {
  const names = Object.keys(fields);
  const classes = Object.values(fields);
  const covered = tallyOf(classes, strength);
  const beyond = tallyOf(classes, strength + 1);
  const varied = rows.map((row) => classes.map((choices, at) => choices.indexOf(row[names[at] ?? ""] ?? "")));
  for (const row of varied) for (const tally of [covered, beyond]) tally.add(row, 1);
  for (let pass = 0; pass < passes; pass++) {
    for (const [index, row] of varied.entries()) {
      for (const [field, name] of names.entries()) {
        if (covered.rarest(row, field) < 2) continue;
        for (const tally of [covered, beyond]) tally.add(row, -1, field);
        const drawn = shuffled([...(classes[field] ?? []).keys()], seedFor(seed, `${name} ${index}`));
        const gains = drawn.map((choice) => beyond.gain(row.with(field, choice), field));
        row[field] = drawn[gains.indexOf(Math.max(...gains))] ?? 0;
        for (const tally of [covered, beyond]) tally.add(row, 1, field);
      }
    }
  }
  return varied.map((row) => Object.fromEntries(names.map((name, at) => [name, classes[at]?.[row[at] ?? 0] ?? ""])));
}

/** The class of each field, by its index. */
type IndexedRow = readonly number[];

/** Counts in how many rows each combination of `size` classes occurs. */
function tallyOf(classes: readonly (readonly string[])[], size: number) {
  const classCount = (field: number) => classes[field]?.length ?? 0;
  let slots = 0;
  // Each group of fields has a slot for every combination of their classes.
  const groups = combinations([...classes.keys()], size).map((fields) => {
    const first = slots;
    slots += fields.reduce((count, field) => count * classCount(field), 1);
    return { fields, first };
  });
  const groupsWith = classes.map((_, field) => groups.filter(({ fields }) => fields.includes(field)));
  const counts = new Uint16Array(slots);
  const withoutEffect = classes.map((choices) => choices.map((name) => Number(classesWithoutEffect.includes(name))));
  // Most faults show where every class has an effect, some where one is a default. With two defaults, a smaller
  // combination shows the fault as well.
  const worthOf = (row: IndexedRow, fields: readonly number[]) =>
    Math.max(0, 2 - fields.reduce((count, field) => count + (withoutEffect[field]?.[row[field] ?? 0] ?? 0), 0));
  const slotOf = (row: IndexedRow, { fields, first }: (typeof groups)[number]) =>
    first + fields.reduce((slot, field) => slot * classCount(field) + (row[field] ?? 0), 0);
  const countOf = (row: IndexedRow, group: (typeof groups)[number]) => counts[slotOf(row, group)] ?? 0;
  return {
    /** Counts the combinations of a row, or only those with one of its fields. */
    add(row: IndexedRow, step: 1 | -1, field?: number): void {
      for (const group of field === undefined ? groups : (groupsWith[field] ?? [])) {
        counts[slotOf(row, group)] = countOf(row, group) + step;
      }
    },
    /** How often the rarest of a row's combinations with a field occurs. */
    rarest: (row: IndexedRow, field: number): number =>
      Math.min(...(groupsWith[field] ?? []).map((group) => countOf(row, group))),
    /** What a row's combinations with a field add, as far as they occur in no counted row. */
    gain: (row: IndexedRow, field: number): number =>
      (groupsWith[field] ?? [])
        .filter((group) => countOf(row, group) === 0)
        .reduce((sum, { fields }) => sum + worthOf(row, fields), 0),
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

function combinations<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) => combinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]));
}
