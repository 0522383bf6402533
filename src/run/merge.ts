import type { CheckResult, ViolationGroup } from "../engine/result.js";
import { assembleResults, type RunFacts } from "../report/assemble-results.js";
import { UsageError } from "../report/failure.js";
import type { CheckEntry, Results, RuleEntry } from "../report/results.js";
import { mergeEveryAnswer } from "../session/merge-every-answer.js";
import { addTraffic, sentOf } from "../session/traffic.js";
import type { Rule } from "../specification/rule.js";

/** What must be known of the rules to give verdicts on them. */
export type Known = Pick<RunFacts, "catalogue" | "rulings" | "checks"> & {
  /** In place of the share that the shards were made with, in percent. */
  readonly requireConclusive?: number;
};

/** An exchange of a shard as the merged results name it: its id says which record has it. */
export function inRecordOf(shard: number, exchange: string): string {
  return `shards/${shard}: ${exchange}`;
}

/**
 * The results of one run from those of its shards, in any order: the checks of all of them, and verdicts that follow as if one
 * run had made them. What was judged on every answer of each shard becomes one result, as it does for the workers of a run.
 *
 * @throws UsageError when the shards are not all those of one run
 */
export function mergeShards(given: readonly Results[], known: Known): Results {
  const shards = inOrder(given);
  const [first] = shards;
  if (first === undefined) throw new UsageError("there is nothing to merge");
  const startedAt = shards.map((shard) => shard.startedAt).sort()[0] ?? first.startedAt;
  const finishedAt =
    shards
      .map((shard) => shard.finishedAt)
      .sort()
      .at(-1) ?? first.finishedAt;
  const { rules, suites } = first.selection;
  const operations = shards.flatMap(({ summary }) => summary.operations);
  const traffic = addTraffic(
    shards.map(({ requests, summary }) => ({
      ...requests,
      successes: Object.fromEntries(summary.operations.map(({ name, successes }) => [name, successes])),
    })),
  );
  return {
    ...assembleResults({
      catalogue: known.catalogue,
      rulings: known.rulings,
      checks: known.checks,
      successes: traffic.successes,
      broken: operations.flatMap(({ name, answered, unimplemented }) =>
        answered === undefined
          ? []
          : [{ operation: name, kind: unimplemented ? ("unimplemented" as const) : ("absent" as const), answered }],
      ),
      notImplemented: operations.filter(({ declared }) => declared).map(({ name }) => name),
      results: mergeEveryAnswer(shards.flatMap((shard, index) => resultsOf(shard, index + 1))),
      problems: [
        ...new Set(shards.flatMap(({ problems }, index) => problems.map((text) => `shard ${index + 1}: ${text}`))),
      ],
      interrupted: shards.some(({ incomplete }) => incomplete),
      harness: first.harness,
      specification: first.specification,
      target: { ...first.target, ...(shards.some(({ target }) => target.embedded) ? { embedded: true as const } : {}) },
      profile: first.profile,
      seed: first.seed,
      strict: first.strict,
      requireConclusive: known.requireConclusive ?? first.requireConclusive,
      selection: { rules, suites },
      ...(first.readings ? { readings: first.readings } : {}),
      ...labelsOf(shards),
      command: first.command,
      startedAt,
      finishedAt,
      durationMs: Date.parse(finishedAt) - Date.parse(startedAt),
      requests: sentOf(traffic),
      ...(first.subjects === undefined ? {} : { subjects: first.subjects }),
    }),
    shards: shards.map(({ evidence }, index) => ({ index: index + 1, ...(evidence ? { evidence } : {}) })),
  };
}

/** The shards by their number: all of them, each once, of one and the same run. */
function inOrder(given: readonly Results[]): Results[] {
  const count = given[0]?.selection.shard?.count ?? 0;
  const shards: Results[] = [];
  for (const results of given) {
    const { shard } = results.selection;
    if (shard === undefined)
      throw new UsageError("only what `run --shard` made can be merged; one of them is a whole run");
    if (shard.count !== count)
      throw new UsageError(`these shards are from different runs: one is of ${count}, another of ${shard.count}`);
    if (shards[shard.index - 1]) throw new UsageError(`shard ${shard.index} of ${count} is there twice`);
    shards[shard.index - 1] = results;
  }
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !shards[index - 1]);
  if (missing.length > 0)
    throw new UsageError(`of ${count} shards, there is none with the number ${missing.join(", ")}`);
  for (const [what, read] of alike) {
    const values = new Set(shards.map((shard) => JSON.stringify(read(shard))));
    if (values.size > 1)
      throw new UsageError(`these shards are from different runs: ${what} differs (${[...values].join(", ")})`);
  }
  return shards;
}

/** What the shards of one run have in common. */
const alike: readonly (readonly [what: string, read: (results: Results) => unknown])[] = [
  ["the version of the harness", ({ harness }) => harness.version],
  ["the catalogue of rules", ({ specification }) => specification.catalogueDigest],
  ["the target", ({ target }) => target.baseUrl],
  ["the profile", ({ profile }) => profile],
  ["the seed", ({ seed }) => seed],
  ["--strict", ({ strict }) => strict],
  ["the choice of readings", ({ readings = {} }) => readings],
  ["the selection", ({ selection: { rules, suites } }) => ({ rules, suites })],
];

/** The labels that all shards have; each may have others of its own, such as the machine that made it. */
function labelsOf([first, ...others]: readonly Results[]): Pick<Results, "labels"> {
  const common = Object.entries(first?.labels ?? {}).filter(([name, value]) =>
    others.every(({ labels }) => labels?.[name] === value),
  );
  return common.length > 0 ? { labels: Object.fromEntries(common) } : {};
}

/** What the checks of a shard found, as they told it. */
function resultsOf({ rules }: Results, shard: number): CheckResult[] {
  return rules.flatMap((rule) => rule.checks.map((check) => resultOf(rule, check, (id) => inRecordOf(shard, id))));
}

/** What a check found, as it told it; `named` says how its exchanges are called now. */
export function resultOf(
  rule: RuleEntry,
  { violations = [], sampled, ...check }: CheckEntry,
  named: (id: string) => string,
): CheckResult {
  return {
    ...check,
    rule: rule.id,
    ...(rule.own ? { own: ruleOf(rule) } : {}),
    exchanges: check.exchanges.map(named),
    ...(sampled ? { sampled: sampled.map((answer) => ({ ...answer, exchange: named(answer.exchange) })) } : {}),
    violations: violations.map(
      ({ exchange: _, path: __, ...violation }): ViolationGroup => ({
        ...violation,
        ...(violation.comparedWith && {
          comparedWith: { ...violation.comparedWith, exchange: named(violation.comparedWith.exchange) },
        }),
        places: violation.places.map((place) => ({ ...place, exchange: named(place.exchange) })),
      }),
    ),
  };
}

function ruleOf({ id, section, level, statement, endpoints, impact }: RuleEntry): Rule {
  return { id, section, level, statement, endpoints, impact };
}
