import { isDeepStrictEqual } from "node:util";
import { createTransport } from "../connect/undici-transport.js";
import { type CheckResult, isViolated } from "../engine/result.js";
import type { Modification, Mutant } from "../reference/modification.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { ruleVerdict } from "../report/rule-verdict.js";
import { openSession } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import { ruleById } from "../specification/catalogue/index.js";
import { type Endpoint, endpointNames } from "../specification/endpoints.js";
import { groupBy } from "../specification/group-by.js";
import type { Subjects } from "../subjects/subjects.js";
import { directTransport } from "./direct-transport.js";
import { differingOperations } from "./probe.js";
import { checksThatDiffer, haveSameStreams, type ReferenceRun } from "./reference-run.js";
import {
  dataOf,
  probeOf,
  type ReferenceProbe,
  referenceProbe,
  referenceRun,
  targetOfServer,
} from "./reference-trials.js";
import { type JudgedRun, runChecks } from "./run-checks.js";
import type { TrialJob, TrialPreparation, TrialReport, Usage } from "./trial-job.js";

/**
 * A rule on more operations than this is about answers in general, so it does not tell which operations a mutant changes.
 */
export const fewOperations = 4;

/**
 * Starts a server with the modification, runs the lane's checks on it, and stops it. Never throws.
 *
 * @param usage skips checks that use no operation the modification changes, since they would see the reference server. The
 * changed operations are found by probing both servers. The operations of the rule that a mutant breaks also count. If that
 * rule is about answers in general and the probe finds nothing, the operations on which the rule's checks find the mutant
 * count instead. If no change shows, any operation counts.
 */
