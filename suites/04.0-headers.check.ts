import { suite } from "../src/engine/define.js";
import { usualHeaders } from "../src/exploration/rewrites.js";
import { behavesLike } from "../src/judge/whole-answer.js";
import { endpointNames, type UnaryEndpoint } from "../src/specification/endpoints.js";
import { simpleRequest } from "../src/subjects/requests.js";
import { sendToAny } from "./support/any-operation.js";

const stream = "GetOpenPositionsStreaming";

export default suite("§4 All endpoints and their headers", ({ check, equivalent, observe }) => {
  for (const on of endpointNames) {
    // Content-Type: required, application/json.
    observe("protocol.request-content-type", { on }, async (context) => {
      const request = simpleRequest(on, context.subjects);
      for (const type of [null, "text/plain", "application/json; charset=utf-8"]) {
        const answer = await sendToAny(context, on, request, { headers: { "Content-Type": type } });
        context.record(type ?? "no content type", answer);
      }
    });

    // Connect-Protocol-Version: Only value 1; default 1 if omitted.
    if (on !== stream) {
      equivalent("protocol.connect-version-optional", usual(on, "Connect-Protocol-Version"));
    }

    observe("protocol.connect-version-other", { on }, async (context) => {
      const request = simpleRequest(on, context.subjects);
      const headers = { "Connect-Protocol-Version": "2" };
      context.record("2", await sendToAny(context, on, request, { headers }));
    });

    // Connect-Timeout-Ms: Request timeout in milliseconds.
    if (on !== stream) equivalent("protocol.timeout-generous", usual(on, "Connect-Timeout-Ms"));
  }

  check("protocol.connect-version-optional", { on: stream }, async (context) => {
    const request = simpleRequest(stream, context.subjects);
    const [sent, omitted] = await context.bracket(
      () => sendToAny(context, stream, request, { headers: { "Connect-Protocol-Version": "1" } }),
      () => sendToAny(context, stream, request, { headers: { "Connect-Protocol-Version": null } }),
    );
    context.verify(omitted).meets((answer) => behavesLike(sent, answer));
  });

  check("protocol.timeout-generous", { on: stream }, async (context) => {
    const request = simpleRequest(stream, context.subjects);
    const [without, generous] = await context.bracket(
      () => sendToAny(context, stream, request),
      () => sendToAny(context, stream, request, { headers: { "Connect-Timeout-Ms": "120000" } }),
    );
    context.verify(generous).meets((answer) => behavesLike(without, answer));
  });
});

/**
 * The answer must equal the one with the usual headers. The stream has its own check, since it sends more than one message.
 */
function usual(on: UnaryEndpoint, header: "Connect-Protocol-Version" | "Connect-Timeout-Ms") {
  return { on, rewrite: usualHeaders(header), why: "as with the usual headers" };
}
