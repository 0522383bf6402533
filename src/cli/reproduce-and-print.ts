import { join, resolve } from "node:path";
import { writeBundle } from "../dispute/bundle.js";
import { countOf } from "../judge/judgement.js";
import { UsageError } from "../report/failure.js";
import { unknownRule } from "../report/unknown-rule.js";
import { rejudgedResults, rejudgeEvidence, roundsMessage, verifyRun } from "../run/rejudge.js";
import { isRuleId } from "../specification/catalogue/index.js";
import { print } from "./output.js";
import { readResultsIn } from "./results-of.js";

/** The options of `reproduce`. */
export interface ReproduceFlags {
  readonly from: string;
  readonly out?: string;
  readonly json?: true;
}

/** Writes the bundle about the verdict on a rule, and prints where it is. */
export async function reproduceAndPrint(id: string, flags: ReproduceFlags): Promise<void> {
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
}
