#!/usr/bin/env node
import { Command, CommanderError, Help } from "commander";
import { exitCodes } from "../report/exit-code.js";
import { harness } from "../report/identity.js";
import { commands, hiddenCommands } from "./commands.js";
import { failureOf } from "./failure.js";

const help = new Help();

async function main(args: readonly string[]): Promise<void> {
  const program = new Command("perp-conformance")
    .description("Conformance test harness for servers that implement the perpetuals read API.")
    .version(harness.version)
    // An option that may be repeated begins with an empty list: that is no default to tell of.
    .configureHelp({ optionDescription: (option) => help.optionDescription(option).replace(" (default: [])", "") })
    .showHelpAfterError("(--help shows all commands and options)")
    .exitOverride();
  const named = { ...commands, ...hiddenCommands }[args[0] ?? ""];
  for (const load of named ? [named] : Object.values(commands)) {
    program.addCommand((await load()).copyInheritedSettings(program));
  }
  await program.parseAsync(args, { from: "user" });
}

// A reader that has seen enough (`| head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  throw error;
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has told the user already. Help that was asked for is no error.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  } else {
    const { lines, exitCode } = failureOf(error);
    process.stderr.write(`${lines.join("\n")}\n`);
    process.exitCode = exitCode;
  }
}
