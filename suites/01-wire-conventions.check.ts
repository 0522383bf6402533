import { show } from "../src/judge/judgement.js";
import type { ShownBody } from "../src/judge/shown.js";
import {
  answersAtItsPath,
  hasConnectContentType,
  isDocumentedAnswer,
  isOneJsonObject,
  messagesAreJsonObjects,
} from "../src/judge/whole-answer.js";
import { surveyFields } from "../src/judge/wire-fields.js";
import { judgeWireRule } from "../src/judge/wire-rule.js";
import { type RuleId, ruleById } from "../src/spec/catalogue/index.js";
import { endpointNames, unaryEndpointNames } from "../src/spec/endpoints.js";
import { isAbsent, probesOf } from "../src/subjects/operations.js";
import { simpleRequest } from "../src/subjects/requests.js";
import {
  answersWithBody,
  askAny,
  askAnyOnce,
  documentedRefusals,
  tellingAnswers,
  tellingBodies,
  tellingCapture,
} from "../src/verdict/any-operation.js";
import { suite } from "../src/verdict/define.js";

export default suite("§1 Wire conventions", ({ check, observe }) => {
  /** A rule on how fields are written, on each operation that it applies to. */
  const fields = (rule: RuleId) => {
    for (const endpoint of ruleById(rule).endpoints) {
      check(rule, { on: endpoint, requests: 0 }, async (context) => {
        for (const answer of await answersWithBody(context, endpoint)) {
          context.verify(answer).satisfies((body: ShownBody) => judgeWireRule(rule, endpoint, body));
        }
      });
    }
  };

  // Every operation is an HTTP POST to {base_url}/<package.ServiceName>/<MethodName> with a JSON body.
  for (const endpoint of endpointNames) {
    check("protocol.post-path", { on: endpoint, requests: 2 }, async (context) => {
      const { subjects, verify } = context;
      if (isAbsent(subjects, endpoint)) {
        for (const { request, known } of probesOf(endpoint, subjects))
          verify(await askAny(context, endpoint, request)).meets(isDocumentedAnswer(known));
      } else {
        verify(await askAnyOnce(context, endpoint, simpleRequest(endpoint, subjects))).meets(answersAtItsPath);
      }
    });

    observe("protocol.other-methods", { on: endpoint, requests: 4 }, async (context) => {
      const request = simpleRequest(endpoint, context.subjects);
      for (const method of ["GET", "PUT"]) {
        context.record(method, await askAny(context, endpoint, request, { method }));
      }
    });
  }

  // Wallet addresses are EVM addresses. Addresses returned in owner fields are lowercase.
  fields("wire.owner-evm-address");
  fields("wire.owner-lowercase");

  // Encoding: JSON request and response bodies, Content-Type: application/json.
  for (const endpoint of unaryEndpointNames) {
    check("wire.content-type", { on: endpoint, requests: 2 }, async (context) => {
      const answer = await context.shared(endpoint, simpleRequest(endpoint, context.subjects));
      context.verify(answer, ...(await documentedRefusals(context))).meets(hasConnectContentType);
    });

    check("wire.json-object", { on: endpoint, requests: 0 }, async (context) => {
      context.verify(...(await tellingAnswers(context, endpoint))).meets(isOneJsonObject);
    });
  }

  check("wire.streaming-content-type", { requests: 0 }, async (context) => {
    context.verify(await tellingCapture(context)).meets(hasConnectContentType);
  });

  check("wire.json-object", { on: "GetOpenPositionsStreaming", requests: 0 }, async (context) => {
    context.verify(await tellingCapture(context)).meets(messagesAreJsonObjects);
  });

  fields("wire.result-present");
  fields("wire.nested-objects-present");
  fields("wire.container-type");
  fields("wire.string-type");
  fields("wire.boolean-type");
  fields("wire.integer-type");
  fields("wire.side-values");
  fields("wire.enum-values-written");

  // 64-bit integers: int64/uint64 identifiers are encoded in JSON as decimal strings.
  fields("wire.int64-as-string");
  fields("wire.int64-decimal");

  // Floating values: Prices, sizes, margins, PnL are JSON numbers.
  fields("wire.number-type");

  // Timestamps: RFC 3339 date-time strings.
  fields("wire.timestamp-rfc3339");
  fields("wire.timestamp-letters");
  fields("wire.timestamp-present");

  // Unset values: Fields holding zero, empty string or false may be present as those defaults.
  fields("wire.no-null");

  for (const endpoint of endpointNames) {
    observe("wire.defaults-emitted", { on: endpoint, requests: 0 }, async (context) => {
      const { defaultsWritten, absent } = surveyFields(endpoint, ...(await tellingBodies(context, endpoint)));
      context.record("documented fields", `${defaultsWritten} written out as defaults, ${absent} left out`);
    });

    observe("wire.unlisted-fields", { on: endpoint, requests: 0 }, async (context) => {
      const { unlisted } = surveyFields(endpoint, ...(await tellingBodies(context, endpoint)));
      for (const [place, value] of unlisted) context.record(place, show(value));
      if (unlisted.size === 0) context.record("fields that the text does not list", "none");
    });
  }
});
