import { Command, Option } from "commander";
import type { CompareFlags } from "./compare-and-print.js";
import { collect } from "./options.js";

const help = `
The first run is what the others are held against: the run before, or the target that clients leave. A regression is a
rule that holds there and is violated elsewhere, or cannot be judged any more since an operation does not work. Runs of
different catalogues are compared on the rules that they share. The results are taken as they are: judge a run that comes
from somebody else again first, with rejudge.

With --live two servers are compared: each is tested by a run, then both are sent the same exploration at about the same
time, and their answers are compared beyond the rules. Violations are reported by the rules; other differences that a client
would notice are grouped by cause. The files of both runs are in OUT/NAME, the page in OUT/comparison.html.

Exit codes:
  0    compared
  1    with --fail-on: there is a regression, or a difference
  2    usage error, or one of the folders holds no run
  3    a file could not be written, or a target could not be reached

Examples:
  perp-conformance compare yesterday today --fail-on regression
  perp-conformance compare --live http://127.0.0.1:8080 http://127.0.0.1:8081
  perp-conformance compare --live staging live --config fleet.jsonc --seed 7
  perp-conformance compare reports/acme reports/other reports/third --html table.html --markdown table.md`;

/** `perp-conformance compare DIR DIR...`: compares runs side by side. */
export function compareCommand(): Command {
  return new Command("compare")
    .description("Compare runs side by side: of several targets, vendors, versions or days.")
    .argument("<runs...>", "folders of runs (their --out), or their results.json; with --live two targets")
    .option("--live", "compare two servers: base URLs, or names of targets in the configuration file")
    .addOption(
      new Option("--fail-on <what>", "exit with 1 on a regression, or on any difference").choices([
        "regression",
        "difference",
      ]),
    )
    .option("--json", "print the comparison as one JSON document")
    .option("--markdown <file>", "write the comparison as Markdown")
    .option("--html <file>", "write the comparison as a page with links to the evidence of each run")
    .option("--quiet", "print nothing but the first line")
    .option("--out <dir>", "with --live: folder for the files of both runs and the page", "reports/compare")
    .addOption(
      new Option("--profile <name>", "with --live: quick; full adds checks that take about a minute").choices([
        "quick",
        "full",
      ]),
    )
    .option("--seed <n>", "with --live: seed of the requests (default: a new one each time)")
    .option("--config <file>", "with --live: configuration file (default: perp-conformance.json or .jsonc)")
    .option("--token-env <name>", "with --live: environment variable with the bearer token for both")
    .option("--header <line>", "with --live: extra request header 'Name: value'; may be repeated", collect)
    .option("--insecure", "with --live: do not check the servers' certificates")
    .addHelpText("after", help)
    .action(async (paths: string[], flags: CompareFlags) => {
      const { compareAndPrint } = await import("./compare-and-print.js");
      process.exitCode = await compareAndPrint(paths, flags);
    });
}
