import { join } from "node:path";
import { Command } from "commander";
import { exitCode } from "../report/exit-code.js";
import type { Results } from "../report/results.js";
import { UsageError } from "./failure.js";

/** `perp-conformance rejudge DIR`: the verdicts of a run again, from its evidence alone. */
export function rejudgeCommand(): Command {
  return new Command("rejudge")
    .description("Judge a run again from its recorded evidence, without the target and without a network.")
    .argument("<dir>", "the folder of the run (its --out)")
    .option("--json", "print the new results as JSON")
    .option("--quiet", "print nothing but the conclusion")
    .action(async (dir: string, flags: { json?: boolean; quiet?: boolean }) => {
      process.exitCode = await rejudgeRun(dir, flags);
    });
}

async function rejudgeRun(dir: string, flags: { json?: boolean; quiet?: boolean }): Promise<number> {
  const { readResults, runFiles } = await import("../report/write.js");
  const { verifySeal } = await import("../evidence/seal.js");
  const { judgeAgain } = await import("./judge-again.js");
  const { conclusionLine } = await import("../report/console.js");
  const before = await readResults(dir).catch((error: Error) => {
    throw new UsageError(`there is no run in ${dir}: ${error.message}`);
  });
  const evidence = join(dir, runFiles.evidence);
  await verifySeal(evidence, before.evidence?.digest);

  const after = await judgeAgain(evidence, before);
  const style = { color: process.stdout.hasColors?.() ?? false };
  if (flags.json) process.stdout.write(`${JSON.stringify(after, undefined, 2)}\n`);
  else
    process.stdout.write(
      `${[...(flags.quiet ? [] : changes(before, after)), conclusionLine(after, style)].join("\n")}\n`,
    );
  return exitCode(after);
}

/** One line for each rule whose verdict is another now, and one that says how many there are. */
function changes(before: Results, after: Results): string[] {
  const was = new Map(before.rules.map(({ id, verdict }) => [id, verdict]));
  const changed = after.rules.filter(({ id, verdict }) => was.get(id) !== verdict);
  const lines = changed.map(
    ({ id, verdict }) => `${id}: ${was.get(id) ?? "not in the catalogue"} before, ${verdict} now`,
  );
  const gone = before.rules.filter(({ id }) => !after.rules.some((rule) => rule.id === id));
  lines.push(...gone.map(({ id, verdict }) => `${id}: ${verdict} before, no longer in the catalogue`));
  const version = `${before.harness.version} then, ${after.harness.version} now`;
  return [
    ...lines,
    lines.length === 0
      ? `The same verdict for each of ${after.rules.length} rules (harness ${version}).`
      : `${lines.length} of ${after.rules.length} rules have another verdict (harness ${version}).`,
  ];
}
