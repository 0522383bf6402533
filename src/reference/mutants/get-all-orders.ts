import { withManyOpenOrders } from "../dataset/many-open-orders.js";
import type { OrderRecord } from "../dataset/model.js";
import { OrderStatus } from "../gen/order_service/v1/order_service_pb.js";
import { isActiveStatus } from "../messages.js";
import { breaking, type CallContext, type Mutant, on } from "../modification.js";
import { addressesOf, documented, pageLimitsOf } from "../parameters.js";
import { descending, editPagination, orderRows } from "../resource-interceptors.js";
import { invalidArgument, notFound } from "../service/selector.js";

/** Changes which orders `onlyOpen` lists. */
const open = (isOpen: (order: OrderRecord) => boolean): Mutant["parameters"] => ({
  isOpen: (endpoint, order) => (endpoint === "GetAllOrders" ? isOpen(order) : documented.isOpen(endpoint, order)),
});

/** The orders that match the filters other than the address. */
function ofAllWallets({ dataset, effective }: CallContext): readonly OrderRecord[] {
  return effective.onlyOpen === true ? dataset.orders.filter(({ status }) => isActiveStatus(status)) : dataset.orders;
}

/** Servers that break one rule of §4.3. */
export const getAllOrders: readonly Mutant[] = [
  ...breaking("get-all-orders.limit-default", {
    "get-all-orders-default-20": {
      summary: "GetAllOrders returns pages of 20 when no limit is given.",
      alsoFails: ["pagination.total-count"],
      request: on("GetAllOrders", (json) => ("limit" in json ? undefined : { ...json, limit: 20 })),
    },
    "get-all-orders-default-20-of-a-wallets-open-orders": {
      summary: "GetAllOrders returns pages of 20 of a wallet's open orders when no limit is given.",
      request: on("GetAllOrders", (json) =>
        json.address && json.onlyOpen === true && json.limit === undefined ? { ...json, limit: 20 } : undefined,
      ),
    },
    "get-all-orders-unlimited-with-address": {
      summary: "GetAllOrders forgets its default limit as soon as an address is given.",
      request: on("GetAllOrders", (json) =>
        !("limit" in json) && json.address ? { ...json, limit: 1000 } : undefined,
      ),
    },
  }),

  ...breaking("get-all-orders.limit-zero", {
    "get-all-orders-limit-0-refused": {
      summary: "GetAllOrders refuses a limit of 0.",
      ...orderRows("GetAllOrders", (rows, { request }) => {
        if (request.limit === 0) throw invalidArgument("limit must be positive");
        return rows;
      }),
    },
    "get-all-orders-limit-0-of-1": {
      summary: "GetAllOrders takes a limit of 0 for 1.",
      request: on("GetAllOrders", (json) => (json.limit === 0 ? { ...json, limit: 1 } : undefined)),
    },
  }),

  ...breaking("get-all-orders.limit-cap", {
    "get-all-orders-over-limit-refused": {
      summary: "GetAllOrders refuses a limit above 1000.",
      parameters: pageLimitsOf("GetAllOrders", (requested) => {
        if (requested > 1000) throw invalidArgument("limit must be at most 1000");
        return requested <= 0 ? 50 : requested;
      }),
    },
    "get-all-orders-largest-limit-refused": {
      summary: "GetAllOrders refuses the largest limit that an int32 holds.",
      alsoFails: ["errors.documented-outcome"],
      parameters: pageLimitsOf("GetAllOrders", (requested) => {
        if (requested === 2 ** 31 - 1) throw invalidArgument("limit is out of range");
        return documented.pageLimit("GetAllOrders", requested);
      }),
    },
    "get-all-orders-over-limit-500": {
      summary: "GetAllOrders caps a limit above 1000 to 500.",
      parameters: pageLimitsOf("GetAllOrders", (requested) =>
        requested <= 0 ? 50 : requested > 1000 ? 500 : requested,
      ),
    },
    "get-all-orders-uncapped": {
      summary: "GetAllOrders has no cap.",
      parameters: pageLimitsOf("GetAllOrders", (requested) => (requested <= 0 ? 50 : requested)),
    },
    "get-all-orders-cap-1001": {
      summary: "GetAllOrders caps to 1001 rows.",
      parameters: pageLimitsOf("GetAllOrders", (requested) => (requested <= 0 ? 50 : Math.min(requested, 1001))),
    },
  }),

  ...breaking("get-all-orders.offset-default", {
    "get-all-orders-offset-default-1": {
      summary: "GetAllOrders skips a row when no offset is given.",
      alsoFails: ["pagination.offset-skips-rows"],
      request: on("GetAllOrders", (json) =>
        "offset" in json || json.address || Number(json.limit ?? 0) > 100 ? undefined : { ...json, offset: 1 },
      ),
    },
  }),

  ...breaking("get-all-orders.address-filter", {
    "get-all-orders-filter-forgotten-on-page-two": {
      summary: "GetAllOrders shows other wallets' orders on the pages after a wallet's first one.",
      alsoFails: [
        "pagination.offset-skips-rows",
        "relations.wallet-orders-agree",
        "get-all-orders.sorted-by-timestamp",
      ],
      ...orderRows("GetAllOrders", (rows, call) => {
        const { address, offset } = call.effective;
        const first = rows[Number(offset)];
        if (!address || !first || Number(offset) === 0) return rows;
        const others = ofAllWallets(call).filter(
          ({ owner, createdAt }) => owner !== address && createdAt < first.createdAt,
        );
        return [...rows.slice(0, Number(offset)), ...others, ...rows].slice(0, rows.length);
      }),
    },
    "get-all-orders-foreign-order": {
      summary: "GetAllOrders ends a wallet's newest open orders with one of another wallet.",
      alsoFails: ["relations.open-orders-agree"],
      ...orderRows("GetAllOrders", (rows, call) => {
        const { address, onlyOpen } = call.effective;
        const foreign = ofAllWallets(call).findLast(({ owner }) => owner !== address);
        return address && onlyOpen && foreign && rows.length > 0 && rows.length < 20 ? [...rows, foreign] : rows;
      }),
    },
  }),

  ...breaking("get-all-orders.address-trimmed", {
    "get-all-orders-address-not-trimmed": {
      summary: "GetAllOrders does not trim the address.",
      alsoFails: ["pagination.total-count"],
      parameters: addressesOf("GetAllOrders", (input) => (input.trim() === "" ? "" : input.toLowerCase())),
    },
    "get-all-orders-address-spaces-trimmed-only": {
      summary: "GetAllOrders trims spaces around the address, but neither tabs nor line ends.",
      alsoFails: ["pagination.total-count"],
      parameters: addressesOf("GetAllOrders", (input) => input.replace(/^ +| +$/g, "").toLowerCase()),
    },
    "get-all-orders-padded-address-ignored": {
      summary: "GetAllOrders lists all wallets' orders when there is whitespace around the address.",
      alsoFails: [
        "pagination.total-count",
        "get-all-orders.unknown-wallet",
        "get-all-orders.address-filter",
        "pagination.offset-skips-rows",
      ],
      parameters: addressesOf("GetAllOrders", (input) => (/\s/.test(input) ? "" : input.toLowerCase())),
    },
  }),

  ...breaking("get-all-orders.address-case-insensitive", {
    "get-all-orders-address-case-sensitive": {
      summary: "GetAllOrders matches the address in lower case only.",
      alsoFails: ["pagination.total-count"],
      parameters: addressesOf("GetAllOrders", (input) => input.trim()),
    },
    "get-all-orders-mixed-case-refused": {
      summary: "GetAllOrders takes an address in mixed case for one with a wrong checksum.",
      alsoFails: ["errors.documented-outcome"],
      parameters: addressesOf("GetAllOrders", (input) => {
        const digits = input.trim().slice(2);
        if (digits !== digits.toLowerCase() && digits !== digits.toUpperCase()) throw invalidArgument("bad checksum");
        return input.trim().toLowerCase();
      }),
    },
  }),

  ...breaking("get-all-orders.unknown-wallet", {
    "get-all-orders-unknown-wallet-not-found": {
      summary: "GetAllOrders answers `not_found` for a wallet without orders.",
      ...orderRows("GetAllOrders", (rows, { effective, dataset }) => {
        if (effective.address && !dataset.wallets.has(String(effective.address))) throw notFound("no such wallet");
        return rows;
      }),
    },
    "get-all-orders-unknown-wallet-lists-all": {
      summary: "GetAllOrders lists all wallets' orders for a wallet without any.",
      ...orderRows("GetAllOrders", (rows, call) =>
        call.effective.address && !call.dataset.wallets.has(String(call.effective.address)) ? ofAllWallets(call) : rows,
      ),
    },
    "get-all-orders-unknown-wallet-total": {
      summary: "GetAllOrders gives the total of all wallets for a wallet without orders.",
      alsoFails: [
        "get-all-orders.limit-default",
        "get-all-orders.limit-zero",
        "pagination.total-count",
        "pagination.row-count",
      ],
      response: editPagination((pagination, { dataset, effective }) => {
        if (effective.address && !dataset.wallets.has(String(effective.address))) {
          pagination.totalCount = String(dataset.orders.length);
        }
      }, "GetAllOrders"),
    },
  }),

  ...breaking("get-all-orders.all-wallets", {
    "get-all-orders-without-some-wallets": {
      summary: "GetAllOrders leaves some wallets out unless they are asked for.",
      ...orderRows("GetAllOrders", (rows, { effective }) =>
        effective.address || effective.onlyOpen ? rows : rows.filter(({ owner }) => !/[048c]$/.test(owner)),
      ),
    },
    "get-all-orders-without-reduce-only": {
      summary: "GetAllOrders lists reduce-only orders of single wallets only.",
      ...orderRows("GetAllOrders", (rows, { effective }) =>
        effective.address || effective.onlyOpen ? rows : rows.filter(({ reduceOnly }) => !reduceOnly),
      ),
    },
  }),

  ...breaking("get-all-orders.only-open", {
    "all-orders-open-ones-of-a-wallet-end-at-1050": {
      summary: "GetAllOrders finds and counts only the newest 1050 open orders of a wallet.",
      alsoFails: ["relations.open-orders-agree"],
      dataset: withManyOpenOrders,
      ...orderRows("GetAllOrders", (rows, { effective }) =>
        effective.onlyOpen === true && effective.address !== "" ? rows.slice(0, 1_050) : rows,
      ),
    },
    "get-all-orders-open-includes-partially-cancelled": {
      summary: "GetAllOrders counts partially cancelled orders among the open ones.",
      alsoFails: ["relations.open-orders-agree"],
      parameters: open(({ status }) => isActiveStatus(status) || status === OrderStatus.PARTIALLY_CANCELLED),
    },
    "get-all-orders-open-lacks-partially-merged": {
      summary: "GetAllOrders does not count partially merged orders among the open ones.",
      alsoFails: ["relations.open-orders-agree", "get-all-orders.all-wallets"],
      parameters: open(({ status }) => isActiveStatus(status) && status !== OrderStatus.PARTIALLY_MERGED),
    },
    "get-all-orders-only-open-ignored-with-address": {
      summary: "GetAllOrders ignores `onlyOpen` when an address is given.",
      alsoFails: ["relations.open-orders-agree"],
      request: on("GetAllOrders", (json) => (json.address ? { ...json, onlyOpen: false } : undefined)),
    },
  }),

  ...breaking("get-all-orders.any-status", {
    "get-all-orders-open-by-default": {
      summary: "GetAllOrders lists open orders only unless `onlyOpen` is given.",
      alsoFails: [
        "get-all-orders.all-wallets",
        "relations.wallet-orders-agree",
        "pagination.total-count",
        "pagination.offset-skips-rows",
      ],
      request: on("GetAllOrders", (json) => ("onlyOpen" in json ? undefined : { ...json, onlyOpen: true })),
    },
    "get-all-orders-only-open-by-presence": {
      summary: "GetAllOrders takes `onlyOpen` for true whenever it is there.",
      alsoFails: ["pagination.total-count", "pagination.offset-skips-rows"],
      request: on("GetAllOrders", (json) =>
        "onlyOpen" in json && json.address ? { ...json, onlyOpen: true } : undefined,
      ),
    },
    "get-all-orders-without-merged": {
      summary: "GetAllOrders does not list merged orders.",
      alsoFails: ["relations.wallet-orders-agree"],
      ...orderRows("GetAllOrders", (rows) => rows.filter(({ status }) => status !== OrderStatus.MERGED)),
    },
  }),

  ...breaking("get-all-orders.sorted-by-timestamp", {
    "get-all-orders-ascending": {
      summary: "GetAllOrders lists the oldest orders of a wallet first.",
      ...orderRows("GetAllOrders", (rows, { effective }) => (effective.address ? [...rows].reverse() : rows)),
    },
    "get-all-orders-sorted-by-update": {
      summary: "GetAllOrders lists the orders that were updated last first.",
      ...orderRows("GetAllOrders", (rows) => descending(rows, ({ updatedAt }) => updatedAt)),
    },
    "get-all-orders-sorted-to-the-second": {
      summary: "GetAllOrders sorts by timestamps cut to seconds, and the older first within one.",
      ...orderRows("GetAllOrders", (rows) =>
        descending([...rows].reverse(), ({ createdAt }) => createdAt / 1_000_000_000n),
      ),
    },
    "get-all-orders-pages-swapped": {
      summary: "GetAllOrders sorts its rows in blocks of 30, the newest block last.",
      ...orderRows("GetAllOrders", (rows, { effective }) => {
        if (effective.onlyOpen !== true || effective.address) return rows;
        return [...rows.slice(30, 60), ...rows.slice(0, 30), ...rows.slice(60)];
      }),
    },
  }),
];
