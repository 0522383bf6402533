import { writeSync } from "node:fs";
import { isSystemError, reasonOf } from "../files/system-error.js";
import { exitCodes } from "../report/exit-code.js";

/**
 * Sees to it that no output that cannot be written ends the process. A reader that has seen enough (`| head`) is no error;
 * what could not be written to a full disk is: it is said on the other stream, and the exit code is that of a broken harness
 * unless it says something graver.
 */
export function guardOutput(): void {
  let lost = false;
  const guard = (stream: NodeJS.WriteStream, name: string, other: number) => {
    stream.on("error", (error) => {
      if (lost || (isSystemError(error) && error.code === "EPIPE")) return;
      lost = true;
      tell(other, `error: cannot write to the ${name}: ${isSystemError(error) ? reasonOf(error) : error.message}\n`);
    });
  };
  guard(process.stdout, "standard output", 2);
  guard(process.stderr, "standard error", 1);
  process.on("exit", (code) => {
    if (lost && (code === exitCodes.conformant || code === exitCodes.undecided)) process.exitCode = exitCodes.broken;
  });
}

function tell(descriptor: number, text: string): void {
  // Whoever reads JSON gets nothing else.
  if (descriptor === 1 && process.argv.includes("--json")) return;
  try {
    writeSync(descriptor, text);
  } catch {
    // Nobody can be told.
  }
}
