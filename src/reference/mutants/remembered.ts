import type { UnaryEndpoint } from "../../specification/endpoints.js";
import { symbolsOf } from "../conditional-interceptors.js";
import { type MutableJson, type MutableJsonObject, objectAt } from "../json.js";
import { breaking, type CallContext, type Interceptors, type Mutant, on, rulesOn } from "../modification.js";

/**
 * Cache options: `forMs` is the lifetime in milliseconds, `keep` merges the cached answer into the correct one (default: all
 * of the cached answer).
 */
interface Memory {
  readonly forMs?: number;
  readonly keep?: (remembered: MutableJsonObject, due: MutableJsonObject) => MutableJsonObject;
}

/** Caches answers by a key of the call. */
function remembers(
  endpoint: UnaryEndpoint,
  keyOf: (call: CallContext) => string,
  { forMs = 1_000, keep = (remembered) => remembered }: Memory = {},
): Interceptors["response"] {
  const known = new Map<string, { readonly until: number; readonly json: MutableJsonObject }>();
  return on(endpoint, (json, call) => {
    const key = `${call.headers.get("host")} ${keyOf(call)}`;
    const remembered = known.get(key);
    if (remembered && call.now() < remembered.until) return keep(structuredClone(remembered.json), json);
    if (known.size > 1_000) known.clear();
    known.set(key, { until: call.now() + forMs, json: structuredClone(json) });
    return json;
  });
}

/** A key of all request fields except one. */
function without(field: string): (call: CallContext) => string {
  return ({ request: { [field]: _, ...others } }) => JSON.stringify(others);
}

/** A key of all of a request except the asset of its symbols. */
function byQuote({ request }: CallContext): string {
  const symbols = symbolsOf(request);
  return JSON.stringify(symbols ? { ...request, market: symbols.quote } : request);
}

/** A key of a range and its interval, however its times are written. */
function byInstants({ request: { startTime, endTime, interval } }: CallContext): string {
  return JSON.stringify([interval, ...[startTime, endTime].map((time) => Date.parse(String(time)))]);
}

/** A key of a whole request, with the times of a range of minutes cut off at the hour. */
function byHours({ request }: CallContext): string {
  const { startTime, endTime, ...others } = request;
  const digits = "2026-01-01T00".length;
  const cut = (time: unknown) => (request.interval === "1" ? String(time).slice(0, digits) : time);
  return JSON.stringify([others, cut(startTime), cut(endTime)]);
}

/**
 * Remembers the topics of refused requests, each until the next request with the same topic.
 *
 * @param topicOf the topic of a request
 */
function refusalsOf(
  endpoint: UnaryEndpoint,
  topicOf: (request: MutableJsonObject) => MutableJson | undefined,
  isRemembered: (refused: MutableJsonObject) => boolean = () => true,
) {
  const refused = new Set<string>();
  const keyOf = (request: MutableJsonObject, { headers }: CallContext) =>
    `${headers.get("host")} ${JSON.stringify(topicOf(request))}`;
  return {
    error: on(endpoint, (_error: unknown, call: CallContext) => {
      if (isRemembered(call.request)) refused.add(keyOf(call.request, call));
      return undefined;
    }),
    /** Whether a request is the first on its topic since a refused one. */
    isNext: (request: MutableJsonObject, call: CallContext) => refused.delete(keyOf(request, call)),
  };
}

/** Changes the first answer on a topic after a refused request. */
function afterRefusals(
  endpoint: UnaryEndpoint,
  topicOf: (request: MutableJsonObject) => MutableJson | undefined,
  change: (json: MutableJsonObject) => MutableJsonObject,
): Pick<Interceptors, "error" | "response"> {
  const refusals = refusalsOf(endpoint, topicOf);
  return {
    error: refusals.error,
    response: on(endpoint, (json, call) => (refusals.isNext(call.request, call) ? change(json) : undefined)),
  };
}

const refusedTicks = refusalsOf(
  "GetOrderBook",
  ({ market }) => market,
  ({ tickSize }) => tickSize !== undefined,
);

/**
 * Takes a field that a request leaves out from the latest request that set it, as a server does that decodes requests into
 * the same object. Answers do not say so.
 *
 * @param once whether only one request takes it
 * @param takesPart whether a request may give the field to another one, or take it
 */
