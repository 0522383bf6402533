import { refuses } from "../conditional-interceptors.js";
import { breaking, type Mutant } from "../modification.js";
import { addressesOf } from "../parameters.js";
import { orderRows, walletOf } from "../resource-interceptors.js";
import { invalidArgument, notFound } from "../service/selector.js";

/** Servers that break one rule of §4.4. */
export const getOrders: readonly Mutant[] = [
  ...breaking("get-orders.address-trimmed", {
    "get-orders-address-not-trimmed": {
      summary: "GetOrders does not trim the address.",
      parameters: addressesOf("GetOrders", (input) => input.toLowerCase()),
    },
    "get-orders-address-end-not-trimmed": {
      summary: "GetOrders trims the start of the address only.",
      parameters: addressesOf("GetOrders", (input) => input.trimStart().toLowerCase()),
    },
    "get-orders-padded-address-refused": {
      summary: "GetOrders refuses an address with whitespace around it.",
      alsoFails: ["get-orders.unknown-wallet"],
      parameters: addressesOf("GetOrders", (input) => {
        if (input !== input.trim()) throw invalidArgument("address is not an EVM address");
        return input.toLowerCase();
      }),
    },
  }),

  ...breaking("get-orders.address-case-insensitive", {
    "get-orders-address-case-sensitive": {
      summary: "GetOrders matches the address in lower case only.",
      parameters: addressesOf("GetOrders", (input) => input.trim()),
    },
    "get-orders-address-case-sensitive-in-a-market": {
      summary: "GetOrders matches the address as it is written when a market is selected.",
      alsoFails: ["get-orders.market-filter"],
      ...orderRows("GetOrders", (rows, { request }) =>
        rows.filter(({ owner }) => !request.market || owner === String(request.address).trim()),
      ),
    },
    "get-orders-capitals-refused": {
      summary: "GetOrders refuses an address that is written in capitals throughout.",
      alsoFails: ["get-orders.unknown-wallet"],
      parameters: addressesOf("GetOrders", (input) => {
        if (input.trim() === input.trim().toUpperCase()) throw invalidArgument("address is not an EVM address");
        return input.trim().toLowerCase();
      }),
    },
  }),

  ...breaking("get-orders.owner", {
    "get-orders-foreign-order": {
      summary: "GetOrders ends a wallet's orders with one of another wallet.",
      alsoFails: [
        "relations.wallet-orders-agree",
        "get-orders.market-filter",
        "get-all-orders.only-open",
        "get-all-orders.any-status",
      ],
      ...orderRows("GetOrders", (rows, { dataset, effective }) => {
        const foreign = dataset.orders.findLast(({ owner }) => owner !== effective.address);
        return foreign && rows.length > 0 && effective.marketId === undefined ? [...rows, foreign] : rows;
      }),
    },
    "get-orders-market-of-all-wallets": {
      summary: "GetOrders lists every wallet's orders of a market.",
      alsoFails: ["get-orders.market-filter"],
      ...orderRows("GetOrders", (rows, { dataset, effective }) =>
        effective.marketId === undefined || rows.length === 0
          ? rows
          : dataset.orders.filter(({ marketId }) => marketId === effective.marketId),
      ),
    },
  }),

  ...breaking("get-orders.market-filter", {
    "get-orders-market-ignored": {
      summary: "GetOrders lists the orders of all markets, whatever market is asked for.",
      alsoFails: ["selector.unknown-id-other-market"],
      ...orderRows("GetOrders", (rows, call) => (call.effective.marketId === undefined ? rows : walletOf(call).orders)),
    },
    "get-orders-market-as-double": {
      summary: "GetOrders compares market ids as floating-point numbers.",
      alsoFails: ["selector.unknown-id-other-market"],
      ...orderRows("GetOrders", (rows, call) => {
        const { marketId } = call.effective;
        return marketId === undefined
          ? rows
          : walletOf(call).orders.filter((order) => Number(order.marketId) === Number(marketId));
      }),
    },
    "get-orders-of-one-instant-once-in-a-market": {
      summary: "GetOrders lists one of several orders of one instant when a market with fewer than 20 orders is given.",
      ...orderRows("GetOrders", (rows, { effective }) =>
        effective.marketId === undefined || rows.length >= 20
          ? rows
          : rows.filter(({ createdAt }, at) => createdAt !== rows[at - 1]?.createdAt),
      ),
    },
    "get-orders-market-without-reduce-only": {
      summary: "GetOrders leaves reduce-only orders out when a market is given.",
      ...orderRows("GetOrders", (rows, { effective }) =>
        effective.marketId === undefined ? rows : rows.filter(({ reduceOnly }) => !reduceOnly),
      ),
    },
  }),

  ...breaking("get-orders.all-markets", {
    "get-orders-one-market-by-default": {
      summary: "GetOrders lists the orders of the wallet's latest market when none is given.",
      alsoFails: [
        "relations.wallet-orders-agree",
        "get-orders.no-result-limit",
        "order-ref.names-an-order",
        "get-orders.market-filter",
      ],
      ...orderRows("GetOrders", (rows, { effective }) =>
        effective.marketId === undefined ? rows.filter(({ marketId }) => marketId === rows[0]?.marketId) : rows,
      ),
    },
    "get-orders-listed-markets-only": {
      summary: "GetOrders leaves out the orders of a market whose metadata is gone, unless it is asked for.",
      alsoFails: ["get-orders.market-filter", "relations.wallet-orders-agree"],
      ...orderRows("GetOrders", (rows, { dataset, effective }) =>
        effective.marketId === undefined ? rows.filter(({ marketId }) => dataset.markets.get(marketId)?.listed) : rows,
      ),
    },
  }),

  ...breaking("get-orders.sorted-by-timestamp", {
    "get-orders-ascending": {
      summary: "GetOrders lists the oldest orders first.",
      ...orderRows("GetOrders", (rows) => [...rows].reverse()),
    },
    "get-orders-reduce-only-last": {
      summary: "GetOrders lists reduce-only orders after the opening ones.",
      ...orderRows("GetOrders", (rows) => [
        ...rows.filter(({ reduceOnly }) => !reduceOnly),
        ...rows.filter(({ reduceOnly }) => reduceOnly),
      ]),
    },
    "get-orders-market-unsorted": {
      summary: "GetOrders lists a market's orders the oldest first.",
      ...orderRows("GetOrders", (rows, { effective }) =>
        effective.marketId === undefined ? rows : [...rows].reverse(),
      ),
    },
  }),

  ...breaking("get-orders.no-result-limit", {
    "get-orders-limited-to-1000": {
      summary: "GetOrders returns the newest 1000 orders.",
      alsoFails: ["get-orders.market-filter", "relations.wallet-orders-agree"],
      ...orderRows("GetOrders", (rows) => rows.slice(0, 1000)),
    },
    "get-orders-limited-to-500": {
      summary: "GetOrders returns the newest 500 orders.",
      alsoFails: ["get-orders.market-filter", "relations.wallet-orders-agree"],
      ...orderRows("GetOrders", (rows) => rows.slice(0, 500)),
    },
    "get-orders-large-answers-refused": {
      summary:
        "GetOrders answers `resource_exhausted` for a wallet with more than 500 orders, as a gateway with a size limit.",
      http: refuses("GetOrders", "resource_exhausted", (call) => walletOf(call).orders.length > 500),
    },
    "get-orders-market-limited-to-100": {
      summary: "GetOrders returns the newest 100 orders of a market.",
      alsoFails: ["get-orders.market-filter"],
      ...orderRows("GetOrders", (rows, { request }) => (request.market ? rows.slice(0, 100) : rows)),
    },
  }),

  ...breaking("get-orders.unknown-wallet", {
    "get-orders-unknown-wallet-not-found": {
      summary: "GetOrders answers `not_found` for a wallet without orders.",
      ...orderRows("GetOrders", (rows, { dataset, effective }) => {
        if (!dataset.wallets.has(String(effective.address))) throw notFound("no such wallet");
        return rows;
      }),
    },
    "get-orders-unknown-wallet-lists-others": {
      summary: "GetOrders lists the newest orders of the platform for a wallet without any.",
      ...orderRows("GetOrders", (rows, { dataset, effective }) =>
        dataset.wallets.has(String(effective.address)) ? rows : dataset.orders.slice(0, 50),
      ),
    },
  }),

  ...breaking("get-orders.market-without-orders", {
    "get-orders-market-without-orders-not-found": {
      summary: "GetOrders answers `not_found` for a market in which the wallet has no orders.",
      alsoFails: ["get-orders.market-filter", "get-orders.unknown-wallet", "errors.documented-outcome"],
      ...orderRows("GetOrders", (rows, { effective }) => {
        if (effective.marketId !== undefined && rows.length === 0) throw notFound("no orders in this market");
        return rows;
      }),
    },
  }),
];
