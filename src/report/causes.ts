import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import { groupBy } from "../specification/group-by.js";
import { memoize } from "../specification/memoize.js";
import { unexpectedRules } from "./baseline.js";
import { isConsequenceOf } from "./consequences.js";
import { type Results, type RuleEntry, rulesWith, type ViolationEntry, violationsOf } from "./results.js";

/**
 * Groups the rules that could not be judged because operations do not work by what blocks them, the largest group first:
 * `GetOrderBook answers the error not_found: "no such path" (HTTP 404)`.
 */
export function blockedRules(results: Results): { readonly cause: string; readonly rules: readonly RuleEntry[] }[] {
  const groups = groupBy(rulesWith(results, "blocked"), (rule) => [...blockersOf(rule).keys()].sort().join());
  return [...groups.values()]
    .map((rules) => {
      const blockers = [...blockersOf(rules[0])].map(([operation, answered]) => `${operation} answers ${answered}`);
      return { cause: blockers.join(", and "), rules };
    })
    .sort((a, b) => b.rules.length - a.rules.length);
}

/** The operations that block a rule, each with what it answers. */
function blockersOf(rule: RuleEntry | undefined): Map<Endpoint, string> {
  const blockers = new Map<Endpoint, string>();
  for (const { blockedBy } of rule?.checks ?? []) {
    if (blockedBy && !blockers.has(blockedBy.operation)) blockers.set(blockedBy.operation, blockedBy.answered);
  }
  return blockers;
}

/** Violated rules that may share one cause. */
export interface CauseGroup {
  /** The shared place: `orders[*].status of GetAllOrders`. */
  readonly place: string;
  /** At least one rule. Each of the others has a violation at a place where the first one has one. */
  readonly rules: readonly [RuleEntry, ...RuleEntry[]];
}

/**
 * Groups violated rules by cause, as far as it can be told from outside. Rules are grouped if they found something at the
 * same place of the same answer, or at the same place of other rows of the same operation. Rules that reject a whole answer
 * are grouped if they saw the same thing, or if the request was the same. A rule that only compares answers follows one
 * that an answer alone breaks, if it compared that answer: either side may be wrong in a comparison. A rule whose violation
 * is a consequence of another one (see {@link isConsequenceOf}) follows that. What the shortest request shows comes first: it
 * is the easiest to understand.
 */
export function byCause(rules: readonly RuleEntry[]): CauseGroup[] {
  const causeOf = new Map(rules.map((rule) => [rule, rules.find((other) => isConsequenceOf(rule, other))]));
  const rootOf = (rule: RuleEntry): RuleEntry => {
    const cause = causeOf.get(rule);
    return cause === undefined ? rule : rootOf(cause);
  };
  // Groups begin with rules that an answer alone breaks; consequences come last.
  const rank = (rule: RuleEntry) => (causeOf.get(rule) ? 2 : onlyCompares(rule) ? 1 : 0);
  const groups: GrowingGroup[] = [];
  for (const rule of [...rules].sort((a, b) => rank(a) - rank(b))) {
    const places = placesOf(rule);
    const root = rootOf(rule);
    const group =
      groups.find((other) => other.rules.includes(root)) ??
      groups.find((other) => [...places.keys()].some((key) => other.places.has(key))) ??
      groups.find((other) => hasCompared(rule, other.answers));
    if (group) addTo(group, rule, places, root !== rule);
    else groups.push({ places, answers: brokenAnswers(rule), place: [...places.values()][0] ?? "", rules: [rule] });
  }
  return groups.sort((a, b) => firstRequestOf(a).length - firstRequestOf(b).length);
}

/** A group that rules are added to. */
interface GrowingGroup extends CauseGroup {
  place: string;
  readonly rules: [RuleEntry, ...RuleEntry[]];
  /** Keys and descriptions of the places where its rules found something. */
  readonly places: Map<string, string>;
  /** The requests whose answers alone break its first rule, with their operations. */
  readonly answers: ReadonlyMap<string, Endpoint>;
}

