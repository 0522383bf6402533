import { inspect, stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";
import type { CheckResult } from "../engine/result.js";
import type { Traffic } from "../session/traffic.js";

/** What a collector tells while the checks run. */
export interface CollectorListener {
  /** Called with each result as it arrives. */
  readonly onResult: (result: CheckResult) => void;
  /** Called with the number of checks in a file of user suites, once it is loaded; that of our own is known beforehand. */
  readonly onOwnChecks: (count: number) => void;
}

/** A vitest reporter that collects what the checks of a run found. */
export class ResultCollector implements Reporter {
  readonly results: CheckResult[] = [];
  /** Results of the rules on every answer, of each worker. */
  readonly everyAnswer: CheckResult[] = [];
  readonly traffic: Traffic[] = [];
  /** Problems outside of checks: a suite that could not be loaded, an unhandled error. */
  readonly problems: string[] = [];
  /** Why some of the evidence could not be written. */
  readonly evidenceLost = new Set<string>();
  interrupted = false;

  /** @param ownSuites the files of user suites */
  constructor(
    private readonly ownSuites: readonly string[],
    private readonly listener: CollectorListener,
  ) {}

  onTestCaseResult(test: TestCase): void {
    const result = test.meta().conformance;
    if (result) {
      this.results.push(result);
      this.listener.onResult(result);
    } else if (test.result().state === "failed") {
      this.#addProblem(test.fullName, test.result().errors ?? []);
    }
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#addProblem(suite.fullName, suite.errors());
  }

  onTestModuleCollected(module: TestModule): void {
    if (this.ownSuites.includes(module.moduleId)) this.listener.onOwnChecks([...module.children.allTests()].length);
  }

  onTestModuleEnd(module: TestModule): void {
    const { everyAnswer = [], traffic, evidenceLost } = module.meta();
    this.everyAnswer.push(...everyAnswer);
    if (traffic) this.traffic.push(traffic);
    if (evidenceLost) this.evidenceLost.add(evidenceLost);
    this.#addProblem(module.relativeModuleId, module.errors());
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly unknown[], reason: string): void {
    if (unhandled.length > 0) this.problems.push(messagesOf(unhandled));
    this.interrupted ||= reason === "interrupted";
  }

  #addProblem(where: string, errors: readonly unknown[]): void {
    if (errors.length > 0) this.problems.push(`${where}: ${messagesOf(errors)}`);
  }
}

/** The messages of errors, which may be objects without a prototype, without the ANSI colours that module errors contain. */
function messagesOf(errors: readonly unknown[]): string {
  const texts = errors.map((error) => {
    const isError = typeof error === "object" && error !== null && "message" in error;
    return isError && typeof error.message === "string" ? error.message : inspect(error);
  });
  return stripVTControlCharacters(texts.join("; "));
}
