/** Helpers for defining faults. */
import type { Exchange } from "../../connect/exchange.js";
import type { JsonObject } from "../../connect/json.js";
import type { ParsedRequest } from "../../judge/parsed-request.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import type { Endpoint } from "../../specification/endpoints.js";
import { withBodies, withBody, withEach, withError } from "../alter.js";
import type { AnswerView } from "../answer-view.js";
import type { FaultKind, FaultTemplate, ScopeName } from "../fault.js";
import { operationsShowing, type Resource, type RowChange } from "../places.js";
import type { ObservedPlatform } from "../platform.js";

/** Properties of a fault other than what it changes. */
export type FaultMetadata = Omit<FaultTemplate, "inRows" | "plant">;

/** The arguments of a function that makes faults of one kind: all that tells one such fault from the others. */
type FaultArgs<Change> = readonly [
  name: string,
  rule: RuleId,
  kind: FaultKind,
  words: string,
  change: Change,
  scopes?: readonly ScopeName[],
];

/** What a faulty server makes of a row. Returning the same row means no change. */
type RowFault = (row: JsonObject, platform: ObservedPlatform, view: AnswerView) => ReturnType<RowChange>;

/** A fault in each occurrence of a resource. */
export function inEach(
  resource: Resource,
  named: Omit<FaultMetadata, "operations"> & Partial<FaultMetadata>,
  change: RowFault,
): FaultTemplate {
  return {
    operations: operationsShowing(resource),
    ...named,
    inRows: true,
    plant: (view, { rows = () => true }, platform) =>
      withEach(view, resource, (row) => (rows(row) ? change(row, platform, view) : row)),
  };
}

/** Returns a function that makes faults in each occurrence of a resource; in these scopes, unless `other` names its own. */
export function faultsIn(resource: Resource, scopes: readonly ScopeName[]) {
  return (
    name: string,
    rule: RuleId,
    kind: FaultKind,
    words: string,
    change: RowFault,
    other: Partial<Pick<FaultMetadata, "scopes" | "operations" | "needs" | "onlyInScopes">> = {},
  ): FaultTemplate => inEach(resource, { name, rule, kind, words, scopes, ...other }, change);
}

/** What a faulty server makes of a successful body, or of a stream message. Returning the same body means no change. */
export type BodyFault = (
  body: JsonObject,
  asked: ParsedRequest,
  platform: ObservedPlatform,
  view: AnswerView,
) => JsonObject;

/** A fault in a successful body, or in each stream message, that answers a documented request. */
export function inBody(named: FaultMetadata, change: BodyFault): FaultTemplate {
  return inAnswer(named, (view, platform) => {
    const { asked } = view;
    return asked && withBodies(view, (body) => change(body, asked, platform, view));
  });
}

/** What a faulty server makes of a whole exchange; undefined means no change. */
export type AnswerFault = (view: AnswerView, platform: ObservedPlatform) => Exchange | undefined;

/** A fault in the whole exchange. */
export function inAnswer(named: FaultMetadata, change: AnswerFault): FaultTemplate {
  return { ...named, plant: (view, _, platform) => change(view, platform) };
}

/**
 * Returns a function that makes faults of one operation.
 *
 * @param plant makes such a fault of its metadata and its change: {@link inBody}, {@link inAnswer}
 * @param usual what the names and the words of the faults start with, unless it is the operation, and their usual scopes
 */
export function faultsOf<Change>(
  operation: Endpoint,
  plant: (named: FaultMetadata, change: Change) => FaultTemplate,
  usual: { readonly name?: string; readonly words?: string; readonly scopes?: readonly ScopeName[] } = {},
) {
  const { name: prefix = operation, words: intro = operation, scopes: usualScopes = [] } = usual;
  return (...[name, rule, kind, words, change, scopes = usualScopes]: FaultArgs<Change>): FaultTemplate => {
    const named = { name: `${prefix}-${name}`, rule, kind, words: `${intro} ${words}` };
    return plant({ ...named, operations: [operation], scopes }, change);
  };
}

/** Answers some of the requests that succeed with an error instead. */
export function refusedIf(
  code: string,
  where: (asked: ParsedRequest, body: JsonObject, platform: ObservedPlatform) => boolean,
): AnswerFault {
  return ({ exchange, asked, answer }, platform) =>
    answer.kind === "success" && asked && where(asked, answer.body, platform) ? withError(exchange, code) : undefined;
}

/** Answers some of the requests that are refused with an error of this code instead. */
export function otherCodeIf(
  code: string,
  where: (view: AnswerView, platform: ObservedPlatform) => boolean,
): AnswerFault {
  return (view, platform) =>
    view.answer.kind === "error" && view.answer.code !== code && where(view, platform)
      ? withError(view.exchange, code)
      : undefined;
}

/** Answers some of the requests that are refused with a success instead; by default with the operation's first one. */
export function acceptedIf(
  where: (view: AnswerView) => boolean,
  success = ({ endpoint }: AnswerView, { successOf }: ObservedPlatform) => successOf(endpoint),
): AnswerFault {
  return (view, platform) => {
    const body = view.answer.kind === "error" && where(view) ? success(view, platform) : undefined;
    return body && withBody(view.exchange, body, 200);
  };
}
