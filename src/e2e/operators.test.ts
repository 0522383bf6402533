import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openOutputFolder } from "../files/output-folder.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { runFolder } from "../report/write.js";
import { type Ended, listenOnLoopback, perp, perpIn, RULE, SMALL, scratchFolder } from "./binary.fixture.js";
import { mainHere } from "./command.fixture.js";
import { measuredIn } from "./measured.fixture.js";
import { recordRun } from "./run-folder.fixture.js";
import { perpHere } from "./run-here.fixture.js";
import { shutDown } from "./servers.fixture.js";

/** However busy the machine is: what takes longer does not end. */
const ENDLESS_MS = 90_000;

let server: ReferenceServer;
let run: string[];
let good: string;
beforeAll(async () => {
  server = await startReferenceServer(SMALL);
  run = ["run", "--base-url", server.url, "--rule", RULE];
  good = join(await scratchFolder(), "good");
  const made = await perpHere([...run, "--no-report", "--quiet", "--out", good]);
  expect(made.code).toBe(0);
}, ENDLESS_MS);
afterAll(() => server.close());

/** The command as a shell starts it: with its output somewhere, within limits, or where a disk is mounted. */
function inShell(script: string): string[] {
  return ["sh", "-c", script, "sh"];
}

/** A disk of its own, seen by this command alone. */
function onDisk(options: string, folder: string): string[] {
  return ["unshare", "-rm", ...inShell(`mount -t tmpfs -o ${options} none ${folder} && exec "$@"`)];
}

function works([command = "", ...args]: readonly string[]): boolean {
  return spawnSync(command, [...args, "true"]).status === 0;
}

interface Surroundings {
  readonly name: string;
  /** The command and what it is started through, given a new folder. */
  readonly command: (folder: string) => { readonly args: readonly string[]; readonly through?: readonly string[] };
  readonly code: number;
  /** What it says on the standard error, which is one line beside the progress of a run; or where that is lost, on the other. */
  readonly says: RegExp;
}

const troubles: readonly Surroundings[] = [
  ...[8, 900, 1400].map((kilobytes) => ({
    name: `a disk of ${kilobytes} kB`,
    command: (folder: string) => ({
      args: [...run, "--out", join(folder, "run")],
      through: onDisk(`size=${kilobytes}k`, folder),
    }),
    code: 3,
    says: /^error: cannot write \/.*\/run\/.*: no space is left on the disk \(ENOSPC\)$/m,
  })),
  ...(
    [
      ["run", (out: string) => [...run, "--out", out]],
      ["reproduce", (out: string) => ["reproduce", RULE, "--from", good, "--out", out]],
      ["prove", (out: string) => ["prove", "--variant", "reference", "--out", out]],
      ["keygen", (out: string) => ["keygen", "--out", out]],
      ["init", (out: string) => ["init", out]],
    ] as const
  ).map(([name, args]) => ({
    name: `a read-only disk (${name})`,
    command: (folder: string) => ({ args: args(join(folder, "x")), through: onDisk("ro", folder) }),
    code: 3,
    says: /^error: cannot write \/.*\/x: the disk is read-only \(EROFS\)\n$/,
  })),
  {
    name: "a limit on the size of files",
    command: (folder) => ({
      args: [...run, "--out", join(folder, "run")],
      through: ["prlimit", "--fsize=100000"],
    }),
    code: 3,
    says: /^error: cannot write \/.*: the file would be larger than the system allows \(EFBIG\)$/m,
  },
  ...(
    [
      ["run", () => [...run, "--quiet"]],
      ["rules", () => ["rules"]],
      ["explain", () => ["explain", RULE]],
      ["serve", () => ["serve", "--orders", "0"]],
    ] as const
  ).map(([name, args]) => ({
    name: `a standard output that takes nothing (${name})`,
    command: (folder: string) => ({
      args: [...args(), ...(name === "run" ? ["--out", join(folder, "run")] : [])],
      through: inShell('exec "$@" > /dev/full'),
    }),
    code: 3,
    says: /^error: cannot write to the standard output: no space is left on the disk \(ENOSPC\)\n$/,
  })),
  {
    name: "a standard error that takes nothing",
    command: (folder) => ({
      args: [...run, "--no-report", "--out", join(folder, "run")],
      through: inShell('exec "$@" 2> /dev/full'),
    }),
    code: 3,
    says: /^error: cannot write to the standard error: no space is left on the disk \(ENOSPC\)$/m,
  },
  {
    name: "a reader that has seen enough",
    command: () => ({ args: ["rules"], through: inShell('{ "$@"; echo "code $?" >&2; } | head -1') }),
    code: 0,
    says: /^code 0\nRULE .*\n$/,
  },
  {
    name: "no folder for temporary files",
    command: (folder) => ({
      args: [...run, "--quiet", "--out", join(folder, "run")],
      through: ["env", "TMPDIR=/nowhere/at/all"],
    }),
    code: 0,
    says: /^CONFORMANT .*\n$/,
  },
  {
    name: "a folder where none can be made",
    command: () => ({ args: [...run, "--out", "/proc/x"] }),
    code: 3,
    says: /^error: cannot write \/proc\/x: no folder can be made there \(ENOENT\)\n$/,
  },
  {
    name: "a name that is too long",
    command: (folder) => ({ args: [...run, "--out", join(folder, "a".repeat(300))] }),
    code: 2,
    says: /^error: .* is too long for the name of a folder\n$/,
  },
];

