/** The data of a comparison of answers. */
import type { Endpoint } from "../specification/endpoints.js";
import type { TimesRow } from "./times.js";

/** The kinds of differences between answers, in the order in which a client would run into them. */
export const answerDifferenceKinds = [
  "outcome",
  "error-code",
  "http-status",
  "rows",
  "value",
  "missing",
  "type",
  "computed",
  "order",
  "ties",
  "notation",
  "left-out",
  "error-message",
  "error-members",
  "headers",
  "data",
  "moving",
] as const;

/** A kind of difference between answers. */
export type AnswerDifferenceKind = (typeof answerDifferenceKinds)[number];

/** One value for each of the two targets. */
export type Both<T> = readonly [T, T];

/** A place where a difference shows. */
export interface DifferencePlace {
  readonly operation: Endpoint;
  /** Place in the answer, with `[*]` for any element of an array; empty for the whole answer. */
  readonly place: string;
  /** How often it shows there. */
  readonly count: number;
}

/** Differences with one cause: the same kind, with the same two behaviours. */
export interface AnswerDifference {
  readonly kind: AnswerDifferenceKind;
  /** Where it shows, the most frequent place first. There is only one place if the cause belongs to one operation. */
  readonly places: readonly DifferencePlace[];
  /** What each target does, in a few words. */
  readonly each: Both<string>;
  /** How often it shows, at all places. */
  readonly count: number;
  /** The smallest request that shows it, as sent to each target. It is the same if both targets know its subjects. */
  readonly example: Both<string>;
  /** Shell commands that send them again. */
  readonly curl: Both<string>;
  /** The ruling that lets both be conformant, such as `W1`. */
  readonly ruling?: string;
  /** Failed rules that may have the same cause. */
  readonly violates?: readonly string[];
}

/** What a client would notice when it moves from one target to the other. */
export interface AnswerComparison {
  /** Requests sent to each target. */
  readonly requests: number;
  /** How many of these were the same for both. The others ask the same of each target's own data. */
  readonly sameRequests: number;
  /** Whether both have the same data, so that values were compared. */
  readonly sameData: boolean;
  /** The subjects that both know, in words. */
  readonly sharedSubjects: string;
  readonly differences: readonly AnswerDifference[];
  readonly times: readonly TimesRow[];
}
