import {
  hasCapitals,
  hasTimeout,
  isHeaviest,
  isPadded,
  lacksVersion,
  loses,
  marketAt,
  mistakesAddresses,
  noAddress,
  refuses,
  rewrites,
  selectedBy,
  symbolsOf,
  walletByOpenPositions,
  walletsByOrders,
  withForeignOrder,
} from "../conditional-interceptors.js";
import { type MutableJsonObject, numberIn, objectAt, raw } from "../json.js";
import { breaking, type CallContext, type Mutant, on } from "../modification.js";
import {
  editListedOrders,
  editPositions,
  orderRows,
  positionRows,
  recordOf,
  walletOf,
} from "../resource-interceptors.js";

const orders = "GetOrders";
const portfolio = "GetPortfolio";

/** The address of the call's wallet. */
function addressOf({ effective }: CallContext): string {
  return String(effective.address);
}

/** The market filter of GetOrders; undefined when there is none. */
function marketIdOf({ effective }: CallContext): bigint | undefined {
  return effective.marketId as bigint | undefined;
}

function isOfMarket({ marketId }: MutableJsonObject, { dataset }: CallContext, place: number): boolean {
  return marketId === String(marketAt(dataset, place)?.id);
}

/** Answers of GetOrders that are wrong for a combination of fields, or for the wallet with the most orders. */
const ordersOfWallet: readonly Mutant[] = [
  ...breaking("relations.wallet-orders-agree", {
    "get-orders-lacks-the-700th": {
      summary: "GetOrders leaves out the 700th order of a wallet with more.",
      alsoFails: ["get-orders.all-markets", "get-orders.market-filter", "get-orders.no-result-limit"],
      ...orderRows(orders, (rows, context) =>
        marketIdOf(context) === undefined ? rows.filter((_row, index) => index !== 699) : rows,
      ),
    },
    "get-orders-lacks-the-oldest-order-of-one-wallet": {
      summary: "GetOrders leaves out the oldest order of the wallet with the tenth most orders.",
      alsoFails: ["get-orders.all-markets", "get-orders.market-filter"],
      ...orderRows(orders, (rows, context) =>
        marketIdOf(context) === undefined && addressOf(context) === walletsByOrders(context.dataset)[9]?.address
          ? rows.slice(0, -1)
          : rows,
      ),
    },
  }),

  ...breaking("relations.order-stored-state", {
    "get-orders-swaps-filled-and-unfilled-by-symbols": {
      summary:
        "GetOrders swaps the filled and the unfilled size of partially filled orders of a market given by symbols.",
      response: editListedOrders((order, { request }) => {
        if (symbolsOf(request) === undefined || !String(order.status).startsWith("ORDER_STATUS_PARTIALLY")) return;
        [order.filledSize, order.unfilledSize] = [order.unfilledSize, order.filledSize];
      }, orders),
    },
  }),

  ...breaking("get-orders.owner", {
    "get-orders-foreign-order-amid-the-heaviest-wallet": {
      summary: "GetOrders lists an order of another wallet in the middle of those of the wallet with most orders.",
      alsoFails: [
        "get-orders.market-filter",
        "relations.wallet-orders-agree",
        "get-all-orders.any-status",
        "get-all-orders.only-open",
      ],
      ...orderRows(orders, (rows, context) =>
        marketIdOf(context) === undefined && isHeaviest(context.dataset, addressOf(context))
          ? withForeignOrder(rows, context)
          : rows,
      ),
    },
  }),

  ...breaking("get-orders.no-result-limit", {
    "get-orders-of-a-market-100-at-most": {
      summary: "GetOrders returns no more than 100 orders when a market is given.",
      alsoFails: ["get-orders.market-filter"],
      ...orderRows(orders, (rows, context) => (marketIdOf(context) === undefined ? rows : rows.slice(0, 100))),
    },
  }),

  ...breaking("get-orders.sorted-by-timestamp", {
    "get-orders-of-a-market-ascending-from-row-30": {
      summary: "GetOrders lists the orders of one market oldest first from the 31st on.",
      ...orderRows(orders, (rows, context) =>
        marketIdOf(context) === undefined ? rows : [...rows.slice(0, 30), ...rows.slice(30).reverse()],
      ),
    },
  }),

  ...breaking("get-orders.market-filter", {
    "get-orders-market-lost-beside-a-padded-address": {
      summary: "GetOrders forgets the market when there is whitespace around the address.",
      alsoFails: ["get-orders.address-trimmed", "get-orders.market-without-orders"],
      request: loses(
        orders,
        "market",
        (json, { dataset }) => isPadded(json.address) && selectedBy(json, dataset) !== undefined,
      ),
    },
    "get-orders-market-ids-as-doubles": {
      summary:
        "GetOrders compares market ids as JavaScript numbers, so that one market's orders come with its neighbour's.",
      ...orderRows(orders, (rows, context) => {
        const wanted = marketIdOf(context);
        return wanted === undefined || !context.dataset.markets.has(wanted)
          ? rows
          : walletOf(context).orders.filter(({ marketId }) => Number(marketId) === Number(wanted));
      }),
    },
    "get-orders-of-one-market-without-reduce-only-orders": {
      summary: "GetOrders leaves out reduce-only orders when the fifth market is given.",
      ...orderRows(orders, (rows, context) =>
        marketIdOf(context) !== undefined && marketIdOf(context) === marketAt(context.dataset, 4)?.id
          ? rows.filter(({ reduceOnly }) => !reduceOnly)
          : rows,
      ),
    },
  }),

  ...breaking("get-orders.address-case-insensitive", {
    "get-orders-nothing-by-symbols-for-an-address-with-capitals": {
      summary: "GetOrders finds no orders when symbols come with an address that has capitals.",
      alsoFails: ["get-orders.market-filter", "selector.by-symbol"],
      request: rewrites(
        orders,
        (json) => hasCapitals(json.address) && symbolsOf(json) !== undefined,
        (json) => ({ ...json, address: noAddress }),
      ),
    },
  }),

  ...breaking("get-orders.address-trimmed", {
    "get-orders-padded-address-with-capitals-lacks-reduce-only-orders": {
      summary: "GetOrders lists opening orders only for an address that has both capitals and whitespace around it.",
      alsoFails: ["get-orders.address-case-insensitive", "relations.wallet-orders-agree"],
      ...orderRows(orders, (rows, { request: { address } }) =>
        isPadded(address) && hasCapitals(address) ? rows.filter(({ reduceOnly }) => !reduceOnly) : rows,
      ),
    },
  }),

  ...breaking("get-orders.unknown-wallet", {
    "get-orders-address-but-for-its-first-digit": {
      summary: "GetOrders does not look at the first digit of an address that it does not know.",
      alsoFails: ["get-orders.owner"],
      request: mistakesAddresses(orders, (address) => address.slice(3)),
    },
    "get-orders-neighbouring-address-is-the-known-one": {
      summary: "GetOrders does not look at the last digit of an address that it does not know.",
      alsoFails: ["get-orders.owner"],
      request: mistakesAddresses(orders, (address) => address.slice(0, -1)),
    },
  }),

  ...breaking("wire.owner-lowercase", {
    "get-orders-owner-as-asked-with-a-market": {
      summary: "GetOrders writes the owner with the capitals of the request when a market is given.",
      alsoFails: ["get-orders.owner", "relations.order-stored-state"],
      response: editListedOrders((order, context) => {
        if (marketIdOf(context) !== undefined) order.owner = String(context.request.address).trim();
      }, orders),
    },
  }),

  ...breaking("relations.order-stored-state", {
    "get-orders-fees-of-a-markets-reduce-only-orders-after-rebates": {
      summary: "GetOrders takes rebates off the fees of reduce-only orders when the second market is given.",
      response: editListedOrders((order, context) => {
        const isMeant = order.reduceOnly === true && isOfMarket(order, context, 1);
        if (isMeant && marketIdOf(context) !== undefined)
          order.fees = numberIn(order, "fees") - numberIn(order, "rebates");
      }, orders),
    },
  }),

  ...breaking("protocol.timeout-generous", {
    "get-orders-opening-orders-only-of-a-market-with-a-timeout": {
      summary: "With Connect-Timeout-Ms GetOrders lists opening orders only when a market is given.",
      alsoFails: ["get-orders.market-filter"],
      ...orderRows(orders, (rows, context) =>
        marketIdOf(context) !== undefined && hasTimeout(context) ? rows.filter(({ reduceOnly }) => !reduceOnly) : rows,
      ),
    },
  }),

  ...breaking("errors.documented-outcome", {
    "get-orders-crashes-on-symbols-with-a-padded-address-and-the-version-header": {
      summary: "GetOrders fails with internal when symbols and a padded address come with Connect-Protocol-Version.",
      alsoFails: ["get-orders.address-trimmed", "protocol.connect-version-optional"],
      http: refuses(
        orders,
        "internal",
        (context) =>
          symbolsOf(context.request) !== undefined && isPadded(context.request.address) && !lacksVersion(context),
      ),
    },
  }),
];

