import type { Answer } from "../src/engine/answer.js";
import type { CheckContext } from "../src/engine/context.js";
import { suite } from "../src/engine/define.js";
import { answeredAsDocumented } from "../src/engine/documented-outcome.js";
import {
  anyErrorObjectIs,
  codeIsInvalidArgument,
  endsAsDocumented,
  errorObjectIs,
  errorObjectRules,
  givesNoSuccess,
  idIsValid,
  refusesWithConnectError,
} from "../src/judge/connect-error.js";
import { codesInWords, codesSeen } from "../src/judge/error-survey.js";
import { holdsNoRows } from "../src/judge/order-lists.js";
import { ruleById } from "../src/specification/catalogue/index.js";
import {
  endpointNames,
  selectorEndpoints,
  unaryEndpointNames,
  walletEndpoints,
} from "../src/specification/endpoints.js";
import { byId, simpleRequest, unknownRequest, walletRequest } from "../src/subjects/requests.js";
import { foundAfterRefusals } from "./support/after-refusals.js";
import {
  answersToMalformedAddress,
  answersToMalformedBodies,
  answersToMalformedRequests,
  answersToWrongTypes,
  documentedRefusals,
  recordEmptyBody,
  recordLenientTypes,
  sendToAny,
} from "./support/any-operation.js";
import { answersByKnownIds } from "./support/known-ids.js";
import { portfoliosToFind } from "./support/listings.js";
import { marketsWithBooks } from "./support/market-metadata.js";

export default suite("§7 Errors", ({ check, observe }) => {
  // Errors use the Connect error JSON object with fields code (string, lowercase snake case) and message (string).
  for (const on of unaryEndpointNames) {
    for (const rule of errorObjectRules) {
      check(rule, { on }, async (context) => {
        context.verify(...(await documentedRefusals(context))).meets(errorObjectIs(rule));
        // Unknown subjects, malformed addresses and wrong types may get any Connect error code.
        const unknown = await context.shared(on, unknownRequest(on, context.subjects));
        context.verify(unknown).meets(errorObjectIs(rule));
        context.verify(...(await answersToMalformedAddress(context))).meets(anyErrorObjectIs(rule));
        context.verify(...(await answersToWrongTypes(context))).meets(anyErrorObjectIs(rule));
      });
    }
  }

  // internal: Server-side failure. A request that is documented to succeed, or to fail with another code, must not end in
  // one.
  // The stream is checked in its own suite.
  for (const on of unaryEndpointNames) {
    check("errors.documented-outcome", { on, name: "in every combination" }, answeredAsDocumented);
  }

  for (const on of [...selectorEndpoints, "GetMarketIdByName"] as const) {
    check("errors.documented-outcome", { on, name: "refusals" }, async (context) => {
      context.verify(...(await documentedRefusals(context))).meets(endsAsDocumented);
    });
  }

  // not_found: what does not exist. A market with a configuration and open orders does.
  check("errors.documented-outcome", { on: "GetOrderBook", name: "books of live markets" }, async (context) => {
    for (const market of await marketsWithBooks(context)) {
      context.verify(await context.ask("GetOrderBook", { ...byId(market), limit: 1 })).succeeds();
    }
  });

  // So does a wallet that orders or positions name.
  check("errors.documented-outcome", { on: "GetPortfolio", name: "of known wallets" }, async (context) => {
    context.verify(...(await portfoliosToFind(context))).succeeds();
  });

  // invalid_argument: failed validation. The id of a known market passes it. Other operations are compared market by market.
  check("errors.documented-outcome", { on: "GetHistoricalPrices", name: "ids of known markets" }, async (context) => {
    context.verify(...(await answersByKnownIds(context))).meets(idIsValid);
  });

  // What does exist is found, even right after a refusal.
  for (const on of unaryEndpointNames) {
    check("errors.documented-outcome", { on, name: "after a refusal" }, foundAfterRefusals);
  }

  // invalid_argument: Failed validation. §1: with a JSON body.
  for (const on of endpointNames) {
    check("errors.malformed-body", { on }, async (context) => {
      context.verify(...(await answersToMalformedBodies(context))).meets(givesNoSuccess);
    });

    observe("errors.empty-body", { on }, recordEmptyBody);

    check("errors.malformed-request-answer", { on }, async (context) => {
      context.verify(...(await answersToMalformedRequests(context))).meets(refusesWithConnectError);
    });

    observe("errors.lenient-types", { on }, recordLenientTypes);

    // Error codes of each remaining endpoint beyond those above: not shown.
    observe("errors.other-codes", { on }, async (context) => {
      const unknown = await sendToAny(context, on, unknownRequest(on, context.subjects));
      context.record("what nobody knows", unknown);
      context.record("bodies that are no JSON object", codesInWords(await answersToMalformedBodies(context)));
      context.record("fields of a wrong type", codesInWords(await answersToWrongTypes(context)));
    });
  }

  for (const on of ruleById("errors.wrong-type").endpoints) {
    check("errors.wrong-type", { on }, async (context) => {
      context.verify(...(await answersToWrongTypes(context, "elsewhere"))).meets(givesNoSuccess);
    });
  }

  for (const on of unaryEndpointNames) {
    check("errors.malformed-request-code", { on }, async (context) => {
      context.verify(...(await answersToMalformedRequests(context))).meets(codeIsInvalidArgument);
    });

    // HTTP status mapping: not shown.
    observe("errors.http-status", { on }, async (context) => {
      const unknown = await context.shared(on, unknownRequest(on, context.subjects));
      const wrongTypes = await answersToWrongTypes(context);
      const answers = [unknown, ...(await documentedRefusals(context)), ...wrongTypes];
      for (const { code, status, mapped } of codesSeen(answers)) {
        context.record(code, `HTTP ${status}${mapped === undefined ? "" : `; Connect maps it to ${mapped}`}`);
      }
    });
  }

  // Fields that are accepted and ignored: totalOrderCount (§4.6), limit (§4.7).
  for (const [on, field] of [
    ["GetOrderBook", "totalOrderCount"],
    ["GetHistoricalPrices", "limit"],
  ] as const) {
    observe("errors.ignored-field-values", { on }, async (context) => {
      for (const value of ["many", {}]) {
        const request = { ...simpleRequest(on, context.subjects), [field]: value };
        context.record(`${field}: ${JSON.stringify(value)}`, await context.ask(on, request));
      }
    });
  }

  for (const on of walletEndpoints) {
    observe("errors.malformed-address", { on }, async (context) => {
      for (const address of ["0x123", "wallet", `${context.subjects.unknown.wallet}00`]) {
        const answer = await sendToAny(context, on, walletRequest(on, address));
        context.record(address, answer);
        holdToReading(context, answer);
      }
    });
  }

  for (const on of ["GetOpenPositionsStreaming", "GetOrders", "GetPortfolio"] as const) {
    observe("errors.missing-address", { on }, async (context) => {
      const answer = await sendToAny(context, on, {});
      context.record("no address", answer);
      holdToReading(context, answer);
    });
  }
});

/** If the user chose a reading for malformed or missing addresses (R12), holds the answer to it. */
function holdToReading({ verify, readings: { R12: reading } }: CheckContext, answer: Answer): void {
  if (reading === "refused") verify(answer).failsWith("invalid_argument");
  if (reading === "empty-success") verify(answer).holdsForAnyRows(holdsNoRows);
}
