import { vi } from "vitest";
import { main } from "../cli/program.js";

/** How a command ended in this process: its exit code, and what it said. */
export interface EndedHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program in this process, with the arguments that follow its name: a tenth of the time of the binary, one at a time. */
export async function mainHere(args: readonly string[]): Promise<EndedHere> {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((chunk) => {
      said[stream] += String(chunk);
      return true;
    }),
  );
  try {
    process.exitCode = undefined;
    const code = await main(args);
    return { code, ...said };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}
