#!/usr/bin/env node
import { exitWhenInterrupted } from "../run/interruption.js";
import { guardOutput } from "./output-guards.js";
import { main, tellFailure } from "./program.js";

const args = process.argv.slice(2);

/** Ends the process when what was written has left it, whatever may still be under way. */
function end(exitCode: number): void {
  process.exitCode = exitCode;
  process.stdout.write("", () => process.stderr.write("", () => setImmediate(() => process.exit())));
}

guardOutput();
process.on("uncaughtException", (error) => end(tellFailure(error, args)));
exitWhenInterrupted();
end(await main(args));
