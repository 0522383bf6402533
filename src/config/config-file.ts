import { dirname, resolve } from "node:path";
import { getNodeValue, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { z } from "zod";
import { extentOf } from "../files/json-extent.js";
import type { Checked } from "../files/read-json.js";
import { profiles } from "../specification/profile.js";
import { durationHelp } from "./duration.js";
import { correctionOf, messageOf } from "./errors.js";
import { labelsSchema } from "./labels.js";
import { namesSecret, readTextFile } from "./secrets.js";

const text = z.string().min(1);
const texts = z.array(text);

const market = z.strictObject({
  marketId: z
    .string()
    .regex(/^[1-9]\d{0,18}$/, "a market id is a decimal number in quotes")
    .describe("Decimal id, as a string"),
  assetSymbol: text.optional(),
  quoteSymbol: text.optional(),
});

const wallet = z.string().regex(/^\s*0x[0-9a-fA-F]{40}\s*$/, "a wallet is 0x and 40 hexadecimal digits");

/** Only the scheme is checked here; the rest is validated when it is used. A JSON Schema pattern cannot ignore case. */
const baseUrl = z
  .string()
  .regex(
    /^\s*(?:[Hh][Tt][Tt][Pp](?:[Ss]|\+[Uu][Nn][Ii][Xx])?:\/\/|[Uu][Nn][Ii][Xx]:)/,
    "a URL must start with http://, https:// or unix:",
  );

/** Settings that apply to the only target, or to one of several. */
const perTarget = {
  baseUrl: baseUrl
    .optional()
    .describe("Where the server is: http, https or unix:/its.sock, may have a path, may end in a slash"),
  timeoutMs: z.int().min(1).max(600_000).optional().describe("Idle timeout of a request, in milliseconds"),
  concurrency: z.int().min(1).max(1_000).optional().describe("Maximum requests in flight at the same time"),
  rate: z.number().positive().max(1_000_000).optional().describe("Maximum requests per second"),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      "Headers to send with each request; a dollar sign and a name in braces stand for an environment variable",
    ),
  tokenEnv: text.optional().describe("Name of the environment variable that holds the bearer token"),
  tokenFile: text.optional().describe("File that holds the bearer token"),
  ca: text.optional().describe("File with the certificates of trusted authorities, PEM"),
  cert: text.optional().describe("File with the client certificate, PEM"),
  key: text.optional().describe("File with the key of the client certificate, PEM"),
  insecure: z.boolean().optional().describe("Do not check the certificate of the server"),
  correlation: z
    .boolean()
    .optional()
    .describe("Whether each request names its check in the header X-Conformance-Check"),
  transport: z
    .enum(["http1", "h2c", "h2"])
    .optional()
    .describe("HTTP/1.1 (the default), HTTP/2 without TLS, or HTTP/2 over TLS"),
  subjects: z
    .strictObject({ markets: z.array(market).optional(), wallets: z.array(wallet).optional() })
    .optional()
    .describe("Markets and wallets to test with, besides those that are discovered"),
  notImplemented: z
    .array(z.string())
    .optional()
    .describe(
      "Operations that are left out on purpose, such as GetOrderBook: named in every report, and no longer required",
    ),
  implementation: z
    .strictObject({
      name: z.string().optional(),
      version: z.string().optional(),
      vendor: z.string().optional(),
      contact: z.string().optional(),
      url: z.string().optional(),
    })
    .optional()
    .describe("Who made the server: for the statement of a run"),
  labels: labelsSchema
    .optional()
    .describe("Labels for this run, such as a build or a commit: in results, reports and history"),
  suite: texts.optional().describe("Only these suites, by title, section or operation"),
  rule: texts.optional().describe("Only these rules, by id"),
  readings: texts.optional().describe("Alternative readings of the specification to judge by, such as B4=best-first"),
  strict: z.boolean().optional().describe("Whether advisory violations count against conformance"),
  requireConclusive: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe("Percentage of rules that must be conclusive, or the run is undecided"),
  baseline: text.optional().describe("File with the known deviations: a run is green if exactly these fail"),
  wait: z.number().min(0).max(86_400).optional().describe("Seconds to wait for the server to answer at all"),
};

const target = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "a name has letters, digits, '.', '_' and '-' only")
    .describe("Name of the target, and of its folder within the folder of the run"),
  ...perTarget,
  baseUrl: baseUrl.describe("Where this server is"),
});

