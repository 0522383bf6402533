import { writeSync } from "node:fs";
import { isSystemError, systemErrorReason } from "../files/system-error.js";
import { exitCodes } from "../report/exit-code.js";
import { wantsJson } from "./output.js";

/**
 * Keeps the process going when output cannot be written. A reader that stops early (`| head`) is not an error. Output that
 * is lost for another reason, such as a full disk, is one: it is reported on the other stream, and the exit code becomes
 * that of a broken harness unless it is already more severe.
 */
export function guardOutput(): void {
  let lost = false;
  const guard = (stream: NodeJS.WriteStream, name: string, other: number) => {
    stream.on("error", (error) => {
      if (lost || (isSystemError(error) && error.code === "EPIPE")) return;
      lost = true;
      tell(
        other,
        `error: cannot write to the ${name}: ${isSystemError(error) ? systemErrorReason(error) : error.message}\n`,
      );
    });
  };
  guard(process.stdout, "standard output", 2);
  guard(process.stderr, "standard error", 1);
  process.on("exit", (code) => {
    if (lost && (code === exitCodes.conformant || code === exitCodes.undecided)) process.exitCode = exitCodes.broken;
  });
}

function tell(descriptor: number, text: string): void {
  // Readers of JSON must get nothing else.
  if (descriptor === 1 && wantsJson(process.argv)) return;
  try {
    writeSync(descriptor, text);
  } catch {
    // There is nowhere left to report it.
  }
}
