/** Judges whether a list has the rows that it should have, and says what the missing ones have in common. */
import { type Judgement, judgeEach, lackingIt, type Violation } from "./judgement.js";
import { type Row, whichRows } from "./which-rows.js";

/** Rows that a list should have. */
export interface Expected<Expects extends Row> {
  /** What a row is, in the singular: `order`. */
  readonly noun: string;
  /** Identifies a row: two with the same text are the same. */
  readonly identity: (row: Expects) => string;
  readonly rows: readonly Expects[];
  /** The rows that the list has. */
  readonly listed: readonly Expects[];
  /** Where the list is, and which row it lacks. */
  readonly missing: (row: Expects) => Omit<Violation, "seen" | "row">;
  /** What rows are needed to judge anything. */
  readonly needed: string;
}

/**
 * A list has all these rows. What was seen instead: `12 orders without it; missing are 3 of 15 orders, exactly those with
 * "canceled":true`.
 */
export function areListed<Expects extends Row>(expected: Expected<Expects>): Judgement {
  const { noun, identity, rows, listed, missing, needed } = expected;
  const keys = new Set(listed.map(identity));
  const isListed = (row: Expects) => keys.has(identity(row));
  const lost = rows.filter((row) => !isListed(row));
  const alike = lost.length > 1 ? `; missing are ${whichRows(`${noun}s`, lost, rows.filter(isListed))}` : "";
  const seen = `${lackingIt(listed.length, noun)}${alike}`;
  return judgeEach(rows, (row) => (isListed(row) ? undefined : { ...missing(row), seen, row: identity(row) }), needed);
}
