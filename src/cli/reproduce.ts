import { join, resolve } from "node:path";
import { Command } from "commander";
import { countOf } from "../judge/judgement.js";
import { UsageError } from "../report/failure.js";
import { print } from "./output.js";
import { readResultsIn } from "./results-of.js";

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
    .action(async (id: string, flags: { from: string; out?: string; json?: true }) => {
      const { isRuleId } = await import("../specification/catalogue/index.js");
      const { unknownRule } = await import("../report/unknown-rule.js");
      const { writeBundle } = await import("../dispute/bundle.js");
      const { rejudgeEvidence, rejudgedResults, roundsMessage, verifyRun } = await import("../run/rejudge.js");

      if (!isRuleId(id)) throw unknownRule(id);
      const { results: stated } = await readResultsIn(flags.from);
      if (stated.rounds) throw new UsageError(roundsMessage(flags.from, stated.rounds));
      if (stated.shards)
        throw new UsageError(
          `that run was merged: name the shard that has the exchange, ${join(flags.from, "shards", "1")} or another`,
        );
      await verifyRun(flags.from, stated);
      const results = await rejudgedResults(flags.from, stated);
      const entry = results.rules.find((rule) => rule.id === id);
      if (!entry || entry.checks.length === 0) throw new UsageError(`that run gave no verdict on ${id}`);

      const to = resolve(flags.out ?? join(flags.from, "disputes", id));
      const bundle = await writeBundle(flags.from, results, entry, to, rejudgeEvidence);
      if (flags.json) {
        const { folder, page, zip, exchanges } = bundle;
        const files = { folder, page, bundle: zip };
        const { verdict } = entry;
        print({
          format: "perp-conformance/reproduction",
          formatVersion: 1,
          rule: id,
          verdict,
          exchanges,
          files,
        } as const);
        return;
      }
      process.stdout.write(
        `${id}: ${entry.verdict}, ${countOf(bundle.exchanges, "exchange")}\npage     ${bundle.page}\nbundle   ${bundle.zip}\n`,
      );
    });
}
