import { padded, recased } from "../src/arbitraries/addresses.js";
import {
  emptyListing,
  marketIsComplete,
  marketsAreListed,
  ordersOfMarket,
  ordersOwnedBy,
  recognised,
  unlimited,
} from "../src/judge/order-lists.js";
import { newestFirst } from "../src/judge/ordering.js";
import { orderPage } from "../src/judge/paging.js";
import { ordersOf } from "../src/judge/read.js";
import { pageLimitMax } from "../src/spec/limits.js";
import { lacking } from "../src/subjects/hints.js";
import { marketWithoutOrdersOf, walletWithMostOrders } from "../src/subjects/select.js";
import { bracketBudget } from "../src/verdict/bracket.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";
import { dressedWallet, walletsAcrossMarkets, walletsWithOrders } from "../src/verdict/listings.js";

export default suite("§4.4 GetOrders", ({ check, property }) => {
  // address: Wallet address; trimmed,
  const dressing = { runs: { quick: 6, full: 30 } } as const;
  const recognises = async (address: string, context: CheckContext) => {
    const wallet = dressedWallet(context);
    context
      .verify(await context.call.getOrders({ address }))
      .satisfies((body) => recognised(wallet.address, ordersOf(body)));
  };

  property(
    "get-orders.address-trimmed",
    dressing,
    (context) => ({ address: padded(dressedWallet(context).address) }),
    ({ address }, context) => recognises(address, context),
  );

  // case-insensitive.
  property(
    "get-orders.address-case-insensitive",
    dressing,
    (context) => ({ address: recased(dressedWallet(context).address) }),
    ({ address }, context) => recognises(address, context),
  );

  check("get-orders.address-case-insensitive", { name: "in capitals", requests: 1 }, (context) =>
    recognises(dressedWallet(context).address.toUpperCase(), context),
  );

  // market: Optional. Omitted means all markets;
  check("get-orders.all-markets", { requests: 2 * bracketBudget(1, 1) }, async (context) => {
    const { bracket, call, given, verify } = context;
    for (const { address } of walletsAcrossMarkets(context, 2)) {
      const [listing, own] = await bracket(
        () => call.getAllOrders({ address, limit: pageLimitMax }),
        () => call.getOrders({ address }),
      );
      given(listing);
      verify(listing, own).satisfies((known, body) =>
        marketsAreListed(
          ordersOf(known).filter(({ owner }) => owner.toLowerCase() === address),
          ordersOf(body),
        ),
      );
    }
  });

  // otherwise filters to that market.
  check("get-orders.market-filter", { requests: 14 }, async (context) => {
    const { call, subjects, verify } = context;
    const [wallet] = walletsAcrossMarkets(context, 1);
    const { address } = wallet;
    const all = await call.getOrders({ address });
    const readings = subjects.markets.map(async ({ marketId }) => ({
      marketId,
      answer: await call.getOrders({ address, market: { marketId } }),
    }));
    for (const { marketId, answer } of await Promise.all(readings)) {
      verify(answer).satisfies((body) => ordersOfMarket(marketId, ordersOf(body)));
      verify(all, answer).satisfies((whole, body) => marketIsComplete(marketId, ordersOf(whole), ordersOf(body)));
    }
  });

  check("get-orders.market-filter", { name: "by an id that no configuration has", requests: 4 }, async (context) => {
    const { call, need, subjects, verify } = context;
    const market = need(subjects.orphanMarkets[0], lacking(subjects, "orphanMarket"));
    const answers = walletsAcrossMarkets(context, 3).map(({ address }) =>
      call.getOrders({ address, market: { marketId: market.marketId } }),
    );
    for (const answer of await Promise.all(answers)) {
      if (answer.outcome.kind === "success")
        verify(answer).satisfies((body) => ordersOfMarket(market.marketId, ordersOf(body)));
    }
  });

  check("get-orders.market-without-orders", { requests: 1 }, async ({ call, need, subjects, verify }) => {
    const wallet = need(
      subjects.wallets.find((candidate) => marketWithoutOrdersOf(subjects, candidate)),
      "needs a wallet, all of whose orders are known, and a market in which it has none",
    );
    const { marketId } = need(marketWithoutOrdersOf(subjects, wallet), lacking(subjects, "market"));
    verify(await call.getOrders({ address: wallet.address, market: { marketId } })).succeeds();
  });

  // Response: orders. Latest stored state of each order of the wallet,
  check("get-orders.owner", { requests: 6 }, async (context) => {
    const { call, verify } = context;
    const readings = walletsWithOrders(context, 6, 400).map(async ({ address }) => ({
      address,
      answer: await call.getOrders({ address }),
    }));
    for (const { address, answer } of await Promise.all(readings)) {
      verify(answer).satisfies((body) => ordersOwnedBy(address, ordersOf(body)));
    }
  });

  // ordered by timestamp descending.
  check("get-orders.sorted-by-timestamp", { requests: 5 }, async (context) => {
    const { call, shared, verify } = context;
    const [busiest] = walletsWithOrders(context, 1);
    const [across] = walletsAcrossMarkets(context, 1);
    const [marketId] = across.markets;
    const answers = [
      shared("GetOrders", { address: busiest.address }),
      ...walletsWithOrders(context, 3, 400).map(({ address }) => call.getOrders({ address })),
      call.getOrders({ address: across.address, market: { marketId } }),
    ];
    for (const answer of await Promise.all(answers)) {
      verify(answer).satisfies((body) => newestFirst("orders", ordersOf(body)));
    }
  });

  // No pagination or result limit.
  check("get-orders.no-result-limit", { requests: 1 }, async ({ call, given, need, shared, subjects, verify }) => {
    const { address, orders = 0 } = need(walletWithMostOrders(subjects), lacking(subjects, "walletWithManyOrders"));
    // Whether the wallet really has so many shows in the last row of the paged listing.
    const last = await call.getAllOrders({ address, limit: 1, offset: Math.max(0, orders - 1) });
    const known = ordersOf(given(last))[0]?.owner.toLowerCase() === address ? orders : 0;
    verify(await shared("GetOrders", { address })).satisfies((body) => unlimited(ordersOf(body), known));
  });

  // Empty when nothing matches.
  check("get-orders.unknown-wallet", { requests: 1 }, async ({ call, subjects, verify }) => {
    verify(await call.getOrders({ address: subjects.unknown.wallet })).satisfies((body) =>
      emptyListing(orderPage(body)),
    );
  });
});
