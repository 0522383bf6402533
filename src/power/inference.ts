/**
 * Infers answers to requests that a run did not make. Checks may repeat a violation with fewer fields or run a second time;
 * the record answers such requests if another one means the same or contains the data.
 */
import type { Exchange, HttpRequest } from "../connect/exchange.js";
import type { JsonObject } from "../connect/json.js";
import { formatInstant, parseInstant } from "../judge/instant.js";
import { effectiveLimit } from "../judge/page.js";
import { type ParsedRequest, parseRequest } from "../judge/parsed-request.js";
import { isStream, type PagedEndpoint } from "../specification/endpoints.js";
import type { BookSide } from "../specification/enums.js";
import { pageLimitDefault, streamIntervalDefaultMs } from "../specification/limits.js";
import { withBody } from "./alter.js";
import { type AnswerView, viewOf } from "./answer-view.js";
import { listIn, objectIn } from "./fields.js";
import { isBestFirst, knownPage, type ObservedPlatform, rowsField, totalAs } from "./platform.js";
import { requestKey } from "./recorded-transport.js";

/** Answers requests missing from a record from its other answers. */
export function inference(platform: ObservedPlatform): (request: HttpRequest) => Exchange | undefined {
  const byMeaning = indexByMeaning(platform.views);
  const inferred = new Map<string, Exchange | undefined>();
  return (request) => {
    const key = requestKey(request);
    if (!inferred.has(key)) inferred.set(key, infer(request, byMeaning, platform));
    return inferred.get(key);
  };
}

/** The answers by what their requests mean; of several streams, the longest. */
function indexByMeaning(views: readonly AnswerView[]): ReadonlyMap<string, AnswerView> {
  const byMeaning = new Map<string, AnswerView>();
  for (const view of views) {
    const { answer, asked } = view;
    if (!asked || (answer.kind !== "success" && answer.kind !== "stream")) continue;
    const key = meaningOf(view, asked);
    const known = byMeaning.get(key);
    if (!known || lengthOf(view) > lengthOf(known)) byMeaning.set(key, view);
  }
  return byMeaning;
}

function infer(
  request: HttpRequest,
  byMeaning: ReadonlyMap<string, AnswerView>,
  { views, subjects, listing }: ObservedPlatform,
): Exchange | undefined {
  const { endpoint } = request;
  const asked = request.method === "POST" ? parseRequest(endpoint, request.body, subjects) : undefined;
  if (!asked) return undefined;
  const view = viewOf({ id: "", request, startedAt: "", timings: { headersMs: 0, totalMs: 0 } }, subjects);
  const same = byMeaning.get(meaningOf(view, asked));
  if (same) return { ...same.exchange, request };
  /** The whole body of which the request asks for a part, and the exchange that has it. */
  const wholeFor = (whole: ParsedRequest) => {
    const found = byMeaning.get(meaningOf({ ...view, request: withoutLevels(view.request) }, whole));
    return found?.answer.kind === "success" ? { exchange: found.exchange, body: found.answer.body } : undefined;
  };
  switch (endpoint) {
    case "GetAllPositions":
    case "GetAllOrders": {
      const any = views.find((each) => each.endpoint === endpoint && each.asked && each.answer.kind === "success");
      const body = any && page(endpoint, asked, listing(endpoint, asked));
      return any && body && answerLike(any.exchange, request, body);
    }
    case "GetOrders": {
      const { marketId, ...ofAllMarkets } = asked;
      const whole = wholeFor(ofAllMarkets);
      if (!whole) return undefined;
      const ofMarket = listIn(whole.body, "orders").filter((order) => order.marketId === marketId);
      return answerLike(whole.exchange, request, { ...whole.body, orders: ofMarket });
    }
    case "GetOrderBook": {
      const { levels = 0, ...allLevels } = asked;
      const whole = wholeFor(allLevels);
      return whole && answerLike(whole.exchange, request, best(levels, whole.body));
    }
    default:
      return undefined;
  }
}

/** The exchange of an answer that is like a recorded one, with another body. */
function answerLike(exchange: Exchange, request: HttpRequest, body: JsonObject): Exchange {
  return withBody({ ...exchange, request }, body);
}

function withoutLevels({ levels: _, ...request }: JsonObject): JsonObject {
  return request;
}

function lengthOf({ answer }: AnswerView): number {
  return answer.kind === "stream" ? answer.messages.length : 0;
}

/** A key shared by requests that mean the same, however they are written (§1, §4). */
function meaningOf({ endpoint, request }: AnswerView, asked: ParsedRequest): string {
  const { limit, offset = 0, levels = 0, onlyOpen, sizeInUsd, wallet, marketId, tick, belowMinimum, interval } = asked;
  const paged = endpoint === "GetAllPositions" || endpoint === "GetAllOrders";
  const size = paged ? effectiveLimit(limit) : limit || pageLimitDefault;
  const times = [asked.startTime, asked.endTime].map((text) => {
    const instant = text === undefined ? undefined : parseInstant(text);
    return instant && formatInstant(instant);
  });
  const { updateIntervalMs = streamIntervalDefaultMs } = request;
  const pace = isStream(endpoint) ? updateIntervalMs : undefined;
  const names = endpoint === "GetMarketIdByName" ? [asked.assetSymbol, asked.quoteSymbol] : [];
  const of = [size, offset, levels, onlyOpen, sizeInUsd, wallet, marketId, tick, belowMinimum, interval];
  return JSON.stringify([endpoint, ...of, ...times, pace, ...names]);
}

/** Builds a page of a known listing; undefined when some of its rows are unknown. */
function page(
  endpoint: PagedEndpoint,
  asked: ParsedRequest,
  rows: readonly (JsonObject | undefined)[],
): JsonObject | undefined {
  const { limit, offset = 0 } = asked;
  const shown = rows.length > 0 ? knownPage(asked, rows) : undefined;
  if (!shown) return undefined;
  const pagination = { limit: effectiveLimit(limit), offset, totalCount: totalAs(endpoint, rows.length) };
  return { [rowsField(endpoint)]: shown, pagination };
}

/** Cuts a whole book to the best `most` levels per side; 0 keeps all. */
function best(most: number, body: JsonObject): JsonObject {
  if (most === 0) return body;
  const orderBook = objectIn(body, "orderBook");
  const book = objectIn(orderBook, "book");
  const cut = (side: BookSide) => {
    const levels = listIn(book, side);
    return isBestFirst(levels, side) ? levels.slice(0, most) : levels.slice(-most);
  };
  const [bids, asks] = [cut("bids"), cut("asks")];
  const levels = Math.max(bids.length, asks.length);
  return { ...body, orderBook: { ...orderBook, levels, book: { ...book, bids, asks } } };
}
