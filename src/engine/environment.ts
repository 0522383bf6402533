import type { Exchange, WireRequest } from "../connect/exchange.js";
import type { JsonInput } from "../connect/json.js";
import type { RequestOverrides } from "../connect/requests.js";
import type { Wire } from "../connect/transport.js";
import type { Strength } from "../exploration/covering-array.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import type { Subjects } from "../subjects/subjects.js";
import type { AnswerOf } from "./answer.js";
import type { EveryAnswer } from "./every-answer.js";

/** Something that is read once, and the exchanges that it took so far. */
export interface SharedReading {
  readonly exchanges: readonly Exchange[];
  readonly value: Promise<unknown>;
  /** Whether answers were compared for it. */
  readonly compared: boolean;
  /** Whether they showed that the data moved. */
  readonly moved: boolean;
}

/** Everything that checks share within one worker of a run. */
export interface Environment {
  /** When the run started, in milliseconds since 1970: the "now" of requests that ask for a range of time. */
  readonly startedAt: number;
  readonly subjects: Subjects;
  readonly profile: Profile;
  /** How many fields of a request are explored together. */
  readonly strength: Strength;
  /** How long streams are watched at least, in milliseconds, where that is longer than usual. */
  readonly streamWatchMs?: number;
  /** Requests, in words, that are explored besides those that are drawn. */
  readonly alsoAsk?: readonly string[];
  /** The readings that verdicts are given under, where the user chose one. */
  readonly readings: Readings;
  /** The seed of everything that is generated. */
  readonly seed: number;
  readonly wire: Wire;
  /** The request for an operation, with the headers that the target's configuration asks for. */
  readonly build: (endpoint: Endpoint, body: JsonInput, overrides: RequestOverrides) => WireRequest;
  /** Counts a success of an operation. */
  readonly succeeded: (endpoint: Endpoint) => void;
  /** Keeps an exchange as evidence. */
  readonly record: (exchange: Exchange) => void;
  /** A shell line that sends a request again, and the one that it was sent right after; without secrets. */
  readonly curl: (answer: AnswerOf<unknown>) => string;
  /** What several checks read (see `CheckContext.shared` and `sharedRead`). */
  readonly shared: Map<string, SharedReading>;
  /** Waits so many milliseconds for the data of the target to move on; not where nothing of it moves, as in a record. */
  readonly pause: (ms: number) => Promise<void>;
  /** The wire rules, applied to every answer of the run. */
  readonly everyAnswer: EveryAnswer;
}
