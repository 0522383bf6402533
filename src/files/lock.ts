import { readFileSync, rmSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WriteRefused, writing } from "./write.js";

/** A lock's name holds all of its data, so it can never be read half-written. */
const pattern = /^\.perp-conformance\.(\d+)-(\d+)\.lock$/;

/** Whether a file in a folder is a lock. */
export function isLock(name: string): boolean {
  return pattern.test(name);
}

/** Locks held by this process. */
const held = new Set<string>();

/** Number of attempts to take a folder while other processes try to. */
const maxAttempts = 10;

/** Longest pause before the next attempt, in milliseconds. */
const pauseMs = 60;

/**
 * Locks a folder for this process. Each process first writes a lock with its own name and then looks for others: of two that
 * start at once, at least one sees the other, so they never both proceed. Stale locks of ended processes are removed.
 *
 * @param dir the folder, with links resolved
 * @returns a function that releases the lock
 * @throws WriteRefused when another process is writing there; WriteFailure when the lock cannot be written
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
      if (attempt === maxAttempts) throw inUse(dir, other);
      await sleep(pauseMs * Math.random());
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The refusal when another process holds a folder; undefined when none does, or the folder is missing. Removes nothing. */
export async function refusalWhileHeld(dir: string): Promise<WriteRefused | undefined> {
  for (const name of await readdir(dir).catch(() => [])) {
    const [, pid, startedAt] = pattern.exec(name) ?? [];
    if (pid === undefined || startedAt === undefined || Number(pid) === process.pid) continue;
    if (isRunning(Number(pid), Number(startedAt))) return inUse(dir, Number(pid));
  }
  return undefined;
}

/** The other process that holds a lock on the folder, if any. Removes stale locks of ended processes. */
async function otherHolder(dir: string, ownLock: string): Promise<number | undefined> {
  let holder: number | undefined;
  for (const name of await readdir(dir)) {
    const [, pid, startedAt] = pattern.exec(name) ?? [];
    const path = join(dir, name);
    if (pid === undefined || startedAt === undefined || path === ownLock) continue;
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
    // EPERM: a process of another user cannot be signalled, but it is running.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const found = processOf(pid);
  // The pid of an ended process may have been reused.
  return found === undefined || (!found.ended && (startedAt === 0 || found.startedAt === startedAt));
}

/** On Linux: when a process started, in clock ticks since boot, and whether it has ended (zombie or dead). */
function processOf(pid: number): { readonly startedAt: number; readonly ended: boolean } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program name in parentheses, which may contain anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { startedAt: Number(fields[19]), ended: /^[ZX]$/.test(fields[0] ?? "") };
  } catch {
    return undefined;
  }
}
