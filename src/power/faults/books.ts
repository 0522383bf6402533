/** Faults of order books (§4.6, §2 OrderBook and level). */
import type { JsonObject } from "../../connect/json.js";
import type { ParsedRequest } from "../../judge/parsed-request.js";
import type { RuleId } from "../../specification/catalogue/index.js";
import { type BookSide, bookSides } from "../../specification/enums.js";
import { withBody } from "../alter.js";
import type { AnswerView } from "../answer-view.js";
import type { FaultKind, FaultTemplate, ScopeName } from "../fault.js";
import { anotherId, listIn, numberIn, objectIn, withField } from "../fields.js";
import { isBestFirst, type ObservedPlatform } from "../platform.js";
import { acceptedIf, faultsOf, inAnswer, inEach, refusedIf } from "./define.js";

const usual: readonly ScopeName[] = ["one market", "two fields", "two other fields"];
const everyWay: readonly ScopeName[] = [...usual, "another way to write"];

const inAnswers = faultsOf("GetOrderBook", inAnswer, { name: "book" });

/** A fault in each book that answers a documented request. */
function book(
  name: string,
  rule: RuleId,
  kind: FaultKind,
  words: string,
  change: (book: JsonObject, asked: ParsedRequest) => JsonObject,
  scopes: readonly ScopeName[] = usual,
): FaultTemplate {
  return inEach(
    "book",
    { name: `book-${name}`, rule, kind, words: `a book's ${words}`, scopes },
    (row, _, { asked }) => (asked ? change(row, asked) : row),
  );
}

/** A fault in the levels of each side of a book. */
function inLevels(
  name: string,
  rule: RuleId,
  kind: FaultKind,
  words: string,
  change: LevelsFault,
  scopes: readonly ScopeName[] = usual,
): FaultTemplate {
  return book(
    name,
    rule,
    kind,
    words,
    (row, asked) => withLevels(row, (all, side) => change(all, asked, side)),
    scopes,
  );
}

/** What a faulty server makes of the levels of a side, which it gets best first. Returning the same levels means no change. */
type LevelsFault = (all: readonly JsonObject[], asked: ParsedRequest, side: BookSide) => readonly JsonObject[];

/** Changes the levels of each side of a book; `change` gets them best first. */
function withLevels(
  book: JsonObject,
  change: (levels: readonly JsonObject[], side: BookSide) => readonly JsonObject[],
): JsonObject {
  const sides = objectIn(book, "book");
  const changed = bookSides.reduce((made, side) => {
    const levels = listIn(made, side);
    const isReversed = !isBestFirst(levels, side);
    const before = isReversed ? levels.toReversed() : levels;
    const after = change(before, side);
    return withField(made, side, isReversed ? after.toReversed() : after);
  }, sides);
  return changed === sides ? book : withField(book, "book", changed);
}

/** Recomputes the running totals of levels. */
function running(levels: readonly JsonObject[]): readonly JsonObject[] {
  let total = 0;
  return levels.map((level) => {
    total += numberIn(level, "size");
    return withField(level, "cumulativeTotal", total);
  });
}

/** Levels in USD, with their sizes in units. */
function inUnits(levels: readonly JsonObject[]): readonly JsonObject[] {
  return running(
    levels.map((level) => withField(level, "size", numberIn(level, "size") / (numberIn(level, "price") || 1))),
  );
}

/** The levels with a field of one of them changed, by default the first. */
function withLevel(
  all: readonly JsonObject[],
  field: "price" | "size" | "orderCount",
  change: (value: number) => number,
  at = 0,
): readonly JsonObject[] {
  return all.map((level, index) => (index === at ? withField(level, field, change(numberIn(level, field))) : level));
}

/** The levels with a field of all of them changed. */
function withEachLevel(
  all: readonly JsonObject[],
  field: "price" | "size",
  change: (value: number) => number,
): readonly JsonObject[] {
  return all.map((level) => withField(level, field, change(numberIn(level, field))));
}

function ordersIn(levels: readonly JsonObject[]): number {
  return levels.reduce((sum, level) => sum + numberIn(level, "orderCount"), 0);
}

const isBucketed = ({ tick = 0 }: ParsedRequest) => tick > 0;

