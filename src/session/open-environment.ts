import { setTimeout as sleep } from "node:timers/promises";
import type { Exchange, HttpRequest } from "../connect/exchange.js";
import type { RequestBudget } from "../connect/request-budget.js";
import { buildRequest, withoutHarnessHeaders } from "../connect/requests.js";
import type { StreamSlots } from "../connect/stream-slots.js";
import type { Target } from "../connect/target.js";
import type { Transport } from "../connect/transport.js";
import { createTransport } from "../connect/undici-transport.js";
import type { WorkerEnvironment } from "../engine/environment.js";
import { EveryAnswer } from "../engine/every-answer.js";
import type { Execution } from "../engine/execute.js";
import { Repetitions } from "../engine/repetitions.js";
import type { CheckResult } from "../engine/result.js";
import { toCurl } from "../evidence/curl.js";
import { createRecorder, type Recorder } from "../evidence/record.js";
import { redactExchange, redactor, redactTexts } from "../evidence/redact.js";
import type { Strength } from "../exploration/covering-array.js";
import { strengthOf } from "../exploration/plan.js";
import { unaryEndpointNames } from "../specification/endpoints.js";
import { readWhole, rowsWhole } from "../specification/profile.js";
import { simpleRequest } from "../subjects/requests.js";
import type { Session } from "./session-data.js";
import { type Traffic, TrafficCounter } from "./traffic.js";
import { announcingTransport } from "./waits.js";

/** An environment that also reports what passed through it. */
export interface OpenEnvironment extends WorkerEnvironment {
  /** The execution of a check, without secrets that the target may have echoed. */
  redacted(execution: Execution): Execution;
  /** Results of the rules on every answer since the last call, without secrets. */
  drainEveryAnswer(): CheckResult[];
  /** Traffic since the last call. */
  drainTraffic(): Traffic;
  /** Flushes buffered evidence to disk. */
  flush(): Promise<void>;
  /** Closes connections and files. */
  close(): Promise<void>;
}

/** Options for opening an environment. */
export interface EnvironmentOptions {
  /** Answers in place of the target, such as a replay of another run's record. */
  readonly transport?: Transport | undefined;
  /** Name of the channel on which watched streams are announced; if absent, they are not announced. */
  readonly waits?: string | undefined;
  /** Request budget that all workers share. */
  readonly requestBudget?: RequestBudget | undefined;
  /** Slots for the streams that all workers may have open at the same time. */
  readonly streamSlots?: StreamSlots | undefined;
  /** Whether the data cannot change, so that pauses are skipped: in a record, or on our own server. */
  readonly still?: boolean;
  /** How long an answer may lag behind another one, in milliseconds; by default as long as on any target (P3). */
  readonly lagMs?: number;
  /** How many fields of a request are tried in combination; by default as the profile says. */
  readonly strength?: Strength | undefined;
  /** Judges every answer, in place of the session's wire rules and invariants. */
  readonly everyAnswer?: EveryAnswer | undefined;
}

/**
 * Opens what the checks of a thread share: connections to the session's target, evidence, and shared answers.
 *
 * @param worker names the file of its evidence
 */
export function openEnvironment(session: Session, worker: string, options: EnvironmentOptions = {}): OpenEnvironment {
  const { still = false, strength, lagMs } = options;
  const { target, subjects, profile, seed, readings, streamWatchMs, alsoAsk } = session;
  const startedAt = Date.parse(session.startedAt);
  const recorder: Recorder | undefined = session.recordDir
    ? createRecorder(session.recordDir, worker, target.secrets)
    : undefined;
  let traffic = new TrafficCounter();
  const record = (exchange: Exchange) => {
    recorder?.record(exchange);
    traffic.exchanged(exchange);
  };
  const repetitions = new Repetitions({ subjects, readings }, startedAt, lagMs);
  const newEveryAnswer = () => options.everyAnswer ?? new EveryAnswer({ subjects, readings }, repetitions);
  let everyAnswer = newEveryAnswer();
  const transport = openTransport(session, worker, record, options);
  const curl = curlFor(target);
  const hide = redactor(target.secrets);

  return {
    startedAt,
    subjects,
    profile,
    strength: strength ?? strengthOf[profile],
    streamWatchMs,
    alsoAsk,
    readings,
    seed,
    transport,
    curl,
    build: (endpoint, body, overrides) => buildRequest(target, endpoint, body, overrides),
    succeeded: (endpoint) => traffic.succeeded(endpoint),
    record,
    shared: new Map(),
    pause: async (ms) => {
      if (!still) await sleep(ms);
    },
    get everyAnswer() {
      return everyAnswer;
    },
    redacted: ({ result, exchanges }) => ({
      result: redactTexts(result, hide),
      exchanges: exchanges.map((exchange) => redactExchange(exchange, target.secrets)),
    }),
    drainEveryAnswer() {
      const results = redactTexts(everyAnswer.results(curl), hide);
      everyAnswer = newEveryAnswer();
      return results;
    },
    drainTraffic() {
      const drained = traffic.traffic;
      traffic = new TrafficCounter();
      return drained;
    },
    flush: async () => recorder?.flush(),
    async close() {
      await transport.close();
      await recorder?.flush();
    },
  };
}

/**
 * Opens the transport to the target, or takes the given one. Watched streams are announced if a channel is named for it.
 *
 * @param record records an exchange that another attempt supersedes
 */
function openTransport(
  { target, profile, subjects, discovery }: Session,
  worker: string,
  record: (exchange: Exchange) => void,
  { transport, waits, requestBudget, streamSlots }: EnvironmentOptions,
): Transport {
  const open =
    transport ??
    createTransport(target, {
      bodyLimit: readWhole[profile],
      rowLimit: rowsWhole[profile],
      onSuperseded: record,
      answered: unaryEndpointNames
        .filter((endpoint) => discovery.successes[endpoint])
        .map((endpoint) => buildRequest(target, endpoint, simpleRequest(endpoint, subjects), { check: "discovery" })),
      requestBudget,
      streamSlots,
    });
  return waits === undefined ? open : announcingTransport(open, waits, worker);
}

function curlFor(target: Target): WorkerEnvironment["curl"] {
  const commandFor = (request: HttpRequest) => toCurl(withoutHarnessHeaders(request), target);
  return ({ after, exchange }) =>
    [...(after ? [`${commandFor(after)} > /dev/null`] : []), commandFor(exchange.request)].join("; ");
}
