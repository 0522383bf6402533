/** Faults in how operations refuse, and in what all answers share: headers, status, error format (§1, §4, §7). */
import { type JsonObject, parseJsonObject } from "../../connect/json.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import {
  type Endpoint,
  endpointNames,
  pagedEndpoints,
  selectorEndpoints,
  type UnaryEndpoint,
  unaryEndpointNames,
  walletEndpoints,
} from "../../specification/endpoints.js";
import { withBody, withContentType, withError, withText } from "../alter.js";
import { type AnswerView, requestHeader } from "../answer-view.js";
import type { FaultKind, FaultTemplate, ScopeName } from "../fault.js";
import { withField } from "../fields.js";
import { type AnswerFault, acceptedIf, type FaultMetadata, faultsOf, inAnswer, otherCodeIf } from "./define.js";

const htmlRefusal = "<html><body>Bad Request</body></html>";

const each: readonly ScopeName[] = ["each operation"];

/** Operations for which the specification requires some well-typed requests to be refused. */
const refusing = [...selectorEndpoints, "GetMarketIdByName"] as const satisfies readonly UnaryEndpoint[];

/** The operations in which a scope makes sense. */
const scopes: readonly (readonly [ScopeName, readonly Endpoint[]])[] = [
  ["one market", refusing],
  ["one wallet", walletEndpoints],
  ["later pages", [...pagedEndpoints, "GetOrderBook"]],
  ["two fields", endpointNames],
  ["two other fields", endpointNames],
  ["another way to write", endpointNames.filter((name) => name !== "GetAllPositions")],
];

/** Rewrites errors of unary operations. */
function errors(name: string, rule: RuleId, words: string, change: (body: JsonObject) => JsonObject): FaultTemplate {
  return inAnswer(
    { name: `error-${name}`, rule, kind: "wrong form", words, operations: refusing, scopes: each },
    ({ exchange, answer }) => {
      if (answer.kind !== "error") return undefined;
      const body = change(answer.body);
      return body === answer.body ? undefined : withBody(exchange, body);
    },
  );
}

const formFaults: readonly FaultTemplate[] = [
  errors("without-message", "errors.shape", "errors have no message", ({ message: _, ...body }) => body),
  errors("without-code", "errors.shape", "errors have no code", ({ code: _, ...body }) => body),
  errors("code-as-number", "errors.shape", "errors have a number as their code", (body) => withField(body, "code", 3)),
  errors("in-an-envelope", "errors.shape", "errors are members of an object", (body) => ({ error: body })),
  errors("code-in-capitals", "errors.code-lowercase", "codes are written in capitals", (body) =>
    withField(body, "code", String(body.code).toUpperCase()),
  ),
  errors("code-with-hyphens", "errors.code-lowercase", "codes are written with hyphens", (body) =>
    withField(body, "code", String(body.code).replaceAll("_", "-")),
  ),
  errors("code-unknown", "errors.code-known", "errors have the code bad_request", (body) =>
    withField(body, "code", "bad_request"),
  ),
];

const wholeFaults: readonly FaultTemplate[] = [
  ...unaryEndpointNames.flatMap((endpoint) => {
    const inServed = faultsOf(endpoint, inServedAnswer);
    return [
      inServed(
        "as-text",
        "wire.content-type",
        "wrong form",
        "has the content type text/plain",
        ({ exchange }) => withContentType(exchange, "text/plain"),
        scopesOf(endpoint),
      ),
      inServed(
        "with-a-newline-object",
        "wire.json-object",
        "wrong form",
        "answers with two JSON objects",
        ({ exchange }) => exchange.response && withText(exchange, `${exchange.response.body}\n{}`),
      ),
      inServed(
        "as-array",
        "wire.json-object",
        "wrong form",
        "answers with an array",
        ({ exchange }) => exchange.response && withText(exchange, `[${exchange.response.body}]`),
      ),
    ];
  }),
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
    ({ exchange, answer }) => (answer.kind === "error" ? withContentType(exchange, "text/plain") : undefined),
  ),
  ...endpointNames.flatMap((endpoint) => {
    const inServed = faultsOf(endpoint, inServedAnswer);
    const inAny = faultsOf(endpoint, inAnswer);
    return [
      inServed(
        "internal",
        "errors.documented-outcome",
        "refused",
        "fails with internal",
        ({ exchange, asked }) => (asked ? withError(exchange, "internal") : undefined),
        scopesOf(endpoint),
      ),
      inServed(
        "needs-version",
        "protocol.connect-version-optional",
        "refused",
        "refuses requests without a protocol version",
        refusedWhere((view) => requestHeader(view, "connect-protocol-version") === undefined),
      ),
      inServed(
        "needs-one-line",
        "protocol.request-notation",
        "refused",
        "refuses requests of several lines",
        refusedWhere(({ exchange }) => exchange.request.body.includes("\n")),
      ),
      inServed(
        "takes-timeout-amiss",
        "protocol.timeout-generous",
        "refused",
        "fails with a generous timeout",
        refusedWhere((view) => Number(requestHeader(view, "connect-timeout-ms")) >= 10_000),
      ),
      inAny(
        "not-at-its-path",
        "protocol.post-path",
        "refused",
        "is not at its path",
        ({ exchange }) =>
          exchange.response &&
          withText({ ...withError(exchange, "not_found"), frames: [] }, "404 page not found\n", 404),
      ),
    ];
  }),
];

/** A fault in successes and streams. */
function inServedAnswer(named: FaultMetadata, change: AnswerFault): FaultTemplate {
  return inAnswer(named, (view, platform) => {
    const { kind } = view.answer;
    return kind === "success" || kind === "stream" ? change(view, platform) : undefined;
  });
}

function refusedWhere(where: (view: AnswerView) => boolean): AnswerFault {
  return (view) => (where(view) ? withError(view.exchange, "invalid_argument") : undefined);
}

/** The scopes that make sense for an operation. */
function scopesOf(endpoint: Endpoint): readonly ScopeName[] {
  return scopes.flatMap(([name, endpoints]) => (endpoints.includes(endpoint) ? [name] : []));
}

/** Whether the request body is not a JSON object (E6). */
function isMalformed({ exchange }: AnswerView): boolean {
  const { body } = exchange.request;
  return body !== "" && parseJsonObject(body) === undefined;
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
    malformed(
      "accepted",
      rule,
      "not refused",
      "accepted",
      acceptedIf(() => true),
    ),
    malformed(
      "other-code",
      "errors.malformed-request-code",
      "wrong value",
      "answered with failed_precondition",
      otherCodeIf("failed_precondition", () => true),
    ),
    malformed("as-html", "errors.malformed-request-answer", "wrong form", "answered with HTML", ({ exchange }) =>
      withText(exchange, htmlRefusal),
    ),
  ];
});

/** Faults of refusals and of whole answers. */
export const errorFaults: readonly FaultTemplate[] = [...formFaults, ...wholeFaults, ...malformedFaults];