describe("an operator has", () => {
  test.for(troubles)("$name", async ({ command, code, says }, { skip }) => {
    const folder = await scratchFolder();
    const { args, through = [] } = command(folder);
    const [first] = through;
    if (first === "unshare" && !works(onDisk("size=8k", folder))) skip("no disk can be mounted here");
    if (first === "prlimit" && !works(through)) skip("there is no prlimit here");
    if (args.includes("/proc/x") && !existsSync("/proc/self")) skip("there is no /proc here");
    const ended = await measuredIn({ through, killAfterMs: ENDLESS_MS }, args);
    expect({ code: ended.code, output: ended.stderr + ended.stdout }).toEqual({
      code,
      output: expect.stringMatching(says),
    });
    expect(ended.stderr + ended.stdout).not.toMatch(/^ +at |the harness broke/m);
    expect(ended.peakMb).toBeLessThan(512);
    expect(await temporaryFiles(folder)).toEqual([]);
  });
});

async function temporaryFiles(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => /\.(tmp|lock)$/.test(name));
}

describe("files of others", () => {
  const mine = { "notes.txt": "mine", "summary.md": "mine", "evidence/a.txt": "mine", "shards/1/b": "mine" };

  const commands: readonly (readonly [string, () => readonly string[]])[] = [
    ["run", () => run.slice(1)],
    ["merge", () => [shard]],
    ["reproduce", () => [RULE, "--from", good]],
    ["prove", () => ["--variant", "reference"]],
  ];

  let shard: string;
  beforeAll(async () => {
    shard = await scratchFolder();
    await recordRun(shard, [RULE]);
  });

  test.each(commands)(
    "are neither removed nor overwritten by %s, by name or as the working folder",
    async (name, args) => {
      const folder = await scratchFolder();
      for (const [path, text] of Object.entries(mine)) {
        await mkdir(join(folder, path, ".."), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      const link = join(folder, "..", "link-to-mine");
      await symlink(folder, link).catch(() => {});
      for (const { code, stdout, stderr } of [
        await mainHere([name, ...args(), "--out", folder]),
        await mainHere([name, ...args(), "--out", link]),
        await perpHere([name, ...args(), "--out", "."], { cwd: folder }),
      ])
        expect({ code, stdout, stderr }).toEqual({
          code: 2,
          stdout: "",
          stderr: expect.stringMatching(/^error: \/.* is not empty, and was not written by this program: .*--out\n/),
        });
      for (const [name, text] of Object.entries(mine)) expect(await readFile(join(folder, name), "utf8")).toBe(text);
      expect((await readdir(folder)).sort()).toEqual(["evidence", "notes.txt", "shards", "summary.md"]);
    },
  );

  test("what a bundle is made from is not replaced by it, and other files beside a run stay", async () => {
    const bundle = (...more: string[]) => mainHere(["reproduce", RULE, "--from", good, ...more]);
    const before = await readFile(join(good, "results.json"), "utf8");
    await writeFile(join(good, "notes.txt"), "mine");
    for (const out of [good, join(good, ".."), join(good, "evidence"), join(good, "evidence", "bodies", "x"), "/"]) {
      const { code, stderr } = await bundle("--out", out);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^error: /) });
    }
    const inside = await bundle();
    expect([inside.code, await readFile(join(good, "results.json"), "utf8")]).toEqual([0, before]);
    expect((await mainHere(["rejudge", good, "--quiet"])).code).toBe(0);
    const zip = join(good, "disputes", `${RULE}.zip`);
    const archive = await readFile(zip);
    const again = await perpHere([...run, "--no-report", "--quiet", "--out", good]);
    expect(again.code).toBe(0);
    expect(await readFile(join(good, "notes.txt"), "utf8")).toBe("mine");
    expect(await readFile(zip)).toEqual(archive);
    const other = join(good, "..", "other");
    await writeFile(`${other}.zip`, "mine");
    expect((await bundle("--out", other)).code).toBe(2);
    expect(await readFile(`${other}.zip`, "utf8")).toBe("mine");
    expect(existsSync(other)).toBe(false);
  });

  test("are not taken for keys, configurations or baselines to write", async () => {
    const cwd = await scratchFolder();
    for (const name of ["perp-conformance.schema.json", "k", "b.json"]) await writeFile(join(cwd, name), '"mine"');
    const codes = await Promise.all(
      [["init"], ["keygen", "--out", "k"], [...run, "--write-baseline", "b.json", "--out", "r"]].map(
        async (args) => (await perpIn({ cwd }, args)).code,
      ),
    );
    expect(codes).toEqual([2, 2, 2]);
    expect((await readdir(cwd)).sort()).toEqual(["b.json", "k", "perp-conformance.schema.json"]);
  });
});

