import type { UnaryEndpoint } from "../../specification/endpoints.js";
import type { PositionRecord } from "../dataset/model.js";
import { type MutableJsonObject, objectAt, objectsAt } from "../json.js";
import { breaking, type Interceptors, type Mutant, on, rulesOn } from "../modification.js";
import { positionRows } from "../resource-interceptors.js";

/** Changes every `nth` answer of an operation; answers that are not `affected` do not count. */
function everyNthAnswer(
  nth: number,
  endpoint: UnaryEndpoint,
  change: (json: MutableJsonObject) => MutableJsonObject,
  affected: (json: MutableJsonObject) => boolean = () => true,
): Interceptors["response"] {
  let answers = 0;
  return on(endpoint, (json) => (affected(json) && answers++ % nth === nth - 1 ? change(json) : json));
}

/** Takes rows out of every `nth` answer of an operation that has several. */
function everyNthLacksRows(
  nth: number,
  endpoint: UnaryEndpoint,
  field: string,
  keep: (rows: readonly MutableJsonObject[]) => readonly MutableJsonObject[],
): Interceptors["response"] {
  const change = (json: MutableJsonObject) => ({ ...json, [field]: [...keep(objectsAt(json, field))] });
  return everyNthAnswer(nth, endpoint, change, (json) => objectsAt(json, field).length > 1);
}

/** Changes the first answer of an operation to each request, as a cache does that is filled only then. */
function firstOfEach(
  endpoint: UnaryEndpoint,
  change: (json: MutableJsonObject) => MutableJsonObject,
): Interceptors["response"] {
  const answered = new Set<string>();
  return on(endpoint, (json, { request }) => {
    const key = JSON.stringify(request);
    const isFirst = !answered.has(key);
    answered.add(key);
    return isFirst ? change(json) : json;
  });
}

/** Leaves the newest positions out every second time. */
function lacksEverySecondTime(newest: number): (rows: readonly PositionRecord[]) => readonly PositionRecord[] {
  let answers = 0;
  return (rows) => (answers++ % 2 === 1 ? rows.slice(newest) : rows);
}

/** Servers whose answers are incomplete now and then. Which requests are affected is a matter of chance. */
export const intermittent: readonly Mutant[] = [
  ...breaking("get-orders.no-result-limit", {
    "get-orders-empty-at-first": {
      summary: "The first answer of GetOrders about a wallet has no orders.",
      alsoFails: rulesOn("GetOrders"),
      intermittent: true,
      response: firstOfEach("GetOrders", (json) => ({ ...json, orders: [] })),
    },
    "get-orders-without-the-oldest-now-and-then": {
      summary: "Every tenth answer of GetOrders lacks the oldest order.",
      alsoFails: rulesOn("GetOrders"),
      intermittent: true,
      response: everyNthLacksRows(10, "GetOrders", "orders", (rows) => rows.slice(0, -1)),
    },
  }),

  ...breaking("relations.order-stored-state", {
    "get-orders-closed-as-filled-now-and-then": {
      summary: "Every third answer of GetOrders shows closed orders as filled, as a replica that lags behind does.",
      alsoFails: rulesOn("GetOrders"),
      intermittent: true,
      response: everyNthAnswer(3, "GetOrders", (json) => ({
        ...json,
        orders: objectsAt(json, "orders").map((order) =>
          order.status === "ORDER_STATUS_CLOSED" ? { ...order, status: "ORDER_STATUS_FULLY_FILLED" } : order,
        ),
      })),
    },
  }),

  ...breaking("get-market-configs.market-id", {
    "market-configs-with-an-older-leverage-now-and-then": {
      summary:
        "Every second answer of GetMarketConfigs has another maximum leverage, as a replica that lags behind does.",
      alsoFails: rulesOn("GetMarketConfigs"),
      intermittent: true,
      response: everyNthAnswer(2, "GetMarketConfigs", (json) => ({
        ...json,
        marketConfig: { ...objectAt(json, "marketConfig"), maxLeverage: 7 },
      })),
    },
  }),

  ...breaking("relations.open-positions-agree", {
    "portfolio-without-the-last-position-now-and-then": {
      summary: "Every second portfolio of a wallet with several positions lacks the last one.",
      alsoFails: rulesOn("GetPortfolio"),
      intermittent: true,
      response: everyNthAnswer(
        2,
        "GetPortfolio",
        (json) => {
          const portfolio = objectAt(json, "portfolio");
          return { ...json, portfolio: { ...portfolio, positions: objectsAt(portfolio, "positions").slice(0, -1) } };
        },
        (json) => objectsAt(objectAt(json, "portfolio"), "positions").length > 1,
      ),
    },
  }),

  ...breaking("pagination.total-count", {
    "positions-without-the-newest-now-and-then": {
      summary: "Every second answer of GetAllPositions comes from a replica that lacks the newest three positions.",
      alsoFails: rulesOn("GetAllPositions"),
      intermittent: true,
      ...positionRows("GetAllPositions", lacksEverySecondTime(3)),
    },
  }),

  ...breaking("pagination.row-count", {
    "positions-without-the-middle-now-and-then": {
      summary: "Every tenth page of GetAllPositions lacks the row in its middle.",
      alsoFails: rulesOn("GetAllPositions"),
      intermittent: true,
      response: everyNthLacksRows(10, "GetAllPositions", "positions", (rows) =>
        rows.filter((_, index) => index !== Math.floor(rows.length / 2)),
      ),
    },
  }),

  ...breaking("get-historical-prices.no-result-limit", {
    "candles-with-a-hole-now-and-then": {
      summary: "Every tenth answer of GetHistoricalPrices lacks its second candle.",
      alsoFails: rulesOn("GetHistoricalPrices"),
      intermittent: true,
      response: everyNthLacksRows(10, "GetHistoricalPrices", "priceCandleSticks", (rows) =>
        rows.filter((_, index) => index !== 1),
      ),
    },
  }),
];