/** The configuration file: all members are optional, and unknown ones are rejected. */
export const configFileSchema = z.strictObject({
  $schema: z.string().optional(),
  ...perTarget,
  profile: z.enum(profiles).optional().describe("quick is the default; full is the certification profile"),
  seed: z.int().min(0).max(0x7fff_ffff).optional().describe("Seed of everything that is generated"),
  suites: texts
    .optional()
    .describe("Files with suites of your own: modules in JavaScript or TypeScript that import perp-conformance"),
  targets: z
    .array(target)
    .min(1)
    .optional()
    .describe("Several servers, tested one after another; settings outside of them apply to each"),
  for: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,3})?[smh]$/, `it must be ${durationHelp}`)
    .optional()
    .describe("How long a run keeps going with new seeds, such as 90s, 10m or 2h"),
  report: z.boolean().optional().describe("Whether the HTML report is written"),
  out: text.optional().describe("Folder for the files of a run"),
});

/** The content of a configuration file. */
export type ConfigFile = z.infer<typeof configFileSchema>;

/** The entry of one of several targets in a configuration file. */
export type TargetEntry = z.infer<typeof target>;

const maxBytes = 1024 * 1024;
const maxDepth = 32;

/** Maximum number of problems reported for a file. */
const maxProblems = 20;

/** Reads and validates a configuration file (JSON with comments). Resolves relative paths against the file's own folder. */
export function readConfigFile(path: string): Checked<ConfigFile> {
  const file = readTextFile(path, maxBytes);
  if ("problem" in file) return { problem: `configuration file: ${file.problem}` };
  if (extentOf(Buffer.from(file.value), { comments: true }).depth > maxDepth)
    return { problem: `${path} nests deeper than ${maxDepth} levels` };
  const errors: ParseError[] = [];
  const tree = parseTree(file.value, errors, { allowTrailingComma: true });
  // Objects built from the tree have no prototype, so a member may have any name.
  const json: unknown = tree && getNodeValue(tree);
  const [error] = errors;
  if (error !== undefined) {
    const line = file.value.slice(0, error.offset).split("\n").length;
    return { problem: `${path} is not JSON (with comments): ${printParseErrorCode(error.error)} in line ${line}` };
  }
  const parsed = configFileSchema.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, maxProblems).flatMap((issue) => fileProblems(issue));
    const shown = problems.slice(0, maxProblems);
    return { problem: shown.map((problem) => `${path}: ${problem}`).join("\n") };
  }
  const folder = dirname(path);
  const { suites, targets, ...rest } = parsed.data;
  return {
    value: {
      ...absolutePaths(rest, folder),
      ...(suites && { suites: suites.map((file) => resolve(folder, file)) }),
      ...(targets && { targets: targets.map((entry) => absolutePaths(entry, folder)) }),
    },
  };
}

/** The settings that are paths. */
const paths = ["ca", "cert", "key", "tokenFile", "baseline", "out"] as const satisfies readonly (keyof ConfigFile)[];

/** Resolves the paths among the settings against a folder. */
export function absolutePaths<T extends Partial<Record<(typeof paths)[number], string | undefined>>>(
  config: T,
  folder: string,
): T {
  const absolute = paths.flatMap((name) => {
    const path = config[name];
    return path === undefined ? [] : [[name, resolve(folder, path)] as const];
  });
  return { ...config, ...Object.fromEntries(absolute) };
}

/** Turns a schema issue into helpful messages. */
function fileProblems(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.map(String).join(".");
  if (issue.code !== "unrecognized_keys") return [place === "" ? issue.message : `${place}: ${messageOf(issue)}`];
  return issue.keys.slice(0, maxProblems).map((full) => {
    const key = full.slice(0, 100);
    const name = place === "" ? key : `${place}.${key}`;
    const known = knownKeys(issue.path);
    const near = correctionOf(key, known);
    if (near !== undefined) return `${name} is unknown (did you mean ${JSON.stringify(near)}?)`;
    if (!namesSecret(key)) return `${name} is unknown (known: ${known.join(", ")})`;
    return `${name}: a secret is not written into the file; use tokenEnv, the name of an environment variable, or tokenFile`;
  });
}

/** The member names that the schema allows at a path of the file. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  let schema: z.ZodType = configFileSchema;
  for (const step of path) {
    schema = bare(schema);
    if (schema instanceof z.ZodObject) schema = schema.shape[String(step)];
    else if (schema instanceof z.ZodArray) schema = schema.element as z.ZodType;
  }
  schema = bare(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
}