function keepsField(
  endpoint: UnaryEndpoint,
  field: string,
  once = false,
  takesPart: (request: MutableJsonObject) => boolean = () => true,
): Pick<Interceptors, "request" | "response"> {
  const latest = new Map<string | null, MutableJson>();
  const isKept = new WeakSet<Headers>();
  return {
    request: on(endpoint, (json, { headers }) => {
      const host = headers.get("host");
      if (!takesPart(json)) return undefined;
      const { [field]: value = null } = json;
      const kept = latest.get(host);
      if (value !== null) latest.set(host, value);
      if (value !== null || kept === undefined) return undefined;
      isKept.add(headers);
      if (once) latest.delete(host);
      return { ...json, [field]: kept };
    }),
    response: on(endpoint, (json, { headers }) => {
      if (!isKept.has(headers)) return undefined;
      for (const echo of [objectAt(json, "orderBook"), objectAt(json, "pagination")]) delete echo?.[field];
      return json;
    }),
  };
}

const stream = "GetOpenPositionsStreaming";

/** Changes answers depending on whether a stream of the same wallet sent a message in the last 200 ms. */
function besideStream(
  change: (json: MutableJsonObject, call: CallContext, isBeside: boolean) => MutableJsonObject | undefined,
): Interceptors["response"] {
  const last = new Map<string, number>();
  return (endpoint, json, call) => {
    const { address, owner } = call.request;
    const key = `${call.headers.get("host")} ${String(address ?? owner)
      .trim()
      .toLowerCase()}`;
    const changed = change(json, call, call.now() - (last.get(key) ?? Number.NEGATIVE_INFINITY) < 200);
    if (endpoint === stream) last.set(key, call.now());
    return changed;
  };
}

/** The cached sides of a book in an otherwise correct answer. */
function sidesAlone(remembered: MutableJsonObject, json: MutableJsonObject): MutableJsonObject {
  const [before, now] = [remembered.orderBook, json.orderBook] as [MutableJsonObject, MutableJsonObject];
  return { orderBook: { ...now, book: before.book } } as MutableJsonObject;
}

