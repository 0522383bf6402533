import { isViolated, type Verdict } from "../engine/result.js";
import type { Level } from "../specification/rule.js";

/** The harness's verdicts on one modification of the reference server. */
export interface Trial {
  readonly modification: {
    readonly name: string;
    readonly kind: "mutant" | "variant";
    readonly summary: string;
    /** Mutants: the rule it breaks. */
    readonly breaks?: string;
    /** Mutants: rules that inevitably fail with it. */
    readonly alsoFails?: readonly string[];
    /** Variants: advisory rules that are expected to warn about it. */
    readonly warns?: readonly string[];
  };
  /** The verdict on each judged rule, with a short message. */
  readonly verdicts: ReadonlyMap<string, { readonly verdict: Verdict; readonly message: string }>;
  /** Names of the checks that found their rule violated. */
  readonly failingChecks: readonly string[];
  /** Checks whose verdict changed when their exchanges were judged again, with both verdicts. */
  readonly differing?: readonly string[];
  /** Set when the trial itself failed. */
  readonly trouble?: string;
}

/** The outcome of a mutant, as it is in `matrix.json`. */
export interface MutantOutcome {
  readonly name: string;
  readonly summary: string;
  readonly breaks: string;
  readonly alsoFails: readonly string[];
  /** Whether the rule it breaks was found violated. */
  readonly killed: boolean;
  /** Whether that rule, and no other, was found violated. */
  readonly killedAlone: boolean;
  /** The verdict on the rule it breaks. */
  readonly verdict: Verdict;
  readonly message: string;
  /** Checks that found their rule violated. */
  readonly foundBy: readonly string[];
  /** Rules found violated, or in error, that are neither the mutant's own nor declared in `alsoFails`. */
  readonly unexpectedFailures: readonly UnexpectedFailure[];
}

/** A rule that was found violated, or caused an error, but should not. */
export interface UnexpectedFailure {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly message: string;
}

/** The outcome of a variant, or of the reference server itself, as it is in `matrix.json`. */
export interface VariantOutcome {
  readonly name: string;
  readonly summary: string;
  readonly falsePositives: readonly UnexpectedFailure[];
  /** Number of rules judged, and how many of them lacked evidence. */
  readonly judged: number;
  readonly inconclusive: number;
}

/** The mutants that one rule kills, as they are in `matrix.json`. */
export interface RuleDetection {
  readonly rule: string;
  readonly level: Level;
  /** Mutants of the rule that its checks killed. */
  readonly killed: readonly string[];
  /** Mutants of the rule that survived its checks. */
  readonly survived: readonly string[];
  /** Mutants of other rules that its checks fail on, too. */
  readonly others: readonly string[];
  /** Whether some mutant is killed by this rule alone. */
  readonly killedAlone: boolean;
}

/** The detection matrix, as it is in `matrix.json`. */
export interface Matrix {
  readonly rules: readonly RuleDetection[];
  readonly mutants: readonly MutantOutcome[];
  readonly variants: readonly VariantOutcome[];
  /** Checks of judged rules that no mutant made fail on any operation. */
  readonly neverRed: readonly string[];
  /** Reasons why the proof does not hold; empty when it holds. */
  readonly problems: readonly string[];
}

/** What must be proven. */
export interface ProofRequirements {
  /** The rules that can be observed and are judged. */
  readonly rules: readonly { readonly id: string; readonly level: Level }[];
  /** The names of their checks. */
  readonly checks: readonly string[];
  /** The checks known to kill each mutant, by the mutant's name. */
  readonly detections: Readonly<Record<string, readonly string[]>>;
  /** False when only some mutants were tried; rules or checks without a mutant are then no problem. */
  readonly complete: boolean;
}

/**
 * Builds the matrix of all trials. A mutant counts for a rule only if that rule was found violated, and for a check only if
 * that check found it.
 */
