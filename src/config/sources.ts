import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Checked } from "../files/read-json.js";
import { type ConfigFile, readConfigFile } from "./config-file.js";
import type { EnvironmentVariables } from "./secrets.js";

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

/** The configuration file, named or found; empty if there is none or if it has problems, which are added. */
export function fileOf(
  { flags = {}, env = process.env, cwd = process.cwd() }: Sources,
  problems: string[],
): ConfigFile {
  const found = configFileOf(flags.config ?? nonEmpty(env.CONFORMANCE_CONFIG), cwd);
  if ("value" in found) return found.value;
  problems.push(found.problem);
  return {};
}

/** Reads the named file, which must exist, or else the default one if it exists. */
function configFileOf(named: string | undefined, cwd: string): Checked<ConfigFile> {
  if (named !== undefined) return readConfigFile(resolve(cwd, named));
  const [path, other] = defaultConfigFiles.map((name) => resolve(cwd, name)).filter((each) => existsSync(each));
  if (other !== undefined) return { problem: `there are two configuration files, ${path} and ${other}: remove one` };
  return path === undefined ? { value: {} } : readConfigFile(path);
}

/** The text, unless it is blank. */
export function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}
