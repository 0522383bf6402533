import { readNamed } from "../files/read-file.js";
import type { Checked } from "../files/read-json.js";
import { FileRefused } from "../files/refused.js";

/** The environment variables. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Names of headers and settings whose values are secrets. */
const secretName = /^(proxy-)?authorization$|^(set-)?cookie$|api-?key|token|secret|passw|credential|bearer/i;

/** Whether a name suggests that its value is a secret. */
export function namesSecret(name: string): boolean {
  return secretName.test(name);
}

/** Reads the token from an environment variable. */
export function tokenFromEnvironment(name: string, env: EnvironmentVariables): Checked<string> {
  const value = env[name]?.trim();
  if (value === undefined || value === "")
    return { problem: `the environment variable ${name}, which should hold the token, is not set` };
  return checkToken(value, `the environment variable ${name}`);
}

const maxTokenBytes = 64 * 1024;

/** Reads the token from a file. */
export function tokenFromFile(path: string): Checked<string> {
  const text = readTextFile(path, maxTokenBytes);
  if ("problem" in text) return text;
  const value = text.value.trim();
  return value === "" ? { problem: `the token file ${path} is empty` } : checkToken(value, `the file ${path}`);
}

/** Largest file with a key or certificates, in bytes. */
const maxPemBytes = 4 * 1024 * 1024;

/** Reads a text file, without its byte order mark. */
export function readTextFile(path: string, maxBytes = maxPemBytes): Checked<string> {
  try {
    const text = readNamed(path, maxBytes).toString("utf8");
    return { value: text.replace(/^\ufeff/, "") };
  } catch (error) {
    if (error instanceof FileRefused) return { problem: error.message };
    throw error;
  }
}

/** A reference to an environment variable, `${NAME}`. */
const reference = /\$\{(\w+)\}/g;

/** Headers that only the HTTP client may set. */
const reservedHeaders = /^(content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/i;

/**
 * Builds a header line from its name and configured value. `${NAME}` stands for an environment variable. It is required
 * for headers whose names suggest a secret, so that the secret itself ends up neither in a file nor in the shell history.
 */
export function headerLine(name: string, value: string, env: EnvironmentVariables): Checked<readonly [string, string]> {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return { problem: `${JSON.stringify(name)} is not a header name` };
  if (reservedHeaders.test(name)) return { problem: `the header ${name} cannot be configured` };
  const variables = [...value.matchAll(reference)].map(([, variable]) => variable ?? "");
  if (namesSecret(name) && variables.length === 0) {
    return { problem: `the header ${name} holds a secret: write \${NAME} for the environment variable that has it` };
  }
  const missing = variables.filter((variable) => !env[variable]);
  if (missing.length > 0)
    return { problem: `the header ${name} needs the environment variable ${missing.join(", ")}, which is not set` };
  const expanded = value.replace(reference, (_, variable: string) => env[variable] ?? "").trim();
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(expanded))
    return { problem: `the value of the header ${name} has characters that a header cannot carry` };
  return { value: [name, expanded] };
}

function checkToken(value: string, source: string): Checked<string> {
  if (/^[\x21-\x7e]+$/.test(value)) return { value };
  return {
    problem: `the token in ${source} has whitespace or characters that a header cannot carry; give it without "Bearer"`,
  };
}
