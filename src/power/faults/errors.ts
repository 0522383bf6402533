/** Faults in how operations refuse, and in what all answers share: headers, status, error format (§1, §4, §7). */
import type { JsonObject } from "../../connect/json.js";
import { isJsonObject, parseJson } from "../../connect/json.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import {
  type Endpoint,
  endpointNames,
  selectorEndpoints,
  type UnaryEndpoint,
  unaryEndpointNames,
} from "../../specification/endpoints.js";
import { withBody, withError, withHeader, withText } from "../alter.js";
import type { AnswerView } from "../answer-view.js";
import type { FaultKind, FaultTemplate, ScopeName } from "../fault.js";
import { type AnswerFault, inAnswer } from "./words.js";

const htmlRefusal = "<html><body>Bad Request</body></html>";

const isServed = ({ answer }: AnswerView) => answer.kind === "success" || answer.kind === "stream";
const each: readonly ScopeName[] = ["each operation"];
const narrow: readonly ScopeName[] = [
  "one market",
  "one wallet",
  "later pages",
  "two fields",
  "two other fields",
  "another way to write",
];

function header({ exchange }: AnswerView, name: string): string | undefined {
  return exchange.request.headers.find(([own]) => own.toLowerCase() === name)?.[1];
}

/** Operations for which the specification requires some well-typed requests to be refused. */
const refusing = [...selectorEndpoints, "GetMarketIdByName"] as const satisfies readonly UnaryEndpoint[];

/** Rewrites errors of unary operations. */
function errors(
  name: string,
  rule: RuleId,
  words: string,
  change: (body: JsonObject) => JsonObject,
  scopes: readonly ScopeName[] = each,
): FaultTemplate {
  return inAnswer(
    { name: `error-${name}`, rule, kind: "wrong form", words, operations: refusing, scopes },
    ({ exchange, answer }) => (answer.kind === "error" ? withBody(exchange, change(answer.body)) : undefined),
  );
}

const formFaults: readonly FaultTemplate[] = [
  errors("without-message", "errors.shape", "errors have no message", ({ message: _, ...body }) => body),
  errors("without-code", "errors.shape", "errors have no code", ({ code: _, ...body }) => body),
  errors("code-as-number", "errors.shape", "errors have a number as their code", (body) => ({ ...body, code: 3 })),
  errors("in-an-envelope", "errors.shape", "errors are members of an object", (body) => ({ error: body })),
  errors("code-in-capitals", "errors.code-lowercase", "codes are written in capitals", (body) => ({
    ...body,
    code: String(body.code).toUpperCase(),
  })),
  errors("code-with-hyphens", "errors.code-lowercase", "codes are written with hyphens", (body) => ({
    ...body,
    code: String(body.code).replaceAll("_", "-"),
  })),
  errors("code-unknown", "errors.code-known", "errors have the code bad_request", (body) => ({
    ...body,
    code: "bad_request",
  })),
];

const wholeFaults: readonly FaultTemplate[] = [
  ...unaryEndpointNames.flatMap((endpoint) => [
    inAnswer(
      {
        name: `${endpoint}-as-text`,
        rule: "wire.content-type",
        kind: "wrong form",
        words: `${endpoint} has the content type text/plain`,
        operations: [endpoint],
        scopes: narrowFor(endpoint),
      },
      (view) => (isServed(view) ? withHeader(view.exchange, "content-type", "text/plain") : undefined),
    ),
    inAnswer(
      {
        name: `${endpoint}-with-a-newline-object`,
        rule: "wire.json-object",
        kind: "wrong form",
        words: `${endpoint} answers with two JSON objects`,
        operations: [endpoint],
      },
      (view) =>
        isServed(view) && view.exchange.response
          ? withText(view.exchange, `${view.exchange.response.body}\n{}`)
          : undefined,
    ),
    inAnswer(
      {
        name: `${endpoint}-as-array`,
        rule: "wire.json-object",
        kind: "wrong form",
        words: `${endpoint} answers with an array`,
        operations: [endpoint],
      },
      (view) =>
        isServed(view) && view.exchange.response
          ? withText(view.exchange, `[${view.exchange.response.body}]`)
          : undefined,
    ),
  ]),
  inAnswer(
    {
      name: "errors-as-html",
      rule: "errors.documented-outcome",
      kind: "wrong form",
      words: "errors are HTML",
      operations: refusing,
      scopes: each,
    },
    ({ exchange, answer }) => (answer.kind === "error" ? withText(exchange, htmlRefusal) : undefined),
  ),
  inAnswer(
    {
      name: "errors-as-text",
      rule: "wire.content-type",
      kind: "wrong form",
      words: "errors have the content type text/plain",
      operations: refusing,
      scopes: each,
    },
    ({ exchange, answer }) =>
      answer.kind === "error" ? withHeader(exchange, "content-type", "text/plain") : undefined,
  ),
  ...endpointNames.flatMap((endpoint) => [
    inAnswer(
      {
        name: `${endpoint}-internal`,
        rule: "errors.documented-outcome",
        kind: "refused",
        words: `${endpoint} fails with internal`,
        operations: [endpoint],
        scopes: narrowFor(endpoint),
      },
      (view) => (isServed(view) && view.asked ? withError(view.exchange, "internal") : undefined),
    ),
    refusal(
      endpoint,
      "needs-version",
      "protocol.connect-version-optional",
      "refuses requests without a protocol version",
      (view) => header(view, "connect-protocol-version") === undefined,
    ),
    refusal(
      endpoint,
      "needs-one-line",
      "protocol.request-notation",
      "refuses requests of several lines",
      ({ exchange }) => exchange.request.body.includes("\n"),
    ),
    refusal(
      endpoint,
      "takes-timeout-amiss",
      "protocol.timeout-generous",
      "fails with a generous timeout",
      (view) => Number(header(view, "connect-timeout-ms")) >= 10_000,
    ),
    inAnswer(
      {
        name: `${endpoint}-not-at-its-path`,
        rule: "protocol.post-path",
        kind: "refused",
        words: `${endpoint} is not at its path`,
        operations: [endpoint],
      },
      ({ exchange }) =>
        exchange.response
          ? withText({ ...withError(exchange, "not_found"), frames: [] }, "404 page not found\n", 404)
          : undefined,
    ),
  ]),
];

