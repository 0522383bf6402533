import { randomInt } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { normalizeBaseUrl, transportProblem } from "../connect/base-url.js";
import type { HeaderLines } from "../connect/exchange.js";
import type { Target } from "../connect/target.js";
import type { Checked } from "../files/read-json.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import { absolutePaths, type ConfigFile, configFileSchema, readConfigFile, type TargetEntry } from "./config-file.js";
import { durationHelp, durationMs } from "./duration.js";
import { ConfigurationError, unknown } from "./errors.js";
import { labelsFrom, maxLabels } from "./labels.js";
import { type EnvironmentVariables, headerLine, readTextFile, tokenFromEnvironment, tokenFromFile } from "./secrets.js";
import type { Settings, TargetSettings } from "./settings.js";

export { ConfigurationError } from "./errors.js";

/** Command-line options as parsed: strings, and `true` for switches. */
export interface Flags {
  readonly config?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** True to test the embedded reference server. */
  readonly reference?: boolean | undefined;
  readonly profile?: string | undefined;
  readonly seed?: string | number | undefined;
  /** Milliseconds. */
  readonly timeout?: string | number | undefined;
  readonly concurrency?: string | number | undefined;
  /** Requests per second. */
  readonly rate?: string | number | undefined;
  readonly transport?: string | undefined;
  /** Lines such as `X-Tenant: one`. */
  readonly header?: readonly string[] | undefined;
  readonly tokenEnv?: string | undefined;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly insecure?: boolean | undefined;
  /** False when the correlation header was switched off; the command line cannot switch it on. */
  readonly correlation?: boolean | undefined;
  readonly out?: string | undefined;
  /** The user's own suite files. */
  readonly suites?: readonly string[] | undefined;
  /** Names of operations left out on purpose. */
  readonly notImplemented?: readonly string[] | undefined;
  /** Lines such as `build=12`. */
  readonly label?: readonly string[] | undefined;
  /** Suites by title, section or operation; all when empty. */
  readonly suite?: readonly string[] | undefined;
  /** Ids of rules; all when empty. */
  readonly rule?: readonly string[] | undefined;
  /** Chosen readings of rulings, such as `B4=best-first`. */
  readonly reading?: readonly string[] | undefined;
  readonly strict?: boolean | undefined;
  /** Minimum share of conclusive rules, in percent. */
  readonly requireConclusive?: number | undefined;
  /** File with the known deviations. */
  readonly baseline?: string | undefined;
  /** How long to wait for the server to come up, in seconds. */
  readonly wait?: number | undefined;
  /** How long to keep running with new seeds, in milliseconds. */
  readonly for?: number | undefined;
  /** False when the HTML report was switched off; the command line cannot switch it on. */
  readonly report?: boolean | undefined;
}

/** Where settings come from; defaults to the environment and working folder of the process. */
export interface Sources {
  readonly flags?: Flags;
  readonly env?: EnvironmentVariables;
  readonly cwd?: string;
}

/** Configuration files that are read by default, unless `--config` names another. At most one of them may exist. */
export const defaultConfigFiles = ["perp-conformance.json", "perp-conformance.jsonc"] as const;

const defaults = {
  profile: "quick",
  timeoutMs: 10_000,
  concurrency: 16,
  transport: "http1",
  out: "reports/latest",
} as const;

