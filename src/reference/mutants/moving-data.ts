import type { positionEndpoints } from "../../specification/endpoints.js";
import { getOrInsert } from "../../specification/get-or-insert.js";
import { type MutableJsonObject, objectsAt } from "../json.js";
import { breaking, type CallContext, type HttpReply, type Mutant } from "../modification.js";
import {
  editListedOrders,
  editPortfolio,
  editPositions,
  isClosed,
  orderRows,
  positionRows,
  walletOf,
} from "../resource-interceptors.js";

/** Server of mutants whose fault shows only while data change. */
const moving = { churn: true } as const;

/** Few wallets and many changes, so that positions open and close in each of them within seconds. */
const busy = { churn: 10, orders: 150 } as const;

/** Few wallets, and margins that change every second or so. */
const marginsMoving = { churn: true, marginChanges: true, orders: 150 } as const;

const aMinute = 60_000;

/** Caches computed values by key for `forMs` milliseconds. */
function cache<T>(forMs: number): (call: CallContext, key: string, compute: () => T) => T {
  const kept = new Map<string, { readonly until: number; readonly value: T }>();
  return ({ headers, now }, key, compute) => {
    const whole = `${headers.get("host")} ${key}`;
    const known = kept.get(whole);
    if (known && now() < known.until) return known.value;
    if (kept.size > 10_000) kept.clear();
    const value = compute();
    kept.set(whole, { until: now() + forMs, value });
    return value;
  };
}

/** Keeps the values of a stream's first message. */
function firstMessages<T>(): (call: CallContext, key: string, compute: () => T) => T {
  const kept = new WeakMap<CallContext, Map<string, T>>();
  return (call, key, compute) =>
    getOrInsert(
      getOrInsert(kept, call, () => new Map<string, T>()),
      key,
      compute,
    );
}

const keyOf = (position: { readonly positionId?: unknown; readonly marketId?: unknown }) =>
  `${position.positionId} ${position.marketId}`;

const ofListing = cache<number>(aMinute);
const ofPortfolio = cache<number>(aMinute);
const ofStream = firstMessages<number>();
const ofTotals = cache<number>(aMinute);
const ofThreeSeconds = cache<number>(3_000);
const ofFirstReads = cache<number>(Number.POSITIVE_INFINITY);
const ofReplies = cache<HttpReply>(10_000);
const listedFirst = firstMessages<ReadonlySet<string>>();
const ofStatuses = cache<string>(aMinute);
const openBefore = cache<Set<string>>(aMinute);

/** Shows the status an opening order had when it was first shown. */
function keepsStatus(order: MutableJsonObject, call: CallContext): void {
  if (order.reduceOnly === true) return;
  order.status = ofStatuses(call, `status ${order.orderId} ${order.marketId}`, () => String(order.status));
}

/** Shows the margin a position had when the operation first showed it. */
function keepsMargin(endpoint: (typeof positionEndpoints)[number], first: typeof ofFirstReads) {
  return editPositions((position, call) => {
    const margin = () => Number(position.allocatedMargin);
    position.allocatedMargin = first(call, `margin ${keyOf(position)}`, margin);
  }, endpoint);
}

function isOfSmallWallet(call: CallContext): boolean {
  return walletOf(call).positions.filter(({ open }) => open).length < 8;
}

/** The total fields of a portfolio. */
const totals = [
  "totalMargin",
  "totalUnrealizedPnl",
  "totalRealizedPnl",
  "totalVolume",
  "totalFees",
  "totalProfit",
  "totalLoss",
  "totalEquity",
] as const;

