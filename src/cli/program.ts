import { Command, CommanderError, Help } from "commander";
import { exitCodes } from "../report/exit-code.js";
import { commandFailureOf, UsageError } from "../report/failure.js";
import { failureAnnotation } from "../report/github.js";
import { harness } from "../report/identity.js";
import { ndjsonLine } from "../report/progress-ndjson.js";
import { sanitize } from "../report/sanitize.js";
import { commands, hiddenCommands } from "./commands.js";
import { errorDocument, print, wantsJson, wantsNdjson } from "./output.js";

const help = new Help();

/**
 * Runs the program with the arguments that follow its name. Errors are reported on the error stream, and with `--json` also
 * as a document on standard output.
 *
 * @returns the exit code
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    process.exitCode = exitCodes.conformant;
    await parse(args);
    return Number(process.exitCode);
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportFailure(error, args);
    // Commander has already told the user. Help that was asked for is not an error.
    if (error.exitCode === 0) return exitCodes.conformant;
    if (wantsJson(args)) print(errorDocument(exitCodes.usage, [error.message]));
    return exitCodes.usage;
  }
}

async function parse(args: readonly string[]): Promise<void> {
  // Node replaces bytes that are no UTF-8, so a path would name another file.
  const unreadable = args.find((arg) => arg.includes("\uFFFD"));
  if (unreadable !== undefined) throw new UsageError(`${sanitize(unreadable)}: an argument must be valid UTF-8`);
  const program = new Command("perp-conformance")
    .description("Conformance test harness for servers that implement the perpetuals read API.")
    .version(harness.version)
    // A repeatable option starts with an empty list. That is not worth showing as a default.
    .configureHelp({ optionDescription: (option) => help.optionDescription(option).replace(" (default: [])", "") })
    .showHelpAfterError("(--help shows all commands and options)")
    .exitOverride();
  const known = { ...commands, ...hiddenCommands };
  const [name = ""] = args;
  const named = Object.hasOwn(known, name) ? known[name] : undefined;
  for (const load of named ? [named] : Object.values(commands)) {
    const command = (await load()).option("--verbose", "if the harness breaks, say where in its code");
    program.addCommand(command.copyInheritedSettings(program));
  }
  await program.parseAsync(args, { from: "user" });
}

/** Reports what ended a command, in the form that its arguments ask for. Returns the exit code. */
export function reportFailure(error: unknown, args: readonly string[]): number {
  const { lines, exitCode } = commandFailureOf(error);
  if (wantsJson(args)) print(errorDocument(exitCode, lines));
  const text = process.env.GITHUB_ACTIONS === "true" ? failureAnnotation(lines) : lines.join("\n");
  process.stderr.write(wantsNdjson(args) ? ndjsonLine({ event: "error", exitCode, messages: lines }) : `${text}\n`);
  return exitCode;
}
