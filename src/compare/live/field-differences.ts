/** Finds differences in how two targets write a field. */
import type { RulingId } from "../../specification/rulings.js";
import type { AnswerDifferenceKind, Both } from "../answers.js";
import { type FieldShape, leafOf, type Occurrences } from "./shape.js";

/** A difference in a field, and the requests that show it on each side. */
export interface FieldDifference {
  readonly kind: AnswerDifferenceKind;
  readonly each: Both<string>;
  /** Differences of the same kind and cause form one group. */
  readonly cause: string;
  readonly count?: number;
  readonly ruling?: RulingId;
  readonly shownBy: Both<Iterable<number> | undefined>;
}

/** Minimum number of values that a field would have had, before it is reported as missing. */
const enoughValues = 5;

/** Maximum number of types or notations of a field; with more of them they say nothing. */
const maxForms = 6;

/** The differences between the shapes that a field has in the answers of two targets. */
export function fieldDifferences(place: string, [first, second]: Both<FieldShape>): readonly FieldDifference[] {
  const leaf = leafOf(place);
  const [inFirst, inSecond] = [isPresent(first), isPresent(second)];
  if (!inFirst && !inSecond) return [];
  if (!inFirst || !inSecond) return absentOnOneSide(leaf, [first, second], inFirst);
  return [
    ...defaultsLeftOut([first, second]),
    ...distinctForms("type", leaf, [first.types, second.types]),
    ...distinctForms("notation", leaf, [first.patterns, second.patterns]),
    ...digitsOfSeconds([first, second]),
  ];
}

function isPresent({ asDefault, withValue }: FieldShape): boolean {
  return asDefault.count + withValue.count > 0;
}

/** A value of one target and one of the other, in the order of the targets. */
function inOrder<T>(isFirst: boolean, one: T, other: T): Both<T> {
  return isFirst ? [one, other] : [other, one];
}

/** A field that only one target gives: the other one lacks it, or leaves it out where it has its default value. */
function absentOnOneSide(
  leaf: string,
  [first, second]: Both<FieldShape>,
  inFirst: boolean,
): readonly FieldDifference[] {
  const [given, missing] = inOrder(inFirst, first, second);
  const count = missing.absent.count;
  // If the containing object is absent too, the difference is about that object.
  if (count === 0) return [];
  const share = given.withValue.count / Math.max(1, given.absent.count + given.asDefault.count + given.withValue.count);
  if (share * count < enoughValues) return [leftOut([given, missing], inFirst, count)];
  return [
    {
      kind: "missing",
      each: inOrder(inFirst, `${leaf}: given`, `${leaf}: never given`),
      cause: `${leaf} ${inFirst}`,
      count,
      shownBy: inOrder(inFirst, given.withValue.requests, missing.absent.requests),
    },
  ];
}

/** A default value that one target always writes and the other one always leaves out (W1). */
function defaultsLeftOut([first, second]: Both<FieldShape>): readonly FieldDifference[] {
  const leavesOut = (field: FieldShape) => field.absent.count > 0 && field.asDefault.count === 0;
  const writesOut = (field: FieldShape) => field.absent.count === 0 && field.asDefault.count > 0;
  const inFirst = writesOut(first);
  const [given, missing] = inOrder(inFirst, first, second);
  if (!writesOut(given) || !leavesOut(missing)) return [];
  return [leftOut([given, missing], inFirst, Math.max(given.asDefault.count, missing.absent.count))];
}

function leftOut([given, missing]: Both<FieldShape>, inFirst: boolean, count: number): FieldDifference {
  return {
    kind: "left-out",
    each: inOrder(inFirst, "given as its default", "left out"),
    cause: String(inFirst),
    count,
    ruling: "W1",
    shownBy: inOrder(inFirst, given.asDefault.requests, missing.absent.requests),
  };
}

/** Types or notations of a field, if the targets have none in common. */
function distinctForms(
  kind: "type" | "notation",
  leaf: string,
  forms: Both<ReadonlyMap<string, Occurrences>>,
): readonly FieldDifference[] {
  if (forms.some(({ size }) => size === 0 || size > maxForms)) return [];
  const [first, second] = forms;
  if ([...first.keys()].some((form) => second.has(form))) return [];
  const inWords = (side: ReadonlyMap<string, Occurrences>) => [...side.keys()].sort().join(" or ");
  const requestsOf = (side: ReadonlyMap<string, Occurrences>) =>
    [...side.values()].flatMap(({ requests }) => [...requests]);
  return [
    {
      kind,
      each: [`${leaf}: ${inWords(first)}`, `${leaf}: ${inWords(second)}`],
      cause: `${leaf} ${inWords(first)} ${inWords(second)}`,
      shownBy: [requestsOf(first), requestsOf(second)],
    },
  ];
}

/** A different number of digits of a second (W8). */
function digitsOfSeconds([first, second]: Both<FieldShape>): readonly FieldDifference[] {
  if (first.digits === second.digits || first.digits < 0 || second.digits < 0) return [];
  const inWords = ({ digits }: FieldShape) => `up to ${digits} digits of a second`;
  return [
    {
      kind: "notation",
      each: [inWords(first), inWords(second)],
      cause: `${inWords(first)} ${inWords(second)}`,
      ruling: "W8",
      shownBy: [first.withValue.requests, second.withValue.requests],
    },
  ];
}
