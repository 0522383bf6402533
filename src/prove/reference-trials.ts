/** What the trials of one thread share: runs and probes of the reference server. */
import { tmpdir } from "node:os";
import { resolveTarget } from "../config/config.js";
import type { Exchange } from "../connect/exchange.js";
import type { Target } from "../connect/target.js";
import { createTransport } from "../connect/undici-transport.js";
import type { Lane } from "../engine/suite.js";
import { type ReferenceServer, startReferenceServer } from "../reference/server.js";
import { openSession } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import { type Endpoint, isStream } from "../specification/endpoints.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import { directTransport } from "./direct-transport.js";
import { type ProbeAnswers, probe } from "./probe.js";
import type { ReferenceRun } from "./reference-run.js";
import { runChecks } from "./run-checks.js";
import type { TrialJob, Usage } from "./trial-job.js";

const referenceRuns = new Map<string, Promise<ReferenceRun>>();

/** The exchanges of all checks with the reference server, except those that only read streams. Made once per thread. */
export function referenceRun(job: TrialJob, usage: Usage): Promise<ReferenceRun> {
  const key = JSON.stringify([dataOf(job), job.strength]);
  return getOrInsert(referenceRuns, key, () => makeReferenceRun(job, usage));
}

async function makeReferenceRun(job: TrialJob, usage: Usage): Promise<ReferenceRun> {
  const { session } = await referenceProbe(job);
  const server = await startReferenceServer({ ...dataOf(job), cachesAnswers: true });
  const run = new Map<string, readonly Exchange[]>();
  const isUnary = (endpoint: Endpoint) => !isStream(endpoint);
  try {
    const runLane = (lane: Lane) =>
      runChecks(
        server,
        { ...session, target: targetOfServer(server) },
        {
          lane,
          strength: job.strength,
          still: true,
          only: (name) => usage[name]?.some(isUnary) ?? false,
          onExchanged: (name, exchanges) => run.set(name, exchanges),
        },
      );
    await Promise.all([runLane("bulk"), runLane("timing")]);
    return run;
  } finally {
    await server.close();
  }
}

/** What the reference server answers to a fixed set of requests, and the session that found its subjects. */
export interface ReferenceProbe {
  readonly session: Session;
  readonly probe: ProbeAnswers;
}

const referenceProbes = new Map<string, Promise<ReferenceProbe>>();

/** The reference server's session and probe. Made once per thread. */
export function referenceProbe(job: TrialJob): Promise<ReferenceProbe> {
  return getOrInsert(referenceProbes, JSON.stringify(dataOf(job)), () => makeReferenceProbe(job));
}

/** The data options for the servers of a trial. */
export function dataOf({ seed, orders }: TrialJob): { readonly seed: number; readonly orders?: number } {
  return { seed, ...(orders !== undefined && { orders }) };
}

async function makeReferenceProbe(job: TrialJob): Promise<ReferenceProbe> {
  const { seed } = job;
  const server = await startReferenceServer({ ...dataOf(job), cachesAnswers: true });
  try {
    const target = targetOfServer(server);
    const session = await openSession({ target, profile: "quick", seed });
    return { session, probe: await probeOf(server, session) };
  } finally {
    await server.close();
  }
}

/** A server's answers to the fixed set of requests. */
export async function probeOf(server: ReferenceServer, { subjects, startedAt }: Session): Promise<ProbeAnswers> {
  const target = targetOfServer(server);
  const transport = directTransport(server, createTransport(target));
  try {
    return await probe(transport, target, subjects, Date.parse(startedAt));
  } finally {
    await transport.close();
  }
}

/** A server in this process as a target. */
export function targetOfServer({ url }: ReferenceServer): Target {
  return resolveTarget({ flags: { baseUrl: url }, env: {}, cwd: tmpdir() }).target;
}
