/** Plants faults into a recorded run, one at a time, and reports which of them the run would have detected. */
import type { Exchange, HttpRequest } from "../connect/exchange.js";
import { interpret } from "../connect/interpret.js";
import type { Answer, StreamAnswer } from "../engine/answer.js";
import { captureOf } from "../engine/check-client.js";
import { EveryAnswer } from "../engine/every-answer.js";
import { execute } from "../engine/execute.js";
import type { CheckResult } from "../engine/result.js";
import type { CheckDefinition } from "../engine/suite.js";
import { errorObjectRules } from "../judge/connect-error.js";
import { invariants } from "../judge/invariants.js";
import { mergeEveryAnswer } from "../session/merge-every-answer.js";
import { openEnvironment } from "../session/open-environment.js";
import { endpoints } from "../specification/endpoints.js";
import { isOwnRuleId } from "../specification/own-rules.js";
import { levelUnder } from "../specification/readings.js";
import { viewOf } from "./answer-view.js";
import type { Fault } from "./fault.js";
import { inference } from "./inference.js";
import type { Platform } from "./platform.js";
import { checkOf, discoveryWorker, type RecordedRun, type WorkerRecord } from "./recorded-run.js";
import { indexOf, type RecordIndex, recordedTransport } from "./recorded-transport.js";

/** The outcome of a fault. */
export type FaultOutcome =
  | { readonly kind: "killed"; readonly by: { readonly rule: string; readonly check: string } }
  | { readonly kind: "survived"; readonly changed: Changed }
  | {
      readonly kind: "not exercised";
      readonly why: "nothing to change" | "not judged" | "broken already" | "no conclusion";
      /** Why the rule's checks were inconclusive. */
      readonly message?: string;
    };

/** An answer before and after a fault. */
export interface Changed {
  readonly before: Exchange;
  readonly after: Exchange;
  /** Number of answers the fault changes. */
  readonly answers: number;
}

/** A check's result without a fault. */
interface BaselineCheck {
  readonly check: CheckDefinition;
  readonly worker: number;
  readonly isRed: boolean;
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

/** Skips judging every answer. That is done separately, only for answers that a fault changes. */
class Unjudged extends EveryAnswer {
  override judge(): void {}
  override judgeStream(): void {}
}

/** A recorded run to plant faults into, one at a time. */
export class FaultTrials {
  readonly #indexes: readonly RecordIndex[];
  readonly #usual: BaselineCheck[] = [];
  #redOnEvery: ReadonlySet<string> = new Set();
  /** The exchanges to judge. */
  readonly #judged: readonly Exchange[];

  readonly #inferred: (request: HttpRequest) => Exchange | undefined;
  readonly #workers: readonly WorkerRecord[];

  private constructor(
    private readonly run: RecordedRun,
    platform: Platform,
  ) {
    this.#workers = run.workers.filter(({ name }) => name !== discoveryWorker);
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
      exchanges.filter((exchange) => !/\/attempt-\d+$/.test(exchange.id) && judging.has(checkOf(exchange))),
    );
  }

  /** Opens a run and executes its checks once without a fault. */
  static async open(run: RecordedRun, platform: Platform): Promise<FaultTrials> {
    const trials = new FaultTrials(run, platform);
    await trials.#judgeAsItIs();
    return trials;
  }

