import type { Command } from "commander";
import { vi } from "vitest";
import { main } from "../cli/program.js";
import { commandFailureOf } from "../report/failure.js";

/** How a command ended in this process: its exit code, and what it said. */
export interface EndedHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process: a hundred times faster than the binary, and one at a time. */
export async function runHere(make: () => Command, args: readonly string[]): Promise<EndedHere> {
  return capture(async () => {
    try {
      await make()
        .exitOverride()
        .parseAsync([...args], { from: "user" });
      return Number(process.exitCode ?? 0);
    } catch (error) {
      const { lines, exitCode } = commandFailureOf(error, true);
      process.stderr.write(lines.join("\n"));
      return exitCode;
    }
  });
}

/** Runs the whole program in this process, with the arguments that follow its name. */
export async function mainHere(args: readonly string[]): Promise<EndedHere> {
  return capture(() => main(args));
}

async function capture(action: () => Promise<number>): Promise<EndedHere> {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((chunk) => {
      said[stream] += String(chunk);
      return true;
    }),
  );
  try {
    process.exitCode = undefined;
    const code = await action();
    return { code, ...said };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}
