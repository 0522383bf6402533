import type { Invariant } from "../judge/invariant.js";
import { invariantsFor } from "../judge/invariants.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { type Endpoint, isStream } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { type AnyRuleId, anyRuleById, isOwnRuleId, type OwnRuleId } from "../specification/own-rules.js";
import type { Profile } from "../specification/profile.js";
import type { CheckContext } from "./context.js";
import { holdsInEveryCombination } from "./every-combination.js";
import { currentHost } from "./host.js";
import { type Arbitraries, type Generated, type PropertyRuns, propertyRun } from "./property.js";
import { assertRefused, type Refusal } from "./refusals.js";
import { asRelation, type Equivalence, type Relation } from "./relation.js";
import { holdsBetween } from "./relations.js";
import type { CheckDefinition, Lane, SuiteDefinition } from "./suite.js";

type ExampleRun = (context: CheckContext) => Promise<void>;

/** A check that is written by hand, with its options if it has any. */
type Example = [ExampleRun] | [CheckOptions, ExampleRun];

/** Options of a check. */
export interface CheckOptions {
  /** The operation to check; required if the rule applies to several. */
  readonly on?: Endpoint;
  /** Distinguishes it from other checks of the same rule and endpoint. */
  readonly name?: string;
  /** `full` for a check that only the full profile runs. */
  readonly profile?: Profile;
}

/** Options of a property-based check. */
export interface PropertyOptions extends CheckOptions, PropertyRuns {}

/** The functions that a suite is written with. */
export interface SuiteWords<Id extends AnyRuleId = RuleId> {
  /** Checks a rule by examples. */
  check(rule: Id, run: (context: CheckContext) => Promise<void>): void;
  check(rule: Id, options: CheckOptions, run: (context: CheckContext) => Promise<void>): void;
  /**
   * Checks a rule on generated values. A failing case is shrunk, and the seed of the run reproduces it. Arbitraries that
   * depend on subjects are given as a function of the context.
   */
  property<A extends Arbitraries>(
    rule: Id,
    options: PropertyOptions,
    arbitraries: A | ((context: CheckContext) => A | Promise<A>),
    run: (values: Generated<A>, context: CheckContext) => Promise<void>,
  ): void;
  /**
   * Records what the target does where the specification leaves it open; never judges. If the rule covers several
   * operations, the quick profile observes only the first one, unless the options say otherwise.
   */
  observe(rule: Id, run: (context: CheckContext) => Promise<void>): void;
  observe(rule: Id, options: CheckOptions, run: (context: CheckContext) => Promise<void>): void;
  /**
   * Checks rules that a single exchange can settle, on every explored answer: those of streams in a `timing` suite, those of
   * unary operations in a `bulk` one.
   */
  invariant(...rules: readonly RuleId[]): void;
  /** Checks a rule that compares two answers, one to a rewrite of the other's request, on some of the explored requests. */
  relation(rule: Id, relation: CheckOptions & Relation): void;
  /** Checks a rule that two forms of a request mean the same, on all explored requests. */
  equivalent(rule: Id, equivalence: CheckOptions & Equivalence): void;
  /** Checks a rule on what must be refused: puts invalid values, one at a time, into some of the explored requests. */
  refusal(rule: Id, refusal: CheckOptions & Refusal): void;
}

/** Defines the suite of one section. The title is the section's number and name, such as `§4.1 GetAllPositions`. */
export function suite(title: string, build: (words: SuiteWords) => void, lane: Lane = "bulk"): SuiteDefinition {
  return define(title, build, lane);
}

/**
 * Defines a user suite, on rules that were declared with `rule`. Checks of catalogue rules are rejected, since they would
 * affect whether the target counts as conformant.
 */
export function ownSuite(title: string, build: (words: SuiteWords<OwnRuleId>) => void): SuiteDefinition {
  return define(title, build, "bulk", (rule: string) => {
    if (!isOwnRuleId(rule))
      throw new RangeError(`"${rule}" is not a rule of your own: its id must begin with "x-", as in x-acme.some-words`);
  });
}

function define<Id extends AnyRuleId>(
  title: string,
  build: (words: SuiteWords<Id>) => void,
  lane: Lane,
  admit: (rule: Id) => void = () => {},
): SuiteDefinition {
  const checks: CheckDefinition[] = [];
  const endpointOf = (rule: Id, { on }: CheckOptions) => on ?? onlyEndpointOf(rule);
  const observed = new Map<Id, Endpoint>();
  const add = (rule: Id, kind: CheckDefinition["kind"], options: CheckOptions, run: CheckDefinition["run"]) => {
    admit(rule);
    const endpoint = endpointOf(rule, options);
    const name = `${rule} on ${endpoint}${options.name ? `: ${options.name}` : ""}`;
    if (checks.some((check) => check.name === name)) throw new Error(`two checks are called "${name}"`);
    checks.push({ rule, endpoint, name, kind, profile: options.profile ?? "quick", run });
  };
  const relation: SuiteWords<Id>["relation"] = (rule, options) => {
    add(rule, "relation", options, ({ context }) => holdsBetween(options, context));
  };
  /** Adds one check for each operation that invariants of the rule judge: streams in the timing lane, the others elsewhere. */
  const addInvariants = (rule: RuleId) => {
    const isMine = ({ endpoint }: Invariant) => isStream(endpoint) === (lane === "timing");
    const all = invariantsFor(rule).filter(isMine);
    for (const endpoint of new Set(all.map((invariant) => invariant.endpoint))) {
      const ofEndpoint = all.filter((invariant) => invariant.endpoint === endpoint);
      const options = { on: endpoint, name: "in every combination" };
      add(rule as Id, "invariant", options, async ({ context }) => {
        for (const invariant of ofEndpoint) await holdsInEveryCombination(invariant, context);
      });
    }
  };
  build({
    check(rule: Id, ...example: Example) {
      const [options, run] = withOptions(example);
      add(rule, "example", options, ({ context }) => run(context));
    },
    observe(rule: Id, ...example: Example) {
      const [options, run] = withOptions(example);
      const endpoint = endpointOf(rule, options);
      const first = getOrInsert(observed, rule, () => endpoint);
      const withProfile = endpoint === first ? options : { profile: "full" as const, ...options };
      add(rule, "observation", withProfile, ({ context }) => run(context));
    },
    property(rule, options, arbitraries, run) {
      add(rule, "property", options, propertyRun(options, arbitraries, run));
    },
    invariant(...rules) {
      for (const rule of rules) addInvariants(rule);
    },
    relation,
    equivalent(rule, equivalence) {
      relation(rule, { ...equivalence, ...asRelation(endpointOf(rule, equivalence), equivalence) });
    },
    refusal(rule, refusal) {
      add(rule, "relation", refusal, ({ context }) => assertRefused(refusal, context));
    },
  });
  const definition: SuiteDefinition = { title, lane, checks };
  currentHost()?.(definition);
  return definition;
}

function withOptions(example: Example): [CheckOptions, ExampleRun] {
  return example.length === 1 ? [{}, example[0]] : example;
}

function onlyEndpointOf(rule: AnyRuleId): Endpoint {
  const [endpoint, ...others] = anyRuleById(rule).endpoints;
  if (!endpoint || others.length > 0)
    throw new Error(`the rule ${rule} applies to several operations: say which with "on"`);
  return endpoint;
}
