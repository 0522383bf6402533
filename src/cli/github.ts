import { appendFileSync } from "node:fs";
import { annotatedRules, annotations } from "../report/github.js";
import type { Results } from "../report/results.js";
import { toMarkdown } from "../report/summary.js";

/** GitHub refuses the summary of a step that is larger, as a whole. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** What GitHub is told, and how. */
export interface Telling {
  /** Which of several targets it is about. */
  readonly name?: string | undefined;
  /** The stream that the annotations go to; GitHub reads both. */
  readonly annotate?: "stdout" | "stderr";
}

/** The rules whose violations GitHub shows as annotations, in the log as well: what else is printed leaves them out. */
export function annotated(results: Results, env: NodeJS.ProcessEnv = process.env): ReadonlySet<string> {
  return env.GITHUB_ACTIONS === "true" ? annotatedRules(results) : new Set();
}

/**
 * On GitHub Actions, tells of a run in its way: annotations as workflow commands, and the summary on the page of the job.
 * Elsewhere nothing.
 */
export function tellGithub(
  results: Results,
  { name, annotate = "stdout" }: Telling = {},
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (env.GITHUB_ACTIONS !== "true") return;
  process[annotate].write(`${annotations(results, name).join("\n")}\n`);
  if (!env.GITHUB_STEP_SUMMARY) return;
  const page = `${name === undefined ? "" : `# ${name}\n\n`}${toMarkdown(results)}\n`;
  try {
    appendFileSync(env.GITHUB_STEP_SUMMARY, fitting(page));
  } catch (error) {
    process.stderr.write(`could not write the summary of the job: ${error instanceof Error ? error.message : error}\n`);
  }
}

function fitting(page: string): string {
  if (Buffer.byteLength(page) <= MAX_SUMMARY_BYTES) return page;
  const lines = Buffer.from(page)
    .subarray(0, MAX_SUMMARY_BYTES / 2)
    .toString()
    .split("\n")
    .slice(0, -1);
  return `${lines.join("\n")}\n\nThe rest is in the file \`summary.md\` of the run.\n`;
}
