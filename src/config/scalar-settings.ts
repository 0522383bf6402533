/** Settings with a single value: their names, and how they are read from the command line and the environment. */
import { z } from "zod";
import { absolutePaths, type ConfigFile, configFileSchema } from "./config-file.js";
import { messageOf } from "./errors.js";
import type { Flags } from "./sources.js";

/** Single-value settings, with their names on the command line and in the environment. */
export const scalars = {
  baseUrl: { flag: "baseUrl", env: "CONFORMANCE_BASE_URL" },
  profile: { flag: "profile", env: "CONFORMANCE_PROFILE" },
  seed: { flag: "seed", env: "CONFORMANCE_SEED" },
  timeoutMs: { flag: "timeout", env: "CONFORMANCE_TIMEOUT" },
  concurrency: { flag: "concurrency", env: "CONFORMANCE_CONCURRENCY" },
  rate: { flag: "rate", env: "CONFORMANCE_RATE" },
  transport: { flag: "transport", env: "CONFORMANCE_TRANSPORT" },
  ca: { flag: "ca", env: "CONFORMANCE_CA" },
  cert: { flag: "cert", env: "CONFORMANCE_CERT" },
  key: { flag: "key", env: "CONFORMANCE_KEY" },
  insecure: { flag: "insecure", env: "CONFORMANCE_INSECURE" },
  correlation: { flag: "correlation", env: "CONFORMANCE_CORRELATION" },
  strict: { flag: "strict", env: "CONFORMANCE_STRICT" },
  requireConclusive: { flag: "requireConclusive", env: "CONFORMANCE_REQUIRE_CONCLUSIVE" },
  baseline: { flag: "baseline", env: "CONFORMANCE_BASELINE" },
  wait: { flag: "wait", env: "CONFORMANCE_WAIT" },
  report: { flag: "report", env: "CONFORMANCE_REPORT" },
  out: { flag: "out", env: "CONFORMANCE_OUT" },
} as const satisfies Partial<Record<keyof ConfigFile, { flag: keyof Flags; env: string }>>;

type Scalar = keyof typeof scalars;

const scalarNames = Object.keys(scalars) as Scalar[];

const numbers: ReadonlySet<string> = new Set(["seed", "timeoutMs", "concurrency", "rate", "requireConclusive", "wait"]);

const switches: ReadonlySet<string> = new Set(["insecure", "correlation", "strict", "report"]);

const switchValues: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Switches that are on by default, so `true` on the command line does not mean that the user set them. */
export const onByDefault: ReadonlySet<string> = new Set(["correlation", "report"]);

/** Accepts any base URL: it is validated later, with messages that do not repeat possible credentials. */
const scalarSchema = configFileSchema.extend({ baseUrl: z.string().optional() });

/** The single-value settings of one source, validated like those of a configuration file. */
export function scalarSettings(
  read: (name: Scalar) => string | number | boolean | readonly string[] | undefined,
  nameOf: (name: Scalar) => string,
  cwd: string,
  problems: string[],
): Pick<ConfigFile, Scalar> {
  const raw = Object.fromEntries(
    scalarNames.map((name) => [name, typed(name, read(name))]).filter(([, value]) => value !== undefined),
  );
  const parsed = scalarSchema.safeParse(raw);
  if (parsed.success) return absolutePaths(parsed.data, cwd);
  for (const issue of parsed.error.issues) {
    const name = scalarNames.find((scalar) => scalar === issue.path[0]);
    const message = issue.code === "invalid_type" ? `it must be a ${issue.expected}` : messageOf(issue);
    if (name !== undefined) problems.push(`${nameOf(name)}: ${message}, got ${JSON.stringify(raw[name])}`);
  }
  return {};
}

/** Converts command-line or environment text to a number or boolean; invalid text is left for the schema to reject. */
function typed(name: Scalar, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (numbers.has(name)) return /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  if (switches.has(name)) return switchValues.get(value.trim().toLowerCase()) ?? value;
  return value;
}

/** An option as it is written on the command line. */
export function flagName(flag: keyof Flags): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
