import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { binary, type Ended, perpAt, scratchFolder } from "../cli/binary.fixture.js";
import { Slots } from "../connect/politeness.js";

/** What a run of the binary has left, and how much memory it took. */
export interface Measured extends Ended {
  /** The most memory that the process held at a time, in megabytes. */
  readonly peakMb: number;
}

/** More runs at a time would take each other's time limit for an answer. */
const atOnce = new Slots(2);

/** Runs the binary, and asks the kernel at its end how much memory it took. */
export async function measured(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Measured> {
  const path = join(await scratchFolder(), "measured.mjs");
  await writeFile(path, wrapper);
  const ended = await atOnce.run(() => perpAt(path, args, undefined, { env }));
  const [, kilobytes = "NaN"] = /^peak (\d+) kB$/m.exec(ended.stderr) ?? [];
  return { ...ended, stderr: ended.stderr.replace(/^peak .*\n/m, ""), peakMb: Number(kilobytes) / 1024 };
}

/** A process starts with the peak of the one that made it; the kernel's high-water mark is its own, where there is one. */
const wrapper = `
import { readFileSync } from "node:fs";
process.on("exit", () => {
  let peak = process.resourceUsage().maxRSS;
  try {
    peak = /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? peak;
  } catch {}
  process.stderr.write("peak " + peak + " kB\\n");
});
await import(${JSON.stringify(pathToFileURL(binary).href)});
`;
