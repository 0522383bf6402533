import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Slots } from "../connect/throttling.js";
import { binary, type Ended, type ProcessOptions, perpAt, scratchFolder } from "./binary.fixture.js";

/** What a run of the binary has left, and how much memory it took. */
export interface Measured extends Ended {
  /** The most memory that the process held at a time, in megabytes. */
  readonly peakMb: number;
}

/** More runs at a time would take each other's time limit for an answer. */
const atOnce = new Slots(2);

/** Runs the binary, and asks the kernel at its end how much memory it took. */
export async function runMeasured(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Measured> {
  return measuredIn({ env }, args);
}

/** The same in other surroundings. */
export async function measuredIn(surroundings: ProcessOptions, args: readonly string[]): Promise<Measured> {
  const folder = await scratchFolder();
  // It may be another user who runs it.
  await chmod(folder, 0o777);
  const path = join(folder, "measured.mjs");
  await writeFile(path, wrapper);
  const ended = await atOnce.run(() => perpAt(path, args, undefined, surroundings));
  const kilobytes = await readFile(join(folder, "peak"), "utf8").catch(() => "NaN");
  return { ...ended, peakMb: Number(kilobytes) / 1024 };
}

/** A process starts with the peak of the one that made it; the kernel's high-water mark is its own, where there is one. */
const wrapper = `
import { readFileSync, writeFileSync } from "node:fs";
process.on("exit", () => {
  let peak = process.resourceUsage().maxRSS;
  try {
    peak = /VmHWM:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? peak;
  } catch {}
  writeFileSync(new URL("peak", import.meta.url), String(peak));
});
await import(${JSON.stringify(pathToFileURL(binary).href)});
`;
