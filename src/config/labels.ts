import { z } from "zod";
import { messageOf } from "./errors.js";

/** Labels that identify a run, such as a build or a commit. */
export type Labels = Readonly<Record<string, string>>;

/** Maximum number of labels of a run. */
export const maxLabels = 20;

const key = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,59}$/, "a label has letters, digits, '.', '_', '/' and '-' only, 60 at most");

/** Schema of labels in a configuration file. */
export const labelsSchema = z.record(
  key,
  z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\u0000-\u001f\u007f]*$/, "a label is one line"),
);

/**
 * Parses labels from lines such as `build=12`. Appends anything invalid to `problems`.
 *
 * @param where names the source of the lines in messages
 */
export function labelsFrom(lines: readonly string[], where: string, problems: string[]): Labels {
  const given = lines.map((line) => {
    const at = line.indexOf("=");
    if (at < 1) problems.push(`${where}: a label is written key=value, not ${JSON.stringify(line.slice(0, 100))}`);
    return [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()] as const;
  });
  if (given.some(([name]) => name === "")) return {};
  const names = given.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) problems.push(`${where}: ${twice} is given twice`);
  const labels = Object.fromEntries(given);
  const parsed = labelsSchema.safeParse(labels);
  if (!parsed.success)
    problems.push(...parsed.error.issues.map((issue) => `${where}: ${issue.path.join(".")}: ${messageOf(issue)}`));
  return labels;
}

/** Labels in one line: `build=12, commit=1f2e3d`. */
export function labelsInWords(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}