/** Servers that show stale values or positions while data change (R17, T4). */
export const movingData: readonly Mutant[] = [
  ...breaking("position.mark-price-current", {
    "get-all-positions-mark-price-of-a-minute": {
      summary: "GetAllPositions takes mark prices from a table that is refreshed every minute.",
      alsoFails: ["position.closed-mark-price", "position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        position.markPrice = ofListing(call, `mark ${position.marketId}`, () => Number(position.markPrice));
      }, "GetAllPositions"),
    },
    "get-all-positions-mark-price-of-one-market-kept": {
      summary: "GetAllPositions looks the mark price of one market up only once a minute.",
      alsoFails: ["position.closed-mark-price", "position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        if (position.marketId !== "7") return;
        position.markPrice = ofListing(call, `mark ${position.marketId}`, () => Number(position.markPrice));
      }, "GetAllPositions"),
    },
    "get-all-positions-mark-price-of-closed-positions-of-a-minute": {
      summary: "GetAllPositions looks the mark price of a closed position up only once a minute.",
      alsoFails: ["position.closed-mark-price", "position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        if (!isClosed(call, position)) return;
        position.markPrice = ofListing(call, `closed ${keyOf(position)}`, () => Number(position.markPrice));
      }, "GetAllPositions"),
    },
    "stream-mark-price-of-the-first-message": {
      summary: "The stream looks mark prices up once, for its first message.",
      alsoFails: ["position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        position.markPrice = ofStream(call, `mark ${position.marketId}`, () => Number(position.markPrice));
      }, "GetOpenPositionsStreaming"),
    },
    "portfolio-mark-price-of-small-wallets-kept": {
      summary:
        "GetPortfolio looks mark prices up only once a minute for a wallet with fewer than eight open positions.",
      alsoFails: ["position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        if (!isOfSmallWallet(call)) return;
        const mark = () => Number(position.markPrice);
        position.markPrice = ofPortfolio(call, `small ${keyOf(position)}`, mark);
      }, "GetPortfolio"),
    },
    "portfolio-mark-price-of-shorts-kept": {
      summary: "GetPortfolio looks the mark price of a short position up only once a minute.",
      alsoFails: ["position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        if (position.side !== "SIDE_SHORT") return;
        position.markPrice = ofPortfolio(call, `mark ${keyOf(position)}`, () => Number(position.markPrice));
      }, "GetPortfolio"),
    },
  }),

  ...breaking("position.unrealized-pnl-recomputed", {
    "portfolio-pnl-of-small-wallets-kept": {
      summary:
        "GetPortfolio computes the unrealized PnL of a wallet with fewer than eight open positions only once a minute.",
      alsoFails: ["position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        if (!isOfSmallWallet(call)) return;
        const computed = () => Number(position.unrealizedPnl ?? 0);
        position.unrealizedPnl = ofPortfolio(call, `small pnl ${keyOf(position)}`, computed);
      }, "GetPortfolio"),
    },
    "get-all-positions-pnl-of-a-minute": {
      summary: "GetAllPositions takes the unrealized PnL of positions from a table that is refreshed every minute.",
      alsoFails: ["position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        position.unrealizedPnl = ofListing(call, `pnl ${keyOf(position)}`, () => Number(position.unrealizedPnl ?? 0));
      }, "GetAllPositions"),
    },
    "get-all-positions-pnl-of-closed-positions-of-a-minute": {
      summary: "GetAllPositions computes the unrealized PnL of a closed position only once a minute.",
      alsoFails: ["position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        if (!isClosed(call, position)) return;
        const computed = () => Number(position.unrealizedPnl ?? 0);
        position.unrealizedPnl = ofListing(call, `closed pnl ${keyOf(position)}`, computed);
      }, "GetAllPositions"),
    },
    "stream-pnl-of-the-first-message": {
      summary: "The stream computes the unrealized PnL of a position once, for its first message.",
      alsoFails: ["position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        position.unrealizedPnl = ofStream(call, `pnl ${keyOf(position)}`, () => Number(position.unrealizedPnl ?? 0));
      }, "GetOpenPositionsStreaming"),
    },
    "portfolio-pnl-of-a-minute": {
      summary: "GetPortfolio keeps the unrealized PnL of a position for a minute; the totals are right.",
      alsoFails: ["position.unrealized-pnl-sign"],
      server: moving,
      response: editPositions((position, call) => {
        position.unrealizedPnl = ofPortfolio(call, `pnl ${keyOf(position)}`, () => Number(position.unrealizedPnl ?? 0));
      }, "GetPortfolio"),
    },
  }),

  ...breaking("get-portfolio.totals-not-cached", {
    "portfolio-totals-of-a-minute": {
      summary: "GetPortfolio keeps the totals of a wallet for a minute.",
      server: moving,
      response: editPortfolio((portfolio, call) => {
        for (const total of totals) {
          portfolio[total] = ofTotals(call, `${portfolio.owner} ${total}`, () => Number(portfolio[total] ?? 0));
        }
      }),
    },
    "portfolio-unrealized-total-of-three-seconds": {
      summary: "GetPortfolio sums the unrealized PnL of a wallet up every three seconds.",
      server: moving,
      response: editPortfolio((portfolio, call) => {
        const sum = () => Number(portfolio.totalUnrealizedPnl ?? 0);
        portfolio.totalUnrealizedPnl = ofThreeSeconds(call, `${portfolio.owner} sum`, sum);
      }),
    },
    "portfolio-unrealized-total-of-the-first-read": {
      summary: "GetPortfolio sums the unrealized PnL of a wallet up once, and never again.",
      server: moving,
      response: editPortfolio((portfolio, call) => {
        const sum = () => Number(portfolio.totalUnrealizedPnl ?? 0);
        portfolio.totalUnrealizedPnl = ofFirstReads(call, `${portfolio.owner} first sum`, sum);
      }),
    },
    "portfolio-unrealized-total-of-many-positions-kept": {
      summary: "GetPortfolio sums the unrealized PnL of a wallet with more than 20 positions up only once a minute.",
      server: moving,
      response: editPortfolio((portfolio, call) => {
        if (objectsAt(portfolio, "positions").length <= 20) return;
        const sum = () => Number(portfolio.totalUnrealizedPnl ?? 0);
        portfolio.totalUnrealizedPnl = ofTotals(call, `${portfolio.owner} sum of many`, sum);
      }),
    },
    "portfolio-cached-for-ten-seconds": {
      summary: "GetPortfolio gives the same answer to the same request for ten seconds.",
      // Everything in it is stale.
      alsoFails: [
        "position.mark-price-current",
        "position.unrealized-pnl-recomputed",
        "relations.open-positions-agree",
        "relations.open-orders-agree",
        "relations.position-stored-state",
        "relations.order-stored-state",
        "get-portfolio.owner-trimmed",
        "get-portfolio.owner-case-insensitive",
        "get-all-orders.all-wallets",
      ],
      server: moving,
      http: (endpoint, reply, call) =>
        endpoint === "GetPortfolio" && reply.status === 200
          ? ofReplies(call, JSON.stringify(call.request), () => reply)
          : undefined,
    },
  }),

  ...breaking("relations.position-stored-state", {
    "get-all-positions-margin-first-shown": {
      summary: "GetAllPositions keeps showing the margin of a position that it showed first.",
      server: marginsMoving,
      response: keepsMargin("GetAllPositions", ofFirstReads),
    },
    "portfolio-margin-first-shown": {
      summary: "GetPortfolio keeps showing the margin of a position that it showed first.",
      server: marginsMoving,
      response: keepsMargin("GetPortfolio", ofFirstReads),
    },
    "stream-margin-of-the-first-message": {
      summary: "The stream looks the margin of a position up once, for the first message with it.",
      server: marginsMoving,
      response: keepsMargin("GetOpenPositionsStreaming", ofStream),
    },
  }),

  ...breaking("relations.order-stored-state", {
    "get-orders-statuses-of-a-minute": {
      summary: "GetOrders takes the status of an opening order from a table that is refreshed every minute.",
      alsoFails: ["get-all-orders.only-open", "order.sizes-match-status"],
      server: busy,
      response: editListedOrders(keepsStatus, "GetOrders"),
    },
    "get-orders-statuses-of-a-minute-in-a-market": {
      summary:
        "GetOrders for one market takes the status of an opening order from a table that is refreshed every minute.",
      alsoFails: ["get-all-orders.only-open", "order.sizes-match-status"],
      server: busy,
      response: editListedOrders((order, call) => {
        if (call.request.market !== undefined) keepsStatus(order, call);
      }, "GetOrders"),
    },
    "get-all-orders-of-a-wallet-new-ones-late": {
      summary: "GetAllOrders lists an order of an address only when it is ten seconds old.",
      // Which of these find it depends on the orders that come.
      alsoFails: [
        "get-all-orders.any-status",
        "get-all-orders.only-open",
        "relations.open-orders-agree",
        "relations.wallet-orders-agree",
      ],
      server: busy,
      ...orderRows("GetAllOrders", (rows, call) =>
        call.request.address
          ? rows.filter(({ createdAt }) => call.now() - Number(createdAt / 1_000_000n) > 10_000)
          : rows,
      ),
    },
    "get-all-orders-statuses-of-a-minute": {
      summary:
        "GetAllOrders for an address takes the status of an opening order from a table that is refreshed every minute.",
      alsoFails: ["get-all-orders.only-open", "order.sizes-match-status"],
      server: busy,
      response: editListedOrders((order, call) => {
        if (typeof call.request.address === "string") keepsStatus(order, call);
      }, "GetAllOrders"),
    },
    "get-all-orders-open-ones-of-ten-seconds-ago": {
      summary: "GetAllOrders lists the open orders of an address as they were up to ten seconds before.",
      alsoFails: ["relations.open-orders-agree"],
      server: busy,
      http: (endpoint, reply, call) =>
        endpoint === "GetAllOrders" && reply.status === 200 && call.request.onlyOpen === true && call.request.address
          ? ofReplies(call, `open ${JSON.stringify(call.request)}`, () => reply)
          : undefined,
    },
  }),

  ...breaking("relations.open-positions-agree", {
    "portfolio-lists-closed-positions-for-a-minute": {
      summary: "GetPortfolio keeps listing a position for a minute after it first did, closed or not.",
      alsoFails: ["get-open-positions-streaming.full-snapshot"],
      server: busy,
      ...positionRows("GetPortfolio", (rows, call) => {
        const address = String(call.effective.address);
        const listed = openBefore(call, address, () => new Set());
        for (const row of rows) listed.add(keyOf(row));
        return walletOf(call).positions.filter((row) => row.open || listed.has(keyOf(row)));
      }),
    },
  }),

  ...breaking("get-open-positions-streaming.full-snapshot", {
    "stream-without-positions-opened-later": {
      summary: "The stream never lists positions that opened after its first message.",
      alsoFails: ["relations.open-positions-agree"],
      server: busy,
      ...positionRows("GetOpenPositionsStreaming", (rows, call) => {
        const first = listedFirst(call, "first", () => new Set(rows.map(keyOf)));
        return rows.filter((row) => first.has(keyOf(row)));
      }),
    },
    "stream-keeps-closed-positions": {
      summary: "The stream keeps listing a position of its first message after it was closed.",
      alsoFails: ["relations.open-positions-agree"],
      server: busy,
      ...positionRows("GetOpenPositionsStreaming", (rows, call) => {
        const first = listedFirst(call, "first", () => new Set(rows.map(keyOf)));
        return walletOf(call).positions.filter((row) => row.open || first.has(keyOf(row)));
      }),
    },
  }),
];
