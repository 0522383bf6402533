import { Command } from "commander";
import type { StatementFlags } from "./issue-statement.js";

/** `perp-conformance statement DIR`: issues the signed conformance statement of a full run. */
export function statementCommand(): Command {
  return new Command("statement")
    .description("Issue a signed conformance statement for a full run, or list what the run lacks.")
    .argument("<dir>", "the folder of the run (its --out)")
    .option("--key <file>", "private key to sign with, PEM (see keygen); the statement is unsigned without one")
    .option("--url <url>", "where the results are published")
    .option(
      "--out <file>",
      "the statement (default: statement.json in the run's folder); a page and a badge are written next to it",
    )
    .option("--json", "print what was stated, or what is lacking, as one JSON document, and nothing else")
    .addHelpText(
      "after",
      `
Examples:
  perp-conformance run --base-url https://api.example/perps --profile full --config acme.json --out acme
  perp-conformance statement acme --key acme.key
  perp-conformance verify acme/statement.json --key acme.key.pub

The configuration names what was tested: "implementation": { "name": "...", "version": "...", "vendor": "...", ... }.
A run that failed can be stated too. One that left a mandatory rule open cannot: exit code 1, with a table of what would
settle each rule and which entry of the configuration can name it. Rules about optional data
that the target does not show are stated as not exercised.`,
    )
    .action(async (dir: string, flags: StatementFlags) => {
      const { issueStatement } = await import("./issue-statement.js");
      process.exitCode = await issueStatement(dir, flags);
    });
}
