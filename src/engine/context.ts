import type { JsonInput } from "../connect/json.js";
import type { RequestOverrides } from "../connect/requests.js";
import type { StreamUntil } from "../connect/stream-body-reader.js";
import type { Interactions, Strength } from "../exploration/covering-array.js";
import type { Endpoint, UnaryEndpoint } from "../specification/endpoints.js";
import type { Profile } from "../specification/profile.js";
import type { Readings } from "../specification/readings.js";
import type { MissingData, Needed, NeedName } from "../subjects/hints.js";
import type { Subjects } from "../subjects/subjects.js";
import type { Answer, AnswerOf, StreamAnswer } from "./answer.js";
import type { Verify } from "./verify.js";

/** One method per unary operation: `call.getAllPositions({ limit: 10 })`. */
export type Calls = {
  readonly [Name in UnaryEndpoint as Uncapitalize<Name>]: (
    request?: JsonInput,
    overrides?: RequestOverrides,
  ) => Promise<Answer>;
};

/** The part of a context that a shared read may use (see `CheckContext.sharedRead`). */
export type ReadContext = Pick<CheckContext, "ask" | "listen" | "bracket" | "pause" | "strength">;

/** Everything a check is written with. */
export interface CheckContext {
  /** Calls an operation by its name. */
  readonly call: Calls;
  /** Calls an operation that is only known at run time. */
  readonly ask: (endpoint: UnaryEndpoint, request?: JsonInput, overrides?: RequestOverrides) => Promise<Answer>;
  /** Watches the stream of open positions (§4.2) until `until` is satisfied. */
  readonly listen: (request: JsonInput, until: StreamUntil, overrides?: RequestOverrides) => Promise<StreamAnswer>;
  /** Starts assertions on answers. */
  readonly verify: Verify;
  /**
   * The first subject of this kind that discovery found. If there is none, the check ends as inconclusive, or as blocked
   * when the operation that would show it does not work.
   */
  readonly subject: <Name extends NeedName>(need: Name) => Needed<Name>;
  /** Like `subject`, for one that the check chose itself. `missing` names the kind, or says in words what is needed. */
  readonly required: <T>(subject: T | undefined, missing: NeedName | (string & {}) | MissingData) => T;
  /** The body of an answer that is not judged itself but leads to what is. Without a success the check is inconclusive. */
  readonly bodyOf: <A>(answer: AnswerOf<A>) => A;
  /** Like `bodyOf`, but also accepts a sample of a large answer: for rules that hold for any subset of rows. */
  readonly sampledBodyOf: <A>(answer: AnswerOf<A>) => A;
  /** Ends the check as inconclusive. */
  readonly inconclusive: (reason: string) => never;
  /**
   * Reads A, B, A, and retries until both reads of A agree (P3). `stable` selects the part of A that must not change;
   * by default everything except computed values.
   */
  readonly bracket: <A, B>(
    readA: () => Promise<AnswerOf<A>>,
    readB: () => Promise<B>,
    stable?: (body: A) => string,
  ) => Promise<[a: AnswerOf<A>, b: B]>;
  /**
   * Reads until two consecutive reads agree, so the data did not change while the answer was produced (P3). `stable`
   * selects what must agree, as for {@link bracket}.
   */
  readonly stableRead: <A>(read: () => Promise<AnswerOf<A>>, stable?: (body: A) => string) => Promise<AnswerOf<A>>;
  /** Waits `ms` milliseconds for the data to change. Does not wait where the data cannot change, as in a record. */
  readonly pause: (ms: number) => Promise<void>;
  /** An answer that several checks use: requested once per worker of a run. */
  readonly shared: (endpoint: UnaryEndpoint, request: JsonInput) => Promise<Answer>;
  /** A stream capture that several checks use. `window` names it; each name is captured once. */
  readonly sharedCapture: (window: string, request: JsonInput, until: StreamUntil) => Promise<StreamAnswer>;
  /**
   * A group of requests that many checks share, such as a bracketed read of one wallet: made once per worker of a run.
   * `name` identifies it. If it ends early, every check that uses it ends in the same way.
   */
  readonly sharedRead: <T>(name: string, read: (reader: ReadContext) => Promise<T>) => Promise<T>;
  /** For observations: records what was seen, in words or as an answer. `inWords` describes the body of a success. */
  readonly record: <A>(what: string, seen: string | AnswerOf<A>, inWords?: (body: A) => string) => void;
  /** Reports how many combinations of fields were tried. */
  readonly tried: (interactions: Interactions) => void;
  /** Adds a remark that is shown with the verdict. */
  readonly note: (text: string) => void;
  /**
   * Start of the run, in milliseconds since 1970. Checks that need a "now" use this one, so that rejudging the run
   * produces the same requests.
   */
  readonly startedAt: number;
  readonly subjects: Subjects;
  readonly profile: Profile;
  /** Extra requests, in words, to send besides the generated ones: those that show known deviations. */
  readonly alsoAsk: readonly string[];
  /** Minimum time to watch streams, in milliseconds; 0 to watch only as long as checks need. */
  readonly streamWatchMs: number;
  /**
   * The readings that the user chose. They decide what is asserted, never what is requested, so that a record can be
   * judged under other readings.
   */
  readonly readings: Readings;
  /** Seed for everything that the check generates, derived from the run's seed and the check's name. */
  readonly seed: number;
  /** Seed of the run, for what all checks share. */
  readonly runSeed: number;
  /** How many fields of a request are tried in combination. */
  readonly strength: Strength;
  /** The operation that the check is about. */
  readonly endpoint: Endpoint;
}
