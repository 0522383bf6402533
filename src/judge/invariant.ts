import type { JsonObject } from "../connect/json.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { Endpoint } from "../specification/endpoints.js";
import type { Readings } from "../specification/readings.js";
import type { Judgement } from "./judgement.js";
import type { ShownBody } from "./located-rows.js";
import type { KnownSubjects, ParsedRequest } from "./parsed-request.js";

/** What an invariant needs besides the answer. */
export interface InvariantContext {
  readonly asked: ParsedRequest;
  readonly known: KnownSubjects;
  readonly readings: Readings;
  /** When the request was sent, in milliseconds since 1970. */
  readonly sentAt: number;
}

/** A rule on single exchanges of one operation. A rule may have several invariants. */
export interface Invariant {
  readonly rule: RuleId;
  readonly endpoint: Endpoint;
  /** Which requests it applies to; all requests of the operation when absent. */
  readonly where?: (asked: ParsedRequest, known: KnownSubjects) => boolean;
  readonly judge: (body: ShownBody, context: InvariantContext) => Judgement;
  /** True if the rule says that such a request succeeds: an error violates it. */
  readonly answered?: true;
  /** True if the rule holds for any subset of the rows, so that a sample of a large answer is enough. */
  readonly ofAnyRows?: true;
  /** True for wire rules, which are judged on every answer anyway. */
  readonly ofWire?: true;
  /**
   * What must not change between reads, as comparable text. If set, the request is repeated before a violation counts (P3).
   */
  readonly stable?: (body: JsonObject) => string;
}

/** Whether an invariant applies to a request. */
export function appliesTo({ where }: Invariant, asked: ParsedRequest, known: KnownSubjects): boolean {
  return where === undefined || where(asked, known);
}

export type BodyInvariant = (body: JsonObject, context: InvariantContext) => Judgement;

/** An invariant on the body of a unary answer. */
export function onBody(
  endpoint: Endpoint,
  rule: RuleId,
  judge: BodyInvariant,
  more: Pick<Invariant, "where" | "answered" | "ofAnyRows" | "stable"> = {},
): Invariant {
  return { rule, endpoint, judge: (body, context) => judge(body as JsonObject, context), ...more };
}

export const walletOf = ({ asked: { wallet = "" } }: InvariantContext) => wallet;
