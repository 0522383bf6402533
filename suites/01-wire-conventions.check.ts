import { suite } from "../src/engine/define.js";
import { exploredAnswers } from "../src/engine/explored.js";
import {
  answersAtItsPath,
  existsAtItsPath,
  hasConnectContentType,
  holdsOneJsonObject,
} from "../src/judge/whole-answer.js";
import { endpointNames, unaryEndpointNames } from "../src/specification/endpoints.js";
import { absentOperation, probesOf } from "../src/subjects/broken-operations.js";
import { simpleRequest } from "../src/subjects/requests.js";
import { askAnyOnce, askSimply, documentedRefusals, sendToAny } from "./support/any-operation.js";
import { likeUsualNotation } from "./support/equivalences.js";
import { recordDefaults, recordUnlisted } from "./support/fields.js";

export default suite("§1 Wire conventions", ({ check, equivalent, invariant, observe }) => {
  // Every operation is an HTTP POST to {base_url}/<package.ServiceName>/<MethodName> with a JSON body.
  for (const on of endpointNames) {
    check("protocol.post-path", { on }, async (context) => {
      const { subjects, verify } = context;
      if (absentOperation(subjects, on)) {
        for (const { request, known } of probesOf(on, subjects))
          verify(await sendToAny(context, on, request)).meets(existsAtItsPath(known));
      } else {
        verify(await askAnyOnce(context, simpleRequest(on, subjects))).meets(answersAtItsPath);
      }
    });

    observe("protocol.other-methods", { on }, async (context) => {
      for (const method of ["GET", "PUT"]) context.record(method, await askSimply(context, { method }));
    });
  }

  // Wallet addresses are EVM addresses. Addresses returned in owner fields are lowercase.
  invariant("wire.owner-evm-address");
  invariant("wire.owner-lowercase");

  // Encoding: JSON request and response bodies, Content-Type: application/json.
  for (const on of unaryEndpointNames) {
    equivalent("protocol.request-notation", { on, ...likeUsualNotation });
  }

  for (const on of unaryEndpointNames) {
    check("wire.content-type", { on }, async (context) => {
      const answers = await exploredAnswers(context, on);
      context.verify(...answers, ...(await documentedRefusals(context))).meets(hasConnectContentType);
    });

    check("wire.json-object", { on }, async (context) => {
      context.verify(...(await exploredAnswers(context, on))).meets(holdsOneJsonObject);
    });
  }

  invariant("wire.result-present");
  invariant("wire.nested-objects-present");
  invariant("wire.container-type");
  invariant("wire.string-type");
  invariant("wire.boolean-type");
  invariant("wire.integer-type");
  invariant("wire.side-values");
  invariant("wire.enum-values-written");

  // 64-bit integers: int64/uint64 identifiers are encoded in JSON as decimal strings.
  invariant("wire.int64-as-string");
  invariant("wire.int64-decimal");

  // Floating values: Prices, sizes, margins, PnL are JSON numbers.
  invariant("wire.number-type");

  // Timestamps: RFC 3339 date-time strings.
  invariant("wire.timestamp-rfc3339");
  invariant("wire.timestamp-letters");
  invariant("wire.timestamp-present");

  // Unset values: Fields holding zero, empty string or false may be present as those defaults.
  invariant("wire.no-null");

  for (const on of unaryEndpointNames) {
    observe("wire.defaults-emitted", { on }, recordDefaults);
    observe("wire.unlisted-fields", { on }, recordUnlisted);
  }
});
