import { type Exchange, isStreamType } from "../connect/exchange.js";
import { interpret, interpretStream } from "../connect/interpret.js";
import type { Outcome } from "../connect/outcome.js";
import { RequestBudget } from "../connect/request-budget.js";
import { buildRequest } from "../connect/requests.js";
import type { Target } from "../connect/target.js";
import { longestPauseMs } from "../connect/throttling.js";
import type { Transport } from "../connect/transport.js";
import { createTransport } from "../connect/undici-transport.js";
import { createRecorder } from "../evidence/record.js";
import { redactor } from "../evidence/redact.js";
import { isSuccess } from "../judge/whole-answer.js";
import { type Endpoint, isStream } from "../specification/endpoints.js";
import { covers } from "../specification/profile.js";
import { inShard } from "../specification/shard.js";
import { discoverSubjects } from "../subjects/discover.js";
import type { Ask } from "../subjects/discovery-client.js";
import { discoveryRecord } from "./judge-discovery.js";
import type { Selection, Session } from "./session-data.js";
import { writeSession } from "./session-file.js";
import type { CheckInfo } from "./suites.js";
import { type Traffic, TrafficCounter } from "./traffic.js";

/** Request budget of discovery, including retries of throttled requests. */
export const discoveryBudget = 180;

/** How long to tolerate a server that has only throttled requests so far, in milliseconds: a few pauses of a second. */
const giveUpAfterMs = 4_200;

/** How long discovery waits for the first message of a stream, in milliseconds. */
const firstMessageMs = 2_000;

/** Selects all rules of all suites. */
export const everything: Selection = { rules: [], suites: [] };

type WithDefaults = "selection" | "readings" | "notImplemented";

/** Options for opening a session. */
export type SessionOptions = Omit<Session, "subjects" | "discovery" | "startedAt" | WithDefaults> &
  Partial<Pick<Session, WithDefaults>>;

/** Callbacks that follow the opening of a session. */
export interface SessionWatcher {
  /** Called when the target is recognized as this API, so that a session will be opened. */
  readonly onRecognized?: () => void;
  /** Called with the traffic of discovery, whether it succeeded or not. */
  readonly onTraffic?: (traffic: Traffic) => void;
}

/** Whether a run with this selection and profile makes a check. */
export function selects(
  { selection: { rules, suites, shard }, profile }: Pick<Session, "selection" | "profile">,
  check: Pick<CheckInfo, "rule" | "profile">,
  suiteTitle: string,
): boolean {
  return (
    (rules.length === 0 || rules.includes(check.rule)) &&
    (suites.length === 0 || suites.includes(suiteTitle)) &&
    inShard(check.rule, shard) &&
    covers(profile, check.profile)
  );
}

/**
 * Opens a session: discovers the subjects for the checks from the target alone.
 *
 * @throws TargetUnreachable when nothing answers at the target's address
 * @throws AccessDenied when the target refuses every request for lack of credentials
 * @throws NotThisApi when nothing shows that the target is this API
 */
export async function openSession(
  options: SessionOptions,
  { onRecognized, onTraffic }: SessionWatcher = {},
): Promise<Session> {
  const { target, profile, seed, ownSuites, streamWatchMs, recordDir } = options;
  const { readings = {}, selection = everything, alsoAsk = [], notImplemented = [] } = options;
  const startedAt = new Date().toISOString();
  const recorder = recordDir === undefined ? undefined : createRecorder(recordDir, discoveryRecord, target.secrets);
  const traffic = new TrafficCounter();
  const keep = (exchange: Exchange) => {
    recorder?.record(exchange);
    traffic.exchanged(exchange);
  };
  // Until the server has answered with anything but throttling, it may not be worth a long wait.
  let answered = false;
  const patientUntil = performance.now() + giveUpAfterMs;
  const transport = createTransport(target, {
    // Discovery cannot use samples: they do not show what is absent.
    sampling: { body: 0 },
    onSuperseded: keep,
    requestBudget: RequestBudget.of(discoveryBudget),
    longestPauseMs: () => (answered ? longestPauseMs : patientUntil - performance.now()),
  });
  const ask = asking(target, transport, (endpoint, exchange, outcome) => {
    keep(exchange);
    answered ||= !exchange.throttled;
    if (isSuccess({ outcome })) traffic.succeeded(endpoint);
  });
  try {
    const subjects = await discoverSubjects(ask, { seed, known: target.known, where: target.baseUrl, onRecognized });
    const session = {
      target,
      subjects,
      profile,
      seed,
      readings,
      selection,
      ownSuites,
      streamWatchMs,
      ...(alsoAsk.length > 0 && { alsoAsk }),
      startedAt,
      notImplemented,
      discovery: traffic.traffic,
    };
    if (recordDir === undefined) return session;
    await writeSession(recordDir, session);
    return { ...session, recordDir };
  } catch (error) {
    // A refusal message from the target may contain the token that it refuses.
    if (error instanceof Error) error.message = redactor(target.secrets)(error.message);
    throw error;
  } finally {
    onTraffic?.(traffic.traffic);
    await transport.close();
    await recorder?.flush();
  }
}

/** Sends the requests of discovery one by one, and passes each exchange to `onReply`. */
function asking(
  target: Target,
  transport: Transport,
  onReply: (endpoint: Endpoint, exchange: Exchange, outcome: Outcome) => void,
): Ask {
  let asked = 0;
  return async (endpoint, body) => {
    const id = `discovery#${++asked}`;
    const request = buildRequest(target, endpoint, body, { check: "discovery" });
    const streams = isStream(endpoint);
    const exchange = streams
      ? await transport.stream(request, { id, until: { messages: 1, ms: firstMessageMs } })
      : await transport.unary(request, { id });
    const outcome = streams ? firstMessage(exchange) : interpret(exchange);
    onReply(endpoint, exchange, outcome);
    const status = exchange.response?.status;
    return {
      outcome,
      exchangeId: id,
      ...(status !== undefined && { status }),
      ...(streams && opensStream(exchange) && { isStream: true as const }),
      ...(exchange.throttled && { throttled: true as const }),
    };
  };
}

/** The outcome of a stream as if it were a single answer: its first message, or why there is none. */
function firstMessage(exchange: Exchange): Outcome {
  const stream = interpretStream(exchange);
  if (stream.kind !== "stream") return stream;
  const { messages, endError, problem } = stream;
  const [first] = messages;
  if (first) return { kind: "success", body: first.body };
  if (endError) return { kind: "error", ...endError };
  if (problem) return { kind: "malformed", reason: problem.message };
  return { kind: "failure", failure: "timeout", message: `no message within ${firstMessageMs} ms` };
}

function opensStream({ response }: Exchange): boolean {
  return response?.status === 200 && isStreamType(response.headers);
}
