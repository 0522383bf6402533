/** The platform as seen in a whole record, for faults that answer with data from elsewhere. */
import { type JsonObject, stringify } from "../connect/json.js";
import { effectiveLimit } from "../judge/page.js";
import type { Endpoint, PagedEndpoint } from "../specification/endpoints.js";
import type { BookSide } from "../specification/enums.js";
import { getOrInsert } from "../specification/get-or-insert.js";
import type { Subjects } from "../subjects/subjects.js";
import { type AnswerView, viewOf } from "./answer-view.js";
import { listIn, numberIn, objectIn } from "./fields.js";
import { changeEach, type Resource } from "./places.js";
import type { RecordedRun } from "./recorded-run.js";

/** What the answers of one run reveal about a platform. */
export interface ObservedPlatform {
  readonly subjects: Subjects;
  /** All answers, in recorded order. */
  readonly views: readonly AnswerView[];
  /** All orders in answers, without duplicates, newest first. */
  readonly orders: readonly JsonObject[];
  /** All positions in answers, without duplicates, newest first. */
  readonly positions: readonly JsonObject[];
  /** All positions as first seen in an answer, newest first. */
  readonly firstPositions: readonly JsonObject[];
  /** The keys of open positions, by {@link keyOfRow}. */
  readonly open: ReadonlySet<string>;
  /** The body of an operation's first successful answer that `accept` matches. */
  readonly successOf: (endpoint: Endpoint, accept?: (view: AnswerView) => boolean) => JsonObject | undefined;
  /** The body of the first successful answer to an equal request, if any. The order of members does not matter. */
  readonly answerTo: (endpoint: Endpoint, request: JsonObject) => JsonObject | undefined;
  /** All rows of a listing; undefined for rows that no page shows. */
  readonly listing: (endpoint: PagedEndpoint, filter?: ListingFilter) => readonly (JsonObject | undefined)[];
}

/** The filters of GetAllOrders. */
export interface ListingFilter {
  readonly wallet?: string | undefined;
  readonly onlyOpen?: boolean;
}

/** A key that identifies a row among others of its kind. */
export function keyOfRow(row: JsonObject): string {
  const kind = row.positionId === undefined ? `order ${row.orderId} ${row.reduceOnly === true}` : row.positionId;
  return `${kind} ${row.marketId}`;
}

/** Collects the platform from the record of a run. */
export function platformOf({ session: { subjects }, workers }: RecordedRun): ObservedPlatform {
  const views = workers.flatMap(({ exchanges }) => exchanges.map((exchange) => viewOf(exchange, subjects)));
  const bodies = views.flatMap(({ endpoint, answer }) =>
    answer.kind === "success"
      ? [{ endpoint, body: answer.body }]
      : answer.kind === "stream"
        ? answer.messages.slice(0, 1).map((body) => ({ endpoint, body }))
        : [],
  );
  const rowsOf = (resource: Resource, among = bodies, which: "first" | "last" = "last") => {
    const rows = new Map<string, JsonObject>();
    for (const { endpoint, body } of among) {
      changeEach(endpoint, resource, body, (row) => {
        const key = keyOfRow(row);
        if (which === "last" || !rows.has(key)) rows.set(key, row);
        return row;
      });
    }
    return [...rows.values()].sort((a, b) => String(b.timestamp).localeCompare(String(a.timestamp)));
  };
  const ofPortfolios = bodies.filter(({ endpoint }) => endpoint === "GetPortfolio");
  return {
    subjects,
    views,
    orders: rowsOf("order"),
    positions: rowsOf("position"),
    firstPositions: rowsOf("position", bodies, "first"),
    open: new Set(rowsOf("position", ofPortfolios).map(keyOfRow)),
    successOf(endpoint, accept = () => true) {
      const found = views.find(
        (view) => view.endpoint === endpoint && view.answer.kind === "success" && view.asked && accept(view),
      );
      return found?.answer.kind === "success" ? found.answer.body : undefined;
    },
    answerTo: answers(views),
    listing: listings(views),
  };
}

function answers(views: readonly AnswerView[]): ObservedPlatform["answerTo"] {
  const known = new Map<string, JsonObject>();
  for (const { endpoint, request, answer } of views) {
    const key = `${endpoint} ${ordered(request)}`;
    if (answer.kind === "success" && !known.has(key)) known.set(key, answer.body);
  }
  return (endpoint, request) => known.get(`${endpoint} ${ordered(request)}`);
}

function ordered(request: JsonObject): string {
  const members = Object.entries(request).filter(([, value]) => value !== undefined);
  return stringify(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1))));
}

function listings(views: readonly AnswerView[]): ObservedPlatform["listing"] {
  const known = new Map<string, (JsonObject | undefined)[]>();
  const keyOf = (endpoint: Endpoint, { wallet = "", onlyOpen = false }: ListingFilter) =>
    `${endpoint} ${wallet} ${onlyOpen}`;
  for (const { endpoint, asked, answer } of views) {
    if ((endpoint !== "GetAllPositions" && endpoint !== "GetAllOrders") || !asked || answer.kind !== "success")
      continue;
    const rows = rowsOfPage(endpoint, answer.body);
    const key = keyOf(endpoint, asked);
    const listing = getOrInsert(known, key, () =>
      Array.from({ length: Math.min(totalOf(answer.body), maxRows) }, () => undefined),
    );
    for (const [index, row] of rows.entries()) {
      const at = (asked.offset ?? 0) + index;
      if (at < listing.length) listing[at] = row;
    }
  }
  return (endpoint, filter = {}) => known.get(keyOf(endpoint, filter)) ?? [];
}

/** Maximum rows of a listing: more than any run can page through, in case `totalCount` is absurd. */
const maxRows = 1_000_000;

/** The field with the rows of an answer that lists positions or orders. */
export function rowsField(endpoint: Endpoint): "positions" | "orders" {
  return endpoint === "GetAllPositions" || endpoint === "GetOpenPositionsStreaming" ? "positions" : "orders";
}

/** The rows of an answer that lists positions or orders. */
export function rowsOfPage(endpoint: Endpoint, body: JsonObject): readonly JsonObject[] {
  return listIn(body, rowsField(endpoint));
}

/** The total that a page gives; 0 when absent (W1). */
export function totalOf(body: JsonObject): number {
  return Number(objectIn(body, "pagination").totalCount ?? 0);
}

/** A total in the form that a listing gives it in (P5). */
export function totalAs(listing: PagedEndpoint, total: number): string | number {
  return listing === "GetAllOrders" ? String(total) : total;
}

/** Whether the levels of a side start with the best price. */
export function isBestFirst(levels: readonly JsonObject[], side: BookSide): boolean {
  const first = numberIn(levels[0] ?? {}, "price");
  const last = numberIn(levels.at(-1) ?? {}, "price");
  return side === "bids" ? first >= last : first <= last;
}

/** The page of a listing that a request asks for; undefined when some of its rows are unknown. */
export function knownPage(
  { limit, offset = 0 }: { readonly limit?: number | undefined; readonly offset?: number },
  rows: readonly (JsonObject | undefined)[],
): readonly JsonObject[] | undefined {
  const page = rows.slice(offset, offset + effectiveLimit(limit));
  return page.every((row) => row !== undefined) ? page : undefined;
}
