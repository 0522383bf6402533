import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { lockFolder } from "./lock.js";
import { temporaryFolder } from "./temporary-folder.fixture.js";

let dir: string;
beforeEach(() => {
  dir = temporaryFolder();
});

test("a folder is held by one at a time, and given back", async () => {
  const unlock = await lockFolder(dir);
  expect(readdirSync(dir)).toHaveLength(1);
  await expect(lockFolder(dir)).rejects.toThrow(`process ${process.pid} is writing into ${dir}`);
  unlock();
  expect(readdirSync(dir)).toEqual([]);
  (await lockFolder(dir))();
});

test("a process that runs keeps its folder, and one that is gone does not", async () => {
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(other, "spawn");
  const name = `.perp-conformance.${other.pid}-0.lock`;
  writeFileSync(join(dir, name), "");
  await expect(lockFolder(dir)).rejects.toThrow(`process ${other.pid} is writing into ${dir}`);
  expect(readdirSync(dir)).toEqual([name]);
  other.kill("SIGKILL");
  await once(other, "exit");
  (await lockFolder(dir))();
  expect(readdirSync(dir)).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "a process that got the number of one that is gone holds nothing",
  async () => {
    writeFileSync(join(dir, ".perp-conformance.1-123456789.lock"), "");
    (await lockFolder(dir))();
    expect(readdirSync(dir)).toEqual([]);
  },
);

test("of many that ask at once one gets it", async () => {
  const script = `
    const { lockFolder } = await import(${JSON.stringify(new URL("../../dist/src/files/lock.js", import.meta.url).href)});
    const got = await lockFolder(${JSON.stringify(dir)}).then(() => "mine", () => "not mine");
    process.stdout.write(got);
    // Whoever got it holds it until all have asked.
    process.stdin.resume();
    process.stdin.on("end", () => process.exit());
  `;
  const processes = Array.from({ length: 6 }, () => spawn(process.execPath, ["--input-type=module", "-e", script]));
  const told = await Promise.all(processes.map(async ({ stdout }) => String((await once(stdout, "data"))[0])));
  expect(told.filter((got) => got === "mine")).toHaveLength(1);
  const ended = processes.map((child) => once(child, "close"));
  for (const { stdin } of processes) stdin.end();
  await Promise.all(ended);
  expect(readdirSync(dir)).toEqual([]);
});
