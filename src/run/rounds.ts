import { type CheckResult, isViolated, type Verdict } from "../engine/result.js";
import { countOf } from "../judge/judgement.js";
import { assembleResults, type RunFacts, type VerdictFacts } from "../report/assemble-results.js";
import { brokenIn, checkEntriesOf, declaredIn, type Results, type RoundEntry } from "../report/results.js";
import { roundFolder } from "../report/write.js";
import { addTraffic, sentOf, type Traffic } from "../session/traffic.js";
import { isStream } from "../specification/endpoints.js";
import type { BrokenOperation } from "../subjects/subjects.js";
import { checkResultFrom, commonFacts, trafficOf } from "./parts.js";

/** Most rounds that are kept on disk. Each of them shows a violation that no earlier one shows. */
const maxKeptRounds = 20;

/** Most problems that are reported. */
const maxProblems = 20;

/** Verdicts, most severe first. A conclusive verdict in one round goes before an inconclusive one in the others. */
const bySeverity: readonly Verdict[] = [
  "fail",
  "error",
  "warn",
  "pass",
  "observed",
  "unimplemented",
  "blocked",
  "inconclusive",
  "notApplicable",
  "notRun",
];

/** The facts that apply to the run as a whole. */
export type WholeRunFacts = VerdictFacts & Pick<RunFacts, "seed" | "command" | "startedAt" | "finishedAt">;

/**
 * Combines the rounds of a timed run into one run, with the worst result of each check. Only that is kept in memory, so
 * memory use does not grow with the number of rounds.
 */
export class Rounds {
  readonly #checks = new Map<string, CheckResult>();
  /** Number of rounds in which a check found its rule broken. */
  readonly #found = new Map<string, number>();
  readonly #rounds: RoundEntry[] = [];
  readonly #problems = new Set<string>();
  #broken: readonly BrokenOperation[] = [];
  #traffic: Traffic = addTraffic([]);
  #first: Results | undefined;
  #interrupted = false;

  /** Number of rounds. */
  get count(): number {
    return this.#rounds.length;
  }

  /**
   * Adds a round.
   *
   * @returns whether to keep its files: it has problems or a violation that no earlier round shows, and the limit is not
   *   reached
   */
  add(results: Results): boolean {
    this.#first ??= results;
    const index = this.#rounds.length + 1;
    const { seed, startedAt, durationMs, requests, summary, problems, evidence } = results;
    const shown = [...checkEntriesOf(results)].filter(({ check }) => isViolated(check.verdict));
    const isNew = shown.some(({ check }) => !this.#found.has(check.name)) || problems.length > 0;
    const isKept = isNew && this.#rounds.filter(({ kept }) => kept).length < maxKeptRounds;
    for (const { rule, check } of checkEntriesOf(results)) {
      const found = checkResultFrom(rule, check, (id) => `${roundFolder(index)}: ${id}`);
      this.#combine(isViolated(check.verdict) ? { ...found, round: { index, seed } } : { ...found, exchanges: [] });
    }
    for (const { check } of shown) this.#found.set(check.name, (this.#found.get(check.name) ?? 0) + 1);
    for (const problem of problems)
      if (this.#problems.size < maxProblems) this.#problems.add(`round ${index}: ${problem}`);
    this.#traffic = addTraffic([this.#traffic, trafficOf(results)]);
    // A round without subjects, such as an interrupted one, has not looked for broken operations.
    if (results.subjects) this.#broken = brokenIn(results);
    this.#interrupted ||= results.incomplete === true;
    this.#rounds.push({
      index,
      seed,
      startedAt,
      durationMs,
      requests: requests.count,
      conclusion: summary.conclusion,
      ...(isKept && { kept: true as const, ...(evidence && { evidence }) }),
    });
    return isKept;
  }

  /** The results of all rounds so far, as one run. */
  results(wholeRun: WholeRunFacts): Results {
    const first = this.#first;
    if (first === undefined) throw new Error("there is no round yet");
    return {
      ...assembleResults({
        ...commonFacts(first),
        ...wholeRun,
        successes: this.#traffic.successes,
        broken: this.#broken,
        notImplemented: declaredIn(first),
        results: [...this.#checks.values()].map((result) => this.#inWords(result)),
        problems: [...this.#problems],
        interrupted: this.#interrupted,
        requests: sentOf(this.#traffic),
        ...(first.labels && { labels: first.labels }),
      }),
      rounds: this.#rounds,
    };
  }

  #combine(result: CheckResult): void {
    const known = this.#checks.get(result.name);
    const mostSevere = known && severity(known) <= severity(result) ? known : result;
    this.#checks.set(result.name, {
      ...mostSevere,
      assertions: result.assertions + (known?.assertions ?? 0),
      requests: result.requests + (known?.requests ?? 0),
      durationMs: result.durationMs + (known?.durationMs ?? 0),
    });
  }

  /** Adds to the message in how many rounds the check found its rule broken, and which seed repeats it. */
  #inWords(result: CheckResult): CheckResult {
    const { round, name, endpoint, message } = result;
    if (round === undefined) return result;
    const rounds = this.#found.get(name) ?? 1;
    const again = `--seed ${round.seed}${isStream(endpoint) ? " --for 30s" : ""}`;
    const where = `found in ${rounds} of ${countOf(this.#rounds.length, "round")}, first in round ${round.index}: ${again} repeats it`;
    return { ...result, message: message === undefined ? where : `${where}; ${message}` };
  }
}

function severity({ verdict }: CheckResult): number {
  return bySeverity.indexOf(verdict);
}