const bookFaults: readonly FaultTemplate[] = [
  book(
    "market-id-of-another",
    "order-book.market-id",
    "wrong echo",
    "marketId is another market's",
    (orderBook) => withField(orderBook, "marketId", anotherId(orderBook.marketId)),
    everyWay,
  ),
  book(
    "market-id-empty",
    "order-book.market-id",
    "field missing",
    "marketId is left out",
    (orderBook) => withField(orderBook, "marketId", undefined),
    everyWay,
  ),
  book(
    "page-size-default",
    "order-book.page-size",
    "wrong echo",
    "pageSize is one more than the limit",
    (orderBook, { limit = 0 }) => withField(orderBook, "pageSize", (limit || 50) + 1),
  ),
  book("page-size-total", "order-book.page-size", "wrong echo", "pageSize is the number of all orders", (orderBook) =>
    withField(orderBook, "pageSize", orderBook.totalOrderCount),
  ),
  book(
    "offset-not-told",
    "order-book.offset",
    "wrong echo",
    "offset is 0 whatever was asked for",
    (orderBook, { offset = 0 }) => (offset > 0 ? withField(orderBook, "offset", undefined) : orderBook),
  ),
  book("offset-one-off", "order-book.offset", "wrong echo", "offset is one more than asked for", (orderBook) =>
    withField(orderBook, "offset", numberIn(orderBook, "offset") + 1),
  ),
  book(
    "total-of-page",
    "order-book.total-order-count",
    "wrong count",
    "totalOrderCount counts what the book shows",
    (orderBook) => withField(orderBook, "totalOrderCount", shownOrders(orderBook)),
  ),
  book(
    "total-one-off",
    "order-book.total-order-count",
    "wrong count",
    "totalOrderCount is one too many where there is a limit",
    (orderBook, { limit }) =>
      limit === undefined
        ? orderBook
        : withField(orderBook, "totalOrderCount", numberIn(orderBook, "totalOrderCount") + 1),
  ),
  book(
    "total-after-offset",
    "order-book.total-order-count",
    "wrong count",
    "totalOrderCount leaves out what the offset skips",
    (orderBook, { offset = 0 }) =>
      offset > 0
        ? withField(orderBook, "totalOrderCount", Math.max(0, numberIn(orderBook, "totalOrderCount") - offset))
        : orderBook,
  ),
  book("level-count-zero", "order-book.level-count", "wrong count", "levels is 0", (orderBook) =>
    withField(orderBook, "levels", undefined),
  ),
  book(
    "level-count-of-both-sides",
    "order-book.level-count",
    "wrong count",
    "levels counts both sides",
    (orderBook, { levels = 0 }) => (levels > 0 ? withField(orderBook, "levels", levels * 2) : orderBook),
  ),
  book(
    "level-count-one-short",
    "order-book.level-count",
    "wrong count",
    "levels is one less than a side has",
    (orderBook) => {
      const most = Math.max(...bookSides.map((side) => listIn(objectIn(orderBook, "book"), side).length));
      return most > 0 ? withField(orderBook, "levels", most - 1) : orderBook;
    },
  ),
  book(
    "tick-size-not-told",
    "order-book.tick-size-applied",
    "wrong echo",
    "tickSize is 0 though it is bucketed",
    (orderBook, asked) =>
      isBucketed(asked) && !asked.belowMinimum ? withField(orderBook, "tickSize", undefined) : orderBook,
    everyWay,
  ),
  book(
    "tick-size-tenfold",
    "order-book.tick-size-applied",
    "wrong echo",
    "tickSize is ten times the one asked for",
    (orderBook, asked) =>
      isBucketed(asked) && !asked.belowMinimum
        ? withField(orderBook, "tickSize", numberIn(orderBook, "tickSize") * 10)
        : orderBook,
    everyWay,
  ),
  book(
    "tick-size-without-bucketing",
    "order-book.tick-size-zero",
    "wrong echo",
    "tickSize is reported although bucketing is off",
    (orderBook, { tick }) => (tick === 0 ? withField(orderBook, "tickSize", 1) : orderBook),
  ),
  book(
    "tick-size-below-minimum-echoed",
    "order-book.tick-size-below-minimum",
    "wrong echo",
    "tickSize is echoed though it is below the minimum",
    (orderBook, { belowMinimum, tick = 0 }) => (belowMinimum ? withField(orderBook, "tickSize", tick / 2) : orderBook),
  ),
  book(
    "tick-size-below-minimum-is-none",
    "order-book.tick-size-below-minimum",
    "wrong echo",
    "tickSize is 0 where less than the minimum was asked for",
    (orderBook, { belowMinimum }) => (belowMinimum ? withField(orderBook, "tickSize", undefined) : orderBook),
  ),
  book(
    "size-flag-lost",
    "order-book.size-in-usd-flag",
    "wrong echo",
    "sizeInUsd is false though it was asked for",
    (orderBook, { sizeInUsd }) => (sizeInUsd ? withField(orderBook, "sizeInUsd", undefined) : orderBook),
    everyWay,
  ),
  book(
    "size-flag-always",
    "order-book.size-in-usd-flag",
    "wrong echo",
    "sizeInUsd is true though nobody asked for it",
    (orderBook, { sizeInUsd }) => (sizeInUsd ? orderBook : withField(orderBook, "sizeInUsd", true)),
    ["one market", "two other fields"],
  ),
  inLevels(
    "total-not-running",
    "order-book.cumulative-total",
    "wrong value",
    "cumulativeTotal is the size of the level",
    (all) => (all.length > 1 ? all.map((level) => withField(level, "cumulativeTotal", level.size)) : all),
    everyWay,
  ),
  inLevels(
    "total-from-the-worst",
    "order-book.cumulative-total",
    "wrong value",
    "cumulativeTotal runs from the worst price inward",
    (all) => (all.length > 1 ? running(all.toReversed()).toReversed() : all),
    everyWay,
  ),
  inLevels(
    "total-of-asks-lags",
    "order-book.cumulative-total",
    "wrong value",
    "cumulativeTotal of asks leaves out the level itself",
    (all, _, side) =>
      side === "asks"
        ? all.map((level) =>
            withField(level, "cumulativeTotal", numberIn(level, "cumulativeTotal") - numberIn(level, "size")),
          )
        : all,
  ),
  inLevels(
    "levels-unsorted",
    "order-book.levels-sorted",
    "rows out of order",
    "first two levels are swapped",
    (all) => {
      const [first, second, ...rest] = all;
      return first && second && rest.length > 0 ? running([second, first, ...rest]) : all;
    },
    everyWay,
  ),
  inLevels(
    "level-split",
    "order-book.prices-distinct",
    "row doubled",
    "best level is split in two of the same price",
    (all) => {
      const [first, ...rest] = all;
      if (!first || rest.length === 0 || numberIn(first, "orderCount") < 1) return all;
      const half = { ...first, size: numberIn(first, "size") / 2 };
      return running([half, half, ...rest]);
    },
    everyWay,
  ),
  book(
    "bids-reversed",
    "order-book.sides-sorted-alike",
    "rows out of order",
    "bids are sorted the other way",
    (orderBook) => {
      const sides = objectIn(orderBook, "book");
      const bids = listIn(sides, "bids");
      return bids.length > 1 ? withField(orderBook, "book", withField(sides, "bids", bids.toReversed())) : orderBook;
    },
    everyWay,
  ),
  book("crossed", "order-book.not-crossed", "wrong value", "bids are above its asks", (orderBook, { tick }) => {
    const ask = Math.max(0, ...listIn(objectIn(orderBook, "book"), "asks").map((level) => numberIn(level, "price")));
    if (tick !== 0 || ask === 0) return orderBook;
    return withLevels(orderBook, (all, side) =>
      side === "bids" ? all.map((level) => withField(level, "price", numberIn(level, "price") + ask)) : all,
    );
  }),
  inLevels(
    "level-off-its-grid",
    "order-book.bucket-spacing",
    "wrong value",
    "best level is a quarter of a tick off its grid",
    (all, { tick = 0 }, side) =>
      tick > 0 && all.length > 1
        ? withLevel(all, "price", (price) => price + ((side === "bids" ? 1 : -1) * tick) / 4)
        : all,
    everyWay,
  ),
  inLevels(
    "asks-off-their-grid",
    "order-book.bucket-spacing",
    "wrong value",
    "last ask is a third of a tick off its grid",
    (all, { tick = 0 }, side) =>
      tick > 0 && side === "asks" && all.length > 1
        ? withLevel(all, "price", (price) => price + tick / 3, all.length - 1)
        : all,
  ),
  inLevels(
    "buckets-shifted",
    "order-book.bucket-alignment",
    "wrong value",
    "levels all lie a third of a tick off its multiples",
    (all, { tick = 0 }) => (tick > 0 ? withEachLevel(all, "price", (price) => price + tick / 3) : all),
  ),
  inLevels(
    "bucket-lost",
    "order-book.bucketing-keeps-size",
    "row missing",
    "worst level is lost where it is bucketed",
    (all, { tick = 0, levels: most = 0 }) => (tick > 0 && most === 0 && all.length > 2 ? all.slice(0, -1) : all),
  ),
  inLevels(
    "bucket-size-halved",
    "order-book.bucketing-keeps-size",
    "wrong value",
    "sizes are halved where it is bucketed",
    (all, { tick = 0 }) => (tick > 0 ? running(withEachLevel(all, "size", (size) => size / 2)) : all),
  ),
  inLevels(
    "sizes-not-in-usd",
    "order-book.size-in-usd",
    "wrong value",
    "sizes stay in units though USD was asked for",
    (all, { sizeInUsd }) => (sizeInUsd ? inUnits(all) : all),
    everyWay,
  ),
  inLevels(
    "asks-not-in-usd",
    "order-book.size-in-usd",
    "wrong value",
    "asks stay in units though USD was asked for",
    (all, { sizeInUsd }, side) => (sizeInUsd && side === "asks" ? inUnits(all) : all),
  ),
  inLevels(
    "one-level-too-many",
    "order-book.levels-maximum",
    "wrong count",
    "sides have one level more than asked for",
    (all, { levels: most = 0 }, side) => {
      const last = all.at(-1);
      if (!last || all.length !== most) return all;
      return running([...all, { ...last, price: numberIn(last, "price") * (side === "bids" ? 0.5 : 2) }]);
    },
    everyWay,
  ),
  inLevels(
    "worst-levels",
    "order-book.levels-best",
    "wrong value",
    "sides lack their best level where levels are asked for",
    (all, { levels: most = 0 }) => (most > 0 && all.length > 1 ? running(all.slice(1)) : all),
    everyWay,
  ),
  inLevels(
    "levels-best-of-asks-skipped",
    "order-book.levels-best",
    "row missing",
    "asks lack their second level where levels are asked for",
    (all, { levels: most = 0 }, side) =>
      most > 0 && side === "asks" && all.length > 2 ? running(all.toSpliced(1, 1)) : all,
  ),
  inLevels(
    "levels-cut-at-ten",
    "order-book.levels-zero",
    "row missing",
    "sides have ten levels at most though all were asked for",
    (all, { levels: most = 0 }) => (most === 0 && all.length > 10 ? all.slice(0, 10) : all),
    everyWay,
  ),
  book(
    "default-limit-lost",
    "order-book.limit-default",
    "filter forgotten",
    "levels aggregate more than 50 orders without a limit",
    (orderBook, { limit }) => (limit === undefined ? moreOrders(orderBook, 60) : orderBook),
  ),
  book(
    "zero-limit-lost",
    "order-book.limit-zero",
    "filter forgotten",
    "levels aggregate more than 50 orders with a limit of 0",
    (orderBook, { limit }) => (limit === 0 ? moreOrders(orderBook, 60) : orderBook),
  ),
  inLevels(
    "limit-lost",
    "order-book.limit-per-side",
    "filter forgotten",
    "sides aggregate one order more than the limit",
    (all, { limit = 0 }) => {
      const shown = ordersIn(all);
      return limit > 0 && shown > 0
        ? withLevel(all, "orderCount", (count) => count + Math.max(0, limit + 1 - shown))
        : all;
    },
  ),
  inLevels(
    "limit-of-both-sides-lost",
    "order-book.limit-per-book",
    "filter forgotten",
    "sides each aggregate as many orders as the limit",
    (all, { limit = 0 }) => {
      const shown = ordersIn(all);
      return all.length > 0 && shown < limit ? withLevel(all, "orderCount", (count) => count + limit - shown) : all;
    },
  ),
  inLevels(
    "large-limit-capped",
    "order-book.limit-large",
    "row missing",
    "levels beyond 50 orders are lost with a large limit",
    (all, { limit = 0 }) => {
      let orders = 0;
      const kept = all.filter((level) => {
        orders += numberIn(level, "orderCount");
        return orders <= 25;
      });
      return limit > 1000 && kept.length < all.length ? kept : all;
    },
  ),
  ignored("offset", "order-book.offset-skips-orders", ({ offset = 0 }) => offset > 0, [
    "one market",
    "two other fields",
  ]),
  ignored("sizeInUsd", "order-book.size-in-usd-flag", ({ sizeInUsd }) => sizeInUsd, ["one market", "two fields"]),
  ignored("tickSize", "order-book.tick-size-applied", ({ tick = 0, belowMinimum }) => tick > 0 && !belowMinimum, [
    "one market",
  ]),
  ignored("levels", "order-book.levels-maximum", ({ levels = 0 }) => levels > 0, ["one market"]),
  inLevels(
    "offset-takes-one-more",
    "order-book.offset-skips-orders",
    "row missing",
    "best level is lost with an offset",
    (all, { offset = 0, levels: most = 0 }) =>
      offset > 0 && most === 0 && all.length > 1 ? running(all.slice(1)) : all,
  ),
  inLevels(
    "offset-loses-an-order",
    "order-book.parts-make-whole",
    "wrong value",
    "best level lacks a tenth of its size with an offset",
    (all, { offset = 0 }) => (offset > 0 ? running(withLevel(all, "size", (size) => size * 0.9)) : all),
  ),
  inEach(
    "book",
    {
      name: "book-total-echoed",
      rule: "order-book.total-order-count-ignored",
      kind: "wrong echo",
      words: "a book echoes the totalOrderCount of the request",
      scopes: usual,
    },
    (row, _, { request: { totalOrderCount } }) =>
      typeof totalOrderCount === "number" ? withField(row, "totalOrderCount", totalOrderCount) : row,
  ),
  inEach(
    "book",
    {
      name: "book-total-used-as-limit",
      rule: "order-book.total-order-count-ignored",
      kind: "filter forgotten",
      words: "a book takes the totalOrderCount of the request as its levels",
      scopes: usual,
    },
    (row, _, { request: { totalOrderCount: most } }) =>
      typeof most === "number" && most > 0
        ? withLevels(row, (all) => (all.length > most ? all.slice(0, most) : all))
        : row,
  ),
];

