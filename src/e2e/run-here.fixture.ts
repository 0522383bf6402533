import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import type { Results } from "../report/results.js";
import { completed, type Ended, type ProcessOptions, scratchFolder } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the program in this process as `perpIn` does with the binary, in a tenth of the time; one at a time. A `run` makes its
 * checks in this thread: what vitest has to do with it (Allure's files, suites of one's own) takes the binary.
 */
export function perpHere(
  args: readonly string[],
  { cwd, env = {} }: Pick<ProcessOptions, "cwd" | "env"> = {},
): Promise<Ended> {
  const ended = last.then(async () => {
    const folder = await scratchFolder();
    const out = join(folder, "run");
    const all = completed(args, out);
    const inherited = Object.keys(process.env).filter((name) => /^(CONFORMANCE_|GITHUB_|CI$)/.test(name));
    for (const name of inherited) vi.stubEnv(name, undefined);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const inFolder = vi.spyOn(process, "cwd").mockReturnValue(cwd ?? folder);
    try {
      const results = async () => JSON.parse(await readFile(join(out, "results.json"), "utf8")) as Results;
      return { ...(await mainHere(all)), out, results };
    } finally {
      inFolder.mockRestore();
      vi.unstubAllEnvs();
    }
  });
  last = ended.catch(() => {});
  return ended;
}
