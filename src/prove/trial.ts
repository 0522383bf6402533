import { tmpdir } from "node:os";
import type { Departure } from "../reference/departure.js";
import { startReferenceServer } from "../reference/server.js";
import { ruleVerdict } from "../report/rule-verdict.js";
import { openEnvironment } from "../run/open-environment.js";
import { runDirect } from "../run/run-direct.js";
import { openSession } from "../run/session.js";
import type { Profile } from "../spec/profile.js";
import { resolveTarget } from "../target/config.js";
import type { CheckResult } from "../verdict/result.js";

/** What one trial is about: plain data, it travels to a worker thread. */
export interface TrialJob {
  /** The departure; the reference server as it is when absent. */
  readonly departure?: { readonly kind: Departure["kind"]; readonly name: string };
  /** Which suites: those that measure arrival times, or all others. */
  readonly lane: "bulk" | "timing";
  readonly profile: Profile;
  readonly seed: number;
}

/** What a trial found, in short: the results of its checks, without evidence. */
export interface TrialReport {
  readonly job: TrialJob;
  readonly results: readonly Pick<CheckResult, "rule" | "name" | "verdict" | "message" | "findings">[];
  readonly requests: number;
  readonly durationMs: number;
  /** Set when the trial could not be made. */
  readonly trouble?: string;
}

/** How many checks of one trial are under way at once. */
const CHECKS_AT_ONCE = { bulk: 24, timing: 200 } as const;

/** Starts a server with the departure, makes the lane's checks on it, and stops it. Never throws. */
export async function runTrial(job: TrialJob, departure: Departure | undefined): Promise<TrialReport> {
  const started = performance.now();
  const report = (results: TrialReport["results"], requests: number, trouble?: string): TrialReport => ({
    job,
    results,
    requests,
    durationMs: Math.round(performance.now() - started),
    ...(trouble === undefined ? {} : { trouble }),
  });
  try {
    const server = await startReferenceServer({
      seed: job.seed,
      ...departure?.server,
      ...(departure ? { departure } : {}),
    });
    try {
      const { target } = resolveTarget({ flags: { baseUrl: server.url }, env: {}, cwd: tmpdir() });
      const session = await openSession({ target, profile: job.profile, seed: job.seed });
      const environment = openEnvironment(session, "trial");
      try {
        const { results, traffic } = await runDirect(session, environment, {
          concurrency: CHECKS_AT_ONCE[job.lane],
          lane: job.lane,
        });
        return report(results.map(inShort), traffic.count + session.discovery.count);
      } finally {
        await environment.close();
      }
    } finally {
      await server.close();
    }
  } catch (fault) {
    return report([], 0, fault instanceof Error ? (fault.stack ?? fault.message) : String(fault));
  }
}

function inShort({ rule, name, verdict, message, findings }: CheckResult): TrialReport["results"][number] {
  return { rule, name, verdict, findings: findings.slice(0, 1), ...(message === undefined ? {} : { message }) };
}

/** The verdict on each rule, from the results of all lanes of a departure, with a word on what was found. */
export function verdictsOf(
  reports: readonly TrialReport[],
): Map<string, { verdict: CheckResult["verdict"]; message: string }> {
  const byRule = new Map<string, TrialReport["results"][number][]>();
  for (const result of reports.flatMap(({ results }) => results)) {
    const own = byRule.get(result.rule);
    if (own) own.push(result);
    else byRule.set(result.rule, [result]);
  }
  return new Map(
    [...byRule].map(([rule, results]) => {
      const { verdict } = ruleVerdict(results);
      const telling = results.find((result) => result.verdict === verdict) ?? results[0];
      return [rule, { verdict, message: telling?.findings[0]?.message ?? telling?.message ?? "" }];
    }),
  );
}