export async function runTrial(
  job: TrialJob,
  modification: Modification | undefined,
  usage: Usage | undefined,
): Promise<TrialReport> {
  const started = performance.now();
  const { preparation: earlier, ...jobWithoutPreparation } = job;
  let preparation: TrialPreparation | undefined;
  const report = (run: Partial<JudgedRun>, requests: number, trouble?: string): TrialReport => ({
    job: jobWithoutPreparation,
    preparation,
    results: (run.results ?? []).map(reportedResult),
    usage: Object.fromEntries(run.asked ?? []),
    requests,
    differing: run.differing,
    durationMs: Math.round(performance.now() - started),
    trouble,
  });
  let server: ReferenceServer | undefined;
  try {
    const cachesAnswers = job.lane === "bulk";
    server = await startReferenceServer({ ...dataOf(job), cachesAnswers, modification });
    const target = targetOfServer(server);
    preparation = earlier ?? (await prepareTrial(modification, server, job, usage));
    const affected = preparation.affected && new Set(preparation.affected);
    if (affected?.size === 0) return report({}, 0);
    const session = { ...preparation.session, target, profile: job.profile };
    const sharesAnswers = job.lane === "bulk" && !job.rejudge && !isIntermittent(modification);
    const reference = sharesAnswers ? await matchingReferenceRun(job, session, usage) : undefined;
    // Mutants show their fault while data stand still; a variant may differ in how its data move.
    const still = modification?.kind !== "variant" && !isMoving(modification);
    const run = await runChecks(server, session, {
      ...job,
      lane: preparation.hasSameStreams ? "any" : job.lane,
      still,
      reference,
      only(name, kind) {
        // An observation never fails, so it cannot kill a mutant.
        if (modification?.kind === "mutant" && kind === "observation") return false;
        return affected?.has(name) ?? true;
      },
    });
    return report(run, run.traffic.count + session.discovery.count);
  } catch (error) {
    return report({}, 0, error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await server?.close();
  }
}

/** Whether a modification's data change all the time. */
function isMoving(modification: Modification | undefined): boolean {
  return (modification?.server?.churn ?? false) !== false;
}

/** Whether a modification may answer the same request in different ways. */
function isIntermittent(modification: Modification | undefined): boolean {
  return modification?.kind === "mutant" && modification.intermittent === true;
}

/**
 * Finds the checks a modification may affect, and its subjects. Reuses the reference server's session if discovery is
 * unaffected.
 */
async function prepareTrial(
  modification: Modification | undefined,
  server: ReferenceServer,
  job: TrialJob,
  usage: Usage | undefined,
): Promise<TrialPreparation> {
  const target = targetOfServer(server);
  if (job.only) {
    const session = await openSession({ target, profile: job.profile, seed: job.seed });
    return { session, affected: job.only };
  }
  // A partial proof uses the same subjects as a complete one. Groups of variants differ everywhere.
  const isAlone = modification?.kind === "mutant" || usage !== undefined;
  const changed = modification && isAlone ? await changedEndpoints(modification, server, job) : undefined;
  const { session: ofReference } = await referenceProbe(job);
  const isDiscoveryUnaffected =
    changed && modification?.server === undefined && [...changed].every((endpoint) => outsideDiscovery.has(endpoint));
  const session = isDiscoveryUnaffected
    ? ofReference
    : await openSession({ target, profile: job.profile, seed: job.seed });
  if (changed === undefined || usage === undefined) return { session };
  const users = Object.entries(usage).filter(([, used]) => used.some((endpoint) => changed.has(endpoint)));
  const affected = users.map(([name]) => name);
  // With the same subjects, this server would be sent the same requests as in the reference run.
  const isComparable =
    modification?.kind === "mutant" &&
    !isMoving(modification) &&
    !isIntermittent(modification) &&
    isDeepStrictEqual(withoutSeenAt(session.subjects), withoutSeenAt(ofReference.subjects));
  if (!isComparable) return { session, affected };
  const transport = directTransport(server, createTransport(target));
  try {
    const run = await referenceRun(job, usage);
    const since = Date.parse(ofReference.startedAt);
    const differing = await checksThatDiffer(run, { transport, target, changed, since });
    const prefix = `${modification.breaks} on `;
    const isAffected = (name: string) => !run.has(name) || differing.has(name) || name.startsWith(prefix);
    const names = affected.filter(isAffected);
    const mayShareStreams = job.lane === "bulk" && !job.rejudge && !changed.has("GetOpenPositionsStreaming");
    const hasSameStreams = mayShareStreams && (await haveSameStreams(names, run, { transport, target, since }));
    return { session: ofReference, affected: names, hasSameStreams };
  } finally {
    await transport.close();
  }
}

/** Operations that discovery does not use, or only to see whether a book or candles exist. */
const outsideDiscovery: ReadonlySet<Endpoint> = new Set([
  "GetOpenPositionsStreaming",
  "GetOrders",
  "GetOrderBook",
  "GetHistoricalPrices",
]);

/** The operations a modification may change: all of them when no change of a mutant shows; undefined for a variant's. */
async function changedEndpoints(
  modification: Modification,
  server: ReferenceServer,
  job: TrialJob,
): Promise<ReadonlySet<Endpoint> | undefined> {
  const reference = await referenceProbe(job);
  const isMutant = modification.kind === "mutant";
  // With moving data everything differs, so only the operations of the mutant's rule count.
  const changed =
    isMutant && isMoving(modification)
      ? new Set<Endpoint>()
      : differingOperations(reference.probe, await probeOf(server, reference.session));
  if (isMutant) {
    const ofRule = ruleById(modification.breaks).endpoints;
    if (ofRule.length <= fewOperations) for (const endpoint of ofRule) changed.add(endpoint);
    else if (changed.size === 0)
      for (const endpoint of await operationsThatFail(modification, server, reference, job.strength))
        changed.add(endpoint);
  }
  if (changed.size > 0) return changed;
  return isMutant ? new Set(endpointNames) : undefined;
}

/** The operations used by those checks of a mutant's rule that fail on it. */
async function operationsThatFail(
  mutant: Mutant,
  server: ReferenceServer,
  { session }: ReferenceProbe,
  strength: TrialJob["strength"],
): Promise<Set<Endpoint>> {
  const prefix = `${mutant.breaks} on `;
  const { results, asked } = await runChecks(
    server,
    { ...session, target: targetOfServer(server) },
    { lane: "bulk", strength, still: true, only: (name) => name.startsWith(prefix) },
  );
  return new Set(results.filter(({ verdict }) => isViolated(verdict)).flatMap(({ name }) => asked.get(name) ?? []));
}

/** Subjects without their discovery time. */
function withoutSeenAt({ totals, ...others }: Subjects): unknown {
  return { ...others, totals: { ...totals, seenAt: undefined } };
}

/** The reference run with the subjects of a session; undefined when the session has its own subjects. */
async function matchingReferenceRun(
  job: TrialJob,
  { subjects }: Session,
  usage: Usage | undefined,
): Promise<ReferenceRun | undefined> {
  const { session } = await referenceProbe(job);
  return usage && subjects === session.subjects ? referenceRun(job, usage) : undefined;
}

function reportedResult({ rule, name, verdict, message, violations }: CheckResult): TrialReport["results"][number] {
  return { rule, name, verdict, violations: violations.slice(0, 1), message };
}

/** The names of the checks that found their rule violated. */
export function failingChecks(reports: readonly TrialReport[]): string[] {
  const failing = reports.flatMap(({ results }) => results.filter(({ verdict }) => isViolated(verdict)));
  return [...new Set(failing.map(({ name }) => name))];
}

/** The verdict on each rule across all lanes of a modification, with a short message. */
export function verdictsOf(
  reports: readonly TrialReport[],
): Map<string, { verdict: CheckResult["verdict"]; message: string }> {
  const byRule = groupBy(
    reports.flatMap(({ results }) => results),
    ({ rule }) => rule,
  );
  return new Map(
    [...byRule].map(([rule, results]) => {
      const { verdict } = ruleVerdict(results);
      const decisive = results.find((result) => result.verdict === verdict) ?? results[0];
      return [rule, { verdict, message: decisive?.violations[0]?.message ?? decisive?.message ?? "" }];
    }),
  );
}
