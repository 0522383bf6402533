import { unknown } from "../config/errors.js";
import { isSystemError, reasonOf } from "../files/system-error.js";
import { exitCodes } from "./exit-code.js";
import { inert, inertShort } from "./inert.js";

/** The command line asks for something that does not exist. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Longest line of an explanation, in characters: one that lists all names that are known is shorter. */
const MAX_LINE = 5000;

/** What is said about an error that ended a command, and with which code the process ends. */
export interface Failure {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/**
 * An error as the user reads it, in one line or a few. An error that has no explanation is a fault of the harness: where in
 * its code it broke is for those who ask for it. Errors are told by name, so that this module loads none of the code that
 * throws them.
 */
export function failureOf(error: unknown, verbose = isVerbose()): Failure {
  const { lines, exitCode } = explained(error);
  // What a user mistook for a name is repeated, and may be anything.
  const told = lines.map((line) => inertShort(line, MAX_LINE));
  const stack = verbose && error instanceof Error ? (error.stack ?? "").split("\n").map(inert) : [];
  return { lines: [...told, ...stack], exitCode };
}

function explained(error: unknown): Failure {
  const { usage, broken } = exitCodes;
  if (!(error instanceof Error)) return { lines: [`the harness broke: ${String(error)}`], exitCode: broken };
  const { name, message } = error;
  switch (name) {
    case "UsageError":
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
    return { lines: [`error: ${where}: ${reasonOf(error)}`], exitCode: broken };
  }
  const [first = ""] = message.split("\n");
  return { lines: [`the harness broke: ${name}: ${first} (--verbose shows where)`], exitCode: broken };
}

/** Whether whoever called the program wants to know where in its code it broke. */
function isVerbose(): boolean {
  return process.argv.includes("--verbose") || /(^|[\s,])(\*|perp-conformance)/.test(process.env.DEBUG ?? "");
}

/** The error for a name that does not exist: it says the nearest one, or all of them when none is near. */
export function unknownName(kind: string, name: string, known: readonly string[]): UsageError {
  return new UsageError(unknown(kind, name, known));
}
