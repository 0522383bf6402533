import { join, resolve } from "node:path";
import { Command } from "commander";
import { checkOutputFolder, type FolderPlan, openOutputFolder } from "../files/output-folder.js";
import { writeWhole } from "../files/write.js";
import { exitCodes } from "../report/exit-code.js";
import { unknownName } from "../report/failure.js";
import { collect, integerUpTo } from "./options.js";

interface ProveFlags {
  readonly rule: string[];
  readonly mutant: string[];
  readonly variant: string[];
  readonly seed: number;
  readonly pairs?: boolean;
  readonly rejudge?: boolean;
  readonly json?: boolean;
  readonly matrix?: boolean;
  readonly out: string;
  readonly quiet?: boolean;
}

const proofFolder: FolderPlan = { kind: "proof", names: ["matrix.json", "index.html"] };

const help = `
Exit codes:
  0    each mutant is killed by the checks that should kill it, and no conformant server is blamed
  1    otherwise
  2    usage error
  3    a server could not be started, or a file could not be written

Examples:
  perp-conformance prove
  perp-conformance prove --rule order-book.bucket-spacing --matrix
  perp-conformance prove --mutant order-book-asks-not-bucketed --variant reference`;

/** `prove`: runs the harness on every mutant and variant, and prints the detection matrix. Exits with 1 unless it holds. */
export function proveCommand(): Command {
  return new Command("prove")
    .description("Run the harness against every mutant and variant of the reference server: the detection matrix.")
    .option("--rule <id>", "only the mutants of this rule; may be repeated", collect, [])
    .option(
      "--mutant <name>",
      "only this mutant; may be repeated (`perp-conformance explain RULE` lists them)",
      collect,
      [],
    )
    .option("--variant <name>", "only this variant; `reference` is the server as it is; may be repeated", collect, [])
    .option("--seed <n>", "seed of data and of generated requests", integerUpTo(Number.MAX_SAFE_INTEGER), 1)
    .option(
      "--pairs",
      "try every pair of field classes on each server, as a quick run does, not only where it is needed",
    )
    .option("--rejudge", "judge every trial again from its recorded exchanges; the verdicts must be the same")
    .option("--matrix", "list every rule with its mutants, not only the totals")
    .option("--json", "print the whole matrix as JSON")
    .option("--out <dir>", "folder for matrix.json and index.html", "reports/proof")
    .option("--quiet", "no progress")
    .addHelpText("after", help)
    .action(runProof);
}

async function runProof(flags: ProveFlags): Promise<void> {
  const { prove } = await import("../prove/prove.js");
  const { referenceName } = await import("../prove/jobs.js");
  const { proofPage, proofText } = await import("../prove/render.js");
  const { mutants, variants } = await import("../reference/modifications.js");
  const { isRuleId } = await import("../specification/catalogue/index.js");
  const { unknownRule } = await import("../report/unknown-rule.js");

  for (const id of flags.rule) if (!isRuleId(id)) throw unknownRule(id);
  const mutantNames = mutants.map(({ name }) => name);
  for (const name of flags.mutant) if (!mutantNames.includes(name)) throw unknownName("mutant", name, mutantNames);
  const variantNames = [...variants.map(({ name }) => name), referenceName];
  for (const name of flags.variant) if (!variantNames.includes(name)) throw unknownName("variant", name, variantNames);

  await checkOutputFolder(flags.out, proofFolder);
  const proof = await prove({
    rules: flags.rule,
    mutants: flags.mutant,
    variants: flags.variant,
    seed: flags.seed,
    pairs: flags.pairs === true,
    rejudge: flags.rejudge === true,
    onTrial({ job, durationMs, trouble }, done, total) {
      if (flags.quiet || flags.json) return;
      const name = job.modification?.name ?? referenceName;
      const end = trouble ? `trouble: ${trouble.split("\n")[0]}` : `${(durationMs / 1000).toFixed(1)} s`;
      process.stderr.write(`[${done}/${total}] ${name}, ${job.lane} suites: ${end}\n`);
    },
  });
  const out = resolve(flags.out);
  const json = `${JSON.stringify({ format: "perp-conformance/proof", formatVersion: 1, ...proof }, null, 1)}\n`;
  const folder = await openOutputFolder(out, proofFolder);
  try {
    await writeWhole(join(folder.work, "matrix.json"), json);
    await writeWhole(join(folder.work, "index.html"), proofPage(proof));
    await folder.commit();
  } finally {
    await folder.close();
  }
  const partial = flags.rule.length + flags.mutant.length + flags.variant.length > 0;
  process.stdout.write(
    flags.json ? json : `${proofText(proof, flags.matrix === true || partial)}\n${join(out, "index.html")}\n`,
  );
  process.exitCode =
    proof.matrix.problems.length === 0 && proof.trials > 0 ? exitCodes.conformant : exitCodes.notConformant;
}