/** Servers that cache answers for a moment with too small a key, or let a request affect the next one. */
export const remembered: readonly Mutant[] = [
  ...breaking("order-book.levels-maximum", {
    "order-book-remembered-without-levels": {
      summary:
        "GetOrderBook remembers the sides of a book for a second, whatever number of levels they were asked for with.",
      alsoFails: rulesOn("GetOrderBook"),
      response: remembers("GetOrderBook", without("levels"), { keep: sidesAlone }),
    },
  }),
  ...breaking("order-book.limit-default", {
    "order-book-one-order-after-a-refused-tick": {
      summary:
        "GetOrderBook shows one order of a side of a market's book once, right after it refused a tickSize for it.",
      alsoFails: rulesOn("GetOrderBook"),
      error: refusedTicks.error,
      request: on("GetOrderBook", (json, call) =>
        refusedTicks.isNext(json, call) ? { limit: 1, ...json } : undefined,
      ),
    },
  }),
  ...breaking("errors.documented-outcome", {
    "orders-empty-after-a-refusal": {
      summary: "GetOrders lists nothing once for a wallet of which it has just refused to list the orders of a market.",
      alsoFails: rulesOn("GetOrders"),
      ...afterRefusals(
        "GetOrders",
        ({ address }) => address,
        (json) => ({ ...json, orders: [] }),
      ),
    },
  }),
  ...breaking("order-book.market-id", {
    "order-book-remembered-by-quote": {
      summary: "GetOrderBook remembers a book that was asked for by symbols for half a second, whatever its asset.",
      alsoFails: rulesOn("GetOrderBook"),
      response: remembers("GetOrderBook", byQuote, { forMs: 500 }),
    },
  }),
  ...breaking("errors.documented-outcome", {
    "prices-empty-after-a-refusal": {
      summary: "GetHistoricalPrices answers the next request after one that it refused without candles, whoever asks.",
      alsoFails: rulesOn("GetHistoricalPrices"),
      ...afterRefusals(
        "GetHistoricalPrices",
        () => undefined,
        (json) => ({ ...json, priceCandleSticks: [] }),
      ),
    },
  }),
  ...breaking("get-open-positions-streaming.full-snapshot", {
    "stream-begins-empty-beside-another": {
      summary:
        "The first message of a stream lists nothing when another of its wallet was opened in the 200 ms before.",
      alsoFails: rulesOn("GetOpenPositionsStreaming"),
      response: besideStream((json, { endpoint, messageIndex }, isBeside) =>
        endpoint === stream && messageIndex === 0 && isBeside ? { ...json, positions: [] } : undefined,
      ),
    },
  }),
  ...breaking("relations.open-positions-agree", {
    "portfolio-empty-beside-a-stream": {
      summary: "GetPortfolio lists no position of a wallet whose stream brought a message in the 200 ms before.",
      alsoFails: rulesOn("GetPortfolio"),
      response: besideStream((json, { endpoint }, isBeside) => {
        const { portfolio } = json;
        return endpoint === "GetPortfolio" && isBeside
          ? { portfolio: { ...(portfolio as MutableJsonObject), positions: [] } }
          : undefined;
      }),
    },
  }),
  ...breaking("order-book.size-in-usd", {
    "order-book-remembered-without-unit": {
      summary: "GetOrderBook remembers the sides of a book for a second, whether they were asked for in USD or not.",
      alsoFails: rulesOn("GetOrderBook"),
      response: remembers("GetOrderBook", without("sizeInUsd"), { keep: sidesAlone }),
    },
    "order-book-keeps-the-unit-of-the-request-before": {
      summary: "GetOrderBook takes an omitted sizeInUsd from the latest request that had one.",
      alsoFails: rulesOn("GetOrderBook"),
      ...keepsField("GetOrderBook", "sizeInUsd"),
    },
  }),
  ...breaking("order-book.levels-zero", {
    "order-book-keeps-the-levels-of-the-request-before": {
      summary: "GetOrderBook takes an omitted number of levels from the latest request that had one.",
      alsoFails: rulesOn("GetOrderBook"),
      ...keepsField("GetOrderBook", "levels"),
    },
  }),
  ...breaking("get-all-orders.all-wallets", {
    "all-orders-of-the-address-of-the-request-before": {
      summary:
        "GetAllOrders takes the address of a request without other fields, where the next such request omits it.",
      alsoFails: rulesOn("GetAllOrders"),
      ...keepsField("GetAllOrders", "address", true, ({ address: _, ...others }) => Object.keys(others).length === 0),
    },
  }),
  ...breaking("get-orders.all-markets", {
    "orders-of-the-market-of-the-request-before": {
      summary: "GetOrders takes an omitted market from the latest request that had one, once.",
      alsoFails: rulesOn("GetOrders"),
      ...keepsField("GetOrders", "market", true),
    },
  }),
  ...breaking("get-all-positions.offset-default", {
    "all-positions-from-the-offset-of-the-request-before": {
      summary: "GetAllPositions takes an omitted offset from the latest request that had one, once.",
      alsoFails: rulesOn("GetAllPositions"),
      ...keepsField("GetAllPositions", "offset", true),
    },
  }),
  ...breaking("get-all-orders.offset-default", {
    "all-orders-from-the-offset-of-the-request-before": {
      summary: "GetAllOrders takes an omitted offset from the latest request that had one, once.",
      alsoFails: rulesOn("GetAllOrders"),
      ...keepsField("GetAllOrders", "offset", true),
    },
  }),
  ...breaking("order-book.offset-skips-orders", {
    "order-book-from-the-offset-of-the-request-before": {
      summary: "GetOrderBook takes an omitted offset from the latest request that had one, once.",
      alsoFails: rulesOn("GetOrderBook"),
      ...keepsField("GetOrderBook", "offset", true),
    },
  }),
  ...breaking("get-all-orders.any-status", {
    "all-orders-keeps-only-open-of-the-request-before": {
      summary: "GetAllOrders takes an omitted onlyOpen from the latest request that had one.",
      alsoFails: rulesOn("GetAllOrders"),
      ...keepsField("GetAllOrders", "onlyOpen"),
    },
  }),
  ...breaking("get-orders.market-filter", {
    "orders-remembered-without-market": {
      summary: "GetOrders remembers the orders of a wallet for 200 ms, whatever market they were asked for.",
      alsoFails: rulesOn("GetOrders"),
      response: remembers("GetOrders", without("market"), { forMs: 200 }),
    },
  }),
  ...breaking("get-historical-prices.range", {
    "candles-remembered-by-their-range": {
      summary: "GetHistoricalPrices remembers candles for five seconds by interval and range, whatever the market is.",
      alsoFails: rulesOn("GetHistoricalPrices"),
      response: remembers("GetHistoricalPrices", without("market"), { forMs: 5_000 }),
    },
    "candles-remembered-by-their-instants": {
      summary:
        "GetHistoricalPrices remembers candles for two seconds by the instants of their range, whatever the market.",
      alsoFails: rulesOn("GetHistoricalPrices"),
      response: remembers("GetHistoricalPrices", byInstants, { forMs: 2_000 }),
    },
    "candles-remembered-by-the-hour": {
      summary:
        "GetHistoricalPrices remembers minutes for two seconds by the hours in which their range begins and ends.",
      alsoFails: rulesOn("GetHistoricalPrices"),
      response: remembers("GetHistoricalPrices", byHours, { forMs: 2_000 }),
    },
  }),
  ...breaking("pagination.offset", {
    "all-positions-remembered-by-where-pages-end": {
      summary: "GetAllPositions remembers a page for five seconds by the number of the row at which it ends.",
      alsoFails: rulesOn("GetAllPositions"),
      response: remembers(
        "GetAllPositions",
        ({ effective: { limit, offset } }) => String(Number(limit) + Number(offset)),
        { forMs: 5_000 },
      ),
    },
  }),
];
