import { suite } from "../src/engine/define.js";
import { nothingSeen, withSearchedPlaces } from "../src/judge/judgement.js";
import { shownOrders, shownPositions } from "../src/judge/located-rows.js";
import { configuresMarket } from "../src/judge/markets.js";
import { namesOfOwnMarkets } from "../src/judge/metadata.js";
import { isActive } from "../src/judge/order-lists.js";
import { orderPage, orderRow } from "../src/judge/page.js";
import { listedBefore } from "../src/judge/paging.js";
import { marketConfigOf, marketIdOf } from "../src/judge/read.js";
import { listsOrdersOf, listsPositionsOf, resolvesTo, sameStoredPositions } from "../src/judge/relations.js";
import { orderEndpoints } from "../src/specification/endpoints.js";
import { byId } from "../src/subjects/requests.js";
import { accountsOf, listedAccounts, openOrderListing, openOrdersIn } from "./support/accounts.js";
import { everyWallet, openThroughout } from "./support/every-wallet.js";
import { verifyStoredThroughout } from "./support/lasting-differences.js";
import {
  isNamedBy,
  marketIdsByName,
  namesLookedUp,
  symbolsOfOrphanMarkets,
  unconfirmedPairs,
} from "./support/market-metadata.js";
import { anyRowsOf } from "./support/resources.js";
import { pairedMarkets } from "./support/selectors.js";
import { comparePositions, openOrdersOf, ordersIn, verifySameOrders } from "./support/shown-rows.js";
import { ordersAgree, positionsAgree } from "./support/sightings.js";
import { followedWallet, quickestStream } from "./support/streams.js";
import {
  listingAgreesWithWallets,
  orderListsOf,
  ordersAsCounted,
  ordersByMarket,
  pagesListOrdersOf,
} from "./support/wallet-orders.js";

/** What is missing when a market name leads nowhere. */
const unresolved = "a market name that GetMarketIdByName resolves";

/** How many markets are looked up by name, by id and by symbols. */
const marketsRead = 3;

/** Why a configuration must be that of a market. */
const byName = "as GetMarketIdByName gives it";

