/** A document on standard output, for tools. Nothing else is written there. */
export interface OutputDocument {
  readonly format: `perp-conformance/${string}`;
  readonly formatVersion: number;
}

/** The error that ended a command, for tools: one message per problem, and the exit code. */
export interface ErrorDocument extends OutputDocument {
  readonly format: "perp-conformance/error";
  readonly formatVersion: 1;
  readonly exitCode: number;
  readonly messages: readonly string[];
}

/** The document of a command that failed. */
export function errorDocument(exitCode: number, lines: readonly string[]): ErrorDocument {
  const messages = lines.map((line) => line.replace(/^error: /, ""));
  return { format: "perp-conformance/error", formatVersion: 1, exitCode, messages };
}

/** Writes a document to standard output. */
export function print<T extends OutputDocument>(document: T): void {
  process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
}

/** Whether the arguments ask for a JSON document on standard output. */
export function wantsJson(args: readonly string[]): boolean {
  return args.includes("--json");
}

/** Whether the arguments ask for JSON lines on the error stream. */
export function wantsNdjson(args: readonly string[]): boolean {
  return args.includes("--progress=ndjson") || args[args.indexOf("--progress") + 1] === "ndjson";
}

/** Whether to colour output to a stream: decided by `FORCE_COLOR` and `NO_COLOR`, or else by what the terminal can show. */
export function wantsColor(
  stream: { readonly hasColors?: () => boolean },
  { FORCE_COLOR: force, NO_COLOR: no }: NodeJS.ProcessEnv = process.env,
): boolean {
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (no !== undefined && no !== "") return false;
  return stream.hasColors?.() ?? false;
}
