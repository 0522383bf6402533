/** What a comparison of answers holds: plain data. */
import type { Endpoint } from "../specification/endpoints.js";
import type { TimesRow } from "./times.js";

/** The kinds of differences between answers, in the order in which a client would trip over them. */
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

/** One for each of the two targets. */
export type Both<T> = readonly [T, T];

/** One place at which a difference shows. */
export interface DifferencePlace {
  readonly operation: Endpoint;
  /** Place in the answer, with `[*]` for any element of an array; empty for the answer as a whole. */
  readonly place: string;
  /** How often it shows there. */
  readonly count: number;
}

/** Differences with one cause: the same kind, done in the same two ways. */
export interface AnswerDifference {
  readonly kind: AnswerDifferenceKind;
  /** Where it shows, where most often first. Of what each operation does in its own way there is one place only. */
  readonly places: readonly DifferencePlace[];
  /** What each target does, in a few words. */
  readonly each: Both<string>;
  /** How often it shows, at all places. */
  readonly count: number;
  /** The smallest request that shows it: what each target was asked. They are the same where both know its subjects. */
  readonly example: Both<string>;
  /** Lines for a shell that send them again. */
  readonly curl: Both<string>;
  /** The reading that lets both be conformant, such as `W1`. */
  readonly ruling?: string;
  /** Failed rules that may have the same cause. */
  readonly violates?: readonly string[];
}

/** What a client would notice when it is moved from one target to the other. */
export interface AnswerComparison {
  /** Requests that were sent to each. */
  readonly requests: number;
  /** Of these, how many were the same for both; the others ask the same of each one's own data. */
  readonly sameRequests: number;
  /** Whether both have the same data, so that values were compared. */
  readonly sameData: boolean;
  /** What is known on both. */
  readonly sharedSubjects: string;
  readonly differences: readonly AnswerDifference[];
  readonly times: readonly TimesRow[];
}
