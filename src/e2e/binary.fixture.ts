import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { inject } from "vitest";
import type { Results } from "../report/results.js";
import { packageRoot } from "../specification/package-root.js";

/** The built binary: `npm test` builds it first. */
export const binary = join(packageRoot, "dist/src/cli/main.js");

/** A rule for runs that need just one, and a server that breaks it. */
export const RULE = "get-all-positions.limit-default";
export const MUTANT = "get-all-positions-default-49";

/** A server that is soon looked through, and settles all that a larger one does but a rule on very large wallets. */
export const SMALL = { orders: 120 } as const;

/** Removed when the tests end: see the global setup. */
const folder = inject("scratch");

/** What a process has left. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** `--out` of this run. */
  readonly out: string;
  /** Its results, when it left any. */
  readonly results: () => Promise<Results>;
}

let runs = 0;

/** Runs the binary; `onStderr` sees all of its error stream so far, each time that more comes. */
export function perp(
  args: readonly string[],
  onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void,
): Promise<Ended> {
  return perpAt(binary, args, onStderr);
}

/** Where a process is started. */
export interface ProcessOptions {
  readonly cwd?: string;
  /** Environment variables, beside those of the tests; those of CI systems and of the harness itself are left out. */
  readonly env?: Readonly<Record<string, string>>;
  /** The command that starts it, given node and what it is to run as its last arguments. */
  readonly through?: readonly string[];
  /** Milliseconds after which it is killed, which gives no exit code. */
  readonly killAfterMs?: number;
}

/** The same with another copy of the binary, or in other surroundings. */
export async function perpAt(
  path: string,
  args: readonly string[],
  onStderr: (text: string, kill: (signal: NodeJS.Signals) => void) => void = () => {},
  { cwd = folder, env = {}, through = [], killAfterMs }: ProcessOptions = {},
): Promise<Ended> {
  const out = join(folder, `run-${process.pid}-${threadId}-${++runs}`);
  const inherited = Object.entries(process.env).filter(([name]) => !/^(CONFORMANCE_|GITHUB_)/.test(name));
  const all = completed(args, out);
  const [command, ...before] = [...through, process.execPath] as const;
  const child = spawn(command, [...before, path, ...all], { cwd, env: { ...Object.fromEntries(inherited), ...env } });
  let stdout = "";
  let stderr = "";
  // A character may come in two chunks.
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8");
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
    onStderr(stderr, (signal) => child.kill(signal));
  });
  const killing = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(killing);
  const results = async () => JSON.parse(await readFile(join(out, "results.json"), "utf8")) as Results;
  return { code, stdout, stderr, out, results };
}

/** The arguments of a run with a folder and a seed, where they name none: its outcome must not be a matter of luck. */
export function completed(args: readonly string[], out: string): readonly string[] {
  if (args[0] !== "run") return args;
  const missing = (["--out", out, "--seed", "1"] as const).filter(
    (_, index, all) => !args.includes(all[index & ~1] ?? ""),
  );
  return [...args, ...missing];
}

/** Runs the binary in other surroundings. */
export function perpIn(surroundings: ProcessOptions, args: readonly string[]): Promise<Ended> {
  return perpAt(binary, args, undefined, surroundings);
}

/** An empty folder that is removed when the tests end. */
export function scratchFolder(): Promise<string> {
  return mkdtemp(join(folder, "scratch-"));
}

/** The base URL under which a server now listens. */
export async function listenOnLoopback(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
