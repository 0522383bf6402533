#!/usr/bin/env node
import { exitWhenInterrupted } from "../run/interruption.js";
import { guardOutput } from "./output-guards.js";
import { main, reportFailure } from "./program.js";

const args = process.argv.slice(2);

/** Ends the process once all output is written, whatever else is still running. */
function end(exitCode: number): void {
  process.exitCode = exitCode;
  process.stdout.write("", () => process.stderr.write("", () => setImmediate(() => process.exit())));
}

guardOutput();
process.on("uncaughtException", (error) => end(reportFailure(error, args)));
exitWhenInterrupted();
end(await main(args));