export default suite("Relations between operations", ({ check }) => {
  // §2 Position: Current stored state of a position.
  check("relations.position-stored-state", { on: "GetAllPositions" }, async (context) => {
    for (const { snapshot, listing } of await listedAccounts(context)) {
      comparePositions(context, sameStoredPositions, listing, snapshot);
    }
  });

  check("relations.position-stored-state", { on: "GetOpenPositionsStreaming" }, async (context) => {
    for (const { portfolio, snapshot } of (await everyWallet(context)).wallets) {
      comparePositions(context, sameStoredPositions, snapshot, portfolio);
    }
  });

  check(
    "relations.position-stored-state",
    { on: "GetOpenPositionsStreaming", name: "from message to message" },
    async (context) => {
      const { address } = followedWallet(context);
      const stream = await quickestStream(context);
      const afterwards = await context.listen({ address }, { messages: 1, ms: 5_000 });
      await verifyStoredThroughout(context, address, stream, afterwards);
    },
  );

  check("relations.position-stored-state", { on: "GetPortfolio" }, async (context) => {
    for (const { portfolio, listing } of await listedAccounts(context)) {
      comparePositions(context, sameStoredPositions, portfolio, listing);
    }
  });

  // Positions in the stream are compared in the stream's own suite.
  for (const on of ["GetAllPositions", "GetPortfolio"] as const) {
    check("relations.position-stored-state", { on, name: "in every combination" }, positionsAgree);
  }

  for (const on of orderEndpoints) {
    check("relations.order-stored-state", { on, name: "in every combination" }, ordersAgree);
  }

  // §2 Order: Current stored state of a position-opening or a reduce-only order.
  check("relations.order-stored-state", { on: "GetAllPositions" }, async (context) => {
    for (const { orders, listing } of await listedAccounts(context)) {
      verifySameOrders(context, listing, orders);
    }
  });

  check("relations.order-stored-state", { on: "GetAllOrders" }, async (context) => {
    for (const { orders, pages } of await orderListsOf(context)) {
      for (const page of pages) verifySameOrders(context, page, orders);
    }
  });

  check("relations.order-stored-state", { on: "GetAllOrders", name: "in the whole listing" }, listingAgreesWithWallets);

  check("relations.order-stored-state", { on: "GetOrders" }, async (context) => {
    for (const { orders, openPages } of await accountsOf(context)) {
      for (const page of openPages) verifySameOrders(context, orders, page);
    }
  });

  check("relations.order-stored-state", { on: "GetOrders", name: "each market of a wallet" }, async (context) => {
    for (const { whole, filtered } of await ordersByMarket(context)) {
      verifySameOrders(context, filtered, whole);
    }
  });

  check("relations.order-stored-state", { on: "GetPortfolio" }, async (context) => {
    for (const { portfolio, orders } of await accountsOf(context)) {
      verifySameOrders(context, portfolio, orders);
    }
  });

  const ofEveryWallet = { on: "GetPortfolio", name: "of every wallet" } as const;
  check("relations.order-stored-state", ofEveryWallet, async (context) => {
    for (const { portfolio, openPages } of (await everyWallet(context)).wallets) {
      for (const page of openPages) verifySameOrders(context, portfolio, page);
    }
  });

  // §3: This set is what onlyOpen filters on and what the open-orders listing of a portfolio holds.
  check("relations.open-orders-agree", { on: "GetPortfolio" }, async (context) => {
    for (const account of await accountsOf(context)) {
      const listed = openOrdersOf(context, account.portfolio);
      const other = openOrdersIn(account);
      if (other) context.verify(account.portfolio, ...account.openPages).satisfies(listsOrdersOf(listed, other));
    }
  });

  check("relations.open-orders-agree", ofEveryWallet, async (context) => {
    const seen = await everyWallet(context);
    for (const { wallet, portfolio } of seen.wallets) {
      const listed = openOrdersOf(context, portfolio);
      const other = openThroughout(context, seen, wallet);
      context.verify(portfolio, seen.before).satisfies(listsOrdersOf(listed, other));
    }
  });

  check("relations.open-orders-agree", { on: "GetAllOrders" }, async (context) => {
    for (const { portfolio, openPages } of await accountsOf(context)) {
      pagesListOrdersOf(context, openOrderListing, openPages, portfolio);
    }
  });

  check("relations.open-orders-agree", { ...ofEveryWallet, on: "GetAllOrders" }, async (context) => {
    for (const { portfolio, openPages } of (await everyWallet(context)).wallets) {
      pagesListOrdersOf(context, openOrderListing, openPages, portfolio);
    }
  });

  // §4.3: address omitted: all wallets. An order that is open now was listed before, unless it is newer than that listing.
  check("get-all-orders.all-wallets", { name: "open orders of every wallet" }, async (context) => {
    const { before, wallets } = await everyWallet(context);
    const page = orderPage(context.bodyOf(before));
    for (const { portfolio } of wallets) {
      const listed = openOrdersOf(context, portfolio).rows.filter(({ row }) => isActive(row));
      const open = listed.map(({ row }) => orderRow(row));
      context.verify(before, portfolio).satisfies(listedBefore(open, page, "a wallet with older open orders"));
    }
  });

  // §3: Positions are either open or closed. §4.2: a full snapshot of the wallet's open positions. §4.5: open items only.
  check("relations.open-positions-agree", { on: "GetPortfolio" }, async (context) => {
    for (const { portfolio, snapshot } of (await everyWallet(context)).wallets) {
      comparePositions(context, listsPositionsOf, portfolio, snapshot);
    }
  });

  check("relations.open-positions-agree", { on: "GetOpenPositionsStreaming" }, async (context) => {
    for (const { portfolio, snapshot } of (await everyWallet(context)).wallets) {
      comparePositions(context, listsPositionsOf, snapshot, portfolio);
    }
  });

  // §4.4: Latest stored state of each order of the wallet, opening and reduce-only, active and terminal statuses.
  check("relations.wallet-orders-agree", { on: "GetOrders" }, async (context) => {
    for (const { orders, pages } of await orderListsOf(context)) {
      const listed = ordersIn(context, orders);
      for (const page of pages) context.verify(orders, page).satisfies(listsOrdersOf(listed, ordersIn(context, page)));
    }
  });

  const counted = { on: "GetOrders", name: "as many as are counted" } as const;
  check("relations.wallet-orders-agree", counted, ordersAsCounted);

  check("relations.wallet-orders-agree", { on: "GetAllOrders" }, async (context) => {
    for (const { orders, pages } of await orderListsOf(context)) {
      pagesListOrdersOf(context, "GetAllOrders", pages, orders);
    }
  });

  // S9: The id of a pair is the one under which GetMarketConfigs, by id and by the same symbols, knows that market.
  check("relations.market-id-configs", { on: "GetMarketConfigs" }, async (context) => {
    const { ask, bodyOf, bracket, shared, verify } = context;
    for (const { symbols } of pairedMarkets(context).slice(0, marketsRead)) {
      const marketId = marketIdOf(bodyOf(await shared("GetMarketIdByName", { ...symbols })));
      const config = await shared("GetMarketConfigs", byId({ marketId }));
      verify(config).satisfies((body) => configuresMarket(marketId, body, byName));
    }
    for (const { marketId, symbols } of await symbolsOfOrphanMarkets(context)) {
      const [config, configOfName] = await bracket(
        () => ask("GetMarketConfigs", byId({ marketId })),
        () => ask("GetMarketIdByName", { ...symbols }),
      );
      if (configOfName.outcome.kind !== "success" || marketIdOf(configOfName.outcome.body) !== marketId) continue;
      verify(config, configOfName).satisfies((body) => configuresMarket(marketId, body, byName));
    }
  });

  check("relations.market-id-configs", { on: "GetMarketIdByName" }, async (context) => {
    const { bodyOf, shared, verify } = context;
    for (const { symbols } of pairedMarkets(context).slice(0, marketsRead)) {
      const known = marketConfigOf(
        bodyOf(await shared("GetMarketConfigs", { market: { marketSymbol: { ...symbols } } })),
      );
      verify(await shared("GetMarketIdByName", { ...symbols })).satisfies((body) =>
        known ? resolvesTo(known.marketId, marketIdOf(body)) : nothingSeen("a market configuration"),
      );
    }
    for (const { marketId, symbols } of unconfirmedPairs(context.subjects)) {
      const selected = await shared("GetMarketConfigs", { market: { marketSymbol: { ...symbols } } });
      if (selected.outcome.kind !== "success" || marketConfigOf(selected.outcome.body)?.marketId !== marketId) continue;
      verify(await shared("GetMarketIdByName", { ...symbols }), selected).satisfies((body) =>
        resolvesTo(marketId, marketIdOf(body)),
      );
    }
  });

  // S9: A name that orders and positions carry for one market id does not resolve to another.
  check("relations.market-id-listings", async (context) => {
    const { verify } = context;
    for (const { marketId, symbols, answer } of await namesLookedUp(context)) {
      const resolved = answer.outcome.kind === "success" ? marketIdOf(answer.outcome.body) : undefined;
      if (resolved === undefined) verify(answer).meets(() => withSearchedPlaces([answer], nothingSeen(unresolved)));
      else {
        const isOfAnotherMarket = resolved !== marketId && symbols.quoteSymbol !== undefined;
        if (isOfAnotherMarket && (await isNamedBy(context, resolved, symbols))) continue;
        verify(answer).satisfies(resolvesTo(marketId, resolved));
      }
    }
  });

  check("relations.market-id-listings", { name: "names of other markets" }, async (context) => {
    const names = marketIdsByName(context.subjects);
    for (const answer of await anyRowsOf(context, "GetAllPositions")) {
      context
        .verify(answer)
        .holdsForAnyRows((body) => namesOfOwnMarkets(shownPositions("GetAllPositions", body), names));
    }
    for (const answer of await anyRowsOf(context, "GetAllOrders")) {
      context.verify(answer).holdsForAnyRows((body) => namesOfOwnMarkets(shownOrders("GetAllOrders", body), names));
    }
  });
});
