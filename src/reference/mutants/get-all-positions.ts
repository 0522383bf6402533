import { marketAt } from "../conditional-interceptors.js";
import { breaking, type Mutant, on } from "../modification.js";
import { pageLimitsOf } from "../parameters.js";
import { descending, editPagination, positionRows } from "../resource-interceptors.js";
import { invalidArgument } from "../service/selector.js";

/** Servers that break one rule of §4.1. */
export const getAllPositions: readonly Mutant[] = [
  ...breaking("get-all-positions.limit-default", {
    "get-all-positions-default-49": {
      summary: "GetAllPositions returns pages of 49 when no limit is given.",
      alsoFails: ["pagination.total-count"],
      request: on("GetAllPositions", (json) => ("limit" in json ? undefined : { ...json, limit: 49 })),
    },
    "get-all-positions-unlimited-at-an-offset": {
      summary: "GetAllPositions forgets its default limit as soon as an offset is given.",
      request: on("GetAllPositions", (json) =>
        !("limit" in json) && json.offset ? { ...json, limit: 1000 } : undefined,
      ),
    },
  }),

  ...breaking("get-all-positions.limit-zero", {
    "get-all-positions-limit-0-empty": {
      summary: "GetAllPositions takes a limit of 0 literally.",
      alsoFails: ["pagination.total-count"],
      response: editPagination((pagination, { request }, json) => {
        if (request.limit === 0) {
          pagination.limit = 0;
          json.positions = [];
        }
      }, "GetAllPositions"),
    },
    "get-all-positions-limit-0-unlimited": {
      summary: "GetAllPositions takes a limit of 0 for no limit.",
      request: on("GetAllPositions", (json) => (json.limit === 0 ? { ...json, limit: 1000 } : undefined)),
    },
  }),

  ...breaking("get-all-positions.limit-cap", {
    "get-all-positions-over-limit-refused": {
      summary: "GetAllPositions refuses a limit above 1000.",
      parameters: pageLimitsOf("GetAllPositions", (requested) => {
        if (requested > 1000) throw invalidArgument("limit must be at most 1000");
        return requested <= 0 ? 50 : requested;
      }),
    },
    "get-all-positions-over-limit-default": {
      summary: "GetAllPositions falls back to the default for a limit above 1000.",
      alsoFails: ["pagination.total-count"],
      parameters: pageLimitsOf("GetAllPositions", (requested) => (requested <= 0 || requested > 1000 ? 50 : requested)),
    },
    "get-all-positions-uncapped": {
      summary: "GetAllPositions says that a limit above 1000 is capped and returns as many rows as asked for.",
      parameters: pageLimitsOf("GetAllPositions", (requested) => (requested <= 0 ? 50 : requested)),
      response: editPagination((pagination) => {
        pagination.limit = Math.min(1000, Number(pagination.limit));
      }, "GetAllPositions"),
    },
    "get-all-positions-cap-overflows": {
      summary: "GetAllPositions returns nothing when offset and limit together exceed the int32 range.",
      alsoFails: ["pagination.total-count"],
      response: on("GetAllPositions", (json, { request }) => {
        if (Number(request.limit ?? 0) + Number(request.offset ?? 0) > 2_147_483_647) json.positions = [];
        return json;
      }),
    },
    "get-all-positions-cap-999": {
      summary: "GetAllPositions returns at most 999 rows.",
      alsoFails: ["pagination.limit", "pagination.row-count", "pagination.total-count"],
      parameters: pageLimitsOf("GetAllPositions", (requested) => (requested <= 0 ? 50 : Math.min(requested, 999))),
    },
  }),

  ...breaking("get-all-positions.offset-default", {
    "get-all-positions-offset-default-1": {
      summary: "GetAllPositions skips a row when no offset is given.",
      alsoFails: ["pagination.total-count", "pagination.row-count", "pagination.offset-skips-rows"],
      request: on("GetAllPositions", (json) =>
        "offset" in json || Number(json.limit ?? 0) > 500 ? undefined : { ...json, offset: 1 },
      ),
    },
  }),

  ...breaking("get-all-positions.all-wallets", {
    "get-all-positions-without-a-market": {
      summary: "GetAllPositions leaves the positions of one market out.",
      alsoFails: ["get-all-positions.closed-included"],
      ...positionRows("GetAllPositions", (rows) => rows.filter(({ marketId }) => marketId !== 2n)),
    },
    "get-all-positions-without-some-wallets": {
      summary: "GetAllPositions leaves the positions of some wallets out.",
      alsoFails: ["get-all-positions.closed-included"],
      ...positionRows("GetAllPositions", (rows) => rows.filter(({ owner }) => !/[048c]$/.test(owner))),
    },
  }),

  ...breaking("get-all-positions.closed-included", {
    "get-all-positions-without-closed": {
      summary: "GetAllPositions lists open positions only.",
      ...positionRows("GetAllPositions", (rows) => rows.filter(({ open }) => open)),
    },
    "get-all-positions-closed-gone-in-one-market": {
      summary: "GetAllPositions lists no closed positions of the third market.",
      ...positionRows("GetAllPositions", (rows, { dataset }) => {
        const id = marketAt(dataset, 2)?.id;
        return rows.filter(({ open, marketId }) => open || marketId !== id);
      }),
    },
  }),

  ...breaking("get-all-positions.sorted-by-timestamp", {
    "get-all-positions-ascending": {
      summary: "GetAllPositions lists the oldest positions first.",
      ...positionRows("GetAllPositions", (rows) => [...rows].reverse()),
    },
    "get-all-positions-sorted-by-id": {
      summary: "GetAllPositions lists the positions that were opened last first.",
      ...positionRows("GetAllPositions", (rows) => descending(rows, ({ positionId }) => positionId)),
    },
    "get-all-positions-sorted-to-the-millisecond": {
      summary: "GetAllPositions sorts by timestamps cut to milliseconds, and the older first within one.",
      ...positionRows("GetAllPositions", (rows) =>
        descending([...rows].reverse(), ({ timestamp }) => timestamp / 1_000_000n),
      ),
    },
    "get-all-positions-unsorted-beyond-1000": {
      summary: "GetAllPositions sorts its first 1000 rows only.",
      ...positionRows("GetAllPositions", (rows) => [
        ...rows.slice(0, 1000),
        ...descending(rows.slice(1000), ({ positionId }) => positionId),
      ]),
    },
  }),
];
