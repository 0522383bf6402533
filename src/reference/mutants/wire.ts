import type { Endpoint } from "../../specification/endpoints.js";
import {
  candlesIn,
  type Json,
  type JsonObject,
  levelsIn,
  objectAt,
  objectsAt,
  ordersIn,
  positionsIn,
  raw,
} from "../json.js";
import { type CallContext, type HttpReply, type Mutant, on } from "../modification.js";

type Objects = readonly (JsonObject | undefined)[];
/** Which objects of a response a mutant is about. */
type Choice = (json: JsonObject, call: CallContext) => Objects;

/** A response of which some objects are changed in place. */
function changed(endpoint: Endpoint | readonly Endpoint[], choose: Choice, change: (object: JsonObject) => void) {
  return on(endpoint, (json: JsonObject, call: CallContext) => {
    for (const object of choose(json, call)) if (object !== undefined) change(object);
    return json;
  });
}

/** A response in which a member is written in another way, where it is there. */
function rewritten(
  endpoint: Endpoint | readonly Endpoint[],
  choose: Choice,
  names: string | readonly string[],
  write: (value: Json) => Json,
) {
  return changed(endpoint, choose, (object) => {
    for (const name of typeof names === "string" ? [names] : names) {
      const value = object[name];
      if (value !== undefined) object[name] = write(value);
    }
  });
}

/** A response in which a default, which is left out otherwise, is written as another value. */
function unsetAs(
  endpoint: Endpoint | readonly Endpoint[],
  choose: Choice,
  names: string | readonly string[],
  value: Json,
) {
  return changed(endpoint, choose, (object) => {
    for (const name of typeof names === "string" ? [names] : names) object[name] ??= value;
  });
}

function without(endpoint: Endpoint, choose: Choice, name: string) {
  return changed(endpoint, choose, (object) => {
    delete object[name];
  });
}

const whole: Choice = (json) => [json];
const portfolio: Choice = (json) => [objectAt(json, "portfolio")];
const book: Choice = (json) => [objectAt(json, "orderBook")];
const config: Choice = (json) => [objectAt(json, "marketConfig")];
const portfolioOrders: Choice = (json) => objectsAt(json, "portfolio", "orders");
const associated: Choice = (json) => positionsIn(json).flatMap((position) => objectsAt(position, "associatedOrders"));

/** The rows of a listing that lie beyond the first thousand. */
const beyondFirstThousand: Choice = (json, { effective }) => {
  const offset = Number(effective.offset ?? 0);
  const rows = [...objectsAt(json, "orders"), ...objectsAt(json, "positions")];
  return rows.filter((_, index) => offset + index >= 1000);
};

const asNumber = (digits: Json): Json => raw(String(digits));

/** The address in the mixed case that wallets show it in. */
function checksummed(owner: Json): Json {
  return String(owner).replace(/[a-f]/g, (digit, at: number) => (at % 2 === 0 ? digit.toUpperCase() : digit));
}

/** Changes the text of successful answers of one operation. */
function rewrittenText(endpoint: Endpoint, write: (text: string) => string): NonNullable<Mutant["http"]> {
  return on(endpoint, (reply: HttpReply) =>
    reply.status === 200 ? { ...reply, body: Buffer.from(write(Buffer.from(reply.body).toString())) } : undefined,
  );
}

/** The reply with another content type; with none when it is undefined. */
function withContentType(reply: HttpReply, type: string | undefined): HttpReply {
  const { "content-type": _, ...headers } = reply.headers;
  return { ...reply, headers: type === undefined ? headers : { ...headers, "content-type": type } };
}

const stream = "GetOpenPositionsStreaming";

