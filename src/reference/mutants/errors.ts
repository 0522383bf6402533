import type { Endpoint } from "../../specification/endpoints.js";
import { isHeaviest, marketAt, refuses, selectedBy } from "../conditional-interceptors.js";
import { endStreamFlag, jsonReply } from "../endpoint-handler.js";
import { isObject, type MutableJson, type MutableJsonObject, objectAt } from "../json.js";
import { isActiveStatus } from "../messages.js";
import {
  breaking,
  type CallContext,
  type ErrorReply,
  type HttpReply,
  type Interceptors,
  type Mutant,
  on,
  rulesOn,
} from "../modification.js";
import { walletOf } from "../resource-interceptors.js";

/** Changes the error object of unary operations. */
function errorObject(
  change: (json: MutableJsonObject, call: CallContext) => MutableJsonObject,
): NonNullable<Interceptors["error"]> {
  return (endpoint, error, call) =>
    endpoint === "GetOpenPositionsStreaming" ? undefined : { ...error, json: change(error.json, call) };
}

/** Whether an error says that Connect could not decode the body, for a reason that matches `why`. */
function isDecodingError({ json }: ErrorReply, why = /./): boolean {
  const message = String(json.message);
  return /^cannot decode .* from JSON/.test(message) && why.test(message);
}

/** Decoding errors by cause: invalid or truncated JSON, text after the JSON value, a wrong field. */
const notJson = /Unexpected|Expected|Unterminated|Bad control/;
const goesOn = /after JSON/;
const wrongField = /cannot decode field/;

/** Answers a malformed body of one operation with a success. */
function accepting(
  endpoint: Endpoint,
  why: RegExp,
  answer: (call: CallContext) => MutableJsonObject,
): Interceptors["error"] {
  return on(endpoint, (error, call) => (isDecodingError(error, why) ? jsonReply(200, answer(call)) : undefined));
}

/** Replaces a wrongly typed field, or drops it, in requests of one operation before they are decoded. */
function tolerating(
  endpoint: Endpoint,
  name: string,
  tolerates: (value: MutableJson) => boolean,
  instead: (value: MutableJson) => MutableJson | undefined = () => undefined,
): Interceptors["request"] {
  return on(endpoint, (json) => {
    const value = json[name];
    return value !== undefined && tolerates(value) ? { ...json, [name]: instead(value) } : undefined;
  });
}

/** Whether the wallet has neither orders nor positions. */
function isUnknownWallet({ request, dataset }: CallContext): boolean {
  return !dataset.wallets.has(String(request.owner).trim().toLowerCase());
}

/** An error as an HTML page. */
function page(status: number, reason: string): HttpReply {
  const body = Buffer.from(`<html><body><h1>${status} ${reason}</h1></body></html>`);
  return { status, headers: { "content-type": "text/html" }, body };
}

