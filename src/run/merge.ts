import type { CheckResult } from "../engine/result.js";
import { assembleResults, type VerdictFacts } from "../report/assemble-results.js";
import { UsageError } from "../report/failure.js";
import { brokenIn, declaredIn, type Results } from "../report/results.js";
import { mergeEveryAnswer } from "../session/merge-every-answer.js";
import { addTraffic, sentOf } from "../session/traffic.js";
import { checkResultFrom, commonFacts, trafficOf } from "./parts.js";

/** The id of a shard's exchange in merged results: it says which shard's record has it. */
export function mergedExchangeId(shard: number, exchange: string): string {
  return `shards/${shard}: ${exchange}`;
}

/**
 * Merges the results of shards, in any order, into those of one run, with verdicts as if it had run all checks.
 * Results on every answer are merged across shards as they are across the workers of a run.
 *
 * @param requireConclusive the share of rules that must be conclusive, in percent; by default as for the shards
 * @throws UsageError when the shards are not all those of one run
 */
export function mergeShards(given: readonly Results[], known: VerdictFacts, requireConclusive?: number): Results {
  const shards = inOrder(given);
  const [first] = shards;
  if (first === undefined) throw new UsageError("there is nothing to merge");
  const startedAt = shards.reduce((at, shard) => (shard.startedAt < at ? shard.startedAt : at), first.startedAt);
  const finishedAt = shards.reduce((at, shard) => (shard.finishedAt > at ? shard.finishedAt : at), first.finishedAt);
  const { rules, suites } = first.selection;
  const traffic = addTraffic(shards.map(trafficOf));
  return {
    ...assembleResults({
      ...known,
      ...commonFacts(first),
      successes: traffic.successes,
      broken: shards.flatMap(brokenIn),
      notImplemented: shards.flatMap(declaredIn),
      results: mergeEveryAnswer(shards.flatMap((shard, index) => resultsOf(shard, index + 1))),
      problems: [
        ...new Set(shards.flatMap(({ problems }, index) => problems.map((text) => `shard ${index + 1}: ${text}`))),
      ],
      interrupted: shards.some(({ incomplete }) => incomplete),
      target: { ...first.target, ...(shards.some(({ target }) => target.embedded) && { embedded: true as const }) },
      requireConclusive: requireConclusive ?? first.requireConclusive,
      selection: { rules, suites },
      ...labelsOf(shards),
      startedAt,
      finishedAt,
      requests: sentOf(traffic),
    }),
    shards: shards.map(({ evidence }, index) => ({ index: index + 1, ...(evidence && { evidence }) })),
  };
}

/** Sorts the shards by number, after checking that all of one run are there, each once. */
function inOrder(given: readonly Results[]): Results[] {
  const count = given[0]?.selection.shard?.count ?? 0;
  const shards: Results[] = [];
  for (const results of given) {
    const { shard } = results.selection;
    if (shard === undefined)
      throw new UsageError("only what `run --shard` made can be merged; one of them is a whole run");
    if (shard.count !== count)
      throw new UsageError(`these shards are from different runs: one is of ${count}, another of ${shard.count}`);
    if (shards[shard.index - 1]) throw new UsageError(`shard ${shard.index} of ${count} was given twice`);
    shards[shard.index - 1] = results;
  }
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter((index) => !shards[index - 1]);
  if (missing.length > 0)
    throw new UsageError(`of ${count} shards, there is none with the number ${missing.join(", ")}`);
  for (const [what, read] of sharedFacts) {
    const values = new Set(shards.map((shard) => JSON.stringify(read(shard))));
    if (values.size > 1)
      throw new UsageError(`these shards are from different runs: ${what} differs (${[...values].join(", ")})`);
  }
  return shards;
}

/** What all shards of one run must have in common. */
const sharedFacts: readonly (readonly [what: string, read: (results: Results) => unknown])[] = [
  ["the version of the harness", ({ harness }) => harness.version],
  ["the catalogue of rules", ({ specification }) => specification.catalogueDigest],
  ["the target", ({ target }) => target.baseUrl],
  ["the profile", ({ profile }) => profile],
  ["the seed", ({ seed }) => seed],
  ["--strict", ({ strict }) => strict],
  ["the choice of readings", ({ readings = {} }) => readings],
  ["the selection", ({ selection: { rules, suites } }) => ({ rules, suites })],
];

/** The labels common to all shards. Each shard may have others, such as the machine it ran on. */
function labelsOf([first, ...others]: readonly Results[]): Pick<Results, "labels"> {
  const common = Object.entries(first?.labels ?? {}).filter(([name, value]) =>
    others.every(({ labels }) => labels?.[name] === value),
  );
  return common.length > 0 ? { labels: Object.fromEntries(common) } : {};
}

/** The check results of a shard, with exchange ids of the merged run. */
function resultsOf({ rules }: Results, shard: number): CheckResult[] {
  return rules.flatMap((rule) =>
    rule.checks.map((check) => checkResultFrom(rule, check, (id) => mergedExchangeId(shard, id))),
  );
}
