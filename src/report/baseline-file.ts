import { z } from "zod";
import { ConfigurationError } from "../config/errors.js";
import { anyJson, readJsonFile } from "../files/read-json.js";
import { FileRefused } from "../files/refused.js";
import { writeWhole } from "../files/write.js";
import { type BaselineEntry, nameOfEntry } from "./baseline-report.js";

const members = z.strictObject({
  rule: z
    .string()
    .min(1)
    .optional()
    .describe("Id of the rule that is violated; every rule on the operation when absent"),
  endpoint: z.string().min(1).optional().describe("Only this operation; all operations of the rule when absent"),
  check: z
    .string()
    .min(1)
    .optional()
    .describe("Only this check of the rule, by its name; all of its checks when absent"),
  reason: z.string().min(1).describe("Why the deviation is tolerated"),
  request: z
    .string()
    .min(1)
    .optional()
    .describe("The smallest request that showed it, as reports show it: a run makes it whatever its seed"),
  issue: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Link to the issue that will end it"),
  expires: z.iso.date().describe("The last day on which the entry holds, UTC"),
});

const entry = members
  .refine(
    ({ rule, endpoint }) => rule !== undefined || endpoint !== undefined,
    "it names neither a rule nor an endpoint",
  )
  .refine(({ rule, check }) => check === undefined || rule !== undefined, "it names a check without its rule")
  .meta({
    // ajv's strict mode requires that `properties` names the required members.
    anyOf: ["rule", "endpoint"].map((name) => ({ properties: { [name]: {} }, required: [name] })),
    dependentRequired: { check: ["rule"] },
  });

/** The baseline file: the known deviations of a target. Unknown members are rejected. */
export const baselineSchema = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal("perp-conformance/baseline").optional(),
  formatVersion: z.literal(1).optional(),
  entries: z
    .array(entry)
    .describe("One entry for each rule, for each rule and operation, for each check, or for each operation"),
});

const maxBytes = 1024 * 1024;

const maxProblems = 20;

/** Where `--write-baseline` writes by default. */
export const defaultBaselineFile = "perp-conformance-baseline.json";

/**
 * Reads the entries of a baseline file.
 *
 * @throws ConfigurationError if the file cannot be read, is not a baseline, or lists the same thing twice
 */
export function readBaseline(path: string): BaselineEntry[] {
  const json = jsonOf(path);
  const parsed = baselineSchema.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, maxProblems);
    throw new ConfigurationError(problems.map((problem) => `${path}: ${problemIn(json, problem)}`));
  }
  const { entries } = parsed.data;
  const names = entries.map(nameOfEntry);
  const seen = new Set<string>();
  const twice = names.filter((name) => seen.size === seen.add(name).size).slice(0, maxProblems);
  if (twice.length > 0) throw new ConfigurationError(twice.map((name) => `${path} lists ${name} twice`));
  return entries;
}

/**
 * Writes a baseline file.
 *
 * @throws if the file cannot be written
 */
export async function writeBaseline(path: string, entries: readonly BaselineEntry[]): Promise<void> {
  const file = { format: "perp-conformance/baseline", formatVersion: 1, entries };
  await writeWhole(path, `${JSON.stringify(file, undefined, 2)}\n`);
}

function jsonOf(path: string): unknown {
  try {
    // Problems with the schema are reported separately, each with the path of the file.
    return readJsonFile(path, anyJson(maxBytes));
  } catch (error) {
    throw error instanceof FileRefused ? new ConfigurationError([`the baseline ${error.message}`]) : error;
  }
}

/** A problem of a baseline in words: `entry 2 (order-book.bucket-spacing): expires is missing`. */
function problemIn(json: unknown, { path, message }: z.core.$ZodIssue): string {
  const [list, index, ...place] = path;
  if (list !== "entries" || typeof index !== "number") return [...path.map(String), message].join(": ");
  const found = (json as { readonly entries: readonly unknown[] }).entries[index];
  const { rule, endpoint } = (found ?? {}) as Readonly<Record<string, unknown>>;
  const named = [rule, endpoint].find((name) => typeof name === "string");
  const entry = `entry ${index + 1}${named === undefined ? "" : ` (${named})`}`;
  const field = place.map(String).join(".");
  const isMissing = found instanceof Object && place.length === 1 && !Object.hasOwn(found, field);
  return isMissing ? `${entry}: ${field} is missing` : [entry, ...(field === "" ? [] : [field]), message].join(": ");
}
