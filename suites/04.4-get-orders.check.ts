import { suite } from "../src/engine/define.js";
import { filtersBy, hasNoResultLimit, marketsAreListed, reachesOldest } from "../src/judge/order-lists.js";
import { ordersOf } from "../src/judge/read.js";
import { isOwnedBy } from "../src/judge/snapshots.js";
import { likeInLowerCase, likeWithoutBlanks } from "./support/equivalences.js";
import {
  busiestWallet,
  manyOrdersOfMarket,
  marketWithoutOrders,
  versusAllMarkets,
  walletsAcrossMarkets,
  walletsInOrphanMarkets,
} from "./support/listings.js";
import { answerBesideShortList } from "./support/refused-for-size.js";
import { ordersByMarket, tiedOrdersByMarket } from "./support/wallet-orders.js";

export default suite("§4.4 GetOrders", ({ check, equivalent, invariant, relation }) => {
  // address: Wallet address; trimmed,
  equivalent("get-orders.address-trimmed", likeWithoutBlanks("address"));

  // case-insensitive.
  equivalent("get-orders.address-case-insensitive", likeInLowerCase("address"));

  // market: Optional. Omitted means all markets;
  check("get-orders.all-markets", async (context) => {
    const { shared, verify } = context;
    for (const { address, markets } of [...walletsAcrossMarkets(context, 2), ...walletsInOrphanMarkets(context, 1)]) {
      verify(await shared("GetOrders", { address })).holdsForSomeRows((body) =>
        marketsAreListed(markets, ordersOf(body)),
      );
    }
  });

  // otherwise filters to that market.
  invariant("get-orders.market-filter");

  relation("get-orders.market-filter", {
    ...versusAllMarkets,
    holds: (all, filtered, { marketId = "" }) => filtersBy(marketId, ordersOf(all), ordersOf(filtered)),
  });

  const ordersByMarkets = [
    { name: "each market of a wallet", read: ordersByMarket },
    { name: "with orders of one instant", read: tiedOrdersByMarket },
  ];
  for (const { read, ...options } of ordersByMarkets) {
    check("get-orders.market-filter", options, async (context) => {
      for (const { marketId, whole, filtered } of await read(context))
        context
          .verify(whole, filtered)
          .satisfies((all, listed) => filtersBy(marketId, ordersOf(all), ordersOf(listed)));
    });
  }

  check("get-orders.market-without-orders", async (context) => {
    const { call, note, verify } = context;
    const { address, marketId, remark } = await marketWithoutOrders(context);
    if (remark) note(remark);
    verify(await call.getOrders({ address, market: { marketId } })).succeeds();
  });

  // Response: orders. Latest stored state of each order of the wallet,
  invariant("get-orders.owner");

  // ordered by timestamp descending.
  invariant("get-orders.sorted-by-timestamp");

  // No pagination or result limit.
  check("get-orders.no-result-limit", async (context) => {
    const { call, bodyOf, shared, verify } = context;
    const { address, orders = 0 } = busiestWallet(context);
    const end = await call.getAllOrders({ address, limit: 3, offset: Math.max(0, orders - 3) });
    const oldest = ordersOf(bodyOf(end)).filter(isOwnedBy(address));
    verify(await shared("GetOrders", { address })).holdsForSomeRows((body) => hasNoResultLimit(ordersOf(body), oldest));
  });

  check("get-orders.no-result-limit", { name: "of one market" }, async (context) => {
    const { address, marketId, whole, ofMarket } = await manyOrdersOfMarket(context);
    const answer = await context.call.getOrders({ address, market: { marketId } });
    context.verify(whole, answer).satisfies((_, body) => reachesOldest(ofMarket, ordersOf(body)));
  });

  // A list that is refused for its size is limited, too. It may not be taken for throttling while others are answered.
  check("get-orders.no-result-limit", { name: "beside a short list" }, async (context) => {
    context.verify(await answerBesideShortList(context, busiestWallet(context).address)).succeeds();
  });

  // Empty when nothing matches.
  invariant("get-orders.unknown-wallet");
});
