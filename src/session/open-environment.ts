import { setTimeout as sleep } from "node:timers/promises";
import type { Exchange } from "../connect/exchange.js";
import type { RequestBudget } from "../connect/request-budget.js";
import { buildRequest, withoutOurs } from "../connect/requests.js";
import type { StreamSlots } from "../connect/stream-slots.js";
import { createWire, type Wire } from "../connect/transport.js";
import type { Environment } from "../engine/environment.js";
import { EveryAnswer } from "../engine/every-answer.js";
import type { Execution } from "../engine/execute.js";
import type { CheckResult } from "../engine/result.js";
import { toCurl } from "../evidence/curl.js";
import { createRecorder, type Recorder } from "../evidence/record.js";
import { hider, redactExchange, redactTexts } from "../evidence/redact.js";
import type { Strength } from "../exploration/covering-array.js";
import { strengthOf } from "../exploration/plan.js";
import { unaryEndpointNames } from "../specification/endpoints.js";
import { readWhole, rowsWhole } from "../specification/profile.js";
import { simpleRequest } from "../subjects/requests.js";
import type { Session } from "./session-data.js";
import { type Traffic, TrafficCount } from "./traffic.js";
import { tellingWire } from "./waits.js";

/** An environment that also tells what passed through it. */
export interface OpenEnvironment extends Environment {
  /** What came of a check, without the secrets that the target may have echoed. */
  redacted(execution: Execution): Execution;
  /** What the wire rules found on every answer since the last call, without secrets. */
  drainEveryAnswer(): CheckResult[];
  /** What was sent and received since the last call. */
  drainTraffic(): Traffic;
  /** Writes out what evidence is still buffered. */
  flush(): Promise<void>;
  /** Closes connections and files. */
  close(): Promise<void>;
}

/** What an environment may be opened with. */
export interface EnvironmentOptions {
  /** What answers in place of the target, such as the record of another run. */
  readonly wire?: Wire | undefined;
  /** The channel on which it is told which streams are watched; nobody is told when it is absent. */
  readonly waits?: string | undefined;
  /** How many requests all workers may send together. */
  readonly requestBudget?: RequestBudget | undefined;
  /** How many streams all workers may open at the same time. */
  readonly streamSlots?: StreamSlots | undefined;
  /** Whether nothing of the data moves, so that there is nothing to wait for: in a record, or on a server of our own. */
  readonly still?: boolean;
  /** How many fields of a request are explored together; what the profile says when absent. */
  readonly strength?: Strength | undefined;
  /** What judges every answer, instead of the wire rules and the invariants of the session. */
  readonly everyAnswer?: EveryAnswer | undefined;
}

/**
 * What checks share in this thread: connections to the session's target, its evidence, its common answers.
 *
 * @param worker names the file of its evidence
 */
export function openEnvironment(
  session: Session,
  worker: string,
  { wire, waits, requestBudget, streamSlots, still = false, strength, everyAnswer: judging }: EnvironmentOptions = {},
): OpenEnvironment {
  const { target, subjects, profile, seed, readings, streamWatchMs, alsoAsk, discovery } = session;
  const recorder: Recorder | undefined = session.recordDir
    ? createRecorder(session.recordDir, worker, target.secrets)
    : undefined;
  let traffic = new TrafficCount();
  let everyAnswer = judging ?? new EveryAnswer({ subjects, readings });
  const hide = hider(target.secrets);
  const curl: Environment["curl"] = ({ after, exchange }) =>
    [...(after ? [after] : []), exchange.request].map((request) => toCurl(withoutOurs(request), target)).join("; ");
  const record = (exchange: Exchange) => {
    recorder?.record(exchange);
    traffic.exchanged(exchange);
  };
  const open =
    wire ??
    createWire(target, {
      bodyLimit: readWhole[profile],
      rowLimit: rowsWhole[profile],
      onSuperseded: record,
      answered: unaryEndpointNames
        .filter((endpoint) => discovery.successes[endpoint])
        .map((endpoint) => buildRequest(target, endpoint, simpleRequest(endpoint, subjects), { check: "discovery" })),
      ...(requestBudget && { requestBudget }),
      ...(streamSlots && { streamSlots }),
    });
  const connected = waits === undefined ? open : tellingWire(open, waits, worker);

  return {
    startedAt: Date.parse(session.startedAt),
    subjects,
    profile,
    strength: strength ?? strengthOf[profile],
    ...(streamWatchMs !== undefined && { streamWatchMs }),
    ...(alsoAsk !== undefined && { alsoAsk }),
    readings,
    seed,
    wire: connected,
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
      everyAnswer = judging ?? new EveryAnswer({ subjects, readings });
      return results;
    },
    drainTraffic() {
      const drained = traffic.traffic;
      traffic = new TrafficCount();
      return drained;
    },
    flush: async () => recorder?.flush(),
    async close() {
      await connected.close();
      await recorder?.close();
    },
  };
}
