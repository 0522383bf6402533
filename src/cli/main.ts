#!/usr/bin/env node
import { exitWhenInterrupted } from "../run/interruption.js";
import { guardOutput } from "./output-guards.js";
import { main, tellFailure } from "./program.js";

const args = process.argv.slice(2);

/** Ends the process when what was written has left it. */
function end(exitCode: number): void {
  process.exitCode = exitCode;
  process.stderr.write("", () => process.exit());
}

guardOutput();
process.on("uncaughtException", (error) => end(tellFailure(error, args)));
// These end in order by themselves.
if (args[0] !== "run" && args[0] !== "serve") exitWhenInterrupted();
const { exitCode, brokeOff } = await main(args);
if (brokeOff) end(exitCode);
else process.exitCode = exitCode;
