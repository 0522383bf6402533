/** The invariants of order books (§4.6). */
import type { RuleId } from "../specification/catalogue/index.js";
import {
  levelCountFits,
  levelsSorted,
  marketIs,
  notCrossed,
  pricesDistinct,
  runningTotals,
  shownWithinTotal,
  sidesSortedAlike,
  sizeUnitIs,
} from "./book.js";
import {
  atMostLevels,
  offsetIs,
  offsetLeaves,
  offsetLeavesSome,
  pageSizeFits,
  showsFirstOrders,
  showsWholeBook,
  withinLimitPerBook,
  withinLimitPerSide,
} from "./book-request.js";
import { bucketsAligned, bucketsSpaced, tickSizeIs } from "./buckets.js";
import { type BodyInvariant, type Invariant, onBody } from "./invariant.js";
import type { ParsedRequest } from "./parsed-request.js";

const book = (rule: RuleId, judge: BodyInvariant, where?: Invariant["where"]): Invariant =>
  onBody("GetOrderBook", rule, judge, where ? { where } : {});

const bucketed = ({ tick = 0 }: ParsedRequest) => tick > 0;

/** The default limit counts like any other limit: per side or per book (B2). */
const withinDefaultLimit: BodyInvariant = (body, { asked: { offset }, readings }) =>
  (readings.B2 === "per-book" ? withinLimitPerBook : withinLimitPerSide)(body, undefined, offset);

export const orderBookInvariants: readonly Invariant[] = [
  book("order-book.market-id", (body, { asked: { marketId = "" } }) => marketIs(body, marketId)),
  book("order-book.page-size", (body, { asked, readings }) => pageSizeFits(body, asked, readings.B1)),
  book("order-book.offset", (body, { asked: { offset } }) => offsetIs(body, offset)),
  book("order-book.total-order-count", (body) => shownWithinTotal(body)),
  book("order-book.level-count", (body, { asked: { levels }, readings }) => levelCountFits(body, levels, readings.B5)),
  book(
    "order-book.levels-maximum",
    (body, { asked: { levels = 0 } }) => atMostLevels(body, levels),
    ({ levels = 0 }) => levels > 0,
  ),
  book(
    "order-book.tick-size-zero",
    (body) => tickSizeIs(body, 0, "bucketing is off"),
    ({ tick }) => tick === 0,
  ),
  book(
    "order-book.tick-size-applied",
    (body, { asked: { tick = 0 } }) => tickSizeIs(body, tick, "the requested bucket size"),
    ({ tick = 0, belowMinimum }) => tick > 0 && !belowMinimum,
  ),
  onBody(
    "GetOrderBook",
    "order-book.tick-size-below-minimum",
    (body, { asked: { tick = 0 } }) => tickSizeIs(body, tick, "the minimum tick, to which smaller sizes are clamped"),
    { where: ({ belowMinimum }) => belowMinimum, answered: true },
  ),
  book("order-book.size-in-usd-flag", (body, { asked: { sizeInUsd } }) => sizeUnitIs(body, sizeInUsd)),
  book("order-book.limit-default", withinDefaultLimit, ({ limit }) => limit === undefined),
  book("order-book.limit-zero", withinDefaultLimit, ({ limit }) => limit === 0),
  book(
    "order-book.limit-per-side",
    (body, { asked: { limit, offset } }) => withinLimitPerSide(body, limit, offset),
    ({ limit = 0 }) => limit > 0,
  ),
  book(
    "order-book.limit-large",
    (body, { asked: { limit = 0 } }) => showsWholeBook(body, limit),
    ({ limit = 0, offset = 0, levels = 0 }) => limit > 0 && offset === 0 && levels === 0,
  ),
  book("order-book.limit-per-book", (body, { asked: { limit, offset } }) => withinLimitPerBook(body, limit, offset)),
  book(
    "order-book.offset-skips-orders",
    (body, { asked: { limit = 0, offset = 0, levels = 0 } }) => offsetLeaves(body, { limit, offset, levels }),
    ({ offset = 0 }) => offset > 0,
  ),
  book(
    "order-book.offset-skips-orders",
    (body, { asked: { offset = 0 } }) => offsetLeavesSome(body, offset),
    ({ offset = 0 }) => offset > 0,
  ),
  book(
    "order-book.parts-make-whole",
    (body, { asked: { limit = 0 } }) => showsFirstOrders(body, limit),
    ({ limit = 0, offset = 0, levels }) => limit > 0 && offset === 0 && levels === undefined,
  ),
  book("order-book.bucket-spacing", (body, { asked: { tick = 0 } }) => bucketsSpaced(body, tick), bucketed),
  book("order-book.bucket-alignment", (body, { asked: { tick = 0 } }) => bucketsAligned(body, tick), bucketed),
  book("order-book.cumulative-total", (body) => runningTotals(body)),
  book("order-book.levels-sorted", (body, { readings }) => levelsSorted(body, readings.B4)),
  book("order-book.prices-distinct", (body, { asked: { tick } }) => pricesDistinct(body, tick)),
  book("order-book.sides-sorted-alike", (body) => sidesSortedAlike(body)),
  book(
    "order-book.not-crossed",
    (body) => notCrossed(body),
    ({ tick }) => tick === 0,
  ),
];