function shownOrders(book: JsonObject): number {
  return ordersIn(bookSides.flatMap((side) => listIn(objectIn(book, "book"), side)));
}

/** Lets each side's first level count `orders` orders, if the book has more in total. */
function moreOrders(book: JsonObject, orders: number): JsonObject {
  if (numberIn(book, "totalOrderCount") <= orders) return book;
  return withLevels(book, (all) => withLevel(all, "orderCount", () => orders));
}

/** A lost request field: the answer is the book that the run got for the request without it. */
function ignored(
  field: string,
  rule: RuleId,
  where: (asked: ParsedRequest) => boolean,
  scopes: readonly ScopeName[],
): FaultTemplate {
  return inAnswers(
    `ignores-${field}`,
    rule,
    "filter forgotten",
    `ignores ${field}`,
    ({ exchange, asked, request, answer }, { answerTo }) => {
      if (answer.kind !== "success" || !asked || !where(asked)) return undefined;
      const { [field]: _, ...others } = request;
      const body = answerTo("GetOrderBook", others);
      return body && JSON.stringify(withoutTime(body)) !== JSON.stringify(withoutTime(answer.body))
        ? withBody(exchange, body)
        : undefined;
    },
    scopes,
  );
}

function withoutTime(body: JsonObject): JsonObject {
  return { ...objectIn(body, "orderBook"), timestamp: undefined };
}

