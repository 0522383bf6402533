import { suite } from "../src/engine/define.js";
import { behavesLike } from "../src/judge/whole-answer.js";
import { endpointNames } from "../src/specification/endpoints.js";
import { askSimply } from "./support/any-operation.js";
import { likeUsualHeaders } from "./support/equivalences.js";

const stream = "GetOpenPositionsStreaming";

export default suite("§4 All endpoints and their headers", ({ check, equivalent, observe }) => {
  for (const on of endpointNames) {
    // Content-Type: required, application/json.
    observe("protocol.request-content-type", { on }, async (context) => {
      for (const type of [null, "text/plain", "application/json; charset=utf-8"]) {
        const answer = await askSimply(context, { headers: { "Content-Type": type } });
        context.record(type ?? "no content type", answer);
      }
    });

    // Connect-Protocol-Version: Only value 1; default 1 if omitted. The stream has its own check, as it sends several messages.
    if (on !== stream) {
      equivalent("protocol.connect-version-optional", { on, ...likeUsualHeaders("Connect-Protocol-Version") });
    }

    observe("protocol.connect-version-other", { on }, async (context) => {
      context.record("2", await askSimply(context, { headers: { "Connect-Protocol-Version": "2" } }));
    });

    // Connect-Timeout-Ms: Request timeout in milliseconds.
    if (on !== stream) {
      equivalent("protocol.timeout-generous", { on, ...likeUsualHeaders("Connect-Timeout-Ms") });
    }
  }

  check("protocol.connect-version-optional", { on: stream }, async (context) => {
    const [sent, omitted] = await context.bracket(
      () => askSimply(context, { headers: { "Connect-Protocol-Version": "1" } }),
      () => askSimply(context, { headers: { "Connect-Protocol-Version": null } }),
    );
    context.verify(omitted).meets((answer) => behavesLike(sent, answer));
  });

  check("protocol.timeout-generous", { on: stream }, async (context) => {
    const [without, generous] = await context.bracket(
      () => askSimply(context),
      () => askSimply(context, { headers: { "Connect-Timeout-Ms": "120000" } }),
    );
    context.verify(generous).meets((answer) => behavesLike(without, answer));
  });
});
