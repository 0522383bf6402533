import type { JsonWriteOptions } from "@bufbuild/protobuf";
import { catalogue, type RuleId, type RuleIdAt } from "../specification/catalogue/index.js";
import type { Endpoint, UnaryEndpoint } from "../specification/endpoints.js";
import type { Aspect } from "./aspects.js";
import type { Candle } from "./candles.js";
import type { Dataset } from "./dataset/dataset.js";
import type { DepthOrder, OrderRecord, PositionRecord } from "./dataset/model.js";
import type { Json, JsonObject } from "./json.js";
import type { Parameters } from "./parameters.js";
import type { Schedule } from "./schedule.js";

/** What kind of platform a reference server is, and how far away: plain data. */
export interface ServerTraits {
  /** About how many orders there are, 0 to 1,000,000. Default 2700. With 0 there are markets and nothing else. */
  readonly orders?: number;
  /** About how many orders one wallet has besides those, 0 to 1,000,000 with them. */
  readonly walletOrders?: number;
  /** Delay of every answer and stream frame, in milliseconds. It does not change a stream's cadence. */
  readonly latencyMs?: number;
  /** Up to so many milliseconds more, drawn anew for each answer and frame. */
  readonly jitterMs?: number;
  /** Whether the data change all the time; a number says every how many milliseconds (150). */
  readonly churn?: boolean | number;
  /** How far behind the other one is of two replicas that answer in turn, in milliseconds; there is but one when absent. */
  readonly replicaLagMs?: number;
}

/**
 * One way in which a server differs from the embedded reference server.
 *
 * A mutant breaks exactly one rule, a variant uses one freedom that the specification leaves. Both are made of layers,
 * each a small pure function; the server does not pay for a layer that is absent. A layer that is a function of an
 * endpoint is called for every endpoint and answers `undefined` where it has nothing to change (`on` picks one endpoint).
 * JSON that a layer is given is its own: it may change it in place.
 */
export interface Layers {
  /** Replaces some of the documented numbers and decisions. */
  readonly parameters?: Partial<Parameters>;
  /** Options of the JSON codec. */
  readonly codec?: Partial<JsonWriteOptions>;
  /** Changes the data before the server starts; shares what it leaves alone. */
  readonly dataset?: (data: Dataset) => Dataset;
  /** Changes selected rows, after sorting and before paging. */
  readonly rows?: RowLayers;
  /** Answers a request before Connect sees it: authentication, methods, header rules. */
  readonly intercept?: (request: IncomingRequest, context: CallContext) => HttpReply | undefined;
  /** Changes the payload of a request before it is read as JSON. */
  readonly body?: (endpoint: Endpoint, payload: Uint8Array) => Uint8Array | undefined;
  /** Changes the request's JSON before it is decoded, or answers it straight away (`answer`). */
  readonly request?: (endpoint: Endpoint, json: JsonObject, context: CallContext) => JsonObject | Answer | undefined;
  /** Changes a response's JSON, or that of one stream message (`context.messageIndex`), before it is written. */
  readonly response?: (endpoint: Endpoint, json: JsonObject, context: CallContext) => Json | undefined;
  /** Changes an error that is about to be sent; a complete reply may take its place on unary calls. */
  readonly error?: (endpoint: Endpoint, error: ErrorReply, context: CallContext) => ErrorReply | HttpReply | undefined;
  /** Changes a complete unary reply, whoever made it but `intercept` and `request`. */
  readonly http?: (endpoint: UnaryEndpoint, reply: HttpReply, context: CallContext) => HttpReply | undefined;
  /** Changes the headers of a stream that opens. */
  readonly streamHeaders?: (headers: Headers, context: CallContext) => void;
  /** Changes when the stream's messages are sent, and how the stream ends. */
  readonly schedule?: (terms: StreamTerms, context: CallContext) => Partial<Schedule> | undefined;
  /** Changes a stream frame; several frames, or none, may take its place. */
  readonly frame?: (
    frame: StreamFrame,
    context: CallContext,
  ) => StreamFrame | Uint8Array | readonly StreamFrame[] | undefined;
}

interface ModificationBase extends Layers {
  /** Permanent, kebab-case, unique among the modifications of its kind. */
  readonly name: string;
  /** One sentence: what this server does differently. */
  readonly summary: string;
  /** Scale, path delay or changing data that belong to this server. */
  readonly server?: ServerTraits;
}

