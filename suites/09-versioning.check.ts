import { suite } from "../src/engine/define.js";
import { behavesLike } from "../src/judge/whole-answer.js";
import { selectorEndpoints } from "../src/specification/endpoints.js";
import { documentedErrors } from "../src/subjects/requests.js";

export default suite("§9 Versioning", ({ check }) => {
  // The only allowed value is 1, the default when omitted. This also holds for refused requests.
  for (const on of [...selectorEndpoints, "GetMarketIdByName"] as const) {
    check("protocol.connect-version-optional", { on, name: "refusals" }, async (context) => {
      for (const { request } of documentedErrors(on, context.subjects).slice(0, 1)) {
        const sent = await context.shared(on, request);
        const omitted = await context.ask(on, request, { headers: { "Connect-Protocol-Version": null } });
        context.verify(omitted).meets((answer) => behavesLike(sent, answer));
      }
    });
  }
});
