import { tmpdir } from "node:os";
import { resolveTarget } from "../config/config.js";
import type { Exchange } from "../connect/exchange.js";
import type { TransportSettings } from "../connect/transport.js";
import { createTransport } from "../connect/undici-transport.js";
import type { CheckResult, Verdict } from "../engine/result.js";
import { findModification } from "../reference/modifications.js";
import { startReferenceServer } from "../reference/server.js";
import { ruleVerdict } from "../report/rule-verdict.js";
import { openEnvironment } from "../session/open-environment.js";
import { recordingTransport } from "../session/recording-transport.js";
import { inMemory, replayTransport } from "../session/replay-transport.js";
import { runDirect } from "../session/run-direct.js";
import { openSession } from "../session/session.js";
import type { Session } from "../session/session-data.js";
import type { Readings } from "../specification/readings.js";

/** Checks that ran on a server of our own, and what they exchanged. */
export interface RecordedTrial {
  readonly session: Session;
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly results: readonly CheckResult[];
}

const worker = "trial";

/** Options of a trial. */
interface TrialOptions {
  /** Called with what was recorded while the server still answers. */
  readonly meanwhile?: (trial: RecordedTrial) => Promise<void>;
  /** About how many orders the server has; a few hundred by default, which are quickly looked through. */
  readonly orders?: number;
  /** Transport settings of the checks; discovery reads as always. */
  readonly settings?: TransportSettings;
}

/** Runs the checks of these rules on the reference server, or on the mutant or variant of this name. */
export async function recordedTrial(
  modification: string,
  rules: readonly string[],
  { meanwhile, orders = 600, settings }: TrialOptions = {},
): Promise<RecordedTrial> {
  const found = findModification("mutant", modification) ?? findModification("variant", modification);
  if (!found && modification !== "reference") throw new Error(`there is no modification ${modification}`);
  await using server = await opened(startReferenceServer({ orders, ...(found && { modification: found }) }));
  const { target } = resolveTarget({ flags: { baseUrl: server.url }, env: {}, cwd: tmpdir() });
  const session = await openSession({ target, profile: "quick", seed: 1, selection: { rules, suites: [] } });
  const { transport, exchanges } = recordingTransport(createTransport(target, settings));
  const environment = openEnvironment(session, worker, { transport, still: true });
  const { results } = await runDirect(session, environment, { concurrency: 24 });
  await environment.close();
  const trial = { session, exchanges, results };
  await meanwhile?.(trial);
  return trial;
}

/** The results that the exchanges of a trial give under some readings. */
export async function judgedBy(
  { session: recorded, exchanges }: RecordedTrial,
  readings: Readings,
): Promise<readonly CheckResult[]> {
  const session = { ...recorded, readings };
  const environment = openEnvironment(session, worker, {
    transport: replayTransport(inMemory(exchanges)),
    still: true,
  });
  return (await runDirect(session, environment, { concurrency: 1 })).results;
}

/** The verdict on a rule. */
export function verdictOn(rule: string, results: readonly CheckResult[]): Verdict {
  return ruleVerdict(results.filter((result) => result.rule === rule)).verdict;
}

async function opened<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T & AsyncDisposable> {
  const resource = await opening;
  return { ...resource, [Symbol.asyncDispose]: () => resource.close() };
}
