import { exitCodes } from "../report/exit-code.js";
import { inert } from "../report/inert.js";
import { nearest } from "../target/errors.js";

/** The command line asks for something that does not exist. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What is said about an error that ended a command, and with which code the process ends. */
export interface Failure {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/**
 * An error as the user reads it. Errors that have an explanation are one line each; anything else is a fault of the harness
 * and keeps its stack. Errors are told by name, so that this module loads none of the code that throws them.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error))
    return { lines: [`the harness broke: ${inert(String(error))}`], exitCode: exitCodes.broken };
  switch (error.name) {
    case "UsageError":
      return { lines: [`error: ${inert(error.message)}`], exitCode: exitCodes.usage };
    case "ConfigurationError":
      return { lines: error.message.split("\n").map((line) => `error: ${inert(line)}`), exitCode: exitCodes.usage };
    case "TargetUnreachable":
      return { lines: [`the target cannot be reached: ${inert(error.message)}`], exitCode: exitCodes.broken };
    case "AccessDenied":
    case "RecordRefused":
      return { lines: [inert(error.message)], exitCode: exitCodes.broken };
    default:
      return {
        lines: ["the harness broke:", ...(error.stack ?? error.message).split("\n").map(inert)],
        exitCode: exitCodes.broken,
      };
  }
}

/** The error for a name that does not exist: it says the nearest one, or all of them when none is near. */
export function unknownName(kind: string, name: string, known: readonly string[]): UsageError {
  const near = nearest(name, known);
  const help = near === undefined ? `known: ${known.join(", ")}` : `did you mean ${JSON.stringify(near)}?`;
  return new UsageError(`there is no ${kind} ${JSON.stringify(name)} (${help})`);
}
