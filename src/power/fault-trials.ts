/** Plants faults into a recorded run, one at a time, and reports which of them the run would have detected. */
import type { Exchange, HttpRequest } from "../connect/exchange.js";
import { checkOf, isSuperseded } from "../connect/exchange-id.js";
import { interpret } from "../connect/interpret.js";
import type { Answer, StreamAnswer } from "../engine/answer.js";
import { captureOf } from "../engine/check-client.js";
import { EveryAnswer } from "../engine/every-answer.js";
import { execute } from "../engine/execute.js";
import { type CheckResult, isViolated } from "../engine/result.js";
import type { CheckDefinition } from "../engine/suite.js";
import { errorObjectRules } from "../judge/connect-error.js";
import { invariants } from "../judge/invariants.js";
import { discoveryRecord } from "../session/judge-discovery.js";
import { mergeEveryAnswer } from "../session/merge-every-answer.js";
import { type OpenEnvironment, openEnvironment } from "../session/open-environment.js";
import { isStream } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { levelUnder } from "../specification/readings.js";
import { viewOf } from "./answer-view.js";
import type { Fault } from "./fault.js";
import { inference } from "./inference.js";
import { type ChangedAnswer, PlantedFault } from "./planted-fault.js";
import type { ObservedPlatform } from "./platform.js";
import type { RecordedRun, WorkerRecord } from "./recorded-run.js";
import { indexOf, type RecordIndex, recordedTransport } from "./recorded-transport.js";

/** The outcome of a fault. */
export type FaultOutcome =
  | { readonly kind: "killed"; readonly by: { readonly rule: string; readonly check: string } }
  | { readonly kind: "survived"; readonly changed: ChangedAnswers }
  | {
      readonly kind: "not exercised";
      readonly why: "nothing to change" | "not judged" | "broken already" | "no conclusion";
      /** Why the rule's checks were inconclusive. */
      readonly message?: string;
    };

/** The first answer that a fault changes, and how many it changes. */
export interface ChangedAnswers extends ChangedAnswer {
  readonly answers: number;
}

/** A check's result without a fault. */
interface BaselineCheck {
  readonly check: CheckDefinition;
  readonly worker: number;
  /** Whether it finds its rule violated. */
  readonly violated: boolean;
  /** The exchanges it reads. */
  readonly reads: readonly Exchange[];
}

/**
 * Rules that a single answer decides, whichever check asked: the wire rules, and the invariants that also hold while data
 * change.
 */
const singleAnswerRules: ReadonlySet<string> = new Set([
  ...invariants.flatMap(({ rule, stable }) => (stable ? [] : [rule])),
  ...errorObjectRules,
  "wire.json-object",
  "wire.content-type",
  "wire.streaming-content-type",
]);

/** The environment of a worker; undefined if the record has no such worker. */
type OpenedEnvironments = (worker: number) => OpenEnvironment | undefined;

/** Skips judging every answer. That is done separately, only for answers that a fault changes. */
class Unjudged extends EveryAnswer {
  override judge(): void {}
  override judgeStream(): void {}
}

/** A recorded run to plant faults into, one at a time. */
export class FaultTrials {
  readonly #indexes: readonly RecordIndex[];
  readonly #baseline: BaselineCheck[] = [];
  #violatedOnEvery: ReadonlySet<string> = new Set();
  /** The exchanges to judge. */
  readonly #judged: readonly Exchange[];

  readonly #inferred: (request: HttpRequest) => Exchange | undefined;
  readonly #workers: readonly WorkerRecord[];

