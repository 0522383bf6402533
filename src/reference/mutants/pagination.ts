import { Code, ConnectError } from "@connectrpc/connect";
import { type MutableJsonObject, objectsAt, raw } from "../json.js";
import { breaking, type Mutant, on } from "../modification.js";
import { documented, pageLimitsOf } from "../parameters.js";
import { editPagination, orderRows, positionRows, startingAt, walletOf } from "../resource-interceptors.js";

const paged = ["GetAllPositions", "GetAllOrders"] as const;

/** The rows of a page of either listing. */
const rowsOf = (json: MutableJsonObject) => [...objectsAt(json, "orders"), ...objectsAt(json, "positions")];

/** A requested or effective number; 0 when absent. */
const numberOf = (value: unknown) => Number(value ?? 0);

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
        if (rowsOf(json).length === 0) delete json.pagination;
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
      response: editPagination((pagination, { request }, json) => {
        const requested = numberOf(request.limit);
        if (requested > 0 && requested <= 1000) pagination.limit = rowsOf(json).length;
      }),
    },
    "page-limit-cut-to-500": {
      summary: "GetAllOrders takes page sizes from 501 to 1000 for 500.",
      alsoFails: ["pagination.row-count", "pagination.total-count"],
      parameters: pageLimitsOf("GetAllOrders", (requested) =>
        requested > 500 && requested <= 1000 ? 500 : documented.pageLimit("GetAllOrders", requested),
      ),
    },
    "page-limit-of-1-ignored": {
      summary: "GetAllPositions says that its page size is 50 when one row was asked for.",
      response: editPagination((pagination, { request }) => {
        if (request.limit === 1) pagination.limit = 50;
      }, "GetAllPositions"),
    },
  }),

  ...breaking("pagination.offset", {
    "page-offset-is-page-number": {
      summary: "`pagination.offset` is the number of pages skipped.",
      response: editPagination((pagination, _context, json) => {
        if (rowsOf(json).length > 0)
          pagination.offset = Math.floor(numberOf(pagination.offset) / numberOf(pagination.limit));
      }),
    },
    "page-offset-is-next-offset": {
      summary: "`pagination.offset` of pages after the first one is where the next page starts.",
      response: editPagination((pagination, _context, json) => {
        const offset = numberOf(pagination.offset);
        if (offset > 0) pagination.offset = offset + rowsOf(json).length;
      }),
    },
    "page-offset-zero-with-address": {
      summary: "GetAllOrders says that it skipped nothing when it lists one wallet.",
      response: editPagination((pagination, { request }, json) => {
        if (request.address && objectsAt(json, "orders").length > 0) pagination.offset = 0;
      }, "GetAllOrders"),
    },
  }),

  ...breaking("pagination.offset-skips-rows", {
    "offset-of-a-wallet-3000-at-most": {
      summary: "GetAllOrders takes an offset above 3000 for 3000 when an address is given.",
      alsoFails: ["relations.wallet-orders-agree"],
      server: { orders: 700, walletOrders: 4_200 },
      ...orderRows("GetAllOrders", (rows, { effective }) => {
        const offset = numberOf(effective.offset);
        const isMeant = effective.address !== "" && offset > 3_000;
        return isMeant ? startingAt(rows, offset, 3_000) : rows;
      }),
    },
    "every-page-is-page-one": {
      summary: "GetAllPositions returns the first rows at every offset.",
      ...positionRows("GetAllPositions", (rows, { effective }) => startingAt(rows, numberOf(effective.offset), 0)),
    },
    "offset-takes-effect-beside-a-limit-alone": {
      summary: "GetAllPositions returns the first rows when an offset comes without a limit.",
      alsoFails: ["get-all-positions.limit-default"],
      ...positionRows("GetAllPositions", (rows, { effective, request }) =>
        !request.limit ? startingAt(rows, numberOf(effective.offset), 0) : rows,
      ),
    },
    "order-pages-overlap-by-one": {
      summary: "Each page of GetAllOrders after the first one starts with the last row of the page before it.",
      alsoFails: ["get-all-orders.all-wallets", "pagination.tie-order", "relations.wallet-orders-agree"],
      ...orderRows("GetAllOrders", (rows, { effective }) => {
        const offset = numberOf(effective.offset);
        return offset > 0 ? startingAt(rows, offset, offset - 1) : rows;
      }),
    },
    "position-pages-skip-a-row": {
      summary: "Pages of GetAllPositions at an offset of 50 or more leave one row out.",
      alsoFails: ["get-all-positions.sorted-by-timestamp", "pagination.tie-order"],
      ...positionRows("GetAllPositions", (rows, { effective }) => {
        const offset = numberOf(effective.offset);
        return offset >= 50 ? startingAt(rows, offset, offset + 1) : rows;
      }),
    },
    "order-offset-capped-at-1000": {
      summary: "GetAllOrders never skips more than 1000 rows, but fills the page all the same.",
      ...orderRows("GetAllOrders", (rows, { effective }) => {
        const offset = numberOf(effective.offset);
        return offset > 1000 ? startingAt(rows, offset, 1000) : rows;
      }),
    },
    "order-offset-ignored-with-address": {
      summary: "GetAllOrders starts a wallet's orders from the first one at every offset.",
      alsoFails: ["relations.wallet-orders-agree"],
      ...orderRows("GetAllOrders", (rows, { effective }) =>
        effective.address ? startingAt(rows, numberOf(effective.offset), 0) : rows,
      ),
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
      ...positionRows("GetAllPositions", (rows, { effective }) =>
        (numberOf(effective.offset) + numberOf(effective.limit)) % 2 === 1
          ? withTiesReversed(rows, (position) => position.timestamp)
          : rows,
      ),
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
      parameters: pageLimitsOf("GetAllPositions", (requested) =>
        requested > 0 && requested <= 1000 ? requested + 1 : documented.pageLimit("GetAllPositions", requested),
      ),
      response: editPagination((pagination, { request }) => {
        const requested = numberOf(request.limit);
        if (requested > 0 && requested <= 1000) pagination.limit = requested;
      }, "GetAllPositions"),
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
      response: editPagination((pagination, call) => {
        const count = walletOf(call).orders.length;
        if (!call.effective.onlyOpen && count > 0 && count < 40) pagination.totalCount = String(count + 1);
      }, "GetAllOrders"),
    },
    "position-total-capped-at-1000": {
      summary: "`totalCount` of GetAllPositions never exceeds the largest page.",
      alsoFails: ["pagination.row-count", "pagination.offset-beyond-end"],
      response: editPagination((pagination) => {
        pagination.totalCount = Math.min(1000, numberOf(pagination.totalCount));
      }, "GetAllPositions"),
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
      response: editPagination((pagination, { dataset, request }) => {
        if (request.address) pagination.totalCount = String(dataset.orders.length);
      }, "GetAllOrders"),
    },
    "order-total-ignores-only-open": {
      summary: "`totalCount` of open orders counts those of any status.",
      alsoFails: [
        "pagination.row-count",
        "get-all-orders.limit-cap",
        "get-all-orders.limit-default",
        "get-all-orders.limit-zero",
      ],
      response: editPagination((pagination, { dataset, request }) => {
        if (request.onlyOpen === true && !request.address) pagination.totalCount = String(dataset.orders.length);
      }, "GetAllOrders"),
    },
    "order-total-is-page-rows": {
      summary: "`totalCount` of all wallets' orders is the number of rows on the page.",
      alsoFails: ["pagination.row-count", "pagination.offset-beyond-end"],
      response: editPagination((pagination, { request }, json) => {
        if (!request.address) pagination.totalCount = String(objectsAt(json, "orders").length);
      }, "GetAllOrders"),
    },
    "position-total-one-too-high": {
      summary: "`totalCount` of GetAllPositions counts one record too many.",
      alsoFails: ["pagination.row-count", "get-all-positions.limit-cap", "get-all-positions.limit-default"],
      response: editPagination((pagination) => {
        pagination.totalCount = numberOf(pagination.totalCount) + 1;
      }, "GetAllPositions"),
    },
  }),

  ...breaking("pagination.total-count-integer", {
    "position-total-as-string": {
      summary: "`totalCount` of GetAllPositions is a decimal string.",
      response: editPagination((pagination) => {
        pagination.totalCount = String(pagination.totalCount ?? 0);
      }, "GetAllPositions"),
    },
    "position-total-with-fraction": {
      summary: "`totalCount` of GetAllPositions is an estimate with a fraction.",
      alsoFails: ["pagination.total-count", "pagination.row-count", "get-all-positions.limit-cap"],
      response: editPagination((pagination) => {
        pagination.totalCount = numberOf(pagination.totalCount) + 0.5;
      }, "GetAllPositions"),
    },
  }),

  ...breaking("pagination.total-count-decimal-string", {
    "order-total-as-number": {
      summary: "`totalCount` of GetAllOrders is a JSON number.",
      response: editPagination((pagination) => {
        pagination.totalCount = raw(String(pagination.totalCount ?? 0));
      }, "GetAllOrders"),
    },
    "order-total-as-number-with-address": {
      summary: "`totalCount` of one wallet's orders is a JSON number.",
      response: editPagination((pagination, { request }) => {
        if (request.address) pagination.totalCount = raw(String(pagination.totalCount ?? 0));
      }, "GetAllOrders"),
    },
    "order-total-with-separators": {
      summary: "`totalCount` of GetAllOrders is written for people: `2,700`.",
      response: editPagination((pagination) => {
        pagination.totalCount = numberOf(pagination.totalCount).toLocaleString("en-US");
      }, "GetAllOrders"),
    },
  }),

  ...breaking("pagination.offset-beyond-end", {
    "offset-beyond-end-refused": {
      summary: "An offset beyond the end of the orders is `out_of_range`.",
      alsoFails: ["errors.documented-outcome"],
      ...orderRows("GetAllOrders", (rows, { effective }) => {
        if (numberOf(effective.offset) > rows.length) {
          throw new ConnectError("offset is beyond the end of the listing", Code.OutOfRange);
        }
        return rows;
      }),
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
      response: editPagination((pagination, _context, json) => {
        if (rowsOf(json).length === 0) delete pagination.offset;
      }),
    },
  }),
];