/** Portfolios that are wrong for a combination of a request property with a wallet or market. */
const portfolios: readonly Mutant[] = [
  ...breaking("relations.open-positions-agree", {
    "portfolio-of-the-heaviest-wallet-lacks-a-position": {
      summary: "GetPortfolio leaves out a position in the middle for the wallet with most orders.",
      ...positionRows(portfolio, (rows, context) =>
        isHeaviest(context.dataset, addressOf(context))
          ? rows.filter((_row, index) => index !== Math.floor(rows.length / 2))
          : rows,
      ),
    },
  }),

  ...breaking("relations.open-orders-agree", {
    "portfolio-lists-30-orders-at-most": {
      summary: "GetPortfolio lists no more than 30 open orders.",
      ...orderRows(portfolio, (rows) => rows.slice(0, 30)),
    },
  }),

  ...breaking("wire.owner-lowercase", {
    "portfolio-owner-as-asked-in-capitals": {
      summary: "GetPortfolio writes the owner as it is asked for when all of its letters are capitals.",
      alsoFails: ["portfolio.owner"],
      response: on(portfolio, (json, { request }) => {
        const owner = String(request.owner).trim();
        const found = objectAt(json, "portfolio");
        if (found && owner.slice(2) === owner.slice(2).toUpperCase() && owner.startsWith("0x")) found.owner = owner;
        return json;
      }),
    },
  }),

  ...breaking("get-portfolio.owner-case-insensitive", {
    "portfolio-of-an-owner-with-capitals-lacks-later-orders": {
      summary: "GetPortfolio lists the four newest open orders only when the owner has capitals.",
      alsoFails: ["relations.open-orders-agree"],
      ...orderRows(portfolio, (rows, { request }) => (hasCapitals(request.owner) ? rows.slice(0, 4) : rows)),
    },
  }),

  ...breaking("get-portfolio.owner-trimmed", {
    "portfolio-of-a-padded-owner-ends-with-a-foreign-position": {
      summary:
        "GetPortfolio lists another wallet's position from the third on when there is whitespace around the owner.",
      alsoFails: ["portfolio.nested-owners", "relations.open-positions-agree"],
      ...positionRows(portfolio, (rows, context) => {
        if (!isPadded(context.request.owner) || rows.length < 3) return rows;
        const owner = addressOf(context);
        const foreign = context.dataset.positions.filter((position) => position.open && position.owner !== owner);
        return [...rows.slice(0, 2), ...foreign].slice(0, rows.length);
      }),
    },
    "portfolio-of-a-padded-owner-with-capitals-empty": {
      summary: "GetPortfolio lists nothing for an owner that has both capitals and whitespace around it.",
      alsoFails: [
        "get-portfolio.owner-case-insensitive",
        "relations.open-positions-agree",
        "relations.open-orders-agree",
      ],
      rows: {
        positions: (endpoint, rows, { request: { owner } }) =>
          endpoint === portfolio && isPadded(owner) && hasCapitals(owner) ? [] : rows,
        orders: (endpoint, rows, { request: { owner } }) =>
          endpoint === portfolio && isPadded(owner) && hasCapitals(owner) ? [] : rows,
      },
    },
  }),

  ...breaking("wire.int64-as-string", {
    "portfolio-trades-as-number-for-a-padded-owner": {
      summary: "GetPortfolio writes totalTrades as a JSON number when there is whitespace around the owner.",
      response: on(portfolio, (json, { request }) => {
        const found = objectAt(json, "portfolio");
        if (found && isPadded(request.owner)) found.totalTrades = raw(String(found.totalTrades ?? 0));
        return json;
      }),
    },
  }),

  ...breaking("relations.order-stored-state", {
    "portfolio-size-of-one-markets-filling-orders-as-filled": {
      summary: "GetPortfolio shows what is filled of the sixth market's partially filled orders as their size.",
      alsoFails: ["order.sizes-add-up", "order.sizes-match-status", "order.initial-margin-reduce-only"],
      response: editListedOrders((order, context) => {
        if (order.status !== "ORDER_STATUS_PARTIALLY_FILLED" || !isOfMarket(order, context, 5)) return;
        order.size = numberIn(order, "filledSize");
      }, portfolio),
    },
    "portfolio-fees-of-one-wallets-orders-one-higher": {
      summary: "GetPortfolio shows the open orders of the wallet with the fourth most open positions with higher fees.",
      response: editListedOrders((order, { dataset }) => {
        if (order.owner === walletByOpenPositions(dataset, 3)) order.fees = numberIn(order, "fees") + 1;
      }, portfolio),
    },
  }),

  ...breaking("relations.position-stored-state", {
    "portfolio-entry-of-one-markets-shorts-from-the-order": {
      summary:
        "GetPortfolio shows the opening order's threshold as the entry price of the seventh market's short positions.",
      alsoFails: ["position.unrealized-pnl-sign"],
      response: editPositions((position, context) => {
        if (position.side !== "SIDE_SHORT" || !isOfMarket(position, context, 6)) return;
        position.entryPrice = recordOf(context, position)?.orders[0]?.thresholdPrice;
      }, portfolio),
    },
  }),

  ...breaking("portfolio.orders-open-only", {
    "portfolio-terminal-orders-without-the-version-header-for-a-padded-owner": {
      summary:
        "Without Connect-Protocol-Version GetPortfolio lists orders of any status when there is whitespace around the owner.",
      alsoFails: ["protocol.connect-version-optional", "get-portfolio.owner-trimmed", "relations.open-orders-agree"],
      ...orderRows(portfolio, (rows, context) =>
        lacksVersion(context) && isPadded(context.request.owner) ? walletOf(context).orders : rows,
      ),
    },
  }),

  ...breaking("protocol.timeout-generous", {
    "portfolio-refused-with-a-timeout-for-an-owner-with-capitals": {
      summary: "GetPortfolio refuses an owner that has capitals when Connect-Timeout-Ms is there.",
      alsoFails: ["get-portfolio.owner-case-insensitive", "errors.documented-outcome"],
      http: refuses(
        portfolio,
        "invalid_argument",
        (context) => hasTimeout(context) && hasCapitals(context.request.owner),
      ),
    },
  }),
];

/** Answers about one wallet that are wrong for a combination of fields, for one wallet, or in one market. */
export const walletInteractions: readonly Mutant[] = [...ordersOfWallet, ...portfolios];
