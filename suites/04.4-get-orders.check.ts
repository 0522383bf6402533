import { padded, recased } from "../src/arbitraries/addresses.js";
import type { JsonObjectInput } from "../src/connect/json.js";
import { inLowerCase, trimmed, withoutMarket } from "../src/exploration/rewrites.js";
import { answersSwapped } from "../src/judge/judgement.js";
import {
  emptyListing,
  isFilterOf,
  marketIsComplete,
  marketsAreListed,
  ordersOfMarket,
  ordersOwnedBy,
  reachesOldest,
  recognised,
  unlimited,
} from "../src/judge/order-lists.js";
import { newestFirst } from "../src/judge/ordering.js";
import { orderPage } from "../src/judge/paging.js";
import { ordersOf } from "../src/judge/read.js";
import { sameAnswer } from "../src/judge/same-answer.js";
import { ordersState } from "../src/judge/stored-state.js";
import { pageLimitDefault } from "../src/spec/limits.js";
import { lacking } from "../src/subjects/hints.js";
import { marketWithoutOrdersOf, walletWithMostOrders } from "../src/subjects/select.js";
import type { Subjects } from "../src/subjects/subjects.js";
import type { CheckContext } from "../src/verdict/context.js";
import { suite } from "../src/verdict/define.js";
import { dressedWallet, ownedBy, walletsAcrossMarkets, walletsWithOrders } from "../src/verdict/listings.js";

/** The market by its symbols where they are known, by its id otherwise. */
function selectorOf(marketId: string, { markets }: Subjects): JsonObjectInput {
  const symbols = markets.find((market) => market.marketId === marketId)?.symbols;
  return symbols?.quoteSymbol === undefined ? { marketId } : { marketSymbol: { ...symbols } };
}

