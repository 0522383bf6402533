import { join } from "node:path";
import type { ConfigFile, TargetEntry } from "./config-file.js";
import { ConfigurationError, noSuch } from "./errors.js";
import { blankBaseUrl, isBlank, mergeSources, suitesOf } from "./merge-sources.js";
import type { Settings, TargetSettings } from "./settings.js";
import { fileOf, nonEmpty, type Sources } from "./sources.js";

/**
 * Resolves the settings of a run. Precedence: command line, environment (`CONFORMANCE_*`), configuration file, defaults.
 * Paths in the configuration file are relative to its folder, all others to the working folder.
 *
 * @throws ConfigurationError with all problems found
 */
export function resolveSettings(sources: Sources = {}): Settings {
  const problems: string[] = [];
  const settings = mergeSources(fileOf(sources, problems), sources, problems);
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
  if (flags.reference) return [embedded({ ...file, targets }, sources, only, problems)];
  if (only.length > 0 && targets === undefined && problems.length === 0)
    problems.push("--target needs targets in the configuration file");
  const chosen = flags.baseUrl ?? nonEmpty(env.CONFORMANCE_BASE_URL);
  if (only.length > 0 && chosen !== undefined) problems.push("--target and a base URL cannot be used together");
  const names = (targets ?? []).map(({ name }) => name);
  for (const name of names.filter((each, index) => names.indexOf(each) !== index))
    problems.push(`there are two targets ${JSON.stringify(name)}`);
  for (const name of targets === undefined ? [] : only.filter((each) => !names.includes(each)))
    problems.push(noSuch("target", name, names));

  const resolved: NamedSettings[] =
    targets === undefined || chosen !== undefined
      ? [{ settings: mergeSources(file, sources, problems) }]
      : targets
          .filter(({ name }) => only.length === 0 || only.includes(name))
          .map((entry) => mergeTarget(entry, file, sources, problems));
  if (problems.length === 0 && resolved.some(({ settings }) => settings.target.baseUrl === undefined))
    problems.push(noTarget);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return resolved;
}

const noTarget =
  "nothing says what to test: give --base-url (or CONFORMANCE_BASE_URL, or baseUrl in the configuration file), " +
  "or --reference for the embedded reference server";

/** The settings for the embedded reference server: the user's settings without a base URL. */
function embedded(
  { baseUrl, targets, ...file }: ConfigFile,
  sources: Sources,
  only: readonly string[],
  problems: string[],
): NamedSettings {
  const { flags = {}, env = process.env } = sources;
  if (flags.baseUrl !== undefined) problems.push("--reference and --base-url cannot be used together");
  if (only.length > 0) problems.push("--reference and --target cannot be used together");
  const { CONFORMANCE_BASE_URL: inEnvironment, ...others } = env;
  if (isBlank(inEnvironment)) problems.push(blankBaseUrl);
  const settings = mergeSources(file, { ...sources, env: others }, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const fromFile = baseUrl === undefined && targets === undefined ? undefined : "the configuration file";
  const overridden = inEnvironment === undefined ? fromFile : "CONFORMANCE_BASE_URL";
  return { settings, ...(overridden && { overridden }) };
}

function mergeTarget(entry: TargetEntry, file: ConfigFile, sources: Sources, problems: string[]): NamedSettings {
  const { name, ...overrides } = entry;
  const { tokenEnv, tokenFile, ...common } = file;
  const hasToken = overrides.tokenEnv !== undefined || overrides.tokenFile !== undefined;
  const merged: ConfigFile = {
    ...common,
    ...(!hasToken && { tokenEnv, tokenFile }),
    ...overrides,
    headers: { ...file.headers, ...overrides.headers },
    ...((file.labels || overrides.labels) && { labels: { ...file.labels, ...overrides.labels } }),
  };
  const { env = process.env, flags = {} } = sources;
  // A target with a token of its own must not receive another target's token.
  const withoutToken = { ...env, CONFORMANCE_TOKEN: undefined, CONFORMANCE_TOKEN_FILE: undefined };
  const found: string[] = [];
  const settings = mergeSources(
    merged,
    { ...sources, ...(hasToken && { env: withoutToken, flags: { ...flags, tokenEnv: undefined } }) },
    found,
  );
  problems.push(...found.map((problem) => `target ${name}: ${problem}`));
  return { name, settings: { ...settings, out: join(settings.out, name) } };
}

/**
 * Resolves the settings of a run against a target given by its base URL.
 *
 * @throws ConfigurationError with all problems found, also when no base URL was given
 */
export function resolveTarget(sources: Sources = {}): TargetSettings {
  const settings = resolveSettings(sources);
  const { baseUrl } = settings.target;
  if (baseUrl === undefined) throw new ConfigurationError([noTarget]);
  return withBaseUrl(settings, baseUrl);
}

/** The settings with a base URL, which must have no trailing slash. */
export function withBaseUrl(settings: Settings, baseUrl: string): TargetSettings {
  return { ...settings, target: { ...settings.target, baseUrl } };
}

/**
 * The user's own suite files, from the command line or the configuration file, for commands that do not make a run.
 *
 * @throws ConfigurationError when the configuration file cannot be read, or a suite is not a file
 */
export function ownSuiteFiles(sources: Sources = {}): readonly string[] {
  const { flags = {}, cwd = process.cwd() } = sources;
  const problems: string[] = [];
  const files = suitesOf(flags, flags.suites ? {} : fileOf(sources, problems), cwd, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return files;
}
