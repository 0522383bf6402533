import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Status } from "allure-js-commons";
import { FileSystemWriter } from "allure-js-commons/sdk/reporter";
import { sanitizeLines } from "./sanitize.js";

type TestResult = Parameters<FileSystemWriter["writeResult"]>[0];

/** Labels for the machine and the harness file that ran a check. They say nothing about the target. */
const aboutTheHarness: ReadonlySet<string> = new Set([
  "framework",
  "language",
  "host",
  "thread",
  "package",
  "_fallbackTestCaseId",
]);

/**
 * Writes Allure's raw results as plain files. Allure's own writer flushes each of about two thousand files to disk so that
 * they survive a power cut. That takes half a second per run, and after a power cut the run is repeated anyway.
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
    // Allure reads a missing list as an empty one.
    const unlessEmpty = (value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value);
    const text = JSON.stringify(aboutTheTarget(result), (_, value) => unlessEmpty(value));
    this.#write(`${result.uuid}-result.json`, text);
  }

  #write(name: string, content: Buffer | string): void {
    writeFileSync(join(this.resultsDir, name), content);
  }
}

/**
 * Removes what vitest's adapter adds about the harness: files, threads and stack traces. Errors keep their stack trace. The
 * adapter's own `parentSuite` is dropped in favour of the section, which comes after it. Text from the target is sanitized.
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
      ...(message !== undefined && { message: sanitizeLines(message) }),
      ...(trace !== undefined && status === Status.BROKEN && { trace: sanitizeLines(trace) }),
    },
  };
}
