import type { Endpoint } from "../../specification/endpoints.js";
import {
  candlesIn,
  levelsIn,
  type MutableJson,
  type MutableJsonObject,
  objectAt,
  objectsAt,
  ordersIn,
  positionsIn,
  raw,
} from "../json.js";
import { breaking, type CallContext, type HttpReply, type Mutant, on } from "../modification.js";
import { editPortfolio } from "../resource-interceptors.js";

type Objects = readonly (MutableJsonObject | undefined)[];
/** Selects the objects of a response that a mutant affects. */
type ObjectSelector = (json: MutableJsonObject, call: CallContext) => Objects;

/** Edits selected objects of a response in place. */
function changed(
  endpoint: Endpoint | readonly Endpoint[],
  choose: ObjectSelector,
  change: (object: MutableJsonObject) => void,
): Mutant["response"] {
  return on(endpoint, (json, call) => {
    for (const object of choose(json, call)) if (object !== undefined) change(object);
    return json;
  });
}

/** Rewrites members of selected objects, if present. */
function rewritten(
  endpoint: Endpoint | readonly Endpoint[],
  choose: ObjectSelector,
  names: string | readonly string[],
  write: (value: MutableJson) => MutableJson,
) {
  return changed(endpoint, choose, (object) => {
    for (const name of typeof names === "string" ? [names] : names) {
      const value = object[name];
      if (value !== undefined) object[name] = write(value);
    }
  });
}

/** Writes an omitted default as another value. */
function unsetAs(
  endpoint: Endpoint | readonly Endpoint[],
  choose: ObjectSelector,
  names: string | readonly string[],
  value: MutableJson,
) {
  return changed(endpoint, choose, (object) => {
    for (const name of typeof names === "string" ? [names] : names) object[name] ??= value;
  });
}

function without(endpoint: Endpoint, choose: ObjectSelector, name: string) {
  return changed(endpoint, choose, (object) => {
    delete object[name];
  });
}

/** Treats requests written in some way as malformed. */
function refusing(operation: Endpoint, way: RegExp): Mutant["body"] {
  return on(operation, (payload) => (way.test(Buffer.from(payload).toString()) ? Buffer.from("{") : undefined));
}

const whole: ObjectSelector = (json) => [json];
const portfolio: ObjectSelector = (json) => [objectAt(json, "portfolio")];
const book: ObjectSelector = (json) => [objectAt(json, "orderBook")];
const config: ObjectSelector = (json) => [objectAt(json, "marketConfig")];
const portfolioOrders: ObjectSelector = (json) => objectsAt(json, "portfolio", "orders");
const associated: ObjectSelector = (json) =>
  positionsIn(json).flatMap((position) => objectsAt(position, "associatedOrders"));

/** The rows of a listing beyond the first thousand. */
const beyondFirstThousand: ObjectSelector = (json, { effective }) => {
  const offset = Number(effective.offset ?? 0);
  const rows = [...objectsAt(json, "orders"), ...objectsAt(json, "positions")];
  return rows.filter((_, index) => offset + index >= 1000);
};

const asNumber = (digits: MutableJson): MutableJson => raw(String(digits));

/** The address in mixed case, as wallets display it. */
function checksummed(owner: MutableJson): MutableJson {
  return String(owner).replace(/[a-f]/g, (digit, at: number) => (at % 2 === 0 ? digit.toUpperCase() : digit));
}

/** Rewrites the text of one operation's successful answers. */
function rewrittenText(endpoint: Endpoint, write: (text: string) => string): NonNullable<Mutant["http"]> {
  return on(endpoint, (reply) =>
    reply.status === 200 ? { ...reply, body: Buffer.from(write(Buffer.from(reply.body).toString())) } : undefined,
  );
}

/** The reply with another content type, or none when undefined. */
function withContentType(reply: HttpReply, type: string | undefined): HttpReply {
  const { "content-type": _, ...headers } = reply.headers;
  return { ...reply, headers: type === undefined ? headers : { ...headers, "content-type": type } };
}

const stream = "GetOpenPositionsStreaming";

