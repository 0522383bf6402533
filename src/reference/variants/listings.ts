import { getOrInsert } from "../../specification/get-or-insert.js";
import { type Dataset, mapOrders, mapPositions } from "../dataset/dataset.js";
import { withManyOpenOrders } from "../dataset/many-open-orders.js";
import { on, type Variant } from "../modification.js";
import { documented } from "../parameters.js";
import { editPagination } from "../resource-interceptors.js";
import { invalidArgument, notFound } from "../service/selector.js";

const day = 86_400_000_000_000n;

/** Sorts rows newest first, breaking ties by a number of each row. */
function tiesBy<Row>(
  rows: readonly Row[],
  timeOf: (row: Row) => bigint,
  numberOf: (row: Row) => bigint,
): readonly Row[] {
  const compare = (a: bigint, b: bigint) => (a < b ? 1 : a > b ? -1 : 0);
  return [...rows].sort((a, b) => compare(timeOf(a), timeOf(b)) || compare(numberOf(a), numberOf(b)));
}

/** Returns a function that assigns each row a random number. Each call of this function gives new numbers. */
function anyNumber(): (row: object) => bigint {
  const numbers = new Map<object, bigint>();
  return (row) => getOrInsert(numbers, row, () => BigInt(Math.floor(Math.random() * 1e9)));
}

function inWholeDays(data: Dataset): Dataset {
  return mapPositions(
    mapOrders(data, (order) => ({
      ...order,
      createdAt: order.createdAt - (order.createdAt % day),
      updatedAt: order.updatedAt - (order.updatedAt % day),
    })),
    (position) => ({ ...position, timestamp: position.timestamp - (position.timestamp % day) }),
  );
}

/** Gives all orders and positions the same timestamp. */
const atOneInstant: Variant["dataset"] = (data) => {
  const instant = data.orders[0]?.createdAt ?? 0n;
  return mapPositions(
    mapOrders(data, (order) => ({ ...order, createdAt: instant, updatedAt: instant })),
    (position) => ({ ...position, timestamp: instant }),
  );
};

/** Shuffles rows with equal timestamps on each request. */
const anyOrder: Variant["rows"] = {
  orders: (_endpoint, rows) => tiesBy(rows, (order) => order.createdAt, anyNumber()),
  positions: (_endpoint, rows) => tiesBy(rows, (position) => position.timestamp, anyNumber()),
};

