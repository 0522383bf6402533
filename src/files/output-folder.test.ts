import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  checkOutputFolder,
  type FolderPlan,
  markerFile,
  type OutputFolder,
  openOutputFolder,
} from "./output-folder.js";
import { temporaryFolder } from "./temporary-folder.fixture.js";

const plan: FolderPlan = { kind: "run", names: ["results.json", "evidence"], keeps: ["history.jsonl"] };

let root: string;
let dir: string;
let opened: OutputFolder[];
beforeEach(() => {
  root = temporaryFolder();
  dir = join(root, "out");
  opened = [];
});
afterEach(async () => {
  for (const folder of opened) await folder.close();
});

async function open(path = dir, changes: Partial<FolderPlan> = {}): Promise<OutputFolder> {
  const folder = await openOutputFolder(path, { ...plan, ...changes });
  opened.push(folder);
  return folder;
}

/** Writes the files of a run in a few words, and ends as `end` says. */
async function write(words: string, changes: Partial<FolderPlan> = {}, path = dir): Promise<void> {
  const folder = await open(path, changes);
  await mkdir(join(folder.work, "evidence"));
  await writeFile(join(folder.work, "evidence", words), words);
  await writeFile(join(folder.work, "results.json"), words);
  await folder.commit();
  await folder.close();
}

/** A folder in which a process was killed: it has no chance to close anything. */
async function killed(words: string, inPlace: boolean): Promise<void> {
  const folder = await open(dir, { inPlace });
  await writeFile(join(folder.work, "results.json"), words);
  await writeFile(join(folder.work, "results.json.1-2.tmp"), "half");
  const left = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    left
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"))
      .map((entry) => join(entry.parentPath, entry.name))
      .map(async (path) => [path, await readFile(path)] as const),
  );
  await folder.close();
  for (const [path, content] of files) {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, content);
  }
}

const results = () => readFile(join(dir, "results.json"), "utf8");
const contents = async () => (await readdir(dir)).sort();

test("a folder is made, filled, and listed", async () => {
  await write("first");
  expect(await contents()).toEqual([markerFile, "evidence", "results.json"]);
  expect(JSON.parse(await readFile(join(dir, markerFile), "utf8"))).toEqual({
    format: "perp-conformance/folder",
    formatVersion: 1,
    kind: "run",
    complete: true,
    files: ["results.json", "evidence/first"],
  });
});

test.each([true, false])(
  "what was written before is replaced as a whole, and nothing else (in place: %s)",
  async (inPlace) => {
    await write("first", { inPlace });
    await writeFile(join(dir, "notes.tmp"), "mine");
    await mkdir(join(dir, "disputes"));
    await write("second", { inPlace });
    expect(await contents()).toEqual([markerFile, "disputes", "evidence", "notes.tmp", "results.json"]);
    expect(await readdir(join(dir, "evidence"))).toEqual(["second"]);
  },
);

test.each([true, false])("the last good one stays until the next is there (in place: %s)", async (inPlace) => {
  await write("good");
  const folder = await open(dir, { inPlace });
  await writeFile(join(folder.work, "results.json"), "half");
  expect(await results()).toBe("good");
  await folder.close();
  expect(await results()).toBe("good");
  await write("next");
  expect(await results()).toBe("next");
});

test("what is not finished shows where nothing is to be kept, if it is to, and is removed otherwise", async () => {
  const hidden = await open();
  await writeFile(join(hidden.work, "results.json"), "so far");
  expect(await contents()).not.toContain("results.json");
  await hidden.close();
  expect(existsSync(dir)).toBe(false);
  const inPlace = await open(dir, { inPlace: true });
  await writeFile(join(inPlace.work, "results.json"), "so far");
  await inPlace.close();
  expect(await results()).toBe("so far");
});

describe("what a killed process has left", () => {
  test.each([true, false])(
    "is told of and replaced, where there was nothing before (in place: %s)",
    async (inPlace) => {
      await killed("half", inPlace);
      expect(existsSync(join(dir, "results.json"))).toBe(inPlace);
      const folder = await open();
      expect(folder.notes).toEqual([`${dir} has what is left of a run that did not finish: it is replaced`]);
      await folder.close();
      await write("whole");
      expect(await contents()).toEqual([markerFile, "evidence", "results.json"]);
    },
  );

  test("does not touch the last good one", async () => {
    await write("good");
    await killed("half", true);
    expect(await results()).toBe("good");
    expect(await readFile(join(dir, "unfinished", "results.json"), "utf8")).toBe("half");
    await write("next");
    expect(await contents()).toEqual([markerFile, "evidence", "results.json"]);
  });
});