  /** The checks that find their rule broken even without a fault. */
  get red(): readonly string[] {
    return [...this.#usual.filter(({ isRed }) => isRed).map(({ check }) => check.name), ...this.#redOnEvery];
  }

  async #judgeAsItIs(): Promise<void> {
    const open = this.#environments((exchange) => exchange);
    const workerOf = this.#workersOfSuites();
    const judged = new Map(this.#judged.map((exchange) => [exchange.id, exchange]));
    for (const check of this.run.checks) {
      const worker = workerOf.get(check.suite) ?? 0;
      const environment = open(worker);
      if (!environment) continue;
      const { result, exchanges } = await execute(check, environment);
      const reads = exchanges.flatMap(({ id }) => judged.get(id) ?? []);
      this.#usual.push({ check, worker, isRed: isRed(result), reads });
    }
    this.#redOnEvery = new Set(
      this.#everyAnswer(this.#judged)
        .filter(isRed)
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
    const own = this.#usual.filter(({ check }) => check.rule === fault.rule);
    if (own.length === 0) return { kind: "not exercised", why: "not judged" };
    const altered = new Map<Exchange, Exchange>();
    const { subjects } = this.run.session;
    const planted = (exchange: Exchange): Exchange => {
      const known = altered.get(exchange);
      if (known) return known;
      const after = fault.plant(viewOf(exchange, subjects)) ?? exchange;
      altered.set(exchange, after);
      return after;
    };
    // Changed answers are created lazily, since most faults are noticed in the first ones.
    const changes = new Map<string, Changed>();
    let looked = 0;
    const nextChange = (): Changed | undefined => {
      while (looked < this.#judged.length) {
        const before = this.#judged[looked++];
        const after = before && planted(before);
        if (!before || !after || after === before) continue;
        const changed = { before, after, answers: 0 };
        changes.set(before.id, changed);
        return changed;
      }
      return undefined;
    };
    const first = nextChange();
    if (!first) return { kind: "not exercised", why: "nothing to change" };

    const open = this.#environments(planted);
    const isTouched = ({ check, reads }: BaselineCheck) =>
      check.kind !== "observation" && reads.some((exchange) => planted(exchange) !== exchange);
    const undecided: CheckResult[] = [];
    let decided = false;
    const byChecks = async (checks: readonly BaselineCheck[]): Promise<CheckResult | undefined> => {
      for (const { check, worker, isRed: wasRed } of checks.filter(isTouched)) {
        const environment = open(worker);
        if (!environment) continue;
        const { result } = await execute(check, environment);
        if (this.#notices(fault, result, wasRed)) return result;
        if (check.rule !== fault.rule) continue;
        if (result.verdict === "pass" || isRed(result)) decided = true;
        else undecided.push(result);
      }
      return undefined;
    };
    const byAnswers = async () => this.#onEvery(fault, each([...changes.values()], nextChange), planted);
    // Rules that one answer decides settle most faults at once; other faults show when answers are compared.
    const steps = singleAnswerRules.has(fault.rule)
      ? [byAnswers, () => byChecks(own)]
      : [() => byChecks(own), byAnswers];
    for (const step of [...steps, () => byChecks(this.#usual.filter((usual) => !own.includes(usual)))]) {
      const found = await step();
      if (found) return killedBy(found);
    }
    if (own.some(({ isRed }) => isRed)) return { kind: "not exercised", why: "broken already" };
    const [unsettled] = undecided;
    if (unsettled && !decided)
      return {
        kind: "not exercised",
        why: "no conclusion",
        ...(unsettled.message !== undefined && { message: unsettled.message }),
      };
    while (nextChange());
    return { kind: "survived", changed: { ...first, answers: changes.size } };
  }

  /** Judges the changed answers by the rules for every answer, and returns the first result that notices the fault. */
  #onEvery(
    fault: Fault,
    changed: Iterable<Exchange>,
    planted: (exchange: Exchange) => Exchange,
  ): CheckResult | undefined {
    const isNew = (result: CheckResult) => this.#notices(fault, result, this.#redOnEvery.has(result.name));
    let leavesOut = false;
    for (const after of changed) {
      for (const result of this.#everyAnswer([after])) {
        if (result.seenValues && result.verdict !== "pass") leavesOut = true;
        else if (isNew(result)) return result;
      }
    }
    if (!leavesOut) return undefined;
    // Whether a value may be missing depends on all answers of a run (W2).
    const { orderStatuses } = this.run.session.subjects;
    return mergeEveryAnswer(this.#everyAnswer(this.#judged.map(planted)), orderStatuses).find(isNew);
  }

  /** Whether a result detects a fault: it must fail for a mandatory rule, and fail or warn for an advisory one. */
  #notices({ rule }: Fault, result: CheckResult, wasRed: boolean): boolean {
    if (wasRed || !isRed(result)) return false;
    return result.verdict === "fail" || levelUnder(this.run.session.readings, rule) !== "mandatory";
  }

  /** The results of the rules for every answer on some exchanges. */
  #everyAnswer(exchanges: readonly Exchange[]): CheckResult[] {
    const { subjects, readings } = this.run.session;
    const every = new EveryAnswer({ subjects, readings });
    for (const exchange of exchanges) {
      const { endpoint } = exchange.request;
      const view = viewOf(exchange, subjects);
      if (endpoints[endpoint].kind === "stream") {
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
  #environments(planted: (exchange: Exchange) => Exchange) {
    const { session } = this.run;
    const inferred = this.#inferred;
    const all = this.#indexes;
    const open = new Map<number, ReturnType<typeof openEnvironment>>();
    const everyAnswer = new Unjudged();
    return (worker: number) => {
      const own = this.#indexes[worker];
      const name = this.#workers[worker]?.name;
      if (!own || name === undefined) return undefined;
      let environment = open.get(worker);
      if (!environment) {
        const transport = recordedTransport({ own, all, inferred, planted });
        environment = openEnvironment(session, name, { transport, still: true, everyAnswer });
        open.set(worker, environment);
      }
      return environment;
    };
  }
}

/** Yields the answers changed so far, then further ones on demand. */
function* each(before: readonly Changed[], next: () => Changed | undefined): Generator<Exchange> {
  for (const { after } of before) yield after;
  for (let changed = next(); changed; changed = next()) yield changed.after;
}

function isRed({ verdict }: CheckResult): boolean {
  return verdict === "fail" || verdict === "warn";
}

function killedBy({ rule, name }: CheckResult): FaultOutcome {
  return { kind: "killed", by: { rule, check: name } };
}