export function detectionMatrix(
  trials: readonly Trial[],
  { rules, checks, detections, complete }: ProofRequirements,
): Matrix {
  const mutants = trials.filter(isMutant).map(mutantOutcome);
  const variants = trials.filter((trial) => trial.modification.kind === "variant").map(variantOutcome);
  const detected = rules.map((rule) => detectionOf(rule, mutants, trials));
  const killing = new Set(mutants.flatMap(({ foundBy }) => foundBy.map(withoutOperation)));
  const neverRed = complete ? [...new Set(checks.map(withoutOperation))].filter((check) => !killing.has(check)) : [];
  const problems = [
    ...trials.flatMap(({ modification, trouble }) =>
      trouble ? [`${modification.name}: the trial broke: ${trouble}`] : [],
    ),
    ...trials.flatMap(({ modification, differing = [] }) =>
      differing.map((check) => `${modification.name}, judged again from what was exchanged: ${check}`),
    ),
    ...mutants.flatMap(problemsOf),
    ...variants.flatMap(({ name, falsePositives }) =>
      falsePositives.map(
        ({ rule, verdict, message }) => `false positive on the variant ${name}: ${rule} is ${verdict}: ${message}`,
      ),
    ),
    ...detected
      .filter(({ killed, survived }) => killed.length === 0 && (complete || survived.length > 0))
      .map(({ rule }) => `no mutant of the rule ${rule} is killed by it`),
    ...neverRed.map((check) => `no mutant makes this check fail on any operation: ${check}`),
    ...mutants.flatMap((mutant) =>
      missedDetections(mutant, detections).map((name) => `a check no longer finds the mutant ${mutant.name}: ${name}`),
    ),
  ];
  return { rules: detected, mutants, variants, neverRed, problems };
}

/** The name of a check without its operation: the same code, and so one thing to prove. */
function withoutOperation(checkName: string): string {
  return checkName.replace(/ on \w+/, "");
}

/** The checks that are known to kill a mutant but did not this time. */
export function missedDetections(
  { name, foundBy }: Pick<MutantOutcome, "name" | "foundBy">,
  detections: ProofRequirements["detections"],
): string[] {
  return (detections[name] ?? []).filter((check) => !foundBy.includes(check));
}

type MutantTrial = Trial & { readonly modification: { readonly breaks: string } };

function isMutant(trial: Trial): trial is MutantTrial {
  return trial.modification.kind === "mutant" && trial.modification.breaks !== undefined;
}

/** Whether a verdict says that a rule is violated or that judging it caused an error. */
export function isFailure(verdict: Verdict): boolean {
  return isViolated(verdict) || verdict === "error";
}

function unexpectedFailuresIn(trial: Trial, allowed: ReadonlySet<string>): UnexpectedFailure[] {
  return [...trial.verdicts]
    .filter(([rule, { verdict }]) => isFailure(verdict) && !allowed.has(rule))
    .map(([rule, { verdict, message }]) => ({ rule, verdict, message }));
}

function mutantOutcome(trial: MutantTrial): MutantOutcome {
  const { name, summary, breaks, alsoFails = [] } = trial.modification;
  const ownRule = trial.verdicts.get(breaks) ?? { verdict: "notRun" as const, message: "the rule was not judged" };
  const killed = isViolated(ownRule.verdict);
  const violated = [...trial.verdicts].filter(([, { verdict }]) => isViolated(verdict));
  return {
    name,
    summary,
    breaks,
    alsoFails,
    killed,
    killedAlone: killed && violated.length === 1,
    verdict: ownRule.verdict,
    message: ownRule.message,
    foundBy: [...trial.failingChecks].sort(),
    unexpectedFailures: unexpectedFailuresIn(trial, new Set([breaks, ...alsoFails])),
  };
}

function variantOutcome(trial: Trial): VariantOutcome {
  const verdicts = [...trial.verdicts.values()];
  const { name, summary, warns = [] } = trial.modification;
  return {
    name,
    summary,
    falsePositives: unexpectedFailuresIn(trial, new Set()).filter(
      ({ rule, verdict }) => verdict !== "warn" || !warns.includes(rule),
    ),
    judged: verdicts.length,
    inconclusive: verdicts.filter(({ verdict }) => verdict === "inconclusive").length,
  };
}

function detectionOf(
  { id, level }: { readonly id: string; readonly level: Level },
  mutants: readonly MutantOutcome[],
  trials: readonly Trial[],
): RuleDetection {
  const mutantsOfRule = mutants.filter(({ breaks }) => breaks === id);
  return {
    rule: id,
    level,
    killed: mutantsOfRule.filter(({ killed }) => killed).map(({ name }) => name),
    survived: mutantsOfRule.filter(({ killed }) => !killed).map(({ name }) => name),
    others: trials
      .filter(isMutant)
      .filter(({ modification, verdicts }) => modification.breaks !== id && isViolated(verdicts.get(id)?.verdict))
      .map(({ modification }) => modification.name),
    killedAlone: mutantsOfRule.some(({ killedAlone }) => killedAlone),
  };
}

function problemsOf({ name, breaks, killed, verdict, message, unexpectedFailures }: MutantOutcome): string[] {
  const seen = message ? ` (${message})` : "";
  return [
    ...(killed ? [] : [`the mutant ${name} survived: the rule that it breaks, ${breaks}, is ${verdict}${seen}`]),
    ...unexpectedFailures.map(
      (other) => `the mutant ${name} also makes ${other.rule} ${other.verdict}: ${other.message}`,
    ),
  ];
}
