import type { Command } from "commander";
import { vi } from "vitest";
import { failureOf } from "../report/failure.js";

/** How a command ended in this process: its exit code, and what it said. */
export interface EndedHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process: a hundred times faster than the binary, and one at a time. */
export async function runHere(make: () => Command, args: readonly string[]): Promise<EndedHere> {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((chunk) => {
      said[stream] += String(chunk);
      return true;
    }),
  );
  try {
    process.exitCode = undefined;
    await make()
      .exitOverride()
      .parseAsync([...args], { from: "user" });
    return { code: Number(process.exitCode ?? 0), ...said };
  } catch (error) {
    const { lines, exitCode } = failureOf(error, true);
    return { code: exitCode, stdout: said.stdout, stderr: said.stderr + lines.join("\n") };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}
