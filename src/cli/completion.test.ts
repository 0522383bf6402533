import { execFile, spawnSync } from "node:child_process";
import { rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { binary, MUTANT, perp, RULE, scratchFolder } from "../e2e/binary.fixture.js";
import { commands } from "./commands.js";
import { completion } from "./complete.js";

async function completions(words: readonly string[], of = commands): Promise<string[]> {
  return (await completion(words, of)).candidates.map(({ value }) => value);
}

describe("a line is completed", () => {
  test.each<[words: string[], found: string[]]>([
    [["re"], ["rejudge", "reproduce"]],
    [["run", "--rule", RULE.slice(0, -2)], [RULE]],
    [
      ["run", "--profile", ""],
      ["quick", "full"],
    ],
    [["run", "--suite", "GetAllP"], ["GetAllPositions"]],
    [["run", "--reading", "B4=best-f"], ["B4=best-first"]],
    [
      ["run", "--profile="],
      ["--profile=quick", "--profile=full"],
    ],
    [["run", "--reading=B4=best-f"], ["--reading=B4=best-first"]],
    [["run", "--require"], ["--require-conclusive"]],
    [["serve", "--mutant", MUTANT], [MUTANT]],
    [["explain", RULE.slice(0, -2)], [RULE]],
    [["completion", "z"], ["zsh"]],
  ])("%j", async (words, found) => {
    expect(await completions(words, commands)).toEqual(found);
  });

  test.each<[words: string[], files: boolean]>([
    [["run", "--out", ""], true],
    [["run", "--baseline", ""], true],
    [["run", "--suites", ""], true],
    [["rejudge", ""], true],
    [["verify", ""], true],
    [["run", "--base-url", ""], false],
    [["run", "--seed", ""], false],
    [["run", "--label", ""], false],
    [["run", ""], false],
    [["no-such-command", "--"], false],
  ])("with files where files may stand, and with nothing where nobody knows: %j", async (words, files) => {
    expect(await completion(words, commands)).toEqual({ files, candidates: [] });
  });

  test("with the targets of the configuration file that is named, and with none if it cannot be read", async () => {
    const config = join(await scratchFolder(), "fleet.json");
    const baseUrl = "http://127.0.0.1:1";
    await writeFile(
      config,
      JSON.stringify({
        targets: [
          { name: "staging", baseUrl },
          { name: "production", baseUrl },
        ],
      }),
    );
    const line = ["run", "--config", config, "--target", "st"];
    expect((await completion(line, commands)).candidates).toEqual([{ value: "staging", description: baseUrl }]);
    await rm(config);
    expect(await completions(line, commands)).toEqual([]);
  });

  test("with a few words about each value", async () => {
    for (const words of [
      [""],
      ["run", "--"],
      ["run", "--rule", ""],
      ["serve", "--mutant", ""],
      ["run", "--reading", ""],
    ])
      for (const { value, description } of (await completion(words, commands)).candidates) {
        expect(description, value).toMatch(/^[^\n\t]{5,100}$/);
        expect(value).toMatch(/^\S+$/);
      }
  });

  test("with every option of every command", async () => {
    for (const [name, load] of Object.entries(commands)) {
      const options = (await load()).options.map(({ long }) => long);
      expect(await completions([name, "--"], commands)).toEqual([...options, "--verbose", "--help"]);
    }
  });
});

test("each command shows examples of itself with --help", async () => {
  for (const [name, load] of Object.entries(commands)) {
    let shown = "";
    const command = (await load()).configureOutput({
      writeOut(text) {
        shown += text;
      },
    });
    command.outputHelp();
    const [, examples = ""] = shown.split(/^Examples?:$/m);
    expect(examples, name).toContain(`perp-conformance ${name}`);
  }
});

test("bash asks the program what may come next", async () => {
  const { stdout: script } = await perp(["completion", "bash"]);
  const line = `COMP_WORDS=("$0" run --rule "$1"); COMP_CWORD=3; _perp_conformance; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ["--norc", "-c", `${script}\n${line}`, binary, "get-all-positions.limit-"];
  const { stdout } = await promisify(execFile)("bash", args);
  expect(stdout.trim().split("\n")).toEqual([
    "get-all-positions.limit-default",
    "get-all-positions.limit-zero",
    "get-all-positions.limit-cap",
  ]);
});

test.each([
  ["--reading B4 = best-f", "best-first"],
  ["--reading B4 =", "best-first\nbest-last"],
  ["--profile = q", "quick"],
  ["--profile =", "quick\nfull"],
])("bash completes what follows an equals sign, where it splits words: %s", async (words, completed) => {
  const { stdout: script } = await perp(["completion", "bash"]);
  const line = `COMP_WORDS=("$0" run ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _perp_conformance; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", [
    "--norc",
    "-c",
    `${script}\nCOMP_WORDBREAKS='='\n${line}`,
    binary,
  ]);
  expect(stdout.trim()).toBe(completed);
});

describe.each(["zsh", "fish"])("%s", (shell) => {
  test("reads its script, and offers values with their descriptions, and files where files may stand", async ({
    skip,
  }) => {
    if (spawnSync(shell, ["-c", "exit"]).status !== 0) skip(`there is no ${shell} here`);
    const { stdout: script } = await perp(["completion", shell]);
    const file = join(await scratchFolder(), "script");
    await writeFile(file, script);
    const checked = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect({ status: checked.status, stderr: checked.stderr }).toEqual({ status: 0, stderr: "" });
    const ask =
      shell === "fish"
        ? (line: string) => [`complete -C '${line}'`]
        : (line: string) => [
            `compdef() {}; _files() { print files; }; _describe() { print -l -- "\${(@P)4}"; }`,
            `words=(\${(z)\${:-'${line}'}}); [[ '${line}' == *' ' ]] && words+=(''); CURRENT=$#words`,
            "_perp_conformance",
          ];
    const offered = (line: string) => {
      const [first = "", ...rest] = ask(
        line.replace("perp-conformance", shell === "fish" ? "perp-conformance" : binary),
      );
      const commandsOf = shell === "fish" ? [`source ${file}`, first] : [first, `source ${file}`, ...rest];
      const home = dirname(file);
      return spawnSync(shell, ["-c", commandsOf.join("\n")], {
        encoding: "utf8",
        cwd: home,
        env: { ...process.env, HOME: home, PATH: `${home}:${process.env.PATH}` },
      }).stdout;
    };
    await symlink(binary, join(dirname(file), "perp-conformance"));
    expect(offered("perp-conformance run --profile q")).toContain("quick");
    expect(offered(`perp-conformance explain ${RULE}`)).toMatch(new RegExp(`^${RULE}[:\\t]Without a`, "m"));
    expect(offered("perp-conformance run --seed ")).toBe("");
    expect(offered("perp-conformance run --config ")).toMatch(shell === "fish" ? /^script$/m : /^files$/m);
  });
});

test("each shell has its script, and other shells are refused", async () => {
  for (const shell of ["zsh", "fish"]) {
    const { code, stdout } = await perp(["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("complete -- ");
  }
  expect((await perp(["completion", "tcsh"])).code).toBe(2);
});
