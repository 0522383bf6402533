import type { Level } from "../spec/rule.js";
import type { Verdict } from "../verdict/result.js";

/** What the harness said about one departure of the reference server. */
export interface Trial {
  readonly departure: {
    readonly name: string;
    readonly kind: "mutant" | "variant";
    readonly summary: string;
    /** Mutants: the rule that it breaks. */
    readonly breaks?: string;
    /** Mutants: rules that fail along with it by nature. */
    readonly companions?: readonly string[];
  };
  /** The verdict on each rule that was judged, with a word on what was found. */
  readonly verdicts: ReadonlyMap<string, { readonly verdict: Verdict; readonly message: string }>;
  /** Set when the trial itself could not be made. */
  readonly trouble?: string;
}

/** What became of one mutant. */
export interface MutantOutcome {
  readonly name: string;
  readonly summary: string;
  readonly breaks: string;
  readonly companions: readonly string[];
  /** Whether the rule that it breaks was found broken. */
  readonly caught: boolean;
  /** Whether that rule alone was found broken. */
  readonly caughtAlone: boolean;
  /** The verdict on the rule that it breaks. */
  readonly verdict: Verdict;
  readonly message: string;
  /** Rules that were found broken though neither the mutant's own nor declared companions. */
  readonly strays: readonly Alarm[];
}

/** A rule that was found broken where it should not be. */
export interface Alarm {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly message: string;
}

/** What became of one variant, or of the reference server itself. */
export interface VariantOutcome {
  readonly name: string;
  readonly summary: string;
  readonly alarms: readonly Alarm[];
  /** How many rules were judged, and how many of them stayed without evidence. */
  readonly judged: number;
  readonly inconclusive: number;
}

/** The detection power for one rule. */
export interface RuleDetection {
  readonly rule: string;
  readonly level: Level;
  /** Mutants of the rule that its checks caught. */
  readonly caught: readonly string[];
  /** Mutants of the rule that its checks missed. */
  readonly missed: readonly string[];
  /** Mutants of other rules that its checks found as well. */
  readonly others: readonly string[];
  /** Whether there is a mutant that this rule alone catches. */
  readonly caughtAlone: boolean;
}

/** The detection matrix. */
export interface Matrix {
  readonly rules: readonly RuleDetection[];
  readonly mutants: readonly MutantOutcome[];
  readonly variants: readonly VariantOutcome[];
  /** Everything for which the proof does not hold; it holds when there is nothing. */
  readonly problems: readonly string[];
}

/**
 * The matrix over all trials. A mutant counts for a rule only if that very rule was found broken.
 *
 * @param rules the rules that must be proven: those that can be seen and are judged
 * @param complete false when only a part of the mutants was tried, so that a rule without one is no problem
 */
export function detectionMatrix(
  rules: readonly { readonly id: string; readonly level: Level }[],
  trials: readonly Trial[],
  complete: boolean,
): Matrix {
  const mutants = trials.filter(isMutant).map(mutantOutcome);
  const variants = trials.filter((trial) => trial.departure.kind === "variant").map(variantOutcome);
  const detections = rules.map((rule) => detectionOf(rule, mutants, trials));
  const problems = [
    ...trials.flatMap(({ departure, trouble }) => (trouble ? [`${departure.name}: the trial broke: ${trouble}`] : [])),
    ...mutants.flatMap((mutant) => problemsOf(mutant)),
    ...variants.flatMap(({ name, alarms }) =>
      alarms.map((alarm) => `false alarm on the variant ${name}: ${alarm.rule} is ${alarm.verdict}: ${alarm.message}`),
    ),
    ...detections
      .filter(({ caught, missed }) => caught.length === 0 && (complete || missed.length > 0))
      .map(({ rule }) => `no mutant of the rule ${rule} is caught by it`),
  ];
  return { rules: detections, mutants, variants, problems };
}

type MutantTrial = Trial & { readonly departure: { readonly breaks: string } };

function isMutant(trial: Trial): trial is MutantTrial {
  return trial.departure.kind === "mutant" && trial.departure.breaks !== undefined;
}

/** Verdicts that say that a rule is broken, or that it could not be judged because something broke. */
function alarming(verdict: Verdict): boolean {
  return verdict === "fail" || verdict === "warn" || verdict === "error";
}

function foundBroken(verdict: Verdict | undefined): boolean {
  return verdict === "fail" || verdict === "warn";
}

function alarmsOf(trial: Trial, allowed: ReadonlySet<string>): Alarm[] {
  return [...trial.verdicts]
    .filter(([rule, { verdict }]) => alarming(verdict) && !allowed.has(rule))
    .map(([rule, { verdict, message }]) => ({ rule, verdict, message }));
}

function mutantOutcome(trial: MutantTrial): MutantOutcome {
  const { name, summary, breaks, companions = [] } = trial.departure;
  const own = trial.verdicts.get(breaks) ?? { verdict: "notRun" as const, message: "the rule was not judged" };
  const caught = foundBroken(own.verdict);
  const broken = [...trial.verdicts].filter(([, { verdict }]) => foundBroken(verdict));
  return {
    name,
    summary,
    breaks,
    companions,
    caught,
    caughtAlone: caught && broken.length === 1,
    verdict: own.verdict,
    message: own.message,
    strays: alarmsOf(trial, new Set([breaks, ...companions])),
  };
}

function variantOutcome(trial: Trial): VariantOutcome {
  const verdicts = [...trial.verdicts.values()];
  return {
    name: trial.departure.name,
    summary: trial.departure.summary,
    alarms: alarmsOf(trial, new Set()),
    judged: verdicts.length,
    inconclusive: verdicts.filter(({ verdict }) => verdict === "inconclusive").length,
  };
}

function detectionOf(
  { id, level }: { readonly id: string; readonly level: Level },
  mutants: readonly MutantOutcome[],
  trials: readonly Trial[],
): RuleDetection {
  const own = mutants.filter(({ breaks }) => breaks === id);
  return {
    rule: id,
    level,
    caught: own.filter(({ caught }) => caught).map(({ name }) => name),
    missed: own.filter(({ caught }) => !caught).map(({ name }) => name),
    others: trials
      .filter(isMutant)
      .filter(({ departure, verdicts }) => departure.breaks !== id && foundBroken(verdicts.get(id)?.verdict))
      .map(({ departure }) => departure.name),
    caughtAlone: own.some(({ caughtAlone }) => caughtAlone),
  };
}

function problemsOf({ name, breaks, caught, verdict, message, strays }: MutantOutcome): string[] {
  const missed = caught ? [] : [`the mutant ${name} breaks ${breaks}, which is ${verdict} (${message})`];
  return [
    ...missed,
    ...strays.map((alarm) => `the mutant ${name} also makes ${alarm.rule} ${alarm.verdict}: ${alarm.message}`),
  ];
}