describe("a folder", () => {
  test("is written into by one process at a time, also by way of a link", async () => {
    const folder = await scratchFolder();
    await mkdir(join(folder, "r"));
    await symlink("r", join(folder, "link"));
    const both = await Promise.all(
      ["r", "link"].map((out) => perpIn({ cwd: folder }, [...run, "--no-report", "--quiet", "--out", out])),
    );
    const [won, lost] = both.sort((one, other) => Number(one.code) - Number(other.code));
    expect([won?.code, won?.stderr, lost?.code]).toEqual([0, "", 2]);
    expect(lost?.stderr).toMatch(
      /^error: process \d+ is writing into \/.*\/r: wait until it has ended, or choose another folder with --out\n$/,
    );
    expect((await mainHere(["rejudge", join(folder, "r"), "--quiet"])).code).toBe(0);
    expect(await temporaryFiles(folder)).toEqual([]);
  });

  test("keeps the last complete run when the next is killed, and says so to the one after it", async () => {
    const out = join(await scratchFolder(), "r");
    const slow = [...run.slice(0, 3), "--no-report", "--out", out, "--suite", "GetOpenPositionsStreaming"];
    await cp(good, out, { recursive: true });
    const before = await readFile(join(out, "results.json"), "utf8");
    const killed = await endedBy("SIGKILL", slow, out);
    expect(killed.code).toBeNull();
    expect(await readFile(join(out, "results.json"), "utf8")).toBe(before);
    expect((await mainHere(["rejudge", out, "--quiet"])).code).toBe(0);
    expect(JSON.parse(await readFile(join(out, "unfinished", "results.json"), "utf8"))).toMatchObject({
      incomplete: true,
    });
    const next = await perpHere([...run, "--no-report", "--quiet", "--out", out]);
    expect({ code: next.code, stderr: next.stderr }).toEqual({
      code: 0,
      stderr: `${out} has what is left of a run that did not finish: it is replaced\n`,
    });
    expect(await readdir(out)).not.toContain("unfinished");
  });

  test.each(["SIGINT", "SIGTERM"] as const)("has no half-written files when %s comes twice", async (signal) => {
    const out = join(await scratchFolder(), "r");
    const slow = [...run.slice(0, 3), "--no-report", "--out", out, "--suite", "GetOpenPositionsStreaming"];
    const ended = await endedBy(signal, slow, out, 2);
    expect({ code: ended.code, stack: /^ +at /m.test(ended.stderr) }).toEqual({ code: 130, stack: false });
    expect(await temporaryFiles(out)).toEqual([]);
    await (await openOutputFolder(out, { ...runFolder, inPlace: true })).close();
  });

  test("is given back when a run is interrupted before its target has said anything", async () => {
    const silent = createServer(() => {});
    const out = join(await scratchFolder(), "r");
    const args = ["run", "--base-url", await listenOnLoopback(silent), "--out", out];
    const ended = await perp(args, (stderr, kill) => {
      if (stderr.includes("discovering")) kill("SIGTERM");
    });
    shutDown(silent);
    expect(ended.code).toBe(130);
    expect(JSON.parse(await readFile(join(out, "results.json"), "utf8"))).toMatchObject({ incomplete: true });
    expect(await temporaryFiles(out)).toEqual([]);
  });
});

/** Runs the binary until there are results so far, and sends it a signal then, and again a moment later. */
async function endedBy(signal: NodeJS.Signals, args: readonly string[], out: string, times = 1): Promise<Ended> {
  const dir = existsSync(out) ? join(out, "unfinished") : out;
  const isUnderWay = () => ["evidence/session.json", "results.json"].every((name) => existsSync(join(dir, name)));
  let timer: NodeJS.Timeout | undefined;
  const ended = await perp(args, (_, kill) => {
    timer ??= setInterval(() => {
      if (!isUnderWay()) return;
      clearInterval(timer);
      for (let time = 0; time < times; time++) setTimeout(() => kill(signal), time * 300);
    }, 20);
  });
  clearInterval(timer);
  return ended;
}
