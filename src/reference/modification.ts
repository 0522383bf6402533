import type { JsonWriteOptions } from "@bufbuild/protobuf";
import { catalogue, type RuleId, type RuleIdAt } from "../specification/catalogue/index.js";
import type { Endpoint, UnaryEndpoint } from "../specification/endpoints.js";
import type { Aspect } from "./aspects.js";
import type { Candle } from "./candles.js";
import type { Dataset } from "./dataset/dataset.js";
import type { DepthOrder, OrderRecord, PositionRecord } from "./dataset/model.js";
import type { MutableJson, MutableJsonObject } from "./json.js";
import type { Parameters } from "./parameters.js";
import type { Schedule } from "./schedule.js";

/** The platform behind a reference server, and its distance. Plain data. */
export interface ServerTraits {
  /** Approximate number of orders, 0 to 1,000,000. Default 2700. With 0 there are only markets. */
  readonly orders?: number;
  /** Approximate number of additional orders in one wallet. The total is at most 1,000,000. */
  readonly walletOrders?: number;
  /** Delay of every answer and stream frame, in milliseconds. Does not change a stream's cadence. */
  readonly latencyMs?: number;
  /** Maximum random extra delay, drawn for each answer and frame, in milliseconds. */
  readonly jitterMs?: number;
  /** Whether the data keep changing. A number is the time between changes in milliseconds (default 150). */
  readonly churn?: boolean | number;
  /** Whether the margins of open positions change all the time as well. Needs `churn`. */
  readonly marginChanges?: boolean;
  /**
   * Simulates two replicas that answer in turn: how far the second lags behind, in milliseconds. Without it there is one.
   * Needs `churn`.
   */
  readonly replicaLagMs?: number;
}

/**
 * One way in which a server differs from the embedded reference server.
 *
 * A mutant breaks exactly one rule; a variant uses one freedom that the specification leaves. Both consist of options and of
 * interceptors, each a small pure function. An absent interceptor costs the server nothing. One that takes an endpoint is
 * called for every endpoint and returns `undefined` to change nothing (`on` narrows it to some). It owns the JSON it receives
 * and may edit it in place.
 */
export interface Interceptors {
  /** Overrides some of the documented numbers and decisions. */
  readonly parameters?: Partial<Parameters>;
  /** Options of the JSON codec. */
  readonly codec?: Partial<JsonWriteOptions>;
  /** Changes the data before the server starts. Shares what it leaves unchanged. */
  readonly dataset?: (data: Dataset) => Dataset;
  /** Changes selected rows, after sorting and before paging. */
  readonly rows?: RowInterceptors;
  /** Answers a request before Connect sees it: authentication, methods, header rules. */
  readonly intercept?: (request: IncomingRequest, context: CallContext) => HttpReply | undefined;
  /** Changes the payload of a request before it is read as JSON. */
  readonly body?: (endpoint: Endpoint, payload: Uint8Array) => Uint8Array | undefined;
  /** Changes the request's JSON before it is decoded, or answers it right away (`Answer`). */
  readonly request?: (
    endpoint: Endpoint,
    json: MutableJsonObject,
    context: CallContext,
  ) => MutableJsonObject | SubstituteResponse | undefined;
  /** Changes the JSON of a response or a stream message (`context.messageIndex`) before it is written. */
  readonly response?: (endpoint: Endpoint, json: MutableJsonObject, context: CallContext) => MutableJson | undefined;
  /** Changes an error before it is sent; on unary calls a complete reply may replace it. */
  readonly error?: (endpoint: Endpoint, error: ErrorReply, context: CallContext) => ErrorReply | HttpReply | undefined;
  /** Changes a complete unary reply, except one from `intercept` or `request`. */
  readonly http?: (endpoint: UnaryEndpoint, reply: HttpReply, context: CallContext) => HttpReply | undefined;
  /** Changes a stream's response headers. */
  readonly streamHeaders?: (headers: Headers, context: CallContext) => void;
  /** Changes when the stream's messages are sent, and how the stream ends. */
  readonly schedule?: (terms: StreamTerms, context: CallContext) => Partial<Schedule> | undefined;
  /** Changes a stream frame, or replaces it with several or none. */
  readonly frame?: (
    frame: OutgoingFrame,
    context: CallContext,
  ) => OutgoingFrame | Uint8Array | readonly OutgoingFrame[] | undefined;
}

interface ModificationBase extends Interceptors {
  /** Permanent, kebab-case, unique among the modifications of its kind. */
  readonly name: string;
  /** One sentence: what this server does differently. */
  readonly summary: string;
  /** Scale, network delay or changing data that this server needs. */
  readonly server?: ServerTraits;
}

