/** Finds differences between the answers of two targets, grouped by cause. */
import { parseJsonObject } from "../../connect/json.js";
import { type Endpoint, endpointNames } from "../../specification/endpoints.js";
import { groupBy } from "../../specification/group-by.js";
import type { RulingId } from "../../specification/rulings.js";
import { type AnswerDifferenceKind, answerDifferenceKinds, type Both, type DifferencePlace } from "../answers.js";
import type { LiveAnswer, PairedAnswer } from "./ask-both.js";
import { type FieldDifference, fieldDifferences } from "./field-differences.js";
import { Formulas } from "./formulas.js";
import { AnswerShape, directionOf, leafOf } from "./shape.js";
import { valueDifferences } from "./values.js";

/** Differences with one cause, and the smallest pair of answers that shows them. */
export interface DifferenceGroup {
  readonly kind: AnswerDifferenceKind;
  readonly each: Both<string>;
  readonly places: readonly DifferencePlace[];
  readonly count: number;
  readonly example: PairedAnswer;
  readonly ruling?: RulingId;
}

/** A difference found at a place. */
interface Finding extends Omit<FieldDifference, "shownBy"> {
  readonly operation: Endpoint;
  readonly place: string;
  readonly example: PairedAnswer;
}

/** Groups findings by their cause, in the order in which a client would run into their kinds. */
function grouped(findings: readonly Finding[]): readonly DifferenceGroup[] {
  const byCause = groupBy(findings, ({ kind, cause }) => `${kind} ${cause}`);
  const operationOf = ({ places }: DifferenceGroup) => endpointNames.indexOf(places[0]?.operation ?? "GetOrders");
  return [...byCause.values()]
    .map(groupOf)
    .sort(
      (a, b) =>
        answerDifferenceKinds.indexOf(a.kind) - answerDifferenceKinds.indexOf(b.kind) ||
        operationOf(a) - operationOf(b),
    );
}

function groupOf(findings: readonly Finding[]): DifferenceGroup {
  const places = new Map<string, DifferencePlace>();
  for (const { operation, place, count = 1 } of findings) {
    const key = `${operation} ${place}`;
    places.set(key, { operation, place, count: (places.get(key)?.count ?? 0) + count });
  }
  const smallest = findings.reduce((a, b) => (sizeOf(b.example) < sizeOf(a.example) ? b : a));
  const ruling = findings[0]?.ruling;
  return {
    kind: smallest.kind,
    each: smallest.each,
    places: [...places.values()].sort((a, b) => b.count - a.count),
    count: findings.reduce((sum, { count = 1 }) => sum + count, 0),
    example: smallest.example,
    ...(ruling !== undefined && { ruling }),
  };
}

/** The size of a pair of requests. Usual requests that are the same for both and have few, short fields are the smallest. */
export function sizeOf({ requests, same, unusual }: Pick<PairedAnswer, "requests" | "same" | "unusual">): number {
  const size = requests.reduce((sum, { body, headers }) => {
    const text = JSON.stringify(body, (_, value) => (typeof value === "bigint" ? String(value) : value));
    return sum + text.length + 40 * Object.keys(body).length + 100 * Object.keys(headers).length;
  }, 0);
  return size + (same ? 0 : 1_000) + (unusual ? 5_000 : 0);
}

/**
 * Whether two targets have the same data: in answers to the same requests, at least half of the orders and positions of the
 * target that shows fewer are also shown by the other one. If neither shows any, the data count as the same.
 */
export function haveSameData(answers: readonly PairedAnswer[]): boolean {
  const [first, second] = ([0, 1] as const).map((side) => {
    const keys = new Set<string>();
    for (const { same, answers: both } of answers) {
      const answer = both[side];
      if (same && answer.kind === "success") for (const key of entitiesOf(answer.body)) keys.add(key);
    }
    return keys;
  }) as [Set<string>, Set<string>];
  if (first.size === 0 || second.size === 0) return first.size === second.size;
  const shared = [...first].filter((key) => second.has(key)).length;
  return shared >= 0.5 * Math.min(first.size, second.size);
}

function* entitiesOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const element of value) yield* entitiesOf(element);
  else if (typeof value === "object" && value !== null) {
    const { orderId, positionId, marketId, owner } = value as Record<string, unknown>;
    if (typeof owner === "string" && marketId !== undefined && (orderId ?? positionId) !== undefined)
      yield `${String(orderId ?? positionId)} ${String(marketId)} ${owner.toLowerCase()}`;
    for (const member of Object.values(value)) yield* entitiesOf(member);
  }
}

/**
 * Finds all differences between the answers of two targets.
 *
 * @param sameData whether values may be compared; if not, only how answers are written and computed is compared
 */
export function differencesBetween(answers: readonly PairedAnswer[], sameData: boolean): readonly DifferenceGroup[] {
  const findings: Finding[] = [];
  for (const pair of answers) compareOutcomes(pair, findings);
  for (const operation of endpointNames) {
    const both = answers.filter(
      ({ endpoint, answers: [first, second] }) =>
        endpoint === operation && first.kind === "success" && second.kind === "success",
    );
    compareShapes(operation, both, findings);
    compareFormulas(operation, both, findings);
    compareValues(operation, both, sameData, findings);
  }
  return grouped(findings);
}

/** The kind of an answer, in words. */
export function answerInWords(answer: LiveAnswer): string {
  switch (answer.kind) {
    case "success":
      return "a success";
    case "error":
      return `the error ${answer.code}`;
    case "none":
      return `no Connect answer${answer.status === undefined ? "" : ` (HTTP ${answer.status})`}`;
    case "unknown":
      return "not known";
  }
}

function compareOutcomes(example: PairedAnswer, findings: Finding[]): void {
  const { endpoint: operation, unusual } = example;
  const [first, second] = example.answers;
  if (first.kind === "unknown" || second.kind === "unknown") return;
  const each = [answerInWords(first), answerInWords(second)] as const;
  const place = unusual ? `with ${unusual.what}` : "";
  const add = (kind: AnswerDifferenceKind, said: Both<string>, cause: string, ruling?: RulingId) =>
    findings.push({ kind, operation, place, each: said, cause, example, ...(ruling && { ruling }) });
  if (each[0] !== each[1]) {
    const kind = first.kind === "error" && second.kind === "error" ? "error-code" : "outcome";
    add(kind, each, `${unusual?.kind ?? operation} ${each.join(" ")}`);
    return;
  }
  if (first.status !== second.status && first.status !== undefined && second.status !== undefined)
    add(
      "http-status",
      [`${each[0]}: HTTP ${first.status}`, `${each[1]}: HTTP ${second.status}`],
      `${first.status} ${second.status} ${each[0]}`,
      "E3",
    );
  if (first.contentType !== second.contentType)
    add(
      "headers",
      [`Content-Type ${first.contentType ?? "left out"}`, `Content-Type ${second.contentType ?? "left out"}`],
      `${first.contentType} ${second.contentType}`,
    );
  if (first.kind !== "error" || second.kind !== "error") return;
  const templates = [templateOf(first.message), templateOf(second.message)];
  if (templates[0] !== templates[1])
    add("error-message", [first.message || "an empty text", second.message || "an empty text"], templates.join("|"));
  if (first.members.join() !== second.members.join())
    add(
      "error-members",
      [first.members.join(", "), second.members.join(", ")],
      `${first.members.join()} ${second.members.join()}`,
    );
}

/** A text without the parts that depend on the request: quoted parts, numbers and addresses. */
function templateOf(text: string): string {
  return text
    .replace(/"[^"]*"|'[^']*'/g, '""')
    .replace(/0x[0-9a-f]+/gi, "#")
    .replace(/-?\d+(\.\d+)?/g, "#");
}

