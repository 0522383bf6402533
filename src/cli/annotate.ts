import { Command, Option } from "commander";
import type { AnnotateFlags } from "./annotate-and-print.js";

const help = `
Each sentence and each row of a table that rules quote is marked with what the run says of it; what no rule covers is marked, and
counted. A document that differs from what the rules quote, such as a newer version, is compared with them: which sentences changed,
are new, are gone or were moved, and which rules that affects.

Exit codes:
  0    annotated
  1    with --fail-on: the document differs
  2    usage error, or the folder holds no run
  3    the evidence is not complete, was altered, or a file could not be written

Examples:
  perp-conformance annotate reports/latest --spec read-api.md
  perp-conformance annotate reports/latest --spec read-api-next.md --fail-on difference`;

/** `perp-conformance annotate DIR --spec FILE`: annotates the specification with the results of a run. */
export function annotateCommand(): Command {
  return new Command("annotate")
    .description("Mark each statement of the specification with the verdict of a run, as one HTML page.")
    .argument("<dir>", "the folder of the run (its --out)")
    .requiredOption("--spec <file>", "your copy of the specification, in Markdown")
    .option("--out <file>", "the page (default: annotated.html in the run's folder)")
    .option("--json", "print everything about every statement as one JSON document, and nothing else")
    .addOption(
      new Option("--fail-on <what>", "exit with 1 if the document differs from what the rules quote").choices([
        "difference",
      ]),
    )
    .addHelpText("after", help)
    .action(async (dir: string, flags: AnnotateFlags) => {
      const { annotateAndPrint } = await import("./annotate-and-print.js");
      process.exitCode = await annotateAndPrint(dir, flags);
    });
}