/** Servers that break one of the conventions of §1. */
export const wire: readonly Mutant[] = [
  // Every operation is an HTTP POST to {base_url}/<package.ServiceName>/<MethodName>.
  {
    kind: "mutant",
    name: "market-id-by-name-not-routed",
    summary: "GetMarketIdByName is not at its path.",
    breaks: "protocol.post-path",
    alsoFails: ["errors.documented-outcome"],
    intercept: (_request, { endpoint }) =>
      endpoint === "GetMarketIdByName"
        ? { status: 404, headers: { "content-type": "text/plain" }, body: Buffer.from("404 page not found") }
        : undefined,
  },
  {
    kind: "mutant",
    name: "historical-prices-only-by-get",
    summary: "GetHistoricalPrices answers a POST with 405.",
    breaks: "protocol.post-path",
    alsoFails: ["get-historical-prices.intervals", "errors.documented-outcome"],
    intercept: ({ method }, { endpoint }) =>
      endpoint === "GetHistoricalPrices" && method === "POST"
        ? { status: 405, headers: { allow: "GET" }, body: Buffer.from("") }
        : undefined,
  },

  // Wallet addresses are EVM addresses. Addresses returned in owner fields are lowercase.
  {
    kind: "mutant",
    name: "position-owner-without-prefix-beyond-1000",
    summary: "GetAllPositions writes owners without 0x in rows beyond the first thousand.",
    breaks: "wire.owner-evm-address",
    alsoFails: ["position.associated-orders-owner", "relations.position-stored-state"],
    response: rewritten("GetAllPositions", beyondFirstThousand, "owner", (owner) => String(owner).slice(2)),
  },
  {
    kind: "mutant",
    name: "portfolio-associated-order-owner-shortened",
    summary: "Orders within the positions of a portfolio have the short form of an address for an owner.",
    breaks: "wire.owner-evm-address",
    alsoFails: ["portfolio.nested-owners", "relations.order-stored-state"],
    response: rewritten(
      "GetPortfolio",
      associated,
      "owner",
      (owner) => `${String(owner).slice(0, 6)}…${String(owner).slice(-4)}`,
    ),
  },
  {
    kind: "mutant",
    name: "portfolio-owner-as-requested",
    summary: "A portfolio's owner is the address as it was asked for, without the whitespace around it.",
    breaks: "wire.owner-lowercase",
    response: on("GetPortfolio", (json: JsonObject, { request }: CallContext) => {
      const portfolio = objectAt(json, "portfolio");
      if (portfolio) portfolio.owner = String(request.owner).trim();
      return json;
    }),
  },
  {
    kind: "mutant",
    name: "stream-owner-checksummed",
    summary: "The stream writes owners in mixed case.",
    breaks: "wire.owner-lowercase",
    response: rewritten(stream, positionsIn, "owner", checksummed),
  },
  {
    kind: "mutant",
    name: "associated-order-owner-checksummed",
    summary: "Orders within listed positions have their owner in mixed case.",
    breaks: "wire.owner-lowercase",
    response: rewritten("GetAllPositions", associated, "owner", checksummed),
  },
  {
    kind: "mutant",
    name: "order-owner-upper-case-beyond-1000",
    summary: "GetAllOrders writes owners in capitals in rows beyond the first thousand.",
    breaks: "wire.owner-lowercase",
    response: rewritten(
      "GetAllOrders",
      beyondFirstThousand,
      "owner",
      (owner) => `0x${String(owner).slice(2).toUpperCase()}`,
    ),
  },

  // Encoding: JSON request and response bodies, Content-Type: application/json.
  {
    kind: "mutant",
    name: "get-all-orders-as-text",
    summary: "GetAllOrders answers with the content type text/plain.",
    breaks: "wire.content-type",
    http: on("GetAllOrders", (reply: HttpReply) => withContentType(reply, "text/plain; charset=utf-8")),
  },
  {
    kind: "mutant",
    name: "errors-as-html",
    summary: "Errors are Connect's, but say that they are text/html.",
    breaks: "wire.content-type",
    http: (_endpoint, reply) => (reply.status >= 400 ? withContentType(reply, "text/html") : undefined),
  },
  {
    kind: "mutant",
    name: "portfolio-without-content-type",
    summary: "GetPortfolio answers without a content type.",
    breaks: "wire.content-type",
    http: on("GetPortfolio", (reply: HttpReply) => withContentType(reply, undefined)),
  },
  {
    kind: "mutant",
    name: "large-answers-as-octets",
    summary: "Answers of more than a quarter of a megabyte say that they are application/octet-stream.",
    breaks: "wire.content-type",
    http: (_endpoint, reply) =>
      reply.body.byteLength > 262_144 ? withContentType(reply, "application/octet-stream") : undefined,
  },
  {
    kind: "mutant",
    name: "stream-as-plain-json",
    summary: "The stream says that it is application/json.",
    breaks: "wire.streaming-content-type",
    streamHeaders: (headers) => headers.set("content-type", "application/json"),
  },
  {
    kind: "mutant",
    name: "stream-as-event-stream",
    summary: "The stream says that it is text/event-stream.",
    breaks: "wire.streaming-content-type",
    streamHeaders: (headers) => headers.set("content-type", "text/event-stream"),
  },
  {
    kind: "mutant",
    name: "empty-order-list-as-array",
    summary: "GetOrders answers with a bare empty array when a wallet has no orders.",
    breaks: "wire.json-object",
    alsoFails: ["selector.unknown-id-code"],
    http: rewrittenText("GetOrders", (text) => (text === "{}" ? "[]" : text)),
  },
  {
    kind: "mutant",
    name: "market-id-as-bare-string",
    summary: "GetMarketIdByName answers with the id alone, not with an object.",
    breaks: "wire.json-object",
    http: rewrittenText("GetMarketIdByName", (text) => `"${/\d+/.exec(text)?.[0] ?? ""}"`),
  },
  {
    kind: "mutant",
    name: "market-config-behind-a-guard",
    summary: "GetMarketConfigs puts a guard against script inclusion before its JSON.",
    breaks: "wire.json-object",
    http: rewrittenText("GetMarketConfigs", (text) => `)]}',\n${text}`),
  },
  {
    kind: "mutant",
    name: "empty-book-nan",
    summary: "GetOrderBook writes NaN, which JSON does not have, where it aggregates no orders.",
    breaks: "wire.json-object",
    response: changed("GetOrderBook", book, (orderBook) => {
      if (levelsIn({ orderBook }).length === 0) orderBook.tickSize = raw("NaN");
    }),
  },

  // 64-bit integers: int64/uint64 identifiers are encoded in JSON as decimal strings.
  {
    kind: "mutant",
    name: "position-id-as-number",
    summary: "Positions carry their positionId as a JSON number.",
    breaks: "wire.int64-as-string",
    response: rewritten(["GetAllPositions", stream, "GetPortfolio"], positionsIn, "positionId", asNumber),
  },
  {
    kind: "mutant",
    name: "small-order-ids-as-numbers",
    summary: "Order ids up to 2^53 are JSON numbers, greater ones strings.",
    breaks: "wire.int64-as-string",
    response: rewritten(["GetAllOrders", "GetOrders", "GetPortfolio", "GetAllPositions"], ordersIn, "orderId", (id) =>
      Number.isSafeInteger(Number(id)) ? asNumber(id) : id,
    ),
  },
  {
    kind: "mutant",
    name: "total-trades-as-number",
    summary: "A portfolio's totalTrades is a JSON number.",
    breaks: "wire.int64-as-string",
    response: rewritten("GetPortfolio", portfolio, "totalTrades", asNumber),
  },
  {
    kind: "mutant",
    name: "fee-config-market-id-as-number",
    summary: "The market id inside feeConfig is a JSON number.",
    breaks: "wire.int64-as-string",
    response: rewritten(
      "GetMarketConfigs",
      (json) => [objectAt(json, "marketConfig", "feeConfig")],
      "marketId",
      asNumber,
    ),
  },
  {
    kind: "mutant",
    name: "book-market-id-as-number",
    summary: "A book's marketId is a JSON number.",
    breaks: "wire.int64-as-string",
    response: rewritten("GetOrderBook", book, "marketId", asNumber),
  },
  {
    kind: "mutant",
    name: "found-market-id-as-number",
    summary: "GetMarketIdByName gives the id as a JSON number.",
    breaks: "wire.int64-as-string",
    response: rewritten("GetMarketIdByName", whole, "marketId", asNumber),
  },
  {
    kind: "mutant",
    name: "stream-market-id-as-number",
    summary: "The stream writes market ids as JSON numbers.",
    breaks: "wire.int64-as-string",
    response: rewritten(stream, positionsIn, "marketId", asNumber),
  },
  {
    kind: "mutant",
    name: "order-ids-zero-padded",
    summary: "GetOrders pads order ids with zeros to twenty digits.",
    breaks: "wire.int64-decimal",
    response: rewritten("GetOrders", ordersIn, "orderId", (id) => String(id).padStart(20, "0")),
  },
  {
    kind: "mutant",
    name: "position-ids-with-sign",
    summary: "Positions of a portfolio have a plus sign before their id.",
    breaks: "wire.int64-decimal",
    response: rewritten("GetPortfolio", positionsIn, "positionId", (id) => `+${id}`),
  },
  {
    kind: "mutant",
    name: "config-market-id-with-line-break",
    summary: "A configuration's marketId ends in a line break.",
    breaks: "wire.int64-decimal",
    response: rewritten("GetMarketConfigs", config, "marketId", (id) => `${id}\n`),
  },
  {
    kind: "mutant",
    name: "total-trades-with-fraction",
    summary: "A portfolio's totalTrades is a decimal with a fraction.",
    breaks: "wire.int64-decimal",
    response: rewritten("GetPortfolio", portfolio, "totalTrades", (trades) => `${trades}.0`),
  },

  // Floating values: Prices, sizes, margins, PnL are JSON numbers.
  {
    kind: "mutant",
    name: "candle-prices-as-strings",
    summary: "Candles carry their prices as decimal strings.",
    breaks: "wire.number-type",
    response: rewritten("GetHistoricalPrices", candlesIn, ["open", "high", "low", "close"], String),
  },
  {
    kind: "mutant",
    name: "liquidation-price-nan",
    summary: "Positions of low leverage have the string NaN for a liquidation price.",
    breaks: "wire.number-type",
    response: changed(["GetAllPositions", "GetPortfolio"], positionsIn, (position) => {
      if (Number(position.leverage) < 4) position.liquidationPrice = "NaN";
    }),
  },
  {
    kind: "mutant",
    name: "ask-sizes-as-strings",
    summary: "GetOrderBook writes the sizes of asks as strings.",
    breaks: "wire.number-type",
    response: rewritten("GetOrderBook", (json) => objectsAt(json, "orderBook", "book", "asks"), "size", String),
  },
  {
    kind: "mutant",
    name: "portfolio-order-margins-as-strings",
    summary: "Orders of a portfolio have their initialMargin as a string.",
    breaks: "wire.number-type",
    response: rewritten("GetPortfolio", portfolioOrders, "initialMargin", String),
  },
  {
    kind: "mutant",
    name: "adl-config-as-strings",
    summary: "The numbers in adlConfig are decimal strings.",
    breaks: "wire.number-type",
    response: rewritten(
      "GetMarketConfigs",
      (json) => [objectAt(json, "marketConfig", "adlConfig")],
      ["maintenanceMarginRatio", "seizureThreshold", "adlThreshold", "shockFactor", "maxIfFractionAllowed"],
      String,
    ),
  },
  {
    kind: "mutant",
    name: "stream-pnl-as-money",
    summary: "The stream writes unrealizedPnl as an amount of money.",
    breaks: "wire.number-type",
    response: rewritten(stream, positionsIn, "unrealizedPnl", (amount) => ({ currency: "USD", amount })),
  },

  // Timestamps: RFC 3339 date-time strings.
  {
    kind: "mutant",
    name: "order-timestamps-without-zone",
    summary: "GetOrders leaves the zone out of timestamps.",
    breaks: "wire.timestamp-rfc3339",
    alsoFails: ["relations.order-stored-state"],
    response: rewritten("GetOrders", ordersIn, "timestamp", (time) => String(time).replace("Z", "")),
  },
  {
    kind: "mutant",
    name: "candle-timestamps-as-epoch",
    summary: "Candles carry seconds since 1970 for a timestamp.",
    breaks: "wire.timestamp-rfc3339",
    response: rewritten("GetHistoricalPrices", candlesIn, "timestamp", (time) => Date.parse(String(time)) / 1000),
  },
  {
    kind: "mutant",
    name: "book-timestamp-as-http-date",
    summary: "A book's timestamp is written as in an HTTP header.",
    breaks: "wire.timestamp-rfc3339",
    response: rewritten("GetOrderBook", book, "timestamp", (time) => new Date(String(time)).toUTCString()),
  },
  {
    kind: "mutant",
    name: "portfolio-timestamp-on-no-day",
    summary: "A portfolio's timestamp names the thirty-second of a month.",
    breaks: "wire.timestamp-rfc3339",
    response: rewritten("GetPortfolio", portfolio, "timestamp", (time) => String(time).replace(/-\d\dT/, "-32T")),
  },
  {
    kind: "mutant",
    name: "portfolio-timestamp-in-small-letters",
    summary: "A portfolio's timestamp is written with a small t and z.",
    breaks: "wire.timestamp-letters",
    response: rewritten("GetPortfolio", portfolio, "timestamp", (time) => String(time).toLowerCase()),
  },
  {
    kind: "mutant",
    name: "stream-timestamps-with-blank",
    summary: "The stream writes a blank between date and time.",
    breaks: "wire.timestamp-letters",
    response: rewritten(stream, positionsIn, "timestamp", (time) => String(time).replace("T", " ")),
  },
  {
    kind: "mutant",
    name: "associated-orders-without-timestamp",
    summary: "Orders within the positions of a portfolio have no timestamp.",
    breaks: "wire.timestamp-present",
    response: changed("GetPortfolio", associated, (order) => {
      delete order.timestamp;
    }),
  },
  {
    kind: "mutant",
    name: "old-positions-without-timestamp",
    summary: "GetAllPositions leaves the timestamp out of rows beyond the first thousand.",
    breaks: "wire.timestamp-present",
    response: without("GetAllPositions", beyondFirstThousand, "timestamp"),
  },

  // The objects that answers are documented to carry, and the types of their fields.
  {
    kind: "mutant",
    name: "portfolio-missing-when-nothing-is-open",
    summary: "GetPortfolio leaves the portfolio out when nothing in it is open.",
    breaks: "wire.result-present",
    response: on("GetPortfolio", (json: JsonObject) =>
      positionsIn(json).length + ordersIn(json).length === 0 ? {} : json,
    ),
  },
  {
    kind: "mutant",
    name: "book-unwrapped-in-usd",
    summary: "GetOrderBook answers with the book itself, not within orderBook, when sizes are in USD.",
    breaks: "wire.result-present",
    response: on("GetOrderBook", (json: JsonObject, { effective }: CallContext) =>
      effective.sizeInUsd === true ? (objectAt(json, "orderBook") ?? json) : json,
    ),
  },
  {
    kind: "mutant",
    name: "book-without-timestamp",
    summary: "A book has no timestamp.",
    breaks: "wire.nested-objects-present",
    response: without("GetOrderBook", book, "timestamp"),
  },
  {
    kind: "mutant",
    name: "config-without-adl",
    summary: "Configurations have no adlConfig.",
    breaks: "wire.nested-objects-present",
    response: without("GetMarketConfigs", config, "adlConfig"),
  },
  {
    kind: "mutant",
    name: "stream-associated-orders-as-object",
    summary: "The stream writes an empty list of associated orders as an object.",
    breaks: "wire.container-type",
    response: unsetAs(stream, positionsIn, "associatedOrders", {}),
  },
  {
    kind: "mutant",
    name: "empty-orders-as-object",
    summary: "GetAllOrders writes an empty page as an object.",
    breaks: "wire.container-type",
    response: unsetAs("GetAllOrders", whole, "orders", {}),
  },
  {
    kind: "mutant",
    name: "fee-config-as-list",
    summary: "Configurations carry a list with one feeConfig.",
    breaks: "wire.container-type",
    response: rewritten("GetMarketConfigs", config, "feeConfig", (fees) => [fees]),
  },
  {
    kind: "mutant",
    name: "no-reduce-order-type-as-false",
    summary: "Opening orders of a portfolio have false for a reduceOrderType.",
    breaks: "wire.string-type",
    response: unsetAs("GetPortfolio", portfolioOrders, "reduceOrderType", false),
  },
  {
    kind: "mutant",
    name: "config-creator-as-object",
    summary: "A configuration's creator is an object with its address.",
    breaks: "wire.string-type",
    response: rewritten("GetMarketConfigs", config, "creator", (address) => ({ address })),
  },
  {
    kind: "mutant",
    name: "order-reduce-only-as-string",
    summary: "GetOrders writes reduceOnly as a string.",
    breaks: "wire.boolean-type",
    response: rewritten("GetOrders", ordersIn, "reduceOnly", String),
  },
  {
    kind: "mutant",
    name: "size-in-usd-as-number",
    summary: "A book's sizeInUsd is 1.",
    breaks: "wire.boolean-type",
    response: rewritten("GetOrderBook", book, "sizeInUsd", Number),
  },
  {
    kind: "mutant",
    name: "stream-reduce-only-as-zero",
    summary: "The stream writes reduceOnly as 0.",
    breaks: "wire.boolean-type",
    response: unsetAs(stream, positionsIn, "reduceOnly", 0),
  },
  {
    kind: "mutant",
    name: "bid-order-count-as-string",
    summary: "GetOrderBook writes the orderCount of bids as a string.",
    breaks: "wire.integer-type",
    response: rewritten("GetOrderBook", (json) => objectsAt(json, "orderBook", "book", "bids"), "orderCount", String),
  },
  {
    kind: "mutant",
    name: "candle-count-as-string",
    summary: "The totalCount of candles is a decimal string.",
    breaks: "wire.integer-type",
    response: rewritten("GetHistoricalPrices", whole, "totalCount", String),
  },
  {
    kind: "mutant",
    name: "size-decimals-with-fraction",
    summary: "A configuration's sizeDecimals has a fraction.",
    breaks: "wire.integer-type",
    response: rewritten("GetMarketConfigs", config, "sizeDecimals", (decimals) => Number(decimals) + 0.5),
  },
  {
    kind: "mutant",
    name: "stream-side-in-small-letters",
    summary: "The stream writes sides in small letters.",
    breaks: "wire.side-values",
    response: rewritten(stream, positionsIn, "side", (side) => String(side).toLowerCase()),
  },
  {
    kind: "mutant",
    name: "associated-order-side-abbreviated",
    summary: "Orders within the positions of a portfolio have LONG or SHORT for a side.",
    breaks: "wire.side-values",
    response: rewritten("GetPortfolio", associated, "side", (side) => String(side).replace("SIDE_", "")),
  },

  {
    kind: "mutant",
    name: "get-orders-without-sides",
    summary: "GetOrders leaves out the side of every order.",
    breaks: "wire.side-values",
    alsoFails: ["wire.enum-values-written"],
    response: without("GetOrders", ordersIn, "side"),
  },
  {
    kind: "mutant",
    name: "long-sides-left-out",
    summary: "Long positions and orders come without a side, everywhere.",
    breaks: "wire.enum-values-written",
    response: (_endpoint, json) => {
      for (const row of [...positionsIn(json), ...ordersIn(json)]) if (row.side === "SIDE_LONG") delete row.side;
      return json;
    },
  },

  // Unset values: zero, empty string or false, never null.
  {
    kind: "mutant",
    name: "unset-triggers-as-null",
    summary: "Unset stop-loss and take-profit prices of orders are null.",
    breaks: "wire.no-null",
    response: unsetAs(
      ["GetAllOrders", "GetOrders", "GetPortfolio", "GetAllPositions"],
      ordersIn,
      ["stopLossPrice", "takeProfitPrice"],
      null,
    ),
  },
  {
    kind: "mutant",
    name: "stream-no-positions-as-null",
    summary: "The stream writes an empty list of positions as null.",
    breaks: "wire.no-null",
    response: unsetAs(stream, whole, "positions", null),
  },
  {
    kind: "mutant",
    name: "candle-volume-null",
    summary: "Every tenth candle has null for a volume.",
    breaks: "wire.no-null",
    response: rewritten(
      "GetHistoricalPrices",
      (json) => candlesIn(json).filter((_, index) => index % 10 === 9),
      "volume",
      () => null,
    ),
  },
  {
    kind: "mutant",
    name: "prices-null",
    summary: "GetHistoricalPrices writes an empty list of prices as null.",
    breaks: "wire.no-null",
    response: unsetAs("GetHistoricalPrices", whole, "prices", null),
  },
];
