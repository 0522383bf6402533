/** The invariants of lists of orders and of portfolios (§4.3 to §4.5). */
import { type Invariant, onBody, walletOf } from "./invariant.js";
import { listedOrders, shownOrders, shownPositions } from "./located-rows.js";
import { emptyListing, onlyActive, ordersOfMarket, ordersOwnedBy } from "./order-lists.js";
import { newestFirst } from "./ordering.js";
import { orderPage } from "./page.js";
import { isOfKnownWallet, isOfUnknownWallet, isOfWallet } from "./parsed-request.js";
import { ownersAre, portfolioOwner } from "./portfolio.js";
import { ordersOf, portfolioOf } from "./read.js";

export const orderListInvariants: readonly Invariant[] = [
  onBody(
    "GetAllOrders",
    "get-all-orders.address-filter",
    (body, context) => ordersOwnedBy(walletOf(context), ordersOf(body)),
    { where: isOfKnownWallet, ofAnyRows: true },
  ),
  onBody("GetAllOrders", "get-all-orders.unknown-wallet", (body) => emptyListing(orderPage(body)), {
    where: isOfUnknownWallet,
    answered: true,
  }),
  onBody("GetAllOrders", "get-all-orders.only-open", (body) => onlyActive(listedOrders("GetAllOrders", body)), {
    where: ({ onlyOpen }) => onlyOpen,
    ofAnyRows: true,
  }),
  onBody("GetOrders", "get-orders.owner", (body, context) => ordersOwnedBy(walletOf(context), ordersOf(body)), {
    where: isOfKnownWallet,
    ofAnyRows: true,
  }),
  onBody("GetOrders", "get-orders.unknown-wallet", (body) => emptyListing(orderPage(body)), {
    where: isOfUnknownWallet,
    answered: true,
  }),
  onBody(
    "GetOrders",
    "get-orders.market-filter",
    (body, { asked: { marketId = "" } }) => ordersOfMarket(marketId, ordersOf(body)),
    { where: (asked, known) => asked.marketId !== undefined && isOfKnownWallet(asked, known), ofAnyRows: true },
  ),
  onBody("GetOrders", "get-orders.sorted-by-timestamp", (body) => newestFirst("orders", ordersOf(body)), {
    ofAnyRows: true,
  }),
  onBody("GetPortfolio", "portfolio.owner", (body, context) => portfolioOwner(portfolioOf(body), walletOf(context)), {
    where: isOfKnownWallet,
    ofAnyRows: true,
  }),
  onBody(
    "GetPortfolio",
    "portfolio.nested-owners",
    (body, context) =>
      ownersAre([...shownPositions("GetPortfolio", body), ...shownOrders("GetPortfolio", body)], walletOf(context)),
    { where: isOfWallet, ofAnyRows: true },
  ),
  onBody("GetPortfolio", "portfolio.orders-open-only", (body) => onlyActive(listedOrders("GetPortfolio", body)), {
    ofAnyRows: true,
  }),
];
