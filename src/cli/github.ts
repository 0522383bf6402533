import { appendFileSync, statSync } from "node:fs";
import { annotatedRules, annotations } from "../report/github.js";
import type { Results } from "../report/results.js";
import { resultsToMarkdown } from "../report/summary.js";

/** GitHub rejects a larger summary of a step as a whole; several targets share it. */
const maxSummaryBytes = 1024 * 1024;

/** How to report a run to GitHub. */
export interface GithubReportOptions {
  /** Name of the target, if there are several. */
  readonly name?: string | undefined;
  /** The stream for the annotations. GitHub reads both. */
  readonly annotate?: "stdout" | "stderr";
}

/** The rules whose violations GitHub shows as annotations, also in the log. Other output leaves them out. */
export function annotatedByGithub(results: Results): ReadonlySet<string> {
  return process.env.GITHUB_ACTIONS === "true" ? annotatedRules(results) : new Set();
}

/**
 * On GitHub Actions, reports a run as annotations (workflow commands) and as a summary on the page of the job. Elsewhere,
 * does nothing.
 */
export function reportToGithub(results: Results, { name, annotate = "stdout" }: GithubReportOptions = {}): void {
  const { env } = process;
  if (env.GITHUB_ACTIONS !== "true") return;
  process[annotate].write(`${annotations(results, name).join("\n")}\n`);
  if (!env.GITHUB_STEP_SUMMARY) return;
  const page = `${name === undefined ? "" : `# ${name}\n\n`}${resultsToMarkdown(results)}\n`;
  try {
    const written = statSync(env.GITHUB_STEP_SUMMARY, { throwIfNoEntry: false })?.size ?? 0;
    appendFileSync(env.GITHUB_STEP_SUMMARY, fitting(page, maxSummaryBytes - written));
  } catch (error) {
    process.stderr.write(`could not write the summary of the job: ${error instanceof Error ? error.message : error}\n`);
  }
}

/** A page, or the whole lines at its start that fit into a number of bytes together with a note. */
function fitting(page: string, bytes: number): string {
  if (Buffer.byteLength(page) <= bytes) return page;
  const note = "\n\nThe rest is in the file `summary.md` of the run.\n";
  const room = bytes - Buffer.byteLength(note);
  if (room < 0) return "";
  const lines = Buffer.from(page).subarray(0, room).toString().split("\n").slice(0, -1);
  return `${lines.join("\n")}${note}`;
}
