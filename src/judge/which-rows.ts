/** Tells some rows of a list apart from the others, in words. */
import { show } from "./judgement.js";

/** A row by its fields. */
export type Row = Readonly<Record<string, unknown>>;

/** What rows have in common is reported only if at least this many have it, and at least this many others lack it. */
const rowsNeeded = 2;

/** What rows have in common, though some others have it too, is reported only for at least this many. */
const rowsForTendency = 6;

/**
 * Which rows of a list these are: `12 of 60 positions, exactly those with "side":"SIDE_SHORT"`.
 *
 * @param name what the list holds, in the plural
 * @param except a field to ignore: the one that is wrong
 */
export function whichRows(name: string, rows: readonly Row[], others: readonly Row[], except = ""): string {
  if (others.length === 0) return `all ${rows.length} ${name}`;
  const count = `${rows.length} of ${rows.length + others.length} ${name}`;
  if (rows.length < rowsNeeded || others.length < rowsNeeded) return count;
  const features = shared(rows, others, except);
  const own = features.find(({ elsewhere }) => elsewhere === 0);
  if (own !== undefined) return `${count}, exactly those ${own.inWords}`;
  const ofOthers = shared(others, rows, except).find(({ elsewhere }) => elsewhere === 0);
  if (ofOthers !== undefined) return `${count}, all but those ${ofOthers.inWords}`;
  const [tendency] = features.toSorted((a, b) => a.elsewhere - b.elsewhere);
  if (tendency === undefined || rows.length < rowsForTendency || 2 * tendency.elsewhere >= others.length) return count;
  return `${count}, all among the ${rows.length + tendency.elsewhere} ${tendency.inWords}`;
}

/** A value that all of some rows have in a field. */
interface SharedValue {
  /** `with "side":"SIDE_SHORT"`. */
  readonly inWords: string;
  /** How many of the other rows have it too. */
  readonly elsewhere: number;
}

/** The values that all of these rows have in a field. Enums and flags come first. */
function shared(rows: readonly Row[], others: readonly Row[], except: string): readonly SharedValue[] {
  const names = [...new Set([...rows, ...others].flatMap((row) => Object.keys(row)))].filter((name) => name !== except);
  const common = names.flatMap((name) => {
    const value = rows[0]?.[name];
    if (typeof value === "object" || rows.some((row) => row[name] !== value)) return [];
    const inWords = value === undefined ? `without ${show(name)}` : `with ${show(name)}:${show(value)}`;
    const isFlag = /^[A-Z_]+$|^true$|^false$/.test(String(value));
    return [{ inWords, isFlag, elsewhere: others.filter((row) => row[name] === value).length }];
  });
  return common.sort((a, b) => Number(b.isFlag) - Number(a.isFlag));
}
