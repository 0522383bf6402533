import { randomInt } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { normalizeBaseUrl, transportProblem } from "../connect/base-url.js";
import type { Target } from "../connect/target.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import type { ConfigFile } from "./config-file.js";
import { credentialsOf } from "./credentials.js";
import { durationHelp, durationMs } from "./duration.js";
import { noSuch } from "./errors.js";
import { labelsFrom, maxLabels } from "./labels.js";
import { flagName, onByDefault, scalarSettings, scalars } from "./scalar-settings.js";
import type { EnvironmentVariables } from "./secrets.js";
import type { Settings } from "./settings.js";
import { type Flags, nonEmpty, type Sources } from "./sources.js";

const defaults = {
  profile: "quick",
  timeoutMs: 10_000,
  concurrency: 16,
  transport: "http1",
  out: "reports/latest",
} as const;

/** Seeds are 31 bits, as fast-check requires. */
const maxSeed = 0x7fff_ffff;

export const blankBaseUrl = "CONFORMANCE_BASE_URL is empty: set it to the base URL, or unset it";

/** Whether a text is given, but blank. */
export function isBlank(text: string | undefined): boolean {
  return text !== undefined && nonEmpty(text) === undefined;
}

/** Combines a configuration file with the sources that override it. Appends anything invalid to `problems`. */
export function mergeSources(file: ConfigFile, sources: Sources, problems: string[]): Settings {
  const { flags = {}, env = process.env, cwd = process.cwd() } = sources;
  if (isBlank(env.CONFORMANCE_BASE_URL)) problems.push(blankBaseUrl);
  const fromFlags = scalarSettings(
    (name) => (onByDefault.has(name) && flags[scalars[name].flag] === true ? undefined : flags[scalars[name].flag]),
    (name) => flagName(scalars[name].flag),
    cwd,
    problems,
  );
  const fromEnv = scalarSettings(
    (name) => nonEmpty(env[scalars[name].env]),
    (name) => scalars[name].env,
    cwd,
    problems,
  );
  const merged = { ...defaults, out: resolve(cwd, defaults.out), ...file, ...fromEnv, ...fromFlags };
  const baseUrl = baseUrlOf(merged, problems);
  const credentials = credentialsOf(merged, file, sources, problems);
  return {
    target: {
      ...(baseUrl && { baseUrl }),
      transport: merged.transport,
      timeoutMs: merged.timeoutMs,
      concurrency: merged.concurrency,
      ...(merged.rate !== undefined && { rate: merged.rate }),
      ...(merged.correlation === false && { correlation: false }),
      known: {
        markets: file.subjects?.markets ?? [],
        wallets: (file.subjects?.wallets ?? []).map((wallet) => wallet.trim().toLowerCase()),
      },
      ...credentials,
    },
    profile: merged.profile,
    seed: merged.seed ?? randomInt(maxSeed),
    ...(merged.seed === undefined && { drawnSeed: true as const }),
    out: merged.out,
    suites: suitesOf(flags, file, cwd, problems),
    ...(file.implementation && { implementation: file.implementation }),
    notImplemented: operationsOf(flags, env, file, problems),
    ...labelsOf(flags, env, file, problems),
    run: {
      suite: flags.suite?.length ? flags.suite : (file.suite ?? []),
      rule: flags.rule?.length ? flags.rule : (file.rule ?? []),
      readings: flags.reading?.length ? flags.reading : (file.readings ?? []),
      strict: merged.strict,
      requireConclusive: merged.requireConclusive,
      // Kept as the user wrote it, since reports name it.
      baseline: flags.baseline ?? nonEmpty(env.CONFORMANCE_BASELINE) ?? file.baseline,
      wait: merged.wait,
      forMs: flags.for ?? (file.for === undefined ? undefined : durationOf(file.for, problems)),
      report: merged.report ?? true,
    },
  };
}

/** The base URL as it is used; undefined if there is none, or none that can be used. */
function baseUrlOf(
  { baseUrl: written, transport }: Pick<ConfigFile, "baseUrl"> & Pick<Target, "transport">,
  problems: string[],
): string | undefined {
  if (written === undefined) return undefined;
  const url = normalizeBaseUrl(written);
  if ("problem" in url) {
    problems.push(`base URL: ${url.problem}`);
    return undefined;
  }
  const misfit = transportProblem(transport, url.baseUrl);
  if (misfit !== undefined) problems.push(misfit);
  return url.baseUrl;
}

/** Paths of the user's own suites. */
export function suitesOf(flags: Flags, file: ConfigFile, cwd: string, problems: string[]): string[] {
  const suites = flags.suites?.map((path) => resolve(cwd, path)) ?? file.suites ?? [];
  for (const path of suites) {
    if (!existsSync(path)) problems.push(`there is no suite ${path}`);
    else if (!statSync(path).isFile()) problems.push(`the suite ${path} is not a file`);
  }
  return suites;
}

function labelsOf(
  flags: Flags,
  env: EnvironmentVariables,
  file: ConfigFile,
  problems: string[],
): Pick<Settings, "labels"> {
  const inEnvironment = nonEmpty(env.CONFORMANCE_LABELS)?.split(",") ?? [];
  const labels = {
    ...file.labels,
    ...labelsFrom(inEnvironment, "CONFORMANCE_LABELS", problems),
    ...labelsFrom(flags.label ?? [], "--label", problems),
  };
  const count = Object.keys(labels).length;
  if (count > maxLabels) problems.push(`labels: ${count}, more than ${maxLabels}`);
  return count > 0 ? { labels } : {};
}

function durationOf(text: string, problems: string[]): number | undefined {
  const ms = durationMs(text);
  if (ms === undefined) problems.push(`for: it must be ${durationHelp}`);
  return ms;
}

/** The operations left out on purpose, in the specification's order. */
function operationsOf(
  flags: Flags,
  env: EnvironmentVariables,
  file: ConfigFile,
  problems: string[],
): readonly Endpoint[] {
  const inEnvironment = nonEmpty(env.CONFORMANCE_NOT_IMPLEMENTED)?.split(",");
  const names = (flags.notImplemented ?? inEnvironment ?? file.notImplemented ?? []).map((name) => name.trim());
  for (const name of names.filter((each) => !endpointNames.some((known) => known === each))) {
    problems.push(`not implemented: ${noSuch("operation", name, endpointNames)}`);
  }
  return endpointNames.filter((known) => names.includes(known));
}
