import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../specification/package-root.js";
import { MUTANT, perpAt, RULE, scratchFolder } from "./binary.fixture.js";

const execute = promisify(execFile);

/** Where the package is installed, and the folder that it is installed for: it has a blank in its name. */
let home: string;
let installed: string;
let binary: string;
let before: readonly string[];

beforeAll(async () => {
  const scratch = await scratchFolder();
  home = join(scratch, "a folder");
  installed = join(home, "node_modules/perp-conformance");
  binary = join(installed, "dist/src/cli/main.js");
  await mkdir(installed, { recursive: true });
  const { stdout } = await execute("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", scratch], {
    cwd: packageRoot,
  });
  await execute("tar", ["-xzf", join(scratch, stdout.trim()), "--strip-components=1", "-C", installed]);
  // As `prepack` does, which would build again.
  await execute(process.execPath, [join(packageRoot, "dist/src/scripts/slim-package.js"), join(installed, "dist")], {
    cwd: packageRoot,
  });
  await linkDependencies(join(home, "node_modules"));
  await makeReadOnly(installed);
  before = await stateOf(installed);
}, 60_000);

/** Links what an installation brings along: no dev dependency is among it. */
async function linkDependencies(to: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(packageRoot, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: true; devOptional?: true; optional?: true }>;
  };
  const names = Object.entries(packages)
    .filter(([path, { dev, devOptional, optional }]) => path !== "" && !dev && !devOptional && !optional)
    .map(([path]) => path.replace(/^node_modules\//, ""))
    .filter((name) => !name.includes("node_modules/"));
  for (const name of names) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    await symlink(join(packageRoot, "node_modules", name), join(to, name));
  }
}

async function everythingIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
}

async function makeReadOnly(folder: string): Promise<void> {
  for (const path of await everythingIn(folder)) await chmod(path, (await stat(path)).mode & 0o555);
}

/** Each file with its size and time: a superuser's process could write to a read-only tree. */
async function stateOf(folder: string): Promise<string[]> {
  const paths = (await everythingIn(folder)).sort();
  return Promise.all(
    paths.map(async (path) => {
      const { size, mtimeMs } = await stat(path);
      return `${path} ${size} ${mtimeMs}`;
    }),
  );
}

/** The examples in a language that the READMEs of some folders show, in their order. */
async function readmeCode(language: string, folders: readonly string[]): Promise<string[]> {
  const readmes = await Promise.all(folders.map((folder) => readFile(join(packageRoot, folder, "README.md"), "utf8")));
  return [...readmes.join("\n").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, kind, code = ""]) =>
    kind === language ? [code] : [],
  );
}

/** Runs the installed binary in an empty folder. */
async function perp(args: readonly string[]) {
  const cwd = await scratchFolder();
  return { ...(await perpAt(binary, args, undefined, { cwd })), cwd };
}

