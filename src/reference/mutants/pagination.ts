import { Code, ConnectError } from "@connectrpc/connect";
import { type MutableJsonObject, objectAt, objectsAt, raw } from "../json.js";
import { breaking, type CallContext, type Mutant, on } from "../modification.js";

const paged = ["GetAllPositions", "GetAllOrders"] as const;

/** Edits the pagination object of both listings in place. */
const paginationOf = (
  change: (pagination: MutableJsonObject, rows: readonly MutableJsonObject[], call: CallContext) => void,
): Mutant["response"] =>
  on(paged, (json, call) => {
    const pagination = objectAt(json, "pagination");
    if (pagination) change(pagination, [...objectsAt(json, "orders"), ...objectsAt(json, "positions")], call);
    return json;
  });

/** A requested or effective number; 0 when absent. */
const numberOf = (value: unknown): number => Number(value ?? 0);

/** Rearranges the rows so that a page at `offset` starts with row `first`, keeping their number. */
function startingAt<Row>(rows: readonly Row[], offset: number, first: number): readonly Row[] {
  return [...rows.slice(0, offset), ...rows.slice(first), ...rows].slice(0, rows.length);
}

/** Reverses the order of rows with equal times. */
function withTiesReversed<Row>(rows: readonly Row[], timeOf: (row: Row) => bigint): readonly Row[] {
  const ties: Row[][] = [];
  for (const row of rows) {
    const last = ties.at(-1);
    const [first] = last ?? [];
    if (last && first && timeOf(first) === timeOf(row)) last.unshift(row);
    else ties.push([row]);
  }
  return ties.flat();
}