/** Servers that break one rule of §7. */
export const errors: readonly Mutant[] = [
  ...breaking("errors.shape", {
    // Errors use the Connect error JSON object with fields code (string, lowercase snake case) and message (string).
    "errors-without-message": {
      summary: "Errors have a code and nothing else.",
      error: errorObject(({ code }) => ({ code })),
    },
    "errors-with-numeric-code": {
      summary: "Errors carry the number of their code.",
      error: errorObject(({ code, message }) => ({
        code: { invalid_argument: 3, not_found: 5 }[String(code)] ?? 13,
        message,
      })),
    },
    "market-configs-errors-in-latin-1": {
      summary: "GetMarketConfigs writes the messages of its errors in Latin-1.",
      http: on("GetMarketConfigs", ({ status, headers, body }) =>
        status === 200
          ? undefined
          : {
              status,
              headers,
              body: Buffer.from(Buffer.from(body).toString().replace('"message":"', '"message":"\u00e9'), "latin1"),
            },
      ),
    },
    "unknown-portfolio-error-in-an-error-member": {
      summary: "GetPortfolio answers for an unknown wallet with an error object of another shape.",
      alsoFails: ["errors.malformed-request-answer"],
      http: on("GetPortfolio", (_reply, call) =>
        isUnknownWallet(call) ? jsonReply(404, { error: { status: 404, reason: "no such wallet" } }) : undefined,
      ),
    },
  }),

  ...breaking("errors.code-lowercase", {
    "errors-in-capitals": {
      summary: "Errors carry their code in capitals.",
      error: errorObject((json) => ({ ...json, code: String(json.code).toUpperCase() })),
    },
    "not-found-in-camel-case": {
      summary: "What does not exist is notFound.",
      error: errorObject((json) => (json.code === "not_found" ? { ...json, code: "notFound" } : json)),
    },
  }),

  ...breaking("errors.code-known", {
    "unknown-portfolio-code-of-its-own": {
      summary: "GetPortfolio answers for an unknown wallet with a code that Connect does not have.",
      alsoFails: ["errors.malformed-request-code"],
      http: on("GetPortfolio", (_reply, call) =>
        isUnknownWallet(call) ? jsonReply(404, { code: "no_such_wallet", message: "nobody knows it" }) : undefined,
      ),
    },
    "portfolio-code-of-its-own-for-a-malformed-address": {
      summary: "GetPortfolio answers for an address of too few digits with a code that Connect does not have.",
      http: on("GetPortfolio", (_reply, { request }) =>
        /^0x[0-9a-f]{1,39}$/i.test(String(request.owner).trim())
          ? jsonReply(400, { code: "bad_address", message: "40 digits are needed" })
          : undefined,
      ),
    },
    "decoding-errors-code-of-its-own": {
      summary: "Fields of a wrong type get a code that Connect does not have.",
      alsoFails: [
        "selector.both-alternatives",
        "selector.id-beyond-int64",
        "selector.negative-id",
        "selector.non-numeric-id",
        "errors.malformed-request-code",
      ],
      error: (_endpoint, error) =>
        isDecodingError(error, wrongField) ? { ...error, json: { ...error.json, code: "bad_request" } } : undefined,
    },
  }),

  ...breaking("errors.documented-outcome", {
    "book-of-one-market-not-found": {
      summary: "GetOrderBook does not find the third market, neither by its id nor by its symbols.",
      alsoFails: rulesOn("GetOrderBook"),
      http: refuses(
        "GetOrderBook",
        "not_found",
        ({ request, dataset }) => selectedBy(request, dataset) === marketAt(dataset, 2),
      ),
    },
    "historical-prices-of-one-id-invalid": {
      summary: "GetHistoricalPrices takes the id of one market to be invalid.",
      http: refuses(
        "GetHistoricalPrices",
        "invalid_argument",
        ({ request, dataset }) => selectedBy(request, dataset) === marketAt(dataset, 3),
      ),
    },
    "get-portfolio-of-closed-positions-not-found": {
      summary: "GetPortfolio does not find a wallet all of whose positions are closed and orders ended.",
      http: refuses("GetPortfolio", "not_found", (call) => {
        const { positions, orders } = walletOf(call);
        const showsAny = positions.some(({ open }) => open) || orders.some(({ status }) => isActiveStatus(status));
        return positions.length > 0 && !showsAny;
      }),
    },
    // internal: Server-side failure.
    "get-portfolio-html-500": {
      summary: "GetPortfolio answers with the HTML page of a crashed handler for the wallet with the most orders.",
      http: on("GetPortfolio", (_reply, { dataset, request }) =>
        isHeaviest(dataset, String(request.owner).trim().toLowerCase())
          ? page(500, "Internal Server Error")
          : undefined,
      ),
    },
    "order-book-in-usd-with-total-crashes": {
      summary: "GetOrderBook fails with internal when a total count is sent along and sizes are in USD.",
      alsoFails: ["order-book.size-in-usd", "order-book.total-order-count-ignored"],
      http: on("GetOrderBook", (_reply, { request }) =>
        request.totalOrderCount !== undefined && request.sizeInUsd === true
          ? jsonReply(500, { code: "internal", message: "division by zero" })
          : undefined,
      ),
    },
    "offset-overflows-int32": {
      summary: "GetAllOrders fails with internal when offset and limit together exceed the int32 range.",
      http: on("GetAllOrders", (_reply, { effective: { offset, limit } }) =>
        Number(offset) + Number(limit) > 2_147_483_647
          ? jsonReply(500, { code: "internal", message: "integer overflow" })
          : undefined,
      ),
    },
    "weekly-candles-with-limit-reset": {
      summary: "GetHistoricalPrices resets the connection when a limit comes with an interval of a day or more.",
      alsoFails: ["get-historical-prices.limit-ignored"],
      http: on("GetHistoricalPrices", (whole, { request }) =>
        Number(request.limit ?? 0) > 1 && /^1[DWM]$/.test(String(request.interval))
          ? { ...whole, delivery: "reset" }
          : undefined,
      ),
    },
    "page-that-ends-with-the-last-order-reset": {
      summary: "GetAllOrders resets the connection when a page that begins later ends exactly with the last order.",
      http: on("GetAllOrders", (whole, { effective: { offset, limit } }) =>
        Number(offset) > 0 && Buffer.from(whole.body).includes(`"totalCount":"${Number(offset) + Number(limit)}"`)
          ? { ...whole, delivery: "reset" }
          : undefined,
      ),
    },
    "missing-selector-crashes": {
      summary: "GetMarketConfigs fails with internal when no market is given.",
      alsoFails: ["selector.required"],
      error: on("GetMarketConfigs", (error, { request }) =>
        request.market === undefined && !isDecodingError(error)
          ? { status: 500, json: { code: "internal", message: "nil pointer dereference" } }
          : undefined,
      ),
    },
  }),

  ...breaking("errors.malformed-body", {
    // invalid_argument: Failed validation. §1: with a JSON body.
    "malformed-body-of-get-orders-is-empty": {
      summary: "GetOrders takes a body that is no JSON for an empty request.",
      error: accepting("GetOrders", notJson, () => ({})),
    },
    "trailing-text-ignored": {
      summary: "GetAllPositions reads the first JSON value of a body and ignores what follows.",
      error: accepting("GetAllPositions", goesOn, ({ dataset }) => ({
        pagination: { limit: 50, offset: 0, totalCount: dataset.positions.length },
      })),
    },
    "array-for-a-request": {
      summary: "GetHistoricalPrices answers an array for a request with no candles.",
      error: accepting("GetHistoricalPrices", /Request from JSON: Array/, () => ({})),
    },
    "stream-opens-for-a-malformed-body": {
      summary: "The stream opens for a body that is no JSON, without positions.",
      frame: (frame) => {
        if ((frame.flags & endStreamFlag) === 0) return frame;
        const end: unknown = JSON.parse(Buffer.from(frame.data).toString());
        const error = isObject(end) ? objectAt(end, "error") : undefined;
        const opens = error && isDecodingError({ status: 200, json: error }, notJson);
        return opens ? { flags: 0, data: Buffer.from("{}") } : frame;
      },
    },
  }),

  ...breaking("errors.wrong-type", {
    "address-of-a-wrong-type-ignored": {
      summary: "GetAllOrders drops an address that is not a string, and lists all wallets' orders.",
      request: tolerating("GetAllOrders", "address", (value) => typeof value !== "string" && value !== null),
    },
    "letters-for-a-limit-ignored": {
      summary: "GetAllPositions takes letters in a limit for an omitted one.",
      request: tolerating(
        "GetAllPositions",
        "limit",
        (value) => Number.isNaN(Number(value)) && typeof value === "string",
      ),
    },
    "true-for-levels-is-one": {
      summary: "GetOrderBook takes true for a number of levels for 1.",
      request: tolerating("GetOrderBook", "levels", (value) => value === true, Number),
    },
    "epoch-for-a-time": {
      summary: "GetHistoricalPrices takes a number for seconds since 1970.",
      request: tolerating(
        "GetHistoricalPrices",
        "endTime",
        (value) => typeof value === "number",
        (value) => new Date(Math.min(Number(value), 4e9) * 1000).toISOString(),
      ),
    },
    "stream-takes-any-interval": {
      summary: "The stream takes an update interval of a wrong type for an omitted one.",
      request: tolerating(
        "GetOpenPositionsStreaming",
        "updateIntervalMs",
        (value) => typeof value === "object" || typeof value === "boolean",
      ),
    },
  }),

  ...breaking("errors.malformed-request-code", {
    "malformed-bodies-are-unknown-errors": {
      summary: "A body that is no JSON gets the code unknown.",
      error: (endpoint, error) =>
        endpoint !== "GetOpenPositionsStreaming" && isDecodingError(error, notJson)
          ? { status: 500, json: { ...error.json, code: "unknown" } }
          : undefined,
    },
    "wrong-types-are-failed-preconditions": {
      summary: "GetMarketConfigs gives a field of a wrong type the code failed_precondition.",
      alsoFails: [
        "selector.both-alternatives",
        "selector.non-numeric-id",
        "selector.id-beyond-int64",
        "selector.negative-id",
      ],
      error: on("GetMarketConfigs", (error) =>
        isDecodingError(error, wrongField)
          ? { ...error, json: { ...error.json, code: "failed_precondition" } }
          : undefined,
      ),
    },
  }),

  ...breaking("errors.malformed-request-answer", {
    "malformed-bodies-get-html": {
      summary: "A body that is no JSON gets an HTML page.",
      error: (endpoint, error) =>
        endpoint !== "GetOpenPositionsStreaming" && isDecodingError(error, notJson)
          ? page(400, "Bad Request")
          : undefined,
    },
    "wrong-types-reset-the-connection": {
      summary: "GetMarketIdByName resets the connection when a symbol is of a wrong type.",
      error: on("GetMarketIdByName", (error) =>
        isDecodingError(error, wrongField) ? { ...jsonReply(400, error.json), delivery: "reset" } : undefined,
      ),
    },
    "stream-ends-without-a-word": {
      summary: "The stream ends without an error when a field is of a wrong type.",
      frame: (frame) => {
        if ((frame.flags & endStreamFlag) === 0) return frame;
        return Buffer.from(frame.data).includes("cannot decode field") ? { ...frame, data: Buffer.from("{}") } : frame;
      },
    },
  }),
];
