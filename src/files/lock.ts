import { readFileSync, rmSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WriteRefused, writing } from "./write.js";

/** All there is to know of a lock is its name: no one can read half of it. */
const pattern = /^\.perp-conformance\.(\d+)-(\d+)\.lock$/;

/** Whether a file in a folder is a lock. */
export function isLock(name: string): boolean {
  return pattern.test(name);
}

/** Locks of this very process. */
const held = new Set<string>();

/** How often a folder is asked for while others ask for it, too. */
const ATTEMPTS = 10;

/** Milliseconds to the next attempt, at most. */
const PAUSE_MS = 60;

/**
 * Takes a folder for this process alone. Each process writes a lock with its own name first and looks for others then: of two
 * that start at once at least one sees the other, so that never both go on. The lock of a process that is gone is removed.
 *
 * @param dir the folder, links resolved
 * @returns gives the folder back
 * @throws WriteRefused when another process is writing there; WriteFailure when no lock can be written
 */
export async function lockFolder(dir: string): Promise<() => void> {
  const path = join(dir, `.perp-conformance.${process.pid}-${processOf(process.pid)?.startedAt ?? 0}.lock`);
  if (held.has(path)) throw inUse(dir, process.pid);
  held.add(path);
  const unlock = () => {
    rmSync(path, { force: true });
    held.delete(path);
    process.off("exit", unlock);
  };
  process.on("exit", unlock);
  try {
    for (let attempt = 1; ; attempt++) {
      await writing(path, async () => (await open(path, "w")).close());
      const other = await otherHolder(dir, path);
      if (other === undefined) return unlock;
      rmSync(path, { force: true });
      if (attempt === ATTEMPTS) throw inUse(dir, other);
      await sleep(PAUSE_MS * Math.random());
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The refusal of a folder that another process holds; undefined where none does, or there is no such folder. Removes nothing. */
export async function refusalWhileHeld(dir: string): Promise<WriteRefused | undefined> {
  for (const name of await readdir(dir).catch(() => [])) {
    const [, pid, startedAt] = pattern.exec(name) ?? [];
    if (pid === undefined || startedAt === undefined || Number(pid) === process.pid) continue;
    if (isRunning(Number(pid), Number(startedAt))) return inUse(dir, Number(pid));
  }
  return undefined;
}

/** The process that holds a lock on the folder, if one does. Locks of processes that are gone are removed. */
async function otherHolder(dir: string, own: string): Promise<number | undefined> {
  let holder: number | undefined;
  for (const name of await readdir(dir)) {
    const [, pid, startedAt] = pattern.exec(name) ?? [];
    const path = join(dir, name);
    if (pid === undefined || startedAt === undefined || path === own) continue;
    if (isRunning(Number(pid), Number(startedAt))) holder = Number(pid);
    else rmSync(path, { force: true });
  }
  return holder;
}

function inUse(dir: string, pid: number): WriteRefused {
  return new WriteRefused(
    `process ${pid} is writing into ${dir}: wait until it has ended, or choose another folder with --out`,
  );
}

function isRunning(pid: number, startedAt: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Processes of other users may not be sent signals, but they run.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const found = processOf(pid);
  // Another process may have got the number of one that is gone.
  return found === undefined || (!found.ended && (startedAt === 0 || found.startedAt === startedAt));
}

/** What Linux tells of a process: when it started, in ticks since the machine did, and whether it only waits to be forgotten. */
function processOf(pid: number): { readonly startedAt: number; readonly ended: boolean } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name of the program in brackets, which may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { startedAt: Number(fields[19]), ended: /^[ZX]$/.test(fields[0] ?? "") };
  } catch {
    return undefined;
  }
}
