import type { JsonInput } from "../connect/json.js";
import type { RequestOverrides } from "../connect/requests.js";
import type { StreamUntil } from "../connect/transport.js";
import type { Interactions, Strength } from "../exploration/covering-array.js";
import type { Endpoint, UnaryEndpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import type { MissingData } from "../subjects/hints.js";
import type { Subjects } from "../subjects/subjects.js";
import type { Answer, AnswerOf, StreamAnswer } from "./answer.js";
import type { Verify } from "./verify.js";

/** One word for each unary operation: `call.getAllPositions({ limit: 10 })`. */
export type Calls = {
  readonly [Name in UnaryEndpoint as Uncapitalize<Name>]: (
    request?: JsonInput,
    overrides?: RequestOverrides,
  ) => Promise<Answer>;
};

/** What a reading that checks share is made with. */
export type ReadContext = Pick<CheckContext, "ask" | "listen" | "bracket" | "pause" | "strength">;

/** What a check is written with. */
export interface CheckContext {
  /** Asks one operation by its name. */
  readonly call: Calls;
  /** Asks an operation that is only known at run time. */
  readonly ask: (endpoint: UnaryEndpoint, request?: JsonInput, overrides?: RequestOverrides) => Promise<Answer>;
  /** Watches the stream of open positions (§4.2) until enough was seen. */
  readonly listen: (request: JsonInput, until: StreamUntil, overrides?: RequestOverrides) => Promise<StreamAnswer>;
  /** Starts assertions on answers. */
  readonly verify: Verify;
  /**
   * The subject, or else the check is inconclusive, or blocked by an operation that does not work; `missing` says what would
   * have to be there.
   */
  readonly required: <T>(subject: T | undefined, missing: string | MissingData) => T;
  /** The body of an answer that only leads to what is judged: without a success the check is inconclusive. */
  readonly bodyOf: <A>(answer: AnswerOf<A>) => A;
  /** The same, where a sample of a large answer will do: for rules that hold for any rows. */
  readonly sampledBodyOf: <A>(answer: AnswerOf<A>) => A;
  /** Ends the check as inconclusive. */
  readonly inconclusive: (reason: string) => never;
  /**
   * Reads A, B, A again, until both readings of A hold the same (P3). `stable` picks what of A must not change; by
   * default all of it but computed values.
   */
  readonly bracket: <A, B>(
    readA: () => Promise<AnswerOf<A>>,
    readB: () => Promise<B>,
    stable?: (body: A) => string,
  ) => Promise<[a: AnswerOf<A>, b: B]>;
  /**
   * Reads until two readings in a row hold the same: the data did not change while the answer was made (P3). `stable` picks
   * what must be the same, as for {@link bracket}.
   */
  readonly stableRead: <A>(read: () => Promise<AnswerOf<A>>, stable?: (body: A) => string) => Promise<AnswerOf<A>>;
  /** Waits so many milliseconds for the data to move on; not where nothing of it moves, as in a record. */
  readonly pause: (ms: number) => Promise<void>;
  /** An answer that several checks read: asked once in each worker of a run. */
  readonly shared: (endpoint: UnaryEndpoint, request: JsonInput) => Promise<Answer>;
  /** A window of the stream that several checks read; `window` names it, so that each name is watched once. */
  readonly sharedCapture: (window: string, request: JsonInput, until: StreamUntil) => Promise<StreamAnswer>;
  /**
   * Several answers that many checks make use of together, such as a bracketed reading of one wallet: made once in each
   * worker of a run. `name` tells readings apart; `requests` is how many they send at most. What ends such a reading ends
   * every check that asks for it.
   */
  readonly sharedRead: <T>(name: string, requests: number, read: (words: ReadContext) => Promise<T>) => Promise<T>;
  /** Observations: records what was seen, in words or as an answer. */
  readonly record: (what: string, seen: string | AnswerOf<unknown>) => void;
  /** Tells how many combinations of fields were tried. */
  readonly tried: (interactions: Interactions) => void;
  /** A remark that is shown with the verdict. */
  readonly note: (text: string) => void;
  /**
   * When the run started, in milliseconds since 1970. Checks that need a "now" take this one, so that the same requests
   * follow from it when the run is judged again.
   */
  readonly startedAt: number;
  readonly subjects: Subjects;
  readonly profile: Profile;
  /** Requests, in words, that are made besides those that are drawn: by them known deviations show. */
  readonly alsoAsk: readonly string[];
  /** How long streams are watched at least, in milliseconds: 0 where nothing else is asked for than what checks need. */
  readonly streamWatchMs: number;
  /** The readings that the user chose. They decide what is asserted, never what is asked, so that a record can be judged by others. */
  readonly readings: Readings;
  /** Seed of everything that the check generates: derived from the run's seed and the check's name. */
  readonly seed: number;
  /** Seed of the run: of what all checks share. */
  readonly runSeed: number;
  /** How many fields of a request are explored together. */
  readonly strength: Strength;
  /** The operation that the check is made on. */
  readonly endpoint: Endpoint;
}
