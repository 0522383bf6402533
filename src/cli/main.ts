#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { exitCodes } from "../report/exit-code.js";
import { harness } from "../report/identity.js";
import { failureOf } from "./failure.js";

/** The commands by name; the code of a command is loaded when it is called. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import("./init.js")).initCommand(),
  run: async () => (await import("./run.js")).runCommand(),
  serve: async () => (await import("./serve.js")).serveCommand(),
  rules: async () => (await import("./rules.js")).rulesCommand(),
  explain: async () => (await import("./explain.js")).explainCommand(),
  reproduce: async () => (await import("./reproduce.js")).reproduceCommand(),
  rejudge: async () => (await import("./rejudge.js")).rejudgeCommand(),
  merge: async () => (await import("./merge.js")).mergeCommand(),
  statement: async () => (await import("./statement.js")).statementCommand(),
  verify: async () => (await import("./verify.js")).verifyCommand(),
  keygen: async () => (await import("./keygen.js")).keygenCommand(),
  prove: async () => (await import("./prove.js")).proveCommand(),
};

async function main(args: readonly string[]): Promise<void> {
  const program = new Command("perp-conformance")
    .description("Conformance test harness for servers that implement the perpetuals read API.")
    .version(harness.version)
    .showHelpAfterError("(--help shows all commands and options)")
    .exitOverride();
  const named = commands[args[0] ?? ""];
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