describe("the package, installed read-only in a folder with a blank", () => {
  test("tests a server with the full report, and leaves evidence to judge again and to dispute with", async () => {
    const { code, stderr, out, cwd } = await perp(["run", "--reference", "--rule", RULE, "--quiet"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(await readFile(join(out, "allure-report/index.html"), "utf8")).toContain("CONFORMANT");
    expect(await readdir(cwd)).toEqual([]);

    const bundle = await scratchFolder();
    const [again, dispute] = await Promise.all([
      perp(["rejudge", out]),
      perp(["reproduce", RULE, "--from", out, "--out", bundle]),
    ]);
    expect(again.stdout).toMatch(/^The same verdict/);
    expect(dispute.code).toBe(0);
    expect(await readdir(bundle)).toContain("index.html");
  });

  test("explains its rules, with the servers that break them", async () => {
    const explained = await perp(["explain", RULE]);
    expect({ code: explained.code, stderr: explained.stderr }).toEqual({ code: 0, stderr: "" });
    expect(explained.stdout).toContain(MUTANT);
  });

  test("is a module with types, for runs from code with suites of one's own", async () => {
    const out = await scratchFolder();
    const [first = "", own = ""] = await readmeCode("ts", ["src", "suites"]);
    await writeFile(join(home, "first.mts"), first);
    await writeFile(join(home, "own.ts"), own);
    await writeFile(
      join(home, "gate.mts"),
      `import { ConfigurationError, exitCode, run, type Results } from "perp-conformance";
       import { readFileSync } from "node:fs";
       import { fileURLToPath } from "node:url";
       const schema = fileURLToPath(import.meta.resolve("perp-conformance/schemas/results.schema.json"));
       const several = await run({ config: "several.json" }).catch((error: unknown) => error);
       const results: Results = await run({
         reference: true, rule: ["${RULE}", "x-acme.orders-in-pages-of-seven"], suites: ["own.ts"], report: false, out: ${JSON.stringify(out)},
       });
       const told = results.rules.filter(({ checks }) => checks.length > 0).map(({ id, verdict }) => id + " " + verdict);
       process.stdout.write(JSON.stringify({
         told,
         code: exitCode(results),
         schema: JSON.parse(readFileSync(schema, "utf8")).$id,
         refused: several instanceof ConfigurationError ? several.message : "",
       }));`,
    );
    const targets = ["one", "two"].map((name) => ({ name, baseUrl: "http://127.0.0.1:9" }));
    await writeFile(join(home, "several.json"), JSON.stringify({ targets }));
    const compiler = join(packageRoot, "node_modules/typescript/bin/tsc");
    const options =
      "--strict --target es2022 --lib es2023 --module nodenext --types node --noEmitOnError --rootDir .".split(" ");
    const types = ["--typeRoots", join(packageRoot, "node_modules/@types")];
    await execute(process.execPath, [compiler, ...options, ...types, "gate.mts", "own.ts", "first.mts"], {
      cwd: home,
    }).catch(({ stdout }) => expect.fail(stdout));
    const { stdout, stderr } = await execute(process.execPath, ["gate.mjs"], { cwd: home });
    expect({ stdout: JSON.parse(stdout), stderr }).toEqual({
      stdout: {
        told: [`${RULE} pass`, "x-acme.orders-in-pages-of-seven pass"],
        code: 0,
        schema: "urn:perp-conformance:results",
        refused: expect.stringContaining("several targets (one, two)"),
      },
      stderr: "",
    });
  });

  test("is small: no source maps, 2.5 MB at most", async () => {
    const sizes = await Promise.all((await everythingIn(installed)).map((path) => stat(path)));
    const bytes = sizes.filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThan(2.5 * 1024 * 1024);
    expect((await everythingIn(installed)).filter((path) => path.endsWith(".map"))).toEqual([]);
  });

  test("says where it comes from, and cannot be published before somebody fills that in", async () => {
    const { repository, homepage, bugs, keywords, author, scripts } = JSON.parse(
      await readFile(join(installed, "package.json"), "utf8"),
    );
    for (const text of [repository.url, homepage, bugs, author]) expect(text).toContain("OWNER");
    expect(keywords.length).toBeGreaterThan(3);
    const publish = execute("sh", ["-c", scripts.prepublishOnly], { cwd: installed });
    await expect(publish).rejects.toThrow("fill in OWNER");
  });

  test("compiles for users of a bundler as well, whose compiler looks into declarations", async () => {
    await writeFile(
      join(home, "bundled.ts"),
      'import { exitCode, run } from "perp-conformance";\nexport const code: Promise<number> = run({ reference: true }).then(exitCode);\n',
    );
    const compiler = join(packageRoot, "node_modules/typescript/bin/tsc");
    const options =
      "--strict --noEmit --skipLibCheck false --target es2022 --lib es2023 --module esnext --moduleResolution bundler --types node".split(
        " ",
      );
    const types = ["--typeRoots", join(packageRoot, "node_modules/@types")];
    await execute(process.execPath, [compiler, ...options, ...types, "bundled.ts"], { cwd: home }).catch(({ stdout }) =>
      expect.fail(stdout),
    );
  });

  test("is as it was when all that is done", async () => {
    expect(await stateOf(installed)).toEqual(before);
  });
});