/** A conformant freedom: a run against it must not fail. */
export interface Variant extends ModificationBase {
  readonly kind: "variant";
  /** Advisory rules that are expected to warn about it. */
  readonly warns?: readonly RuleIdAt<"advisory">[];
  /**
   * The aspects it changes. The proof runs variants with no aspect in common on one server. A variant without this list gets
   * its own server; omit it for variants that warn, use other data or leave checks without evidence.
   */
  readonly touches?: readonly Aspect[];
}

/** A server that breaks exactly one rule: a run against it must fail that rule. */
export interface Mutant extends ModificationBase {
  readonly kind: "mutant";
  /** The rule it breaks. */
  readonly breaks: RuleIdAt<"mandatory" | "advisory">;
  /** Rules that inevitably fail with it. */
  readonly alsoFails?: readonly RuleId[];
  /** Set when only the full profile can detect it. */
  readonly profile?: "full";
  /** Set when the same request is not always answered alike, so that no trial may take an answer for all of them. */
  readonly intermittent?: true;
}

/** Builds the mutants that break one rule, keyed by name. */
export function breaking(
  rule: Mutant["breaks"],
  mutants: Readonly<Record<string, Omit<Mutant, "kind" | "name" | "breaks">>>,
): readonly Mutant[] {
  return Object.entries(mutants).map(([name, mutant]) => ({ kind: "mutant", name, breaks: rule, ...mutant }));
}

/** All rules on an operation. Used for servers with memory, where the order of requests decides which rules fail. */
export function rulesOn(endpoint: Endpoint): readonly RuleId[] {
  return catalogue.filter(({ endpoints }) => endpoints.includes(endpoint)).map(({ id }) => id);
}

/** A mutant or a variant. */
export type Modification = Mutant | Variant;

/** Interceptors on selected rows, by kind of row. */
export interface RowInterceptors {
  readonly positions?: (
    endpoint: "GetAllPositions" | "GetOpenPositionsStreaming" | "GetPortfolio",
    rows: readonly PositionRecord[],
    context: CallContext,
  ) => readonly PositionRecord[];
  readonly orders?: (
    endpoint: "GetAllOrders" | "GetOrders" | "GetPortfolio",
    rows: readonly OrderRecord[],
    context: CallContext,
  ) => readonly OrderRecord[];
  /** All underlying orders of the market, best first across both sides, before offset and limit. */
  readonly depth?: (rows: readonly DepthOrder[], context: CallContext) => readonly DepthOrder[];
  readonly candles?: (rows: readonly Candle[], context: CallContext) => readonly Candle[];
}

/** What interceptors can know about a call. */
export interface CallContext {
  readonly endpoint: Endpoint;
  /** The request's JSON as decoded; empty when it was not a JSON object. */
  readonly request: MutableJsonObject;
  /** The request's raw JSON text, which preserves number notation; empty when it was not read as JSON. */
  readonly requestText: string;
  /** Effective parameters, once the service has computed them: limit, offset, address, intervalMs, step, marketId, ... */
  readonly effective: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
  /** The data used to answer the call. */
  readonly dataset: Dataset;
  /** Milliseconds since 1970 by the server's clock. */
  readonly now: () => number;
  /** Index of the stream message being sent, from 0. */
  readonly messageIndex: number;
}

/** The head of an HTTP request. */
export interface IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly httpVersion: string;
}

/** A complete HTTP reply. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** How it is delivered; `whole` by default. */
  readonly delivery?: Delivery;
}

/**
 * - `whole`: in one piece;
 * - `chunks`: in pieces of this many bytes, with a turn of the event loop between them;
 * - `truncate`: announces the full length but closes the connection after this many bytes;
 * - `reset`: resets the connection without an answer.
 */
export type Delivery = "whole" | { readonly chunks: number } | { readonly truncate: number } | "reset";

/** An error to be sent: Connect's error object and, for unary calls, the HTTP status. */
export interface ErrorReply {
  readonly status: number;
  readonly json: MutableJsonObject;
}

/** One enveloped message of a stream: its flags byte and its payload. */
export interface OutgoingFrame {
  readonly flags: number;
  readonly data: Uint8Array;
}

/** The requested and effective interval of a stream. */
export interface StreamTerms {
  readonly requestedMs: number;
  readonly effectiveMs: number;
}

/** A response sent in place of the service's. */
export class SubstituteResponse {
  constructor(readonly json: MutableJsonObject) {}
}

/** Narrows an interceptor to one or more endpoints. */
export function on<Rest extends unknown[], Result>(
  endpoint: Endpoint | readonly Endpoint[],
  interceptor: (...rest: Rest) => Result,
): (endpoint: Endpoint, ...rest: Rest) => Result | undefined {
  const wanted: readonly Endpoint[] = typeof endpoint === "string" ? [endpoint] : endpoint;
  return (actual, ...rest) => (wanted.includes(actual) ? interceptor(...rest) : undefined);
}