  private constructor(
    readonly run: RecordedRun,
    platform: ObservedPlatform,
  ) {
    this.#workers = run.workers.filter(({ name }) => name !== discoveryRecord);
    this.#indexes = this.#workers.map(indexOf);
    this.#inferred = inference(platform);
    const absent = run.session.subjects.broken
      .filter(({ kind }) => kind === "absent")
      .map(({ operation }) => operation);
    const judging = new Set(
      run.checks
        .filter(
          ({ kind, rule, endpoint }) => kind !== "observation" && !isOwnRuleId(rule) && !absent.includes(endpoint),
        )
        .map(({ name }) => name),
    );
    this.#judged = this.#workers.flatMap(({ exchanges }) =>
      exchanges.filter((exchange) => !isSuperseded(exchange) && judging.has(checkOf(exchange))),
    );
  }

  /** Opens a run and executes its checks once without a fault. */
  static async open(run: RecordedRun, platform: ObservedPlatform): Promise<FaultTrials> {
    const trials = new FaultTrials(run, platform);
    await trials.#judgeUnchanged();
    return trials;
  }

  /** The checks that find their rule broken even without a fault. */
  get violated(): readonly string[] {
    return [
      ...this.#baseline.filter(({ violated }) => violated).map(({ check }) => check.name),
      ...this.#violatedOnEvery,
    ];
  }

  async #judgeUnchanged(): Promise<void> {
    const open = this.#environments((exchange) => exchange);
    const workerOf = this.#workersOfSuites();
    const judged = new Map(this.#judged.map((exchange) => [exchange.id, exchange]));
    for (const check of this.run.checks) {
      const worker = workerOf.get(check.suite) ?? 0;
      const environment = open(worker);
      if (!environment) continue;
      const { result, exchanges } = await execute(check, environment);
      const reads = exchanges.flatMap(({ id }) => judged.get(id) ?? []);
      this.#baseline.push({ check, worker, violated: isViolated(result.verdict), reads });
    }
    this.#violatedOnEvery = new Set(
      this.#everyAnswer(this.#judged)
        .filter(({ verdict }) => isViolated(verdict))
        .map(({ name }) => name),
    );
  }

  /** The worker of each suite. Needed because a check that read only shared answers has no exchange of its own name. */
  #workersOfSuites(): ReadonlyMap<string, number> {
    const suites = new Map(this.run.checks.map(({ name, suite }) => [name, suite]));
    const workers = new Map<string, number>();
    for (const [worker, { exchanges }] of this.#workers.entries()) {
      for (const exchange of exchanges) {
        const suite = suites.get(checkOf(exchange));
        if (suite !== undefined) workers.set(suite, worker);
      }
    }
    return workers;
  }

  /** Plants a fault and judges until a check notices it. */
  async try(fault: Fault): Promise<FaultOutcome> {
    const checksOfRule = this.#baseline.filter(({ check }) => check.rule === fault.rule);
    if (checksOfRule.length === 0) return { kind: "not exercised", why: "not judged" };
    const planted = new PlantedFault(fault, this.#judged, this.run.session.subjects);
    const [first] = planted.changes();
    if (!first) return { kind: "not exercised", why: "nothing to change" };

    const open = this.#environments(planted.of);
    const ofOwn: CheckResult[] = [];
    const byAnswers = async () => this.#onEvery(planted);
    const byOwn = () => this.#byChecks(checksOfRule, planted, open, ofOwn);
    const others = this.#baseline.filter((usual) => !checksOfRule.includes(usual));
    const byOthers = () => this.#byChecks(others, planted, open, []);
    // Rules that one answer decides settle most faults at once; other faults show when answers are compared.
    for (const step of [...(singleAnswerRules.has(fault.rule) ? [byAnswers, byOwn] : [byOwn, byAnswers]), byOthers]) {
      const found = await step();
      if (found) return { kind: "killed", by: { rule: found.rule, check: found.name } };
    }
    if (checksOfRule.some(({ violated }) => violated)) return { kind: "not exercised", why: "broken already" };
    const [undecided] = ofOwn;
    if (undecided === undefined || ofOwn.some((result) => result.verdict === "pass" || isViolated(result.verdict))) {
      return { kind: "survived", changed: { ...first, answers: [...planted.changes()].length } };
    }
    const { message } = undecided;
    return { kind: "not exercised", why: "no conclusion", ...(message !== undefined && { message }) };
  }

  /**
   * Executes the checks that read a changed answer, until one of them notices the fault.
   *
   * @param results takes the results of the checks that do not
   */
  async #byChecks(
    checks: readonly BaselineCheck[],
    planted: PlantedFault,
    open: OpenedEnvironments,
    results: CheckResult[],
  ): Promise<CheckResult | undefined> {
    for (const { check, worker, violated: already, reads } of checks) {
      if (check.kind === "observation" || !reads.some((exchange) => planted.of(exchange) !== exchange)) continue;
      const environment = open(worker);
      if (!environment) continue;
      const { result } = await execute(check, environment);
      if (this.#notices(planted, result, already)) return result;
      results.push(result);
    }
    return undefined;
  }

  /** Judges the changed answers by the rules for every answer, and returns the first result that notices the fault. */
  #onEvery(planted: PlantedFault): CheckResult | undefined {
    const isNew = (result: CheckResult) => this.#notices(planted, result, this.#violatedOnEvery.has(result.name));
    let leavesOut = false;
    for (const { after } of planted.changes()) {
      for (const result of this.#everyAnswer([after])) {
        if (result.seenValues && result.verdict !== "pass") leavesOut = true;
        else if (isNew(result)) return result;
      }
    }
    if (!leavesOut) return undefined;
    // Whether a value may be missing depends on all answers of a run (W2).
    const { orderStatuses } = this.run.session.subjects;
    return mergeEveryAnswer(this.#everyAnswer(this.#judged.map(planted.of)), orderStatuses).find(isNew);
  }

  /** Whether a result detects a fault: it must fail for a mandatory rule, and fail or warn for an advisory one. */
  #notices({ fault }: PlantedFault, result: CheckResult, already: boolean): boolean {
    if (already || !isViolated(result.verdict)) return false;
    return result.verdict === "fail" || levelUnder(this.run.session.readings, fault.rule) !== "mandatory";
  }

  /** The results of the rules for every answer on some exchanges. */
  #everyAnswer(exchanges: readonly Exchange[]): CheckResult[] {
    const { subjects, readings } = this.run.session;
    const every = new EveryAnswer({ subjects, readings });
    for (const exchange of exchanges) {
      const { endpoint } = exchange.request;
      const view = viewOf(exchange, subjects);
      if (isStream(endpoint)) {
        const answer: StreamAnswer = { endpoint, request: view.request, exchange, outcome: captureOf(exchange) };
        every.judgeStream(answer);
      } else {
        const answer: Answer = { endpoint, request: view.request, exchange, outcome: interpret(exchange) };
        every.judge(answer);
      }
    }
    return every.results(() => "");
  }

  /** Opens the environments of the run's workers on demand. */
  #environments(planted: (exchange: Exchange) => Exchange): OpenedEnvironments {
    const { session } = this.run;
    const inferred = this.#inferred;
    const all = this.#indexes;
    const open = new Map<number, OpenEnvironment>();
    const everyAnswer = new Unjudged(session);
    return (worker: number) => {
      const index = this.#indexes[worker];
      const name = this.#workers[worker]?.name;
      if (!index || name === undefined) return undefined;
      return getOrInsert(open, worker, () => {
        const transport = recordedTransport({ own: index, all, inferred, planted });
        return openEnvironment(session, name, { transport, still: true, everyAnswer });
      });
    };
  }
}