/** Single-value settings, with their names on the command line and in the environment. */
const scalars = {
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

/** Seeds are 31 bits, as fast-check requires. */
const maxSeed = 0x7fff_ffff;

type Scalar = keyof typeof scalars;

const scalarNames = Object.keys(scalars) as Scalar[];
const numbers: ReadonlySet<string> = new Set(["seed", "timeoutMs", "concurrency", "rate", "requireConclusive", "wait"]);
const switches: ReadonlySet<string> = new Set(["insecure", "correlation", "strict", "report"]);

/** Switches that are on by default, so `true` on the command line does not mean that the user set them. */
const onByDefault: ReadonlySet<string> = new Set(["correlation", "report"]);

/**
 * Resolves the settings of a run. Precedence: command line, environment (`CONFORMANCE_*`), configuration file, defaults.
 * Paths in the configuration file are relative to its folder, all others to the working folder.
 *
 * @throws ConfigurationError with all problems found
 */
export function resolveSettings(sources: Sources = {}): Settings {
  const problems: string[] = [];
  const settings = settle(fileOf(sources, problems), sources, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return settings;
}

/** The settings for one of the targets in a configuration file; a single target has no name. */
export interface NamedSettings {
  readonly name?: string;
  /** Has no base URL when the embedded reference server is to be tested. */
  readonly settings: Settings;
  /** The source of another base URL that `--reference` overrides. */
  readonly overridden?: string;
}

/**
 * Resolves the settings for each target of the configuration file, in order. A target's own settings override the common
 * ones, and its own token overrides any other. A base URL on the command line or in the environment replaces all targets.
 * The embedded reference server is tested only when `reference` is set.
 *
 * @param only names of the wanted targets; all when empty
 * @throws ConfigurationError with all problems found, also when there is no target to test
 */
export function resolveTargets(sources: Sources = {}, only: readonly string[] = []): NamedSettings[] {
  const problems: string[] = [];
  const { targets, ...file } = fileOf(sources, problems);
  const { flags = {}, env = process.env } = sources;
  if (flags.reference) return [embedded(file, targets, sources, only, problems)];
  if (only.length > 0 && targets === undefined && problems.length === 0)
    problems.push("--target needs targets in the configuration file");
  const chosen = flags.baseUrl ?? nonEmpty(env.CONFORMANCE_BASE_URL);
  if (only.length > 0 && chosen !== undefined) problems.push("--target and a base URL exclude each other");
  const names = (targets ?? []).map(({ name }) => name);
  for (const name of names.filter((each, index) => names.indexOf(each) !== index))
    problems.push(`there are two targets ${JSON.stringify(name)}`);
  for (const name of targets === undefined ? [] : only.filter((each) => !names.includes(each)))
    problems.push(unknown("target", name, names));

  const settled: NamedSettings[] =
    targets === undefined || chosen !== undefined
      ? [{ settings: settle(file, sources, problems) }]
      : targets
          .filter(({ name }) => only.length === 0 || only.includes(name))
          .map((entry) => settleTarget(entry, file, sources, problems));
  if (problems.length === 0 && settled.some(({ settings }) => settings.target.baseUrl === undefined))
    problems.push(noTarget);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return settled;
}

const noTarget =
  "nothing says what to test: give --base-url (or CONFORMANCE_BASE_URL, or baseUrl in the configuration file), " +
  "or --reference for the embedded reference server";

/** The settings for the embedded reference server: the user's settings without a base URL. */
function embedded(
  { baseUrl, ...file }: ConfigFile,
  targets: ConfigFile["targets"],
  sources: Sources,
  only: readonly string[],
  problems: string[],
): NamedSettings {
  const { flags = {}, env = process.env } = sources;
  if (flags.baseUrl !== undefined) problems.push("--reference and --base-url exclude each other");
  if (only.length > 0) problems.push("--reference and --target exclude each other");
  const { CONFORMANCE_BASE_URL: inEnvironment, ...others } = env;
  if (isBlank(inEnvironment)) problems.push(blankBaseUrl);
  const settings = settle(file, { ...sources, env: others }, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const fromFile = baseUrl === undefined && targets === undefined ? undefined : "the configuration file";
  const overridden = inEnvironment === undefined ? fromFile : "CONFORMANCE_BASE_URL";
  return { settings, ...(overridden && { overridden }) };
}

const blankBaseUrl = "CONFORMANCE_BASE_URL is empty: set it to the base URL, or unset it";

function isBlank(text: string | undefined): boolean {
  return text !== undefined && nonEmpty(text) === undefined;
}

function settleTarget(entry: TargetEntry, file: ConfigFile, sources: Sources, problems: string[]): NamedSettings {
  const { name, ...own } = entry;
  const { tokenEnv, tokenFile, ...common } = file;
  const hasToken = own.tokenEnv !== undefined || own.tokenFile !== undefined;
  const merged: ConfigFile = {
    ...common,
    ...(hasToken ? {} : { tokenEnv, tokenFile }),
    ...own,
    headers: { ...file.headers, ...own.headers },
    ...((file.labels || own.labels) && { labels: { ...file.labels, ...own.labels } }),
  };
  const { env = process.env, flags = {} } = sources;
  // A target with a token of its own must not receive another target's token.
  const withoutToken = { ...env, CONFORMANCE_TOKEN: undefined, CONFORMANCE_TOKEN_FILE: undefined };
  const found: string[] = [];
  const settings = settle(
    merged,
    { ...sources, ...(hasToken ? { env: withoutToken, flags: { ...flags, tokenEnv: undefined } } : {}) },
    found,
  );
  problems.push(...found.map((problem) => `target ${name}: ${problem}`));
  return { name, settings: { ...settings, out: join(settings.out, name) } };
}

function fileOf({ flags = {}, env = process.env, cwd = process.cwd() }: Sources, problems: string[]): ConfigFile {
  const found = configFileOf(flags.config ?? nonEmpty(env.CONFORMANCE_CONFIG), cwd);
  if ("value" in found) return found.value;
  problems.push(found.problem);
  return {};
}

/** Combines a configuration file with the sources that override it. Appends anything invalid to `problems`. */
function settle(file: ConfigFile, sources: Sources, problems: string[]): Settings {
  const { flags = {}, env = process.env, cwd = process.cwd() } = sources;
  if (isBlank(env.CONFORMANCE_BASE_URL)) problems.push(blankBaseUrl);
  const fromFlags = layer(
    (name) => (onByDefault.has(name) && flags[scalars[name].flag] === true ? undefined : flags[scalars[name].flag]),
    (name) => flagName(scalars[name].flag),
    cwd,
    problems,
  );
  const fromEnv = layer(
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
    ...(merged.seed === undefined ? { drawnSeed: true as const } : {}),
    out: merged.out,
    suites: suitesOf(flags, file, cwd, problems),
    ...(file.implementation && { implementation: file.implementation }),
    notImplemented: operationsOf(flags, env, file, problems),
    ...labelsOf(flags, env, file, problems),
    gate: {
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

/** Certificates, the token and headers, read from where the settings say. */
function credentialsOf(
  { ca, cert, key, insecure }: Pick<ConfigFile, "ca" | "cert" | "key" | "insecure">,
  file: ConfigFile,
  { flags = {}, env = process.env, cwd = process.cwd() }: Sources,
  problems: string[],
): Pick<Target, "tls" | "secrets"> {
  const take = <T>(found: Checked<T>, where?: string): T | undefined => {
    if ("value" in found) return found.value;
    problems.push(where === undefined ? found.problem : `${where}: ${found.problem}`);
    return undefined;
  };
  if ((cert === undefined) !== (key === undefined)) problems.push("a client certificate needs both, cert and key");
  const pem = (what: string, path: string | undefined) =>
    path === undefined ? undefined : take(readTextFile(path), what);
  const caText = pem("ca", ca);
  const certText = pem("cert", cert);
  const keyText = pem("key", key);
  const token = take(findToken(flags, env, file, cwd));
  const headers = headerLines(file.headers ?? {}, flags.header ?? [], env, problems);
  return {
    tls: { ...(caText && { ca: caText }), ...(certText && { cert: certText }), insecure: insecure ?? false },
    secrets: { headers, ...(token && { token }), ...(keyText && { key: keyText }) },
  };
}

/** Paths of the user's own suites. */
function suitesOf(flags: Flags, file: ConfigFile, cwd: string, problems: string[]): string[] {
  const suites = flags.suites?.map((path) => resolve(cwd, path)) ?? file.suites ?? [];
  for (const path of suites) {
    if (!existsSync(path)) problems.push(`there is no suite ${path}`);
    else if (!statSync(path).isFile()) problems.push(`the suite ${path} is no file`);
  }
  return suites;
}

/**
 * Resolves the settings of a run against a target given by its base URL.
 *
 * @throws ConfigurationError with all problems found, also when no base URL was given
 */
export function resolveTarget(sources: Sources = {}): TargetSettings {
  const settings = resolveSettings(sources);
  const { baseUrl } = settings.target;
  if (baseUrl === undefined) {
    throw new ConfigurationError([noTarget]);
  }
  return withBaseUrl(settings, baseUrl);
}

/** The settings with a base URL, which must have no trailing slash. */
export function withBaseUrl(settings: Settings, baseUrl: string): TargetSettings {
  return { ...settings, target: { ...settings.target, baseUrl } };
}

/** Reads the named file, which must exist, or else the default one if it exists. */
function configFileOf(named: string | undefined, cwd: string): Checked<ConfigFile> {
  if (named !== undefined) return readConfigFile(resolve(cwd, named));
  const [path, other] = defaultConfigFiles.map((name) => resolve(cwd, name)).filter((each) => existsSync(each));
  if (other !== undefined) return { problem: `there are two configuration files, ${path} and ${other}: remove one` };
  return path === undefined ? { value: {} } : readConfigFile(path);
}

/** Accepts any base URL: it is validated later, with messages that do not repeat possible credentials. */
const scalarSchema = configFileSchema.extend({ baseUrl: z.string().optional() });

/** The single-value settings of one source, validated like those of a configuration file. */
function layer(
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
    const message = issue.code === "invalid_type" ? `it must be a ${issue.expected}` : issue.message;
    if (name !== undefined) problems.push(`${nameOf(name)}: ${message}, got ${JSON.stringify(raw[name])}`);
  }
  return {};
}

/** Converts command-line or environment text to a number or boolean; invalid text is left for the schema to reject. */
function typed(name: Scalar, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (numbers.has(name)) return /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  if (switches.has(name))
    return { true: true, "1": true, false: false, "0": false }[value.trim().toLowerCase()] ?? value;
  return value;
}

/**
 * The user's own suite files, from the command line or the configuration file, for commands that do not make a run.
 *
 * @throws ConfigurationError when the configuration file cannot be read, or a suite is no file
 */
export function ownSuiteFiles(sources: Sources = {}): readonly string[] {
  const { flags = {}, cwd = process.cwd() } = sources;
  const problems: string[] = [];
  const files = suitesOf(flags, flags.suites ? {} : fileOf(sources, problems), cwd, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return files;
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
    problems.push(`not implemented: ${unknown("operation", name, endpointNames)}`);
  }
  return endpointNames.filter((known) => names.includes(known));
}

/** Precedence: `--token-env`, `CONFORMANCE_TOKEN`, `CONFORMANCE_TOKEN_FILE`, then the configuration file. */
function findToken(
  flags: Flags,
  env: EnvironmentVariables,
  file: ConfigFile,
  cwd: string,
): Checked<string | undefined> {
  if (flags.tokenEnv !== undefined) return tokenFromEnvironment(flags.tokenEnv, env);
  if (nonEmpty(env.CONFORMANCE_TOKEN) !== undefined) return tokenFromEnvironment("CONFORMANCE_TOKEN", env);
  const path = nonEmpty(env.CONFORMANCE_TOKEN_FILE);
  if (path !== undefined) return tokenFromFile(resolve(cwd, path));
  if (file.tokenEnv !== undefined && file.tokenFile !== undefined)
    return { problem: "give tokenEnv or tokenFile, not both" };
  if (file.tokenEnv !== undefined) return tokenFromEnvironment(file.tokenEnv, env);
  if (file.tokenFile !== undefined) return tokenFromFile(file.tokenFile);
  return { value: undefined };
}

/** Headers of the configuration file, overridden by those of the command line with the same name. */
function headerLines(
  fromFile: Readonly<Record<string, string>>,
  fromFlags: readonly string[],
  env: EnvironmentVariables,
  problems: string[],
): HeaderLines {
  const configured: [string, string][] = Object.entries(fromFile);
  for (const line of fromFlags) {
    const colon = line.indexOf(":");
    if (colon < 1) problems.push(`--header: a header is written "Name: value"`);
    else configured.push([line.slice(0, colon).trim(), line.slice(colon + 1)]);
  }
  const byName = new Map<string, readonly [string, string]>();
  for (const [name, value] of configured) {
    const found = headerLine(name, value, env);
    if ("value" in found) byName.set(name.toLowerCase(), found.value);
    else problems.push(found.problem);
  }
  return [...byName.values()];
}

function flagName(flag: keyof Flags): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}
