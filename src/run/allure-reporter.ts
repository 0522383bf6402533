import { ReporterRuntime } from "allure-js-commons/sdk/reporter";
import AllureVitestReporter, { type AllureVitestReporterConfig } from "allure-vitest/reporter";
import type { TestCase, Vitest } from "vitest/node";
import { PlainWriter } from "../report/allure-writer.js";

/** Allure's reporter for vitest, with a {@link PlainWriter}, which its configuration cannot name. */
export class AllureReporter extends AllureVitestReporter {
  readonly #options: AllureVitestReporterConfig & { readonly resultsDir: string };

  constructor(options: AllureVitestReporterConfig & { readonly resultsDir: string }) {
    super(options);
    this.#options = options;
  }

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    const { resultsDir, ...options } = this.#options;
    const allureReporterRuntime = new ReporterRuntime({ ...options, writer: new PlainWriter(resultsDir) });
    Object.assign(this, { allureReporterRuntime });
  }

  /** Writes each test when it is over, instead of all of them when nothing else is left to do. */
  onTestCaseResult(test: TestCase): void {
    // Not in vitest's types, but what Allure's adapter works on as well.
    this.handleTask(Reflect.get(test, "task"));
  }

  override onTestRunEnd(): void {
    super.onTestRunEnd([]);
  }
}
