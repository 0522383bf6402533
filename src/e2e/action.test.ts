import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../specification/package-root.js";
import { RULE, scratchFolder } from "./binary.fixture.js";
import { startModified } from "./servers.fixture.js";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string; readonly description: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id: string;
      readonly if?: string;
      readonly uses?: string;
      readonly run?: string;
      readonly env?: Record<string, string>;
    }[];
  };
}

const actionText = () => readFile(join(packageRoot, "action.yml"), "utf8");

async function readAction(): Promise<Action> {
  return parse(await actionText()) as Action;
}

type Parser = Pick<typeof import("@actions/workflow-parser"), "NoOperationTraceWriter"> &
  Pick<typeof import("@actions/workflow-parser/actions/action-parser"), "parseAction">;

/** GitHub's own parser of actions. It is bundled first: it imports JSON in a way that Node 20 does not take. */
async function loadParser(): Promise<Parser> {
  const contents = `export { NoOperationTraceWriter } from "@actions/workflow-parser";
    export { parseAction } from "@actions/workflow-parser/actions/action-parser";`;
  const stdin = { contents, resolveDir: packageRoot };
  const bundle = join(await scratchFolder(), "parser.mjs");
  await build({ stdin, outfile: bundle, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  return (await import(bundle)) as Parser;
}

/** Runs a step as GitHub does: with the inputs in its variables, in bash that ends at the first error. */
async function runStep(id: string, given: Readonly<Record<string, string>>) {
  const { inputs, runs } = await readAction();
  const step = runs.steps.find((each) => each.id === id);
  if (!step?.run) throw new Error(`the action has no step ${id}`);
  const cwd = await scratchFolder();
  const values = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, { default: value }]) => [name, value])),
    ...given,
  };
  const filled = Object.entries(step.env ?? {}).map(([name, text]) => [
    name,
    text.replace(
      /\$\{\{ inputs\.([\w-]+) \}\}/g,
      (_, input: string) => values[input] ?? expect.fail(`no input ${input}`),
    ),
  ]);
  const summary = join(cwd, "summary of the step");
  await writeFile(summary, "What was there before\n");
  const github = {
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: packageRoot,
    GITHUB_OUTPUT: join(cwd, "output"),
    GITHUB_STEP_SUMMARY: summary,
  };
  const env = { PATH: process.env.PATH ?? "", ...Object.fromEntries(filled), ...github };
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], { cwd, env });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const [code] = (await once(child, "close")) as [number];
  const output = await readFile(join(cwd, "output"), "utf8").catch(() => "");
  return { code, stdout, cwd, output, summary: await readFile(summary, "utf8") };
}

test("the action gates a job by the exit code, annotates and sums it up, and tells where the files are", async () => {
  const server = await startModified();
  try {
    const { code, stdout, cwd, output, summary } = await runStep("run", {
      "base-url": server.url,
      rules: RULE,
      labels: "build=12\ncommit=abc",
      arguments: `--no-report\n--header\nX-Note: $(touch ran)`,
      out: "files of the run",
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error title=get-all-positions\.limit-default on GetAllPositions::.*%0Aseen: 49%0A/m);
    expect(stdout).toMatch(/^::notice title=perp-conformance::NOT CONFORMANT/m);
    expect(output.trimEnd().split("\n")).toEqual([
      ...["exit-code=1", "out=files of the run", "conclusion=not-conformant", "passed=0", "failed=1"],
      ...["results=files of the run/results.json", "summary=files of the run/summary.md"],
    ]);
    const { labels } = JSON.parse(await readFile(join(cwd, "files of the run/results.json"), "utf8"));
    expect(labels).toEqual({ build: "12", commit: "abc" });
    const page = await readFile(join(cwd, "files of the run/summary.md"), "utf8");
    expect(page).toMatch(/^# NOT CONFORMANT/);
    expect(summary).toBe(`What was there before\n${page}\n`);
    await expect(readFile(join(cwd, "ran"))).rejects.toThrow("ENOENT");
  } finally {
    await server.close();
  }
});

test("the action sets up Node where there is none that will do", async () => {
  const { runs } = await readAction();
  const [look, setup] = runs.steps;
  expect(setup).toMatchObject({ if: `steps.${look?.id}.outputs.missing == 'true'`, uses: "actions/setup-node@v4" });
  expect((await runStep("node", {})).output).toBe("missing=false\n");
});

test("the action fails without a server to test, and says nothing of an earlier run", async () => {
  const out = await scratchFolder();
  await writeFile(join(out, "results.json"), JSON.stringify({ summary: { conclusion: "conformant" } }));
  await writeFile(join(out, "summary.md"), "# CONFORMANT\n");
  const { code, output } = await runStep("run", { out });
  expect(code).toBe(2);
  expect(output.trimEnd().split("\n")).toEqual([
    ...["exit-code=2", `out=${out}`, "conclusion=", "passed=", "failed=", "results=", "summary="],
  ]);
});

test("every input of the action is used and described, and every output comes from its run", async () => {
  const { inputs, outputs, runs } = await readAction();
  const text = JSON.stringify(runs.steps.map(({ env }) => env));
  for (const [name, { description }] of Object.entries(inputs)) {
    expect(text).toContain(`\${{ inputs.${name} }}`);
    expect(description).not.toBe("");
  }
  for (const { run } of runs.steps) expect(run ?? "").not.toContain("${{");
  const script = runs.steps.find(({ id }) => id === "run")?.run ?? "";
  for (const [name, { value }] of Object.entries(outputs)) {
    expect(value).toBe(`\${{ steps.run.outputs.${name} }}`);
    expect(script).toContain(`echo "${name}=`);
  }
});

test("the workflow that the README shows gives the action inputs that it has", async () => {
  const readme = await readFile(join(packageRoot, "src/cli/README.md"), "utf8");
  const [workflow] = [...readme.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => parse(text));
  const { steps } = workflow.jobs.conformance as { steps: { uses?: string; with?: Record<string, unknown> }[] };
  const step = steps.find(({ uses }) => uses?.includes("/perp-conformance@"));
  const { inputs, outputs } = await readAction();
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})));
  const upload = JSON.stringify(steps.at(-1));
  for (const [, output = ""] of upload.matchAll(/outputs\.([\w-]+)/g)) expect(outputs).toHaveProperty(output);
  expect(upload).toContain("outputs.out");
});

test("its metadata is what GitHub's schema of actions asks for", async () => {
  const { NoOperationTraceWriter, parseAction } = await loadParser();
  const problemsOf = (content: string) =>
    parseAction({ name: "action.yml", content }, new NoOperationTraceWriter())
      .context.errors.getErrors()
      .map(({ message }) => message);
  const text = await actionText();
  expect(problemsOf(text)).toEqual([]);
  for (const [right, wrong] of [
    ["  icon:", "  icn:"],
    ["using: composite", "using: composed"],
    ["shell: bash", "shel: bash"],
  ] as const) {
    expect(text).toContain(right);
    expect(problemsOf(text.replace(right, wrong)), wrong).not.toEqual([]);
  }
});
