import { resolve } from "node:path";
import type { HeaderLines } from "../connect/exchange.js";
import type { Target } from "../connect/target.js";
import type { Checked } from "../files/read-json.js";
import type { ConfigFile } from "./config-file.js";
import { type EnvironmentVariables, headerLine, readTextFile, tokenFromEnvironment, tokenFromFile } from "./secrets.js";
import { type Flags, nonEmpty, type Sources } from "./sources.js";

/** Certificates, the token and headers, read from where the settings say. */
export function credentialsOf(
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
