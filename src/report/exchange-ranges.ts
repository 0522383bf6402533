import { getOrInsert } from "../specification/get-or-insert.js";
import type { Results } from "./results.js";

/**
 * An exchange is named after what it was made for, followed by `#` and a number. A check that has read a hundred of them
 * names them in `results.json` by ranges of numbers: `a-rule on GetOrders#shared-2..7,9`.
 */

/** An exchange name, split into what comes before its number and the number. */
const numbered = /^(.*#(?:[\w-]*-)?)(0|[1-9]\d{0,8})$/s;

const ranged = /^(.*#(?:[\w-]*-)?)(\d{1,9}(?:(?:\.\.|,)\d{1,9})+)$/s;

/** Maximum number of names that the ranges of a document may stand for, far more than any run has. */
const maxNames = 2_000_000;

/** Compacts exchange names: one entry for all names with the same stem, with consecutive numbers as ranges. */
export function toRanges(names: readonly string[]): string[] {
  const byStem = new Map<string, Set<number>>();
  const others = new Set<string>();
  for (const name of names) {
    const [, stem, number] = numbered.exec(name) ?? [];
    if (stem === undefined) others.add(name);
    else getOrInsert(byStem, stem, () => new Set()).add(Number(number));
  }
  return [...[...byStem].map(([stem, numbers]) => stem + rangesOf(numbers).join()), ...others];
}

function rangesOf(numbers: ReadonlySet<number>): string[] {
  const ranges: { readonly first: number; last: number }[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const latest = ranges.at(-1);
    if (latest?.last === number - 1) latest.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}..${last}`));
}

/** Results in the form of `results.json`: exchanges as ranges. */
export function withRanges(results: Results): Results {
  return withExchanges(results, toRanges);
}

/**
 * Results in the form the harness uses: each exchange by its name.
 *
 * @throws RangeError if a range is malformed, or if the ranges stand for more names than any run has
 */
export function withoutRanges(results: Results): Results {
  let left = maxNames;
  return withExchanges(results, (names) =>
    names.flatMap((name) => {
      const [, stem, ranges = ""] = ranged.exec(name) ?? [];
      if (stem === undefined) return [name];
      return ranges.split(",").flatMap((range) => {
        const [first = 0, last = first, ...others] = range.split("..").map(Number);
        const length = last - first + 1;
        left -= length;
        if (length < (range.includes("..") ? 2 : 1) || left < 0 || others.length > 0) {
          throw new RangeError(`${name} is not a range of exchanges`);
        }
        return Array.from({ length }, (_, index) => `${stem}${first + index}`);
      });
    }),
  );
}

function withExchanges(results: Results, change: (names: readonly string[]) => readonly string[]): Results {
  return {
    ...results,
    rules: results.rules.map((rule) => ({
      ...rule,
      checks: rule.checks.map((check) => ({ ...check, exchanges: change(check.exchanges) })),
    })),
  };
}
