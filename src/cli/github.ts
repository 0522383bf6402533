import { appendFileSync } from "node:fs";
import { annotations } from "../report/github.js";
import type { Results } from "../report/results.js";
import { toMarkdown } from "../report/summary.js";

/** GitHub refuses the summary of a step that is larger, as a whole. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/**
 * On GitHub Actions, tells of a run in its way: annotations as workflow commands on the standard output, and the summary on
 * the page of the job. Elsewhere nothing.
 *
 * @param name which of several targets it is about
 */
export function tellGithub(results: Results, name?: string, env: NodeJS.ProcessEnv = process.env): void {
  if (env.GITHUB_ACTIONS !== "true") return;
  process.stdout.write(`${annotations(results, name).join("\n")}\n`);
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