function compareShapes(operation: Endpoint, pairs: readonly PairedAnswer[], findings: Finding[]): void {
  const shapes = [new AnswerShape(), new AnswerShape()] as const;
  for (const [at, { answers }] of pairs.entries()) {
    for (const side of [0, 1] as const) {
      const answer = answers[side];
      if (answer.kind === "success") shapes[side].add(answer.body, at);
    }
  }
  const [one, other] = shapes;
  const names = [...one.fields.keys()];
  one.complete(other.fields.keys());
  other.complete(names);
  for (const place of new Set([...one.fields.keys(), ...other.fields.keys()])) {
    const fields = [one.field(place), other.field(place)] as const;
    for (const found of fieldDifferences(place, fields)) {
      const example = smallestOf(pairs, ...found.shownBy);
      if (example) findings.push({ ...found, operation, place, example });
    }
  }
  for (const place of new Set([...one.arrays.keys(), ...other.arrays.keys()])) {
    const orders = [one.arrays.get(place), other.arrays.get(place)] as const;
    const example = smallestOf(pairs, orders[0]?.requests, orders[1]?.requests);
    if (!example) continue;
    for (const [key, kind, ruling] of [
      ["time", "order", undefined],
      ["price", "order", "B4"],
      ["id", "order", undefined],
      ["id of ties", "ties", "P4"],
    ] as const) {
      const [a, b] = orders.map((order) => directionOf(order, key));
      if (a === undefined || b === undefined || a === b) continue;
      const each = [`${key}: ${a}`, `${key}: ${b}`] as const;
      const cause = `${operation} ${place} ${key}`;
      findings.push({ kind, operation, place, each, cause, example, ...(ruling && { ruling }) });
    }
  }
}

function compareFormulas(operation: Endpoint, pairs: readonly PairedAnswer[], findings: Finding[]): void {
  const formulas = [new Formulas(), new Formulas()] as const;
  for (const [at, { answers }] of pairs.entries()) {
    for (const side of [0, 1] as const) {
      const answer = answers[side];
      if (answer.kind === "success")
        formulas[side].add(operation, answer.body, parseJsonObject(answer.request.body) ?? {}, at);
    }
  }
  for (const [place, first] of formulas[0].counts) {
    const second = formulas[1].counts.get(place);
    const [a, b] = [first.words, second?.words];
    if (a === undefined || b === undefined || a === b) continue;
    const example = smallestOf(pairs, first.requests, second?.requests);
    const leaf = leafOf(place);
    const count = Math.max(first.objects, second?.objects ?? 0);
    const { ruling } = first.of;
    if (example)
      findings.push({
        kind: "computed",
        operation,
        place,
        each: [`${leaf}: ${a}`, `${leaf}: ${b}`],
        cause: `${leaf} ${a} ${b}`,
        count,
        example,
        ...(ruling && { ruling }),
      });
  }
}

function compareValues(
  operation: Endpoint,
  pairs: readonly PairedAnswer[],
  sameData: boolean,
  findings: Finding[],
): void {
  for (const example of pairs) {
    if (!example.same) continue;
    const found = differencesOf(example);
    if (found.length === 0) continue;
    if (!sameData) {
      const each = ["its own data", "its own data"] as const;
      findings.push({ kind: "data", operation, place: "", each, cause: "", count: 1, example });
      continue;
    }
    for (const { kind, place, each } of found)
      findings.push({ kind, operation, place, each, cause: `${operation} ${place}`, example });
  }
}

/** The values that differ between the answers of a pair. */
export function differencesOf({ answers: [first, second] }: PairedAnswer) {
  return first.kind === "success" && second.kind === "success" ? valueDifferences(first.body, second.body) : [];
}

/** The smallest pair that shows something on both sides, or else on one of them. */
function smallestOf(
  pairs: readonly PairedAnswer[],
  first: Iterable<number> = [],
  second: Iterable<number> = [],
): PairedAnswer | undefined {
  const [a, b] = [new Set(first), new Set(second)];
  const both = [...a].filter((at) => b.has(at));
  const candidates = both.length > 0 ? both : [...a, ...b];
  return candidates
    .flatMap((at) => pairs[at] ?? [])
    .reduce<PairedAnswer | undefined>((best, pair) => (best && sizeOf(best) <= sizeOf(pair) ? best : pair), undefined);
}