function addTo(
  group: GrowingGroup,
  rule: RuleEntry,
  places: ReadonlyMap<string, string>,
  isConsequence: boolean,
): void {
  const shared = [...places].find(([key]) => group.places.has(key))?.[1];
  const [compared] = group.answers.values();
  if (group.rules.length === 1)
    group.place = shared ?? (compared && !isConsequence ? `an answer of ${compared}` : group.place);
  group.rules.push(rule);
  // What else was found where the comparison was made has the same cause.
  if (shared === undefined) for (const [key, inWords] of places) group.places.set(key, inWords);
}

/** The operation that is on one side of all comparisons that a rule failed by. */
export interface OddOneOut {
  readonly operation: Endpoint;
  /** The operations on the other sides: at least two. */
  readonly others: readonly Endpoint[];
}

/** Which of several operations differs from the others, if a rule was violated by nothing but comparisons that tell. */
export function oddOneOut(rule: RuleEntry): OddOneOut | undefined {
  if (!onlyCompares(rule)) return undefined;
  const pairs = violationsOf(rule).map(({ operation, comparedWith }) => [
    operation,
    comparedWith?.request.split(" ")[0] ?? "",
  ]);
  const involved = endpointNames.filter((name) => pairs.some((pair) => pair.includes(name)));
  const [operation, second] = involved.filter((name) => pairs.every((pair) => pair.includes(name)));
  if (operation === undefined || second !== undefined || involved.length < 3) return undefined;
  return { operation, others: involved.filter((name) => name !== operation) };
}

/** Whether a rule was found violated by nothing but comparisons of two answers. */
function onlyCompares(rule: RuleEntry): boolean {
  const violations = violationsOf(rule);
  return violations.length > 0 && violations.every(({ comparedWith }) => comparedWith !== undefined);
}

/** The requests whose answers break a rule by themselves, with their operations. */
function brokenAnswers(rule: RuleEntry): ReadonlyMap<string, Endpoint> {
  const broken = violationsOf(rule).filter(({ comparedWith }) => comparedWith === undefined);
  return new Map(broken.map(({ request, operation }) => [request, operation]));
}

/** Whether each violation of a rule comes from a comparison with one of these answers. */
function hasCompared(rule: RuleEntry, answers: ReadonlyMap<string, Endpoint>): boolean {
  return (
    onlyCompares(rule) &&
    violationsOf(rule).every(
      ({ request, comparedWith }) => answers.has(request) || answers.has(comparedWith?.request ?? ""),
    )
  );
}

/** The keys that identify the places of a rule's violations, each with a description. */
function placesOf(rule: RuleEntry): Map<string, string> {
  return new Map(violationsOf(rule).flatMap(keysOf));
}

function keysOf({ operation, request, places }: ViolationEntry): [key: string, inWords: string][] {
  return places.flatMap(({ exchange, path, seen }, index): [string, string][] => {
    const anyRow = path.replace(/\[\d+\]/g, "[*]");
    // A whole answer is the same place only if the request or what was seen is the same.
    const alike =
      path === "" ? [`${operation}: ${seen}`, ...(index === 0 ? [request] : [])] : [`${operation} ${anyRow}`];
    const inWords = path === "" ? `the answer of ${operation}` : `${anyRow} of ${operation}`;
    return [`${exchange} ${path}`, ...alike].map((key) => [key, inWords]);
  });
}

/** What counts against the target, by cause: failed rules, and warnings in a strict run, without known deviations. */
export function causesIn(results: Results): CauseGroup[] {
  const warnings = results.strict ? unexpectedRules(results, "warn") : [];
  return byCause([...unexpectedRules(results, "fail"), ...warnings]);
}

function firstRequestOf({ rules: [first] }: CauseGroup): string {
  return violationsOf(first)[0]?.request ?? "";
}

/** The cause that a rule counting against the target may share with others; undefined if it stands alone. */
export function sharedCauseOf(results: Results, { id }: Pick<RuleEntry, "id">): CauseGroup | undefined {
  return sharedCauses(results).get(id);
}

const sharedCauses = memoize((results: Results): ReadonlyMap<string, CauseGroup> => {
  const shared = causesIn(results).filter(({ rules }) => rules.length > 1);
  return new Map(shared.flatMap((cause) => cause.rules.map(({ id }) => [id, cause] as const)));
});