/** Servers that break one of the conventions of §1. */
export const wire: readonly Mutant[] = [
  ...breaking("protocol.post-path", {
    // Every operation is an HTTP POST to {base_url}/<package.ServiceName>/<MethodName>.
    "market-id-by-name-not-routed": {
      summary: "GetMarketIdByName is not at its path.",
      alsoFails: ["errors.documented-outcome"],
      intercept: (_request, { endpoint }) =>
        endpoint === "GetMarketIdByName"
          ? { status: 404, headers: { "content-type": "text/plain" }, body: Buffer.from("404 page not found") }
          : undefined,
    },
    "historical-prices-only-by-get": {
      summary: "GetHistoricalPrices answers a POST with 405.",
      alsoFails: ["get-historical-prices.intervals", "errors.documented-outcome"],
      intercept: ({ method }, { endpoint }) =>
        endpoint === "GetHistoricalPrices" && method === "POST"
          ? { status: 405, headers: { allow: "GET" }, body: Buffer.from("") }
          : undefined,
    },
  }),

  ...breaking("wire.owner-evm-address", {
    // Wallet addresses are EVM addresses. Addresses returned in owner fields are lowercase.
    "position-owner-without-prefix-beyond-1000": {
      summary: "GetAllPositions writes owners without 0x in rows beyond the first thousand.",
      alsoFails: [
        "position.associated-orders-owner",
        "relations.position-stored-state",
        "get-all-positions.closed-included",
      ],
      response: rewritten("GetAllPositions", beyondFirstThousand, "owner", (owner) => String(owner).slice(2)),
    },
    "portfolio-associated-order-owner-shortened": {
      summary: "Orders within the positions of a portfolio have the short form of an address as their owner.",
      alsoFails: ["portfolio.nested-owners", "relations.order-stored-state"],
      response: rewritten(
        "GetPortfolio",
        associated,
        "owner",
        (owner) => `${String(owner).slice(0, 6)}…${String(owner).slice(-4)}`,
      ),
    },
  }),

  ...breaking("wire.owner-lowercase", {
    "portfolio-owner-as-requested": {
      summary: "A portfolio's owner is the address as it was asked for, without the whitespace around it.",
      response: editPortfolio((portfolio, { request }) => {
        portfolio.owner = String(request.owner).trim();
      }),
    },
    "stream-owner-checksummed": {
      summary: "The stream writes owners in mixed case.",
      response: rewritten(stream, positionsIn, "owner", checksummed),
    },
    "associated-order-owner-checksummed": {
      summary: "Orders within listed positions have their owner in mixed case.",
      response: rewritten("GetAllPositions", associated, "owner", checksummed),
    },
    "order-owner-upper-case-beyond-1000": {
      summary: "GetAllOrders writes owners in capitals in rows beyond the first thousand.",
      response: rewritten(
        "GetAllOrders",
        beyondFirstThousand,
        "owner",
        (owner) => `0x${String(owner).slice(2).toUpperCase()}`,
      ),
    },
  }),

  ...breaking("protocol.request-notation", {
    // Encoding: JSON request and response bodies.
    "json-over-several-lines-refused": {
      summary: "GetOrders refuses a body with a line break in it.",
      body: refusing("GetOrders", /\n/),
    },
    "json-with-blanks-refused": {
      summary: "GetMarketConfigs refuses a body with a space after a colon.",
      body: refusing("GetMarketConfigs", /":\s/),
    },
    "stream-json-over-several-lines-refused": {
      summary: "The stream refuses a request with a line break in it.",
      body: refusing("GetOpenPositionsStreaming", /\n/),
    },
    "escapes-in-symbols-not-decoded": {
      summary: "GetMarketIdByName takes the escapes in an asset symbol as they stand.",
      request: on("GetMarketIdByName", (json, { requestText }) =>
        requestText.includes("\\u00") ? { ...json, assetSymbol: `U${json.assetSymbol}` } : undefined,
      ),
    },
    "limit-behind-offset-ignored": {
      summary: "GetAllOrders ignores a limit that stands behind the offset.",
      alsoFails: ["pagination.limit", "get-all-orders.limit-cap"],
      request: on("GetAllOrders", (json, { requestText }) =>
        /"offset".*"limit"/s.test(requestText) ? { ...json, limit: 0 } : undefined,
      ),
    },
  }),

  ...breaking("wire.content-type", {
    // Encoding: JSON request and response bodies, Content-Type: application/json.
    "get-all-orders-as-text": {
      summary: "GetAllOrders answers with the content type text/plain.",
      http: on("GetAllOrders", (reply) => withContentType(reply, "text/plain; charset=utf-8")),
    },
    "errors-as-html": {
      summary: "Errors are Connect's, but say that they are text/html.",
      http: (_endpoint, reply) => (reply.status >= 400 ? withContentType(reply, "text/html") : undefined),
    },
    "all-orders-errors-in-plain-text": {
      summary: "Errors of GetAllOrders are Connect's, but say that they are text/plain.",
      http: on("GetAllOrders", (reply) => (reply.status >= 400 ? withContentType(reply, "text/plain") : undefined)),
    },
    "portfolio-without-content-type": {
      summary: "GetPortfolio answers without a content type.",
      http: on("GetPortfolio", (reply) => withContentType(reply, undefined)),
    },
    "large-answers-as-octets": {
      summary: "Answers of more than a quarter of a megabyte say that they are application/octet-stream.",
      http: (_endpoint, reply) =>
        reply.body.byteLength > 262_144 ? withContentType(reply, "application/octet-stream") : undefined,
    },
  }),

  ...breaking("wire.streaming-content-type", {
    "stream-as-plain-json": {
      summary: "The stream says that it is application/json.",
      streamHeaders: (headers) => headers.set("content-type", "application/json"),
    },
    "stream-as-event-stream": {
      summary: "The stream says that it is text/event-stream.",
      streamHeaders: (headers) => headers.set("content-type", "text/event-stream"),
    },
  }),

  ...breaking("wire.json-object", {
    "empty-order-list-as-array": {
      summary: "GetOrders answers with a bare empty array when a wallet has no orders.",
      alsoFails: ["selector.unknown-id-code"],
      http: rewrittenText("GetOrders", (text) => (text === "{}" ? "[]" : text)),
    },
    "market-id-as-bare-string": {
      summary: "GetMarketIdByName answers with the id alone, not with an object.",
      http: rewrittenText("GetMarketIdByName", (text) => `"${/\d+/.exec(text)?.[0] ?? ""}"`),
    },
    "market-config-behind-a-guard": {
      summary: "GetMarketConfigs puts a guard against script inclusion before its JSON.",
      http: rewrittenText("GetMarketConfigs", (text) => `)]}',\n${text}`),
    },
    "empty-book-nan": {
      summary: "GetOrderBook writes NaN, which JSON does not have, where it aggregates no orders.",
      response: changed("GetOrderBook", book, (orderBook) => {
        if (levelsIn({ orderBook }).length === 0) orderBook.tickSize = raw("NaN");
      }),
    },
  }),

  ...breaking("wire.int64-as-string", {
    // 64-bit integers: int64/uint64 identifiers are encoded in JSON as decimal strings.
    "position-id-as-number": {
      summary: "Positions carry their positionId as a JSON number.",
      response: rewritten(["GetAllPositions", stream, "GetPortfolio"], positionsIn, "positionId", asNumber),
    },
    "small-order-ids-as-numbers": {
      summary: "Order ids up to 2^53 are JSON numbers, greater ones strings.",
      response: rewritten(
        ["GetAllOrders", "GetOrders", "GetPortfolio", "GetAllPositions"],
        ordersIn,
        "orderId",
        (id) => (Number.isSafeInteger(Number(id)) ? asNumber(id) : id),
      ),
    },
    "total-trades-as-number": {
      summary: "A portfolio's totalTrades is a JSON number.",
      response: rewritten("GetPortfolio", portfolio, "totalTrades", asNumber),
    },
    "fee-config-market-id-as-number": {
      summary: "The market id inside feeConfig is a JSON number.",
      response: rewritten(
        "GetMarketConfigs",
        (json) => [objectAt(json, "marketConfig", "feeConfig")],
        "marketId",
        asNumber,
      ),
    },
    "book-market-id-as-number": {
      summary: "A book's marketId is a JSON number.",
      response: rewritten("GetOrderBook", book, "marketId", asNumber),
    },
    "found-market-id-as-number": {
      summary: "GetMarketIdByName gives the id as a JSON number.",
      response: rewritten("GetMarketIdByName", whole, "marketId", asNumber),
    },
    "stream-market-id-as-number": {
      summary: "The stream writes market ids as JSON numbers.",
      response: rewritten(stream, positionsIn, "marketId", asNumber),
    },
  }),

  ...breaking("wire.int64-decimal", {
    "order-ids-zero-padded": {
      summary: "GetOrders pads order ids with zeros to twenty digits.",
      response: rewritten("GetOrders", ordersIn, "orderId", (id) => String(id).padStart(20, "0")),
    },
    "position-ids-with-sign": {
      summary: "Positions of a portfolio have a plus sign before their id.",
      response: rewritten("GetPortfolio", positionsIn, "positionId", (id) => `+${id}`),
    },
    "config-market-id-with-line-break": {
      summary: "A configuration's marketId ends in a line break.",
      response: rewritten("GetMarketConfigs", config, "marketId", (id) => `${id}\n`),
    },
    "total-trades-with-fraction": {
      summary: "A portfolio's totalTrades is a decimal with a fraction.",
      response: rewritten("GetPortfolio", portfolio, "totalTrades", (trades) => `${trades}.0`),
    },
  }),

  ...breaking("wire.number-type", {
    // Floating values: Prices, sizes, margins, PnL are JSON numbers.
    "candle-prices-as-strings": {
      summary: "Candles carry their prices as decimal strings.",
      response: rewritten("GetHistoricalPrices", candlesIn, ["open", "high", "low", "close"], String),
    },
    "liquidation-price-nan": {
      summary: "Positions of low leverage have the string NaN as their liquidation price.",
      response: changed(["GetAllPositions", "GetPortfolio"], positionsIn, (position) => {
        if (Number(position.leverage) < 4) position.liquidationPrice = "NaN";
      }),
    },
    "ask-sizes-as-strings": {
      summary: "GetOrderBook writes the sizes of asks as strings.",
      response: rewritten("GetOrderBook", (json) => objectsAt(json, "orderBook", "book", "asks"), "size", String),
    },
    "portfolio-order-margins-as-strings": {
      summary: "Orders of a portfolio have their initialMargin as a string.",
      response: rewritten("GetPortfolio", portfolioOrders, "initialMargin", String),
    },
    "adl-config-as-strings": {
      summary: "The numbers in adlConfig are decimal strings.",
      response: rewritten(
        "GetMarketConfigs",
        (json) => [objectAt(json, "marketConfig", "adlConfig")],
        ["maintenanceMarginRatio", "seizureThreshold", "adlThreshold", "shockFactor", "maxIfFractionAllowed"],
        String,
      ),
    },
    "stream-pnl-as-money": {
      summary: "The stream writes unrealizedPnl as an amount of money.",
      response: rewritten(stream, positionsIn, "unrealizedPnl", (amount) => ({ currency: "USD", amount })),
    },
  }),

  ...breaking("wire.timestamp-rfc3339", {
    // Timestamps: RFC 3339 date-time strings.
    "order-timestamps-without-zone": {
      summary: "GetOrders leaves the zone out of timestamps.",
      response: rewritten("GetOrders", ordersIn, "timestamp", (time) => String(time).replace("Z", "")),
    },
    "candle-timestamps-as-epoch": {
      summary: "Candles carry seconds since 1970 as their timestamp.",
      response: rewritten("GetHistoricalPrices", candlesIn, "timestamp", (time) => Date.parse(String(time)) / 1000),
    },
    "book-timestamp-as-http-date": {
      summary: "A book's timestamp is written as in an HTTP header.",
      response: rewritten("GetOrderBook", book, "timestamp", (time) => new Date(String(time)).toUTCString()),
    },
    "portfolio-timestamp-on-no-day": {
      summary: "A portfolio's timestamp names the thirty-second of a month.",
      response: rewritten("GetPortfolio", portfolio, "timestamp", (time) => String(time).replace(/-\d\dT/, "-32T")),
    },
  }),

  ...breaking("wire.timestamp-letters", {
    "portfolio-timestamp-in-small-letters": {
      summary: "A portfolio's timestamp is written with a lower-case t and z.",
      response: rewritten("GetPortfolio", portfolio, "timestamp", (time) => String(time).toLowerCase()),
    },
    "stream-timestamps-with-blank": {
      summary: "The stream writes a space between date and time.",
      response: rewritten(stream, positionsIn, "timestamp", (time) => String(time).replace("T", " ")),
    },
  }),

  ...breaking("wire.timestamp-present", {
    "associated-orders-without-timestamp": {
      summary: "Orders within the positions of a portfolio have no timestamp.",
      response: changed("GetPortfolio", associated, (order) => {
        delete order.timestamp;
      }),
    },
    "old-positions-without-timestamp": {
      summary: "GetAllPositions leaves the timestamp out of rows beyond the first thousand.",
      response: without("GetAllPositions", beyondFirstThousand, "timestamp"),
    },
  }),

  ...breaking("wire.result-present", {
    // The objects that answers are documented to carry, and the types of their fields.
    "portfolio-missing-when-nothing-is-open": {
      summary: "GetPortfolio leaves the portfolio out when nothing in it is open.",
      response: on("GetPortfolio", (json) => (positionsIn(json).length + ordersIn(json).length === 0 ? {} : json)),
    },
    "book-unwrapped-in-usd": {
      summary: "GetOrderBook answers with the book itself, not within orderBook, when sizes are in USD.",
      response: on("GetOrderBook", (json, { effective }) =>
        effective.sizeInUsd === true ? (objectAt(json, "orderBook") ?? json) : json,
      ),
    },
  }),

  ...breaking("wire.nested-objects-present", {
    "book-without-timestamp": {
      summary: "A book has no timestamp.",
      response: without("GetOrderBook", book, "timestamp"),
    },
    "config-without-adl": {
      summary: "Configurations have no adlConfig.",
      response: without("GetMarketConfigs", config, "adlConfig"),
    },
  }),

  ...breaking("wire.container-type", {
    "stream-associated-orders-as-object": {
      summary: "The stream writes an empty list of associated orders as an object.",
      response: unsetAs(stream, positionsIn, "associatedOrders", {}),
    },
    "empty-orders-as-object": {
      summary: "GetAllOrders writes an empty page as an object.",
      response: unsetAs("GetAllOrders", whole, "orders", {}),
    },
    "fee-config-as-list": {
      summary: "Configurations carry a list with one feeConfig.",
      response: rewritten("GetMarketConfigs", config, "feeConfig", (fees) => [fees]),
    },
  }),

  ...breaking("wire.string-type", {
    "no-reduce-order-type-as-false": {
      summary: "Opening orders of a portfolio have false as their reduceOrderType.",
      response: unsetAs("GetPortfolio", portfolioOrders, "reduceOrderType", false),
    },
    "config-creator-as-object": {
      summary: "A configuration's creator is an object with its address.",
      response: rewritten("GetMarketConfigs", config, "creator", (address) => ({ address })),
    },
  }),

  ...breaking("wire.boolean-type", {
    "order-reduce-only-as-string": {
      summary: "GetOrders writes reduceOnly as a string.",
      response: rewritten("GetOrders", ordersIn, "reduceOnly", String),
    },
    "size-in-usd-as-number": {
      summary: "A book's sizeInUsd is 1.",
      response: rewritten("GetOrderBook", book, "sizeInUsd", Number),
    },
    "stream-reduce-only-as-zero": {
      summary: "The stream writes reduceOnly as 0.",
      response: unsetAs(stream, positionsIn, "reduceOnly", 0),
    },
  }),

  ...breaking("wire.integer-type", {
    "bid-order-count-as-string": {
      summary: "GetOrderBook writes the orderCount of bids as a string.",
      response: rewritten("GetOrderBook", (json) => objectsAt(json, "orderBook", "book", "bids"), "orderCount", String),
    },
    "candle-count-as-string": {
      summary: "The totalCount of candles is a decimal string.",
      response: rewritten("GetHistoricalPrices", whole, "totalCount", String),
    },
    "size-decimals-with-fraction": {
      summary: "A configuration's sizeDecimals has a fraction.",
      response: rewritten("GetMarketConfigs", config, "sizeDecimals", (decimals) => Number(decimals) + 0.5),
    },
  }),

  ...breaking("wire.side-values", {
    "stream-side-in-small-letters": {
      summary: "The stream writes sides in lower case.",
      response: rewritten(stream, positionsIn, "side", (side) => String(side).toLowerCase()),
    },
    "associated-order-side-abbreviated": {
      summary: "Orders within the positions of a portfolio have LONG or SHORT as their side.",
      response: rewritten("GetPortfolio", associated, "side", (side) => String(side).replace("SIDE_", "")),
    },
    "get-orders-without-sides": {
      summary: "GetOrders leaves out the side of every order.",
      alsoFails: ["wire.enum-values-written"],
      response: without("GetOrders", ordersIn, "side"),
    },
  }),

  ...breaking("wire.enum-values-written", {
    "long-sides-left-out": {
      summary: "Long positions and orders come without a side, everywhere.",
      response: (_endpoint, json) => {
        for (const row of [...positionsIn(json), ...ordersIn(json)]) if (row.side === "SIDE_LONG") delete row.side;
        return json;
      },
    },
  }),

  ...breaking("wire.no-null", {
    // Unset values: zero, empty string or false, never null.
    "unset-triggers-as-null": {
      summary: "Unset stop-loss and take-profit prices of orders are null.",
      response: unsetAs(
        ["GetAllOrders", "GetOrders", "GetPortfolio", "GetAllPositions"],
        ordersIn,
        ["stopLossPrice", "takeProfitPrice"],
        null,
      ),
    },
    "stream-no-positions-as-null": {
      summary: "The stream writes an empty list of positions as null.",
      response: unsetAs(stream, whole, "positions", null),
    },
    "candle-volume-null": {
      summary: "Every tenth candle has null as its volume.",
      alsoFails: ["get-historical-prices.range"],
      response: rewritten(
        "GetHistoricalPrices",
        (json) => candlesIn(json).filter((_, index) => index % 10 === 9),
        "volume",
        () => null,
      ),
    },
    "prices-null": {
      summary: "GetHistoricalPrices writes an empty list of prices as null.",
      response: unsetAs("GetHistoricalPrices", whole, "prices", null),
    },
  }),
];