/** Servers that break one rule of §2 PaginationInfo. */
export const pagination: readonly Mutant[] = [
  ...breaking("pagination.present", {
    "pagination-missing-on-empty-pages": {
      summary: "Pages without rows come without a pagination object.",
      response: on(paged, (json) => {
        if (objectsAt(json, "orders").length + objectsAt(json, "positions").length === 0) delete json.pagination;
        return json;
      }),
    },
    "pagination-missing-with-only-open": {
      summary: "GetAllOrders leaves the pagination object out when it lists open orders.",
      response: on("GetAllOrders", (json, { request }) => {
        if (request.onlyOpen === true) delete json.pagination;
        return json;
      }),
    },
  }),

  ...breaking("pagination.limit", {
    "page-limit-is-row-count": {
      summary: "`pagination.limit` is the number of rows returned, so that it shrinks on the last page.",
      response: paginationOf((pagination, rows, { request }) => {
        if (numberOf(request.limit) > 0 && numberOf(request.limit) <= 1000) pagination.limit = rows.length;
      }),
    },
    "page-limit-cut-to-500": {
      summary: "GetAllOrders takes page sizes from 501 to 1000 for 500.",
      alsoFails: ["pagination.row-count", "pagination.total-count"],
      parameters: {
        pageLimit: (endpoint, requested) => {
          const limit = requested <= 0 ? 50 : Math.min(requested, 1000);
          return endpoint === "GetAllOrders" && requested > 500 && requested <= 1000 ? 500 : limit;
        },
      },
    },
    "page-limit-of-1-ignored": {
      summary: "GetAllPositions says that its page size is 50 when one row was asked for.",
      response: on("GetAllPositions", (json, { request }) => {
        const pagination = objectAt(json, "pagination");
        if (pagination && request.limit === 1) pagination.limit = 50;
        return json;
      }),
    },
  }),

  ...breaking("pagination.offset", {
    "page-offset-is-page-number": {
      summary: "`pagination.offset` is the number of pages skipped.",
      response: paginationOf((pagination, rows) => {
        if (rows.length > 0) pagination.offset = Math.floor(numberOf(pagination.offset) / numberOf(pagination.limit));
      }),
    },
    "page-offset-is-next-offset": {
      summary: "`pagination.offset` of pages after the first one is where the next page starts.",
      response: paginationOf((pagination, rows) => {
        if (numberOf(pagination.offset) > 0) pagination.offset = numberOf(pagination.offset) + rows.length;
      }),
    },
    "page-offset-zero-with-address": {
      summary: "GetAllOrders says that it skipped nothing when it lists one wallet.",
      response: on("GetAllOrders", (json, { request }) => {
        const pagination = objectAt(json, "pagination");
        if (pagination && request.address && objectsAt(json, "orders").length > 0) pagination.offset = 0;
        return json;
      }),
    },
  }),

  ...breaking("pagination.offset-skips-rows", {
    "offset-of-a-wallet-3000-at-most": {
      summary: "GetAllOrders takes an offset above 3000 for 3000 when an address is given.",
      alsoFails: ["relations.wallet-orders-agree"],
      server: { orders: 700, walletOrders: 4_200 },
      rows: {
        orders: (endpoint, rows, { effective }) => {
          const offset = numberOf(effective.offset);
          const isMeant = endpoint === "GetAllOrders" && effective.address !== "" && offset > 3_000;
          return isMeant ? startingAt(rows, offset, 3_000) : rows;
        },
      },
    },
    "every-page-is-page-one": {
      summary: "GetAllPositions returns the first rows at every offset.",
      rows: {
        positions: (endpoint, rows, { effective }) =>
          endpoint === "GetAllPositions" ? startingAt(rows, numberOf(effective.offset), 0) : rows,
      },
    },
    "offset-takes-effect-beside-a-limit-alone": {
      summary: "GetAllPositions returns the first rows when an offset comes without a limit.",
      alsoFails: ["get-all-positions.limit-default"],
      rows: {
        positions: (endpoint, rows, { effective, request }) =>
          endpoint === "GetAllPositions" && !request.limit ? startingAt(rows, numberOf(effective.offset), 0) : rows,
      },
    },
    "order-pages-overlap-by-one": {
      summary: "Each page of GetAllOrders after the first one starts with the last row of the page before it.",
      alsoFails: ["get-all-orders.all-wallets", "pagination.tie-order", "relations.wallet-orders-agree"],
      rows: {
        orders: (endpoint, rows, { effective }) => {
          const offset = numberOf(effective.offset);
          return endpoint === "GetAllOrders" && offset > 0 ? startingAt(rows, offset, offset - 1) : rows;
        },
      },
    },
    "position-pages-skip-a-row": {
      summary: "Pages of GetAllPositions at an offset of 50 or more leave one row out.",
      alsoFails: ["get-all-positions.sorted-by-timestamp", "pagination.tie-order"],
      rows: {
        positions: (endpoint, rows, { effective }) => {
          const offset = numberOf(effective.offset);
          return endpoint === "GetAllPositions" && offset >= 50 ? startingAt(rows, offset, offset + 1) : rows;
        },
      },
    },
    "order-offset-capped-at-1000": {
      summary: "GetAllOrders never skips more than 1000 rows, but fills the page all the same.",
      rows: {
        orders: (endpoint, rows, { effective }) => {
          const offset = numberOf(effective.offset);
          return endpoint === "GetAllOrders" && offset > 1000 ? startingAt(rows, offset, 1000) : rows;
        },
      },
    },
    "order-offset-ignored-with-address": {
      summary: "GetAllOrders starts a wallet's orders from the first one at every offset.",
      alsoFails: ["relations.wallet-orders-agree"],
      rows: {
        orders: (endpoint, rows, { effective }) =>
          endpoint === "GetAllOrders" && effective.address ? startingAt(rows, numberOf(effective.offset), 0) : rows,
      },
    },
  }),

  ...breaking("pagination.tie-order", {
    "ties-reversed-after-page-one": {
      summary: "Rows with equal timestamps come in another order on pages after the first one.",
      rows: {
        orders: (endpoint, rows, { effective }) =>
          endpoint === "GetAllOrders" && numberOf(effective.offset) > 0
            ? withTiesReversed(rows, (order) => order.createdAt)
            : rows,
        positions: (endpoint, rows, { effective }) =>
          endpoint === "GetAllPositions" && numberOf(effective.offset) > 0
            ? withTiesReversed(rows, (position) => position.timestamp)
            : rows,
      },
    },
    "ties-ordered-by-page-end": {
      summary: "Which of two positions with equal timestamps comes first depends on where the page ends.",
      rows: {
        positions: (endpoint, rows, { effective }) =>
          endpoint === "GetAllPositions" && (numberOf(effective.offset) + numberOf(effective.limit)) % 2 === 1
            ? withTiesReversed(rows, (position) => position.timestamp)
            : rows,
      },
    },
  }),

  ...breaking("pagination.row-count", {
    "large-order-pages-cut-at-500": {
      summary: "GetAllOrders promises pages of 501 to 1000 rows and returns 500.",
      alsoFails: ["pagination.total-count"],
      response: on("GetAllOrders", (json, { request }) => {
        if (numberOf(request.limit) <= 1000 && Array.isArray(json.orders))
          json.orders.length = Math.min(500, json.orders.length);
        return json;
      }),
    },
    "page-up-to-the-last-row-but-one-with-the-last": {
      summary: "GetAllPositions adds the last row to a page that ends just before it.",
      alsoFails: ["pagination.limit", "pagination.total-count"],
      request: on("GetAllPositions", (json, { dataset }) => {
        const [limit, offset] = [numberOf(json.limit), numberOf(json.offset)];
        return limit > 1 && offset + limit === dataset.positions.length - 1 ? { ...json, limit: limit + 1 } : undefined;
      }),
    },
    "page-with-peek-row": {
      summary: "Pages of GetAllPositions hold the row that told the server that there is a next page.",
      alsoFails: ["get-all-positions.limit-default"],
      parameters: {
        pageLimit: (endpoint, requested) => {
          if (requested <= 0 || requested > 1000) return requested <= 0 ? 50 : 1000;
          return endpoint === "GetAllPositions" ? requested + 1 : requested;
        },
      },
      response: on("GetAllPositions", (json, { request }) => {
        const pagination = objectAt(json, "pagination");
        const requested = numberOf(request.limit);
        if (pagination && requested > 0 && requested <= 1000) pagination.limit = requested;
        return json;
      }),
    },
    "last-page-short-by-one": {
      summary: "The last page of GetAllPositions lacks its last row.",
      alsoFails: ["pagination.total-count", "get-all-positions.limit-default"],
      response: on("GetAllPositions", (json, { effective, request }) => {
        const rows = json.positions;
        const size = numberOf(request.limit);
        if (size >= 10 && size <= 1000 && Array.isArray(rows) && rows.length < numberOf(effective.limit)) rows.pop();
        return json;
      }),
    },
  }),

  ...breaking("pagination.total-count", {
    "all-orders-of-a-small-wallet-one-too-many": {
      summary: "GetAllOrders counts one order too many for a wallet with few orders.",
      alsoFails: ["pagination.row-count"],
      response: on("GetAllOrders", (json, { dataset, effective }) => {
        const pagination = objectAt(json, "pagination");
        const count = dataset.wallets.get(String(effective.address))?.orders.length ?? 0;
        if (pagination && !effective.onlyOpen && count > 0 && count < 40) pagination.totalCount = String(count + 1);
        return json;
      }),
    },
    "position-total-capped-at-1000": {
      summary: "`totalCount` of GetAllPositions never exceeds the largest page.",
      alsoFails: ["pagination.row-count", "pagination.offset-beyond-end"],
      response: on("GetAllPositions", (json) => {
        const pagination = objectAt(json, "pagination");
        if (pagination) pagination.totalCount = Math.min(1000, numberOf(pagination.totalCount));
        return json;
      }),
    },
    "order-total-ignores-address": {
      summary: "`totalCount` of one wallet's orders counts those of all wallets.",
      alsoFails: [
        "pagination.row-count",
        "get-all-orders.unknown-wallet",
        "get-all-orders.limit-zero",
        "get-all-orders.limit-default",
        "get-all-orders.limit-cap",
      ],
      response: on("GetAllOrders", (json, { dataset, request }) => {
        const pagination = objectAt(json, "pagination");
        if (pagination && request.address) pagination.totalCount = String(dataset.orders.length);
        return json;
      }),
    },
    "order-total-ignores-only-open": {
      summary: "`totalCount` of open orders counts those of any status.",
      alsoFails: [
        "pagination.row-count",
        "get-all-orders.limit-cap",
        "get-all-orders.limit-default",
        "get-all-orders.limit-zero",
      ],
      response: on("GetAllOrders", (json, { dataset, request }) => {
        const pagination = objectAt(json, "pagination");
        if (pagination && request.onlyOpen === true && !request.address) {
          pagination.totalCount = String(dataset.orders.length);
        }
        return json;
      }),
    },
    "order-total-is-page-rows": {
      summary: "`totalCount` of all wallets' orders is the number of rows on the page.",
      alsoFails: ["pagination.row-count", "pagination.offset-beyond-end"],
      response: on("GetAllOrders", (json, { request }) => {
        const pagination = objectAt(json, "pagination");
        if (pagination && !request.address) pagination.totalCount = String(objectsAt(json, "orders").length);
        return json;
      }),
    },
    "position-total-one-too-high": {
      summary: "`totalCount` of GetAllPositions counts one record too many.",
      alsoFails: ["pagination.row-count", "get-all-positions.limit-cap", "get-all-positions.limit-default"],
      response: on("GetAllPositions", (json) => {
        const pagination = objectAt(json, "pagination");
        if (pagination) pagination.totalCount = numberOf(pagination.totalCount) + 1;
        return json;
      }),
    },
  }),

  ...breaking("pagination.total-count-integer", {
    "position-total-as-string": {
      summary: "`totalCount` of GetAllPositions is a decimal string.",
      response: on("GetAllPositions", (json) => {
        const pagination = objectAt(json, "pagination");
        if (pagination) pagination.totalCount = String(pagination.totalCount ?? 0);
        return json;
      }),
    },
    "position-total-with-fraction": {
      summary: "`totalCount` of GetAllPositions is an estimate with a fraction.",
      alsoFails: ["pagination.total-count", "pagination.row-count", "get-all-positions.limit-cap"],
      response: on("GetAllPositions", (json) => {
        const pagination = objectAt(json, "pagination");
        if (pagination) pagination.totalCount = numberOf(pagination.totalCount) + 0.5;
        return json;
      }),
    },
  }),

  ...breaking("pagination.total-count-decimal-string", {
    "order-total-as-number": {
      summary: "`totalCount` of GetAllOrders is a JSON number.",
      response: on("GetAllOrders", (json) => {
        const pagination = objectAt(json, "pagination");
        if (pagination) pagination.totalCount = raw(String(pagination.totalCount ?? 0));
        return json;
      }),
    },
    "order-total-as-number-with-address": {
      summary: "`totalCount` of one wallet's orders is a JSON number.",
      response: on("GetAllOrders", (json, { request }) => {
        const pagination = objectAt(json, "pagination");
        if (pagination && request.address) pagination.totalCount = raw(String(pagination.totalCount ?? 0));
        return json;
      }),
    },
    "order-total-with-separators": {
      summary: "`totalCount` of GetAllOrders is written for people: `2,700`.",
      response: on("GetAllOrders", (json) => {
        const pagination = objectAt(json, "pagination");
        if (pagination) pagination.totalCount = numberOf(pagination.totalCount).toLocaleString("en-US");
        return json;
      }),
    },
  }),

  ...breaking("pagination.offset-beyond-end", {
    "offset-beyond-end-refused": {
      summary: "An offset beyond the end of the orders is `out_of_range`.",
      alsoFails: ["errors.documented-outcome"],
      rows: {
        orders: (endpoint, rows, { effective }) => {
          if (endpoint === "GetAllOrders" && numberOf(effective.offset) > rows.length) {
            throw new ConnectError("offset is beyond the end of the listing", Code.OutOfRange);
          }
          return rows;
        },
      },
    },
    "offset-beyond-end-starts-over": {
      summary: "An offset beyond the end of the positions starts again at the first row.",
      alsoFails: ["pagination.row-count", "pagination.total-count"],
      request: on("GetAllPositions", (json, { dataset }) =>
        numberOf(json.offset) > dataset.positions.length ? { ...json, offset: 0 } : undefined,
      ),
    },
    "offset-beyond-end-echoes-zero": {
      summary: "Pages beyond the end say that nothing was skipped.",
      alsoFails: ["pagination.offset"],
      response: paginationOf((pagination, rows) => {
        if (rows.length === 0) delete pagination.offset;
      }),
    },
  }),
];
