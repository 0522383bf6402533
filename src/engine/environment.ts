import type { Exchange, HttpRequest } from "../connect/exchange.js";
import type { JsonInput } from "../connect/json.js";
import type { RequestOverrides } from "../connect/requests.js";
import type { Transport } from "../connect/transport.js";
import type { Strength } from "../exploration/covering-array.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import type { EveryAnswer } from "./every-answer.js";

/** A read made once for several checks, and the exchanges it took so far. */
export interface SharedRead {
  readonly exchanges: readonly Exchange[];
  readonly value: Promise<unknown>;
  /** Whether it compared answers with each other. */
  readonly compared: boolean;
  /** Whether the answers showed that the data changed. */
  readonly moved: boolean;
}

/** Everything that checks share within one worker of a run. */
export interface WorkerEnvironment {
  /** Start of the run, in milliseconds since 1970: the "now" of requests that ask for a time range. */
  readonly startedAt: number;
  readonly subjects: Subjects;
  readonly profile: Profile;
  /** How many fields of a request are tried in combination. */
  readonly strength: Strength;
  /** Minimum time to watch streams, in milliseconds, if longer than usual. */
  readonly streamWatchMs?: number;
  /** Extra requests, in words, to explore besides the generated ones. */
  readonly alsoAsk?: readonly string[];
  /** The readings that the user chose; verdicts are given under them. */
  readonly readings: Readings;
  /** The seed of everything that is generated. */
  readonly seed: number;
  readonly transport: Transport;
  /** Builds the request for an operation, with the headers from the target's configuration. */
  readonly build: (endpoint: Endpoint, body: JsonInput, overrides: RequestOverrides) => HttpRequest;
  /** Counts a success of an operation. */
  readonly succeeded: (endpoint: Endpoint) => void;
  /** Records an exchange as evidence. */
  readonly record: (exchange: Exchange) => void;
  /** A shell command, without secrets, that sends a request again, after the one that must come right before it, if any. */
  readonly curl: (answer: AnswerOf<unknown>) => string;
  /** Shared reads by name (see `CheckContext.shared` and `sharedRead`). */
  readonly shared: Map<string, SharedRead>;
  /** Waits `ms` milliseconds for the target's data to change. Does not wait where the data cannot change, as in a record. */
  readonly pause: (ms: number) => Promise<void>;
  /** The wire rules and the invariants, applied to every answer of the run. */
  readonly everyAnswer: EveryAnswer;
}
