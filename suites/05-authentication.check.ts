import { suite } from "../src/engine/define.js";
import { endpointNames } from "../src/specification/endpoints.js";
import { askSimply } from "./support/any-operation.js";

export default suite("§5 Authentication", ({ observe }) => {
  for (const on of endpointNames) {
    // Response to a missing or invalid token: not shown.
    observe("authentication.missing-token", { on }, async (context) => {
      context.record("no token", await askSimply(context, { headers: { Authorization: null } }));
    });

    observe("authentication.invalid-token", { on }, async (context) => {
      const headers = { Authorization: "Bearer not.a.token" };
      context.record("an invalid token", await askSimply(context, { headers }));
    });
  }
});