const refusal = (
  name: string,
  rule: RuleId,
  words: string,
  where: (asked: ParsedRequest) => boolean,
  scopes: readonly ScopeName[] = ["one market"],
) => inAnswers(`${name}-refused`, rule, "refused", `refuses ${words}`, refusedIf("invalid_argument", where), scopes);

const accepted = (name: string, rule: RuleId, words: string, where: (tick: number) => boolean) =>
  inAnswers(
    `${name}-accepted`,
    rule,
    "not refused",
    `accepts ${words}`,
    acceptedIf(({ request: { tickSize } }) => typeof tickSize === "number" && where(tickSize), bookFor),
    ["one market"],
  );

/** A book to answer a refused request with, of the requested market if known. */
function bookFor({ request }: AnswerView, { successOf }: ObservedPlatform): JsonObject | undefined {
  const market = objectIn(request, "market").marketId;
  return successOf("GetOrderBook", ({ asked }) => asked?.marketId === market) ?? successOf("GetOrderBook");
}

/** Faults of order books. */
export const bookFaultTemplates: readonly FaultTemplate[] = [
  ...bookFaults,
  refusal(
    "steps",
    "order-book.tick-size-steps",
    "steps above the minimum tick",
    ({ tick = 0, belowMinimum }) => tick > 0 && !belowMinimum,
  ),
  refusal("wide-steps", "order-book.tick-size-steps", "steps of a hundred and more", ({ tick = 0 }) => tick >= 100, []),
  refusal(
    "below-minimum",
    "order-book.tick-size-below-minimum",
    "a tickSize below the minimum tick",
    ({ belowMinimum }) => belowMinimum,
  ),
  refusal("large-limit", "order-book.limit-large", "a limit above 1000", ({ limit = 0 }) => limit > 1000),
  refusal("tick-zero", "order-book.tick-size-zero", "a tickSize of 0", ({ tick }) => tick === 0, ["two fields"]),
  refusal("many-levels", "order-book.levels-maximum", "levels above 1000", ({ levels = 0 }) => levels > 1000),
  accepted("no-step", "order-book.tick-size-no-step", "a tickSize that is not a power-of-ten step", (tick) => tick > 0),
  accepted("negative", "order-book.tick-size-negative", "a negative tickSize", (tick) => tick < 0),
];
