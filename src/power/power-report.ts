/** The report of `power`: the outcome of each fault, and the score by rule and operation. */
import { toCurl } from "../evidence/curl.js";
import { redactor, redactTexts } from "../evidence/redact.js";
import { harness } from "../report/identity.js";
import type { PowerScore } from "../report/power-score.js";
import type { Identity, Results } from "../report/results.js";
import type { RuleId } from "../specification/catalogue/index.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import { groupBy } from "../specification/group-by.js";
import { levelUnder } from "../specification/readings.js";
import type { Level } from "../specification/rule.js";
import { dataInWords, dataNeeds } from "../subjects/data-needs.js";
import type { Fault, FaultKind } from "./fault.js";
import type { FaultOutcome, FaultTrials } from "./fault-trials.js";
import { type BodyDifference, firstDifference } from "./first-difference.js";

/** An example request whose answer shows a fault that the run did not detect. */
export interface ShownBy extends BodyDifference {
  readonly operation: Endpoint;
  /** The request body. */
  readonly request: string;
  /** A command that repeats it, for a POSIX shell. */
  readonly curl: string;
  /** Number of recorded answers the fault changes. */
  readonly answers: number;
}

/** A fault and its outcome. */
export interface FaultEntry {
  readonly name: string;
  readonly rule: RuleId;
  readonly level: Level;
  readonly kind: FaultKind;
  /** What a server with the fault does. */
  readonly words: string;
  readonly operations: readonly Endpoint[];
  readonly outcome: FaultOutcome["kind"];
  /** The check that noticed it. */
  readonly killedBy?: { readonly rule: string; readonly check: string };
  /** For a fault that was not exercised: why not, or what would exercise it. */
  readonly why?: string;
  /** For a fault that survived. */
  readonly shownBy?: ShownBy;
}

/** The score of a rule or an operation. */
export interface ScoreOf<Name extends string> extends PowerScore {
  readonly name: Name;
}

/** The power of a run: which of the faults its data can show it would have detected. */
export interface PowerReport {
  readonly format: "perp-conformance/power";
  readonly formatVersion: 1;
  readonly harness: Identity;
  /** The run into which faults were planted. */
  readonly run: Pick<Results, "target" | "profile" | "seed" | "startedAt" | "evidence">;
  readonly durationMs: number;
  readonly score: PowerScore;
  readonly rules: readonly ScoreOf<RuleId>[];
  readonly operations: readonly ScoreOf<Endpoint>[];
  readonly faults: readonly FaultEntry[];
}

/** Tries a fault and reports its outcome. */
export async function entryOf(fault: Fault, trials: FaultTrials): Promise<FaultEntry> {
  const outcome = await trials.try(fault);
  const { name, rule, kind, words, operations } = fault;
  const { target, subjects, readings } = trials.run.session;
  const entry: FaultEntry = {
    name,
    rule,
    kind,
    words,
    operations,
    level: levelUnder(readings, rule),
    outcome: outcome.kind,
    ...(outcome.kind === "killed" && { killedBy: outcome.by }),
    ...(outcome.kind === "not exercised" && { why: reasonOf(fault, outcome) }),
  };
  if (outcome.kind !== "survived") return entry;
  const { before, after, answers } = outcome.changed;
  const { endpoint: operation, body: request } = before.request;
  const difference = firstDifference(before, after, subjects);
  const shownBy = { operation, request, curl: toCurl(before.request, target), answers, ...difference };
  return redactTexts({ ...entry, shownBy }, redactor(target.secrets));
}

/** Why a fault was not exercised, or what would exercise it. */
function reasonOf({ rule, needs, scope }: Fault, { why, message }: FaultOutcome & { kind: "not exercised" }): string {
  switch (why) {
    case "not judged":
      return "its rule was not judged in this run";
    case "broken already":
      return "its rule is broken in this run already";
    case "no conclusion":
      return `the checks of its rule came to no conclusion${message === undefined ? "" : `: ${message}`}`;
    case "nothing to change": {
      const data = needs ?? dataNeeds(rule).map(dataInWords).join(" or ");
      const where = scope === "" ? "" : `, ${scope}`;
      return `needs ${data === "" ? "a request that has it to answer" : data}${where}`;
    }
  }
}

/** The score of some entries. */
export function scoreOf(entries: readonly Pick<FaultEntry, "outcome">[]): PowerScore {
  const count = (outcome: FaultEntry["outcome"]) => entries.filter((entry) => entry.outcome === outcome).length;
  return { killed: count("killed"), survived: count("survived"), notExercised: count("not exercised") };
}

/** The faults that were not exercised, grouped by the reason, the most frequent one first. */
export function notExercisedByReason(faults: readonly FaultEntry[]): (readonly [why: string, group: FaultEntry[]])[] {
  const unexercised = faults.filter(({ outcome }) => outcome === "not exercised");
  return [...groupBy(unexercised, ({ why = "" }) => why)].sort(([, a], [, b]) => b.length - a.length);
}

/** Builds the report on a run. */
export function powerReport(results: Results, faults: readonly FaultEntry[], durationMs: number): PowerReport {
  const { target, profile, seed, startedAt, evidence } = results;
  const rules = [...new Set(faults.map(({ rule }) => rule))];
  return {
    format: "perp-conformance/power",
    formatVersion: 1,
    harness,
    run: { target, profile, seed, startedAt, ...(evidence && { evidence }) },
    durationMs: Math.round(durationMs),
    score: scoreOf(faults),
    rules: rules.map((name) => ({ name, ...scoreOf(faults.filter(({ rule }) => rule === name)) })),
    operations: endpointNames
      .map((name) => ({ name, ...scoreOf(faults.filter(({ operations }) => operations.includes(name))) }))
      .filter(({ killed, survived, notExercised }) => killed + survived + notExercised > 0),
    faults,
  };
}
