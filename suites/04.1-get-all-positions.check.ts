import { pageLimitsAboveCap } from "../src/arbitraries/paging.js";
import { newestFirst } from "../src/judge/ordering.js";
import { positionsOf } from "../src/judge/read.js";
import { suite } from "../src/verdict/define.js";

export default suite("§4.1 GetAllPositions", ({ check, property }) => {
  // limit: Page size. Default 50 when omitted or zero.
  check("get-all-positions.limit-default", async ({ call, verify }) => {
    verify(await call.getAllPositions())
      .at("pagination.limit")
      .equals(50, "the default");
  });

  check("get-all-positions.limit-zero", async ({ call, verify }) => {
    verify(await call.getAllPositions({ limit: 0 }))
      .at("pagination.limit")
      .equals(50, "zero is an omitted limit");
  });

  // Values above 1000 are capped to 1000, not rejected.
  property("get-all-positions.limit-cap", {}, { limit: pageLimitsAboveCap }, async ({ limit }, { call, verify }) => {
    verify(await call.getAllPositions({ limit }))
      .at("pagination.limit")
      .equals(1000, "the cap");
  });

  // Response: positions (array of Position, all wallets and markets, including closed, ordered by timestamp descending)
  check("get-all-positions.sorted-by-timestamp", async ({ shared, verify }) => {
    verify(await shared("GetAllPositions", { limit: 1000 })).satisfies((body) =>
      newestFirst("positions", positionsOf(body)),
    );
  });
});
