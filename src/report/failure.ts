import { noSuch } from "../config/errors.js";
import { isSystemError, systemErrorReason } from "../files/system-error.js";
import { exitCodes } from "./exit-code.js";
import { sanitize, sanitizeShort } from "./sanitize.js";

/** The command line asks for something that does not exist. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Maximum length of a line, in characters. A line that lists all known names is shorter. */
const maxLine = 5000;

/** What to print about the error that ended a command, and the exit code of the process. */
export interface CommandFailure {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/**
 * Explains an error to the user in one or a few lines. An error without an explanation is a bug in the harness. Its stack
 * trace is shown only on request. Errors are recognized by name, so that this module does not load the code that throws
 * them.
 */
export function commandFailureOf(error: unknown, verbose = isVerbose()): CommandFailure {
  const { lines, exitCode } = explained(error);
  // The message may repeat user input, which can be anything.
  const shown = lines.map((line) => sanitizeShort(line, maxLine));
  const stack = verbose && error instanceof Error ? (error.stack ?? "").split("\n").map(sanitize) : [];
  return { lines: [...shown, ...stack], exitCode };
}

function explained(error: unknown): CommandFailure {
  const { usage, broken } = exitCodes;
  if (!(error instanceof Error)) return { lines: [`the harness broke: ${String(error)}`], exitCode: broken };
  const { name, message } = error;
  switch (name) {
    case "UsageError":
    case "KeyProblem":
    case "WriteRefused":
      return { lines: [`error: ${message}`], exitCode: usage };
    case "ConfigurationError":
      return { lines: message.split("\n").map((line) => `error: ${line}`), exitCode: usage };
    case "WriteFailure":
      return { lines: [`error: ${message}`], exitCode: "isUsage" in error && error.isUsage ? usage : broken };
    case "TargetUnreachable":
      return { lines: [`the target cannot be reached: ${message}`], exitCode: broken };
    case "AccessDenied":
    case "NotThisApi":
    case "RecordRefused":
    case "FileRefused":
      return { lines: [message], exitCode: broken };
  }
  if (isSystemError(error)) {
    const where = error.path ?? error.syscall ?? "the system";
    return { lines: [`error: ${where}: ${systemErrorReason(error)}`], exitCode: broken };
  }
  const [first = ""] = message.split(/:?\n/);
  return { lines: [`the harness broke: ${name}: ${first} (--verbose shows where)`], exitCode: broken };
}

/** Whether the caller asked for stack traces, with `--verbose` or `DEBUG`. */
function isVerbose(): boolean {
  return process.argv.includes("--verbose") || /(^|[\s,])(\*|perp-conformance)/.test(process.env.DEBUG ?? "");
}

/** The error for an unknown name. It suggests the nearest known name, or lists all of them if none is near. */
export function unknownName(kind: string, name: string, known: readonly string[]): UsageError {
  return new UsageError(noSuch(kind, name, known));
}
