import { usualHeaders } from "../src/exploration/rewrites.js";
import { sameAnswer } from "../src/judge/same-answer.js";
import { behavesLike } from "../src/judge/whole-answer.js";
import { endpointNames, unaryEndpointNames } from "../src/spec/endpoints.js";
import { simpleRequest } from "../src/subjects/requests.js";
import { askAny } from "../src/verdict/any-operation.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import { suite } from "../src/verdict/define.js";

export default suite("§4 All endpoints and their headers", ({ check, observe, relation }) => {
  for (const on of unaryEndpointNames) {
    for (const [rule, header] of [
      ["protocol.connect-version-optional", "Connect-Protocol-Version"],
      ["protocol.timeout-generous", "Connect-Timeout-Ms"],
    ] as const) {
      relation(
        rule,
        { on, name: "in every combination" },
        {
          rewrite: usualHeaders(header),
          holds: sameAnswer(on, "as with the usual headers"),
          sample: { quick: 2, full: 10 },
        },
      );
    }
  }

  for (const endpoint of endpointNames) {
    // Content-Type: required, application/json.
    observe("protocol.request-content-type", { on: endpoint, requests: 6 }, async (context) => {
      const request = simpleRequest(endpoint, context.subjects);
      for (const type of [null, "text/plain", "application/json; charset=utf-8"]) {
        const answer = await askAny(context, endpoint, request, { headers: { "Content-Type": type } });
        context.record(type ?? "no content type", answer);
      }
    });

    // Connect-Protocol-Version: Only value 1; default 1 if omitted.
    check("protocol.connect-version-optional", { on: endpoint, requests: bracketBudget(1, 1) }, async (context) => {
      const request = simpleRequest(endpoint, context.subjects);
      const [one, omitted] = await context.bracket(
        () => askAny(context, endpoint, request, { headers: { "Connect-Protocol-Version": "1" } }),
        () => askAny(context, endpoint, request, { headers: { "Connect-Protocol-Version": null } }),
      );
      context.verify(omitted).meets((answer) => behavesLike(one, answer));
    });

    observe("protocol.connect-version-other", { on: endpoint, requests: 2 }, async (context) => {
      const request = simpleRequest(endpoint, context.subjects);
      const headers = { "Connect-Protocol-Version": "2" };
      context.record("2", await askAny(context, endpoint, request, { headers }));
    });

    // Connect-Timeout-Ms: Request timeout in milliseconds.
    check("protocol.timeout-generous", { on: endpoint, requests: bracketBudget(1, 1) }, async (context) => {
      const request = simpleRequest(endpoint, context.subjects);
      const within = (ms: string) => askAny(context, endpoint, request, { headers: { "Connect-Timeout-Ms": ms } });
      const [without, generous] = await context.bracket(
        () => askAny(context, endpoint, request),
        () => within("120000"),
      );
      context.verify(generous).meets((answer) => behavesLike(without, answer));
    });
  }
});