/** Conformant ways to handle pages, filters and addresses (rulings on pagination, R12, S4). */
export const listings: readonly Variant[] = [
  {
    kind: "variant",
    name: "offset-beyond-end-clamped",
    summary: "Pages beyond the end say that as many records were skipped as there are.",
    touches: ["pages"],
    response: editPagination((pagination) => {
      const total = Number(pagination.totalCount ?? 0);
      if (Number(pagination.offset ?? 0) > total) pagination.offset = total;
    }),
  },
  {
    kind: "variant",
    name: "ties-newest-id-first",
    summary: "Rows with equal timestamps come with the greater id first.",
    touches: ["times", "sequence", "pages"],
    rows: {
      orders: (_endpoint, rows) =>
        tiesBy(
          rows,
          (order) => order.createdAt,
          (order) => order.orderId * 2n + BigInt(order.reduceOnly),
        ),
      positions: (_endpoint, rows) =>
        tiesBy(
          rows,
          (position) => position.timestamp,
          (position) => position.positionId,
        ),
    },
  },
  {
    kind: "variant",
    name: "timestamps-of-whole-days",
    summary: "Timestamps have no time of day, so that many rows share one.",
    touches: ["times", "sequence", "pages"],
    dataset: inWholeDays,
  },
  {
    kind: "variant",
    name: "ties-in-another-order-each-time",
    summary: "Timestamps have no time of day, and rows that share one come in another order at each request.",
    warns: ["pagination.tie-order"],
    dataset: inWholeDays,
    rows: anyOrder,
  },
  {
    kind: "variant",
    name: "timestamps-all-alike",
    summary: "All orders and positions were imported at one instant, and carry its timestamp.",
    touches: ["times", "sequence", "pages"],
    dataset: atOneInstant,
  },
  {
    kind: "variant",
    name: "timestamps-all-alike-in-another-order-each-time",
    summary: "All orders and positions carry one timestamp, and come in another order at each request.",
    warns: ["pagination.tie-order"],
    dataset: atOneInstant,
    rows: anyOrder,
  },
  {
    kind: "variant",
    name: "negative-page-numbers-refused",
    summary: "A negative limit or offset is `invalid_argument`.",
    touches: ["pages"],
    parameters: {
      pageLimit: (endpoint, requested) => {
        if (requested < 0) throw invalidArgument("limit must not be negative");
        return documented.pageLimit(endpoint, requested);
      },
      pageOffset: (endpoint, requested) => {
        if (requested < 0) throw invalidArgument("offset must not be negative");
        return documented.pageOffset(endpoint, requested);
      },
    },
  },
  {
    kind: "variant",
    name: "negative-limit-of-one",
    summary: "A negative limit is the smallest page, a negative offset is taken without its sign.",
    touches: ["pages"],
    parameters: {
      pageLimit: (endpoint, requested) => (requested < 0 ? 1 : documented.pageLimit(endpoint, requested)),
      pageOffset: (_endpoint, requested) => Math.abs(requested),
    },
  },
  {
    kind: "variant",
    name: "blank-address-refused",
    summary: "GetAllOrders answers `invalid_argument` for an address that is nothing but whitespace.",
    touches: ["addresses"],
    parameters: {
      address: (endpoint, input) => {
        if (endpoint === "GetAllOrders" && input !== "" && input.trim() === "")
          throw invalidArgument("address is blank");
        return documented.address(endpoint, input);
      },
    },
  },
  {
    kind: "variant",
    name: "malformed-addresses-refused",
    summary: "An address that is not `0x` and 40 hexadecimal digits is `invalid_argument`.",
    touches: ["addresses"],
    parameters: {
      address: (endpoint, input) => {
        const address = documented.address(endpoint, input);
        const omitted = endpoint === "GetAllOrders" && address === "";
        if (!omitted && !/^0x[0-9a-f]{40}$/.test(address)) throw invalidArgument("not an EVM address");
        return address;
      },
    },
  },
  {
    kind: "variant",
    name: "get-orders-lost-market-not-found",
    summary: "GetOrders answers `not_found` for a market whose metadata is gone.",
    touches: ["selectors"],
    rows: {
      orders: (endpoint, rows, { dataset, effective }) => {
        const { marketId } = effective;
        const isLost = typeof marketId === "bigint" && dataset.markets.get(marketId)?.listed === false;
        if (endpoint === "GetOrders" && isLost) throw notFound(`no market with id ${marketId}`);
        return rows;
      },
    },
  },
  {
    kind: "variant",
    name: "empty-listings-without-rows",
    summary: "Listings without rows have neither the array nor zeros, on every page beyond the end.",
    response: on(["GetAllPositions", "GetAllOrders", "GetOrders"], (json, _call) => {
      for (const field of ["orders", "positions"]) {
        const rows = json[field];
        if (Array.isArray(rows) && rows.length === 0) delete json[field];
      }
      return json;
    }),
  },
  {
    kind: "variant",
    name: "more-open-orders-than-fit-on-a-page",
    summary: "A wallet has more open orders than the largest page of a listing holds.",
    dataset: withManyOpenOrders,
  },
  {
    kind: "variant",
    name: "more-open-orders-than-fit-on-a-page-in-any-order",
    summary:
      "A wallet has more open orders than the largest page holds, many at one instant, and ties come in any order.",
    warns: ["pagination.tie-order"],
    dataset: (data) => inWholeDays(withManyOpenOrders(data)),
    rows: anyOrder,
  },
  {
    kind: "variant",
    name: "platform-without-orders",
    summary: "Nobody has traded yet: there are markets and nothing else.",
    server: { orders: 0 },
  },
  {
    kind: "variant",
    name: "platform-of-three-orders",
    summary: "There are hardly any orders yet.",
    server: { orders: 3 },
  },
  {
    kind: "variant",
    name: "platform-of-one-page",
    summary: "All orders and positions fit on one page of the default size.",
    server: { orders: 45 },
  },
  {
    kind: "variant",
    name: "platform-of-one-wallet",
    summary: "All orders and positions are one wallet's.",
    server: { orders: 240 },
    dataset: (data) => withOwners(data, () => data.orders[0]?.owner ?? ""),
  },
  {
    kind: "variant",
    name: "zero-address-is-a-wallet",
    summary: "The wallet of the median order is the zero address.",
    dataset: (data) => {
      const sorted = [...data.orders].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
      const median = sorted[sorted.length >> 1]?.owner;
      return withOwners(data, (owner) => (owner === median ? `0x${"0".repeat(40)}` : owner));
    },
  },
];

/** The same orders and positions, of other wallets. */
function withOwners(data: Dataset, change: (owner: string) => string): Dataset {
  return mapPositions(
    mapOrders(data, (order) => ({ ...order, owner: change(order.owner) })),
    (position) => ({ ...position, owner: change(position.owner) }),
  );
}
