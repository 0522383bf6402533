import { suite } from "../src/engine/define.js";
import { closedAreListed } from "../src/judge/closed-positions.js";
import { parseInstant, plusSeconds } from "../src/judge/instant.js";
import { nothingSeen } from "../src/judge/judgement.js";
import { joinPages, positionPage, positionRow } from "../src/judge/page.js";
import { allListed } from "../src/judge/paging.js";
import { portfolioOf, positionsOf } from "../src/judge/read.js";
import { likeDefaultAfter, likeDefaultPage, likeNoOffset } from "./support/equivalences.js";
import { historiesOf, positionListing } from "./support/listings.js";

export default suite("§4.1 GetAllPositions", ({ check, equivalent, invariant }) => {
  // limit: Page size. Default 50 when omitted or zero.
  invariant("get-all-positions.limit-default", "get-all-positions.limit-zero");

  equivalent("get-all-positions.limit-default", likeDefaultPage);

  // Values above 1000 are capped to 1000, not rejected.
  invariant("get-all-positions.limit-cap");

  // offset: Rows to skip. Default 0.
  invariant("get-all-positions.offset-default");

  equivalent("get-all-positions.offset-default", likeNoOffset);

  equivalent("get-all-positions.offset-default", likeDefaultAfter("offset", 0));

  // positions: all wallets and markets,
  check("get-all-positions.all-wallets", async (context) => {
    const { portfolios, pages } = await positionListing(context);
    const open = portfolios.flatMap(({ answer }) => portfolioOf(context.bodyOf(answer))?.positions ?? []);
    context
      .verify(...pages)
      .satisfies((...bodies) =>
        allListed(
          open.map(positionRow),
          joinPages(bodies.map(positionPage)),
          "an open position in one of the portfolios",
        ),
      );
  });

  // including closed,
  check("get-all-positions.closed-included", async (context) => {
    const { required, subjects, verify } = context;
    const { portfolios, pages } = await positionListing(context);
    const latest = required(parseInstant(subjects.totals.latestOrder ?? ""), "walletWithOrders");
    const known = await historiesOf(context, portfolios);
    verify(...pages).satisfies((...bodies) => {
      const { rows, pagination, unsettled } = joinPages(bodies.map(positionPage));
      if (unsettled?.size) return nothingSeen("pages between which rows of one instant do not change places");
      const readDownTo = rows.length < (pagination?.totalCount ?? 0) ? rows.at(-1)?.timestamp.instant : undefined;
      return closedAreListed(known, bodies.flatMap(positionsOf), plusSeconds(latest, -60), readDownTo);
    });
  });

  // ordered by timestamp descending
  invariant("get-all-positions.sorted-by-timestamp");
});
