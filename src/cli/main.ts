#!/usr/bin/env node
import { Command, CommanderError, Help } from "commander";
import { exitCodes } from "../report/exit-code.js";
import { failureOf } from "../report/failure.js";
import { harness } from "../report/identity.js";
import { exitWhenInterrupted } from "../run/interruption.js";
import { commands, hiddenCommands } from "./commands.js";
import { guardStreams } from "./streams.js";

const help = new Help();

async function main(args: readonly string[]): Promise<void> {
  const program = new Command("perp-conformance")
    .description("Conformance test harness for servers that implement the perpetuals read API.")
    .version(harness.version)
    // An option that may be repeated begins with an empty list: that is no default to tell of.
    .configureHelp({ optionDescription: (option) => help.optionDescription(option).replace(" (default: [])", "") })
    .showHelpAfterError("(--help shows all commands and options)")
    .exitOverride();
  // These end in order by themselves.
  if (args[0] !== "run" && args[0] !== "serve") exitWhenInterrupted();
  const known = { ...commands, ...hiddenCommands };
  const [name = ""] = args;
  const named = Object.hasOwn(known, name) ? known[name] : undefined;
  for (const load of named ? [named] : Object.values(commands)) {
    const command = (await load()).option("--verbose", "when the harness breaks, say where in its code");
    program.addCommand(command.copyInheritedSettings(program));
  }
  await program.parseAsync(args, { from: "user" });
}

/** Says what ended the command, and ends the process: whatever may still be under way is of no use. */
function fail(error: unknown): void {
  const { lines, exitCode } = failureOf(error);
  process.exitCode = exitCode;
  process.stderr.write(`${lines.join("\n")}\n`, () => process.exit());
}

guardStreams();
process.on("uncaughtException", fail);
try {
  await main(process.argv.slice(2));
} catch (error) {
  // Commander has told the user already. Help that was asked for is no error.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  else fail(error);
}