/** Refuses valid requests of an operation because of how they are written. */
function refusal(
  endpoint: Endpoint,
  name: string,
  rule: RuleId,
  words: string,
  isMeant: (view: AnswerView) => boolean,
): FaultTemplate {
  return inAnswer(
    { name: `${endpoint}-${name}`, rule, kind: "refused", words: `${endpoint} ${words}`, operations: [endpoint] },
    (view) => (isServed(view) && isMeant(view) ? withError(view.exchange, "invalid_argument") : undefined),
  );
}

/** The scopes that make sense for an operation. */
function narrowFor(endpoint: Endpoint): readonly ScopeName[] {
  const paged = endpoint === "GetAllPositions" || endpoint === "GetAllOrders";
  const ofWallet =
    endpoint === "GetAllOrders" ||
    endpoint === "GetOrders" ||
    endpoint === "GetPortfolio" ||
    endpoint === "GetOpenPositionsStreaming";
  const ofMarket =
    endpoint === "GetOrders" ||
    endpoint === "GetOrderBook" ||
    endpoint === "GetHistoricalPrices" ||
    endpoint === "GetMarketConfigs" ||
    endpoint === "GetMarketIdByName";
  return narrow.filter(
    (name) =>
      (name !== "later pages" || paged || endpoint === "GetOrderBook") &&
      (name !== "one wallet" || ofWallet) &&
      (name !== "one market" || ofMarket) &&
      (name !== "another way to write" || endpoint !== "GetAllPositions"),
  );
}

/** Whether the request body is not a JSON object (E6). */
function isMalformed({ exchange }: AnswerView): boolean {
  const { body } = exchange.request;
  const parsed = parseJson(body);
  return body !== "" && !("value" in parsed && isJsonObject(parsed.value));
}

/** Whether a field has a JSON type that no reading of the specification accepts. */
function isWronglyTyped(view: AnswerView): boolean {
  return (
    !isMalformed(view) &&
    Object.entries(view.request).some(
      ([field, value]) =>
        field !== "market" &&
        (typeof value === "object" ||
          (typeof value === "boolean" && !flags.has(field)) ||
          (typeof value === "string" && counts.has(field) && !/^[\d.+-]/.test(value))),
    )
  );
}

const flags: ReadonlySet<string> = new Set(["onlyOpen", "sizeInUsd"]);
const counts: ReadonlySet<string> = new Set([
  "limit",
  "offset",
  "levels",
  "tickSize",
  "updateIntervalMs",
  "totalOrderCount",
]);

const malformedFaults: readonly FaultTemplate[] = (
  [
    ["body", "errors.malformed-body", "a body that is no JSON object", isMalformed],
    ["type", "errors.wrong-type", "a field of a wrong type", isWronglyTyped],
  ] as const
).flatMap(([what, rule, words, where]) => {
  const malformed = (name: string, ofRule: RuleId, kind: FaultKind, outcome: string, change: AnswerFault) =>
    inAnswer(
      {
        name: `malformed-${what}-${name}`,
        rule: ofRule,
        kind,
        words: `${words} is ${outcome}`,
        operations: unaryEndpointNames,
        scopes: each,
      },
      (view, platform) => (view.answer.kind === "error" && where(view) ? change(view, platform) : undefined),
    );
  return [
    malformed("accepted", rule, "not refused", "accepted", ({ exchange, endpoint }, { successOf }) => {
      const body = successOf(endpoint as UnaryEndpoint);
      return body && withBody(exchange, body, 200);
    }),
    malformed(
      "other-code",
      "errors.malformed-request-code",
      "wrong value",
      "answered with failed_precondition",
      ({ exchange }) => withError(exchange, "failed_precondition"),
    ),
    malformed("as-html", "errors.malformed-request-answer", "wrong form", "answered with HTML", ({ exchange }) =>
      withText(exchange, htmlRefusal),
    ),
  ];
});

/** Faults of refusals and of whole answers. */
export const errorFaults: readonly FaultTemplate[] = [...formFaults, ...wholeFaults, ...malformedFaults];
