import { Allowance } from "../connect/allowance.js";
import type { Exchange } from "../connect/exchange.js";
import { interpret } from "../connect/interpret.js";
import { buildRequest } from "../connect/requests.js";
import { createWire } from "../connect/transport.js";
import { createRecorder } from "../evidence/record.js";
import { hider } from "../evidence/redact.js";
import type { Profile } from "../spec/profile.js";
import type { Readings } from "../spec/readings.js";
import { inShard, type Shard } from "../spec/shard.js";
import { discoverSubjects } from "../subjects/discover.js";
import type { Subjects } from "../subjects/subjects.js";
import type { Target } from "../target/target.js";
import { writeSession } from "./session-file.js";
import type { Traffic } from "./traffic.js";

/** Which rules and suites the user asked for; empty lists mean all. */
export interface Selection {
  readonly rules: readonly string[];
  readonly suites: readonly string[];
  /** The part of them that is made here; all when absent. */
  readonly shard?: Shard;
}

/** Requests of discovery at most, those included that are sent again because the target asked for a pause. */
export const discoveryAtMost = 180;

/** All rules of all suites. */
export const everything: Selection = { rules: [], suites: [] };

/** What a run is about. Plain data: it travels to worker threads. */
export interface Session {
  readonly target: Target;
  readonly subjects: Subjects;
  readonly profile: Profile;
  readonly seed: number;
  readonly readings: Readings;
  readonly selection: Selection;
  /** Files with suites of the user's own. */
  readonly ownSuites?: readonly string[];
  /** Folder for the evidence; none is kept when it is absent. */
  readonly recordDir?: string;
  /** Wall clock, RFC 3339. */
  readonly startedAt: string;
  /** What the discovery of the subjects has sent and received. */
  readonly discovery: Traffic;
}

/** What a session is opened with. */
export type SessionOptions = Omit<Session, "subjects" | "discovery" | "selection" | "readings" | "startedAt"> & {
  readonly selection?: Selection;
  readonly readings?: Readings;
};

/** Whether the selection includes a check of this rule in the suite of this title. */
export function selects({ rules, suites, shard }: Selection, rule: string, suiteTitle: string): boolean {
  return (
    (rules.length === 0 || rules.includes(rule)) &&
    (suites.length === 0 || suites.includes(suiteTitle)) &&
    inShard(rule, shard)
  );
}

/**
 * Opens a session: finds the subjects that the checks will be made on, from nothing but the target itself.
 *
 * @throws TargetUnreachable when nobody answers at the target's address
 * @throws AccessDenied when the target refuses every request for lack of credentials
 */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { target, profile, seed, readings = {}, selection = everything, ownSuites, recordDir } = options;
  const startedAt = new Date().toISOString();
  const recorder = recordDir === undefined ? undefined : createRecorder(recordDir, "discovery", target.secrets);
  const discovery = { count: 0, streams: 0, bytesReceived: 0 };
  const keep = (exchange: Exchange) => {
    recorder?.record(exchange);
    if (exchange.failure?.kind !== "given-up") discovery.count++;
    discovery.bytesReceived += exchange.response?.bytes ?? 0;
  };
  // A sample tells discovery nothing, since it cannot tell what is not there.
  const wire = createWire(target, {
    sampling: { body: 0 },
    onSuperseded: keep,
    allowance: Allowance.of(discoveryAtMost),
  });
  let asked = 0;
  try {
    const subjects = await discoverSubjects(
      async (endpoint, body) => {
        const id = `discovery#${++asked}`;
        const exchange = await wire.unary(buildRequest(target, endpoint, body, { check: "discovery" }), { id });
        keep(exchange);
        const status = exchange.response?.status;
        return { outcome: interpret(exchange), exchangeId: id, ...(status === undefined ? {} : { status }) };
      },
      { seed, known: target.known },
    );
    const own = ownSuites === undefined ? {} : { ownSuites };
    const session = { target, subjects, profile, seed, readings, selection, ...own, startedAt, discovery };
    if (recordDir === undefined) return session;
    await writeSession(recordDir, session);
    return { ...session, recordDir };
  } catch (error) {
    // What the target says of a refusal may repeat the token that it refuses.
    if (error instanceof Error) error.message = hider(target.secrets)(error.message);
    throw error;
  } finally {
    await wire.close();
    await recorder?.close();
  }
}