describe("a folder is refused", () => {
  const refused = (path: string, changes?: Partial<FolderPlan>) => expect(open(path, changes)).rejects;

  test("that has files of others, whatever their names", async () => {
    await mkdir(join(dir, "evidence"), { recursive: true });
    await refused(dir).toThrow(/is not empty, and was not written by this program/);
    await writeFile(join(dir, "summary.md"), "mine");
    await refused(dir).toThrow(/is not empty, and was not written by this program/);
    expect(await contents()).toEqual(["evidence", "summary.md"]);
  });

  test("as one that another process holds, while that is writing files that nobody has listed yet", async () => {
    await write("first");
    await writeFile(join(dir, "evidence", "just-now"), "");
    await writeFile(join(dir, `.perp-conformance.${process.ppid}-0.lock`), "");
    const held = `process ${process.ppid} is writing into ${dir}`;
    await refused(dir).toThrow(held);
    await expect(checkOutputFolder(dir, plan)).rejects.toThrow(held);
  });

  test("unless they are what outlives a run", async () => {
    await mkdir(dir);
    await writeFile(join(dir, "history.jsonl"), "");
    await write("first");
    expect(await contents()).toEqual([markerFile, "evidence", "history.jsonl", "results.json"]);
  });

  test("that an older version has written, with what to do", async () => {
    await mkdir(dir);
    await writeFile(join(dir, "results.json"), "{}");
    await refused(dir).toThrow(/holds a run without a list of its files .*remove the folder/);
  });

  test("in which somebody has put a file among ours, or in place of ours", async () => {
    await write("first");
    await writeFile(join(dir, "evidence", "mine"), "mine");
    await refused(dir).toThrow(`${dir}/evidence/mine was not written by this program`);
    await rm(join(dir, "results.json"));
    await mkdir(join(dir, "results.json"));
    await writeFile(join(dir, "results.json", "mine"), "mine");
    await refused(dir).toThrow(`${dir}/results.json was not written by this program`);
    await rm(join(dir, "results.json"), { recursive: true });
    await writeFile(join(root, "mine"), "mine");
    await symlink(join(root, "mine"), join(dir, "history.jsonl"));
    await refused(dir).toThrow(`${dir}/history.jsonl was not written by this program`);
    await rm(join(dir, "history.jsonl"));
    await rm(join(dir, "evidence"), { recursive: true });
    await symlink(root, join(dir, "evidence"));
    await refused(dir).toThrow(`${dir}/evidence was not written by this program`);
    await rm(join(dir, "evidence"));
    await mkdir(join(dir, "unfinished", "mine"), { recursive: true });
    await refused(dir).toThrow(`${dir}/unfinished was not written by this program`);
  });

  test("that holds something else of ours", async () => {
    await write("first");
    await refused(dir, { kind: "bundle" }).toThrow(/holds a run, not a bundle of a dispute/);
  });

  test("whose list cannot be believed", async () => {
    await write("first");
    await writeFile(join(dir, markerFile), '{"format": "perp-conformance/folder", "files": ["../.."]}');
    await refused(dir).toThrow(/\.perp-conformance\.json cannot be read/);
  });

  test("that is the root, the home folder, a file, or a link to nothing", async () => {
    await refused("/").toThrow(/root of the file system/);
    await refused(homedir()).toThrow(/home folder/);
    await writeFile(dir, "");
    await refused(dir).toThrow(/is a file/);
    await refused(join(dir, "in", "it")).toThrow(/is a file/);
    await symlink(join(root, "nowhere"), join(root, "link"));
    await refused(join(root, "link")).toThrow(/a link to something that does not exist/);
    await symlink(homedir(), join(root, "home"));
    await refused(join(root, "home")).toThrow(/home folder/);
  });

  test.each([
    ["a\0b", /NUL/],
    ["a".repeat(300), /too long/],
  ])("whose name cannot be (%#)", async (name, reason) => {
    await refused(join(root, name)).toThrow(reason);
  });

  test("that lies in what a run has written, or has in it what is read", async () => {
    await write("first");
    await refused(join(dir, "evidence", "x")).toThrow(`${dir}/evidence belongs to a run`);
    const protects = [join(dir, "evidence")];
    await refused(dir, { protects }).toThrow(/contains evidence, which this command reads/);
    await refused(root, { protects }).toThrow(/contains evidence, which this command reads/);
    await refused(join(dir, "evidence"), { protects }).toThrow(/which this command reads/);
    await write("a dispute", { kind: "bundle", protects }, join(dir, "disputes", "x"));
  });
});

test("where no folder can be made is said at once", { timeout: 10_000 }, async (context) => {
  if (!existsSync("/proc/self")) context.skip("this system has no /proc");
  await expect(open("/proc/x/y")).rejects.toThrow("cannot write /proc/x: no folder can be made there (ENOENT)");
});
