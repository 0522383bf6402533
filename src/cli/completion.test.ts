import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { binary, MUTANT, perp, RULE } from "../e2e/binary.fixture.js";
import { commands } from "./commands.js";
import { completions } from "./complete.js";

describe("a line is completed", () => {
  test.each<[words: string[], found: string[]]>([
    [["re"], ["reproduce", "rejudge"]],
    [["run", "--rule", RULE.slice(0, -2)], [RULE]],
    [
      ["run", "--profile", ""],
      ["quick", "full"],
    ],
    [["run", "--suite", "GetAllP"], ["GetAllPositions"]],
    [["run", "--reading", "B4=best-f"], ["B4=best-first"]],
    [["run", "--require"], ["--require-conclusive"]],
    [["serve", "--mutant", MUTANT], [MUTANT]],
    [["explain", RULE.slice(0, -2)], [RULE]],
    [["completion", "z"], ["zsh"]],
  ])("%j", async (words, found) => {
    expect(await completions(words, commands)).toEqual(found);
  });

  test.each([[["run", "--out", ""]], [["rejudge", ""]], [["no-such-command", "--"]]])(
    "with files where %j stands, or with nothing",
    async (words) => {
      expect(await completions(words, commands)).toEqual([]);
    },
  );

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

test("each shell has its script, and other shells are refused", async () => {
  for (const shell of ["zsh", "fish"]) {
    const { code, stdout } = await perp(["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("complete -- ");
  }
  expect((await perp(["completion", "tcsh"])).code).toBe(2);
});
