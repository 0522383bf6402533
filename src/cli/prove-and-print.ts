import { join, resolve } from "node:path";
import { checkOutputFolder, type FolderPlan, openOutputFolder } from "../files/output-folder.js";
import { writeWhole } from "../files/write.js";
import { referenceName } from "../prove/jobs.js";
import { prove } from "../prove/prove.js";
import { proofPage, proofText } from "../prove/render.js";
import { mutants, variants } from "../reference/modifications.js";
import { exitCodes } from "../report/exit-code.js";
import { unknownName } from "../report/failure.js";
import { unknownRule } from "../report/unknown-rule.js";
import { isRuleId } from "../specification/catalogue/index.js";

/** The options of `prove`. */
export interface ProveFlags {
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

/**
 * Makes the proof, writes it to a folder and prints it.
 *
 * @returns the exit code
 */
export async function proveAndPrint(flags: ProveFlags): Promise<number> {
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
  return proof.matrix.problems.length === 0 && proof.trials > 0 ? exitCodes.conformant : exitCodes.notConformant;
}
