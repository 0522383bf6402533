import { Command } from "commander";
import type { ReproduceFlags } from "./reproduce-and-print.js";

const help = `
Exit codes:
  0    written
  2    usage error, or the folder holds no run with a verdict on the rule
  3    the evidence is not complete, was altered, or a file could not be written

Examples:
  perp-conformance reproduce order-book.bucket-spacing --from reports/latest`;

/** `perp-conformance reproduce ID --from DIR`: writes a self-contained bundle about one verdict, for a dispute. */
export function reproduceCommand(): Command {
  return new Command("reproduce")
    .description(
      "Bundle all that one verdict rests on: a page, the exchanges, a script that re-sends, evidence to rejudge.",
    )
    .argument("<id>", "the rule's id, such as get-all-positions.limit-default")
    .requiredOption("--from <dir>", "the folder of the run (its --out)")
    .option("--out <dir>", "folder of the bundle (default: disputes/<id> in the run's folder)")
    .option("--json", "print what was written as one JSON document, and nothing else")
    .addHelpText("after", help)
    .action(async (id: string, flags: ReproduceFlags) => {
      const { reproduceAndPrint } = await import("./reproduce-and-print.js");
      await reproduceAndPrint(id, flags);
    });
}
