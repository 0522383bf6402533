import { appendFileSync } from "node:fs";
import { annotatedRules, annotations } from "../report/github.js";
import type { Results } from "../report/results.js";
import { toMarkdown } from "../report/summary.js";

/** GitHub rejects a larger step summary as a whole. */
const maxSummaryBytes = 1024 * 1024;

/** How to report a run to GitHub. */
export interface Telling {
  /** Name of the target, if there are several. */
  readonly name?: string | undefined;
  /** The stream for the annotations. GitHub reads both. */
  readonly annotate?: "stdout" | "stderr";
}

/** The rules whose violations GitHub shows as annotations, also in the log. Other output leaves them out. */
export function annotated(results: Results, env: NodeJS.ProcessEnv = process.env): ReadonlySet<string> {
  return env.GITHUB_ACTIONS === "true" ? annotatedRules(results) : new Set();
}

/**
 * On GitHub Actions, reports a run as annotations (workflow commands) and as a summary on the page of the job. Elsewhere,
 * does nothing.
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
  if (Buffer.byteLength(page) <= maxSummaryBytes) return page;
  const lines = Buffer.from(page)
    .subarray(0, maxSummaryBytes / 2)
    .toString()
    .split("\n")
    .slice(0, -1);
  return `${lines.join("\n")}\n\nThe rest is in the file \`summary.md\` of the run.\n`;
}