/** A conformant freedom: a run against it must not fail. */
export interface Variant extends ModificationBase {
  readonly kind: "variant";
  /** Advisory rules that warn about it by nature. */
  readonly warns?: readonly RuleIdAt<"advisory">[];
  /**
   * What it changes. The proof tries variants that touch nothing in common on one server; a variant without this list has a
   * server of its own, as one must that warns, that has other data, or that leaves checks without evidence.
   */
  readonly touches?: readonly Aspect[];
}

/** A server that breaks exactly one rule: a run against it must fail that rule. */
export interface Mutant extends ModificationBase {
  readonly kind: "mutant";
  /** The rule that it breaks. */
  readonly breaks: RuleIdAt<"mandatory" | "advisory">;
  /** Rules that fail along with it by nature. */
  readonly alsoFails?: readonly RuleId[];
  /** Set when only the full profile can see it. */
  readonly profile?: "full";
}

/** The mutants that break one rule, by their names. */
export function breaking(
  rule: Mutant["breaks"],
  mutants: Readonly<Record<string, Omit<Mutant, "kind" | "name" | "breaks">>>,
): readonly Mutant[] {
  return Object.entries(mutants).map(([name, mutant]) => ({ kind: "mutant", name, breaks: rule, ...mutant }));
}

/** The rules on an operation: where a server remembers, what is asked one after the other decides which of them fail. */
export function rulesOn(endpoint: Endpoint): readonly RuleId[] {
  return catalogue.filter(({ endpoints }) => endpoints.includes(endpoint)).map(({ id }) => id);
}

/** A mutant or a variant. */
export type Modification = Mutant | Variant;

/** Layers on selected rows, by what the rows are. */
export interface RowLayers {
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
  /** All underlying orders of the market, best first over both sides, before offset and limit. */
  readonly depth?: (rows: readonly DepthOrder[], context: CallContext) => readonly DepthOrder[];
  readonly candles?: (rows: readonly Candle[], context: CallContext) => readonly Candle[];
}

/** What a call is about, for layers. */
export interface CallContext {
  readonly endpoint: Endpoint;
  /** The request's JSON as it was decoded; empty when it was not a JSON object. */
  readonly request: JsonObject;
  /** The request's JSON as it came, where the notation of a number can be told; empty when it was not read as JSON. */
  readonly requestText: string;
  /** Effective parameters, once the service has them: limit, offset, address, intervalMs, step, marketId, ... */
  readonly effective: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
  /** The data that the call is answered from. */
  readonly dataset: Dataset;
  /** Milliseconds since 1970 by the server's clock. */
  readonly now: () => number;
  /** On the stream: the index of the message that is being sent, from 0. */
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
  /** How it is delivered: whole by default. */
  readonly delivery?: Delivery;
}

/**
 * - `whole`: in one piece;
 * - `chunks`: in pieces of `size` bytes, with a turn of the event loop between them;
 * - `truncate`: closes the connection after `size` bytes, with the full length announced;
 * - `reset`: resets the connection without an answer.
 */
export type Delivery = "whole" | { readonly chunks: number } | { readonly truncate: number } | "reset";

/** An error about to be sent: Connect's error object and, for unary calls, the HTTP status. */
export interface ErrorReply {
  readonly status: number;
  readonly json: JsonObject;
}

/** One enveloped message of a stream: its flags byte and its payload. */
export interface StreamFrame {
  readonly flags: number;
  readonly data: Uint8Array;
}

/** What a stream was asked for. */
export interface StreamTerms {
  readonly requestedMs: number;
  readonly effectiveMs: number;
}

/** A response that takes the place of the service's. */
export class Answer {
  constructor(readonly json: JsonObject) {}
}

/** Narrows a layer to one endpoint. */
export function on<Rest extends unknown[], Result>(
  endpoint: Endpoint | readonly Endpoint[],
  layer: (...rest: Rest) => Result,
): (endpoint: Endpoint, ...rest: Rest) => Result | undefined {
  const wanted: readonly Endpoint[] = typeof endpoint === "string" ? [endpoint] : endpoint;
  return (actual, ...rest) => (wanted.includes(actual) ? layer(...rest) : undefined);
}
