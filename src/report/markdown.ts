/** Puts a line in a Markdown code span that it cannot leave: nothing in it acts as Markdown or HTML. */
export function codeSpan(line: string): string {
  const longestRun = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return longestRun > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
