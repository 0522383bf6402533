import { ReporterRuntime } from "allure-js-commons/sdk/reporter";
import AllureVitestReporter, { type AllureVitestReporterConfig } from "allure-vitest/reporter";
import type { TestCase, Vitest } from "vitest/node";
import { PlainWriter } from "../report/allure-writer.js";

/** Allure's vitest reporter with a {@link PlainWriter}, which cannot be set through its configuration. */
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

  /** Writes each test as soon as it ends, instead of all of them at the end of the run. */
  onTestCaseResult(test: TestCase): void {
    // Missing in vitest's types, but Allure's adapter uses it as well.
    this.handleTask(Reflect.get(test, "task"));
  }

  override onTestRunEnd(): void {
    super.onTestRunEnd([]);
  }
}
