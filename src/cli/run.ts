import { Command, InvalidArgumentError, Option } from "commander";
import { exitCodes } from "../report/exit-code.js";
import type { RunFlags } from "../run/plan.js";
import type { Shard } from "../specification/shard.js";
import { collect, duration, percent, readingOption, seconds } from "./options.js";

const exitCodesHelp = `
Exit codes:
  0    conformant, or exactly the known deviations (--baseline)
  1    not conformant, or the baseline does not hold
  2    usage or configuration error
  3    the target could not be reached, or the harness broke (and no rule failed)
  4    undecided: an operation was not seen to work (--not-implemented), or too few rules are conclusive
       (--require-conclusive)
  130  interrupted; the results so far are written
Of several targets, the most severe: 130, 1, 3, 4, 0.

Settings come from the command line, then the environment (CONFORMANCE_BASE_URL, CONFORMANCE_TOKEN,
CONFORMANCE_PROFILE, ...), then the configuration file, then defaults. Secrets come from the environment or a
file, never from the command line.

Examples:
  perp-conformance run --reference
  perp-conformance run --base-url http://127.0.0.1:8080 --wait 30
  perp-conformance run --base-url URL --profile full --require-conclusive 90 --out reports/certify
  perp-conformance run --base-url URL --suite GetOrderBook --rule wire.int64-as-string
  perp-conformance run --base-url URL --baseline perp-conformance-baseline.json
  perp-conformance run --base-url URL --for 10m
  perp-conformance run --base-url URL --label build=1234 --label environment=staging
  perp-conformance run --base-url URL --json --progress ndjson > results.json 2> progress.ndjson
  perp-conformance run --base-url URL --suites suites/own.check.ts --header 'X-Tenant: one'
  perp-conformance run --config fleet.jsonc --target staging`;

/** `perp-conformance run`: tests a target, or the embedded reference server. */
export function runCommand(): Command {
  return new Command("run")
    .description("Test a server, or the embedded reference server.")
    .option("--base-url <url>", "the server under test; may have a path prefix")
    .option("--reference", "test the embedded reference server instead: to try things out, never for a statement")
    .addOption(
      new Option("--profile <name>", "quick; full adds checks that take about a minute").choices(["quick", "full"]),
    )
    .option("--config <file>", "configuration file (default: perp-conformance.json or .jsonc)")
    .option("--suite <name>", "only this suite, by title, section or operation; may be repeated", collect, [])
    .option("--rule <id>", "only this rule; may be repeated", collect, [])
    .option("--suites <files...>", "suites of your own: modules that import perp-conformance")
    .option("--target <name>", "only this one of the configuration file's targets; may be repeated", collect, [])
    .option("--shard <i/n>", "only shard i of n; `perp-conformance merge` merges them", shard)
    .option(
      "--seed <n>",
      "seed of everything that is generated (default: a new one for each run, printed and recorded)",
    )
    .option(
      "--for <duration>",
      "keep running with new seeds and longer streams until the time is up: 90s, 10m, 2h",
      duration,
    )
    .addOption(readingOption())
    .option("--strict", "advisory violations count against conformance")
    .option("--require-conclusive <percent>", "undecided if fewer rules are conclusive (default: 60)", percent)
    .option("--not-implemented <operation>", "an operation that is left out on purpose; may be repeated", collect)
    .option("--label <key=value>", "label for this run, such as build=1234; may be repeated", collect, [])
    .option("--baseline <file>", "known deviations: exit with 0 if exactly these fail")
    .option("--write-baseline [file]", "record what fails now as known deviations (default: the file of --baseline)")
    .option("--update", "with --write-baseline: keep entries that still hold as they are, and say what changed")
    .option("--out <dir>", "folder for the files of the run (default: reports/latest)")
    .option("--token-env <name>", "environment variable with the bearer token (default: CONFORMANCE_TOKEN)")
    .option("--header <line>", "extra request header 'Name: value'; may be repeated", collect)
    .option("--ca <file>", "certificates of trusted authorities, PEM")
    .option("--cert <file>", "client certificate, PEM")
    .option("--key <file>", "key of the client certificate, PEM")
    .option("--insecure", "do not check the server's certificate")
    .addOption(new Option("--transport <name>", "HTTP version").choices(["http1", "h2c", "h2"]))
    .option("--wait <seconds>", "how long to wait for the server to start", seconds)
    .option("--concurrency <n>", "maximum requests in flight at the same time")
    .option("--rate <n>", "maximum requests per second")
    .option("--timeout <ms>", "idle timeout of a request")
    .option("--no-correlation", "send no header with the name of the check (X-Conformance-Check)")
    .option("--no-report", "write no HTML report")
    .option("--quiet", "print nothing but the result")
    .addOption(
      new Option("--progress <form>", "show progress as a line, as JSON lines on standard error, or not at all")
        .choices(["line", "ndjson", "none"])
        .default("line"),
    )
    .option("--json", "print the results as one JSON document, and nothing else")
    .option("--power", "plant faults into the answers of the run, and report which of them it would have detected")
    .option("--dry-run", "send nothing; print how many requests the run may send at most")
    .addHelpText("after", exitCodesHelp)
    .argument("[arguments...]")
    .usage("[options]")
    .action(async ([argument]: readonly string[], flags: RunFlags, command: Command) => {
      if (argument !== undefined) command.error(`error: ${unexpected(argument)}`, { exitCode: exitCodes.usage });
      const { runAndPrint } = await import("./run-targets.js");
      const exitCode = await runAndPrint(flags);
      if (exitCode === exitCodes.interrupted) process.exit(exitCode);
      process.exitCode = exitCode;
    });
}

/** Explains an unexpected argument. Many users would give the server's URL as one. */
function unexpected(argument: string): string {
  return URL.canParse(argument)
    ? `the URL goes after --base-url: --base-url ${argument}`
    : `unexpected argument '${argument}'`;
}

function shard(text: string): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text.trim()) ?? [];
  if (Number(index) >= 1 && Number(index) <= Number(count)) return { index: Number(index), count: Number(count) };
  throw new InvalidArgumentError("It must be like 1/3: the first of three shards.");
}