export default suite("§4.4 GetOrders", ({ check, property, invariant, relation }) => {
  invariant(
    "get-orders.owner",
    "get-orders.market-filter",
    "get-orders.unknown-wallet",
    "get-orders.sorted-by-timestamp",
  );
  relation(
    "get-orders.market-filter",
    { name: "of the wallet's list" },
    {
      rewrite: withoutMarket,
      holds: (filtered, all, { marketId = "" }) =>
        answersSwapped(isFilterOf(marketId, ordersOf(all), ordersOf(filtered))),
      stable: ordersState,
      sample: { quick: 8, full: 24 },
    },
  );
  relation(
    "get-orders.address-trimmed",
    { name: "in every combination" },
    {
      rewrite: trimmed("address"),
      holds: sameAnswer("GetOrders", "as for the address without blanks"),
      stable: ordersState,
    },
  );
  relation(
    "get-orders.address-case-insensitive",
    { name: "in every combination" },
    {
      rewrite: inLowerCase("address"),
      holds: sameAnswer("GetOrders", "as for the address in lower case"),
      stable: ordersState,
    },
  );

  // address: Wallet address; trimmed,
  const dressing = { runs: { quick: 4, full: 30 } } as const;
  const recognises = async (address: string, context: CheckContext) => {
    const wallet = dressedWallet(context);
    context
      .verify(await context.call.getOrders({ address }))
      .holdsForAnyRows((body) => recognised(wallet.address, ordersOf(body)));
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

  /** The same beside a selector, which may be heeded at its cost. */
  const recognisesInMarket = async (dress: (address: string) => string, context: CheckContext) => {
    const { call, subjects, verify } = context;
    const { address, markets } = dressedWallet(context);
    const marketId = markets.find((id) => subjects.markets.some((market) => market.marketId === id));
    const answer = await call.getOrders({ address: dress(address), ...(marketId ? { market: { marketId } } : {}) });
    // Whether others' orders are listed as well is another rule's business.
    verify(answer).satisfies((body) => recognised(address, ordersOf(body).filter(ownedBy(address))));
  };

  check("get-orders.address-trimmed", { name: "on both sides", requests: 1 }, (context) =>
    recognisesInMarket((address) => `\t ${address}\n`, context),
  );

  check("get-orders.address-case-insensitive", { name: "in capitals", requests: 1 }, (context) =>
    recognisesInMarket((address) => address.toUpperCase(), context),
  );

  // market: Optional. Omitted means all markets;
  check("get-orders.all-markets", { requests: 2 }, async (context) => {
    const { shared, subjects, verify } = context;
    const orphans = new Set(subjects.orphanMarkets.map(({ marketId }) => marketId));
    const withOrphan = subjects.wallets.filter(({ markets }) => markets.some((marketId) => orphans.has(marketId)));
    for (const { address, markets } of [...walletsAcrossMarkets(context, 2), ...withOrphan.slice(0, 1)]) {
      verify(await shared("GetOrders", { address })).holdsForSomeRows((body) =>
        marketsAreListed(markets, ordersOf(body)),
      );
    }
  });

  // otherwise filters to that market.
  check("get-orders.market-filter", { requests: 26 }, async (context) => {
    const { call, subjects, verify } = context;
    // A market without a configuration may be refused (S4), but must not stand for another one.
    const refusable = new Set(subjects.orphanMarkets.map(({ marketId }) => marketId));
    const markets = [...subjects.markets.map(({ marketId }) => marketId).slice(0, 6), ...refusable].slice(0, 8);
    for (const { address } of walletsAcrossMarkets(context, 2)) {
      const all = await call.getOrders({ address });
      const readings = markets.map(async (marketId) => ({
        marketId,
        answer: await call.getOrders({ address, market: { marketId } }),
      }));
      for (const { marketId, answer } of await Promise.all(readings)) {
        if (answer.outcome.kind === "error" && refusable.has(marketId)) continue;
        verify(answer).holdsForAnyRows((body) => ordersOfMarket(marketId, ordersOf(body)));
        verify(all, answer).satisfies((whole, body) =>
          marketIsComplete(marketId, ordersOf(whole).filter(ownedBy(address)), ordersOf(body)),
        );
      }
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
  check("get-orders.owner", { requests: 3 }, async (context) => {
    const { call, shared, verify } = context;
    const readings = walletsWithOrders(context, 3, 400).flatMap(({ address, markets }) => [
      { address, answer: shared("GetOrders", { address }) },
      ...markets
        .slice(0, 1)
        .map((marketId) => ({ address, answer: call.getOrders({ address, market: { marketId } }) })),
    ]);
    for (const { address, answer } of readings) {
      verify(await answer).holdsForAnyRows((body) => ordersOwnedBy(address, ordersOf(body)));
    }
  });

  // ordered by timestamp descending.
  check("get-orders.sorted-by-timestamp", { requests: 2 }, async (context) => {
    const { call, shared, subjects, verify } = context;
    const [busiest] = walletsWithOrders(context, 1);
    const affordable = walletsWithOrders(context, 3, 400);
    const [{ address, markets }] = affordable;
    const answers = [
      ...[busiest, ...affordable].map((wallet) => shared("GetOrders", { address: wallet.address })),
      ...markets.slice(0, 2).map((marketId) => call.getOrders({ address, market: selectorOf(marketId, subjects) })),
    ];
    for (const answer of await Promise.all(answers)) {
      verify(answer).holdsForAnyRows((body) => newestFirst("orders", ordersOf(body)));
    }
  });

  // No pagination or result limit.
  check("get-orders.no-result-limit", { requests: 1 }, async ({ call, given, need, shared, subjects, verify }) => {
    const { address, orders = 0 } = need(walletWithMostOrders(subjects), lacking(subjects, "walletWithManyOrders"));
    const end = await call.getAllOrders({ address, limit: 3, offset: Math.max(0, orders - 3) });
    const oldest = ordersOf(given(end)).filter(ownedBy(address));
    verify(await shared("GetOrders", { address })).holdsForSomeRows((body) => unlimited(ordersOf(body), oldest));
  });

  check("get-orders.no-result-limit", { name: "of one market", requests: 1 }, async (context) => {
    const { call, given, need, shared, subjects, verify } = context;
    const { address } = need(walletWithMostOrders(subjects), lacking(subjects, "walletWithManyOrders"));
    const known = new Set(subjects.markets.map(({ marketId }) => marketId));
    const all = await shared("GetOrders", { address });
    const rows = ordersOf(given(all)).filter(ownedBy(address));
    const markets = [...known].map((marketId) => rows.filter((order) => order.marketId === marketId));
    const [most = []] = markets.sort((a, b) => b.length - a.length);
    const { marketId } = need(
      most[pageLimitDefault],
      `needs a wallet with more than ${pageLimitDefault} orders of one market`,
    );
    const answer = await call.getOrders({ address, market: { marketId } });
    verify(all, answer).satisfies((_, body) => reachesOldest(most, ordersOf(body)));
  });

  // Empty when nothing matches.
  check("get-orders.unknown-wallet", { requests: 1 }, async ({ call, subjects, verify }) => {
    verify(await call.getOrders({ address: subjects.unknown.wallet })).holdsForAnyRows((body) =>
      emptyListing(orderPage(body)),
    );
  });
});
