import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Status } from "allure-js-commons";
import { FileSystemWriter } from "allure-js-commons/sdk/reporter";
import { inertLines } from "./inert.js";

type TestResult = Parameters<FileSystemWriter["writeResult"]>[0];

/** Labels that say on which machine and in which file of the harness a check was made: nothing about the target. */
const aboutTheHarness: ReadonlySet<string> = new Set([
  "framework",
  "language",
  "host",
  "thread",
  "package",
  "_fallbackTestCaseId",
]);

/**
 * Writes Allure's raw results as plain files. The writer that Allure brings waits for the disk after each of some two
 * thousand files, half a second of a run, to survive a power cut: after one, a run is made again.
 */
export class PlainWriter extends FileSystemWriter {
  constructor(private readonly resultsDir: string) {
    super({ resultsDir });
    mkdirSync(resultsDir, { recursive: true });
  }

  override writeAttachment(name: string, content: Buffer): void {
    this.#write(name, content);
  }

  override writeResult(result: TestResult): void {
    this.#write(`${result.uuid}-result.json`, JSON.stringify(aboutTheTarget(result)));
  }

  #write(name: string, content: Buffer | string): void {
    writeFileSync(join(this.resultsDir, name), content);
  }
}

/**
 * A result without what vitest's adapter knows of the harness: its files, threads and stack traces (of errors they stay).
 * The adapter's own `parentSuite` gives way to the section, which comes after it. Texts from the target are made inert.
 */
function aboutTheTarget(result: TestResult): TestResult {
  const { labels, status, statusDetails, titlePath: _, ...rest } = result;
  const section = labels.findLast(({ name }) => name === "parentSuite");
  const { message, trace, ...details } = statusDetails;
  return {
    ...rest,
    status,
    fullName: result.name,
    labels: labels.filter(
      (label) => !aboutTheHarness.has(label.name) && (label.name !== "parentSuite" || label === section),
    ),
    statusDetails: {
      ...details,
      ...(message === undefined ? {} : { message: inertLines(message) }),
      ...(trace === undefined || status !== Status.BROKEN ? {} : { trace: inertLines(trace) }),
    },
  };
}
