import { isJsonObject, type JsonObject } from "../connect/json.js";
import type { RuleId } from "../specification/catalogue/index.js";
import type { PagedEndpoint } from "../specification/endpoints.js";
import { pageLimitMax } from "../specification/limits.js";
import { type Invariant, onBody } from "./invariant.js";
import { type Judgement, judgeThat, nothingSeen } from "./judgement.js";
import { newestFirst } from "./ordering.js";
import { type Page, pageOf, stableEnd } from "./page.js";
import {
  atMostLimit,
  emptyBeyondEnd,
  endsWithin,
  fullPage,
  pageOfSize,
  paginationLimitIs,
  paginationOffsetIs,
  someRows,
  totalForm,
  totalIsWhereRowsEnd,
} from "./paging.js";
import type { ParsedRequest } from "./parsed-request.js";
import { ordersOf, positionsOf } from "./read.js";

/** Whether a request names a limit that is neither a default nor above the cap. */
const hasUsableLimit = ({ limit = 0 }: ParsedRequest) => limit > 0 && limit <= pageLimitMax;

/** The invariants that both listings share (§2 PaginationInfo, §4.1, §4.3). */
export function listingInvariants(endpoint: PagedEndpoint, prefix: "get-all-positions" | "get-all-orders") {
  type OfPage = (page: Page, asked: ParsedRequest) => Judgement;
  const onPage = (rule: RuleId, judge: OfPage, more: Parameters<typeof onBody>[3] = {}) =>
    onBody(endpoint, rule, (body, { asked }) => judge(pageOf(endpoint, body), asked), more);
  const whileStable = { stable: (body: JsonObject) => stableEnd(pageOf(endpoint, body)) };
  const sized = (rule: RuleId, where: NonNullable<Invariant["where"]>, why: string) => [
    onPage(rule, (page, asked) => pageOfSize(page, asked, why), {
      where,
      // If a request without a limit is refused, the cause is something other than its limit.
      ...(rule.endsWith("default") ? {} : { answered: true }),
      ...whileStable,
    }),
    onPage(rule, atMostLimit, { where }),
  ];
  const isAboveCap = ({ limit = 0 }: ParsedRequest) => limit > pageLimitMax;
  const limits = [
    ...sized(`${prefix}.limit-default`, ({ limit }) => limit === undefined, "the default"),
    ...sized(`${prefix}.limit-zero`, ({ limit }) => limit === 0, "zero is an omitted limit"),
    ...sized(`${prefix}.limit-cap`, isAboveCap, "the cap"),
    onPage(`${prefix}.limit-cap`, (page, { offset = 0 }) => someRows(page, offset), { where: isAboveCap }),
    onPage("pagination.limit", (page, { limit = 0 }) => paginationLimitIs(page, limit, "as requested"), {
      where: hasUsableLimit,
    }),
    onPage("pagination.row-count", atMostLimit, { where: hasUsableLimit }),
    onPage("pagination.row-count", fullPage, { where: hasUsableLimit, ...whileStable }),
  ];

  const isFirst = ({ offset = 0 }: ParsedRequest) => offset === 0;
  const isLater = ({ offset = 0 }: ParsedRequest) => offset > 0;
  const offsetWithin: OfPage = (page, { offset = 0 }) =>
    offset > (page.pagination?.totalCount ?? offset)
      ? nothingSeen("an offset within the listing")
      : paginationOffsetIs(page, offset);
  const offsets = [
    onPage(`${prefix}.offset-default`, (page) => paginationOffsetIs(page, 0), { where: isFirst }),
    onPage("pagination.offset", offsetWithin, { where: isLater }),
    onBody(
      endpoint,
      "pagination.offset-beyond-end",
      (body, { asked: { offset = 0 }, readings }) => emptyBeyondEnd(pageOf(endpoint, body), offset, readings.P6),
      { where: isLater, answered: true },
    ),
  ];

  const isOfOrders = endpoint === "GetAllOrders";
  const formOfTotal = isOfOrders ? "pagination.total-count-decimal-string" : "pagination.total-count-integer";
  return [
    onBody(endpoint, "pagination.present", ({ pagination }) =>
      judgeThat(isJsonObject(pagination), {
        path: "pagination",
        expected: "a pagination object",
        seen: "nothing",
      }),
    ),
    ...limits,
    ...offsets,
    onPage(
      "pagination.total-count",
      (page, asked) =>
        hasUsableLimit(asked) || endsWithin(page, asked)
          ? totalIsWhereRowsEnd(page, asked)
          : nothingSeen("a page on which the listing ends"),
      whileStable,
    ),
    onBody(endpoint, formOfTotal, (body) => totalForm(endpoint, body)),
    onBody(
      endpoint,
      `${prefix}.sorted-by-timestamp`,
      (body) => (isOfOrders ? newestFirst("orders", ordersOf(body)) : newestFirst("positions", positionsOf(body))),
      { ofAnyRows: true },
    ),
  ];
}
